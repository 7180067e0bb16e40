/** Limits the fetches that run at a time, in total and per account. Accounts that wait take turns. */

export class FetchSlots {
  readonly #max: number;
  readonly #perAccountMax: number;
  readonly #running = new Map<string, number>();
  /** Waiting starts of each account. The account whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #count = 0;

  constructor(max: number, perAccountMax: number) {
    this.#max = max;
    this.#perAccountMax = perAccountMax;
  }

  /** Number of running fetches. */
  get running(): number {
    return this.#count;
  }

  /** Runs work when there is a slot, and frees the slot when the work ends. */
  async run<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    if (this.#isFull(accountId)) await new Promise<void>((resolve) => this.#enqueue(accountId, resolve));
    else this.#take(accountId);
    try {
      return await work();
    } finally {
      this.#free(accountId);
    }
  }

  #isFull(accountId: string): boolean {
    return this.#count >= this.#max || (this.#running.get(accountId) ?? 0) >= this.#perAccountMax;
  }

  #take(accountId: string): void {
    this.#count++;
    this.#running.set(accountId, (this.#running.get(accountId) ?? 0) + 1);
  }

  #enqueue(accountId: string, start: () => void): void {
    const queue = this.#waiting.get(accountId);
    if (queue === undefined) this.#waiting.set(accountId, [start]);
    else queue.push(start);
  }

  #free(accountId: string): void {
    this.#count--;
    const rest = (this.#running.get(accountId) ?? 0) - 1;
    if (rest > 0) this.#running.set(accountId, rest);
    else this.#running.delete(accountId);
    for (const [next, queue] of this.#waiting) {
      if (this.#isFull(next)) continue;
      this.#waiting.delete(next);
      const start = queue.shift();
      // To the end of the line.
      if (queue.length > 0) this.#waiting.set(next, queue);
      this.#take(next);
      start?.();
      return;
    }
  }
}
