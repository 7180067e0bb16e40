/** `mapwright cluster release` and `fork`: what operators ask of a cluster through its database. */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from '../../cluster/database/database-connection.ts';
import { DatabaseUnavailableError } from '../../cluster/database/database-errors.ts';
import { askOwner, fork } from '../../cluster/database/operator-statements.ts';
import { observe } from '../../cluster/database/owner-statements.ts';
import { readStatus } from '../../cluster/database/read-status.ts';
import { OperationError } from '../../lib/errors.ts';

const shard = 0;
/** Seconds since a node was seen, above which it does not run. */
export const runningS = 10;
/** Milliseconds between two looks at the owner, and until the owner must have handed over: its requests may take 10 s, and it claims again after. */
const pollMs = 50;
const handOverMs = 30_000;

export interface Released {
  /** Addresses of the owner before and after. */
  readonly from: string;
  readonly to: string;
}

/** Asks the owner to hand over, and waits for the next one. Rejects with OperationError if there is nobody to hand over, or to take over. */
export async function releaseCluster(connection: Connection, waitMs = handOverMs): Promise<Released> {
  const { nodes } = await readStatus(connection);
  const before = await observe(connection, shard);
  const { address: from, answer } = before;
  if (before.halted !== '') throw new OperationError(`The cluster is halted. ${before.halted}`, 'conflict');
  if (answer.released || from === '')
    throw new OperationError('No node owns the data, so there is nothing to hand over.', 'conflict');
  const others = nodes.filter(({ address, role, seen_s }) => address !== from && role !== 'stopped' && seen_s < runningS);
  if (others.length === 0) {
    throw new OperationError(
      `Only the owner, ${from}, runs: nobody could take over. Start another node first: mapwright serve --cluster URL --advertise URL`,
      'conflict',
    );
  }
  await askOwner(connection, shard, answer.owner);
  const until = performance.now() + waitMs;
  for (;;) {
    const now = await observe(connection, shard);
    if (now.answer.owner !== answer.owner && !now.answer.released) {
      if (now.address === from) {
        throw new OperationError(
          `No other node took over, so ${from} owns the data again. Read the logs of: ${addresses(others)}`,
          'conflict',
        );
      }
      return { from, to: now.address };
    }
    if (performance.now() > until) {
      throw new OperationError(
        `The owner, ${from}, has not handed over within ${Math.round(waitMs / 1000)} s. Read its log, or end its process: another node takes over.`,
        'conflict',
      );
    }
    await delay(pollMs);
  }
}

const addresses = (nodes: readonly { readonly address: string }[]): string => nodes.map(({ address }) => address).join(', ');

/** Why no node may serve the cluster. Rejects with OperationError if nothing is wrong. */
export async function haltReason(connection: Connection): Promise<string> {
  const { halted } = await observe(connection, shard);
  if (halted === '')
    throw new OperationError('The cluster is not halted: nodes serve it, and nothing needs a decision.', 'conflict');
  return halted;
}

/** Begins a new lineage with the log as it is, and lets nodes serve again. @param reason from {@link haltReason} */
export async function forkCluster(
  connection: Connection,
  reason: string,
): Promise<{ readonly lineage: string; readonly lsn: number }> {
  const { answer } = await observe(connection, shard);
  const lineage = randomBytes(16).toString('hex');
  const { answer: written, rows } = await fork(connection, shard, reason, lineage, answer.timeline);
  if ('code' in written || written.warned || !written.replicates)
    throw new DatabaseUnavailableError('The database did not confirm the fork. Run the command again.');
  if (rows.length === 0) throw new OperationError('The cluster has changed meanwhile. Run the command again.', 'conflict');
  const { shards } = await readStatus(connection);
  return { lineage, lsn: shards[0]?.lsn ?? 0 };
}
