/** Builds the endpoints of a server, and what they share: the second step of a server. */
import { linkEndpoints } from '../api/console/link-endpoints.ts';
import { sessionEndpoints } from '../api/console/session-endpoints.ts';
import { JsonCache } from '../api/crud/json-cache.ts';
import { type Api, bind } from '../api/declaration.ts';
import { endpoints } from '../api/endpoints.ts';
import { publicFileEndpoint } from '../api/files/public-file-endpoint.ts';
import { healthEndpoints, metricsEndpoint } from '../api/health-endpoints.ts';
import { descriptionEndpoint } from '../api/openapi/openapi.ts';
import { viewerEndpoints } from '../api/pages/viewer-endpoint.ts';
import { consolePages, docsPages, popupPages } from '../api/pages/web-pages.ts';
import { publishedEndpoints } from '../api/publish/published-endpoints.ts';
import { jsonOf } from '../api/versions/version-endpoints.ts';
import { AutomaticVersions, projectOfChanges } from '../engine/versions/automatic-versions.ts';
import type { Limits } from '../http/guard/http-limits.ts';
import { basePathOf, withoutSlash } from '../http/proxy.ts';
import { CompressedCache } from '../http/response/compressed-cache.ts';
import type { Endpoint } from '../http/route.ts';
import type { Log } from '../lib/observability/logger.ts';
import { packageVersion } from '../lib/package.ts';
import type { Live } from '../live/live.ts';
import { type LookedUp, onForbidden } from './admin/key-lookup.ts';
import { buildLive } from './build-live.ts';
import { ConsoleLinks } from './console/console-links.ts';
import { type ConsoleParts, ConsoleSessions } from './console/console-sessions.ts';
import type { ClusterHooks } from './lifecycle/cluster-hooks.ts';
import type { Lifecycle } from './lifecycle/lifecycle.ts';
import type { Storage } from './lifecycle/storage.ts';
import { limitsWithin } from './limits-in-force.ts';
import { type InMemoryServerOptions, type ServerOptions, serverOptions } from './server-options.ts';
import type { Metrics } from './telemetry/metrics.ts';

/** Share of the response cache for compressed responses. */
const compressedShare = 1 / 4;

export interface ServerEndpoints {
  readonly all: readonly Endpoint<LookedUp, unknown>[];
  readonly limits: Limits;
  readonly live: Live | undefined;
  readonly cache: JsonCache;
  readonly compressedCache: CompressedCache;
  readonly links: ConsoleLinks;
  /** Whether the pages of the console are among them. */
  readonly hasConsole: boolean;
}

/** What exists only after the endpoints. */
interface Later {
  /** Called in the turn in which a key becomes invalid. */
  invalidateKeys(): void;
  /** Called at a scrape. */
  exposition: Metrics['exposition'];
}

export function buildEndpoints(
  options: ServerOptions | InMemoryServerOptions,
  storage: Storage,
  lifecycle: Lifecycle,
  hooks: ClusterHooks,
  later: Later,
): ServerEndpoints {
  const { engine, audit, lastUse, wal } = storage;
  const { status, metricsListener, defer } = lifecycle;
  const { cacheBytes = serverOptions.cacheBytes.range[0], tiles } = options;
  const publicUrl = options.publicUrl === undefined ? undefined : withoutSlash(options.publicUrl);
  const cache = new JsonCache(cacheBytes * (1 - compressedShare), engine.memory);
  const compressedCache = new CompressedCache(cacheBytes * compressedShare, engine.memory);
  const limits = limitsWithin(engine.memory.budgetBytes, options.limits);
  const consoleParts: ConsoleParts = {
    ...{ engine, audit, lastUse, tiles, publicUrl, fileBytesMax: limits.fileBytesMax, invalidateKeys: later.invalidateKeys },
    ...{ registry: hooks.registry, shard: hooks.shard },
  };
  const sessions = new ConsoleSessions(consoleParts);
  const links = new ConsoleLinks(consoleParts);
  defer(() => sessions.close());
  const live = buildLive(options, storage, lifecycle, hooks);
  const api: Api = {
    ...{ engine, cache },
    urlBytesMax: limits.urlBytesMax,
    bodyBytesMax: limits.bodyBytesMax,
    batchResultsBytesMax: limits.batchResultsBytesMax,
    fileBytesMax: limits.fileBytesMax,
    rateLimit: options.rateLimit ?? '',
    importBytesMax: limits.streamedBytesMax,
    basePath: options.publicUrl === undefined ? '' : basePathOf(options.publicUrl),
    publicUrl: publicUrl ?? '',
    publishing: options.publish === false ? undefined : { shard: hooks.shard },
    live,
    onForbidden: onForbidden(audit),
  };
  keepAutomatically(api, lifecycle.log, options);
  const described = () => ({ version: packageVersion(), ...(publicUrl === undefined ? {} : { publicUrl }) });
  const pages = options.console === false ? [] : [...consolePages(), ...popupPages()];
  const all = [
    ...endpoints.map((declared) => bind(declared, api)),
    descriptionEndpoint(described),
    ...(options.docs === false ? [] : docsPages()),
    ...publishedEndpoints(api, hooks.gate),
    publicFileEndpoint(api, hooks.gate),
    ...viewerEndpoints(tiles),
    ...(options.console === false
      ? []
      : [...sessionEndpoints<LookedUp>(sessions), ...linkEndpoints<LookedUp>(links, api.onForbidden)]),
    ...pages,
    ...healthEndpoints(() => status.readiness(wal.stats.stalled, hooks.unproven())),
    ...hooks.endpoints,
    ...(options.metrics === false || metricsListener !== undefined ? [] : [metricsEndpoint(later.exposition)]),
  ];
  return { all, limits, live, cache, compressedCache, links, hasConsole: pages.length > 0 };
}

/** Lets the engine keep the state of a project before the first change after a pause. */
function keepAutomatically(
  { engine, cache }: Api,
  log: Log,
  options: Pick<ServerOptions | InMemoryServerOptions, 'clock' | 'versions'>,
): void {
  const { clock = Date.now, versions = true } = options;
  if (engine.files === undefined || !versions) return;
  const automatic = new AutomaticVersions(engine, engine.files, { log, clock, json: jsonOf({ cache }) });
  engine.automaticVersions = automatic;
  engine.writer.onCommit = (changes, cause) => {
    const found = projectOfChanges(engine, changes);
    if (found === undefined) return;
    if (found.isKept) automatic.noteChange(found.project);
    else automatic.beforeChange(found.project, cause);
  };
}
