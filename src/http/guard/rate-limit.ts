/**
 * Rate limits as token buckets: each request takes a token, and tokens return evenly over the window of the limit. A limit of 100 a second
 * allows a burst of a hundred requests, and then one every hundredth of a second.
 *
 * A refused request takes no token. The buckets are not stored: after a restart they are full.
 *
 * The header fields are those of draft-ietf-httpapi-ratelimit-headers-10: the policies, and of each the remaining requests (`r`) and the
 * seconds until it is full again (`t`).
 */
import { plural } from '../../lib/text/plural.ts';
import type { Rate } from '../../lib/text/rate.ts';
import { type Problem, problems } from '../problem.ts';

/** The scope of a limit, as the header fields name it. */
export type RateScope = 'account' | 'key';

/** Counts in integers without rounding: a request costs the window in milliseconds, and a millisecond returns the number of requests. */
export class TokenBucket {
  readonly holder: RateScope;
  readonly rate: Rate;
  readonly policy: string;
  readonly #windowMs: number;
  #used = 0;
  #asOfMs = 0;

  constructor(holder: RateScope, rate: Rate) {
    this.holder = holder;
    this.rate = rate;
    this.policy = `"${holder}";q=${rate.requests};w=${rate.seconds}`;
    this.#windowMs = rate.seconds * 1000;
  }

  /** Milliseconds until a request is allowed; 0 if now. Refills the bucket, so it must be called before the other methods. */
  waitMs(nowMs: number): number {
    const { requests } = this.rate;
    // A clock that was set back returns no tokens and takes none.
    if (nowMs > this.#asOfMs) this.#used = Math.max(0, this.#used - (nowMs - this.#asOfMs) * requests);
    this.#asOfMs = nowMs;
    return Math.max(0, Math.ceil((this.#used + this.#windowMs * (1 - requests)) / requests));
  }

  take(): void {
    this.#used += this.#windowMs;
  }

  /** The value for the `RateLimit` field. */
  get state(): string {
    const { requests } = this.rate;
    const left = requests - Math.ceil(this.#used / this.#windowMs);
    return `"${this.holder}";r=${left};t=${Math.ceil(this.#used / requests / 1000)}`;
  }
}

/** Takes one token from each bucket, or from none; returns the problem if one is empty. */
export function takeFrom(allowances: readonly TokenBucket[], nowMs: number): Problem | undefined {
  let longestMs = 0;
  let empty: TokenBucket | undefined;
  for (const allowance of allowances) {
    const waitMs = allowance.waitMs(nowMs);
    if (waitMs <= longestMs) continue;
    longestMs = waitMs;
    empty = allowance;
  }
  if (empty !== undefined) return refused(empty, Math.ceil(longestMs / 1000));
  for (const allowance of allowances) allowance.take();
  return undefined;
}

/** The rate limit header fields of a response, each with its end of line. */
export function rateFields(allowances: readonly TokenBucket[]): string {
  const policies = allowances.map(({ policy }) => policy).join(', ');
  return `RateLimit-Policy: ${policies}\r\nRateLimit: ${allowances.map(({ state }) => state).join(', ')}\r\n`;
}

const units: Readonly<Record<number, string>> = { 1: 'second', 60: 'minute', 3600: 'hour' };

function refused({ holder, rate: { requests, seconds } }: TokenBucket, retryAfterS: number): Problem {
  const whose = holder === 'account' ? 'your account' : 'this API key';
  return problems.tooManyRequests(
    `Rate limit exceeded: ${whose} may make ${plural(requests, 'request')} per ${units[seconds]}. Nothing was done. Retry after ${retryAfterS} s.`,
    retryAfterS,
    'rate_limited',
  );
}
