/**
 * Which shard has which key, which account and which name of a published map. A row is written before the record that creates the key, the
 * account or the name, so none of them is without a row. A row alone means nothing: the owner of its shard answers as if there were no row.
 */
import { outcomeOf, type Token } from '../protocol/terms.ts';
import type { Connection } from './database-connection.ts';
import { DatabaseUnavailableError } from './database-errors.ts';
import { tokenSql } from './tables.ts';

/** A reserved value: the id of a key, the name of an account, or that of a published map. */
export type Reserved = 'key' | 'account' | 'name';

const columns: Readonly<Record<Reserved, string>> = { key: 'id', account: 'name', name: 'name' };

export interface ShardRow extends Record<string, unknown> {
  readonly id: string;
  readonly shard: number;
}

/**
 * Reserves a value for a shard, unless another shard has it. Rejects with {@link DatabaseUnavailableError} if the database does not confirm it: the
 * record that follows must not be there without the row.
 *
 * @returns the shard that has it; `undefined` if the token is gone
 */
export async function reserve(
  connection: Connection,
  what: Reserved,
  shard: number,
  { epoch, owner }: Token,
  value: string,
): Promise<number | undefined> {
  const column = columns[what];
  const { answer, rows } = await connection.write<{ shard: number }>(
    `WITH ${tokenSql} INSERT INTO mw_${what} AS r (${column}, shard) SELECT $4::text, $1::int FROM mine
    ON CONFLICT (${column}) DO UPDATE SET shard = r.shard RETURNING r.shard`,
    [shard, epoch, owner, value],
  );
  if (!('code' in answer) && answer.rows === 0) return undefined;
  // Of whichever timeline: the record is appended in the one that the owner knows.
  if (outcomeOf(answer, 'code' in answer ? '' : answer.timeline) !== 'acknowledged')
    throw new DatabaseUnavailableError(
      `The database did not confirm the ${what} "${value}": nothing was changed. Run the command again.`,
    );
  return rows[0]?.shard;
}

/**
 * Deletes rows of a shard. Changes nothing if the token is gone. A row that was reserved again since this call is kept: a connection that is lost
 * may leave the deletion in the server, which carries it out later. Each reservation makes a new version of its row, which `xmin` identifies.
 */
export async function free(
  connection: Connection,
  what: Reserved,
  shard: number,
  { epoch, owner }: Token,
  values: readonly string[],
): Promise<void> {
  const column = columns[what];
  const found = await connection.query<{ value: string; version: string }>(
    `SELECT ${column} AS value, xmin::text AS version FROM mw_${what} WHERE shard = $1 AND ${column} = ANY ($2)`,
    [shard, values],
  );
  await connection.write(
    `WITH ${tokenSql} DELETE FROM mw_${what} r USING mine, unnest($4::text[], $5::text[]) AS found (value, version)
    WHERE r.shard = $1 AND r.${column} = found.value AND r.xmin::text = found.version`,
    [...[shard, epoch, owner], found.map(({ value }) => value), found.map(({ version }) => version)],
  );
}

/** Writes rows for what a folder has that becomes a shard, in the transaction of the connection. */
export async function insertAll(connection: Connection, what: Reserved, shard: number, values: readonly string[]): Promise<void> {
  await connection.query(`INSERT INTO mw_${what} (${columns[what]}, shard) SELECT unnest($2::text[]), $1`, [shard, values]);
}

/** The rows of all keys, or of those with these ids. */
export async function keyRows(connection: Connection, ids?: readonly string[]): Promise<ShardRow[]> {
  if (ids === undefined) return await connection.query<ShardRow>('SELECT id, shard FROM mw_key');
  return await connection.query<ShardRow>('SELECT id, shard FROM mw_key WHERE id = ANY ($1)', [ids]);
}

/** The rows of these names of published maps. */
export const mapNameRows = (connection: Connection, names: readonly string[]): Promise<ShardRow[]> =>
  connection.query<ShardRow>('SELECT name AS id, shard FROM mw_name WHERE name = ANY ($1)', [names]);

/** All names of published maps that are reserved for a shard. */
export async function mapNamesOf(connection: Connection, shard: number): Promise<string[]> {
  const rows = await connection.query<{ name: string }>('SELECT name FROM mw_name WHERE shard = $1', [shard]);
  return rows.map(({ name }) => name);
}

/** The shard of an account; `undefined` if the name is not reserved. */
export async function shardOfAccount(connection: Connection, name: string): Promise<number | undefined> {
  const [row] = await connection.query<{ shard: number }>('SELECT shard FROM mw_account WHERE name = $1', [name]);
  return row?.shard;
}

/**
 * The shard for a new account: the one with the fewest bytes in its newest snapshot and in the log after it, among those whose owner was seen in the
 * last `seenS` seconds; `undefined` if there is none.
 */
export async function shardForAccount(connection: Connection, seenS: number): Promise<number | undefined> {
  const [row] = await connection.query<{ shard: number }>(
    `SELECT s.shard FROM mw_shard s JOIN mw_lease l USING (shard) JOIN mw_node n ON n.address = l.address,
      LATERAL (SELECT coalesce(max(lsn), 0) AS lsn FROM mw_snapshot p WHERE p.shard = s.shard) newest
    WHERE s.halted = '' AND NOT l.released AND n.seen > clock_timestamp() - make_interval(secs => $1)
    ORDER BY coalesce((SELECT sum((file ->> 'bytes')::bigint) FROM mw_snapshot p, jsonb_array_elements(p.files) file
          WHERE p.shard = s.shard AND p.lsn = newest.lsn), 0)
        + coalesce((SELECT sum(octet_length(g.payload)) FROM mw_log g WHERE g.shard = s.shard AND g.last_lsn > newest.lsn), 0)
        + coalesce((SELECT sum(octet_length(p.bytes)) FROM mw_log g JOIN mw_part p ON p.deposit = g.deposit
          WHERE g.shard = s.shard AND g.last_lsn > newest.lsn), 0),
      (SELECT count(*) FROM mw_account a WHERE a.shard = s.shard), s.shard
    LIMIT 1`,
    [seenS],
  );
  return row?.shard;
}
