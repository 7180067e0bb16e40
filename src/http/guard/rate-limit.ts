/**
 * How many requests somebody may make in a time. Whoever is under a limit has an *allowance* of so many requests: each takes one, and
 * they come back one by one, evenly, all of them in the time that the limit says. So a limit of 100 a second lets a hundred through at
 * once, and one more every hundredth of a second after that; nobody waits for an hour to be over.
 *
 * What is refused takes nothing. It is not kept: after a restart every allowance is whole.
 *
 * The fields are those of draft-ietf-httpapi-ratelimit-headers-10: what the limits are, and of each what is left (`r`) and in how many
 * seconds it is whole again (`t`).
 */
import { plural } from '../../lib/text/plural.ts';
import type { Rate } from '../../lib/text/rate.ts';
import { type Problem, problems } from '../problem.ts';

/** Whose allowance it is, as the fields name it. */
export type RateScope = 'account' | 'key';

/** Two whole numbers, and nothing is ever rounded: a request counts as many as the limit has milliseconds, and a millisecond gives back as many as it has requests. */
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

  /** Milliseconds until a request may be made; 0 when one may be now. To be called before the others, with the time. */
  waitMs(nowMs: number): number {
    const { requests } = this.rate;
    // A clock that was put back gives back nothing, and takes nothing either.
    if (nowMs > this.#asOfMs) this.#used = Math.max(0, this.#used - (nowMs - this.#asOfMs) * requests);
    this.#asOfMs = nowMs;
    return Math.max(0, Math.ceil((this.#used + this.#windowMs * (1 - requests)) / requests));
  }

  take(): void {
    this.#used += this.#windowMs;
  }

  /** How it stands. */
  get state(): string {
    const { requests } = this.rate;
    const left = requests - Math.ceil(this.#used / this.#windowMs);
    return `"${this.holder}";r=${left};t=${Math.ceil(this.#used / requests / 1000)}`;
  }
}

/** Takes one request from each of them, or from none; says why it may not be made. */
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

/** The fields of an answer, each with its end of line. */
export function rateFields(allowances: readonly TokenBucket[]): string {
  const policies = allowances.map(({ policy }) => policy).join(', ');
  return `RateLimit-Policy: ${policies}\r\nRateLimit: ${allowances.map(({ state }) => state).join(', ')}\r\n`;
}

const units: Readonly<Record<number, string>> = { 1: 'second', 60: 'minute', 3600: 'hour' };

function refused({ holder, rate: { requests, seconds } }: TokenBucket, retryAfterS: number): Problem {
  const whose = holder === 'account' ? 'Your account' : 'This API key';
  return problems.tooManyRequests(
    `${whose} may make ${plural(requests, 'request')} a ${units[seconds]}, and has made them: nothing was done. Send this again in ${retryAfterS} s.`,
    retryAfterS,
    'rate_limited',
  );
}
