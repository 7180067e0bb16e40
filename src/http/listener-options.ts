/** What a listener is told: where requests lead, who may ask, and what bounds them. */
import type { Log } from '../lib/observability/logger.ts';
import type { Limits } from './guard/http-limits.ts';
import type { TokenBucket } from './guard/rate-limit.ts';
import type { Requester } from './observer.ts';
import type { Problem } from './problem.ts';
import type { ProxyOptions } from './proxy.ts';
import type { AdmitBody } from './request/body.ts';
import type { CompressedCache } from './response/compressed-cache.ts';
import type { Caller, Endpoint } from './route.ts';

export interface ListenerOptions<Principal> {
  readonly endpoints: readonly Endpoint<Principal, unknown>[];
  /**
   * The account behind a key. Remembered until `Listener.forget`, and no longer than {@link holdsUntilMs}.
   *
   * @param token what was sent as a key
   * @param caller who sent it, for a record of what is refused
   */
  authenticate(token: string, caller: Caller): Principal | undefined;
  /** Told of an `Authorization` that is no bearer credential, or of more than one: it is refused. */
  onNoToken?(caller: Caller): void;
  /** When a key must be looked up again, in milliseconds since 1970; by default never. */
  holdsUntilMs?(principal: Principal): number;
  /** Milliseconds since 1970; by default `Date.now`. */
  readonly clock?: () => number;
  /** The account whose requests are counted together; without it, no account is bounded. */
  accountOf?(principal: Principal): string;
  /** Public part of a key: compressed answers are kept by it, and without it only those of public endpoints are. */
  keyIdOf?(principal: Principal): string;
  /** What a request takes from, which must be the same objects each time; `undefined`, or without it, there is no rate limit. */
  allowancesOf?(principal: Principal): readonly TokenBucket[] | undefined;
  /** Asked before a large body is parsed; throws when there is no memory for it. By default there always is. */
  readonly admitBody?: AdmitBody;
  /** Awaited before a 401 is sent: the revocation it may tell of must be durable first. */
  rejectionGate?(): Promise<void> | undefined;
  /** Why nothing but the public endpoints can be answered at the moment; asked for every other request. */
  unavailable?(): Problem | undefined;
  readonly log: Log;
  /** Whether every request gets a line in the log. */
  readonly logRequests?: boolean;
  /** Who asks, for the log. */
  identify?(principal: Principal): Requester;
  readonly limits?: Partial<Limits>;
  /** Origins whose scripts browsers may let use this, or `*` for any; see `faultOfOrigins` for what may stand here. By default none. */
  readonly cors?: readonly string[];
  /** Whether answers are compressed for clients that ask for it; by default they are. */
  readonly compression?: boolean;
  /** Where compressed bodies are kept that are asked for again; by default nowhere. */
  readonly kept?: CompressedCache;
  /** What stands in front of the server; by default nothing. */
  readonly front?: ProxyOptions;
}
