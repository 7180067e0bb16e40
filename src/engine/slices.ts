/** Runs long work in slices, so that other requests get their turns. */
import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work between two turns of the event loop. */
export const sliceMs = 5;

/**
 * Runs a generator to its end. Its yields are places where it may be interrupted; short work ends in the same turn.
 *
 * @param goOn what becomes of work that is not done after a slice
 * @returns its result, or a promise of it when the work had to be sliced
 */
export function inSlices<T>(work: Generator<void, T>, goOn = continueLater<T>): T | Promise<T> {
  const started = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - started > sliceMs) return goOn(work);
  }
}

/** Runs the rest of it, from the next turn of the event loop on. */
export async function continueLater<T>(work: Generator<void, T>): Promise<T> {
  await setImmediate();
  return inSlices(work);
}
