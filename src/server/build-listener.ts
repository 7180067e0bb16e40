/** Builds the listener of a server, which serves its endpoints: the third step of a server. */
import { createListener, type Listener } from '../http/listener.ts';
import { basePathOf, Proxies, type ProxyOptions } from '../http/proxy.ts';
import { CompressedCache } from '../http/response/compressed-cache.ts';
import { keyLookup, type LookedUp } from './admin/key-lookup.ts';
import { RateLimiters } from './admin/rate-limiters.ts';
import { compressedShare, type ServerEndpoints } from './build-endpoints.ts';
import type { ClusterHooks } from './lifecycle/cluster-hooks.ts';
import type { Lifecycle } from './lifecycle/lifecycle.ts';
import type { Storage } from './lifecycle/storage.ts';
import { optionRanges } from './option-ranges.ts';
import type { InMemoryServerOptions, ServerOptions } from './server-options.ts';

/** The listener, and its cache of compressed responses. */
export interface ServerListener {
  readonly listener: Listener<LookedUp>;
  readonly compressedCache: CompressedCache;
}

export function buildListener(
  options: ServerOptions | InMemoryServerOptions,
  { engine, audit, lastUse }: Storage,
  endpoints: ServerEndpoints,
  { log, status }: Lifecycle,
  hooks: ClusterHooks,
): ServerListener {
  const { clock = Date.now, cacheBytes = optionRanges.cacheBytes[0], logRequests, cors, compression } = options;
  const compressedCache = new CompressedCache(cacheBytes * compressedShare, engine.memory);
  const proxy = proxyOf(options);
  const listener = createListener<LookedUp>({
    endpoints: endpoints.all,
    ...keyLookup({ state: engine.state, audit, lastUse, rates: new RateLimiters(options.rateLimit ?? ''), clock }),
    accountOf: ({ accountId }) => accountId,
    // A request of this process has none, and others must not get its bodies.
    keyIdOf: ({ keyId }) => (keyId === '' ? undefined : keyId),
    tokenBucketsOf: ({ allowances }) => allowances,
    admitBody: (bytes) => engine.memory.refuseUnlessFits(bytes),
    responseGate: hooks.gate,
    rejectionGate: () => engine.journal.durable(engine.state.keysVersion),
    unavailable: () => status.unavailable(),
    log,
    identify: ({ accountId, keyId }) => ({ account: engine.state.accounts.get(accountId)?.name ?? '', key: keyId }),
    ...(logRequests === undefined ? {} : { logRequests }),
    limits: endpoints.limits,
    ...(cors === undefined ? {} : { cors }),
    ...(compression === undefined ? {} : { compression }),
    compressedCache,
    ...(proxy === undefined ? {} : { proxy }),
  });
  return { listener, compressedCache };
}

/** The proxy options; `undefined` if there are none. */
function proxyOf({ publicUrl, trustProxy }: Pick<ServerOptions, 'publicUrl' | 'trustProxy'>): ProxyOptions | undefined {
  if (publicUrl === undefined && trustProxy === undefined) return undefined;
  return {
    basePath: publicUrl === undefined ? '' : basePathOf(publicUrl),
    ...(trustProxy === undefined ? {} : { proxies: new Proxies(trustProxy) }),
  };
}
