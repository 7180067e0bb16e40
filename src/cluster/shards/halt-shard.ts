/** Halts a shard whose records are lost: no node serves it before an operator decides. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { halt } from '../database/operator-statements.ts';
import type { ShardNode } from './shard-node.ts';

/** Milliseconds between attempts to reach a database that is away. */
const retryMs = 500;

/** Writes the reason into the database, however long it is away. Whether it is there: the node may stop before. */
export async function haltShard(node: ShardNode, shard: number, reason: string, lineage: string): Promise<boolean> {
  const { bulk, options, id, state } = node;
  const nobody = randomUUID();
  for (let attempts = 0; !state.isStopping; attempts++) {
    try {
      const { answer, rows } = await halt(await bulk.connection(), shard, lineage, reason, nobody);
      if (!('code' in answer)) {
        if (rows.length > 0)
          options.log.error({ node: id, shard }, 'halted the cluster: no node serves before mapwright cluster fork');
        return true;
      }
    } catch (error) {
      if (attempts === 0) options.log.warn({ err: error, shard }, 'cannot halt the cluster: retrying');
    }
    await delay(retryMs);
  }
  return false;
}
