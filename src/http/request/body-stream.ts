/**
 * A request body that the endpoint reads piece by piece while it arrives: bounded in bytes and in the time without progress. While the
 * endpoint processes a piece, the connection is not read. Other requests run between two pieces.
 */
import { setImmediate } from 'node:timers/promises';
import type { ProgressEntry, ProgressTimer } from '../guard/progress-timer.ts';
import { problems } from '../problem.ts';
import type { BodySink } from '../transport/incoming.ts';
import type { HttpRequest } from '../transport/transport.ts';
import { ClientGoneError, tooLarge } from './body.ts';
import { pauseBody, pieceBytesMin, pipeBody, resumeBody, TinyChunkGuard } from './receive.ts';

/** A body that is read while it arrives, in pieces of any size. While a piece is processed, the connection is not read. */
export interface BodyPieces extends AsyncIterable<Buffer> {
  /**
   * Sets how many bytes are held for the body in total, including data made from it. They count until the response. Throws a problem if
   * they exceed a limit.
   */
  holds(bytes: number): void;
}

interface Streaming {
  /** Maximum length of the body, in bytes. */
  readonly bytesMax: number;
  /** The command-line option that limits it. */
  readonly flag: string;
  /** Fails a body that makes no progress. */
  readonly watch: ProgressTimer;
  /** Sets how many bytes are held for the body in total, including data made from it; throws a problem if they exceed a limit. */
  holds(bytes: number): void;
  /** Called when the whole body has arrived, before the reader gets its end; the reader gets what it throws. */
  complete(): void;
}

export class BodyStream implements BodyPieces, BodySink, ProgressEntry, AsyncIterator<Buffer> {
  ticksLeft = 0;
  readonly #req: HttpRequest;
  readonly #streaming: Streaming;
  readonly #tinyChunks: TinyChunkGuard;
  /** Bytes that have arrived and were not yet requested: at most one read of the connection. */
  #pieces: Buffer[] = [];
  #bytes = 0;
  #paused = false;
  #state: 'coming' | 'complete' | 'failed' | 'left' = 'coming';
  #error: unknown;
  /** Wakes the waiting reader after a change of state. */
  #wake: (() => void) | undefined;

  constructor(req: HttpRequest, streaming: Streaming) {
    this.#req = req;
    this.#streaming = streaming;
    this.#tinyChunks = new TinyChunkGuard(req);
    pipeBody(req, this);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  holds(bytes: number): void {
    this.#streaming.holds(bytes);
  }

  async next(): Promise<IteratorResult<Buffer, undefined>> {
    if (this.#paused && this.#pieces.length === 0 && this.#state === 'coming') {
      // A connection with more to read would otherwise be read again before all others.
      await setImmediate();
      this.#paused = false;
      resumeBody(this.#req);
    }
    while (this.#pieces.length === 0 && this.#state === 'coming') await this.#waitForClient();
    if (this.#state === 'failed') throw this.#error;
    if (this.#state === 'left') return { done: true, value: undefined };
    if (this.#pieces.length > 0) {
      const value = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
      this.#pieces = [];
      return { done: false, value };
    }
    this.#streaming.complete();
    return { done: true, value: undefined };
  }

  /** Stops reading: the rest of the body is discarded. */
  async return(): Promise<IteratorResult<Buffer, undefined>> {
    if (this.#state === 'coming') this.#state = 'left';
    this.#pieces = [];
    if (this.#paused) resumeBody(this.#req);
    this.#paused = false;
    this.#wake?.();
    return { done: true, value: undefined };
  }

  onData(bytes: Buffer): void {
    if (this.#state !== 'coming') return;
    this.#bytes += bytes.length;
    if (this.#bytes > this.#streaming.bytesMax) {
      this.#fail(tooLarge(this.#streaming.bytesMax, this.#streaming.flag));
    } else if (this.#tinyChunks.areTooMany(bytes.length)) {
      this.#fail(problems.tinyChunks(pieceBytesMin));
    } else {
      this.#pieces.push(bytes);
      if (!this.#paused) pauseBody(this.#req);
      this.#paused = true;
      this.#wake?.();
    }
  }

  end(): void {
    if (this.#state === 'coming') this.#state = 'complete';
    this.#wake?.();
  }

  onAbort(): void {
    this.#fail(new ClientGoneError('the client disconnected before its request was complete'));
  }

  onTimeout(): void {
    this.#fail(problems.requestTimeout());
  }

  #fail(error: unknown): void {
    // A complete body no longer depends on the client.
    if (this.#state !== 'coming') return;
    this.#state = 'failed';
    this.#error = error;
    this.#pieces = [];
    this.#wake?.();
  }

  /** Waits until the client sends something, or times out. */
  async #waitForClient(): Promise<void> {
    const { watch } = this.#streaming;
    this.ticksLeft = watch.ticks();
    watch.add(this);
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
    watch.delete(this);
  }
}
