/** Stores the blobs of a data folder in the database of a new cluster. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { blobPath } from '../../storage/blobs/blob-path.ts';
import type { BlobName } from '../../storage/blobs/blob-source.ts';
import type { Connection } from '../database/database-connection.ts';
import { putFirstBlobRow } from '../database/stored-blobs.ts';
import { rowBytesMax } from '../database/tables.ts';

/**
 * Stores blobs of a shard without an owner, in the transaction of the connection. Returns the number of bytes.
 *
 * @param folder of blobs that were verified
 */
export async function storeFirstBlobs(
  connection: Connection,
  shard: number,
  folder: string,
  blobs: readonly BlobName[],
): Promise<number> {
  let stored = 0;
  for (const { digest, bytes } of blobs) {
    const put = randomUUID();
    let n = 0;
    let left = bytes;
    for await (const piece of createReadStream(blobPath(folder, digest), { highWaterMark: rowBytesMax })) {
      await putFirstBlobRow(connection, shard, digest, n++, put, piece as Buffer);
      left -= (piece as Buffer).byteLength;
    }
    if (left !== 0) throw new Error(`the blob ${digest} in ${folder} was changed while it was read`);
    stored += bytes;
  }
  return stored;
}
