/** The check of what a server is told, all of it: an embedding program may not have had a compiler to check it. */
import type { ScheduleOptions } from '../backup/schedule.ts';
import { countedLimitBytes, memoryBytesDefault, memoryBytesMax } from '../engine/memory.ts';
import { unbounded } from '../engine/quotas.ts';
import { faultOfOrigins } from '../http/cors.ts';
import { faultOfProxies, faultOfPublicUrl, isCount } from '../http/front.ts';
import { limitsWith } from '../http/limits.ts';
import { frameAlignBytes } from '../journal/frame.ts';
import { segmentBytesMax, segmentBytesMin, syncModes } from '../journal/segment.ts';
import type { Log } from '../lib/log.ts';
import { rateFrom } from '../lib/rate.ts';
import { didYouMean } from '../lib/suggest.ts';
import { bodyCheckOf } from '../model/host-schemas.ts';
import type { Quotas } from '../model/limits.ts';
import { compats } from '../model/resource.ts';
import { listenAddressFrom } from './metrics-listener.ts';
import type { FolderOption, InMemoryServerOptions, ServerOptions } from './options.ts';

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
  onFatal: 'function',
  sync: 'string',
  segmentBytes: 'number',
  snapshotBytes: 'number',
  snapshotMinutes: 'number',
  foldPauseMs: 'number',
  elementsMax: 'number',
  compat: 'string',
  idempotencyBytes: 'number',
  memoryBytes: 'number',
  decodedBytes: 'number',
  clock: 'function',
};

/** Options of either kind of server. */
type AnyOptions = Partial<Omit<ServerOptions, 'inMemory'>> & { readonly inMemory?: boolean };

const folderOptions: Readonly<Record<FolderOption, true>> = {
  data: true,
  backup: true,
  auditLog: true,
  sync: true,
  segmentBytes: true,
  snapshotBytes: true,
  snapshotMinutes: true,
  foldPauseMs: true,
};

/** The least that a number may be; those that are not here have a range of their own. */
const leasts: Readonly<Partial<Record<keyof ServerOptions, number>>> = {
  cacheBytes: 0,
  snapshotBytes: 1,
  snapshotMinutes: 0,
  foldPauseMs: 0,
  elementsMax: 1,
  idempotencyBytes: 0,
};

const mebibyte = 1024 * 1024;
/** Shortest time between two backups, in milliseconds. */
const backupEveryMsMin = 1000;

/** Throws a TypeError that says what is wrong and what would be right. */
export function checkOptions(asked: ServerOptions | InMemoryServerOptions): void {
  if (typeof asked !== 'object' || asked === null) throw noPlace();
  const options: AnyOptions = asked;
  for (const [name, value] of Object.entries(asked)) {
    const kind = Object.hasOwn(kinds, name) ? (kinds as Readonly<Record<string, Kind>>)[name] : undefined;
    if (kind === undefined) throw unknownIn('createServer has no option', name, Object.keys(kinds));
    if (value !== undefined && kindOf(value) !== kind) throw wrong(name, `must be ${article(kind)}`);
  }
  checkPlace(asked);
  for (const [name, least] of Object.entries(leasts)) {
    const value = (options as Readonly<Record<string, number | undefined>>)[name];
    if (value !== undefined && !(Number.isFinite(value) && value >= least))
      throw wrong(name, `must be a number from ${least} on`);
  }
  checkFront(options);
  checkMetrics(options);
  if (options.log !== undefined) checkLog(options.log);
  if (options.backup !== undefined) checkBackup(options.backup);
  if (options.rateLimit !== undefined && rateFrom(options.rateLimit) === undefined)
    throw wrong('rateLimit', 'must be a rate such as "100/s", "600/m" or "10000/h"');
  if (options.quotas !== undefined) checkQuotas(options.quotas);
  if (options.schemas !== undefined) bodyCheckOf(options.schemas);
  if (options.sync !== undefined && !syncModes.includes(options.sync))
    throw wrong('sync', `must be one of ${syncModes.join(', ')}`);
  if (options.compat !== undefined && !compats.includes(options.compat))
    throw wrong('compat', `must be one of ${compats.join(', ')}`);
  checkMemory(options);
  limitsWith(options.limits);
  const fault = faultOfOrigins(options.cors ?? []);
  if (fault !== undefined) throw wrong('cors', `must hold origins: ${fault}`);
  const { segmentBytes } = options;
  const isRight = (bytes: number) => bytes >= segmentBytesMin && bytes <= segmentBytesMax && bytes % frameAlignBytes === 0;
  if (segmentBytes !== undefined && !isRight(segmentBytes))
    throw wrong('segmentBytes', `must be ${segmentBytesMin} to ${segmentBytesMax} bytes, in whole sectors of ${frameAlignBytes}`);
}

