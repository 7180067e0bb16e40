/**
 * Sends bytes of an open file: reads a piece, writes it, and reads the next one when the client has taken it. All reads are asynchronous, so
 * other requests run between them. The file is closed when the response is over and no read is running.
 */
import type { FileHandle } from 'node:fs/promises';
import type { ByteRange } from '../range.ts';
import type { HttpResponse } from '../transport/transport.ts';
import type { OutputBuffers, PendingBytes } from './output-buffers.ts';

/** An open file of known size. */
export interface OpenFile {
  readonly handle: Pick<FileHandle, 'read'>;
  /** Its size. */
  readonly bytes: number;
  close(): void;
}

/**
 * A body that is made piece by piece while it is sent, in the form of a file that is read from its beginning to its end.
 *
 * @param bytes length of all pieces together
 */
export function sequentialFile(pieces: AsyncGenerator<Buffer | string, void>, bytes: number): OpenFile {
  let piece: Buffer = Buffer.alloc(0);
  const read = async (buffer: Uint8Array, offset: number, length: number) => {
    while (piece.length === 0) {
      const next = await pieces.next();
      if (next.done === true) return { bytesRead: 0, buffer };
      piece = typeof next.value === 'string' ? Buffer.from(next.value) : next.value;
    }
    const bytesRead = piece.copy(buffer, offset, 0, length);
    piece = piece.subarray(bytesRead);
    return { bytesRead, buffer };
  };
  return {
    handle: { read } as unknown as OpenFile['handle'],
    bytes,
    close: () => void pieces.return().catch(() => undefined),
  };
}

/** Bytes of one read and one write: larger ones are not faster, and a waiting client holds one. */
export const fileBufferBytes = 128 * 1024;

/** Buffers that wait for the next file: a new one costs as much as reading into it. */
const spare: Buffer[] = [];
const spareMax = 16;

/** How a file is sent. */
export interface FileSending {
  /** Writes the head, once the first bytes are read. */
  begin(): void;
  /** The file could not be read; nothing of the response was sent. Called once. */
  onUnsent(error: unknown): void;
  /** The file could not be read to its end; the connection was closed. Called once. */
  onBroken(error: unknown): void;
}

/** Reads a short range at once and closes the file. Rejects if the file is shorter. */
export async function readAndClose(file: OpenFile, { start, end }: ByteRange): Promise<Buffer> {
  try {
    const buffer = Buffer.allocUnsafe(end - start);
    for (let at = 0; at < buffer.length; ) at += await readPiece(file, buffer, at, buffer.length, start + at);
    return buffer;
  } finally {
    file.close();
  }
}

/** Reads some bytes into `buffer`, from `from` up to `to`; returns their number. */
export async function readPiece(
  { handle, bytes }: OpenFile,
  buffer: Buffer,
  from: number,
  to: number,
  position: number,
): Promise<number> {
  const { bytesRead } = await handle.read(buffer, from, to - from, position);
  if (bytesRead === 0) throw new Error(`the file ends at byte ${position} of ${bytes}`);
  return bytesRead;
}

/** One response in progress. */
export class FileWriter {
  readonly #res: HttpResponse;
  readonly #file: OpenFile;
  readonly #responses: OutputBuffers;
  readonly #sending: FileSending;
  #position: number;
  readonly #end: number;
  #over = false;
  /** Ends the wait for the client. */
  #onTaken: (() => void) | undefined;

  /** @param range must not be empty */
  constructor(res: HttpResponse, file: OpenFile, range: ByteRange, responses: OutputBuffers, sending: FileSending) {
    this.#res = res;
    this.#file = file;
    this.#responses = responses;
    this.#sending = sending;
    this.#position = range.start;
    this.#end = range.end;
  }

  start(): void {
    this.#res.once('close', () => {
      this.#over = true;
      this.#onTaken?.();
    });
    this.#responses.cutOffWhenStalled(this.#res);
    void this.#run();
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    let isBegun = false;
    const buffer = spare.pop() ?? Buffer.allocUnsafeSlow(fileBufferBytes);
    try {
      while (this.#position < this.#end) {
        const length = await readPiece(
          this.#file,
          buffer,
          0,
          Math.min(buffer.length, this.#end - this.#position),
          this.#position,
        );
        if (this.#over) return;
        if (!isBegun) this.#sending.begin();
        isBegun = true;
        this.#position += length;
        await this.#write(buffer.subarray(0, length));
        if (this.#over) return;
      }
      this.#res.end();
      // Not after a disconnect: the socket may still use it.
      if (spare.length < spareMax) spare.push(buffer);
    } catch (error) {
      this.#fail(error, isBegun);
    } finally {
      this.#file.close();
    }
  }

  /** Resolves when the kernel has the bytes, or the client has disconnected. */
  #write(piece: Buffer): Promise<void> {
    return new Promise((resolve) => {
      let pending: PendingBytes | undefined;
      this.#onTaken = () => {
        this.#onTaken = undefined;
        if (pending !== undefined) this.#responses.release(pending);
        resolve();
      };
      this.#res.write(piece, () => this.#onTaken?.());
      // Usually the kernel has accepted everything by now.
      if (this.#res.writableLength > 0) pending = this.#responses.hold(this.#res, piece.length);
    });
  }

  #fail(error: unknown, isBegun: boolean): void {
    if (!isBegun) {
      this.#sending.onUnsent(error);
      return;
    }
    this.#res.destroy();
    this.#sending.onBroken(error);
  }
}
