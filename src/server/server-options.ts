/** The options of a server; check-options.ts validates them. */

import { validateTiles } from '../api/pages/map-tiles.ts';
import { engineOptions, storageOptions } from '../engine/engine-options.ts';
import { validateOrigins } from '../http/guard/cors.ts';
import { type Limits, limitOptions } from '../http/guard/http-limits.ts';
import { validatePublicUrl, validateTrustProxy } from '../http/proxy.ts';
import { openStreetMap } from '../lib/draw/open-street-map.ts';
import type { Log } from '../lib/observability/logger.ts';
import {
  duration,
  gibibyte,
  group,
  list,
  mebibyte,
  number,
  option,
  text,
  toggle,
  type ValuesOf,
} from '../lib/option-declaration.ts';
import { rateFrom } from '../lib/text/rate.ts';
import { validateDataHosts } from '../live/sources/host-rules.ts';
import { type ScheduleOptions, scheduleOptions } from '../storage/backup/schedule.ts';
import { oidcOptions } from './console/oidc/oidc-options.ts';
import { listenAddressFrom } from './telemetry/metrics-listener.ts';

/** Words that follow an option's name, from those of a validation. */
const invalid =
  <Value>(validate: (value: Value) => string | undefined) =>
  (value: Value): string | undefined => {
    const problem = validate(value);
    return problem === undefined ? undefined : `is invalid: ${problem}`;
  };

/** Options that require a data folder. */
export const folderOptions = {
  /** The data folder; created if it does not exist. Only one process at a time can open it. */
  data: option<string>('string'),
  ...storageOptions,
  /**
   * Scheduled backups, including the log between them: `dir`, a folder outside of the data folder; `everyMs`, the interval in milliseconds;
   * `keep`, the number of backups to keep; `later`, whether the folder may be missing at the start. Default: none.
   */
  backup: group<ScheduleOptions>(scheduleOptions),
  /** Whether to write rejected keys, and changes of keys and accounts, to `audit.log` in the data folder; default true. */
  auditLog: toggle({
    flag: 'audit-log',
    group: 'Logging and output',
    help: 'Record rejected keys, and changes of keys and accounts, in [`audit.log`](security.md#audit-log) in the data folder',
    byDefault: true,
  }),
};

export type FolderOption = keyof typeof folderOptions;

