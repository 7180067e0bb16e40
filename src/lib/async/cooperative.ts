/** Runs long work in slices, so that other requests run in between. */

/** Milliseconds of work between two turns of the event loop. */
export const sliceMs = 5;

/** Work that waits for its next slice, first in, first out. */
const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop, at most one per turn: however much long work there is, other work waits for one slice only.
 */
export function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(startOne);
  });
}

function startOne(): void {
  const start = waiting.shift();
  // The slice itself runs after this, before the next turn.
  if (waiting.length > 0) setImmediate(startOne);
  start?.();
}

/**
 * Runs a generator to its end. It may be interrupted at each yield; short work ends in the same turn.
 *
 * @param continueWork continues work that is not done after a slice
 * @returns the result, or a promise of it if the work was sliced
 */
export function runCooperatively<T>(work: Generator<void, T>, continueWork = continueLater<T>): T | Promise<T> {
  const started = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - started > sliceMs) return continueWork(work);
  }
}

/** Runs the rest of a generator, from the next turn of the event loop on. */
export async function continueLater<T>(work: Generator<void, T>): Promise<T> {
  await nextSlice();
  return runCooperatively(work);
}

/**
 * Limits work that comes in small pieces from many callers to one slice per turn of the event loop: callbacks of one turn, and those that
 * they cause, would otherwise add up to an endless turn.
 */
export class TurnSlice {
  #startedAt: number | undefined;

  /** Whether this turn's slice is used up. The slice begins with the first call in the turn. */
  get isOver(): boolean {
    if (this.#startedAt !== undefined) return performance.now() - this.#startedAt > sliceMs;
    this.#startedAt = performance.now();
    setImmediate(() => {
      this.#startedAt = undefined;
    });
    return false;
  }
}
