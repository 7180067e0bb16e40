/** Responses that wait until a renewal of the lease proves that this process still owned the shard when their state was read. */
import { Deferred } from '../../lib/async/deferred.ts';
import { UnprovenError } from '../../lib/errors.ts';
import type { Instant } from '../protocol/terms.ts';

interface Waiter {
  readonly asked: Instant;
  readonly done: Deferred<void>;
  readonly timer: NodeJS.Timeout;
}

export class LeaseWaiters {
  readonly #waiters = new Set<Waiter>();

  get size(): number {
    return this.#waiters.size;
  }

  /** Rejects with {@link UnprovenError} after `ms` milliseconds. */
  add(asked: Instant, ms: number): Promise<void> {
    const done = new Deferred<void>();
    const timer = setTimeout(() => {
      this.#waiters.delete(waiter);
      done.reject(new UnprovenError());
    }, ms);
    const waiter = { asked, done, timer };
    this.#waiters.add(waiter);
    return done.promise;
  }

  /** Resolves those that are proven. */
  answer(isProven: (asked: Instant) => boolean): void {
    for (const waiter of this.#waiters) {
      if (!isProven(waiter.asked)) continue;
      this.#waiters.delete(waiter);
      clearTimeout(waiter.timer);
      waiter.done.resolve();
    }
  }

  reject(error: Error): void {
    for (const { done, timer } of this.#waiters) {
      clearTimeout(timer);
      done.promise.catch(() => undefined);
      done.reject(error);
    }
    this.#waiters.clear();
  }
}
