/**
 * Writes the parts of a large response in pieces of about 64 KiB, no faster than the client reads, and lets other requests run between
 * them. With compression, the encoder works on one piece at a time, and the next is made when the client has read its output.
 */
import type { HttpResponse } from '../transport/transport.ts';
import type { Encoder } from './compression.ts';
import { type OutputBuffers, type PendingBytes, pieceBytes } from './output-buffers.ts';

/** Maximum length of a short text, in characters. */
const shortLength = 4096;

interface Piece {
  /** A string contains only ASCII characters. */
  readonly piece: Buffer | string;
  /** Whether the parts are exhausted. */
  readonly done: boolean;
}

/**
 * Takes parts until they reach the size of a piece or are exhausted. It is large enough to make the overhead of a piece negligible, and
 * small enough not to delay other requests.
 */
export function take(parts: Iterator<Buffer | string>): Piece {
  const buffers: Buffer[] = [];
  let text = '';
  let size = 0;
  let done = false;
  while (size < pieceBytes) {
    const part = parts.next();
    if (part.done === true) {
      done = true;
      break;
    }
    size += part.value.length;
    if (typeof part.value === 'string') text += part.value;
    else {
      if (text !== '') buffers.push(Buffer.from(text));
      text = '';
      buffers.push(part.value);
    }
  }
  // A short text is sent together with the headers; a long one would be copied once more for that.
  if (buffers.length === 0 && size < shortLength && Buffer.byteLength(text) === text.length) return { piece: text, done };
  if (text !== '') buffers.push(Buffer.from(text));
  return { piece: buffers.length === 1 ? (buffers[0] as Buffer) : Buffer.concat(buffers), done };
}

/** One response in progress. Its head has been written. */
export class StreamWriter {
  readonly #res: HttpResponse;
  readonly #parts: Iterator<Buffer | string>;
  readonly #responses: OutputBuffers;
  readonly #encoder: Encoder | undefined;
  readonly #onBroken: (error: unknown) => void;
  /** Other memory that the response holds. */
  readonly #others: { readonly bytes: number } | undefined;
  #pending: PendingBytes | undefined;
  #over = false;

  /**
   * @param encoder compresses the pieces
   * @param onBroken receives the error if the parts fail; the connection is then closed, so that no client takes a partial response for
   *   a complete one
   * @param others other memory that the response holds until it is sent
   */
  constructor(
    res: HttpResponse,
    parts: Iterator<Buffer | string>,
    responses: OutputBuffers,
    encoder: Encoder | undefined,
    onBroken: (error: unknown) => void,
    others?: { readonly bytes: number },
  ) {
    this.#others = others;
    this.#res = res;
    this.#parts = parts;
    this.#responses = responses;
    this.#encoder = encoder;
    this.#onBroken = onBroken;
  }

  /** Writes the first piece; the others follow in the background. */
  start(first: Buffer | string): void {
    // `close` comes after the last byte is handed over, and also when the client disconnects earlier.
    this.#res.once('close', () => this.#stop());
    this.#responses.cutOffWhenStalled(this.#res);
    this.#code(first, false);
  }

  #code(piece: Buffer | string, last: boolean): void {
    if (this.#encoder === undefined) {
      this.#write(piece, last);
      return;
    }
    const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece;
    const coded = (error: Error | undefined, written: Buffer): void => {
      if (error === undefined) this.#write(written, last);
      else {
        this.#res.destroy();
        this.#onBroken(error);
      }
    };
    if (last) this.#encoder.end(bytes, coded);
    else this.#encoder.code(bytes, coded);
  }

  #write(piece: Buffer | string, last: boolean): void {
    if (last) {
      this.#over = true;
      this.#res.end(piece, 'latin1');
      if (this.#res.writableLength > 0) this.#pending = this.#responses.hold(this.#res, piece.length);
      return;
    }
    // A drained socket reports it within the same turn; only setImmediate lets other connections run.
    const next = (): unknown => setImmediate(() => this.#next());
    if (this.#res.write(piece, 'latin1')) {
      next();
      return;
    }
    this.#res.once('drain', () => {
      this.#taken();
      next();
    });
    this.#pending = this.#responses.hold(this.#res, piece.length, this.#others?.bytes);
  }

  #taken(): void {
    if (this.#pending !== undefined) this.#responses.release(this.#pending);
    this.#pending = undefined;
  }

  #next(): void {
    if (this.#over) return;
    try {
      const { piece, done } = take(this.#parts);
      this.#code(piece, done);
    } catch (error) {
      this.#over = true;
      this.#res.destroy();
      this.#onBroken(error);
    }
  }

  #stop(): void {
    this.#taken();
    this.#encoder?.close();
    if (this.#over) return;
    this.#over = true;
    try {
      this.#parts.return?.();
    } catch (error) {
      this.#onBroken(error);
    }
  }
}
