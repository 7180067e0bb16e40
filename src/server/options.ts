/** What a server may be told; check-options.ts checks it. */
import type { ScheduleOptions } from '../backup/schedule.ts';
import type { EngineOptions, StorageOptions } from '../engine/assemble.ts';
import { type Limits, limitsWith } from '../http/limits.ts';
import type { Log } from '../lib/log.ts';

export interface ServerOptions extends Partial<EngineOptions> {
  /** The data folder; made when it is not there. One process at a time may have it open. */
  readonly data: string;
  /** With `true` there is no folder: see {@link InMemoryServerOptions}. */
  readonly inMemory?: false;
  /** Where faults and changes of state are told; by default JSON lines on stderr. */
  readonly log?: Log;
  /** A line in the log for every request; default false. */
  readonly logRequests?: boolean;
  /** Whether refused keys, and changes of keys and accounts, are written to `audit.log` in the data folder; default true. */
  readonly auditLog?: boolean;
  /** Whether `GET /metrics` shows figures to anybody who asks; default true. */
  readonly metrics?: boolean;
  /**
   * Where `GET /metrics` is answered instead of at the server's own address: `127.0.0.1:9464`, `[::1]:9464`; port 0 takes any free one. It
   * listens as soon as the folder is this process's. Not by default.
   */
  readonly metricsListen?: string;
  /** Whether `GET /docs` shows the reference of the API to anybody who asks; default true. */
  readonly docs?: boolean;
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
   * Where clients reach the server, such as `https://maps.example.com/maps`, or only a path where it is a part of a larger one, `/maps`: for
   * addresses in answers and in the description. Requests may carry the path, or have it taken off by a proxy.
   */
  readonly publicUrl?: string;
  /**
   * Proxies that are believed about whom they ask for (`X-Forwarded-For`, or `Forwarded`): addresses and ranges with commas between
   * (`loopback`, `linklocal`, `uniquelocal`, `10.0.0.0/8`), or how many there are (`1`). None by default.
   */
  readonly trustProxy?: string;
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

/**
 * A server that keeps everything in memory, and nothing when it is closed: for tests, and for trying something out. It answers as any other.
 * What is about files is no option of it: there are no snapshots, no backups and no audit log.
 */
export interface InMemoryServerOptions
  extends Omit<ServerOptions, FolderOption | 'inMemory'>,
    Readonly<Partial<Record<FolderOption, never>>> {
  /** There is no data folder. */
  readonly inMemory: true;
}

/** Options that make sense only with a data folder. */
export type FolderOption = 'data' | 'backup' | 'auditLog' | keyof StorageOptions;

/** Whether a server is to keep everything in memory. */
export function isInMemory(options: ServerOptions | InMemoryServerOptions): options is InMemoryServerOptions {
  return options.inMemory === true;
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
