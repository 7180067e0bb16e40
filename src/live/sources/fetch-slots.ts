/** Limits the fetches that run at a time, in total and per account. Accounts that wait take turns. */

export class FetchSlots {
  readonly #max: number;
  readonly #perAccountMax: number;
  readonly #running = new Map<string, number>();
  /** Waiting starts of each account. The account whose turn is next comes first. */
  readonly #waiting = new Map<string, Set<() => void>>();
  #count = 0;

  constructor(max: number, perAccountMax: number) {
    this.#max = max;
    this.#perAccountMax = perAccountMax;
  }

  /** Number of running fetches. */
  get running(): number {
    return this.#count;
  }

  /**
   * Runs work when there is a slot, and frees the slot when the work ends.
   *
   * @returns `undefined` if there was no slot within `waitMs`; then the work was not started
   */
  async run<T>(accountId: string, waitMs: number, work: () => Promise<T>): Promise<T | undefined> {
    if (!this.#isFull(accountId)) this.#take(accountId);
    else if (!(await this.#turnOf(accountId, waitMs))) return undefined;
    try {
      return await work();
    } finally {
      this.#free(accountId);
    }
  }

  /** Resolves with `true` when a slot was taken, with `false` after `waitMs`. */
  #turnOf(accountId: string, waitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const queue = this.#waiting.get(accountId) ?? new Set<() => void>();
      this.#waiting.set(accountId, queue);
      const start = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        queue.delete(start);
        if (queue.size === 0) this.#waiting.delete(accountId);
        resolve(false);
      }, waitMs);
      queue.add(start);
    });
  }

  #isFull(accountId: string): boolean {
    return this.#count >= this.#max || (this.#running.get(accountId) ?? 0) >= this.#perAccountMax;
  }

  #take(accountId: string): void {
    this.#count++;
    this.#running.set(accountId, (this.#running.get(accountId) ?? 0) + 1);
  }

  #free(accountId: string): void {
    this.#count--;
    const rest = (this.#running.get(accountId) ?? 0) - 1;
    if (rest > 0) this.#running.set(accountId, rest);
    else this.#running.delete(accountId);
    for (const [next, queue] of this.#waiting) {
      if (this.#isFull(next)) continue;
      this.#waiting.delete(next);
      const [start] = queue;
      if (start !== undefined) queue.delete(start);
      // To the end of the line.
      if (queue.size > 0) this.#waiting.set(next, queue);
      this.#take(next);
      start?.();
      return;
    }
  }
}
