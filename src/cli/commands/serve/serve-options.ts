/** The flags of `mapwright serve`, and their translation into server options. */

import { validateTiles } from '../../../api/pages/map-tiles.ts';
import type { Durability } from '../../../cluster/database/tables.ts';
import type { ClusterOptions } from '../../../cluster/node/cluster-options.ts';
import { countedLimitBytes, memoryBytesDefault, memoryBytesMax } from '../../../engine/memory/memory-budget.ts';
import { validateOrigins } from '../../../http/guard/cors.ts';
import { isCount, validatePublicUrl, validateTrustProxy } from '../../../http/proxy.ts';
import { durationMs } from '../../../lib/text/time.ts';
import { validateDataHosts } from '../../../live/sources/host-rules.ts';
import { optionRanges } from '../../../server/option-ranges.ts';
import type { ServerOptions } from '../../../server/server-options.ts';
import { logLevels } from '../../../server/telemetry/json-log.ts';
import { listenAddressFrom } from '../../../server/telemetry/metrics-listener.ts';
import { frameAlignBytes } from '../../../storage/wal/format/frame.ts';
import { type UserSyncMode, userSyncModes } from '../../../storage/wal/format/segment.ts';
import {
  type ArgumentsOf,
  asGiven,
  dataOption,
  durationOption,
  inGroups,
  integerFrom,
  jsonOption,
  listFrom,
  numberFrom,
  rangedOption,
  sourceOf,
  textFor,
  UsageError,
} from '../../option-parsing.ts';
import { accountDefaultsOf, limitOptions, limitsOf } from './limit-options.ts';

const mebibyte = 1024 * 1024;

const groups = {
  'Address:': ['data', 'host', 'port', 'public-url', 'trust-proxy'],
  'API:': ['cors', 'compression', 'elements-max', 'metrics', 'metrics-listen', 'docs'],
  'Pages:': ['console', 'open', 'publish', 'tiles'],
  'Live maps:': ['live', 'data-hosts', 'data-timeout', 'data-mb'],
  'Log and snapshots:': ['sync', 'segment-mb', 'snapshot-mb', 'snapshot-minutes', 'snapshot-pause', 'versions'],
  'Backups:': ['backup-dir', 'backup-every', 'backup-keep'],
  'Memory:': ['memory-mb', 'decoded-cache-mb', 'cache-mb', 'idempotency-mb'],
  'Default limits of accounts:': [
    'rate-limit',
    'account-projects-max',
    'account-members-max',
    'account-mb',
    'account-versions-max',
  ],
  'Cluster:': ['cluster', 'advertise', 'lease', 'durability', 'log-keep'],
  'Logging and output:': ['audit-log', 'log-requests', 'log-level', 'log-pretty', 'json'],
} as const;

/** The flags that most people set. `--help` shows only these; `--help --all` shows all. */
const shown: ReadonlySet<string> = new Set([
  ...['data', 'host', 'port', 'public-url', 'trust-proxy'],
  ...['cors', 'rate-limit', 'memory-mb'],
  ...['backup-dir', 'backup-every', 'backup-keep'],
  ...['log-level', 'log-requests', 'json', 'open'],
]);

