/** The rows of `mw_snapshot`: snapshots that are stored, and the rows of the log and of files that they make obsolete. */
import type { Lsn } from '../../storage/wal/journal.ts';
import type { Token } from '../protocol/terms.ts';
import type { Connection } from './database-connection.ts';
import type { StoredFile } from './log-rows.ts';
import { rowBytesMax, tokenSql } from './tables.ts';

/** Stored snapshots of a shard that are kept: the newest and the one before it. */
const kept = 2;

/**
 * Seconds for which a part without a row of the log is kept at least. A dropped connection may leave a statement that stores parts, or deletes
 * them, and runs later.
 */
const partKeptS = 3_600;

/** The stored snapshots of a shard, as its owner writes them: each statement carries its token, and changes nothing without it. */
export class SnapshotRows {
  readonly #connection: Connection;
  readonly #mine: readonly [shard: number, epoch: number, owner: string];

  constructor(connection: Connection, shard: number, { epoch, owner }: Token) {
    this.#connection = connection;
    this.#mine = [shard, epoch, owner];
  }

  /** Stores the snapshot of record `lsn`; `false` if the token is gone. Rejects if the database does not have all of its files. */
  async store(lsn: Lsn, files: readonly StoredFile[]): Promise<boolean> {
    const { rows } = await this.#connection.write<{ stored: boolean }>(
      `WITH ${tokenSql}, complete AS (SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM jsonb_array_elements($5::jsonb) f WHERE
          (SELECT count(*) FROM mw_file WHERE shard = $1 AND digest = f ->> 'digest') <> ceil((f ->> 'bytes')::numeric / $6))),
        put AS (INSERT INTO mw_snapshot (shard, lsn, epoch, files) SELECT $1, $4, $2, $5 FROM mine, complete
          ON CONFLICT (shard, lsn) DO UPDATE SET files = excluded.files, epoch = excluded.epoch RETURNING lsn)
      SELECT EXISTS (SELECT 1 FROM put) AS stored FROM mine`,
      [...this.#mine, lsn, JSON.stringify(files), rowBytesMax],
    );
    const [row] = rows;
    if (row?.stored === false) throw new Error(`the database has lost a file of the snapshot of record ${lsn}`);
    return row !== undefined;
  }

  /**
   * Deletes older snapshots, the log that the kept ones cover, parts without a row of the log, and files that no snapshot uses.
   *
   * @param logKeepS seconds that the log stays, for the change feed
   * @param deposits large records of this owner whose rows are not acknowledged: their parts are not waste
   */
  async deleteObsolete(logKeepS: number, deposits: () => readonly string[]): Promise<void> {
    await this.#connection.write(
      `WITH ${tokenSql} DELETE FROM mw_snapshot s USING mine WHERE shard = $1 AND lsn <
        (SELECT min(lsn) FROM (SELECT lsn FROM mw_snapshot WHERE shard = $1 ORDER BY lsn DESC LIMIT $4) newest)`,
      [...this.#mine, kept],
    );
    // The row that ends at a snapshot stays: nodes compare the chain there.
    await this.#connection.write(
      `WITH ${tokenSql}, gone AS (DELETE FROM mw_log l USING mine WHERE shard = $1 AND at < clock_timestamp() - make_interval(secs => $4)
        AND (SELECT count(*) FROM mw_snapshot WHERE shard = $1) >= $5
        AND last_lsn < (SELECT max(last_lsn) FROM mw_log WHERE shard = $1 AND last_lsn <= (SELECT min(lsn) FROM mw_snapshot WHERE shard = $1))
        RETURNING deposit)
      DELETE FROM mw_part p USING gone WHERE p.deposit = gone.deposit`,
      [...this.#mine, logKeepS, kept],
    );
    // Of records that were given up, and of owners that ended. A claim waits for the appends of earlier owners, so each of their rows is visible.
    await this.#connection.write(
      `WITH ${tokenSql} DELETE FROM mw_part p USING mine WHERE p.shard = $1 AND p.at < clock_timestamp() - make_interval(secs => $4)
        AND p.deposit <> ALL ($5::uuid[]) AND NOT EXISTS (SELECT 1 FROM mw_log l WHERE l.deposit = p.deposit)`,
      [...this.#mine, partKeptS, deposits()],
    );
    await this.#connection.write(
      `WITH ${tokenSql} DELETE FROM mw_file f USING mine WHERE f.shard = $1 AND NOT EXISTS
        (SELECT 1 FROM mw_snapshot s, jsonb_array_elements(s.files) used WHERE s.shard = $1 AND used ->> 'digest' = f.digest)`,
      this.#mine,
    );
  }
}

/** Stores the first snapshot of a shard, which has no owner yet. */
export async function putFirstSnapshot(
  connection: Connection,
  shard: number,
  lsn: Lsn,
  files: readonly StoredFile[],
): Promise<void> {
  await connection.query('INSERT INTO mw_snapshot (shard, lsn, epoch, files) VALUES ($1, $2, 0, $3)', [
    shard,
    lsn,
    JSON.stringify(files),
  ]);
}