function checkFront({ publicUrl, trustProxy, limits }: AnyOptions): void {
  const faultOfUrl = publicUrl === undefined ? undefined : faultOfPublicUrl(publicUrl);
  if (faultOfUrl !== undefined) throw wrong('publicUrl', `must be an address: ${faultOfUrl}`);
  if (trustProxy === undefined) return;
  const faultOfTrust = faultOfProxies(trustProxy);
  if (faultOfTrust !== undefined) throw wrong('trustProxy', `must say proxies: ${faultOfTrust}`);
  if (isCount(trustProxy) && (limits?.connectionsPerAddressMax ?? 0) > 0) {
    throw new TypeError(
      'the limit "connectionsPerAddressMax" needs the addresses of proxies in "trustProxy": by their number nobody can be told from a client',
    );
  }
}

function checkMetrics({ metrics, metricsListen }: AnyOptions): void {
  if (metricsListen === undefined) return;
  if (listenAddressFrom(metricsListen) === undefined)
    throw wrong('metricsListen', `must be an address such as 127.0.0.1:9464 or [::1]:9464, not ${JSON.stringify(metricsListen)}`);
  if (metrics === false) throw wrong('metricsListen', 'needs "metrics", which is false: leave out one of them');
}

/** A server has a folder, or keeps everything in memory, and is told nothing of files then. */
function checkPlace(options: AnyOptions): void {
  if (options.inMemory !== true) {
    if (options.data === undefined || options.data === '') throw noPlace();
    return;
  }
  for (const name of Object.keys(folderOptions) as FolderOption[]) {
    if (options[name] !== undefined) throw wrong(name, 'is about files, of which "inMemory" has none: leave out one of them');
  }
}

const noPlace = () =>
  new TypeError('createServer needs the name of a data folder: { data: "maps" }, or { inMemory: true } to keep nothing');

const wrong = (name: string, what: string) => new TypeError(`the option "${name}" of createServer ${what}`);

function unknownIn(there: string, name: string, names: readonly string[]): TypeError {
  return new TypeError(`${there} "${name}"${didYouMean(name, names)}`);
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);

const article = (noun: string): string => `${/^[ao]/.test(noun) ? 'an' : 'a'} ${noun}`;

function checkMemory({ memoryBytes = memoryBytesDefault(), decodedBytes = 0 }: AnyOptions): void {
  if (!(memoryBytes > 0 && memoryBytes <= memoryBytesMax())) throw tooMuchMemory();
  if (!(decodedBytes >= 0 && decodedBytes <= memoryBytes))
    throw wrong('decodedBytes', `must be from 0 to "memoryBytes", which is ${memoryBytes} here`);
}

function tooMuchMemory(): TypeError {
  const limitMb = Math.floor(countedLimitBytes() / mebibyte);
  return wrong(
    'memoryBytes',
    `must be from 1 to ${memoryBytesMax()}: V8's heap may grow to ${limitMb} MiB here, and ends the process beyond. Start Node with a larger --max-old-space-size (NODE_OPTIONS) for more`,
  );
}

function checkLog(log: Log): void {
  for (const level of ['info', 'warn', 'error'] as const) {
    if (typeof log[level] !== 'function') throw wrong('log', `needs a function "${level}", as the loggers of pino have`);
  }
}

function checkQuotas(quotas: Partial<Quotas<number>>): void {
  const names = Object.keys(unbounded);
  for (const [name, most] of Object.entries(quotas)) {
    if (!names.includes(name))
      throw new TypeError(`the option "quotas" of createServer has no "${name}"; there are ${names.join(', ')}`);
    if (!(Number.isSafeInteger(most) && most >= 0)) throw wrong('quotas', `needs a whole number for "${name}"`);
  }
}

function checkBackup(backup: ScheduleOptions): void {
  const names = ['dir', 'everyMs', 'keep'];
  const unknown = Object.keys(backup).find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownIn('the option "backup" of createServer has no', unknown, names);
  const { dir, everyMs, keep } = backup;
  if (typeof dir !== 'string' || dir === '') throw wrong('backup', 'needs a folder: { dir: "backups" }');
  if (!(typeof everyMs === 'number' && everyMs >= backupEveryMsMin && everyMs < Number.POSITIVE_INFINITY))
    throw wrong('backup', `needs the time between two: { everyMs: 21600000 }, at least ${backupEveryMsMin}`);
  if (!(Number.isSafeInteger(keep) && keep >= 1)) throw wrong('backup', 'needs how many to keep: { keep: 28 }, at least 1');
}

const portMax = 65_535;

/** Throws a TypeError for what is no place to listen at: Node takes other texts for the name of a socket, and no host for every one there is. */
export function checkAddress(port: unknown, host: unknown): void {
  const isPort = typeof port === 'number' || (typeof port === 'string' && /^\d+$/.test(port));
  if (!(isPort && Number.isInteger(Number(port)) && Number(port) >= 0 && Number(port) <= portMax))
    throw new TypeError(`listen takes a port, from 0 to ${portMax}, and not "${port}"`);
  if (typeof host !== 'string' || host === '')
    throw new TypeError(`listen takes a host, such as 127.0.0.1, or 0.0.0.0 for all of this machine, and not "${host}"`);
}