/** All flags of `serve`. */
export const serveOptions = inGroups(
  groups,
  {
    ...dataOption,
    json: {
      ...jsonOption.json,
      describe: 'Print address, recovery and a first key as one line of JSON, for programs',
    },
    host: { type: 'string', default: '127.0.0.1', describe: 'Address to listen on', coerce: textFor('host') },
    port: {
      type: 'number',
      default: 8070,
      describe: 'Port to listen on; 0 for any free port',
      coerce: integerFrom(0, 65_535, 'port'),
    },
    sync: {
      choices: userSyncModes,
      default: 'always' as UserSyncMode,
      describe:
        'When writes are synced to disk: before each response, or when the system decides. The latter loses acknowledged writes in a crash, and is only for bulk loads and measurements',
    },
    'segment-mb': rangedOption(
      'segment-mb',
      optionRanges.segmentBytes,
      mebibyte,
      'Size of a log file, in MiB; limits the changes of one request, except copies and imports',
    ),
    'snapshot-mb': rangedOption(
      'snapshot-mb',
      optionRanges.snapshotBytes,
      mebibyte,
      'Take a snapshot after this much sealed log, in MiB',
    ),
    'snapshot-minutes': rangedOption(
      'snapshot-minutes',
      optionRanges.snapshotMinutes,
      1,
      'Take a snapshot after this many minutes, if something was written',
    ),
    'snapshot-pause': rangedOption(
      'snapshot-pause',
      optionRanges.snapshotPauseMs,
      1,
      'Pause after each MiB that a snapshot or a backup writes, in milliseconds, to leave the disk to requests',
    ),
    'backup-dir': {
      type: 'string',
      describe: 'Folder for scheduled backups and the archived log; outside of the data folder, preferably on another disk',
    },
    'backup-every': {
      type: 'string',
      default: '6h',
      describe: 'Time between two scheduled backups: 30m, 6h, 1d',
      coerce: durationOption('backup-every'),
    },
    'backup-keep': {
      type: 'number',
      default: 28,
      describe: 'Number of newest backups to keep',
      coerce: integerFrom(1, 1_000_000, 'backup-keep'),
    },
    'elements-max': rangedOption(
      'elements-max',
      optionRanges.elementsMax,
      'count',
      'Maximum number of elements in the collections of one request',
    ),
    'idempotency-mb': rangedOption(
      'idempotency-mb',
      optionRanges.idempotencyBytes,
      mebibyte,
      'Memory for responses that are repeated when a request with an Idempotency-Key is retried, in MiB',
    ),
    'cache-mb': rangedOption(
      'cache-mb',
      optionRanges.cacheBytes,
      mebibyte,
      'Cache for responses with resources and short lists, and for compressed responses, in MiB',
    ),
    cors: {
      type: 'string',
      default: '',
      defaultDescription: 'none',
      describe: 'Origins whose pages may use the API from a browser: https://editor.example,http://localhost:5173, or * for any',
      coerce: originsFrom,
    },
    'public-url': {
      type: 'string',
      describe: 'Public address of the server, for links in responses: https://maps.example.com/maps',
      coerce: publicUrlFrom,
    },
    'trust-proxy': {
      type: 'string',
      defaultDescription: 'none',
      describe:
        'Proxies whose X-Forwarded-For header is trusted: loopback, linklocal, uniquelocal, addresses, ranges such as 10.0.0.0/8, or the number of proxies',
      coerce: proxiesFrom,
    },
    compression: {
      type: 'boolean',
      default: true,
      describe: 'Compress responses for clients that accept it; --no-compression to leave that to a proxy',
    },
    'audit-log': {
      type: 'boolean',
      default: true,
      describe: 'Record rejected keys, and changes of keys and accounts, in audit.log in the data folder',
    },
    ...limitOptions,
    'memory-mb': {
      type: 'number',
      defaultDescription: 'depends on the machine',
      describe: 'Memory budget, in MiB; beyond it, changes that need more memory are refused with 507',
      coerce: memoryFrom,
    },
    'decoded-cache-mb': {
      type: 'number',
      defaultDescription: '2/5 of --memory-mb',
      describe: 'Cache size for decoded members, in MiB',
      coerce: (value: number | undefined) => (value === undefined ? undefined : numberFrom(0, 65_536, 'decoded-cache-mb')(value)),
    },
    cluster: {
      type: 'string',
      describe:
        'URL of the PostgreSQL database that holds the data of several nodes: postgres://maps@db1,db2/maps. The password: PGPASSWORD, or ~/.pgpass. See docs/cluster.md',
    },
    advertise: {
      type: 'string',
      describe:
        'With --cluster: the URL of this node for the other nodes: http://10.0.0.5:8071. A port other than that of --port is opened beside it',
      coerce: advertisedFrom,
    },
    lease: {
      type: 'string',
      default: '3s',
      describe: 'With --cluster: how long a node may answer without a sign of the database. The same on all nodes',
      coerce: durationOption('lease'),
    },
    durability: {
      choices: ['standby', 'storage'],
      default: 'standby' as Durability,
      describe:
        'With --cluster: what keeps acknowledged writes when a machine is lost: a synchronous standby, which is checked, or storage that replicates below PostgreSQL, which is your word',
    },
    'log-keep': {
      type: 'string',
      default: '7d',
      describe: 'With --cluster: how long the log stays in the database, for nodes that were away',
      coerce: durationOption('log-keep'),
    },
    metrics: { type: 'boolean', default: true, describe: 'Serve metrics for Prometheus at /metrics; --no-metrics to disable' },
    'metrics-listen': {
      type: 'string',
      defaultDescription: 'the address of the API',
      describe: 'Serve metrics at this separate address instead: 127.0.0.1:9464, [::1]:9464',
      coerce: listenAddressOf,
    },
    docs: { type: 'boolean', default: true, describe: 'Serve the API reference at /docs; --no-docs to disable' },
    publish: {
      type: 'boolean',
      default: true,
      describe: 'Let projects be published, at /p/...; --no-publish to disable',
    },
    tiles: {
      type: 'string',
      defaultDescription: 'OpenStreetMap',
      describe:
        'Address of the map tiles on pages, with {z}, {x} and {y}: https://tiles.example.com/{z}/{x}/{y}.png; none for a plain grid',
      coerce: tilesFrom,
    },
    console: { type: 'boolean', default: true, describe: 'Serve the editor for browsers at /console; --no-console to disable' },
    versions: {
      type: 'boolean',
      default: true,
      describe: 'Keep the state of a project before the first change after a pause of ten minutes',
    },
    live: {
      type: 'boolean',
      default: true,
      describe: 'Fetch data sources and evaluate variables and actions; --no-live to disable',
    },
    'data-hosts': {
      type: 'string',
      default: '',
      defaultDescription: 'public addresses only',
      describe: 'Hosts that data sources may reach in addition: sensors.internal,10.0.0.0/8,127.0.0.1:9000',
      coerce: dataHostsFrom,
    },
    'data-timeout': {
      type: 'string',
      default: '10s',
      describe: 'Time limit of a fetch of a data source: 500ms, 10s; a number is seconds',
      coerce: dataTimeoutFrom,
    },
    'data-mb': rangedOption(
      'data-mb',
      optionRanges.dataResponseBytes,
      mebibyte,
      'Maximum size of a response of a data source after decompression, in MiB',
    ),
    open: { type: 'boolean', default: false, describe: 'Open the console in the browser, signed in' },
    'log-requests': { type: 'boolean', default: false, describe: 'Log every request' },
    'log-level': {
      choices: logLevels,
      defaultDescription: 'info',
      describe: 'Lowest level to log; on a terminal, without --log-requests, the default is warn',
    },
    'log-pretty': {
      type: 'boolean',
      defaultDescription: 'on a terminal',
      describe: 'Format the log for people instead of as JSON lines; --no-log-pretty for JSON also on a terminal',
    },
  } as const,
  shown,
);

