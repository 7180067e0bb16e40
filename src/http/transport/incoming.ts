/**
 * The request class of our own servers.
 *
 * Node makes a stream of every request, with or without a body, and lets it flow to its end after the response. That costs several times
 * as much as the lookup of a resource. `createServer` accepts another request class: the parser passes the pieces of a body to this one as
 * usual (`push`), and it passes them on directly. It is not a working stream, so the events `data` and `readable` never occur.
 */
import { IncomingMessage } from 'node:http';

/** Receives a body. The last call is `end` or `onAbort`; there is none if another sink follows. */
export interface BodySink {
  onData(bytes: Buffer): void;
  /** The body is complete. */
  end(): void;
  /** The client has disconnected. May be called again, and after {@link end}. */
  onAbort(): void;
}

/** Bytes of a body without a sink after which its connection is no longer read. */
const keptBytesMax = 16 * 1024;

/** Maximum number of pieces kept separately: each is an object of hundreds of bytes. */
const keptPiecesMax = 64;

export class Incoming extends IncomingMessage {
  #sink: BodySink | undefined;
  #kept: Buffer[] | undefined;
  #keptBytes = 0;
  #stopped = false;

  /** Called by the parser for every piece, and with `null` at the end; `false` pauses the connection. */
  override push(piece: Buffer | null): boolean {
    if (piece === null) {
      this.#sink?.end();
      this.emit('end');
    } else if (this.#sink !== undefined) this.#sink.onData(piece);
    else this.#keep(piece);
    return !this.#stopped;
  }

  /** From now on all pieces go to this sink; kept pieces immediately. */
  pipeTo(sink: BodySink): void {
    this.#sink = sink;
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept !== undefined) sink.onData(kept.length === 1 ? (kept[0] as Buffer) : Buffer.concat(kept));
    if (this.complete) sink.end();
    else this.resumeConnection();
  }

  /** Pauses the connection until {@link resumeConnection}; bytes that were already read still arrive. */
  pauseConnection(): void {
    this.#stopped = true;
  }

  /** Resumes the connection. */
  resumeConnection(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.socket.resume();
  }

  /** Called by Node after the response: the rest of the request is discarded. */
  override resume(): this {
    this.#kept = undefined;
    if (!this.complete) this.resumeConnection();
    return this;
  }

  /** Called by Node 26 and later after the response to a whole request. The inherited method would resume a paused connection. */
  override read(): null {
    this.#kept = undefined;
    return null;
  }

  /** Called by Node when the connection ends before the response. */
  override destroy(error?: Error): this {
    super.destroy(error);
    this.#sink?.onAbort();
    return this;
  }

  #keep(piece: Buffer): void {
    this.#kept ??= [];
    if (this.#kept.push(piece) > keptPiecesMax) this.#kept = [Buffer.concat(this.#kept)];
    this.#keptBytes += piece.length;
    if (this.#keptBytes >= keptBytesMax) this.#stopped = true;
  }
}

/** Node checks this before it releases a request: when the whole request has arrived, nothing is left to read. */
Object.defineProperty(Incoming.prototype, 'readableEnded', {
  get(this: Incoming): boolean {
    return this.complete;
  },
});
