/** A blob that is open for reading. */
import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { BlobDamagedError } from '../../lib/errors.ts';
import type { BlobName } from './blob-source.ts';

/** An open file of a blob: the members of Node's FileHandle that do not depend on a real file system. */
export type BlobHandle = Pick<FileHandle, 'fd' | 'read' | 'stat' | 'close'>;

/** A blob that is open for reading, and held. */
export interface OpenBlob {
  readonly digest: string;
  readonly bytes: number;
  readonly handle: BlobHandle;
  /** Of the file when it was opened; see {@link stampOf}. */
  readonly stamp: string;
  /** Closes the file and releases the hold; a second call does nothing. */
  close(): Promise<void>;
}

/** Opens files for reading; see `blob-threads.ts`. */
interface Opener {
  open(path: string): Promise<BlobHandle>;
}

export type OpenFile = Pick<OpenBlob, 'handle' | 'stamp'>;

/** Opens the file of a blob. Rejects with BlobDamagedError if there is none of this size. */
export async function openBlobFile(files: Opener, path: string, { digest, bytes }: BlobName): Promise<OpenFile> {
  const handle = await openExisting(files, path, digest);
  try {
    const stats = await handle.stat();
    const { size } = stats;
    if (!stats.isFile()) throw new BlobDamagedError(digest, path, 'it is not a file');
    if (size !== bytes) throw new BlobDamagedError(digest, path, `it has ${size} bytes, its record has ${bytes}`);
    return { handle, stamp: stampOf(stats) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openExisting(files: Opener, path: string, digest: string): Promise<BlobHandle> {
  try {
    return await files.open(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new BlobDamagedError(digest, path, 'the file does not exist');
  }
}

/** What changes with every write to a file, and every replacement of it. */
export const stampOf = ({ ino, size, ctimeMs }: Pick<Stats, 'ino' | 'size' | 'ctimeMs'>): string => `${ino} ${size} ${ctimeMs}`;

/** A handle to bytes in memory. It has no descriptor: `fd` is -1. */
export function handleOf(bytes: Uint8Array): BlobHandle {
  const handle = {
    fd: -1,
    read: async (buffer: Uint8Array, offset: number, length: number, position: number) => {
      const part = bytes.subarray(position, position + length);
      buffer.set(part, offset);
      return { bytesRead: part.byteLength, buffer };
    },
    stat: async () => ({ ino: 0, size: bytes.byteLength, ctimeMs: 0, isFile: () => true }),
    close: async () => undefined,
  };
  return handle as unknown as BlobHandle;
}