export type ServeArguments = ArgumentsOf<typeof serveOptions>;

/** The server options in the flags. The caller adds the log and the handler of fatal errors. */
export function serverOptionsOf(args: ServeArguments): Omit<ServerOptions, 'log' | 'onFatal'> {
  return {
    data: args.data,
    sync: args.sync,
    // Rounded to whole sectors.
    segmentBytes: Math.round((args.segmentMb * mebibyte) / frameAlignBytes) * frameAlignBytes,
    snapshotBytes: args.snapshotMb * mebibyte,
    snapshotMinutes: args.snapshotMinutes,
    snapshotPauseMs: args.snapshotPause,
    ...scheduleIn(args),
    elementsMax: args.elementsMax,
    idempotencyBytes: args.idempotencyMb * mebibyte,
    cacheBytes: args.cacheMb * mebibyte,
    ...metricsIn(args),
    docs: args.docs,
    publish: args.publish,
    ...(args.tiles === undefined ? {} : { tiles: args.tiles }),
    console: args.console,
    versions: args.versions,
    live: args.live,
    ...(args.dataHosts === '' ? {} : { dataHosts: args.dataHosts }),
    dataTimeoutMs: args.dataTimeout,
    dataResponseBytes: args.dataMb * mebibyte,
    cors: args.cors,
    ...proxyIn(args),
    compression: args.compression,
    ...memoryIn(args),
    limits: limitsOf(args),
    ...accountDefaultsOf(args),
    auditLog: args.auditLog,
    logRequests: args.logRequests,
  };
}

