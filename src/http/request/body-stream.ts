/**
 * A request body for an endpoint that reads it itself, piece by piece, while it comes: bounded in bytes and in the time without one. As
 * long as the endpoint is at work on a piece, the client is not read any further, and others have their turn between any two.
 */
import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { ProgressTimer, Watched } from '../guard/progress-timer.ts';
import { problems } from '../problem.ts';
import type { BodyPieces } from '../route.ts';
import { ClientGoneError, tooLarge } from './body.ts';
import { type BodySink, pauseBody, pipeBody, resumeBody } from './incoming.ts';
import { pieceBytesMin, TinyChunkGuard } from './receive.ts';

/** The flag that sets how long such a body may be. */
export const streamedFlag = '--import-mb';

export interface Streaming {
  /** Bytes that the body may have. */
  readonly bytesMax: number;
  /** Gives up a body of which nothing comes any more. */
  readonly watch: ProgressTimer;
  /** So many bytes in all are held of the body now, or of what was made of it; throws a problem when there is no room for them. */
  holds(bytes: number): void;
  /** Called once all of it is there, before the reader is told; what it rejects with is thrown at the reader. */
  complete(): Promise<void> | undefined;
}

export class BodyStream implements BodyPieces, BodySink, Watched, AsyncIterator<Buffer> {
  looksLeft = 0;
  readonly #req: IncomingMessage;
  readonly #streaming: Streaming;
  readonly #crumbs: TinyChunkGuard;
  /** What has come and was not asked for yet: of one read of the connection at most. */
  #pieces: Buffer[] = [];
  #bytes = 0;
  #paused = false;
  #state: 'coming' | 'complete' | 'failed' | 'left' = 'coming';
  #error: unknown;
  /** Tells the reader that waits that there is something new. */
  #wake: (() => void) | undefined;

  constructor(req: IncomingMessage, streaming: Streaming) {
    this.#req = req;
    this.#streaming = streaming;
    this.#crumbs = new TinyChunkGuard(req);
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
      // A connection with more to read would otherwise be read again before any other.
      await setImmediate();
      this.#paused = false;
      resumeBody(this.#req);
    }
    while (this.#pieces.length === 0 && this.#state === 'coming') await this.#news();
    if (this.#state === 'failed') throw this.#error;
    if (this.#pieces.length > 0) {
      const value = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
      this.#pieces = [];
      return { done: false, value };
    }
    await this.#streaming.complete();
    return { done: true, value: undefined };
  }

  /** Nobody reads on: what is still to come is thrown away. */
  async return(): Promise<IteratorResult<Buffer, undefined>> {
    if (this.#state === 'coming') this.#state = 'left';
    this.#pieces = [];
    if (this.#paused) resumeBody(this.#req);
    this.#paused = false;
    return { done: true, value: undefined };
  }

  piece(bytes: Buffer): void {
    if (this.#state !== 'coming') return;
    this.#bytes += bytes.length;
    if (this.#bytes > this.#streaming.bytesMax) {
      this.#fail(tooLarge(this.#streaming.bytesMax, streamedFlag));
    } else if (this.#crumbs.areTooMany(bytes.length)) {
      this.#fail(problems.crumbs(pieceBytesMin));
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

  gone(): void {
    this.#fail(new ClientGoneError('the client went away before its request was complete'));
  }

  onLate(): void {
    this.#fail(problems.requestTimeout());
  }

  #fail(error: unknown): void {
    // What is complete needs no client any more.
    if (this.#state !== 'coming') return;
    this.#state = 'failed';
    this.#error = error;
    this.#pieces = [];
    this.#wake?.();
  }

  /** Waits for the client, which has its time to send something. */
  async #news(): Promise<void> {
    const { watch } = this.#streaming;
    this.looksLeft = watch.looks();
    watch.add(this);
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
    watch.delete(this);
  }
}
