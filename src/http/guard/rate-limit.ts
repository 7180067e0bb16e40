/**
 * Rate limits of accounts and keys, as token buckets.
 *
 * A refused request takes no token. The buckets are not stored: after a restart they are full.
 *
 * The header fields are those of draft-ietf-httpapi-ratelimit-headers-10: the policies, and of each the remaining requests (`r`) and the
 * seconds until it is full again (`t`).
 */
import { TokenBucket } from '../../lib/async/token-bucket.ts';
import { plural } from '../../lib/text/plural.ts';
import type { Rate } from '../../lib/text/rate.ts';
import { type Problem, problems } from '../problem.ts';

/** The scope of a limit, as the header fields name it. */
export type RateScope = 'account' | 'key';

/** What an account or a key may request. */
export class Allowance extends TokenBucket {
  readonly holder: RateScope;
  readonly policy: string;

  constructor(holder: RateScope, rate: Rate) {
    super(rate);
    this.holder = holder;
    this.policy = `"${holder}";q=${rate.requests};w=${rate.seconds}`;
  }

  /** The value for the `RateLimit` field. */
  get state(): string {
    const { requests } = this.rate;
    const left = requests - Math.ceil(this.used / this.windowMs);
    return `"${this.holder}";r=${left};t=${Math.ceil(this.used / requests / 1000)}`;
  }
}

/** Takes one token from each bucket, or from none; returns the problem if one is empty. */
export function takeFrom(allowances: readonly Allowance[], nowMs: number): Problem | undefined {
  let longestMs = 0;
  let empty: Allowance | undefined;
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
export function rateFields(allowances: readonly Allowance[]): string {
  const policies = allowances.map(({ policy }) => policy).join(', ');
  return `RateLimit-Policy: ${policies}\r\nRateLimit: ${allowances.map(({ state }) => state).join(', ')}\r\n`;
}

const units: Readonly<Record<number, string>> = { 1: 'second', 60: 'minute', 3600: 'hour' };

function refused({ holder, rate: { requests, seconds } }: Allowance, retryAfterS: number): Problem {
  const whose = holder === 'account' ? 'your account' : 'this API key';
  return problems.tooManyRequests(
    `Rate limit exceeded: ${whose} may make ${plural(requests, 'request')} per ${units[seconds]}. Nothing was done. Retry after ${retryAfterS} s.`,
    retryAfterS,
    'rate_limited',
  );
}
