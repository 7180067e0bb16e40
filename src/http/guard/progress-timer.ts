/**
 * One timer for all operations that must make progress: request bodies and responses.
 *
 * It counts ticks of the timer instead of the clock, so that a stopped machine or a long pause does not fail clients. An operation that
 * starts and ends between two ticks costs only an entry in a set.
 */

export interface ProgressEntry {
  /** Ticks left; see {@link ProgressTimer.ticks}. */
  ticksLeft: number;
  /** Called once, when no tick is left; the entry is then no longer watched. */
  onTimeout(): void;
}

/** Ticks per timeout. */
const ticksPerTimeout = 4;

export class ProgressTimer {
  readonly #everyMs: number;
  readonly #entries = new Set<ProgressEntry>();
  #timer: NodeJS.Timeout | undefined;

  /** @param timeoutMs how long an entry may make no progress; it fails between then and a quarter later */
  constructor(timeoutMs: number) {
    this.#everyMs = Math.ceil(timeoutMs / ticksPerTimeout);
  }

  /** The ticks for an entry that may take `timeouts` timeouts. */
  ticks(timeouts = 1): number {
    // The first tick may come immediately.
    return timeouts * ticksPerTimeout + 1;
  }

  add(entry: ProgressEntry): void {
    this.#entries.add(entry);
    this.#timer ??= setInterval(() => this.#tick(), this.#everyMs).unref();
  }

  delete(entry: ProgressEntry): void {
    this.#entries.delete(entry);
  }

  #tick(): void {
    for (const entry of this.#entries) {
      if (--entry.ticksLeft > 0) continue;
      this.#entries.delete(entry);
      entry.onTimeout();
    }
    // Not when the last entry leaves: starting and stopping a timer for every request would cost more than an idle tick.
    if (this.#entries.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
