/** The rows of `mw_node`, in which nodes find each other, and of `mw_audit`. */
import type { Connection } from './database-connection.ts';
import { runsSql } from './tables.ts';

/** What a node enters about itself. */
export interface NodeEntry {
  readonly id: string;
  /** Address at which other nodes reach it; one node per address. */
  readonly address: string;
  readonly version: string;
  /** Version of the records that it reads. */
  readonly schema: number;
  readonly role: string;
  /** The shard that it owns; `undefined` for none. */
  readonly shard: number | undefined;
  /** LSN up to which it has the records of each shard. */
  readonly lsns: Readonly<Record<string, number>>;
  /** The options that change responses. */
  readonly options: string;
}

/** Enters a node, or renews its entry. Deletes an earlier node at its address, and nodes that were not seen for a day. */
export async function enterNode(connection: Connection, node: NodeEntry): Promise<void> {
  const { id, address, version, schema, role, shard = null, lsns, options } = node;
  await connection.query(`DELETE FROM mw_node WHERE (address = $1 AND id <> $2) OR seen < clock_timestamp() - interval '1 day'`, [
    address,
    id,
  ]);
  await connection.query(
    `INSERT INTO mw_node (id, address, version, schema, role, shard, lsns, options, seen)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp())
      ON CONFLICT (id) DO UPDATE SET role = excluded.role, shard = excluded.shard, lsns = excluded.lsns, seen = excluded.seen`,
    [id, address, version, schema, role, shard, JSON.stringify(lsns), options],
  );
}

/** Removes a node that does not start after all. */
export async function removeNode(connection: Connection, id: string): Promise<void> {
  await connection.query('DELETE FROM mw_node WHERE id = $1', [id]);
}

/** Marks a node that stops: its options do not matter any more. */
export async function markStopped(connection: Connection, id: string): Promise<void> {
  await connection.query(`UPDATE mw_node SET role = 'stopped' WHERE id = $1`, [id]);
}

/**
 * Addresses of the other nodes that run.
 *
 * @param withinS seconds since a node was seen, above which it does not run
 */
export async function otherAddresses(
  connection: Connection,
  { id, address }: Pick<NodeEntry, 'id' | 'address'>,
  withinS: number,
): Promise<readonly string[]> {
  const rows = await connection.query<{ address: string }>(
    `SELECT address FROM mw_node WHERE id <> $1 AND address <> $2 AND ${runsSql('$3')} ORDER BY address`,
    [id, address, withinS],
  );
  return rows.map((row) => row.address);
}

/** A node whose options differ. */
export interface DifferentNode extends Record<string, unknown> {
  readonly id: string;
  readonly address: string;
  /** Digest and text, as stored. */
  readonly options: string;
  /** When it last renewed its entry. */
  readonly seen: string;
}

/** Nodes that run with other options than those of this digest. */
export async function findOtherOptions(
  connection: Connection,
  id: string,
  digest: string,
  withinS: number,
): Promise<readonly DifferentNode[]> {
  return await connection.query<DifferentNode>(
    `SELECT id, address, options, seen::text FROM mw_node WHERE id <> $1 AND options <> '' AND options NOT LIKE $2
      AND ${runsSql('$3')} ORDER BY address`,
    [id, `${digest} %`, withinS],
  );
}

/** Adds an entry to the audit log of the cluster. */
export async function addAuditEntry(connection: Connection, entry: object): Promise<void> {
  await connection.query('INSERT INTO mw_audit (entry) VALUES ($1)', [JSON.stringify(entry)]);
}
