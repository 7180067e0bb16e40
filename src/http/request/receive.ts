/**
 * A request body as it arrives: bounded in bytes, in the time without one, and in pieces. Node hands over every chunk of a chunked body
 * as a Buffer of its own, which costs microseconds and hundreds of bytes: kept as they come, five megabytes of one-byte chunks would be
 * most of a gigabyte. So the pieces are put together at once, and who sends nothing but crumbs is refused.
 */
import type { IncomingMessage } from 'node:http';
import type { ProgressTimer, Watched } from '../guard/progress-timer.ts';
import { problems } from '../problem.ts';
import { ClientGoneError, tooLarge } from './body.ts';
import { type BodySink, pipeBody } from './incoming.ts';

export interface ReadOptions {
  /** Bytes that the body may have. */
  readonly bytesMax: number;
  /** Bytes that `Content-Length` announced; 0 when it did not. */
  readonly bytesExpected: number;
  /** Gives up a body of which nothing comes any more. */
  readonly watch: ProgressTimer;
  /** Asked before so many more bytes are held; throws a problem when there is no room for them. */
  hold(bytes: number): void;
  /** The body is there. Either this is called, or {@link ReadOptions.failed}, once. */
  received(bytes: Buffer): void;
  failed(error: unknown): void;
}

const nothing = Buffer.alloc(0);

/** Bytes that a body of several pieces takes at the least. */
const roomBytesMin = 4096;

/** Pieces that a chunked body may come in whatever their size; beyond them, each has to have {@link pieceBytesMin} on average. */
const piecesMax = 4096;
export const pieceBytesMin = 16;

/** Pieces of a body after which others have their turn: thousands of them may be in what is read at once. */
const piecesPerTurnMax = 256;

/**
 * Reads a body. Fails with a 413 problem as soon as it is too long (the rest stays unread), with a 408 problem when it stalls, with
 * what `hold` throws, and with {@link ClientGoneError} when the connection ends first.
 */
export function receive(req: IncomingMessage, reception: ReadOptions): void {
  new Receiver(req, reception).start();
}

/**
 * Takes what is left of a request off the wire and throws it away, until it ends, turns out to be crumbs, or `forMs` milliseconds are
 * over; then calls `done`, once.
 */
export function discard(req: IncomingMessage, forMs: number, done: () => void): void {
  let isOver = false;
  const over = (): void => {
    clearTimeout(timer);
    if (!isOver) done();
    isOver = true;
  };
  const crumbs = new Pieces(req);
  const timer = setTimeout(over, forMs);
  const piece = (bytes: Buffer): void => {
    if (!isOver && crumbs.areTooMany(bytes.length)) over();
  };
  pipeBody(req, { piece, end: over, gone: over });
}

/** Throws away a chunked body that nobody asked for, while its request is answered. */
export function ignoreChunks(req: IncomingMessage): void {
  const pieces = new Pieces(req);
  const piece = (bytes: Buffer): void => {
    // The connection closes with the answer, since nobody knows how long the body is: nothing else will be read on it.
    if (pieces.areTooMany(bytes.length)) req.socket.pause();
  };
  pipeBody(req, { piece, end: ignore, gone: ignore });
}

class Receiver implements Watched, BodySink {
  looksLeft: number;
  readonly #req: IncomingMessage;
  readonly #reception: ReadOptions;
  readonly #pieces: Pieces;
  #bytes: Buffer = nothing;
  #length = 0;
  #settled = false;

  constructor(req: IncomingMessage, reception: ReadOptions) {
    this.#req = req;
    this.#reception = reception;
    this.#pieces = new Pieces(req);
    this.looksLeft = reception.watch.looks();
  }

  start(): void {
    this.#reception.watch.add(this);
    pipeBody(this.#req, this);
  }

  onLate(): void {
    this.#fail(problems.requestTimeout());
  }

  piece(chunk: Buffer): void {
    if (this.#settled) return;
    const { bytesMax, watch } = this.#reception;
    this.looksLeft = watch.looks();
    const length = this.#length + chunk.length;
    try {
      if (length > bytesMax) throw tooLarge(bytesMax);
      if (this.#pieces.areTooMany(chunk.length)) {
        throw problems.crumbs(pieceBytesMin);
      }
      if (this.#length === 0) {
        // Most bodies come in one piece, and that is theirs.
        this.#reception.hold(chunk.length);
        this.#bytes = chunk;
      } else {
        if (length > this.#bytes.length) this.#grow(length);
        chunk.copy(this.#bytes, this.#length);
      }
      this.#length = length;
    } catch (problem) {
      this.#fail(problem);
    }
  }

  /** Doubles, so that a body is copied about once however it comes; but not beyond what it can become. */
  #grow(needed: number): void {
    const { bytesMax, bytesExpected } = this.#reception;
    const most = bytesExpected > 0 ? bytesExpected : bytesMax;
    const size = Math.max(needed, Math.min(most, Math.max(roomBytesMin, 2 * this.#bytes.length)));
    this.#reception.hold(size - this.#bytes.length);
    const larger = Buffer.allocUnsafeSlow(size);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  end(): void {
    if (!this.#settle()) return;
    this.#reception.received(this.#length === this.#bytes.length ? this.#bytes : this.#bytes.subarray(0, this.#length));
  }

  gone(): void {
    if (!this.#settled) this.#fail(new ClientGoneError('the client went away before its request was complete'));
  }

  #fail(error: unknown): void {
    if (this.#settle()) this.#reception.failed(error);
  }

  /** Whether that was not done before. */
  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#reception.watch.delete(this);
    return true;
  }
}

/** Counts the pieces of a body. */
export class TinyChunkGuard {
  readonly #chunked: boolean;
  #count = 0;
  #bytes = 0;

  constructor(req: IncomingMessage) {
    // Without chunks, a small piece is a packet of its own, whose sender pays for it.
    this.#chunked = req.headers['transfer-encoding'] !== undefined;
  }

  /** How many have come in chunks. */
  get count(): number {
    return this.#count;
  }

  /** To be called for every piece; whether the body is nothing but crumbs. */
  areTooMany(bytes: number): boolean {
    if (!this.#chunked) return false;
    this.#count++;
    this.#bytes += bytes;
    return this.#count > piecesMax && this.#bytes < this.#count * pieceBytesMin;
  }
}

/** The same, with a connection that waits for a turn of the event loop when they are many. */
class Pieces extends TinyChunkGuard {
  readonly #req: IncomingMessage;
  #waits = false;

  constructor(req: IncomingMessage) {
    super(req);
    this.#req = req;
  }

  override areTooMany(bytes: number): boolean {
    const areTooMany = super.areTooMany(bytes);
    if (this.count > 0 && this.count % piecesPerTurnMax === 0 && !this.#waits) this.#wait();
    return areTooMany;
  }

  #wait(): void {
    const { socket } = this.#req;
    this.#waits = true;
    socket.pause();
    setImmediate(() => {
      this.#waits = false;
      socket.resume();
    });
  }
}

function ignore(): void {}
