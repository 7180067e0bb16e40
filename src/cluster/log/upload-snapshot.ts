/**
 * Stores snapshots of the owner in the database, so that a new node downloads one instead of the whole log, and deletes the log that two stored
 * snapshots cover and that is older than it must be kept. Files are stored by digest: unchanged ones are stored once.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { nodeFiles } from '../../lib/files/files.ts';
import { snapshotName } from '../../snapshot/format/snapshot-format.ts';
import { filesOf } from '../../snapshot/snapshot-folder.ts';
import type { Lsn } from '../../wal/journal.ts';
import { type BulkStore, putFileRow } from '../database/bulk-store.ts';
import type { Connection } from '../database/database-connection.ts';
import type { StoredFile } from '../database/log-rows.ts';
import { rowBytesMax, tokenSql } from '../database/tables.ts';
import type { Token } from '../protocol/terms.ts';

/** Stored snapshots of a shard that are kept: the newest and the one before it. */
const kept = 2;

export class SnapshotUploader {
  readonly #bulk: BulkStore;
  readonly #shard: number;
  readonly #folder: string;
  readonly #logKeepS: number;
  /** Digests of files that were stored by this process, by name. */
  readonly #stored = new Map<string, StoredFile>();

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
   * @returns bytes that were stored; 0 if the token is gone
   */
  async upload(lsn: Lsn, token: () => Token): Promise<number> {
    const files: StoredFile[] = [];
    let bytes = 0;
    for (const part of filesOf(nodeFiles, this.#folder, lsn)) {
      const name = snapshotName(part);
      const known = this.#stored.get(name);
      const file = known ?? (await describe(path.join(this.#folder, name), name));
      if (known === undefined && !(await this.#bulk.hasFile(file.digest, file.bytes))) {
        await storeFile(await this.#bulk.connection(), this.#folder, file);
        bytes += file.bytes;
      }
      this.#stored.set(name, file);
      files.push(file);
    }
    const connection = await this.#bulk.connection();
    const { epoch, owner } = token();
    const mine = [this.#shard, epoch, owner];
    const { rows } = await connection.write<{ lsn: number }>(
      `WITH ${tokenSql} INSERT INTO mw_snapshot (shard, lsn, epoch, files) SELECT $1, $4, $2, $5 FROM mine
      ON CONFLICT (shard, lsn) DO UPDATE SET files = excluded.files, epoch = excluded.epoch RETURNING lsn`,
      [...mine, lsn, JSON.stringify(files)],
    );
    if (rows.length === 0) return 0;
    await connection.write(
      `WITH ${tokenSql} DELETE FROM mw_snapshot s USING mine WHERE shard = $1 AND lsn <
        (SELECT min(lsn) FROM (SELECT lsn FROM mw_snapshot WHERE shard = $1 ORDER BY lsn DESC LIMIT $4) newest)`,
      [...mine, kept],
    );
    // The row that ends at a snapshot stays: nodes compare the chain there.
    await connection.write(
      `WITH ${tokenSql} DELETE FROM mw_log l USING mine WHERE shard = $1 AND at < clock_timestamp() - make_interval(secs => $4)
        AND (SELECT count(*) FROM mw_snapshot WHERE shard = $1) >= $5
        AND last_lsn < (SELECT max(last_lsn) FROM mw_log WHERE shard = $1 AND last_lsn <= (SELECT min(lsn) FROM mw_snapshot WHERE shard = $1))`,
      [...mine, this.#logKeepS, kept],
    );
    await connection.write(
      `WITH ${tokenSql} DELETE FROM mw_file f USING mine WHERE NOT EXISTS
        (SELECT 1 FROM mw_snapshot s, jsonb_array_elements(s.files) used WHERE used ->> 'digest' = f.digest)`,
      mine,
    );
    return bytes;
  }
}

/** Stores the snapshot of record `lsn` of a shard without an owner, in the transaction of the connection. */
export async function storeFirstSnapshot(connection: Connection, shard: number, folder: string, lsn: Lsn): Promise<number> {
  const files: StoredFile[] = [];
  for (const part of filesOf(nodeFiles, folder, lsn)) {
    const name = snapshotName(part);
    const file = await describe(path.join(folder, name), name);
    await storeFile(connection, folder, file);
    files.push(file);
  }
  await connection.query('INSERT INTO mw_snapshot (shard, lsn, epoch, files) VALUES ($1, $2, 0, $3)', [
    shard,
    lsn,
    JSON.stringify(files),
  ]);
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function storeFile(connection: Connection, folder: string, { name, digest }: StoredFile): Promise<void> {
  const file = await fs.open(path.join(folder, name));
  try {
    const piece = Buffer.alloc(rowBytesMax);
    for (let n = 0; ; n++) {
      const { bytesRead } = await file.read(piece, 0, rowBytesMax, n * rowBytesMax);
      if (bytesRead === 0) return;
      await putFileRow(connection, digest, n, piece.subarray(0, bytesRead));
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
