/**
 * FIFO locks by name: one per project for writes, one per account for long searches. A write holds its lock while it is decided, encoded,
 * appended and applied, never during a sync.
 */
export class Locks {
  /** Locks that are held, with the waiters of each. */
  readonly #held = new Map<string, (() => void)[]>();

  /** Acquires the lock; returns `undefined` if it was free, which costs no turn of the event loop. */
  acquire(name: string): Promise<void> | undefined {
    const waiting = this.#held.get(name);
    if (waiting === undefined) {
      this.#held.set(name, []);
      return undefined;
    }
    return new Promise((resolve) => waiting.push(resolve));
  }

  /** Does work while the lock is held. */
  async within<T>(name: string, work: () => Promise<T>): Promise<T> {
    const wait = this.acquire(name);
    if (wait !== undefined) await wait;
    try {
      return await work();
    } finally {
      this.release(name);
    }
  }

  release(name: string): void {
    const next = this.#held.get(name)?.shift();
    if (next === undefined) this.#held.delete(name);
    else next();
  }
}
