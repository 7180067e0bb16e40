/** A body of parts that are made while it is sent, in pieces of about 64 KiB, with other requests between them; perhaps compressed. */
import type { BodySource, Made } from './body-pump.ts';
import type { Encoder } from './compression.ts';
import { pieceBytes } from './output-buffers.ts';

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

/** @param first the first piece, which was taken to see whether there are more */
export function partsSource(first: Buffer | string, parts: Iterator<Buffer | string>): BodySource {
  let next: Buffer | string | undefined = first;
  let turn: NodeJS.Immediate | undefined;
  return {
    next(made) {
      if (next !== undefined) {
        const piece = next;
        next = undefined;
        made(undefined, piece, false);
        return;
      }
      // A drained socket reports it within the same turn; only setImmediate lets other connections run.
      turn = setImmediate(() => {
        let taken: Piece;
        try {
          taken = take(parts);
        } catch (error) {
          made(error);
          return;
        }
        made(undefined, taken.piece, taken.done);
      });
    },
    cancel() {
      clearImmediate(turn);
      return true;
    },
    close: () => void parts.return?.(),
  };
}

/** The same body compressed: the encoder works on one piece at a time. */
export function codedSource(source: BodySource, encoder: Encoder): BodySource {
  let isCancelled = false;
  return {
    next(made: Made) {
      source.next((error, piece = '', isLast = false) => {
        if (error !== undefined) {
          made(error);
          return;
        }
        const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece;
        const coded = (failed: Error | undefined, written: Buffer): void => {
          if (!isCancelled) made(failed, written, isLast);
        };
        if (isLast) encoder.end(bytes, coded);
        else encoder.code(bytes, coded);
      });
    },
    cancel() {
      isCancelled = true;
      source.cancel?.();
      return true;
    },
    close(isSent) {
      encoder.close();
      source.close(isSent);
    },
  };
}