/** The options of a node of a cluster in the flags; `undefined` for a server on one machine. */
export function clusterOptionsOf(args: ServeArguments): ClusterOptions | undefined {
  const { cluster: url, advertise, lease: leaseMs, durability, logKeep: logKeepMs } = args;
  if (url === undefined) {
    const unused = ['advertise', 'lease', 'durability', 'log-keep'].find((name) => sourceOf(name).from !== 'default');
    if (unused !== undefined) throw new UsageError(`${asGiven(unused)} needs a cluster. Name its database with --cluster URL.`);
    return undefined;
  }
  if (advertise === undefined) {
    throw new UsageError(
      '--cluster needs --advertise, the URL of this node for the other nodes: --advertise http://10.0.0.5:8071',
    );
  }
  const unfit = ['sync', 'backup-dir', 'metrics-listen'].find((name) => sourceOf(name).from !== 'default');
  if (unfit !== undefined) throw new UsageError(`${asGiven(unfit)} does not apply to a node of a cluster. Leave it out.`);
  return { url, advertise, leaseMs, durability, logKeepMs };
}

function advertisedFrom(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' || url.pathname !== '/' || url.search !== '' || url.username !== '')
    throw new UsageError(
      `${asGiven('advertise')} is "${text}". It must be http://, a host and a port, such as http://10.0.0.5:8071.`,
    );
  return url.origin;
}

function metricsIn({ metrics, metricsListen }: ServeArguments): Pick<ServerOptions, 'metrics' | 'metricsListen'> {
  if (metricsListen === undefined) return { metrics };
  if (!metrics)
    throw new UsageError(`${asGiven('metrics-listen')} and --no-metrics contradict each other. Leave out one of them.`);
  return { metrics, metricsListen };
}

function memoryIn({
  memoryMb,
  decodedCacheMb: decodedMb,
}: ServeArguments): Pick<ServerOptions, 'memoryBytes' | 'decodedCacheBytes'> {
  const budgetMb = memoryMb ?? Math.floor(memoryBytesDefault() / mebibyte);
  if (decodedMb !== undefined && decodedMb > budgetMb) {
    throw new UsageError(
      `${asGiven('decoded-cache-mb')} is ${decodedMb}. It is a part of --memory-mb, which is ${budgetMb} here, and must not exceed it. Give a smaller number, or leave it out.`,
    );
  }
  return {
    ...(memoryMb === undefined ? {} : { memoryBytes: memoryMb * mebibyte }),
    ...(decodedMb === undefined ? {} : { decodedCacheBytes: decodedMb * mebibyte }),
  };
}

