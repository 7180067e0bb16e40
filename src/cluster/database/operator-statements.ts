/** The statements of operators, and of an owner that finds its acknowledged records missing. */
import type { Connection, Written } from './database-connection.ts';
import { runsSql } from './tables.ts';

/** Asks the owner to hand over: it sees this with its next renewal. Changes nothing if the owner is another one by now. */
export async function askOwner(
  connection: Connection,
  shard: number,
  owner: string,
): Promise<Written<{ readonly owner: string }>> {
  return await connection.write(
    'UPDATE mw_lease SET asked = owner WHERE shard = $1 AND owner = $2 AND NOT released RETURNING owner',
    [shard, owner],
  );
}

/** A node that cannot read records of a schema version, and runs. */
export interface OlderNode extends Record<string, unknown> {
  readonly address: string;
  readonly version: string;
}

const olderNodes = `FROM mw_node WHERE schema < $1 AND ${runsSql('$2')}`;

/** @param withinS seconds since a node was seen, above which it does not run */
export async function findOlderNodes(connection: Connection, schema: number, withinS: number): Promise<readonly OlderNode[]> {
  return await connection.query<OlderNode>(`SELECT address, version ${olderNodes} ORDER BY address`, [schema, withinS]);
}

/** Lets nodes write records of a schema version. Changes nothing if they may already, or while a node that runs cannot read them. */
export async function raiseSchemaWritten(
  connection: Connection,
  schema: number,
  withinS: number,
): Promise<Written<{ readonly schema_written: number }>> {
  return await connection.write(
    `UPDATE mw_cluster SET schema_written = $1 WHERE schema_written < $1 AND NOT EXISTS (SELECT 1 ${olderNodes}) RETURNING schema_written`,
    [schema, withinS],
  );
}

/**
 * Takes the shard from any owner, and keeps it from all until {@link fork}. Changes nothing if it is halted already, or if it has begun another
 * lineage than that of the lost records.
 *
 * @param nobody a random owner, which no process has
 */
export async function halt(
  connection: Connection,
  shard: number,
  lineage: string,
  reason: string,
  nobody: string,
): Promise<Written<{ readonly epoch: number }>> {
  return await connection.write(
    `WITH taken AS (UPDATE mw_lease l SET owner = $4, released = true FROM mw_shard s
      WHERE l.shard = $1 AND s.shard = $1 AND s.lineage = $2 AND s.halted = '' RETURNING l.shard)
    UPDATE mw_shard s SET epoch = s.epoch + 1, owner = $4, halted = $3 FROM taken WHERE s.shard = taken.shard RETURNING s.epoch`,
    [shard, lineage, reason, nobody],
  );
}

/**
 * Accepts the log as it is: begins a lineage, so that no entity tag and no position in the change feed means another record than before, and lets
 * nodes claim again. Changes nothing if the shard is not halted for this reason.
 */
export async function fork(
  connection: Connection,
  shard: number,
  halted: string,
  lineage: string,
  timeline: string,
): Promise<Written<{ readonly epoch: number }>> {
  return await connection.write(
    `UPDATE mw_shard SET epoch = epoch + 1, lineage = $3, timeline = $4, halted = '' WHERE shard = $1 AND halted = $2 RETURNING epoch`,
    [shard, halted, lineage, timeline],
  );
}
