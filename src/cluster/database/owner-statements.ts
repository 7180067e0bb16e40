/** The statements of an owner and of a claimer, with their answers as the protocol's terms. */
import type { ClaimAnswer, ShardRow, Sighting } from '../protocol/claim.ts';
import type { Batch, CheckAnswer, Position, Token, WriteAnswer, WriteError } from '../protocol/terms.ts';
import type { Connection } from './database-connection.ts';
import { replicatesSql, timelineSql, tokenSql } from './tables.ts';

/** Records that are too large for a row of the log. */
export interface Deposit {
  readonly id: string;
  /** Number of its rows. */
  readonly rows: number;
}

/** The bytes of a batch. */
export interface BatchBytes {
  readonly payload: Uint8Array;
  /** The rows in `mw_part` that hold the records: then the payload is their SHA-256. */
  readonly deposit?: Deposit;
  /** Stores the parts once more: a failover may have lost them before the batch was appended. */
  readonly putAgain?: () => Promise<void>;
}

interface FoundRow {
  readonly timeline: string;
  readonly epoch: number;
  readonly owner: string;
  readonly lsn: number;
  readonly chain: string;
  readonly chain_at: string | null;
}

/** Reads the token, the newest row, and the chain of the row that ends at `at`. */
export async function check(connection: Connection, shard: number, at: Position): Promise<CheckAnswer> {
  const [row] = await connection.query<FoundRow>(
    `SELECT ${timelineSql} AS timeline, s.epoch, s.owner, newest.lsn, newest.chain,
      (SELECT encode(chain, 'hex') FROM mw_log WHERE shard = $1 AND last_lsn = $2) AS chain_at
    FROM mw_shard s, LATERAL (SELECT last_lsn AS lsn, encode(chain, 'hex') AS chain FROM mw_log WHERE shard = s.shard
      ORDER BY last_lsn DESC LIMIT 1) newest
    WHERE s.shard = $1`,
    [shard, at.lsn],
  );
  if (row === undefined) throw new Error(`the database has no shard ${shard}, or its log has no row`);
  const { timeline, epoch, owner, lsn, chain, chain_at } = row;
  return { timeline, token: { epoch, owner }, newest: { lsn, chain }, chainAt: chain_at ?? undefined };
}

/** Appends a batch, if the token is valid and its predecessor is there. */
export async function append(
  connection: Connection,
  shard: number,
  token: Token,
  batch: Batch,
  bytes: BatchBytes,
): Promise<WriteAnswer | WriteError> {
  const { answer } = await connection.write(
    `WITH ${tokenSql}
    INSERT INTO mw_log (shard, first_lsn, last_lsn, epoch, chain, deposit, payload)
    SELECT $1, $4, $5, $2, decode($6, 'hex'), $7::uuid, $8 FROM mine
    WHERE EXISTS (SELECT 1 FROM mw_log WHERE shard = $1 AND last_lsn = $4::bigint - 1 AND chain = decode($9, 'hex'))
      AND ($7::uuid IS NULL OR (SELECT count(*) FROM mw_part WHERE deposit = $7::uuid) = $10)
      AND ${replicatesSql[connection.durability]}`,
    [
      ...[shard, token.epoch, token.owner, batch.firstLsn, batch.end.lsn, batch.end.chain],
      ...[bytes.deposit?.id ?? null, bytes.payload, batch.before.chain, bytes.deposit?.rows ?? 0],
    ],
  );
  return answer;
}

/** Raises the own epoch: waits for an append that may still run, and prevents those that have not begun. */
export async function settle(connection: Connection, shard: number, token: Token, timeline: string) {
  const { answer, rows } = await connection.write<{ epoch: number }>(
    `UPDATE mw_shard SET epoch = epoch + 1, timeline = $4 WHERE shard = $1 AND epoch = $2 AND owner = $3 RETURNING epoch`,
    [shard, token.epoch, token.owner, timeline],
  );
  return { answer, ...(rows[0] === undefined ? {} : { epoch: rows[0].epoch }) };
}

/** The answer to a renewal, and whether an operator asks this owner to hand over. */
export async function renew(
  connection: Connection,
  shard: number,
  owner: string,
): Promise<{ readonly answer: WriteAnswer | WriteError; readonly isAsked: boolean }> {
  const { answer, rows } = await connection.write<{ asked: boolean | null }>(
    'UPDATE mw_lease SET beat = beat + 1 WHERE shard = $1 AND owner = $2 RETURNING asked = owner AS asked',
    [shard, owner],
  );
  return { answer, isAsked: rows[0]?.asked === true };
}