function scheduleIn({ backupDir: dir, backupEvery: everyMs, backupKeep: keep }: ServeArguments): Pick<ServerOptions, 'backup'> {
  if (dir === '') throw new UsageError(`${asGiven('backup-dir')} needs the name of a folder.`);
  const unused = ['backup-every', 'backup-keep'].find((name) => sourceOf(name).from !== 'default');
  if (dir === undefined && unused !== undefined)
    throw new UsageError(`${asGiven(unused)} needs scheduled backups. Name a folder for them with --backup-dir DIR.`);
  return dir === undefined ? {} : { backup: { dir, everyMs, keep } };
}

function proxyIn(args: ServeArguments): Pick<ServerOptions, 'publicUrl' | 'trustProxy'> {
  const { publicUrl, trustProxy, addressConnectionsMax } = args;
  if (trustProxy !== undefined && isCount(trustProxy) && addressConnectionsMax > 0) {
    throw new UsageError(
      '--address-connections-max needs the addresses of your proxies in --trust-proxy: their number does not distinguish them from clients.',
    );
  }
  return { ...(publicUrl === undefined ? {} : { publicUrl }), ...(trustProxy === undefined ? {} : { trustProxy }) };
}

function listenAddressOf(text: string | undefined): string | undefined {
  if (text !== undefined && listenAddressFrom(text) === undefined)
    throw new UsageError(
      `${asGiven('metrics-listen')} is "${text}". It must be an address and a port, such as 127.0.0.1:9464 or [::1]:9464.`,
    );
  return text;
}

function tilesFrom(text: string | undefined): string | undefined {
  const problem = text === undefined ? undefined : validateTiles(text);
  if (problem !== undefined) throw new UsageError(`${asGiven('tiles')} is invalid: ${problem}.`);
  return text;
}

function dataHostsFrom(text: string): string {
  const problem = validateDataHosts(text);
  if (problem !== undefined) throw new UsageError(`${asGiven('data-hosts')} is invalid: ${problem}`);
  return text;
}

function dataTimeoutFrom(text: string): number {
  const given = String(text);
  const ms = /^\d+ms$/.test(given) ? Number.parseInt(given, 10) : durationMs(/^\d+$/.test(given) ? `${given}s` : given);
  const [, least, most] = optionRanges.dataTimeoutMs;
  if (ms === undefined || ms < least || ms > most)
    throw new UsageError(
      `${asGiven('data-timeout')} is "${given}". It must be a duration such as 10s, from ${least}ms to ${most / 1000}s.`,
    );
  return ms;
}

function publicUrlFrom(text: string | undefined): string | undefined {
  const problem = text === undefined ? undefined : validatePublicUrl(text);
  if (problem !== undefined) throw new UsageError(`--public-url is invalid: ${problem}.`);
  return text;
}

/** Parses --trust-proxy. A configuration file may give a number. */
function proxiesFrom(text: string | number | undefined): string | undefined {
  const trusted = text === undefined ? undefined : String(text);
  const problem = trusted === undefined ? undefined : validateTrustProxy(trusted);
  if (problem !== undefined) throw new UsageError(`--trust-proxy is invalid: ${problem}.`);
  return trusted;
}

function originsFrom(text: string): string[] {
  const origins = listFrom('cors')(text);
  const problem = validateOrigins(origins);
  if (problem !== undefined) throw new UsageError(`${asGiven('cors')} is invalid: ${problem}.`);
  return origins;
}

/** Parses --memory-mb. V8 fixes its heap limit before the program runs, so a larger budget needs a restart with other flags. */
function memoryFrom(value: number | undefined): number {
  const mostMb = Math.floor(memoryBytesMax() / mebibyte);
  if (value !== undefined && value >= 1 && value <= mostMb) return value;
  const heapMb = Math.ceil((((value ?? 0) * mebibyte) / memoryBytesMax()) * (countedLimitBytes() / mebibyte));
  const more =
    value !== undefined && value > mostMb ? ` For ${value}, start with: NODE_OPTIONS=--max-old-space-size=${heapMb}` : '';
  throw new UsageError(`${asGiven('memory-mb')} must be a number from 1 to ${mostMb}, the limit of V8's heap here.${more}`);
}
