/** Validates all server options: an embedding program may be plain JavaScript without type checks. */

import { validateTiles } from '../api/pages/map-tiles.ts';
import { countedLimitBytes, memoryBytesDefault, memoryBytesMax } from '../engine/memory/memory-budget.ts';
import { unbounded } from '../engine/write/quotas.ts';
import { validateOrigins } from '../http/guard/cors.ts';
import { limitsWith } from '../http/guard/http-limits.ts';
import { isCount, validatePublicUrl, validateTrustProxy } from '../http/proxy.ts';
import type { Log } from '../lib/observability/logger.ts';
import { rateFrom } from '../lib/text/rate.ts';
import { didYouMean } from '../lib/text/suggest.ts';
import { validateDataHosts } from '../live/sources/host-rules.ts';
import type { Quotas } from '../model/account-limits.ts';
import { bodyCheckOf } from '../model/host-schemas.ts';
import type { ScheduleOptions } from '../storage/backup/schedule.ts';
import { frameAlignBytes } from '../storage/wal/format/frame.ts';
import { userSyncModes } from '../storage/wal/format/segment.ts';
import { optionRanges } from './option-ranges.ts';
import type { FolderOption, InMemoryServerOptions, ServerOptions } from './server-options.ts';
import { listenAddressFrom, portMax } from './telemetry/metrics-listener.ts';

type Kind = 'string' | 'number' | 'boolean' | 'function' | 'object' | 'array';

const kinds: Readonly<Record<keyof ServerOptions | keyof InMemoryServerOptions, Kind>> = {
  data: 'string',
  inMemory: 'boolean',
  log: 'object',
  logRequests: 'boolean',
  auditLog: 'boolean',
  metrics: 'boolean',
  metricsListen: 'string',
  docs: 'boolean',
  publish: 'boolean',
  tiles: 'string',
  console: 'boolean',
  backup: 'object',
  limits: 'object',
  cors: 'array',
  compression: 'boolean',
  rateLimit: 'string',
  quotas: 'object',
  schemas: 'object',
  publicUrl: 'string',
  trustProxy: 'string',
  cacheBytes: 'number',
  versions: 'boolean',
  live: 'boolean',
  dataHosts: 'string',
  dataTimeoutMs: 'number',
  dataResponseBytes: 'number',
  onFatal: 'function',
  sync: 'string',
  segmentBytes: 'number',
  snapshotBytes: 'number',
  snapshotMinutes: 'number',
  snapshotPauseMs: 'number',
  elementsMax: 'number',
  idempotencyBytes: 'number',
  memoryBytes: 'number',
  decodedCacheBytes: 'number',
  clock: 'function',
};

/** The options of both kinds of servers. */
type AnyOptions = Partial<Omit<ServerOptions, 'inMemory'>> & { readonly inMemory?: boolean };

const folderOptions: Readonly<Record<FolderOption, true>> = {
  data: true,
  backup: true,
  auditLog: true,
  sync: true,
  segmentBytes: true,
  snapshotBytes: true,
  snapshotMinutes: true,
  snapshotPauseMs: true,
};

const mebibyte = 1024 * 1024;
/** Minimum time between two backups, in milliseconds. */
const backupEveryMsMin = 1000;

/** Throws a TypeError that says what is wrong and what is accepted. */
export function checkOptions(given: ServerOptions | InMemoryServerOptions): void {
  if (typeof given !== 'object' || given === null) throw noPlace();
  const options: AnyOptions = given;
  for (const [name, value] of Object.entries(given)) {
    const kind = Object.hasOwn(kinds, name) ? (kinds as Readonly<Record<string, Kind>>)[name] : undefined;
    if (kind === undefined) throw unknownIn('createServer has no option', name, Object.keys(kinds));
    if (value !== undefined && kindOf(value) !== kind) throw wrong(name, `must be ${article(kind)}`);
  }
  checkPlace(given);
  for (const [name, [, least, most]] of Object.entries(optionRanges)) {
    const value = (options as Readonly<Record<string, number | undefined>>)[name];
    if (value !== undefined && !(value >= least && value <= most)) throw wrong(name, `must be a number from ${least} to ${most}`);
  }
  checkFront(options);
  checkMetrics(options);
  if (options.log !== undefined) checkLog(options.log);
  if (options.backup !== undefined) checkBackup(options.backup);
  const tilesProblem = options.tiles === undefined ? undefined : validateTiles(options.tiles);
  if (tilesProblem !== undefined) throw wrong('tiles', `must be an address of tiles: ${tilesProblem}`);
  const hostsProblem = options.dataHosts === undefined ? undefined : validateDataHosts(options.dataHosts);
  if (hostsProblem !== undefined) throw wrong('dataHosts', `must contain hosts: ${hostsProblem}`);
  if (options.rateLimit !== undefined && rateFrom(options.rateLimit) === undefined)
    throw wrong('rateLimit', 'must be a rate such as "100/s", "600/m" or "10000/h"');
  if (options.quotas !== undefined) checkQuotas(options.quotas);
  if (options.schemas !== undefined) bodyCheckOf(options.schemas);
  if (options.sync !== undefined && !userSyncModes.includes(options.sync))
    throw wrong('sync', `must be one of ${userSyncModes.join(', ')}`);
  checkMemory(options);
  limitsWith(options.limits);
  const problem = validateOrigins(options.cors ?? []);
  if (problem !== undefined) throw wrong('cors', `must contain origins: ${problem}`);
  if (options.segmentBytes !== undefined && options.segmentBytes % frameAlignBytes !== 0)
    throw wrong('segmentBytes', `must be a multiple of ${frameAlignBytes}`);
}

