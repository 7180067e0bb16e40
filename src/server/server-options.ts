/** The options of a server; check-options.ts validates them. */

import type { EngineOptions, StorageOptions } from '../engine/assemble.ts';
import { type Limits, limitsWith } from '../http/guard/http-limits.ts';
import type { Log } from '../lib/observability/logger.ts';
import type { ScheduleOptions } from '../storage/backup/schedule.ts';
import type { UserSyncMode } from '../storage/wal/format/segment.ts';
import type { StallLimits } from '../storage/wal/write/stall-watch.ts';

export interface ServerOptions extends Partial<Omit<EngineOptions, 'sync'>> {
  /** The data folder; created if it does not exist. Only one process at a time can open it. */
  readonly data: string;
  /** When writes are synced to disk; default `always`. With `never`, a crash may lose acknowledged writes. */
  readonly sync?: UserSyncMode;
  /** `true`: no folder, see {@link InMemoryServerOptions}. */
  readonly inMemory?: false;
  /** The log for errors and state changes; default: JSON lines on stderr. */
  readonly log?: Log;
  /** Whether to log every request; default false. */
  readonly logRequests?: boolean;
  /** Whether to write rejected keys, and changes of keys and accounts, to `audit.log` in the data folder; default true. */
  readonly auditLog?: boolean;
  /** Whether `GET /metrics` is available, without authentication; default true. */
  readonly metrics?: boolean;
  /**
   * Serves `GET /metrics` at this address instead of the server's own: `127.0.0.1:9464`, `[::1]:9464`; port 0 takes any free one. It
   * listens as soon as the folder is locked. Default: none.
   */
  readonly metricsListen?: string;
  /** Whether `GET /docs` serves the API reference, without authentication; default true. */
  readonly docs?: boolean;
  /** Whether projects can be published: made public at `/p/...`, without authentication; default true. */
  readonly publish?: boolean;
  /**
   * Address of the map tiles on the pages that the server serves, with `{z}`, `{x}` and `{y}`; `none` for a plain grid. Default: those of
   * OpenStreetMap.
   */
  readonly tiles?: string;
  /** Whether `/console` serves the editor for browsers, and `/console/session` signs them in; default true. */
  readonly console?: boolean;
  /** Limits of requests, responses and connections; the defaults are in `defaultLimits`. */
  readonly limits?: Partial<Limits>;
  /** Default request rate of an account: `100/s`, `600/m`, `10000/h`. Default: no limit. */
  readonly rateLimit?: string;
  /**
   * Origins that may use the API from a browser (CORS), such as `https://editor.example` or `http://localhost:5173`, or `*` for any.
   * Default: none, and no CORS headers.
   */
  readonly cors?: readonly string[];
  /** Whether responses are compressed (br, gzip) for clients that accept it; default true. */
  readonly compression?: boolean;
  /**
   * The server's public URL, such as `https://maps.example.com/maps`, or a path on a larger server, `/maps`: for URLs in responses and in
   * the API description. Requests may contain the path, or a proxy may remove it.
   */
  readonly publicUrl?: string;
  /**
   * Proxies whose `X-Forwarded-For` or `Forwarded` header is trusted: comma-separated addresses and ranges (`loopback`, `linklocal`,
   * `uniquelocal`, `10.0.0.0/8`), or their number (`1`). Default: none.
   */
  readonly trustProxy?: string;
  /**
   * Scheduled backups, including the log between them: `dir`, a folder outside of the data folder; `everyMs`, the interval in milliseconds;
   * `keep`, the number of backups to keep. Default: none.
   */
  readonly backup?: ScheduleOptions;
  /** Cache size for the JSON of resources and lists, of which a quarter is for compressed responses; in bytes; default 64 MiB. */
  readonly cacheBytes?: number;
  /** Whether the state of a project before the first change after ten minutes without one becomes a version; default true. */
  readonly versions?: boolean;
  /** Whether data sources are fetched, and projects evaluated; default true. */
  readonly live?: boolean;
  /**
   * Hosts that data sources may reach although their addresses are not public: names, addresses and ranges, each with or without a port,
   * such as `sensors.internal,10.0.0.0/8,127.0.0.1:9000`. Default: none.
   */
  readonly dataHosts?: string;
  /** Time limit of a fetch of a data source, in milliseconds; default 10 s. */
  readonly dataTimeoutMs?: number;
  /** Maximum size of a response of a data source after decompression, in bytes; default 2 MiB. */
  readonly dataResponseBytes?: number;
  /**
   * Called once if a write to reserved space failed, or if the journal's thread died. Nothing is acknowledged any more. The process should
   * end; a restart recovers everything that was acknowledged. Default: the error is thrown as an uncaught exception.
   */
  readonly onFatal?: (error: unknown) => void;
}

/**
 * Options of a server that keeps everything in memory and stores nothing: for tests and trials. Its API is the same. It has no snapshots,
 * backups or audit log, so it has no options for files.
 */
export interface InMemoryServerOptions
  extends Omit<ServerOptions, FolderOption | 'inMemory'>,
    Readonly<Partial<Record<FolderOption, never>>> {
  /** No data folder. */
  readonly inMemory: true;
}

/** Options that require a data folder. */
export type FolderOption = 'data' | 'backup' | 'auditLog' | keyof StorageOptions;

/** Whether a server keeps everything in memory. */
export function isInMemory(options: ServerOptions | InMemoryServerOptions): options is InMemoryServerOptions {
  return options.inMemory === true;
}

/** Milliseconds after which a pending write of the log counts as stalled, unless requests time out earlier. */
const stallMsMax = 5_000;

export function stallLimitsOf({ limits }: Pick<ServerOptions, 'limits'>): StallLimits {
  const { writeTimeoutMs } = limitsWith(limits);
  return { stallMs: Math.min(stallMsMax, writeTimeoutMs), writeTimeoutMs };
}

/** Maximum shares of the memory budget for requests in flight. A parsed body may take ten times its bytes. */
const underWay = { bodies: 1 / 8, responses: 1 / 4 };

/** The requested limits, reduced to what the memory budget allows; one body and one response always fit. */
export function limitsWithin(budgetBytes: number, requested: Partial<Limits> | undefined): Limits {
  const limits = limitsWith(requested);
  const { bodyBytesMax, bodiesBytesMax, responsesBytesMax } = limits;
  const share = (part: number) => Math.floor(budgetBytes * part);
  return {
    ...limits,
    bodiesBytesMax: Math.max(2 * bodyBytesMax, Math.min(bodiesBytesMax, share(underWay.bodies))),
    responsesBytesMax: Math.max(bodyBytesMax, Math.min(responsesBytesMax, share(underWay.responses))),
  };
}