/** All options of a server. */
export const serverOptions = {
  ...folderOptions,
  ...engineOptions,
  /** `true`: no folder, see {@link InMemoryServerOptions}. */
  inMemory: option<boolean>('boolean'),
  /**
   * The server's public URL, such as `https://maps.example.com/maps`, or a path on a larger server, `/maps`: for URLs in responses and in
   * the API description. Requests may contain the path, or a proxy may remove it.
   */
  publicUrl: text({
    flag: 'public-url',
    group: 'Address',
    help: 'Public address of the server [behind a proxy](operations.md#reverse-proxy), for links in responses: `https://maps.example.com/maps`',
    shared: 'always',
    common: true,
    problemOf: invalid(validatePublicUrl),
  }),
  /**
   * Proxies whose `X-Forwarded-For` or `Forwarded` header is trusted: comma-separated addresses and ranges (`loopback`, `linklocal`,
   * `uniquelocal`, `10.0.0.0/8`), or their number (`1`). Default: none.
   */
  trustProxy: text({
    flag: 'trust-proxy',
    group: 'Address',
    help: 'Proxies whose `X-Forwarded-For` header is trusted: `loopback`, `linklocal`, `uniquelocal`, addresses, ranges such as `10.0.0.0/8`, or the number of proxies',
    common: true,
    defaultWords: 'none',
    orNumber: true,
    problemOf: invalid(validateTrustProxy),
  }),
  /**
   * Origins that may use the API from a browser (CORS), such as `https://editor.example` or `http://localhost:5173`, or `*` for any.
   * Default: none, and no CORS headers.
   */
  cors: list({
    flag: 'cors',
    group: 'API',
    help: 'Origins whose pages may [use the API](api.md#cross-origin-requests) from a browser: `https://editor.example,http://localhost:5173`, or `*` for any',
    shared: 'always',
    common: true,
    defaultWords: 'none',
    problemOf: invalid(validateOrigins),
  }),
  /** Whether responses are compressed (br, gzip) for clients that accept it; default true. */
  compression: toggle({
    flag: 'compression',
    group: 'API',
    help: 'Compress responses for clients that accept it; `--no-compression` to leave that to a proxy',
    shared: 'always',
    byDefault: true,
  }),
  /** Whether `GET /metrics` is available, without authentication; default true. */
  metrics: toggle({
    flag: 'metrics',
    group: 'API',
    help: 'Serve metrics for Prometheus at `/metrics`; `--no-metrics` to disable',
    byDefault: true,
  }),
  /**
   * Serves `GET /metrics` at this address instead of the server's own: `127.0.0.1:9464`, `[::1]:9464`; port 0 takes any free one. It
   * listens as soon as the folder is locked. Default: none.
   */
  metricsListen: text({
    flag: 'metrics-listen',
    group: 'API',
    help: 'Serve metrics at this separate address instead: `127.0.0.1:9464`, `[::1]:9464`',
    defaultWords: 'the address of the API',
    problemOf: (address) =>
      listenAddressFrom(address) === undefined
        ? `is "${address}". It must be an address and a port, such as 127.0.0.1:9464 or [::1]:9464`
        : undefined,
  }),
  /** Whether `GET /docs` serves the API reference, without authentication; default true. */
  docs: toggle({
    flag: 'docs',
    group: 'API',
    help: 'Serve the [API reference](api.md#api-reference) at `/docs`; `--no-docs` to disable. The guide at `/docs/guide` is there with the reference or the console',
    shared: 'always',
    byDefault: true,
  }),
  /** Lets agents use the server by the Model Context Protocol, at `POST /mcp`; default true. */
  mcp: toggle({
    flag: 'mcp',
    group: 'API',
    help: 'Serve [agents](mcp.md) at `/mcp`, with API keys; `--no-mcp` to disable',
    shared: 'if-set',
    byDefault: true,
  }),
  /** Whether projects can be published: made public at `/p/...`, without authentication; default true. */
  publish: toggle({
    flag: 'publish',
    group: 'Pages',
    help: 'Let projects be [published](api.md#publishing), at `/p/...`; with `--no-publish` nothing is public, and what was published stays stored',
    shared: 'if-set',
    byDefault: true,
  }),
  /** True if visits of published maps are counted; default true. */
  counts: toggle({
    flag: 'counts',
    group: 'Pages',
    help: 'Count [visits of published maps](api.md#visits), without visitors; with `--no-counts` pages send nothing, and what was counted stays stored',
    shared: 'if-set',
    byDefault: true,
  }),
  /**
   * Map tiles on the pages that the server serves: an address with `{z}`, `{x}` and `{y}`, perhaps with `|` and the attribution; `none` for
   * outlines alone. Artboards may name others: `ADDRESS||NAME=ADDRESS|ATTRIBUTION`. Default: those of OpenStreetMap.
   */
  tiles: text({
    flag: 'tiles',
    group: 'Pages',
    help: 'Address of the [map tiles](viewer.md#map-tiles) on pages, with `{z}`, `{x}` and `{y}`: `https://tiles.example.com/{z}/{x}/{y}.png`; `none` for outlines of land and borders alone. `ADDRESS|ATTRIBUTION` names the source; `NAME=ADDRESS|ATTRIBUTION`, repeated or after `||`, is a choice of artboards',
    shared: 'if-set',
    omitted: openStreetMap.url,
    defaultWords: 'OpenStreetMap',
    problemOf: invalid(validateTiles),
  }),
  /** Whether `/console` serves the editor for browsers, and `/console/session` signs them in; default true. */
  console: toggle({
    flag: 'console',
    group: 'Pages',
    help: 'Serve the [console](console.md), an editor for browsers, at `/console`; `--no-console` to disable',
    shared: 'if-set',
    byDefault: true,
  }),
  ...oidcOptions,
  /** Whether data sources are fetched, and projects evaluated; default true. */
  live: toggle({
    flag: 'live',
    group: 'Live maps',
    help: 'Fetch data sources and evaluate variables and actions of [live maps](live-data.md); `--no-live` to disable',
    shared: 'if-set',
    byDefault: true,
  }),
  /**
   * Hosts that data sources may reach although their addresses are not public: names, addresses and ranges, each with or without a port,
   * such as `sensors.internal,10.0.0.0/8,127.0.0.1:9000`. Default: none.
   */
  dataHosts: text({
    flag: 'data-hosts',
    group: 'Live maps',
    help: 'Hosts that data sources [may reach](live-data.md#addresses) in addition: `sensors.internal,10.0.0.0/8,127.0.0.1:9000`',
    shared: 'if-set',
    defaultWords: 'public addresses only',
    off: '',
    problemOf: invalid(validateDataHosts),
  }),
  /** Time limit of a fetch of a data source, in milliseconds; default 10 s. */
  dataTimeoutMs: duration({
    flag: 'data-timeout',
    group: 'Live maps',
    help: 'Time limit of a fetch of a data source: `500ms`, `10s`; a number is seconds',
    shared: 'if-set',
    byDefault: '10s',
    least: 100,
    most: 300_000,
    short: true,
  }),
  /** Maximum size of a response of a data source after decompression, in bytes; default 2 MiB. */
  dataResponseBytes: number({
    flag: 'data-mb',
    group: 'Live maps',
    help: 'Maximum size of a response of a data source after decompression, in MiB',
    shared: 'if-set',
    range: [2 * mebibyte, 1024, 64 * mebibyte],
    unit: mebibyte,
  }),
  /** Whether the state of a project before the first change after ten minutes without one becomes a version; default true. */
  versions: toggle({
    flag: 'versions',
    group: 'Log and snapshots',
    help: 'Keep the state of a project [before the first change after a pause](versions.md#what-the-server-keeps-by-itself) of ten minutes',
    shared: 'if-set',
    byDefault: true,
  }),
  /** Cache size for the JSON of resources and lists, of which a quarter is for compressed responses; in bytes; default 64 MiB. */
  cacheBytes: number({
    flag: 'cache-mb',
    group: 'Memory',
    help: 'Cache for JSON, in MiB: resources, lists of up to 1,000 members or a megabyte; a quarter of it for compressed responses',
    range: [64 * mebibyte, 0, 64 * gibibyte],
    unit: mebibyte,
  }),
  /** Limits of requests, responses and connections; the defaults are in `defaultLimits`. */
  limits: group<Partial<Limits>>(limitOptions),
  /** Default request rate of an account: `100/s`, `600/m`, `10000/h`. Default: no limit. */
  rateLimit: text({
    flag: 'rate-limit',
    group: 'Default limits of accounts',
    help: 'Request rate of one account: `100/s`, `600/m`, `10000/h`',
    shared: 'always',
    common: true,
    off: 'none',
    problemOf: (rate) =>
      rateFrom(rate) === undefined
        ? `is "${rate}". It must be a rate such as 100/s, 600/m or 10000/h (up to 1000000)`
        : undefined,
  }),
  /** The log for errors and state changes; default: JSON lines on stderr. */
  log: option<Log>('object', (log) => {
    const missing = (['info', 'warn', 'error'] as const).find((level) => typeof log[level] !== 'function');
    return missing === undefined ? undefined : `needs a function "${missing}", like the loggers of pino`;
  }),
  /** Whether to log every request; default false. */
  logRequests: toggle({
    flag: 'log-requests',
    group: 'Logging and output',
    help: '[Log](operations.md#log) every request',
    common: true,
    byDefault: false,
  }),
  /**
   * Called once if a write to reserved space failed, or if the journal's thread died. Nothing is acknowledged any more. The process should
   * end; a restart recovers everything that was acknowledged. Default: the error is thrown as an uncaught exception.
   */
  onFatal: option<(error: unknown) => void>('function'),
};

export interface ServerOptions extends ValuesOf<typeof serverOptions> {
  readonly data: string;
  readonly inMemory?: false;
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

/** Whether a server keeps everything in memory. */
export function isInMemory(options: ServerOptions | InMemoryServerOptions): options is InMemoryServerOptions {
  return options.inMemory === true;
}