function checkFront({ publicUrl, trustProxy, limits }: AnyOptions): void {
  const urlProblem = publicUrl === undefined ? undefined : validatePublicUrl(publicUrl);
  if (urlProblem !== undefined) throw wrong('publicUrl', `must be a URL or a path: ${urlProblem}`);
  if (trustProxy === undefined) return;
  const trustProblem = validateTrustProxy(trustProxy);
  if (trustProblem !== undefined) throw wrong('trustProxy', `must be addresses or a number of proxies: ${trustProblem}`);
  if (isCount(trustProxy) && (limits?.connectionsPerAddressMax ?? 0) > 0) {
    throw new TypeError(
      'the limit "connectionsPerAddressMax" needs the addresses of the proxies in "trustProxy": their number alone does not distinguish a proxy from a client',
    );
  }
}

function checkMetrics({ metrics, metricsListen }: AnyOptions): void {
  if (metricsListen === undefined) return;
  if (listenAddressFrom(metricsListen) === undefined)
    throw wrong('metricsListen', `must be an address such as 127.0.0.1:9464 or [::1]:9464, not ${JSON.stringify(metricsListen)}`);
  if (metrics === false) throw wrong('metricsListen', 'needs "metrics", which is false: omit one of them');
}

/** A server has either a data folder, or no files at all. */
function checkPlace(options: AnyOptions): void {
  if (options.inMemory !== true) {
    if (options.data === undefined || options.data === '') throw noPlace();
    return;
  }
  for (const name of Object.keys(folderOptions) as FolderOption[]) {
    if (options[name] !== undefined)
      throw wrong(name, 'requires a data folder, which "inMemory" does not have: omit one of them');
  }
}

const noPlace = () =>
  new TypeError('createServer needs the path of a data folder: { data: "maps" }, or { inMemory: true } to store nothing');

const wrong = (name: string, what: string) => new TypeError(`the option "${name}" of createServer ${what}`);

function unknownIn(there: string, name: string, names: readonly string[]): TypeError {
  return new TypeError(`${there} "${name}"${didYouMean(name, names)}`);
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);

const article = (noun: string): string => `${/^[ao]/.test(noun) ? 'an' : 'a'} ${noun}`;

function checkMemory({ memoryBytes = memoryBytesDefault(), decodedCacheBytes = 0 }: AnyOptions): void {
  if (!(memoryBytes > 0 && memoryBytes <= memoryBytesMax())) throw tooMuchMemory();
  if (!(decodedCacheBytes >= 0 && decodedCacheBytes <= memoryBytes))
    throw wrong('decodedCacheBytes', `must be 0 to "memoryBytes", which is ${memoryBytes} here`);
}

function tooMuchMemory(): TypeError {
  const limitMb = Math.floor(countedLimitBytes() / mebibyte);
  return wrong(
    'memoryBytes',
    `must be 1 to ${memoryBytesMax()}: V8's heap limit is ${limitMb} MiB here, and the process ends above it. For more, start Node with a larger --max-old-space-size (NODE_OPTIONS)`,
  );
}

function checkLog(log: Log): void {
  for (const level of ['info', 'warn', 'error'] as const) {
    if (typeof log[level] !== 'function') throw wrong('log', `needs a function "${level}", like the loggers of pino`);
  }
}

function checkQuotas(quotas: Partial<Quotas<number>>): void {
  const names = Object.keys(unbounded);
  for (const [name, most] of Object.entries(quotas)) {
    if (!names.includes(name))
      throw new TypeError(`the option "quotas" of createServer has no member "${name}"; its members are ${names.join(', ')}`);
    if (!(Number.isSafeInteger(most) && most >= 0)) throw wrong('quotas', `needs a non-negative integer for "${name}"`);
  }
}

function checkBackup(backup: ScheduleOptions): void {
  const names = ['dir', 'everyMs', 'keep'];
  const unknown = Object.keys(backup).find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownIn('the option "backup" of createServer has no member', unknown, names);
  const { dir, everyMs, keep } = backup;
  if (typeof dir !== 'string' || dir === '') throw wrong('backup', 'needs a folder: { dir: "backups" }');
  if (!(typeof everyMs === 'number' && everyMs >= backupEveryMsMin && everyMs < Number.POSITIVE_INFINITY))
    throw wrong('backup', `needs the interval in milliseconds: { everyMs: 21600000 }, at least ${backupEveryMsMin}`);
  if (!(Number.isSafeInteger(keep) && keep >= 1))
    throw wrong('backup', 'needs the number of backups to keep: { keep: 28 }, at least 1');
}

/** Throws a TypeError for an invalid port or host: Node would use other texts as a socket path, and listen on all hosts without one. */
export function checkAddress(port: unknown, host: unknown): void {
  const isPort = typeof port === 'number' || (typeof port === 'string' && /^\d+$/.test(port));
  if (!(isPort && Number.isInteger(Number(port)) && Number(port) >= 0 && Number(port) <= portMax))
    throw new TypeError(`listen needs a port from 0 to ${portMax}, not "${port}"`);
  if (typeof host !== 'string' || host === '')
    throw new TypeError(`listen needs a host, such as 127.0.0.1, or 0.0.0.0 for all interfaces, not "${host}"`);
}
