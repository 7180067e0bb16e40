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
import { rowBytesMax, tokenSql } from '../database/tables.ts';
import type { Token } from '../protocol/terms.ts';

/** Stored snapshots of a shard that are kept: the newest and the one before it. */
const kept = 2;

/**
 * Seconds for which a part without a row of the log is kept at least. A dropped connection may leave a statement that stores parts, or deletes
 * them, and runs later.
 */
const partKeptS = 3_600;

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
    const { epoch, owner } = token();
    const mine = [this.#shard, epoch, owner];
    const { rows } = await connection.write<{ stored: boolean }>(
      `WITH ${tokenSql}, complete AS (SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM jsonb_array_elements($5::jsonb) f WHERE
          (SELECT count(*) FROM mw_file WHERE shard = $1 AND digest = f ->> 'digest') <> ceil((f ->> 'bytes')::numeric / $6))),
        put AS (INSERT INTO mw_snapshot (shard, lsn, epoch, files) SELECT $1, $4, $2, $5 FROM mine, complete
          ON CONFLICT (shard, lsn) DO UPDATE SET files = excluded.files, epoch = excluded.epoch RETURNING lsn)
      SELECT EXISTS (SELECT 1 FROM put) AS stored FROM mine`,
      [...mine, lsn, JSON.stringify(files), rowBytesMax],
    );
    const [row] = rows;
    if (row === undefined) return 0;
    if (!row.stored) throw new Error(`the database has lost a file of the snapshot of record ${lsn}`);
    await connection.write(
      `WITH ${tokenSql} DELETE FROM mw_snapshot s USING mine WHERE shard = $1 AND lsn <
        (SELECT min(lsn) FROM (SELECT lsn FROM mw_snapshot WHERE shard = $1 ORDER BY lsn DESC LIMIT $4) newest)`,
      [...mine, kept],
    );
    // The row that ends at a snapshot stays: nodes compare the chain there.
    await connection.write(
      `WITH ${tokenSql}, gone AS (DELETE FROM mw_log l USING mine WHERE shard = $1 AND at < clock_timestamp() - make_interval(secs => $4)
        AND (SELECT count(*) FROM mw_snapshot WHERE shard = $1) >= $5
        AND last_lsn < (SELECT max(last_lsn) FROM mw_log WHERE shard = $1 AND last_lsn <= (SELECT min(lsn) FROM mw_snapshot WHERE shard = $1))
        RETURNING deposit)
      DELETE FROM mw_part p USING gone WHERE p.deposit = gone.deposit`,
      [...mine, this.#logKeepS, kept],
    );
    // Of records that were given up, and of owners that ended. A claim waits for the appends of earlier owners, so each of their rows is visible.
    await connection.write(
      `WITH ${tokenSql} DELETE FROM mw_part p USING mine WHERE p.shard = $1 AND p.at < clock_timestamp() - make_interval(secs => $4)
        AND p.deposit <> ALL ($5::uuid[]) AND NOT EXISTS (SELECT 1 FROM mw_log l WHERE l.deposit = p.deposit)`,
      [...mine, partKeptS, deposits()],
    );
    await connection.write(
      `WITH ${tokenSql} DELETE FROM mw_file f USING mine WHERE f.shard = $1 AND NOT EXISTS
        (SELECT 1 FROM mw_snapshot s, jsonb_array_elements(s.files) used WHERE s.shard = $1 AND used ->> 'digest' = f.digest)`,
      mine,
    );
    return bytes;
  }
}

/** Stores the snapshot of record `lsn` of a shard without an owner, in the transaction of the connection. */
export async function storeFirstSnapshot(connection: Connection, shard: number, folder: string, lsn: Lsn): Promise<number> {
  const { files, bytes } = await storeFiles(shard, folder, lsn, async () => connection);
  await connection.query('INSERT INTO mw_snapshot (shard, lsn, epoch, files) VALUES ($1, $2, 0, $3)', [
    shard,
    lsn,
    JSON.stringify(files),
  ]);
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
