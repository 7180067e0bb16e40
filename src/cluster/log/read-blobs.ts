/** Reads the bytes of files from the database, for commands: verified, and into a folder from which another one is built. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { CorruptError } from '../../lib/errors.ts';
import type { Files } from '../../lib/files/files.ts';
import { blobPath } from '../../storage/blobs/blob-path.ts';
import { type BlobName, type BlobSource, readBlobFile } from '../../storage/blobs/blob-source.ts';
import type { Connection } from '../database/database-connection.ts';
import { blobPieces } from '../database/stored-blobs.ts';

/**
 * Passes the bytes of a blob on. Returns what is wrong with it; `undefined` if nothing is. The pieces are worthless otherwise.
 *
 * @param take gets each piece, and its position in bytes
 */
export async function readBlob(
  connection: Connection,
  shard: number,
  { digest, bytes }: BlobName,
  take: (piece: Uint8Array, at: number) => void = () => undefined,
): Promise<string | undefined> {
  const hash = createHash('sha256');
  let at = 0;
  for await (const piece of blobPieces(connection, shard, digest)) {
    take(piece, at);
    hash.update(piece);
    at += piece.byteLength;
  }
  if (at !== bytes) return `the database has ${at} of ${bytes} bytes`;
  return hash.digest('hex') === digest ? undefined : 'the bytes in the database have another digest';
}

/** Blobs that were downloaded into a folder, and what is wrong with the others. */
export class DownloadedBlobs implements BlobSource {
  readonly #files: Files;
  readonly #folder: string;
  readonly #shard: number;
  /** By digest. */
  readonly #problems = new Map<string, string>();

  /** @param folder an existing folder, for blobs only */
  constructor(files: Files, folder: string, shard: number) {
    this.#files = files;
    this.#folder = folder;
    this.#shard = shard;
  }

  /** Downloads a blob. Rejects with the error of the disk or the database. */
  async download(connection: Connection, blob: BlobName): Promise<void> {
    const file = blobPath(this.#folder, blob.digest);
    this.#files.makeFolder(path.dirname(file));
    const fd = this.#files.open(file, 'wx+');
    try {
      const problem = await readBlob(connection, this.#shard, blob, (piece, at) => this.#files.write(fd, piece, at));
      if (problem !== undefined) this.#problems.set(blob.digest, problem);
    } finally {
      this.#files.close(fd);
    }
  }

  read(blob: BlobName, take: (piece: Uint8Array) => void): void {
    const problem = this.#problems.get(blob.digest);
    if (problem !== undefined) throw new CorruptError(`table mw_blob, shard ${this.#shard}, digest ${blob.digest}`, 0, problem);
    readBlobFile(this.#files, blobPath(this.#folder, blob.digest), blob, take);
  }
}
