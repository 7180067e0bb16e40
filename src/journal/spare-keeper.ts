/**
 * Keeps a spare at hand: orders one when there is none, and another try when that failed.
 *
 *     none --order()--> making --done--> ready --take()--> none
 *                         |  ^
 *                 failed  v  |  each second, or at once when a record is refused for want of it
 *                        failed  <--fail()-- ready, and of no use
 */
import { BusyError, NoSpaceError } from '../lib/errors.ts';
import type { Crew } from './crew.ts';
import type { SpareOrder } from './make-spare.ts';
import { Pace } from './pace.ts';

const retryMs = 1_000;
/** The soonest that a refused record starts another try. */
const demandMs = 250;

export type SpareState = 'none' | 'making' | 'ready' | 'failed';

export interface SpareKeeperOptions {
  readonly crew: Crew;
  /** The spare is ready, or a try has failed. */
  readonly onChange: () => void;
}

export class SpareKeeper {
  readonly #options: SpareKeeperOptions;
  #state: SpareState = 'none';
  #order: SpareOrder | undefined;
  #pace = new Pace();
  #work: Promise<void> = Promise.resolve();
  #retry: NodeJS.Timeout | undefined;
  #triedAt = 0;
  #stopped = false;
  #failing = false;
  /** Why the last try failed. */
  #reason = '';

  constructor(options: SpareKeeperOptions) {
    this.#options = options;
  }

  get state(): SpareState {
    return this.#state;
  }

  /** Whether there is none because the last try to make it failed, the try that may be under way now included. */
  get failing(): boolean {
    return this.#failing;
  }

  get reason(): string {
    return this.#reason;
  }

  /** Has a spare made. */
  order(order: SpareOrder): void {
    this.#order = order;
    this.#try();
  }

  /** No pauses while it is made: it may be needed soon. */
  hurry(): void {
    if (this.#state === 'making') this.#pace.hurry();
  }

  /** Somebody is waiting for it: as {@link hurry}, and no wait for the next try either. */
  demand(): void {
    this.hurry();
    if (this.#state === 'failed' && performance.now() - this.#triedAt > demandMs) this.#try();
  }

  /** What somebody is told whose record does not fit: the next try is not to wait. */
  refusal(): Error {
    this.demand();
    return this.failing ? this.noSpace() : new BusyError('the next segment is still being prepared');
  }

  noSpace(): NoSpaceError {
    return new NoSpaceError(`there is no room for the next segment: ${this.#reason}`);
  }

  /** The spare becomes a segment. */
  take(): SpareOrder {
    if (this.#state !== 'ready' || this.#order === undefined) throw new Error('there is no spare to take');
    this.#state = 'none';
    return this.#order;
  }

  /** The spare that is ready cannot be used: it is made once more. */
  fail(reason: string): void {
    this.#failed(reason);
  }

  /** Ends what is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    this.#pace.stop();
    await this.#work;
  }

  #try(): void {
    const order = this.#order;
    if (this.#stopped || order === undefined) return;
    clearTimeout(this.#retry);
    this.#state = 'making';
    this.#triedAt = performance.now();
    this.#pace = new Pace();
    if (this.#failing) this.#pace.hurry();
    this.#work = this.#options.crew.makeSpare(order, this.#pace).then(
      (made) => (made ? this.#made() : undefined),
      (error: unknown) => this.#failed(String(error)),
    );
  }

  #made(): void {
    this.#failing = false;
    this.#state = 'ready';
    this.#options.onChange();
  }

  #failed(reason: string): void {
    if (this.#stopped) return;
    this.#failing = true;
    this.#reason = reason;
    this.#state = 'failed';
    this.#triedAt = performance.now();
    this.#retry = setTimeout(() => this.#try(), retryMs).unref();
    this.#options.onChange();
  }
}
