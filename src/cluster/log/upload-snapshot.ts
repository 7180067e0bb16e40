/**
 * Stores snapshots of the owner in the database, so that a new node downloads one instead of the whole log, and deletes the log that two stored
 * snapshots cover and that is older than it must be kept. Files are stored by digest: unchanged ones are stored once.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { nodeFiles } from '../../lib/files/files.ts';
import { snapshotName } from '../../storage/snapshot/format/snapshot-format.ts';
import { filesOf } from '../../storage/snapshot/snapshot-folder.ts';
import type { Lsn } from '../../storage/wal/journal.ts';
import { type BulkStore, hasFile, putFileRow } from '../database/bulk-store.ts';
import type { Connection } from '../database/database-connection.ts';
import type { StoredFile } from '../database/log-rows.ts';
import { putFirstSnapshot, SnapshotRows } from '../database/snapshot-rows.ts';
import { rowBytesMax } from '../database/tables.ts';
import type { Token } from '../protocol/terms.ts';

export class SnapshotUploader {
  readonly #bulk: BulkStore;
  readonly #shard: number;
  readonly #folder: string;
  readonly #logKeepS: number;
  /** Digests of files that were stored by this process, by name. */
  readonly #stored = new Map<string, StoredFile>();
  /** The last upload: the next one begins after it, since each deletes files that no stored snapshot uses. */
  #uploading: Promise<unknown> = Promise.resolve();

  /** @param logKeepS seconds that the log stays in the database, for the change feed */
  constructor(bulk: BulkStore, shard: number, folder: string, logKeepS: number) {
    this.#bulk = bulk;
    this.#shard = shard;
    this.#folder = folder;
    this.#logKeepS = logKeepS;
  }

  /**
   * Stores the snapshot of record `lsn`, and deletes what is obsolete. Every write carries the token, so that a process that is owner no more changes
   * nothing. Rejects if the database is away; the next snapshot tries again.
   *
   * @param deposits large records of this owner whose rows are not acknowledged: their parts are not waste
   * @returns bytes that were stored; 0 if the token is gone
   */
  upload(lsn: Lsn, token: () => Token, deposits: () => readonly string[]): Promise<number> {
    const uploading = this.#uploading.then(() => this.#upload(lsn, token, deposits));
    // A failover may have lost files, or a statement without an answer may delete them.
    this.#uploading = uploading.catch(() => this.#stored.clear());
    return uploading;
  }

  async #upload(lsn: Lsn, token: () => Token, deposits: () => readonly string[]): Promise<number> {
    const { files, bytes } = await storeFiles(this.#shard, this.#folder, lsn, () => this.#bulk.connection(), this.#stored);
    const connection = await this.#bulk.connection();
    const rows = new SnapshotRows(connection, this.#shard, token());
    if (!(await rows.store(lsn, files))) return 0;
    await rows.deleteObsolete(this.#logKeepS, deposits);
    return bytes;
  }
}

/** Stores the snapshot of record `lsn` of a shard without an owner, in the transaction of the connection. */
export async function storeFirstSnapshot(connection: Connection, shard: number, folder: string, lsn: Lsn): Promise<number> {
  const { files, bytes } = await storeFiles(shard, folder, lsn, async () => connection);
  await putFirstSnapshot(connection, shard, lsn, files);
  return bytes;
}

/**
 * Stores the files of the snapshot of record `lsn`, unless they are there. `bytes`: what was stored.
 *
 * @param connection the open connection, or a new one
 * @param stored files that are known to be there, by name; receives the others
 */
async function storeFiles(
  shard: number,
  folder: string,
  lsn: Lsn,
  connection: () => Promise<Connection>,
  stored = new Map<string, StoredFile>(),
): Promise<{ readonly files: readonly StoredFile[]; readonly bytes: number }> {
  const files: StoredFile[] = [];
  let bytes = 0;
  for (const part of new Set(filesOf(nodeFiles, folder, lsn))) {
    const name = snapshotName(part);
    let file = stored.get(name);
    if (file === undefined) {
      file = await describe(path.join(folder, name), name);
      if (!(await hasFile(await connection(), shard, file))) {
        await storeFile(await connection(), shard, folder, file);
        bytes += file.bytes;
      }
      stored.set(name, file);
    }
    files.push(file);
  }
  return { files, bytes };
}

async function storeFile(connection: Connection, shard: number, folder: string, { name, digest }: StoredFile): Promise<void> {
  const file = await fs.open(path.join(folder, name));
  try {
    const piece = Buffer.alloc(rowBytesMax);
    for (let n = 0; ; n++) {
      const { bytesRead } = await file.read(piece, 0, rowBytesMax, n * rowBytesMax);
      if (bytesRead === 0) return;
      await putFileRow(connection, shard, digest, n, piece.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

async function describe(file: string, name: string): Promise<StoredFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of createReadStream(file, { highWaterMark: rowBytesMax })) {
    hash.update(piece);
    bytes += piece.byteLength;
  }
  return { name, bytes, digest: hash.digest('hex') };
}
