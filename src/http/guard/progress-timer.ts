/**
 * One timer for everything that has to make progress: bodies that arrive, answers that are read.
 *
 * Time is counted in looks of the timer and not by the clock, so that a process that stood still (a stopped machine, a long pause)
 * does not blame its clients; and what comes and goes between two looks costs no more than its place in a set.
 */

export interface Watched {
  /** Looks that it may still be found in; see {@link ProgressTimer.looks}. */
  looksLeft: number;
  /** Called once, when there are none left; it is not watched any more. */
  onLate(): void;
}

/** Looks in the time that is given. */
const looksPerTimeout = 4;

export class ProgressTimer {
  readonly #everyMs: number;
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;

  /** @param timeoutMs how long a thing may make no progress; it is late between then and a quarter later */
  constructor(timeoutMs: number) {
    this.#everyMs = Math.ceil(timeoutMs / looksPerTimeout);
  }

  /** The looks to give a thing that may take so many timeouts. */
  looks(timeouts = 1): number {
    // The first look may come at once.
    return timeouts * looksPerTimeout + 1;
  }

  add(watched: Watched): void {
    this.#watched.add(watched);
    this.#timer ??= setInterval(() => this.#look(), this.#everyMs).unref();
  }

  delete(watched: Watched): void {
    this.#watched.delete(watched);
  }

  #look(): void {
    for (const watched of this.#watched) {
      if (--watched.looksLeft > 0) continue;
      this.#watched.delete(watched);
      watched.onLate();
    }
    // Not when the last one goes: to start and stop a timer for every request would cost more than to look in vain once.
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
