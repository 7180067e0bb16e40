/** The flags of `mapwright serve`, and the options of the server that they stand for. */
import { countedLimitBytes, memoryBytesDefault, memoryBytesMax } from '../engine/memory.ts';
import { faultOfOrigins } from '../http/cors.ts';
import { faultOfProxies, faultOfPublicUrl, isCount } from '../http/front.ts';
import { frameAlignBytes } from '../journal/frame.ts';
import { type SyncMode, syncModes } from '../journal/segment.ts';
import { type Compat, compats } from '../model/resource.ts';
import { type LogLevel, logLevels } from '../server/json-log.ts';
import { listenAddressFrom } from '../server/metrics-listener.ts';
import type { ServerOptions } from '../server/options.ts';
import { accountDefaultsOf, type LimitArguments, limitOptions, limitsOf } from './limit-options.ts';
import {
  asGiven,
  dataOption,
  durationMs,
  inGroups,
  integerFrom,
  jsonOption,
  listFrom,
  numberFrom,
  sourceOf,
  textFor,
  UsageError,
} from './options.ts';

const mebibyte = 1024 * 1024;

const groups = {
  'Where:': ['data', 'host', 'port', 'public-url', 'trust-proxy'],
  'The API:': ['compat', 'cors', 'compression', 'elements-max', 'metrics', 'metrics-listen', 'docs'],
  'The log and its snapshots:': ['sync', 'segment-mb', 'snapshot-mb', 'snapshot-minutes', 'fold-pause'],
  'Backups:': ['backup-dir', 'backup-every', 'backup-keep'],
  'Memory:': ['memory-mb', 'decoded-mb', 'cache-mb', 'idempotency-mb'],
  'Accounts for which nothing else is set:': ['rate-limit', 'account-projects-max', 'account-members-max', 'account-mb'],
  'What is told:': ['audit-log', 'log-requests', 'log-level', 'log-pretty', 'json'],
} as const;

