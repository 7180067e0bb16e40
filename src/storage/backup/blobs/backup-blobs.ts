/** The blobs of backups: contained in them, or in the folder beside them. */

import { dirname, join } from 'node:path';
import { CorruptError } from '../../../lib/errors.ts';
import type { Files } from '../../../lib/files/files.ts';
import { type BlobName, type BlobSource, FolderBlobs, verified } from '../../blobs/blob-source.ts';
import { listedBlobs } from '../../snapshot/files/files-in.ts';
import type { BlobEntry } from '../../snapshot/format/blob-rows.ts';
import type { SnapshotReader } from '../../snapshot/reader.ts';

/** Name of the folder of blobs, in a data folder and beside backups. */
export const blobsName = 'blobs';

/** The blobs that a backup contains. */
export class ContainedBlobs implements BlobSource {
  readonly #reader: SnapshotReader;
  readonly #entries: ReadonlyMap<string, BlobEntry>;

  /** Reads the list; throws {@link CorruptError}. @param reader must stay open while this is used */
  constructor(reader: SnapshotReader) {
    this.#reader = reader;
    this.#entries = new Map([...listedBlobs(reader)].map((entry) => [entry.digest, entry]));
  }

  read(blob: BlobName, take: (piece: Uint8Array) => void): void {
    const { path } = this.#reader;
    const pieces = this.#entries.get(blob.digest)?.pieces;
    if (pieces === undefined) throw new CorruptError(path, 0, `the backup does not contain the blob ${blob.digest}`);
    verified(blob, path, take, (pass) => {
      for (const piece of pieces) pass(this.#reader.payload(piece));
    });
  }
}

/** Where the blobs of a backup are. */
export function blobsOfBackup(files: Files, reader: SnapshotReader): BlobSource[] {
  const beside = new FolderBlobs(files, join(dirname(reader.path), blobsName));
  const contained = [...listedBlobs(reader)].some(({ pieces }) => pieces !== undefined);
  return contained ? [beside, new ContainedBlobs(reader)] : [beside];
}
