/**
 * Lets work of many accounts run a few at a time: in total, per account, and per lane. Accounts that wait take turns, so one with much work delays
 * another by one piece of it. Work beyond the waiting places of an account is refused: no account can use up those of another.
 */
import { BusyError } from '../errors.ts';

export interface TurnLimits {
  /** Most pieces of work that run at a time. */
  readonly total: number;
  /** Most pieces of one account that run at a time. */
  readonly perAccount: number;
  /** Most pieces of one lane that run at a time, of all accounts together; default: no limit. */
  readonly perLane?: number;
  /** Most pieces of one account that wait; default: no limit. */
  readonly waitingPerAccount?: number;
  /** Describes the work that is refused, such as "evaluations". */
  readonly what?: string;
}

interface Waiting {
  readonly lane: string | undefined;
  start(): void;
}

export class Turns {
  readonly #limits: TurnLimits;
  readonly #running = new Map<string, number>();
  readonly #inLanes = new Map<string, number>();
  /** Waiting work of each account. The account whose turn is next comes first. */
  readonly #waiting = new Map<string, Set<Waiting>>();
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
   *
   * @param lane what the work uses besides its account, such as a host. Work that waits for its lane holds no other place meanwhile.
   */
  async run<T>(accountId: string, work: () => Promise<T>, lane?: string): Promise<T> {
    if (!this.#isFull(accountId, lane)) this.#take(accountId, lane);
    else await this.#turnOf(accountId, lane, undefined);
    return await this.#finish(accountId, lane, work);
  }

  /**
   * As {@link run}, but does not wait longer than `waitMs`.
   *
   * @returns `undefined` if there was no turn in time; then the work was not started
   */
  async runWithin<T>(accountId: string, waitMs: number, work: () => Promise<T>, lane?: string): Promise<T | undefined> {
    if (!this.#isFull(accountId, lane)) this.#take(accountId, lane);
    else if (!(await this.#turnOf(accountId, lane, waitMs))) return undefined;
    return await this.#finish(accountId, lane, work);
  }

  async #finish<T>(accountId: string, lane: string | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.#free(accountId, lane);
    }
  }

  /** Resolves with `true` when a turn was taken, with `false` after `waitMs`. */
  #turnOf(accountId: string, lane: string | undefined, waitMs: number | undefined): Promise<boolean> {
    const queue = this.#waiting.get(accountId) ?? new Set<Waiting>();
    const { waitingPerAccount = Number.POSITIVE_INFINITY, what = 'requests' } = this.#limits;
    if (queue.size >= waitingPerAccount)
      return Promise.reject(new BusyError(`${queue.size} ${what} of the account are waiting, which is the limit`));
    this.#waiting.set(accountId, queue);
    return new Promise((resolve) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const waiting: Waiting = { lane, start };
      const leave = (): void => {
        queue.delete(waiting);
        if (queue.size === 0) this.#waiting.delete(accountId);
        resolve(false);
      };
      const timer = waitMs === undefined ? undefined : setTimeout(leave, waitMs);
      queue.add(waiting);
    });
  }

  #isFull(accountId: string, lane: string | undefined): boolean {
    const { total, perAccount } = this.#limits;
    if (this.#count >= total || (this.#running.get(accountId) ?? 0) >= perAccount) return true;
    return lane !== undefined && (this.#inLanes.get(lane) ?? 0) >= (this.#limits.perLane ?? Number.POSITIVE_INFINITY);
  }

  #take(accountId: string, lane: string | undefined): void {
    this.#count++;
    add(this.#running, accountId, 1);
    if (lane !== undefined) add(this.#inLanes, lane, 1);
  }

  #free(accountId: string, lane: string | undefined): void {
    this.#count--;
    add(this.#running, accountId, -1);
    if (lane !== undefined) add(this.#inLanes, lane, -1);
    this.#toEnd(accountId);
    // The end of one piece may let two start: another one of its account, and another one in its lane. An account that is put at the end
    // comes again.
    for (const [next, queue] of this.#waiting) {
      if (this.#count >= this.#limits.total) return;
      if (this.#isFull(next, undefined)) continue;
      for (const waiting of queue) {
        if (this.#isFull(next, waiting.lane)) continue;
        queue.delete(waiting);
        this.#toEnd(next);
        this.#take(next, waiting.lane);
        waiting.start();
        break;
      }
    }
  }

  /** Puts the waiting work of an account that had a turn behind that of all others. */
  #toEnd(accountId: string): void {
    const queue = this.#waiting.get(accountId);
    this.#waiting.delete(accountId);
    if (queue !== undefined && queue.size > 0) this.#waiting.set(accountId, queue);
  }
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
