/** Builds the endpoints of a server, and what they share. */
import { oidcEndpoints } from '../api/console/oidc-endpoints.ts';
import { peopleEndpoints } from '../api/console/people-endpoints.ts';
import { sessionEndpoints } from '../api/console/session-endpoints.ts';
import { waysEndpoint } from '../api/console/ways-endpoint.ts';
import { type Api, bind } from '../api/declaration.ts';
import { endpoints } from '../api/endpoints.ts';
import { publicFileEndpoint } from '../api/files/public-file-endpoint.ts';
import { healthEndpoints, metricsEndpoint } from '../api/health-endpoints.ts';
import { descriptionEndpoint } from '../api/openapi/openapi.ts';
import { tileSourcesOf } from '../api/pages/map-tiles.ts';
import { strayReply } from '../api/pages/stray-requests.ts';
import { viewerEndpoints } from '../api/pages/viewer-endpoint.ts';
import { consolePages, docsPages, framePages, guidePages } from '../api/pages/web-pages.ts';
import { PageContents } from '../api/publish/page/page-contents.ts';
import { publishedEndpoints } from '../api/publish/published-endpoints.ts';
import { NamedJson } from '../api/versions/named-json.ts';
import { VisitCounts } from '../engine/visits/visit-counts.ts';
import type { Limits } from '../http/guard/http-limits.ts';
import { SessionCookie } from '../http/guard/session-cookie.ts';
import { basePathOf, withoutSlash } from '../http/proxy.ts';
import type { Endpoint } from '../http/route.ts';
import { packageVersion } from '../lib/package.ts';
import type { Live } from '../live/live.ts';
import type { Send } from '../mcp/maps-api.ts';
import { Mcp } from '../mcp/mcp-endpoint.ts';
import { type LookedUp, onForbidden } from './admin/key-lookup.ts';
import type { Caches } from './build-caches.ts';
import type { ConsoleParts } from './console/console-parts.ts';
import { type OpenedProvider, SingleSignOn } from './console/oidc/single-sign-on.ts';
import { OwnChanges } from './console/own-changes.ts';
import { People } from './console/people.ts';
import { ConsoleSessions } from './console/sessions.ts';
import type { ClusterHooks } from './lifecycle/cluster-hooks.ts';
import type { Lifecycle } from './lifecycle/lifecycle.ts';
import type { Storage } from './lifecycle/storage.ts';
import { limitsWithin } from './limits-in-force.ts';
import type { InMemoryServerOptions, ServerOptions } from './server-options.ts';

export interface ServerEndpoints {
  readonly all: readonly Endpoint<LookedUp, unknown>[];
  readonly limits: Limits;
  readonly people: People;
  readonly cookie: SessionCookie;
  /** Whether the pages of the console are among them. */
  readonly hasConsole: boolean;
  /** Replies to browsers whose path is none of these. */
  readonly stray: ReturnType<typeof strayReply>;
}

export function buildEndpoints(
  options: ServerOptions | InMemoryServerOptions,
  storage: Storage,
  lifecycle: Lifecycle,
  hooks: ClusterHooks,
  { cache }: Caches,
  live: Live | undefined,
  provider: OpenedProvider | undefined,
  /** Sends a request to these endpoints. */
  send: Send,
): ServerEndpoints {
  const { engine, audit, lastUse, wal } = storage;
  const { status, metrics, metricsListener, defer, log } = lifecycle;
  const tiles = tileSourcesOf(options.tiles);
  const publicUrl = options.publicUrl === undefined ? undefined : withoutSlash(options.publicUrl);
  const limits = limitsWithin(engine.memory.budgetBytes, options.limits);
  const cookie = new SessionCookie(options.publicUrl);
  const consoleParts: ConsoleParts = {
    ...{ engine, audit, lastUse, tiles, publicUrl, fileBytesMax: limits.fileBytesMax },
    ...{ shard: hooks.shard, cookie, ownChanges: new OwnChanges(), connections: new Map() },
  };
  const sessions = new ConsoleSessions(consoleParts);
  const people = new People(consoleParts);
  defer(() => sessions.close());
  const signOn = provider === undefined ? undefined : new SingleSignOn({ ...consoleParts, log }, provider, hooks.secret);
  const pages = new PageContents(log);
  defer(() => pages.close());
  const mcp = options.mcp === false ? undefined : new Mcp({ send, log, cors: options.cors ?? [], publicUrl: publicUrl ?? '' });
  defer(() => mcp?.close());
  const visits = options.counts === false ? undefined : new VisitCounts(engine, { log });
  defer(() => visits?.close());
  const api: Api = {
    ...{ engine, cache: new NamedJson(cache, engine.state) },
    urlBytesMax: limits.urlBytesMax,
    bodyBytesMax: limits.bodyBytesMax,
    batchResultsBytesMax: limits.batchResultsBytesMax,
    fileBytesMax: limits.fileBytesMax,
    rateLimit: options.rateLimit ?? '',
    importBytesMax: limits.streamedBytesMax,
    basePath: options.publicUrl === undefined ? '' : basePathOf(options.publicUrl),
    publicUrl: publicUrl ?? '',
    tiles,
    publishing: options.publish === false ? undefined : { shard: hooks.shard, names: hooks.registry, pages },
    ...{ live, visits },
    onForbidden: onForbidden(audit),
  };
  const described = () => ({ version: packageVersion(), ...(publicUrl === undefined ? {} : { publicUrl }) });
  const consoles = options.console === false ? [] : [...consolePages(), ...framePages()];
  const all = [
    ...endpoints.map((declared) => bind(declared, api)),
    descriptionEndpoint(described),
    ...(mcp === undefined ? [] : [mcp.endpoint<LookedUp>()]),
    ...(options.docs === false ? [] : docsPages()),
    // The console leads to it.
    ...(options.docs === false && options.console === false ? [] : guidePages()),
    ...publishedEndpoints(api, hooks.gate),
    publicFileEndpoint(api, hooks.gate),
    ...viewerEndpoints(options.tiles),
    ...(options.console === false
      ? []
      : [
          waysEndpoint({ dataFolder: storage.path, hasPublicUrl: publicUrl !== undefined, provider: signOn }),
          ...(signOn === undefined ? [] : oidcEndpoints(signOn, api.basePath)),
          ...sessionEndpoints<LookedUp>(sessions),
          ...peopleEndpoints<LookedUp>(people, api.onForbidden),
        ]),
    ...consoles,
    ...healthEndpoints(() => status.readiness(wal.stats.stalled, hooks.unproven())),
    ...hooks.endpoints,
    ...(metrics === undefined || metricsListener !== undefined ? [] : [metricsEndpoint(() => metrics.exposition())]),
  ];
  const hasConsole = consoles.length > 0;
  return { all, limits, people, cookie, hasConsole, stray: strayReply({ basePath: api.basePath, hasConsole }) };
}
