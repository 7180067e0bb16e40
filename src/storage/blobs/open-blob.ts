/** A blob that is open for reading. */
import type { BigIntStats } from 'node:fs';
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
    const stats = await handle.stat({ bigint: true });
    const size = Number(stats.size);
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

/**
 * Identifies the bytes of a file: it changes with every write to it and every replacement of it, except within a tick of the clock of the
 * file system, and not if the disk itself changes them.
 */
export const stampOf = ({ ino, size, mtimeNs, ctimeNs }: Pick<BigIntStats, 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>): string =>
  `${ino} ${size} ${mtimeNs} ${ctimeNs}`;

/** The longest tick of the clock of a file system, in milliseconds. */
const tickMs = 20;

/**
 * Whether every change after `atMs` (Unix time) changes the stamp. The clock may have been set back, so a time in the future is as good as one
 * in the past.
 */
export function isOlderThanTick(stamp: string, atMs: number): boolean {
  const ctimeMs = Number(stamp.slice(stamp.lastIndexOf(' '))) / 1e6;
  return Math.abs(atMs - ctimeMs) >= tickMs;
}

/** Bytes of one step of reading a whole blob. */
const readBytes = 1024 * 1024;

/** All bytes of an open blob; fewer if the file ends before. */
export async function readAll(handle: Pick<BlobHandle, 'read'>, bytes: number): Promise<Buffer> {
  const all = Buffer.allocUnsafeSlow(bytes);
  let at = 0;
  while (at < bytes) {
    const { bytesRead } = await handle.read(all, at, Math.min(readBytes, bytes - at), at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return all.subarray(0, at);
}

/** A handle to bytes in memory. It has no descriptor: `fd` is -1. */
export function handleOf(bytes: Uint8Array): BlobHandle {
  const handle = {
    fd: -1,
    read: async (buffer: Uint8Array, offset: number, length: number, position: number) => {
      const part = bytes.subarray(position, position + length);
      buffer.set(part, offset);
      return { bytesRead: part.byteLength, buffer };
    },
    stat: async () => ({ ino: 0n, size: BigInt(bytes.byteLength), mtimeNs: 0n, ctimeNs: 0n, isFile: () => true }),
    close: async () => undefined,
  };
  return handle as unknown as BlobHandle;
}
