/**
 * Reads a request body, bounded in bytes, in the time without progress, and in pieces. Node delivers every chunk of a chunked body as a
 * Buffer, which costs microseconds and hundreds of bytes: five megabytes in one-byte chunks would take most of a gigabyte. So pieces are
 * joined immediately, and a body with too many tiny chunks is refused.
 */
import type { ProgressEntry, ProgressTimer } from '../guard/progress-timer.ts';
import { problems } from '../problem.ts';
import { InProcessRequest } from '../transport/in-process-request.ts';
import { type BodySink, Incoming } from '../transport/incoming.ts';
import type { HttpRequest } from '../transport/transport.ts';
import { ClientGoneError, tooLarge } from './body.ts';
import { keptBody } from './kept-body.ts';

interface ReadOptions {
  /** Bytes that the body may have. */
  readonly bytesMax: number;
  /** Bytes that `Content-Length` announced; 0 when it did not. */
  readonly bytesExpected: number;
  /** Fails a body that makes no progress. */
  readonly watch: ProgressTimer;
  /** Called before more bytes are held; throws a problem if they exceed a limit. */
  hold(bytes: number): void;
  /** Receives the body. Either this, {@link ReadOptions.failed} or {@link ReadOptions.overflowed} is called, once. */
  received(bytes: Buffer): void;
  /** Receives the beginning of a body that is too long, instead of the 413; it then reads the rest itself. */
  overflowed?(bytes: Buffer): void;
  failed(error: unknown): void;
}

const nothing = Buffer.alloc(0);

/** Minimum size of the buffer for a body of several pieces, in bytes. */
const roomBytesMin = 4096;

/** Chunks that a body may have regardless of their size; with more, their average must be at least {@link pieceBytesMin}. */
const piecesMax = 4096;
export const pieceBytesMin = 16;

/** Pieces of one body after which other requests run: one read may contain thousands. */
const piecesPerTurnMax = 256;

/**
 * Reads a body. Fails with a 413 problem as soon as it is too long (the rest stays unread), with a 408 problem when it stalls, with
 * what `hold` throws, and with {@link ClientGoneError} when the connection ends first.
 */
export function receive(req: HttpRequest, reception: ReadOptions): void {
  const receiver = new Receiver(req, reception);
  reception.watch.add(receiver);
  pipeBody(req, receiver);
}

/**
 * Reads and discards the rest of a request until it ends, has too many tiny chunks, or `forMs` milliseconds are over; then calls `done`,
 * once.
 */
export function discard(req: HttpRequest, forMs: number, done: () => void): void {
  let isOver = false;
  const over = (): void => {
    clearTimeout(timer);
    if (!isOver) done();
    isOver = true;
  };
  const tinyChunks = new Pieces(req);
  const timer = setTimeout(over, forMs);
  const piece = (bytes: Buffer): void => {
    if (!isOver && tinyChunks.areTooMany(bytes.length)) over();
  };
  pipeBody(req, { onData: piece, end: over, onAbort: over });
}

// Our own request classes pass a body on directly; the requests of a foreign server are streams.

const isDirect = (req: HttpRequest): req is Incoming | InProcessRequest =>
  req instanceof Incoming || req instanceof InProcessRequest;

/** Sends the body of a request to a sink, from its beginning or from where the previous sink stopped; a stream feeds all its sinks. */
export function pipeBody(req: HttpRequest, sink: BodySink): void {
  if (isDirect(req)) req.pipeTo(sink);
  else if (req.readableEnded) {
    // Another program has read it.
    const bytes = keptBody(req);
    if (bytes.length > 0) sink.onData(bytes);
    sink.end();
  } else {
    // The listeners stay after the end of the body: a late ECONNRESET without a listener would end the process.
    const gone = (): void => sink.onAbort();
    req
      .on('data', (bytes: Buffer) => sink.onData(bytes))
      .on('end', () => sink.end())
      .on('error', gone)
      .on('close', gone);
  }
}

