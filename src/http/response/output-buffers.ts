/**
 * Output that waits for slow clients. Bytes that the kernel has not accepted stay in memory, so they are counted. A client is
 * disconnected if it reads nothing, or too little, for too long. Without room, the oldest waiting client is disconnected.
 */
import type { ServerResponse } from 'node:http';
import { type ProgressEntry, ProgressTimer } from '../guard/progress-timer.ts';

/** Bytes that a client must read in each timeout; also the size of one write of a stream. */
export const pieceBytes = 64 * 1024;

/** How many clients were disconnected, by reason. */
export interface CutOff {
  slow: number;
  noRoom: number;
}

interface OutputLimits {
  readonly responseTimeoutMs: number;
  readonly responsesBytesMax: number;
}

/** Bytes of one response that wait for the client. */
export class PendingBytes implements ProgressEntry {
  readonly res: ServerResponse;
  readonly bytes: number;
  ticksLeft: number;
  readonly #onLate: (pending: PendingBytes) => void;

  constructor(res: ServerResponse, bytes: number, looks: number, onLate: (pending: PendingBytes) => void) {
    this.res = res;
    this.bytes = bytes;
    this.ticksLeft = looks;
    this.#onLate = onLate;
  }

  onTimeout(): void {
    this.#onLate(this);
  }
}

export class OutputBuffers {
  /** Bytes that wait. Bytes that several responses share count once for each response. */
  bytes = 0;
  readonly cutOff: CutOff = { slow: 0, noRoom: 0 };
  readonly #limits: OutputLimits;
  readonly #watch: ProgressTimer;
  /** Oldest first. */
  readonly #waiting = new Set<PendingBytes>();
  readonly #onLate = (pending: PendingBytes): void => this.#cut(pending, 'slow');

  constructor(limits: OutputLimits) {
    this.#limits = limits;
    this.#watch = new ProgressTimer(limits.responseTimeoutMs);
  }

  /**
   * Counts bytes of a response until {@link release}. May immediately disconnect this client or others.
   *
   * @param behindBytes other memory that the rest of the response needs
   */
  hold(res: ServerResponse, bytes: number, behindBytes = 0): PendingBytes {
    const pending = new PendingBytes(res, bytes + behindBytes, this.#watch.ticks(Math.ceil(bytes / pieceBytes)), this.#onLate);
    this.bytes += pending.bytes;
    this.#waiting.add(pending);
    this.#watch.add(pending);
    for (const oldest of this.#waiting) {
      // One response alone may exceed the limit: it already exists.
      if (this.bytes <= this.#limits.responsesBytesMax || this.#waiting.size === 1) break;
      this.#cut(oldest, 'noRoom');
    }
    return pending;
  }

  /** Stops counting the bytes: they were sent, or the client was disconnected. Idempotent. */
  release(pending: PendingBytes): void {
    if (!this.#waiting.delete(pending)) return;
    this.bytes -= pending.bytes;
    this.#watch.delete(pending);
  }

  /** Watches a response of one piece until it is sent. The socket timer runs only while no byte moves: it detects stalled clients. */
  holdWhole(res: ServerResponse, bytes: number): void {
    this.cutOffWhenStalled(res);
    this.holdUntilClosed(res, bytes);
  }

  /** Counts bytes of a response until all of it is sent. */
  holdUntilClosed(res: ServerResponse, bytes: number): void {
    const pending = this.hold(res, bytes);
    res.once('close', () => this.release(pending));
  }

  cutOffWhenStalled(res: ServerResponse): void {
    res.setTimeout(this.#limits.responseTimeoutMs, () => this.#cutOff(res, 'slow'));
  }

  #cut(pending: PendingBytes, why: keyof CutOff): void {
    this.release(pending);
    this.#cutOff(pending.res, why);
  }

  #cutOff(res: ServerResponse, why: keyof CutOff): void {
    // One client counts once, even if several pieces of its response wait.
    if (!res.destroyed) this.cutOff[why]++;
    res.destroy();
  }
}
