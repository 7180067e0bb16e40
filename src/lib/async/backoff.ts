/**
 * Retry delays: short, so that an alarm ends soon after its cause, but retries take at most a quarter of the time. Work that fails in its
 * first step is retried every few seconds; work that fails after reading everything, twice a minute.
 */

/** Limits of the delay until the next retry, in milliseconds. */
const delayMs = { min: 2000, max: 30_000 };

/** @param tookMs duration of the failed attempt, in milliseconds */
export function retryDelayMs(tookMs: number): number {
  return Math.min(delayMs.max, Math.max(delayMs.min, 3 * tookMs));
}
