/**
 * When work that failed is tried again: soon, so that an alarm ends soon after its cause, and not so often that the tries take more than
 * a quarter of the time. What fails at its first step is tried every few seconds; what fails after reading everything, twice a minute.
 */

/** Shortest and longest time until the next try, in milliseconds. */
const delayMs = { min: 2000, max: 30_000 };

/** @param tookMs how long the try that failed took, in milliseconds */
export function retryDelayMs(tookMs: number): number {
  return Math.min(delayMs.max, Math.max(delayMs.min, 3 * tookMs));
}
