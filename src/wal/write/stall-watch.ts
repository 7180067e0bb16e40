/**
 * Watches for a disk that stops answering. A file operation cannot be given up: its thread waits for as long as the disk makes it wait.
 * So this says for how long a thread has been at one op, and gives those who wait for it an answer in time. A large record that is written
 * is an op for each step of it: a slow disk is not a stalled one.
 *
 * Time is counted in looks at equal intervals and not by a clock: a process that was suspended itself blames no disk for that. There is one
 * timer, and none while nothing is under way.
 */

export interface StallLimits {
  /** Milliseconds after which an op under way counts as stalled. */
  readonly stallMs: number;
  /** Milliseconds after which a wait for a record is rejected, because it is not durable yet. */
  readonly writeTimeoutMs: number;
}

export interface StallWatchParts extends StallLimits {
  /** Each returns the op that a thread is at, another value (by `===`) for each op; `undefined` while it is at none. */
  readonly ops: readonly (() => unknown)[];
  /** Whether a request waits for a record. */
  isAwaited(): boolean;
  /** Called at every look: waits of more than so many looks are to be rejected. */
  onLook(looks: number): void;
}

/** What is known of one thread. */
interface Watched {
  readonly current: () => unknown;
  /** The op at the last look, how many looks it has been under way, and since when at the latest, on the clock of `performance.now`. */
  op: unknown;
  looks: number;
  since: number;
}

const lookMsMax = 1000;
/** Looks in the shorter of the two times. */
const looksMin = 5;

export class StallWatch {
  readonly #parts: StallWatchParts;
  readonly #lookMs: number;
  readonly #watched: readonly Watched[];
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: StallWatchParts) {
    this.#parts = parts;
    this.#lookMs = Math.min(lookMsMax, Math.ceil(Math.min(parts.stallMs, parts.writeTimeoutMs) / looksMin));
    this.#watched = parts.ops.map((current) => ({ current, op: undefined, looks: 0, since: 0 }));
  }

  /** For how long an op has been stalled, in milliseconds since it began; the longest of them, `undefined` while none is. */
  get stalledMs(): number | undefined {
    const stalledLooks = this.#parts.stallMs / this.#lookMs;
    let since: number | undefined;
    for (const watched of this.#watched) {
      const isStalled = watched.looks >= stalledLooks && watched.current() === watched.op;
      if (isStalled && (since === undefined || watched.since < since)) since = watched.since;
    }
    return since === undefined ? undefined : performance.now() - since;
  }

  /** Something is under way. */
  start(): void {
    this.#timer ??= setInterval(() => this.#look(), this.#lookMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const watched of this.#watched) Object.assign(watched, { op: undefined, looks: 0 });
  }

  #look(): void {
    for (const watched of this.#watched) {
      const op = watched.current();
      if (op !== undefined && op === watched.op) watched.looks++;
      else Object.assign(watched, { op, looks: 0, since: performance.now() });
    }
    this.#parts.onLook(Math.ceil(this.#parts.writeTimeoutMs / this.#lookMs));
    if (this.#watched.every(({ op }) => op === undefined) && !this.#parts.isAwaited()) this.stop();
  }
}
