/** Reads the log of a shard, as nodes do that follow, and the snapshots that stand for its beginning. */
import type { Lsn } from '../../storage/wal/journal.ts';
import type { Connection } from './database-connection.ts';

/** A batch in the log. */
export interface LogRow {
  readonly firstLsn: Lsn;
  readonly lastLsn: Lsn;
  /** In hex. */
  readonly chain: string;
  /** Identifier of the rows in `mw_part` that hold the records; `undefined` if they are in the payload. */
  readonly deposit: string | undefined;
  readonly payload: Buffer;
}

/** A row without its payload. */
export type LogBoundary = Omit<LogRow, 'payload'>;

/** Rows that are read at once: at most this many MiB. */
const rowsMax = 32;

interface Row {
  readonly first_lsn: number;
  readonly last_lsn: number;
  readonly chain: string;
  readonly deposit: string | null;
  readonly payload: Buffer;
}

const boundaryColumns = `first_lsn, last_lsn, encode(chain, 'hex') AS chain, deposit`;

/** The next rows that end after an LSN, in order; none at the end of the log. */
export async function rowsAfter(connection: Connection, shard: number, after: Lsn): Promise<LogRow[]> {
  const rows = await connection.query<Row & Record<string, unknown>>(
    `SELECT ${boundaryColumns}, payload FROM mw_log WHERE shard = $1 AND last_lsn > $2 ORDER BY last_lsn LIMIT $3`,
    [shard, after, rowsMax],
  );
  return rows.map((row) => ({ ...boundaryOf(row), payload: row.payload }));
}

/** All rows that end after an LSN, without payloads, and the row before them, which has the chain that they continue. */
export async function boundariesAfter(connection: Connection, shard: number, after: Lsn): Promise<LogBoundary[]> {
  const rows = await connection.query<Row & Record<string, unknown>>(
    `SELECT ${boundaryColumns} FROM mw_log WHERE shard = $1 AND last_lsn >=
      coalesce((SELECT max(last_lsn) FROM mw_log WHERE shard = $1 AND last_lsn <= $2), 0) ORDER BY last_lsn`,
    [shard, after],
  );
  return rows.map(boundaryOf);
}

/** The oldest row of the log. */
export async function oldestRow(connection: Connection, shard: number): Promise<LogBoundary | undefined> {
  const [row] = await connection.query<Row & Record<string, unknown>>(
    `SELECT ${boundaryColumns} FROM mw_log WHERE shard = $1 ORDER BY last_lsn LIMIT 1`,
    [shard],
  );
  return row === undefined ? undefined : boundaryOf(row);
}

/** The newest row that ends at an LSN or before it. */
export async function rowUpTo(connection: Connection, shard: number, lsn: Lsn): Promise<LogBoundary | undefined> {
  const [row] = await connection.query<Row & Record<string, unknown>>(
    `SELECT ${boundaryColumns} FROM mw_log WHERE shard = $1 AND last_lsn <= $2 ORDER BY last_lsn DESC LIMIT 1`,
    [shard, lsn],
  );
  return row === undefined ? undefined : boundaryOf(row);
}

function boundaryOf({ first_lsn, last_lsn, chain, deposit }: Row): LogBoundary {
  return { firstLsn: first_lsn, lastLsn: last_lsn, chain, deposit: deposit ?? undefined };
}

/** A file of a snapshot. */
export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
  /** SHA-256 in hex. */
  readonly digest: string;
}

export interface StoredSnapshot {
  readonly lsn: Lsn;
  readonly files: readonly StoredFile[];
}

/** Snapshots of a shard, newest first. */
export async function storedSnapshots(connection: Connection, shard: number): Promise<StoredSnapshot[]> {
  return await connection.query<{ lsn: number; files: StoredFile[] }>(
    'SELECT lsn, files FROM mw_snapshot WHERE shard = $1 ORDER BY lsn DESC',
    [shard],
  );
}
