/**
 * Bodies that are stored with gzip, for clients that do not accept it. A body decompresses to up to a thousand times its length, so
 * it is never decompressed ahead of its client: one chunk is made, and the next when the client has read it.
 *
 * Making a chunk is a step in libuv's thread pool. Few steps run at a time, so that other requests get their share of the processor. A
 * client that reads nothing has no step.
 */
import type { TransformOptions } from 'node:stream';
import { createGunzip, type Gunzip, type ZlibOptions } from 'node:zlib';
import type { BodySource } from './body-pump.ts';
import { type OpenFile, readPiece } from './file-source.ts';
import { pieceBytes } from './output-buffers.ts';

/** Maximum number of concurrent steps. */
export const gunzipStepsMax = 8;

/** Memory of zlib for one body, in bytes: the window of 32 KiB, tables, and the objects of the stream. */
const stateBytes = 48 * 1024;

/** Memory for one client, in bytes: the chunk that it reads, and the buffer of the next one, which Node allocates in advance. */
export const gunzipBytes = stateBytes + 2 * pieceBytes;

/** Bytes that are read from a file in one step. */
export const gzipPieceBytes = 32 * 1024;

interface GzipPiece {
  readonly piece: Buffer;
  readonly isLast: boolean;
}

/** Compressed bytes, a piece at a time. */
interface GzipSource {
  /** The next piece, and whether it is the last one; there is always one. One call at a time, none after the last piece. */
  next(): Promise<GzipPiece> | GzipPiece;
  close(): void;
}

/** Bytes in memory, as one piece. */
export function sourceOfBytes(bytes: Buffer): GzipSource {
  return { next: () => ({ piece: bytes, isLast: true }), close: () => undefined };
}

/** The file is closed with the source. */
export function sourceOfFile(file: OpenFile): GzipSource {
  let at = 0;
  return {
    next: async () => {
      const piece = Buffer.allocUnsafe(Math.min(gzipPieceBytes, file.bytes - at));
      const length = await readPiece(file, piece, 0, piece.length, at);
      at += length;
      return { piece: piece.subarray(0, length), isLast: at === file.bytes };
    },
    close: () => file.close(),
  };
}

/** Limits the concurrent steps of a listener. Others wait, first in, first out. */
export class GunzipSteps {
  running = 0;
  readonly #waiting = new Set<() => void>();

  /** Runs `step` as soon as it may; it must call {@link end} once. */
  begin(step: () => void): void {
    if (this.running >= gunzipStepsMax) {
      this.#waiting.add(step);
      return;
    }
    this.running++;
    step();
  }

  end(): void {
    this.running--;
    for (const next of this.#waiting) {
      this.cancel(next);
      this.begin(next);
      return;
    }
  }

  /** Forgets a step that has not begun. */
  cancel(step: () => void): void {
    this.#waiting.delete(step);
  }
}

/** With this high-water mark, which the types of Node lack, the stream makes a chunk only when it is asked for one. */
const options: ZlibOptions & TransformOptions = { chunkSize: pieceBytes, readableHighWaterMark: 0 };

/** Receives one chunk; `undefined` after the last one, or with an error. */
type OnChunk = (error: Error | undefined, chunk: Buffer | undefined) => void;

/** Decompresses one body, a chunk of at most {@link pieceBytes} at a time. */
class Gunzipper {
  readonly #stream: Gunzip;
  readonly #source: GzipSource;
  /** The stream has used up its input. */
  #isHungry = true;
  #isClosed = false;
  #ended = false;
  #then: OnChunk | undefined;

  constructor(source: GzipSource) {
    this.#source = source;
    this.#stream = createGunzip(options);
    this.#stream
      .on('readable', () => {
        if (this.#then === undefined) return;
        const chunk: Buffer | null = this.#stream.read();
        if (chunk !== null) this.#hand(undefined, chunk);
      })
      .on('end', () => {
        this.#ended = true;
        this.#hand(undefined, undefined);
      })
      .on('error', (error) => this.#hand(error, undefined));
  }

  /** Makes the next chunk, one at a time. */
  next(then: OnChunk): void {
    if (this.#ended) {
      then(undefined, undefined);
      return;
    }
    this.#then = then;
    const chunk: Buffer | null = this.#stream.read();
    if (chunk !== null) this.#hand(undefined, chunk);
    else if (this.#isHungry) void this.#feed();
  }

  /** Frees the memory. Not allowed while a chunk is made. */
  close(): void {
    this.#isClosed = true;
    this.#stream.destroy();
    this.#source.close();
  }

  /** Gives the stream its next input. Never rejects. */
  async #feed(): Promise<void> {
    this.#isHungry = false;
    try {
      const next = this.#source.next();
      const { piece, isLast } = next instanceof Promise ? await next : next;
      if (this.#isClosed) return;
      // The end together with the last piece: alone, it would be one more step of a thread.
      if (isLast) this.#stream.end(piece);
      else this.#stream.write(piece, (error) => this.#onEaten(error));
    } catch (error) {
      this.#hand(error as Error, undefined);
    }
  }

  #onEaten(error: Error | null | undefined): void {
    // An error is an event of the stream, too.
    if (error || this.#isClosed) return;
    this.#isHungry = true;
    if (this.#then !== undefined) void this.#feed();
  }

  #hand(error: Error | undefined, chunk: Buffer | undefined): void {
    const then = this.#then;
    this.#then = undefined;
    then?.(error, chunk);
  }
}

/** The body, decompressed in few steps at a time. */
export function gunzipSource(compressed: GzipSource, steps: GunzipSteps): BodySource {
  const gunzipper = new Gunzipper(compressed);
  let step: (() => void) | undefined;
  return {
    next(made) {
      step = () => {
        step = undefined;
        gunzipper.next((error, chunk) => {
          steps.end();
          made(error, chunk);
        });
      };
      steps.begin(step);
    },
    cancel() {
      if (step === undefined) return false;
      steps.cancel(step);
      return true;
    },
    close: () => gunzipper.close(),
  };
}