/** Every flag of `serve`. */
export const serveOptions = inGroups(groups, {
  ...dataOption,
  json: {
    ...jsonOption.json,
    describe: 'Say where it listens, what was restored and a first key as one line of JSON, for programs',
  },
  host: { type: 'string', default: '127.0.0.1', describe: 'Address to listen on', coerce: textFor('host') },
  port: {
    type: 'number',
    default: 8070,
    describe: 'Port to listen on; 0 takes any free one',
    coerce: integerFrom(0, 65_535, 'port'),
  },
  sync: {
    choices: syncModes,
    default: 'always' as SyncMode,
    describe:
      'When writes reach the disk: before each answer; once a second; when the system likes. The latter two lose acknowledged writes in a crash: for bulk loads and measurements',
  },
  'segment-mb': {
    type: 'number',
    default: 16,
    describe: 'Size of a log file, in MiB; bounds what one request may change, but for copies and imports',
    coerce: numberFrom(1, 256, 'segment-mb'),
  },
  'snapshot-mb': {
    type: 'number',
    default: 64,
    describe: 'Fold a snapshot when this much log has been sealed, in MiB',
    coerce: numberFrom(1, 65_536, 'snapshot-mb'),
  },
  'snapshot-minutes': {
    type: 'number',
    default: 60,
    describe: 'Fold a snapshot after this long, when something was written',
    coerce: numberFrom(0.01, 1_000_000, 'snapshot-minutes'),
  },
  'fold-pause': {
    type: 'number',
    default: 10,
    describe: 'Pause after each MiB that a fold or a backup writes, in milliseconds, so that requests get at the disk',
    coerce: numberFrom(0, 10_000, 'fold-pause'),
  },
  'backup-dir': {
    type: 'string',
    describe: 'Folder for backups on a schedule and the log between them; outside of the data folder, best on another disk',
  },
  'backup-every': {
    type: 'string',
    default: '6h',
    describe: 'Time between two backups: 30m, 6h, 1d',
    coerce: durationMs('backup-every'),
  },
  'backup-keep': {
    type: 'number',
    default: 28,
    describe: 'How many of the newest backups stay',
    coerce: integerFrom(1, 1_000_000, 'backup-keep'),
  },
  'elements-max': {
    type: 'number',
    default: 50_000,
    describe: 'Most elements that the collections in one request may hold',
    coerce: integerFrom(1, 1_000_000, 'elements-max'),
  },
  compat: {
    choices: compats,
    default: 'contract' as Compat,
    describe:
      'Which API is spoken: the one of the contract, or what the original has become since, with a few types and members more',
  },
  'idempotency-mb': {
    type: 'number',
    default: 64,
    describe: 'Memory for answers that an account gets again when it repeats a request with its Idempotency-Key, in MiB',
    coerce: numberFrom(0, 65_536, 'idempotency-mb'),
  },
  'cache-mb': {
    type: 'number',
    default: 64,
    describe: 'Memory for answers that were given before, resources, short lists and what was compressed, in MiB',
    coerce: numberFrom(0, 65_536, 'cache-mb'),
  },
  cors: {
    type: 'string',
    default: '',
    defaultDescription: 'none',
    describe: 'Origins whose pages may use the API from a browser: https://editor.example,http://localhost:5173, or * for any',
    coerce: originsFrom,
  },
  'public-url': {
    type: 'string',
    describe: 'Where clients reach the server, for addresses in answers: https://maps.example.com/maps',
    coerce: publicUrlFrom,
  },
  'trust-proxy': {
    type: 'string',
    defaultDescription: 'none',
    describe:
      'Proxies that are believed about whom they ask for: loopback, linklocal, uniquelocal, addresses, ranges such as 10.0.0.0/8, or how many there are',
    coerce: proxiesFrom,
  },
  compression: {
    type: 'boolean',
    default: true,
    describe: 'Compress answers for clients that ask for it; --no-compression to leave that to a proxy',
  },
  'audit-log': {
    type: 'boolean',
    default: true,
    describe: 'Write refused keys, and changes of keys and accounts, to audit.log in the data folder',
  },
  ...limitOptions,
  'memory-mb': {
    type: 'number',
    defaultDescription: 'what the machine allows',
    describe: 'Memory that may be needed, in MiB, before changes that grow are refused with 507',
    coerce: memoryFrom,
  },
  'decoded-mb': {
    type: 'number',
    defaultDescription: '2/5 of --memory-mb',
    describe: 'Memory for members that were looked at as values, in MiB; the rest are bytes until somebody looks',
    coerce: (value: number | undefined) => (value === undefined ? undefined : numberFrom(0, 65_536, 'decoded-mb')(value)),
  },
  metrics: { type: 'boolean', default: true, describe: 'Show figures for Prometheus at /metrics; --no-metrics for none' },
  'metrics-listen': {
    type: 'string',
    defaultDescription: 'where the API is',
    describe: 'Show these figures at an address of their own, and not where the API is: 127.0.0.1:9464, [::1]:9464',
    coerce: listenAddressOf,
  },
  docs: { type: 'boolean', default: true, describe: 'Show the reference of the API at /docs; --no-docs for none' },
  'log-requests': { type: 'boolean', default: false, describe: 'A line in the log for every request' },
  'log-level': {
    choices: logLevels,
    defaultDescription: 'info',
    describe: 'What is logged, and what is worse; on a terminal, without --log-requests, warn is the default',
  },
  'log-pretty': {
    type: 'boolean',
    defaultDescription: 'on a terminal',
    describe: 'Write the log for people and not as JSON lines; --no-log-pretty for JSON also on a terminal',
  },
} as const);

export interface ServeArguments extends LimitArguments {
  data: string;
  host: string;
  port: number;
  sync: SyncMode;
  segmentMb: number;
  snapshotMb: number;
  snapshotMinutes: number;
  foldPause: number;
  backupDir?: string;
  backupEvery: number;
  backupKeep: number;
  elementsMax: number;
  compat: Compat;
  idempotencyMb: number;
  cacheMb: number;
  cors: string[];
  publicUrl?: string;
  trustProxy?: string;
  compression: boolean;
  auditLog: boolean;
  memoryMb?: number;
  decodedMb?: number;
  metrics: boolean;
  metricsListen?: string;
  docs: boolean;
  logRequests: boolean;
  logLevel?: LogLevel;
  logPretty?: boolean;
  json: boolean;
}

/** What the flags ask of the server; where it logs, and what it does when it fails, is for the caller to say. */
export function serverOptionsOf(args: ServeArguments): Omit<ServerOptions, 'log' | 'onFatal'> {
  return {
    data: args.data,
    sync: args.sync,
    // Whole sectors, whatever part of a MiB is asked for.
    segmentBytes: Math.round((args.segmentMb * mebibyte) / frameAlignBytes) * frameAlignBytes,
    snapshotBytes: args.snapshotMb * mebibyte,
    snapshotMinutes: args.snapshotMinutes,
    foldPauseMs: args.foldPause,
    ...scheduleIn(args),
    elementsMax: args.elementsMax,
    compat: args.compat,
    idempotencyBytes: args.idempotencyMb * mebibyte,
    cacheBytes: args.cacheMb * mebibyte,
    ...metricsIn(args),
    docs: args.docs,
    cors: args.cors,
    ...frontIn(args),
    compression: args.compression,
    ...memoryIn(args),
    limits: limitsOf(args),
    ...accountDefaultsOf(args),
    auditLog: args.auditLog,
    logRequests: args.logRequests,
  };
}

