/** Builds the listener of a server, which serves its endpoints. */
import { createListener, type Listener } from '../http/listener.ts';
import { basePathOf, Proxies, type ProxyOptions } from '../http/proxy.ts';
import { keyLookup, type LookedUp } from './admin/key-lookup.ts';
import { RateLimiters } from './admin/rate-limiters.ts';
import type { Caches } from './build-caches.ts';
import type { ServerEndpoints } from './build-endpoints.ts';
import type { ClusterHooks } from './lifecycle/cluster-hooks.ts';
import type { Lifecycle } from './lifecycle/lifecycle.ts';
import type { Storage } from './lifecycle/storage.ts';
import type { InMemoryServerOptions, ServerOptions } from './server-options.ts';

export function buildListener(
  options: ServerOptions | InMemoryServerOptions,
  { engine, audit, lastUse }: Storage,
  endpoints: ServerEndpoints,
  { compressedCache }: Caches,
  { log, status }: Lifecycle,
  hooks: ClusterHooks,
): Listener<LookedUp> {
  const { clock = Date.now, logRequests, cors, compression } = options;
  const proxy = proxyOf(options);
  return createListener<LookedUp>({
    endpoints: endpoints.all,
    ...keyLookup({
      ...{ engine, audit, lastUse, clock, cookie: endpoints.cookie, shard: hooks.shard },
      rates: new RateLimiters(options.rateLimit ?? ''),
    }),
    accountOf: ({ accountId }) => accountId,
    keyIdOf: contentOwner,
    tokenBucketsOf: ({ allowances }) => allowances,
    admitBody: (bytes) => engine.memory.refuseUnlessFits(bytes),
    responseGate: hooks.gate,
    rejectionGate: () => engine.journal.durable(engine.state.keysVersion),
    unavailable: () => status.unavailable(),
    stray: endpoints.stray,
    log,
    identify: ({ accountId, keyId, personId }) => ({
      ...{ account: engine.state.accounts.get(accountId)?.name ?? '', key: keyId },
      ...(personId === '' ? {} : { person: personId }),
    }),
    ...(logRequests === undefined ? {} : { logRequests }),
    limits: endpoints.limits,
    ...(cors === undefined ? {} : { cors }),
    ...(compression === undefined ? {} : { compression }),
    compressedCache,
    ...(proxy === undefined ? {} : { proxy }),
  });
}

/** Whose the bodies in the cache are. A request of this process has no key, and others must not get its bodies; what a person sees may change. */
function contentOwner({ keyId, personId, reach, rights }: LookedUp): string | undefined {
  if (keyId === '') return undefined;
  return personId === '' ? keyId : `${keyId}/${reach}${rights.has('write') ? '' : '/read'}`;
}

/** The proxy options; `undefined` if there are none. */
function proxyOf({ publicUrl, trustProxy }: Pick<ServerOptions, 'publicUrl' | 'trustProxy'>): ProxyOptions | undefined {
  if (publicUrl === undefined && trustProxy === undefined) return undefined;
  return {
    basePath: publicUrl === undefined ? '' : basePathOf(publicUrl),
    ...(trustProxy === undefined ? {} : { proxies: new Proxies(trustProxy) }),
  };
}
