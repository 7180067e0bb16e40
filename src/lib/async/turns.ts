/**
 * Lets work of many accounts run a few at a time: in total and per account. Accounts that wait take turns, so one with much work delays
 * another by one piece of it. Work beyond the waiting places of an account is refused: no account can use up those of another.
 */
import { BusyError } from '../errors.ts';

export interface TurnLimits {
  /** Most pieces of work that run at a time. */
  readonly total: number;
  /** Most pieces of one account that run at a time. */
  readonly perAccount: number;
  /** Most pieces of one account that wait; default: no limit. */
  readonly waitingPerAccount?: number;
  /** Describes the work that is refused, such as "evaluations". */
  readonly what?: string;
}

export class Turns {
  readonly #limits: TurnLimits;
  readonly #running = new Map<string, number>();
  /** Waiting starts of each account. The account whose turn is next comes first. */
  readonly #waiting = new Map<string, Set<() => void>>();
  #count = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Number of pieces of work that run. */
  get running(): number {
    return this.#count;
  }

  /**
   * Does work when it is the turn of the account. Rejects with {@link BusyError} if too much work of the account waits, and as the work does.
   */
  async run<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    if (!this.#isFull(accountId)) this.#take(accountId);
    else await this.#turnOf(accountId, undefined);
    return await this.#finish(accountId, work);
  }

  /**
   * As {@link run}, but does not wait longer than `waitMs`.
   *
   * @returns `undefined` if there was no turn in time; then the work was not started
   */
  async runWithin<T>(accountId: string, waitMs: number, work: () => Promise<T>): Promise<T | undefined> {
    if (!this.#isFull(accountId)) this.#take(accountId);
    else if (!(await this.#turnOf(accountId, waitMs))) return undefined;
    return await this.#finish(accountId, work);
  }

  async #finish<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.#free(accountId);
    }
  }

  /** Resolves with `true` when a turn was taken, with `false` after `waitMs`. */
  #turnOf(accountId: string, waitMs: number | undefined): Promise<boolean> {
    const queue = this.#waiting.get(accountId) ?? new Set<() => void>();
    const { waitingPerAccount = Number.POSITIVE_INFINITY, what = 'requests' } = this.#limits;
    if (queue.size >= waitingPerAccount)
      return Promise.reject(new BusyError(`${queue.size} ${what} of the account are waiting, which is the limit`));
    this.#waiting.set(accountId, queue);
    return new Promise((resolve) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const leave = (): void => {
        queue.delete(start);
        if (queue.size === 0) this.#waiting.delete(accountId);
        resolve(false);
      };
      const timer = waitMs === undefined ? undefined : setTimeout(leave, waitMs);
      queue.add(start);
    });
  }

  #isFull(accountId: string): boolean {
    const { total, perAccount } = this.#limits;
    return this.#count >= total || (this.#running.get(accountId) ?? 0) >= perAccount;
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
    this.#toEnd(accountId);
    for (const [next, queue] of this.#waiting) {
      if (this.#isFull(next)) continue;
      const [start] = queue;
      if (start !== undefined) queue.delete(start);
      this.#toEnd(next);
      this.#take(next);
      start?.();
      return;
    }
  }

  /** Puts the waiting work of an account that had a turn behind that of all others. */
  #toEnd(accountId: string): void {
    const queue = this.#waiting.get(accountId);
    this.#waiting.delete(accountId);
    if (queue !== undefined && queue.size > 0) this.#waiting.set(accountId, queue);
  }
}
