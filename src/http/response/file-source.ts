/** Bytes of open files, and what can be read as one. */
import type { FileHandle } from 'node:fs/promises';
import type { ByteRange } from '../range.ts';
import type { BodySource } from './body-pump.ts';

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

/**
 * The bytes of a range, read when they are asked for. All reads are asynchronous, so other requests run between them.
 *
 * @param range must not be empty
 */
export function fileSource(file: OpenFile, { start, end }: ByteRange): BodySource {
  const buffer = spare.pop() ?? Buffer.allocUnsafeSlow(fileBufferBytes);
  let position = start;
  return {
    next(made) {
      readPiece(file, buffer, 0, Math.min(buffer.length, end - position), position).then(
        (length) => {
          position += length;
          made(undefined, buffer.subarray(0, length), position === end);
        },
        (error: unknown) => made(error),
      );
    },
    close(isSent) {
      // Not after a disconnect: the socket may still use it.
      if (isSent && spare.length < spareMax) spare.push(buffer);
      file.close();
    },
  };
}
