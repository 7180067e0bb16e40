/**
 * A rate limit: each request takes a token, and tokens return evenly over the window of the limit. A limit of 100 a second allows a burst of
 * a hundred requests, and then one every hundredth of a second.
 */
import type { Rate } from '../text/rate.ts';

/** Counts in integers without rounding: a request costs the window in milliseconds, and a millisecond returns the number of requests. */
export class TokenBucket {
  readonly rate: Rate;
  readonly windowMs: number;
  #used = 0;
  #asOfMs = 0;

  constructor(rate: Rate) {
    this.rate = rate;
    this.windowMs = rate.seconds * 1000;
  }

  /** Used tokens, each as the window in milliseconds. */
  get used(): number {
    return this.#used;
  }

  /** Milliseconds until a request is allowed; 0 if now. Refills the bucket, so it must be called before the other methods. */
  waitMs(nowMs: number): number {
    const { requests } = this.rate;
    // A clock that was set back returns no tokens and takes none.
    if (nowMs > this.#asOfMs) this.#used = Math.max(0, this.#used - (nowMs - this.#asOfMs) * requests);
    this.#asOfMs = nowMs;
    return Math.max(0, Math.ceil((this.#used + this.windowMs * (1 - requests)) / requests));
  }

  take(): void {
    this.#used += this.windowMs;
  }
}
