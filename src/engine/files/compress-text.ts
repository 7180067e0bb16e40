/** Compresses a text in a thread, piece by piece: no other request waits for it, and a large text is never in memory as a whole. */
import { setTimeout as delay } from 'node:timers/promises';
import type { BrotliCompress, Gzip } from 'node:zlib';

/** Bytes that are compressed in one step. */
const pieceBytes = 64 * 1024;

export interface Compression {
  /** Made for this text; it is destroyed afterwards. */
  readonly encoder: Gzip | BrotliCompress;
  /** Receives the compressed bytes, one call at a time. */
  take(bytes: Buffer): Promise<void> | void;
  /** Called with each piece of the text before it is compressed; throws to stop. */
  onText?(piece: Buffer): void;
  /** Pause after each 64 KiB, in milliseconds, which leaves the processor to requests; default 0. */
  readonly pauseMs?: number;
}

/** Rejects with the first error of the text, of the encoder, of `take` or of `onText`. */
export async function compressText(
  text: Iterable<string | Buffer>,
  { encoder, take, onText, pauseMs = 0 }: Compression,
): Promise<void> {
  let taking: Promise<void> = Promise.resolve();
  encoder.on('data', (bytes: Buffer) => {
    taking = taking.then(() => take(bytes));
    taking.catch(() => undefined);
  });
  const ended = new Promise<void>((resolve, reject) => void encoder.once('end', resolve).once('error', reject));
  // The error is that of the piece that is being written.
  ended.catch(() => undefined);
  try {
    for (const piece of inPieces(text)) {
      onText?.(piece);
      await new Promise<void>((resolve, reject) => {
        encoder.write(piece, (error) => (error ? reject(error) : resolve()));
      });
      await taking;
      if (pauseMs > 0) await delay(pauseMs);
    }
    encoder.end();
    await ended;
    await taking;
  } finally {
    encoder.destroy();
  }
}

function* inPieces(text: Iterable<string | Buffer>): Generator<Buffer, void> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for (const part of text) {
    const buffer = typeof part === 'string' ? Buffer.from(part) : part;
    waiting.push(buffer);
    bytes += buffer.byteLength;
    if (bytes < pieceBytes) continue;
    yield Buffer.concat(waiting, bytes);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting, bytes);
}
