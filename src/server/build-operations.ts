/** Builds what operates a server: metrics, alarms, and the commands that reach it. */
import type { Listener } from '../http/listener.ts';
import { withoutSlash } from '../http/proxy.ts';
import type { Live } from '../live/live.ts';
import type { OperationContext } from './admin/admin-operations.ts';
import type { LookedUp } from './admin/key-lookup.ts';
import type { Caches } from './build-caches.ts';
import type { ServerEndpoints } from './build-endpoints.ts';
import type { ClusterHooks } from './lifecycle/cluster-hooks.ts';
import type { Lifecycle } from './lifecycle/lifecycle.ts';
import type { Listening } from './lifecycle/sockets.ts';
import type { Storage } from './lifecycle/storage.ts';
import type { InMemoryServerOptions, ServerOptions } from './server-options.ts';
import { Alarms } from './telemetry/alarms.ts';
import { alarmConditions } from './telemetry/engine-alarms.ts';

/** The parts that the earlier steps have built. */
interface Built {
  readonly storage: Storage;
  readonly endpoints: ServerEndpoints;
  readonly caches: Caches;
  readonly live: Live | undefined;
  readonly listener: Listener<LookedUp>;
  /** Where the server listens; grows later. */
  readonly listening: readonly Listening[];
}

export async function buildOperations(
  options: ServerOptions | InMemoryServerOptions,
  { storage, endpoints, caches, live, listener, listening }: Built,
  { log, events, metrics, defer }: Lifecycle,
  hooks: ClusterHooks,
): Promise<OperationContext> {
  const { engine, wal, backups, schedule, audit, lastUse } = storage;
  const { cache, compressedCache } = caches;
  const { people, hasConsole } = endpoints;
  const alarms = new Alarms(alarmConditions({ engine, wal, schedule, live }), log, events);
  defer(() => alarms.close());
  metrics?.addServer({ engine, wal, cache, compressedCache, listener, alarms, audit, schedule, live, node: hooks.node });
  const context: OperationContext = {
    ...{ engine, backups, audit, lastUse, rateLimit: options.rateLimit ?? 'none' },
    ...{ shard: hooks.shard, registry: hooks.registry, live },
    console: hasConsole ? { people, urls: () => browserUrls(listening, options.publicUrl) } : undefined,
  };
  await storage.serveCommands(context);
  return context;
}

/** Addresses at which a browser reaches the server: on this machine, and the public URL. */
function browserUrls(listening: readonly Listening[], publicUrl: string | undefined): string[] {
  const own = listening.map(({ url }) => url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:'));
  if (publicUrl === undefined) return own;
  const base = withoutSlash(publicUrl);
  return base.startsWith('/') ? own.map((url) => url + base) : [...own, base];
}
