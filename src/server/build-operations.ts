/** Builds what operates a server: metrics, alarms, and the commands that reach it. The fourth step of a server. */
import type { Listener } from '../http/listener.ts';
import { withoutSlash } from '../http/proxy.ts';
import type { OperationContext } from './admin/admin-operations.ts';
import type { LookedUp } from './admin/key-lookup.ts';
import type { ServerEndpoints } from './build-endpoints.ts';
import type { ClusterHooks } from './lifecycle/cluster-hooks.ts';
import type { Lifecycle } from './lifecycle/lifecycle.ts';
import type { Listening } from './lifecycle/sockets.ts';
import type { Storage } from './lifecycle/storage.ts';
import type { InMemoryServerOptions, ServerOptions } from './server-options.ts';
import { Alarms } from './telemetry/alarms.ts';
import { alarmConditions } from './telemetry/engine-alarms.ts';
import { createMetrics, type Metrics } from './telemetry/metrics.ts';

export interface ServerOperations {
  readonly context: OperationContext;
  /** `undefined` if the option `metrics` disables them. */
  readonly metrics: Metrics | undefined;
}

/** @param listening where the server listens; grows later */
export async function buildOperations(
  options: ServerOptions | InMemoryServerOptions,
  storage: Storage,
  { cache, compressedCache, links, hasConsole, live }: ServerEndpoints,
  listener: Listener<LookedUp>,
  { log, events, metricsListener, defer }: Lifecycle,
  hooks: ClusterHooks,
  listening: readonly Listening[],
): Promise<ServerOperations> {
  const { engine, wal, backups, schedule, audit, lastUse } = storage;
  const alarms = new Alarms(alarmConditions({ engine, wal, schedule, live }), log, events);
  defer(() => alarms.close());
  const parts = { engine, wal, cache, compressedCache, listener, alarms, audit, schedule, live, node: hooks.node };
  const metrics = options.metrics === false ? undefined : createMetrics(parts);
  if (metricsListener !== undefined) metricsListener.metrics = metrics;
  defer(() => metrics?.close());
  const context: OperationContext = {
    ...{ engine, backups, audit, lastUse, rateLimit: options.rateLimit ?? 'none' },
    ...{ shard: hooks.shard, registry: hooks.registry },
    console: hasConsole ? { links, urls: () => browserUrls(listening, options.publicUrl) } : undefined,
    invalidateKeys: () => listener.invalidateKeys(),
  };
  await storage.serveCommands(context);
  return { context, metrics };
}

/** Addresses at which a browser reaches the server: on this machine, and the public URL. */
function browserUrls(listening: readonly Listening[], publicUrl: string | undefined): string[] {
  const own = listening.map(({ url }) => url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:'));
  if (publicUrl === undefined) return own;
  const base = withoutSlash(publicUrl);
  return base.startsWith('/') ? own.map((url) => url + base) : [...own, base];
}
