/** What a server may be told, and the check of it: an embedding program may not have had a compiler to check it. */
import type { ScheduleOptions } from '../backup/schedule.ts';
import { heapLimitBytes, memoryBytesMax } from '../engine/memory.ts';
import { unbounded } from '../engine/quotas.ts';
import type { EngineOptions } from '../engine/recover.ts';
import { faultOfOrigins } from '../http/cors.ts';
import { type Limits, limitsWith } from '../http/limits.ts';
import { segmentBytesMax, segmentBytesMin } from '../journal/segment.ts';
import type { Log } from '../lib/log.ts';
import { rateFrom } from '../lib/rate.ts';
import { suggest } from '../lib/suggest.ts';
import type { Quotas } from '../model/limits.ts';
import { compats } from '../model/resource.ts';

export interface ServerOptions extends Partial<EngineOptions> {
  /** The data folder; made when it is not there. One process at a time may have it open. */
  readonly data: string;
  /** Where faults and changes of state are told; by default JSON lines on stderr. */
  readonly log?: Log;
  /** A line in the log for every request; default false. */
  readonly logRequests?: boolean;
  /** Whether refused keys, and changes of keys and accounts, are written to `audit.log` in the data folder; default true. */
  readonly auditLog?: boolean;
  /** Whether `GET /metrics` shows figures to anybody who asks; default true. */
  readonly metrics?: boolean;
  /** Bounds on requests, answers and connections; see `defaultLimits` for what they are otherwise. */
  readonly limits?: Partial<Limits>;
  /** Requests of an account for which nothing else is set: `100/s`, `600/m`, `10000/h`. No limit by default. */
  readonly rateLimit?: string;
  /**
   * Origins whose scripts browsers may let use the API, such as `https://editor.example` or `http://localhost:5173`, or `*` for any. None
   * by default: then no answer has a word about it.
   */
  readonly cors?: readonly string[];
  /** Whether answers are compressed (br, gzip) for clients that ask for it; default true. */
  readonly compression?: boolean;
  /**
   * Backups on a schedule, and the log between them: `dir`, a folder outside of the data folder; `everyMs`, milliseconds between two;
   * `keep`, how many of the newest stay. None by default.
   */
  readonly backup?: ScheduleOptions;
  /** Memory for the JSON of resources and of whole lists that were read, and a quarter of it for compressed answers, in bytes; default 64 MiB. */
  readonly cacheBytes?: number;
  /**
   * Called once when a write that was promised room failed or the journal's thread died. Nothing is acknowledged any more; the process
   * should end, and a restart has everything that was acknowledged. By default the error is thrown as an uncaught exception.
   */
  readonly onFatal?: (error: unknown) => void;
}

