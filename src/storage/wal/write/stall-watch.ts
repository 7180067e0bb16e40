/**
 * Detects a disk that stops responding. A file operation cannot be cancelled: its thread is blocked until the disk responds. So this class
 * measures how long a thread has been at one op, and rejects waits for it in time. Each step of writing a large record counts as an op:
 * a slow disk is not a stalled one.
 *
 * Time is counted in ticks of a timer, not by a clock, so that a process that was suspended itself does not blame the disk. One timer
 * runs, and only while an op is in progress.
 */
import { Deferred } from '../../../lib/async/deferred.ts';
import { StalledError, type StalledMedium } from '../../../lib/errors.ts';
import type { Stalled } from './wal-stats.ts';

export interface StallLimits {
  /** Milliseconds after which an op in progress counts as stalled. */
  readonly stallMs: number;
  /** Milliseconds after which a wait for a record that is not durable yet is rejected. */
  readonly writeTimeoutMs: number;
  /** What the op in progress waits for; the disk by default. */
  readonly medium?: () => StalledMedium;
}

interface StallWatchParts extends StallLimits {
  /** Each returns the current op of a thread, a different value (by `===`) for each op; `undefined` while the thread is idle. */
  readonly ops: readonly (() => unknown)[];
  /** Whether a request waits for a record. */
  isAwaited(): boolean;
  /** Called at every tick. The callee rejects waits that are older than `ticksMax` ticks. */
  onTick(ticksMax: number): void;
}

/** The state of one thread. */
interface Watched {
  readonly current: () => unknown;
  /** The op at the last tick, the ticks since it was first seen, and the time of that, on the clock of `performance.now`. */
  op: unknown;
  ticks: number;
  since: number;
}

const tickMsMax = 1000;
/** Minimum number of ticks in the shorter of the two times. */
const ticksMin = 5;

export class StallWatch {
  readonly #parts: StallWatchParts;
  readonly #tickMs: number;
  readonly #watched: readonly Watched[];
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: StallWatchParts) {
    this.#parts = parts;
    this.#tickMs = Math.min(tickMsMax, Math.ceil(Math.min(parts.stallMs, parts.writeTimeoutMs) / ticksMin));
    this.#watched = parts.ops.map((current) => ({ current, op: undefined, ticks: 0, since: 0 }));
  }

  /** Age of the oldest stalled op in milliseconds, since it began; `undefined` if none is stalled. */
  get stalledMs(): number | undefined {
    return this.stalled?.ms;
  }

  /** The oldest stalled op: its age in milliseconds, since it began, and the place of its thread in `ops`; `undefined` if none is stalled. */
  get stalled(): { readonly ms: number; readonly thread: number } | undefined {
    const stalledTicks = this.#parts.stallMs / this.#tickMs;
    let oldest: Watched | undefined;
    for (const watched of this.#watched) {
      const isStalled = watched.ticks >= stalledTicks && watched.current() === watched.op;
      if (isStalled && (oldest === undefined || watched.since < oldest.since)) oldest = watched;
    }
    return oldest && { ms: performance.now() - oldest.since, thread: this.#watched.indexOf(oldest) };
  }

  /** Starts the timer, because an op begins. */
  start(): void {
    this.#timer ??= setInterval(() => this.#tick(), this.#tickMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const watched of this.#watched) Object.assign(watched, { op: undefined, ticks: 0 });
  }

  #tick(): void {
    for (const watched of this.#watched) {
      const op = watched.current();
      if (op !== undefined && op === watched.op) watched.ticks++;
      else Object.assign(watched, { op, ticks: 0, since: performance.now() });
    }
    this.#parts.onTick(Math.ceil(this.#parts.writeTimeoutMs / this.#tickMs));
    if (this.#watched.every(({ op }) => op === undefined) && !this.#parts.isAwaited()) this.stop();
  }
}

/** Waits for durability; see {@link DeadlineWaiters}. */
interface Waits {
  readonly isAwaited: boolean;
  tick(ticksMax: number, late: () => Error): void;
}

/** Rejects requests that would only wait for a disk that does not respond, so that their clients know what became of their changes. */
export class StallGuard {
  /** `undefined` without limits: nothing is rejected. */
  readonly #limits: StallLimits | undefined;
  readonly #watch: StallWatch | undefined;
  /** Work that begins before anything is appended, and that a stalled disk makes fail. */
  readonly #refusable = new Set<Deferred<never>>();

  /** @param ops see {@link StallWatch} */
  constructor(limits: StallLimits | undefined, ops: readonly (() => unknown)[], waits: readonly Waits[]) {
    this.#limits = limits;
    if (limits === undefined) return;
    this.#watch = new StallWatch({
      ...limits,
      ops,
      isAwaited: () => waits.some(({ isAwaited }) => isAwaited),
      onTick: (ticksMax) => {
        const late = () => new StalledError('unconfirmed', limits.writeTimeoutMs, limits.medium?.());
        for (const wait of waits) wait.tick(ticksMax, late);
        const error = this.#refusal();
        if (error !== undefined) for (const { reject } of this.#refusable) reject(error);
      },
    });
  }

  /** What does not respond, and the place of its thread in `ops`; `undefined` if nothing is stalled. */
  get stalled(): (Pick<Stalled, 'ms' | 'medium'> & { readonly thread: number }) | undefined {
    const stalled = this.#watch?.stalled;
    return stalled && { ...stalled, medium: this.#limits?.medium?.() ?? 'disk' };
  }

  /** An op begins. */
  start(): void {
    this.#watch?.start();
  }

  stop(): void {
    this.#watch?.stop();
  }

  /** Throws {@link StalledError} while the disk does not respond: nothing has changed. */
  refuse(): void {
    const error = this.#refusal();
    if (error !== undefined) throw error;
  }

  /** Waits for work whose failure changes nothing, but no longer than the disk responds. */
  async unlessStalled<T>(work: Promise<T>): Promise<T> {
    const stalled = new Deferred<never>();
    this.#refusable.add(stalled);
    try {
      return await Promise.race([work, stalled.promise]);
    } finally {
      this.#refusable.delete(stalled);
    }
  }

  #refusal(): StalledError | undefined {
    const ms = this.#watch?.stalledMs;
    return ms === undefined ? undefined : new StalledError('refused', ms, this.#limits?.medium?.());
  }
}