/** Lets others claim at once. */
export async function release(connection: Connection, shard: number, owner: string): Promise<WriteAnswer | WriteError> {
  const { answer } = await connection.write(
    'UPDATE mw_lease SET beat = beat + 1, released = true WHERE shard = $1 AND owner = $2',
    [shard, owner],
  );
  return answer;
}

interface ObservedRow extends ShardRow {
  readonly shard: number;
  readonly owner: string;
  readonly beat: number;
  readonly released: boolean;
  readonly address: string;
  readonly halted: string;
  readonly found: string;
  readonly node: string | null;
  readonly newest: number;
}

/** What a process sees that does not own the shard. */
export interface Observed {
  readonly shard: number;
  readonly answer: ClaimAnswer & { readonly to: 'observe' };
  /** Where the owner serves other nodes. */
  readonly address: string;
  /** The identifier of the owner's process; `undefined` before it has entered itself into `mw_node`. */
  readonly node: string | undefined;
  /** Why no node may serve the shard before `cluster fork`; empty if nothing is wrong. */
  readonly halted: string;
  /** LSN of the newest row of the log. */
  readonly newestLsn: number;
}

export async function observe(connection: Connection, shard: number): Promise<Observed> {
  const [found] = await observeAll(connection, [shard]);
  return found as Observed;
}

/** Observes several shards, in the order of their numbers. */
export async function observeAll(connection: Connection, shards: readonly number[]): Promise<Observed[]> {
  const rows = await connection.query<ObservedRow & Record<string, unknown>>(
    `SELECT s.shard, l.owner, l.beat, l.released, l.address, s.epoch, s.lineage, s.timeline, s.halted, ${timelineSql} AS found, n.id AS node,
      (SELECT max(last_lsn) FROM mw_log g WHERE g.shard = s.shard) AS newest
    FROM mw_shard s JOIN mw_lease l USING (shard) LEFT JOIN mw_node n ON n.address = l.address
    WHERE s.shard = ANY ($1::int[]) ORDER BY s.shard`,
    [shards],
  );
  if (rows.length !== shards.length) throw new Error(`the database has ${rows.length} of the shards ${shards.join(', ')}`);
  return rows.map(observedOf);
}

function observedOf(row: ObservedRow): Observed {
  const { shard, beat, released, address, halted, epoch, lineage, timeline, found, owner, node, newest } = row;
  return {
    shard,
    answer: { to: 'observe', owner, beat, released, shard: { epoch, lineage, timeline }, timeline: found },
    address,
    node: node ?? undefined,
    halted,
    newestLsn: newest,
  };
}

/** Takes the shard from the owner that was seen with this beat. */
export async function claim(
  connection: Connection,
  shard: number,
  seen: Pick<Sighting, 'owner' | 'beat' | 'timeline'>,
  address: string,
  owner: string,
): Promise<Omit<ClaimAnswer & { readonly to: 'claim' | 'confirm' }, 'to'>> {
  const { answer, rows } = await connection.write<{ epoch: number; lineage: string; timeline: string }>(
    `WITH silent AS (UPDATE mw_lease SET owner = $5, beat = 0, address = $4, released = false
      WHERE shard = $1 AND owner = $2 AND (beat = $3 OR released) AND ${timelineSql} = $6
        AND EXISTS (SELECT 1 FROM mw_shard WHERE shard = $1 AND halted = '') RETURNING shard)
    UPDATE mw_shard s SET epoch = s.epoch + 1, owner = $5 FROM silent
    WHERE s.shard = silent.shard AND s.owner = $2 RETURNING s.epoch, s.lineage, s.timeline`,
    [shard, seen.owner, seen.beat, address, owner, seen.timeline],
  );
  return rows[0] === undefined ? { answer } : { answer, shard: rows[0] };
}

/** Raises the epoch of an own claim before anything is read, and writes lineage and timeline. */
export async function confirm(
  connection: Connection,
  shard: number,
  owner: string,
  row: ShardRow,
): Promise<Omit<ClaimAnswer & { readonly to: 'claim' | 'confirm' }, 'to'>> {
  const { answer, rows } = await connection.write<{ epoch: number; lineage: string; timeline: string }>(
    `UPDATE mw_shard SET epoch = $3, lineage = $4, timeline = $5 WHERE shard = $1 AND owner = $2 AND epoch = $3::bigint - 1
    RETURNING epoch, lineage, timeline`,
    [shard, owner, row.epoch, row.lineage, row.timeline],
  );
  return rows[0] === undefined ? { answer } : { answer, shard: rows[0] };
}
