/** What a server may be told, and the check of it: an embedding program may not have had a compiler to check it. */
import type { EngineOptions } from '../engine/recover.ts';
import { type Limits, limitsWith } from '../http/limits.ts';
import { segmentBytesMax, segmentBytesMin } from '../journal/segment.ts';
import type { Log } from '../lib/log.ts';
import { suggest } from '../lib/suggest.ts';

export interface ServerOptions extends Partial<EngineOptions> {
  /** The data folder; made when it is not there. One process at a time may have it open. */
  readonly data: string;
  /** Where faults and changes of state are told; by default JSON lines on stderr. */
  readonly log?: Log;
  /** A line in the log for every request; default false. */
  readonly logRequests?: boolean;
  /** Whether refused keys, and changes of keys and accounts, are written to `audit.log` in the data folder; default true. */
  readonly auditLog?: boolean;
  /** Bounds on requests, answers and connections; see `defaultLimits` for what they are otherwise. */
  readonly limits?: Partial<Limits>;
  /** Memory for the JSON of members that were read, in bytes; default 64 MiB. */
  readonly cacheBytes?: number;
  /**
   * Called once when a write that was promised room failed or the journal's thread died. Nothing is acknowledged any more; the process
   * should end, and a restart has everything that was acknowledged. By default the error is thrown as an uncaught exception.
   */
  readonly onFatal?: (error: unknown) => void;
}

const kinds: Readonly<Record<keyof ServerOptions, 'string' | 'number' | 'boolean' | 'function' | 'object'>> = {
  data: 'string',
  log: 'object',
  logRequests: 'boolean',
  auditLog: 'boolean',
  limits: 'object',
  cacheBytes: 'number',
  onFatal: 'function',
  sync: 'string',
  segmentBytes: 'number',
  snapshotBytes: 'number',
  snapshotMinutes: 'number',
  foldPauseMs: 'number',
  elementsMax: 'number',
  clock: 'function',
};

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
    if (value !== undefined && typeof value !== kind)
      throw new TypeError(`the option "${name}" of createServer must be a ${kind}`);
  }
  if (options.sync !== undefined && !syncModes.includes(options.sync)) {
    throw new TypeError(`the option "sync" of createServer must be one of ${syncModes.join(', ')}`);
  }
  limitsWith(options.limits);
  const { segmentBytes } = options;
  if (segmentBytes !== undefined && !(segmentBytes >= segmentBytesMin && segmentBytes <= segmentBytesMax)) {
    throw new TypeError(`the option "segmentBytes" of createServer must be ${segmentBytesMin} to ${segmentBytesMax} bytes`);
  }
}
