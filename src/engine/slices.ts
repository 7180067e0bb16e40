/** Runs long work in slices, so that other requests get their turns. */
import { setImmediate as inNextTurn } from 'node:timers';
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

/**
 * A slice of each turn of the event loop, for work that comes in small pieces from many callers: callbacks of one turn, and those that each
 * other's callbacks cause, would otherwise add up to a turn without an end.
 */
export class TurnSlice {
  #startedAt: number | undefined;

  /** Whether the slice of this turn is used up, counted from the first time that this is asked in the turn. */
  get isOver(): boolean {
    if (this.#startedAt !== undefined) return performance.now() - this.#startedAt > sliceMs;
    this.#startedAt = performance.now();
    inNextTurn(() => {
      this.#startedAt = undefined;
    });
    return false;
  }
}

/** Runs the rest of it, from the next turn of the event loop on. */
export async function continueLater<T>(work: Generator<void, T>): Promise<T> {
  await setImmediate();
  return inSlices(work);
}
