/** The clocks of this process, and the pauses between attempts to reach a database that is away. */
import { randomInt } from 'node:crypto';
import type { Instant } from '../protocol/terms.ts';

export function now(): Instant {
  return { monotonicMs: performance.now(), wallMs: Date.now() };
}

/** Milliseconds of a pause: grows with each failure, and is random so that nodes do not act in step. */
export function pauseFor(failures: number, { min, max }: { readonly min: number; readonly max: number }): number {
  const longest = Math.min(max, min * 2 ** Math.min(failures, 10));
  return randomInt(Math.ceil(longest / 2), longest + 1);
}
