/**
 * One lock per project, first come first served. It is taken to decide, encode, append and apply, and never held while the disk works:
 * it only keeps a change that is built in slices from being overtaken on its own project. And one per account, for long searches.
 */
export class Locks {
  /** Names that are held, each with those who wait for it. */
  readonly #held = new Map<string, (() => void)[]>();

  /** Takes the lock; `undefined` when it was free, which is the common case and costs no turn of the event loop. */
  acquire(name: string): Promise<void> | undefined {
    const waiting = this.#held.get(name);
    if (waiting === undefined) {
      this.#held.set(name, []);
      return undefined;
    }
    return new Promise((resolve) => waiting.push(resolve));
  }

  release(name: string): void {
    const next = this.#held.get(name)?.shift();
    if (next === undefined) this.#held.delete(name);
    else next();
  }
}
