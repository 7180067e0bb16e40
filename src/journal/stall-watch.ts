/**
 * Watches for a disk that stops answering. A file operation cannot be given up: the flusher's thread waits for as long as the disk makes it
 * wait. So this says for how long the flusher has been at one op, and gives those who wait for it an answer in time.
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
  /** The op under way; another object for each. */
  op(): unknown;
  /** Whether a request waits for a record. */
  isAwaited(): boolean;
  /** Called at every look: waits of more than so many looks are to be rejected. */
  onLook(looks: number): void;
}

const lookMsMax = 1000;
/** Looks in the shorter of the two times. */
const looksMin = 5;

export class StallWatch {
  readonly #parts: StallWatchParts;
  readonly #lookMs: number;
  #timer: NodeJS.Timeout | undefined;
  /** The op at the last look, how many looks it has been under way, and since when at the latest, on the clock of `performance.now`. */
  #op: unknown;
  #looks = 0;
  #since = 0;

  constructor(parts: StallWatchParts) {
    this.#parts = parts;
    this.#lookMs = Math.min(lookMsMax, Math.ceil(Math.min(parts.stallMs, parts.writeTimeoutMs) / looksMin));
  }

  /** For how long the op under way has been stalled, in milliseconds since it began; `undefined` while none is. */
  get stalledMs(): number | undefined {
    const isStalled = this.#looks * this.#lookMs >= this.#parts.stallMs && this.#parts.op() === this.#op;
    return isStalled ? performance.now() - this.#since : undefined;
  }

  /** Something is under way. */
  start(): void {
    this.#timer ??= setInterval(() => this.#look(), this.#lookMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#op = undefined;
    this.#looks = 0;
  }

  #look(): void {
    const op = this.#parts.op();
    if (op !== undefined && op === this.#op) this.#looks++;
    else {
      this.#op = op;
      this.#looks = 0;
      this.#since = performance.now();
    }
    this.#parts.onLook(Math.ceil(this.#parts.writeTimeoutMs / this.#lookMs));
    if (op === undefined && !this.#parts.isAwaited()) this.stop();
  }
}
