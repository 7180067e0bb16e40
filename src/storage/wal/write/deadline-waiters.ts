/**
 * Waits for the disk, each with a time limit. All waits that begin between two ticks share one promise, and none needs a timer: a limit
 * adds no cost.
 */
import { Deferred } from '../../../lib/async/deferred.ts';

interface Group {
  readonly deferred: Deferred<void>;
  ticksLeft: number;
}

export class DeadlineWaiters {
  /** Waits since the last tick. */
  #newest: Deferred<void> | undefined;
  /** Earlier waits, oldest first. */
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
   * Call it once per interval. Rejects the waits that began more than `ticksMax` intervals ago.
   *
   * @param late creates the error
   */
  tick(ticksMax: number, late: () => Error): void {
    for (const group of this.#older) group.ticksLeft--;
    while (this.#older[0]?.ticksLeft === 0) this.#older.shift()?.deferred.reject(late());
    if (this.#newest !== undefined) this.#older.push({ deferred: this.#newest, ticksLeft: ticksMax });
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
