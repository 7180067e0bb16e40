/** `mapwright cluster release` and `fork`: what operators ask of a cluster or of one of its shards through its database. */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { OperationError } from '../../lib/errors.ts';
import { schemaVersion } from '../../model/schema-version.ts';
import { readCluster } from '../database/create-cluster.ts';
import type { Connection } from '../database/database-connection.ts';
import { DatabaseUnavailableError } from '../database/database-errors.ts';
import { askOwner, findOlderNodes, fork, raiseSchemaWritten } from '../database/operator-statements.ts';
import { observe } from '../database/owner-statements.ts';
import { readStatus, runningS } from '../database/read-status.ts';

/** Milliseconds between two looks at the owner, and until the owner must have handed over: its requests may take 10 s, and it claims again after. */
const pollMs = 50;
const handOverMs = 30_000;

export interface Released {
  /** Addresses of the owner before and after. */
  readonly from: string;
  readonly to: string;
}

/**
 * The shard that a command concerns. Rejects with OperationError if there is none with this number, or if several shards need one to be named.
 *
 * @param command as in messages: `cluster release`
 */
export async function chosenShard(connection: Connection, shard: number | undefined, command: string): Promise<number> {
  const { shards } = await readCluster(connection);
  if (shard === undefined ? shards === 1 : shard < shards) return shard ?? 0;
  const found = shard === undefined ? '' : ` There is no shard ${shard}.`;
  if (shards === 1) throw new OperationError(`The cluster has one shard, 0.${found}`, 'not_found');
  throw new OperationError(
    `The cluster has ${shards} shards.${found} Name one: mapwright ${command} --shard 0 (to ${shards - 1}).`,
    'not_found',
  );
}

/**
 * Asks the owner of a shard to hand over, and waits for the next one. Rejects with OperationError if no node could hand over or take over.
 *
 * @param options `shard` is required if there are several
 */
export async function releaseCluster(
  connection: Connection,
  options: { readonly shard?: number | undefined; readonly waitMs?: number } = {},
): Promise<Released> {
  const { waitMs = handOverMs } = options;
  const shard = await chosenShard(connection, options.shard, 'cluster release');
  const { nodes, shards } = await readStatus(connection);
  const before = await observe(connection, shard);
  const { address: from, answer } = before;
  if (before.halted !== '')
    throw new OperationError(`${shards.length === 1 ? 'The cluster' : `Shard ${shard}`} is halted. ${before.halted}`, 'conflict');
  if (answer.released || from === '')
    throw new OperationError('No node owns the data, so there is nothing to hand over.', 'conflict');
  const running = nodes.filter(({ address, role, seen_s }) => address !== from && role !== 'stopped' && seen_s < runningS);
  if (running.length === 0) {
    throw new OperationError(
      `Only the owner, ${from}, runs: nobody could take over. Start another node first: mapwright serve --cluster URL --advertise URL`,
      'conflict',
    );
  }
  const others = running.filter(({ address }) => shards.every(({ owner }) => owner !== address));
  if (others.length === 0) {
    throw new OperationError(
      `Every other node owns a shard: ${addresses(running)}. No node could take over from ${from}. Start another one first: mapwright serve --cluster URL --advertise URL`,
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

export interface Upgraded {
  /** Schema version of the records that nodes might write before, and may write now. */
  readonly from: number;
  readonly to: number;
}

/** Lets nodes write records of this program's schema version. Rejects with OperationError while a node runs that cannot read them. */
export async function upgradeCluster(connection: Connection): Promise<Upgraded> {
  const { schema_written: from } = await readStatus(connection);
  if (from > schemaVersion) {
    throw new OperationError(
      `The nodes write records of version ${from}, and this mapwright knows version ${schemaVersion}. Run the command of the version that the nodes run.`,
      'conflict',
    );
  }
  if (from === schemaVersion) return { from, to: from };
  const { answer, rows } = await raiseSchemaWritten(connection, schemaVersion, runningS);
  if ('code' in answer || answer.warned || !answer.replicates)
    throw new DatabaseUnavailableError('The database did not confirm the upgrade. Run the command again.');
  if (rows.length > 0) return { from, to: schemaVersion };
  const older = await findOlderNodes(connection, schemaVersion, runningS);
  const named = older.map(({ address, version }) => `${address} (mapwright ${version})`).join(', ');
  throw new OperationError(
    `Some nodes cannot read records of version ${schemaVersion}: ${named || 'they have just stopped'}. Restart each with this version of mapwright, then run the command again.`,
    'conflict',
  );
}

/** A shard that no node may serve. */
export interface HaltedShard {
  readonly shard: number;
  /** Number of shards of the cluster. */
  readonly shards: number;
  readonly reason: string;
}

/** The shards that no node may serve. Rejects with OperationError if nothing is wrong. @param shard the only one to look at */
export async function haltedShards(connection: Connection, shard?: number): Promise<HaltedShard[]> {
  const { shards } = await readStatus(connection);
  const named = shards.filter((each) => each.shard === (shard ?? each.shard));
  if (named.length === 0) throw new OperationError(`The cluster has no shard ${shard}.`, 'not_found');
  const halted = named.filter((each) => each.halted !== '');
  if (halted.length > 0) return halted.map((each) => ({ shard: each.shard, shards: shards.length, reason: each.halted }));
  const what = shard === undefined || shards.length === 1 ? 'The cluster' : `Shard ${shard}`;
  throw new OperationError(`${what} is not halted: nodes serve it, and nothing needs a decision.`, 'conflict');
}

/** Begins a new lineage with the log as it is, and lets nodes serve again. @param halted from {@link haltedShards} */
export async function forkShard(
  connection: Connection,
  { shard, reason }: Omit<HaltedShard, 'shards'>,
): Promise<{ readonly shard: number; readonly lineage: string; readonly lsn: number }> {
  const { answer } = await observe(connection, shard);
  const lineage = randomBytes(16).toString('hex');
  const { answer: written, rows } = await fork(connection, shard, reason, lineage, answer.timeline);
  if ('code' in written || written.warned || !written.replicates)
    throw new DatabaseUnavailableError('The database did not confirm the fork. Run the command again.');
  if (rows.length === 0) throw new OperationError('The cluster has changed meanwhile. Run the command again.', 'conflict');
  const { shards } = await readStatus(connection);
  return { shard, lineage, lsn: shards[shard]?.lsn ?? 0 };
}