const kinds: Readonly<Record<keyof ServerOptions, 'string' | 'number' | 'boolean' | 'function' | 'object' | 'array'>> = {
  data: 'string',
  log: 'object',
  logRequests: 'boolean',
  auditLog: 'boolean',
  metrics: 'boolean',
  backup: 'object',
  limits: 'object',
  cors: 'array',
  compression: 'boolean',
  rateLimit: 'string',
  quotas: 'object',
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

const mebibyte = 1024 * 1024;
/** Shortest time between two backups, in milliseconds. */
const backupEveryMsMin = 1000;

const syncModes = ['always', 'interval', 'never'];

/** Throws a TypeError that says what is wrong and what would be right. */
export function checkOptions(options: ServerOptions): void {
  if (typeof options !== 'object' || options === null || typeof options.data !== 'string' || options.data === '') {
    throw new TypeError('createServer needs the name of a data folder: { data: "maps" }');
  }
  for (const [name, value] of Object.entries(options)) {
    const kind = (kinds as Readonly<Record<string, string>>)[name];
    if (kind === undefined) {
      const meant = suggest(name, Object.keys(kinds));
      throw new TypeError(`createServer has no option "${name}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`);
    }
    if (value !== undefined && (Array.isArray(value) ? 'array' : typeof value) !== kind)
      throw new TypeError(`the option "${name}" of createServer must be ${/^[ao]/.test(kind) ? 'an' : 'a'} ${kind}`);
  }
  if (options.backup !== undefined) checkBackup(options.backup);
  if (options.rateLimit !== undefined && rateFrom(options.rateLimit) === undefined) {
    throw new TypeError('the option "rateLimit" of createServer must be a rate such as "100/s", "600/m" or "10000/h"');
  }
  if (options.quotas !== undefined) checkQuotas(options.quotas);
  if (options.sync !== undefined && !syncModes.includes(options.sync)) {
    throw new TypeError(`the option "sync" of createServer must be one of ${syncModes.join(', ')}`);
  }
  if (options.compat !== undefined && !compats.includes(options.compat)) {
    throw new TypeError(`the option "compat" of createServer must be one of ${compats.join(', ')}`);
  }
  if (options.memoryBytes !== undefined && !(options.memoryBytes > 0 && options.memoryBytes <= memoryBytesMax())) {
    const limitMb = Math.floor(heapLimitBytes() / mebibyte);
    throw new TypeError(
      `the option "memoryBytes" of createServer must be from 1 to ${memoryBytesMax()}: V8's heap may grow to ${limitMb} MiB here, and ends the process beyond. Start Node with a larger --max-old-space-size (NODE_OPTIONS) for more`,
    );
  }
  limitsWith(options.limits);
  const fault = faultOfOrigins(options.cors ?? []);
  if (fault !== undefined) throw new TypeError(`the option "cors" of createServer must hold origins: ${fault}`);
  const { segmentBytes } = options;
  if (segmentBytes !== undefined && !(segmentBytes >= segmentBytesMin && segmentBytes <= segmentBytesMax)) {
    throw new TypeError(`the option "segmentBytes" of createServer must be ${segmentBytesMin} to ${segmentBytesMax} bytes`);
  }
}

/** The most that requests under way may hold of the memory budget. Parsed, a body may take some ten times its bytes. */
const underWay = { bodies: 1 / 8, answers: 1 / 4 };

/** The limits that are asked for, no larger than the memory budget bears; one body and one answer pass in any case. */
export function limitsWithin(budgetBytes: number, asked: Partial<Limits> | undefined): Limits {
  const limits = limitsWith(asked);
  const { bodyBytesMax, bodiesBytesMax, answersBytesMax } = limits;
  const share = (part: number) => Math.floor(budgetBytes * part);
  return {
    ...limits,
    bodiesBytesMax: Math.max(2 * bodyBytesMax, Math.min(bodiesBytesMax, share(underWay.bodies))),
    answersBytesMax: Math.max(bodyBytesMax, Math.min(answersBytesMax, share(underWay.answers))),
  };
}

function checkQuotas(quotas: Partial<Quotas<number>>): void {
  for (const [name, most] of Object.entries(quotas)) {
    if (!Object.hasOwn(unbounded, name))
      throw new TypeError(`the option "quotas" of createServer has no "${name}"; there are ${Object.keys(unbounded).join(', ')}`);
    if (!(Number.isSafeInteger(most) && most >= 0))
      throw new TypeError(`the option "quotas" of createServer needs a whole number for "${name}"`);
  }
}

function checkBackup({ dir, everyMs, keep }: ScheduleOptions): void {
  if (typeof dir !== 'string' || dir === '')
    throw new TypeError('the option "backup" of createServer needs a folder: { dir: "backups" }');
  if (!(typeof everyMs === 'number' && everyMs >= backupEveryMsMin && everyMs < Number.POSITIVE_INFINITY))
    throw new TypeError(
      `the option "backup" of createServer needs the time between two: { everyMs: 21600000 }, at least ${backupEveryMsMin}`,
    );
  if (!(Number.isSafeInteger(keep) && keep >= 1))
    throw new TypeError('the option "backup" of createServer needs how many to keep: { keep: 28 }, at least 1');
}