/** Pauses the connection of a request; bytes that were already read may still arrive. */
export function pauseBody(req: HttpRequest): void {
  if (isDirect(req)) req.pauseConnection();
  else req.pause();
}

/** Resumes after {@link pauseBody}. */
export function resumeBody(req: HttpRequest): void {
  if (isDirect(req)) req.resumeConnection();
  else req.resume();
}

/** Joins the pieces of a chunked body that have arrived while it waits for its turn. */
export function joinPieces(req: HttpRequest): void {
  if (isDirect(req)) return;
  const bytes = req.read() as Buffer | null;
  if (bytes !== null) req.unshift(bytes);
}

/** Discards a chunked body that the endpoint does not take, while the request is handled. */
export function ignoreChunks(req: HttpRequest): void {
  const pieces = new Pieces(req);
  const piece = (bytes: Buffer): void => {
    // The length of the body is unknown, so the connection closes with the response: nothing else will be read on it.
    if (pieces.areTooMany(bytes.length)) req.socket?.pause();
  };
  pipeBody(req, { onData: piece, end: ignore, onAbort: ignore });
}

class Receiver implements ProgressEntry, BodySink {
  ticksLeft: number;
  readonly #reception: ReadOptions;
  readonly #pieces: Pieces;
  #bytes: Buffer = nothing;
  #length = 0;
  #settled = false;

  constructor(req: HttpRequest, reception: ReadOptions) {
    this.#reception = reception;
    this.#pieces = new Pieces(req);
    this.ticksLeft = reception.watch.ticks();
  }

  onTimeout(): void {
    this.#fail(problems.requestTimeout());
  }

  onData(chunk: Buffer): void {
    if (this.#settled) return;
    const { bytesMax, watch, overflowed } = this.#reception;
    this.ticksLeft = watch.ticks();
    const length = this.#length + chunk.length;
    try {
      if (length > bytesMax) {
        if (overflowed === undefined) throw tooLarge(bytesMax);
        if (this.#complete()) this.#reception.overflowed?.(Buffer.concat([this.#bytes.subarray(0, this.#length), chunk]));
        return;
      }
      if (this.#pieces.areTooMany(chunk.length)) {
        throw problems.tinyChunks(pieceBytesMin);
      }
      if (this.#length === 0) {
        // Most bodies come in one piece, which is used without a copy.
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

  /** Doubles the buffer, so that each byte is copied about once, up to the maximum length of the body. */
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
    if (!this.#complete()) return;
    this.#reception.received(this.#length === this.#bytes.length ? this.#bytes : this.#bytes.subarray(0, this.#length));
  }

  onAbort(): void {
    if (!this.#settled) this.#fail(new ClientGoneError('the client disconnected before its request was complete'));
  }

  #fail(error: unknown): void {
    if (this.#complete()) this.#reception.failed(error);
  }

  /** Marks the body as completed or failed; `false` if it was before. */
  #complete(): boolean {
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

  constructor(req: HttpRequest) {
    // Without chunks, a small piece is a packet, which costs its sender as much.
    this.#chunked = req.headers['transfer-encoding'] !== undefined;
  }

  /** The number of chunks so far. */
  get count(): number {
    return this.#count;
  }

  /** Counts a piece; whether the body has too many tiny chunks. */
  areTooMany(bytes: number): boolean {
    if (!this.#chunked) return false;
    this.#count++;
    this.#bytes += bytes;
    return this.#count > piecesMax && this.#bytes < this.#count * pieceBytesMin;
  }
}

/** Also pauses the connection for a turn of the event loop after every {@link piecesPerTurnMax} pieces. */
class Pieces extends TinyChunkGuard {
  readonly #req: HttpRequest;
  #waits = false;

  constructor(req: HttpRequest) {
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
    socket?.pause();
    setImmediate(() => {
      this.#waits = false;
      socket?.resume();
    });
  }
}

function ignore(): void {}
