/**
 * Those who wait for the disk, each for a limited time. All who came between two looks share one promise, and no timer is set for any of
 * them: waiting costs nothing more than without a limit.
 */
import { Deferred } from '../../lib/async/deferred.ts';

interface Group {
  readonly deferred: Deferred<void>;
  looksLeft: number;
}

export class DeadlineWaiters {
  /** Those who came since the last look. */
  #newest: Deferred<void> | undefined;
  /** The others, oldest first. */
  #older: Group[] = [];

  get any(): boolean {
    return this.#newest !== undefined || this.#older.length > 0;
  }

  wait(): Promise<void> {
    this.#newest ??= new Deferred<void>();
    return this.#newest.promise;
  }

  resolve(): void {
    for (const deferred of this.#taken()) deferred.resolve();
  }

  reject(error: Error): void {
    for (const deferred of this.#taken()) deferred.reject(error);
  }

  /**
   * To be called once per interval: rejects those who came before the last `looks` intervals.
   *
   * @param late makes the error
   */
  look(looks: number, late: () => Error): void {
    for (const group of this.#older) group.looksLeft--;
    while (this.#older[0]?.looksLeft === 0) this.#older.shift()?.deferred.reject(late());
    if (this.#newest !== undefined) this.#older.push({ deferred: this.#newest, looksLeft: looks });
    this.#newest = undefined;
  }

  #taken(): Deferred<void>[] {
    const all = this.#older.map(({ deferred }) => deferred);
    if (this.#newest !== undefined) all.push(this.#newest);
    this.#older = [];
    this.#newest = undefined;
    return all;
  }
}
