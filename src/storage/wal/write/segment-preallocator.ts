/**
 * Keeps a spare ready: creates one if there is none, and retries after a failure. {@link spareTransitions} is its state machine.
 *
 * A spare that is not ready after a minute is *late*: the disk, or the thread, does not respond. The attempt cannot be aborted, and a second
 * one would write into the same file. So the attempt continues, but no request waits for it any more, and an alarm is raised.
 */
import { BusyError, NoSpaceError } from '../../../lib/errors.ts';
import { systemMessage } from '../../../lib/files/system-errors.ts';
import { type Transitions, transition } from '../../../lib/invariant.ts';
import { type SpareOrder, WriteThrottle } from './preallocate.ts';
import type { WalWorker } from './wal-worker.ts';

const retryMs = 1_000;
/** Minimum time between two attempts that refused records start, in milliseconds. */
const demandMs = 250;
/** Time after which an attempt is late, in milliseconds. Slow disks need seconds. */
export const lateMs = 60_000;

/** The state as metrics show it: `late` counts as `making`, `stopped` as `none`. */
export const preallocationStates = ['none', 'making', 'ready', 'failed'] as const;
export type PreallocationState = (typeof preallocationStates)[number];

type State = PreallocationState | 'late' | 'stopped';

type Event =
  | 'order'
  /** An earlier process left a spare. */
  | 'found'
  | 'made'
  | 'failed'
  | 'late'
  /** The spare becomes a segment. */
  | 'take'
  /** The spare is ready, but the flusher could not open it. */
  | 'unusable'
  /** A timer, a request that needs a spare, or new room on the disk. */
  | 'retry'
  | 'stop';

// biome-ignore format: a table
export const spareTransitions: Transitions<State, Event> = {
  none:    { order: 'making', found: 'ready', retry: 'none', stop: 'stopped' },
  making:  { made: 'ready', failed: 'failed', late: 'late', retry: 'making', stop: 'stopped' },
  late:    { made: 'ready', failed: 'failed', retry: 'late', stop: 'stopped' },
  ready:   { take: 'none', unusable: 'failed', retry: 'ready', stop: 'stopped' },
  failed:  { retry: 'making', stop: 'stopped' },
  stopped: { order: 'stopped', found: 'stopped', made: 'stopped', failed: 'stopped', late: 'stopped', unusable: 'stopped', retry: 'stopped', stop: 'stopped' },
};

interface SegmentPreallocatorOptions {
  readonly worker: WalWorker;
  /** The spare is ready, or nothing should wait for it: an attempt failed, or is late. */
  readonly onChange: () => void;
  /** An error of this program: the log must stop. */
  readonly onFatal: (error: Error) => void;
}

export class SegmentPreallocator {
  readonly #options: SegmentPreallocatorOptions;
  #state: State = 'none';
  #order: SpareOrder | undefined;
  #throttle = new WriteThrottle();
  #work: Promise<void> = Promise.resolve();
  #retry: NodeJS.Timeout | undefined;
  #lateness: NodeJS.Timeout | undefined;
  #triedAt = 0;
  #failing = false;
  /** Why the last attempt failed. */
  #reason = '';

  constructor(options: SegmentPreallocatorOptions) {
    this.#options = options;
  }

  get state(): PreallocationState {
    if (this.#state === 'late') return 'making';
    return this.#state === 'stopped' ? 'none' : this.#state;
  }

  /** Whether there is no spare because the last attempt failed. Another attempt may be in progress. */
  get failing(): boolean {
    return this.#failing;
  }

  get reason(): string {
    return this.#reason;
  }

  get late(): boolean {
    return this.#state === 'late';
  }

  /** Whether there is no spare, and it is unknown when there will be one. */
  get isUnavailable(): boolean {
    return this.#state === 'failed' || this.late;
  }

  /** Orders a spare. */
  order(order: SpareOrder): void {
    this.#order = order;
    if (this.#on('order')) this.#try();
  }

  /** Uses the spare that an earlier process left: what was ordered is there. */
  found(order: SpareOrder): void {
    this.#order = order;
    this.#on('found');
    this.#options.onChange();
  }

  /** Continues the spare in progress without pauses, because it may be needed soon. */
  disablePauses(): void {
    if (this.#state === 'making') this.#throttle.disable();
  }

  /** A request waits for the spare: as {@link disablePauses}, and the next attempt starts immediately. */
  retryNow(): void {
    this.disablePauses();
    if (performance.now() - this.#triedAt > demandMs) this.retry();
  }

  /** The disk may have room again: starts the next attempt. */
  retry(): void {
    if (this.#on('retry')) this.#try();
  }

  /** The error for a record that does not fit. Starts the next attempt. */
  refusal(): Error {
    this.retryNow();
    return this.unavailableError();
  }

  /** Why there is no spare. */
  unavailableError(): Error {
    if (this.#failing) return new NoSpaceError(`cannot create the next log segment: ${this.#reason}`);
    return new BusyError(
      this.late
        ? `the next segment is not ready after ${lateMs / 1000} s: the disk may have stopped responding`
        : 'the next segment is still being prepared',
    );
  }

  /** The spare becomes a segment. */
  take(): SpareOrder {
    this.#on('take');
    return this.#order as SpareOrder;
  }

  /** The spare cannot be used, so it is created again. */
  fail(reason: string): void {
    this.#failed('unusable', reason);
  }

  /** Ends the attempt in progress. Does not wait for a late one, which may never end. */
  async stop(): Promise<void> {
    const wasLate = this.late;
    this.#on('stop');
    clearTimeout(this.#retry);
    clearTimeout(this.#lateness);
    this.#throttle.stop();
    if (!wasLate) await this.#work;
  }

  /** @returns whether the state changed */
  #on(event: Event): boolean {
    const before = this.#state;
    this.#state = transition(spareTransitions, before, event);
    return this.#state !== before;
  }

  #try(): void {
    clearTimeout(this.#retry);
    this.#triedAt = performance.now();
    this.#throttle = new WriteThrottle();
    if (this.#failing) this.#throttle.disable();
    this.#lateness = setTimeout(() => this.#isLate(), lateMs).unref();
    this.#work = this.#options.worker
      .makeSpare(this.#order as SpareOrder, this.#throttle)
      .then(
        (made) => (made ? this.#made() : undefined),
        (error: unknown) => this.#failed('failed', systemMessage(error)),
      )
      .catch(this.#options.onFatal);
  }

  #isLate(): void {
    this.#on('late');
    this.#options.onChange();
  }

  #made(): void {
    clearTimeout(this.#lateness);
    if (!this.#on('made')) return;
    this.#failing = false;
    this.#options.onChange();
  }

  #failed(event: 'failed' | 'unusable', reason: string): void {
    clearTimeout(this.#lateness);
    if (!this.#on(event)) return;
    this.#failing = true;
    this.#reason = reason;
    this.#triedAt = performance.now();
    this.#retry = setTimeout(() => this.retry(), retryMs).unref();
    this.#options.onChange();
  }
}
