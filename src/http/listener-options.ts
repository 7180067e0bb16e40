/** Options of a listener: endpoints, authentication and limits. */
import type { Log } from '../lib/observability/logger.ts';
import type { FallbackExchange } from './fallback.ts';
import type { SessionLookup } from './guard/authentication.ts';
import type { Limits } from './guard/http-limits.ts';
import type { Allowance } from './guard/rate-limit.ts';
import type { Requester } from './observer.ts';
import type { Problem } from './problem.ts';
import type { ProxyOptions } from './proxy.ts';
import type { AdmitBody } from './request/body.ts';
import type { CompressedCache } from './response/compressed-cache.ts';
import type { Reply } from './response/reply.ts';
import type { Endpoint } from './route.ts';
import type { Caller, HttpRequest } from './transport/transport.ts';

export interface ListenerOptions<Principal> {
  readonly endpoints: readonly Endpoint<Principal, unknown>[];
  /**
   * Returns the principal of a key. Cached until {@link accessVersion} changes, and no longer than {@link validUntilMs}.
   *
   * @param token the key as sent
   * @param caller the client, for the audit log
   */
  authenticate(token: string, caller: Caller): Principal | undefined;
  /** Called for an invalid or repeated `Authorization` header, which is refused. */
  onMalformedCredential?(caller: Caller): void;
  /** When a key must be looked up again, in milliseconds since 1970; by default never. */
  validUntilMs?(principal: Principal): number;
  /** Another number after each change of what a key may do, from the turn of that change on; by default always the same. */
  accessVersion?(): number;
  /** Milliseconds since 1970; by default `Date.now`. */
  readonly clock?: () => number;
  /** Sessions of browsers; `undefined`: keys are the only credential. */
  readonly sessions?: SessionLookup<Principal> | undefined;
  /** The account for admission control; without it, accounts have no limits. */
  accountOf?(principal: Principal): string;
  /** Public part of a key, for the cache of compressed bodies; responses without it are not cached, except those of public endpoints. */
  keyIdOf?(principal: Principal): string | undefined;
  /** The token buckets of a principal, always the same objects; `undefined` for no rate limit. */
  tokenBucketsOf?(principal: Principal): readonly Allowance[] | undefined;
  /** Called before a large body is parsed; throws if memory is short. Default: no check. */
  readonly admitBody?: AdmitBody;
  /** Awaited before a 401 is sent: the revocation that it shows must be durable first. */
  rejectionGate?(): Promise<void> | undefined;
  /**
   * Asked before the head of any response to a request with a valid key, and before heartbeats: whether this process may still answer. `undefined`:
   * it may. Otherwise the response waits; if the promise rejects, its error becomes the response.
   */
  responseGate?(): Promise<void> | undefined;
  /** The problem for all requests except those to public endpoints; `undefined` while the server is available. */
  unavailable?(): Problem | undefined;
  /** Answers requests whose path belongs to no endpoint, whatever their method. Default: 404. */
  fallback?(exchange: FallbackExchange): void;
  /** Replies to a request whose path belongs to no endpoint, where there is no {@link fallback}; `undefined`: a 404. */
  stray?(request: Pick<HttpRequest, 'method' | 'url' | 'headers'>): Reply | undefined;
  readonly log: Log;
  /** Whether every request is logged. */
  readonly logRequests?: boolean;
  /** The account and key of a principal, for the log. */
  identify?(principal: Principal): Requester;
  readonly limits?: Partial<Limits>;
  /** Origins allowed by CORS, or `*` for any; see `validateOrigins` for valid values. Default: none. */
  readonly cors?: readonly string[];
  /** Whether responses are compressed for clients that accept it. Default: true. */
  readonly compression?: boolean;
  /** The cache of compressed bodies. Default: none. */
  readonly compressedCache?: CompressedCache;
  /** The proxies in front of the server. Default: none. */
  readonly proxy?: ProxyOptions;
}
