/** Those who wait for everything up to an LSN to be sealed. */
import type { Lsn } from './journal.ts';

interface Waiter {
  readonly upTo: Lsn;
  readonly resolve: (sealed: Lsn) => void;
  readonly reject: (error: Error) => void;
}

export class SealWaiters {
  #waiters: Waiter[] = [];

  get any(): boolean {
    return this.#waiters.length > 0;
  }

  wait(upTo: Lsn): Promise<Lsn> {
    return new Promise((resolve, reject) => this.#waiters.push({ upTo, resolve, reject }));
  }

  /** Records up to `sealed` are. */
  resolve(sealed: Lsn): void {
    const done = this.#waiters.filter((waiter) => waiter.upTo <= sealed);
    this.#waiters = this.#waiters.filter((waiter) => waiter.upTo > sealed);
    for (const waiter of done) waiter.resolve(sealed);
  }

  reject(error: Error): void {
    const all = this.#waiters;
    this.#waiters = [];
    for (const waiter of all) waiter.reject(error);
  }
}
