/**
 * Answers that wait for their readers. Whatever the kernel has not taken is held in memory, so it is counted, and a reader gives way
 * who takes nothing for a while, too little in it, or longest of all when there is no room left.
 */
import type { ServerResponse } from 'node:http';
import { ProgressTimer, type Watched } from '../guard/progress-timer.ts';

/** Bytes of which a reader has to take as many in each timeout; also what a stream hands over at a time. */
export const pieceBytes = 64 * 1024;

/** How many readers were cut off, and why. */
export interface CutOff {
  slow: number;
  noRoom: number;
}

export interface OutputLimits {
  readonly responseTimeoutMs: number;
  readonly responsesBytesMax: number;
}

/** Some bytes of one answer that wait. */
export class PendingBytes implements Watched {
  readonly res: ServerResponse;
  readonly bytes: number;
  looksLeft: number;
  readonly #onLate: (held: PendingBytes) => void;

  constructor(res: ServerResponse, bytes: number, looks: number, onLate: (held: PendingBytes) => void) {
    this.res = res;
    this.bytes = bytes;
    this.looksLeft = looks;
    this.#onLate = onLate;
  }

  onLate(): void {
    this.#onLate(this);
  }
}

export class OutputBuffers {
  /** Bytes that wait; of bytes that several answers share, as often as they are sent. */
  bytes = 0;
  readonly cutOff: CutOff = { slow: 0, noRoom: 0 };
  readonly #limits: OutputLimits;
  readonly #watch: ProgressTimer;
  /** In the order in which they began to wait. */
  readonly #waiting = new Set<PendingBytes>();
  readonly #onLate = (held: PendingBytes): void => this.#cut(held, 'slow');

  constructor(limits: OutputLimits) {
    this.#limits = limits;
    this.#watch = new ProgressTimer(limits.responseTimeoutMs);
  }

  /**
   * So many bytes of an answer wait until {@link release}. They, or those of others, may be cut off at once.
   *
   * @param behindBytes what is held besides for the rest of the answer
   */
  hold(res: ServerResponse, bytes: number, behindBytes = 0): PendingBytes {
    const held = new PendingBytes(res, bytes + behindBytes, this.#watch.looks(Math.ceil(bytes / pieceBytes)), this.#onLate);
    this.bytes += held.bytes;
    this.#waiting.add(held);
    this.#watch.add(held);
    for (const oldest of this.#waiting) {
      // One answer alone may be larger than all are to be: it exists already.
      if (this.bytes <= this.#limits.responsesBytesMax || this.#waiting.size === 1) break;
      this.#cut(oldest, 'noRoom');
    }
    return held;
  }

  /** They wait no longer: taken, or cut off. May be called again. */
  release(held: PendingBytes): void {
    if (!this.#waiting.delete(held)) return;
    this.bytes -= held.bytes;
    this.#watch.delete(held);
  }

  /** Watches an answer of one piece until it is out. The timer of a socket runs only while nothing moves, and finds who takes nothing. */
  holdWhole(res: ServerResponse, bytes: number): void {
    this.cutOffWhenStalled(res);
    this.holdUntilClosed(res, bytes);
  }

  /** So many bytes of an answer wait until all of it is out. */
  holdUntilClosed(res: ServerResponse, bytes: number): void {
    const held = this.hold(res, bytes);
    res.once('close', () => this.release(held));
  }

  cutOffWhenStalled(res: ServerResponse): void {
    res.setTimeout(this.#limits.responseTimeoutMs, () => this.#cutOff(res, 'slow'));
  }

  #cut(held: PendingBytes, why: keyof CutOff): void {
    this.release(held);
    this.#cutOff(held.res, why);
  }

  #cutOff(res: ServerResponse, why: keyof CutOff): void {
    // A reader is counted once, however much of its answer waits.
    if (!res.destroyed) this.cutOff[why]++;
    res.destroy();
  }
}
