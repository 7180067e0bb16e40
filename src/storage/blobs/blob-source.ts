/** Where the bytes of blobs can be read from, verified: a folder of blobs, a backup that contains them, or several of these in turn. */
import { createHash } from 'node:crypto';
import { CorruptError } from '../../lib/errors.ts';
import type { Files } from '../../lib/files/files.ts';
import { blobPath } from './blob-path.ts';

/** The name of a blob, and its size. */
export interface BlobName {
  /** 64 hex digits. */
  readonly digest: string;
  /** Size in bytes. */
  readonly bytes: number;
}

/** Size limit of a piece in bytes: a blob is never in memory as a whole. */
export const pieceBytesMax = 1024 * 1024;

export interface BlobSource {
  /**
   * Passes the bytes of a blob in pieces, each a buffer of its own. Throws {@link CorruptError} if the blob is missing or damaged, also after
   * some or all pieces: they are worthless then.
   */
  read(blob: BlobName, take: (piece: Uint8Array) => void): void;
}

/** A folder of blobs: of a data folder, or beside backups. */
export class FolderBlobs implements BlobSource {
  readonly #files: Files;
  readonly #folder: string;

  constructor(files: Files, folder: string) {
    this.#files = files;
    this.#folder = folder;
  }

  read(blob: BlobName, take: (piece: Uint8Array) => void): void {
    readBlobFile(this.#files, blobPath(this.#folder, blob.digest), blob, take);
  }
}

/** Reads a file that must be a blob, as {@link BlobSource.read} does. */
export function readBlobFile(files: Files, path: string, blob: BlobName, take: (piece: Uint8Array) => void): void {
  const fd = openedBlob(files, path);
  try {
    readOpenBlob(files, fd, path, blob, take);
  } finally {
    files.close(fd);
  }
}

/** As {@link readBlobFile}, from an open file. */
export function readOpenBlob(
  files: Pick<Files, 'size' | 'read'>,
  fd: number,
  path: string,
  blob: BlobName,
  take: (piece: Uint8Array) => void,
): void {
  const size = files.size(fd);
  if (size !== blob.bytes) throw new CorruptError(path, 0, `the file has ${size} bytes, its record says ${blob.bytes}`);
  verified(blob, path, take, (pass) => {
    for (let at = 0; at < blob.bytes; at += pieceBytesMax) {
      const piece = Buffer.allocUnsafeSlow(Math.min(pieceBytesMax, blob.bytes - at));
      const got = files.read(fd, piece, at);
      if (got !== piece.byteLength) throw new CorruptError(path, at + got, 'the file ends too early');
      pass(piece);
    }
  });
}

/**
 * Passes pieces on, and compares their digest at the end. Throws {@link CorruptError} if it differs.
 *
 * @param path of the file that they come from, for the error
 */
export function verified(
  { digest }: BlobName,
  path: string,
  take: (piece: Uint8Array) => void,
  read: (pass: (piece: Uint8Array) => void) => void,
): void {
  const hash = createHash('sha256');
  read((piece) => {
    hash.update(piece);
    take(piece);
  });
  if (hash.digest('hex') !== digest) throw new CorruptError(path, 0, `the bytes do not have the digest ${digest}`);
}

function openedBlob(files: Files, path: string): number {
  try {
    return files.open(path, 'r');
  } catch (error) {
    if (!missing.includes((error as NodeJS.ErrnoException).code)) throw error;
    throw new CorruptError(path, 0, 'the file does not exist');
  }
}

const missing: readonly unknown[] = ['ENOENT', 'ENOTDIR'];
