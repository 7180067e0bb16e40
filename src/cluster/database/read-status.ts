/** The state of a cluster, as its tables show it. */

import { readCluster } from './create-cluster.ts';
import type { Connection } from './database-connection.ts';

export interface ShardStatus {
  readonly shard: number;
  readonly lineage: string;
  readonly epoch: number;
  /** The newest record in the log. */
  readonly lsn: number;
  /** Address of the owner; `null` if there is none. */
  readonly owner: string | null;
  /** LSN of the newest stored snapshot; `null` without one. */
  readonly snapshot_lsn: number | null;
  /** Why no node may serve it; empty if nothing is wrong. */
  readonly halted: string;
}

export interface NodeStatus {
  readonly id: string;
  readonly address: string;
  /** As the node wrote it, but `silent` if it was not seen lately, and `former owner` if another node owns its shard. */
  readonly role: string;
  /** The shard that it owns; `null` if it owns none. */
  readonly shard: number | null;
  /** The newest record that it has, by the number of the shard. An owner has one shard, other nodes have all. */
  readonly lsns: Readonly<Record<string, number>>;
  readonly version: string;
  /** Seconds since the node was seen. */
  readonly seen_s: number;
}

export interface ClusterStatus {
  readonly format: number;
  readonly schema_written: number;
  readonly shards: readonly ShardStatus[];
  readonly nodes: readonly NodeStatus[];
}

/** Seconds since a node was seen, above which it does not run. */
export const runningS = 10;

type Rows<T> = T & Record<string, unknown>;

export async function readStatus(connection: Connection): Promise<ClusterStatus> {
  const { format, schemaWritten } = await readCluster(connection);
  const shards = await connection.query<Rows<ShardStatus>>(
    `SELECT s.shard, s.lineage, s.epoch, (SELECT max(last_lsn) FROM mw_log g WHERE g.shard = s.shard) AS lsn,
      CASE WHEN l.released THEN NULL ELSE l.address END AS owner,
      (SELECT max(lsn) FROM mw_snapshot p WHERE p.shard = s.shard) AS snapshot_lsn, s.halted
    FROM mw_shard s JOIN mw_lease l USING (shard) ORDER BY s.shard`,
  );
  const nodes = await connection.query<Rows<NodeStatus>>(
    `SELECT id, address, shard, lsns, version, round(extract(epoch FROM clock_timestamp() - seen))::int AS seen_s,
      CASE WHEN role = 'stopped' THEN role
        WHEN seen < clock_timestamp() - make_interval(secs => $1) THEN 'silent'
        WHEN role = 'owner' AND EXISTS (SELECT 1 FROM mw_lease l WHERE l.shard = n.shard AND NOT l.released AND l.address <> n.address) THEN 'former owner'
        ELSE role END AS role
    FROM mw_node n ORDER BY address`,
    [runningS],
  );
  return { format, schema_written: schemaWritten, shards, nodes };
}

/** A shard with its lineage, and why no node may serve it; empty if nothing is wrong. */
export type ShardRow = Pick<ShardStatus, 'shard' | 'lineage' | 'halted'>;

/** All shards, in their order. */
export async function readShards(connection: Connection): Promise<readonly ShardRow[]> {
  return await connection.query<Rows<ShardRow>>('SELECT shard, lineage, halted FROM mw_shard ORDER BY shard');
}

interface Copy {
  /** The node that asks. */
  readonly notBy: string;
  /** Newest record that the copy must have. */
  readonly lsn: number;
  /** Milliseconds within which its node was seen. */
  readonly withinMs: number;
}

/** Whether another node that runs has a copy of a shard. */
export async function isFollowed(connection: Connection, shard: number, { notBy, lsn, withinMs }: Copy): Promise<boolean> {
  const rows = await connection.query(
    `SELECT 1 FROM mw_node WHERE id <> $1 AND role = 'following' AND seen > clock_timestamp() - make_interval(secs => $2)
      AND (lsns ->> $3)::bigint >= $4 LIMIT 1`,
    [notBy, withinMs / 1000, `${shard}`, lsn],
  );
  return rows.length > 0;
}
