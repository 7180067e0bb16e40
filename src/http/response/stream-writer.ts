/**
 * Writes the parts of a large answer as pieces of about 64 KiB, no faster than they are read, and lets others have their turn between.
 * Where the answer is coded, one piece is in the coder at a time, and the next is made when what has become of it was taken.
 */
import type { ServerResponse } from 'node:http';
import type { Encoder } from './compression.ts';
import { type OutputBuffers, type PendingBytes, pieceBytes } from './output-buffers.ts';

/** Characters of what is a short text. */
const shortLength = 4096;

export interface Piece {
  /** A string has ASCII characters only. */
  readonly piece: Buffer | string;
  /** Whether the parts have come to their end. */
  readonly done: boolean;
}

/**
 * Takes parts until there are {@link pieceBytes} of them, or no more: enough that the overhead of a piece vanishes, and so few that
 * making one holds nobody up.
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
  // A short text goes out together with the headers; a long one would be copied once more for that.
  if (buffers.length === 0 && size < shortLength && Buffer.byteLength(text) === text.length) return { piece: text, done };
  if (text !== '') buffers.push(Buffer.from(text));
  return { piece: buffers.length === 1 ? (buffers[0] as Buffer) : Buffer.concat(buffers), done };
}

/** One answer under way. Its head has been written. */
export class StreamWriter {
  readonly #res: ServerResponse;
  readonly #parts: Iterator<Buffer | string>;
  readonly #answers: OutputBuffers;
  readonly #coder: Encoder | undefined;
  readonly #onBroken: (error: unknown) => void;
  /** What else is in memory for the answer. */
  readonly #behind: { readonly bytes: number } | undefined;
  #held: PendingBytes | undefined;
  #over = false;

  /**
   * @param coder what the parts go through first
   * @param onBroken told why the parts broke off; the connection is then cut, so that nobody takes half an answer for a whole one
   */
  constructor(
    res: ServerResponse,
    parts: Iterator<Buffer | string>,
    answers: OutputBuffers,
    coder: Encoder | undefined,
    onBroken: (error: unknown) => void,
    behind?: { readonly bytes: number },
  ) {
    this.#behind = behind;
    this.#res = res;
    this.#parts = parts;
    this.#answers = answers;
    this.#coder = coder;
    this.#onBroken = onBroken;
  }

  /** Writes the first piece, and from then on goes on by itself. */
  start(first: Buffer | string): void {
    // After the last byte has been handed over, and as well when the client leaves before.
    this.#res.once('close', () => this.#stop());
    this.#answers.cutOffWhenStalled(this.#res);
    this.#code(first, false);
  }

  #code(piece: Buffer | string, last: boolean): void {
    if (this.#coder === undefined) {
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
    if (last) this.#coder.end(bytes, coded);
    else this.#coder.code(bytes, coded);
  }

  #write(piece: Buffer | string, last: boolean): void {
    if (last) {
      this.#over = true;
      this.#res.end(piece, 'latin1');
      if (this.#res.writableLength > 0) this.#held = this.#answers.hold(this.#res, piece.length);
      return;
    }
    // A drained socket says so within the same turn; only setImmediate lets the other connections have theirs.
    const next = (): unknown => setImmediate(() => this.#next());
    if (this.#res.write(piece, 'latin1')) {
      next();
      return;
    }
    this.#res.once('drain', () => {
      this.#taken();
      next();
    });
    this.#held = this.#answers.hold(this.#res, piece.length, this.#behind?.bytes);
  }

  #taken(): void {
    if (this.#held !== undefined) this.#answers.release(this.#held);
    this.#held = undefined;
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
    this.#coder?.close();
    if (this.#over) return;
    this.#over = true;
    try {
      this.#parts.return?.();
    } catch (error) {
      this.#onBroken(error);
    }
  }
}
