/** Runs long work in slices, so that other requests get their turns. */

/** Milliseconds of work between two turns of the event loop. */
export const sliceMs = 5;

/** Work that waits for its next slice, first come first served. */
const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop, and in no turn twice: however many pieces of long work there are, others wait for one slice.
 */
export function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(startOne);
  });
}

function startOne(): void {
  const start = waiting.shift();
  // The slice itself runs after this, and before the next turn.
  if (waiting.length > 0) setImmediate(startOne);
  start?.();
}

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
  await nextSlice();
  return inSlices(work);
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
    setImmediate(() => {
      this.#startedAt = undefined;
    });
    return false;
  }
}