function metricsIn({ metrics, metricsListen }: ServeArguments): Pick<ServerOptions, 'metrics' | 'metricsListen'> {
  if (metricsListen === undefined) return { metrics };
  if (!metrics)
    throw new UsageError(`${asGiven('metrics-listen')} says where figures are shown, and --no-metrics that there are none.`);
  return { metrics, metricsListen };
}

function memoryIn({ memoryMb, decodedMb }: ServeArguments): Pick<ServerOptions, 'memoryBytes' | 'decodedBytes'> {
  const budgetMb = memoryMb ?? Math.floor(memoryBytesDefault() / mebibyte);
  if (decodedMb !== undefined && decodedMb > budgetMb) {
    throw new UsageError(
      `${asGiven('decoded-mb')} is ${decodedMb}, more than --memory-mb, which is ${budgetMb} here and which it is a part of. Leave it out, or give a smaller number.`,
    );
  }
  return {
    ...(memoryMb === undefined ? {} : { memoryBytes: memoryMb * mebibyte }),
    ...(decodedMb === undefined ? {} : { decodedBytes: decodedMb * mebibyte }),
  };
}

function scheduleIn({ backupDir: dir, backupEvery: everyMs, backupKeep: keep }: ServeArguments): Pick<ServerOptions, 'backup'> {
  if (dir === '') throw new UsageError(`${asGiven('backup-dir')} needs the name of a folder.`);
  const idle = ['backup-every', 'backup-keep'].find((name) => sourceOf(name).from !== 'default');
  if (dir === undefined && idle !== undefined)
    throw new UsageError(`${asGiven(idle)} is about backups on a schedule: say where they go, with --backup-dir DIR.`);
  return dir === undefined ? {} : { backup: { dir, everyMs, keep } };
}

function frontIn(args: ServeArguments): Pick<ServerOptions, 'publicUrl' | 'trustProxy'> {
  const { publicUrl, trustProxy, addressConnectionsMax } = args;
  if (trustProxy !== undefined && isCount(trustProxy) && addressConnectionsMax > 0) {
    throw new UsageError(
      '--address-connections-max needs the addresses of your proxies in --trust-proxy: by their number nobody can be told from a client.',
    );
  }
  return { ...(publicUrl === undefined ? {} : { publicUrl }), ...(trustProxy === undefined ? {} : { trustProxy }) };
}

function listenAddressOf(text: string | undefined): string | undefined {
  if (text !== undefined && listenAddressFrom(text) === undefined)
    throw new UsageError(`${asGiven('metrics-listen')} must be an address and a port, such as 127.0.0.1:9464 or [::1]:9464.`);
  return text;
}

function publicUrlFrom(text: string | undefined): string | undefined {
  const fault = text === undefined ? undefined : faultOfPublicUrl(text);
  if (fault !== undefined) throw new UsageError(`--public-url must be an address: ${fault}.`);
  return text;
}

/** A number where it comes from a file of options. */
function proxiesFrom(text: string | number | undefined): string | undefined {
  const trusted = text === undefined ? undefined : String(text);
  const fault = trusted === undefined ? undefined : faultOfProxies(trusted);
  if (fault !== undefined) throw new UsageError(`--trust-proxy must say which proxies: ${fault}.`);
  return trusted;
}

function originsFrom(text: string): string[] {
  const origins = listFrom('cors')(text);
  const fault = faultOfOrigins(origins);
  if (fault !== undefined) throw new UsageError(`${asGiven('cors')} must be origins: ${fault}.`);
  return origins;
}

/** V8 settles how far its heap may grow before a program's first line, so a larger budget needs another start. */
function memoryFrom(value: number | undefined): number {
  const mostMb = Math.floor(memoryBytesMax() / mebibyte);
  if (value !== undefined && value >= 1 && value <= mostMb) return value;
  const heapMb = Math.ceil((((value ?? 0) * mebibyte) / memoryBytesMax()) * (countedLimitBytes() / mebibyte));
  const more =
    value !== undefined && value > mostMb ? ` For ${value} start with: NODE_OPTIONS=--max-old-space-size=${heapMb}` : '';
  throw new UsageError(
    `${asGiven('memory-mb')} must be a number from 1 to ${mostMb}, which is what V8's heap has room for here.${more}`,
  );
}
