/**
 * Keeps a spare at hand: orders one when there is none, and another try when that failed.
 *
 *     none --order()--> making --done--> ready --take()--> none
 *                         |  ^
 *                 failed  v  |  each second, or at once when a record is refused for want of it
 *                        failed  <--fail()-- ready, and of no use
 *
 * One that is not done after a minute is *late*: a disk that does not answer, or a thread that does not. What is under way cannot be broken
 * off, and a second try would write into the same file; so it goes on, but nobody waits for it any more. It is told, and ready when it is.
 */
import { BusyError, NoSpaceError } from '../lib/errors.ts';
import type { Crew } from './crew.ts';
import { type SpareOrder, WriteThrottle } from './preallocate.ts';

const retryMs = 1_000;
/** The soonest that a refused record starts another try. */
const demandMs = 250;
/** How long one may be made before it is late. Slow disks need seconds. */
export const lateMs = 60_000;

export type SpareState = 'none' | 'making' | 'ready' | 'failed';

export interface SpareKeeperOptions {
  readonly crew: Crew;
  /** The spare is ready, or nobody should wait for it: a try has failed, or is late. */
  readonly onChange: () => void;
}

export class SegmentPreallocator {
  readonly #options: SpareKeeperOptions;
  #state: SpareState = 'none';
  #order: SpareOrder | undefined;
  #pace = new WriteThrottle();
  #work: Promise<void> = Promise.resolve();
  #retry: NodeJS.Timeout | undefined;
  #lateness: NodeJS.Timeout | undefined;
  #late = false;
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

  /** Whether it is being made for so long that something must be wrong. */
  get late(): boolean {
    return this.#late;
  }

  /** Whether there is none, and no telling when there will be one. */
  get hopeless(): boolean {
    return this.#state === 'failed' || this.#late;
  }

  /** Has a spare made. */
  order(order: SpareOrder): void {
    this.#order = order;
    this.#try();
  }

  /** No pauses while it is made: it may be needed soon. */
  hurry(): void {
    if (this.#state === 'making') this.#pace.disable();
  }

  /** Somebody is waiting for it: as {@link hurry}, and no wait for the next try either. */
  demand(): void {
    this.hurry();
    if (performance.now() - this.#triedAt > demandMs) this.retry();
  }

  /** Room was made on the disk: the next try does not wait. */
  retry(): void {
    if (this.#state === 'failed') this.#try();
  }

  /** What somebody is told whose record does not fit: the next try is not to wait. */
  refusal(): Error {
    this.demand();
    return this.lack();
  }

  /** Why there is none. */
  lack(): Error {
    if (this.#failing) return new NoSpaceError(`there is no room for the next segment: ${this.#reason}`);
    return new BusyError(
      this.#late
        ? `the next segment is not ready after ${lateMs / 1000} s: the disk may have stopped answering`
        : 'the next segment is still being prepared',
    );
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

  /** Ends what is under way. What is late is not waited for: it may never end. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#lateness);
    this.#pace.stop();
    if (!this.#late) await this.#work;
  }

  #try(): void {
    const order = this.#order;
    if (this.#stopped || order === undefined) return;
    clearTimeout(this.#retry);
    this.#state = 'making';
    this.#triedAt = performance.now();
    this.#pace = new WriteThrottle();
    if (this.#failing) this.#pace.disable();
    this.#lateness = setTimeout(() => this.#isLate(), lateMs).unref();
    this.#work = this.#options.crew.makeSpare(order, this.#pace).then(
      (made) => (made ? this.#made() : undefined),
      (error: unknown) => this.#failed(String(error)),
    );
  }

  #isLate(): void {
    this.#late = true;
    this.#options.onChange();
  }

  #over(): void {
    clearTimeout(this.#lateness);
    this.#late = false;
  }

  #made(): void {
    this.#over();
    this.#failing = false;
    this.#state = 'ready';
    this.#options.onChange();
  }

  #failed(reason: string): void {
    if (this.#stopped) return;
    this.#over();
    this.#failing = true;
    this.#reason = reason;
    this.#state = 'failed';
    this.#triedAt = performance.now();
    this.#retry = setTimeout(() => this.#try(), retryMs).unref();
    this.#options.onChange();
  }
}
