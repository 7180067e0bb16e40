/**
 * A request as our own servers read it, and the one way in which anybody reads a body.
 *
 * Node makes a stream of every request, with or without a body, and lets it flow to its end after the answer: several times what it
 * costs to look up what was asked for. `createServer` takes a class to make requests of instead. This one is handed the pieces of a body
 * by the parser as before (`push`), and hands them on as they are; there is no stream behind it, so the events `data` and `readable`
 * never come. A foreign server's requests are streams, and are read as such.
 */
import { IncomingMessage } from 'node:http';

/** Who is given a body. Either `end` or `gone` is the last call, or there is none when another taker follows. */
export interface BodySink {
  piece(bytes: Buffer): void;
  /** The body is complete. */
  end(): void;
  /** The connection is gone. May be called again, and after {@link end}. */
  gone(): void;
}

/** Bytes of a body that nobody takes yet, beyond which its connection is not read any further. */
const keptBytesMax = 16 * 1024;

/** Pieces that are kept as they came: each is an object of hundreds of bytes. */
const keptPiecesMax = 64;

export class Incoming extends IncomingMessage {
  #taker: BodySink | undefined;
  #kept: Buffer[] | undefined;
  #keptBytes = 0;
  #stopped = false;

  /** Called by the parser, for every piece and at the end; `false` stops the reading of the connection. */
  override push(piece: Buffer | null): boolean {
    if (piece === null) {
      this.#taker?.end();
      this.emit('end');
    } else if (this.#taker !== undefined) this.#taker.piece(piece);
    else this.#keep(piece);
    return !this.#stopped;
  }

  /** From now on all pieces go to this taker, those that have been kept at once. */
  giveTo(taker: BodySink): void {
    this.#taker = taker;
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept !== undefined) taker.piece(kept.length === 1 ? (kept[0] as Buffer) : Buffer.concat(kept));
    if (this.complete) taker.end();
    else this.go();
  }

  /** What was read is taken, but nothing more is read until {@link go}. */
  stop(): void {
    this.#stopped = true;
  }

  /** Goes on reading. */
  go(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.socket.resume();
  }

  /** Called by Node once the request is answered: what is still to come of it is thrown away. */
  override resume(): this {
    this.#kept = undefined;
    if (!this.complete) this.go();
    return this;
  }

  /** Called by Node when the connection ends before the answer. */
  override destroy(error?: Error): this {
    super.destroy(error);
    this.#taker?.gone();
    return this;
  }

  #keep(piece: Buffer): void {
    this.#kept ??= [];
    if (this.#kept.push(piece) > keptPiecesMax) this.#kept = [Buffer.concat(this.#kept)];
    this.#keptBytes += piece.length;
    if (this.#keptBytes >= keptBytesMax) this.#stopped = true;
  }
}

/** What Node asks before it lets go of a request: there is nothing left to read when all of it has come. */
Object.defineProperty(Incoming.prototype, 'readableEnded', {
  get(this: Incoming): boolean {
    return this.complete;
  },
});

/** Gives the body of a request to a taker, from its beginning or from where another was; of a stream, all takers are given it. */
export function pipeBody(req: IncomingMessage, taker: BodySink): void {
  if (req instanceof Incoming) req.giveTo(taker);
  else {
    // The listeners stay when the body is in: a late ECONNRESET has no one left to tell, but without one it would end the process.
    const gone = (): void => taker.gone();
    req
      .on('data', (bytes: Buffer) => taker.piece(bytes))
      .on('end', () => taker.end())
      .on('error', gone)
      .on('close', gone);
  }
}

/** Has the connection of a request not be read any further; what was read already may still come. */
export function pauseBody(req: IncomingMessage): void {
  if (req instanceof Incoming) req.stop();
  else req.pause();
}

/** Goes on after {@link pauseBody}. */
export function resumeBody(req: IncomingMessage): void {
  if (req instanceof Incoming) req.go();
  else req.resume();
}

/** Makes one piece of what has come of a chunked body that has to wait for its turn. */
export function joinPieces(req: IncomingMessage): void {
  if (req instanceof Incoming) return;
  const bytes = req.read() as Buffer | null;
  if (bytes !== null) req.unshift(bytes);
}
