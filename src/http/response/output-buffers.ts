/**
 * Output that waits for slow clients. Bytes that the kernel has not accepted stay in memory, so they are counted. A client is
 * disconnected if it reads nothing, or too little, for too long. Without room, the oldest waiting client is disconnected.
 */
import { type ProgressEntry, ProgressTimer } from '../guard/progress-timer.ts';
import type { HttpResponse } from '../transport/transport.ts';

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

/** Counted bytes of one response. */
export class PendingBytes implements ProgressEntry {
  readonly res: HttpResponse;
  readonly bytes: number;
  ticksLeft = 0;
  isCounted = true;
  readonly #onLate: (pending: PendingBytes) => void;

  constructor(res: HttpResponse, bytes: number, onLate: (pending: PendingBytes) => void) {
    this.res = res;
    this.bytes = bytes;
    this.#onLate = onLate;
  }

  onTimeout(): void {
    this.#onLate(this);
  }
}

export class OutputBuffers {
  /** Bytes that wait, and those reserved. Bytes that several responses share count once for each response. */
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
  hold(res: HttpResponse, bytes: number, behindBytes = 0): PendingBytes {
    const pending = this.#count(res, bytes + behindBytes);
    this.wait(pending, bytes);
    return pending;
  }

  /** Counts memory that a response needs until {@link release}. Returns `undefined` without room; disconnects no client. */
  reserve(res: HttpResponse, bytes: number): PendingBytes | undefined {
    return this.bytes + bytes > this.#limits.responsesBytesMax ? undefined : this.#count(res, bytes);
  }

  #count(res: HttpResponse, bytes: number): PendingBytes {
    this.bytes += bytes;
    return new PendingBytes(res, bytes, this.#onLate);
  }

  /** From now on the client must read `unreadBytes`, until {@link read}. May immediately disconnect this client or others. */
  wait(pending: PendingBytes, unreadBytes: number): void {
    pending.ticksLeft = this.#watch.ticks(Math.ceil(unreadBytes / pieceBytes));
    this.#waiting.add(pending);
    this.#watch.add(pending);
    for (const oldest of this.#waiting) {
      // One response alone may exceed the limit: it already exists.
      if (this.bytes <= this.#limits.responsesBytesMax || this.#waiting.size === 1) break;
      this.#cut(oldest, 'noRoom');
    }
  }

  /** The client has read everything. The memory still counts. */
  read(pending: PendingBytes): void {
    this.#waiting.delete(pending);
    this.#watch.delete(pending);
  }

  /** Stops counting the bytes: they were sent, or the client was disconnected. Idempotent. */
  release(pending: PendingBytes): void {
    if (!pending.isCounted) return;
    pending.isCounted = false;
    this.bytes -= pending.bytes;
    this.read(pending);
  }

  /** Watches a response of one piece until it is sent. The socket timer runs only while no byte moves: it detects stalled clients. */
  holdWhole(res: HttpResponse, bytes: number): void {
    this.cutOffWhenStalled(res);
    this.holdUntilClosed(res, bytes);
  }

  /** Counts bytes of a response until all of it is sent. */
  holdUntilClosed(res: HttpResponse, bytes: number): void {
    const pending = this.hold(res, bytes);
    res.once('close', () => this.release(pending));
  }

  cutOffWhenStalled(res: HttpResponse): void {
    res.setTimeout(this.#limits.responseTimeoutMs, () => this.#cutOff(res, 'slow'));
  }

  #cut(pending: PendingBytes, why: keyof CutOff): void {
    this.release(pending);
    this.#cutOff(pending.res, why);
  }

  #cutOff(res: HttpResponse, why: keyof CutOff): void {
    // One client counts once, even if several pieces of its response wait.
    if (!res.destroyed) this.cutOff[why]++;
    res.destroy();
  }
}
