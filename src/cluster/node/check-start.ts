/** Checks of a node before it joins its cluster. Each throws a ClusterSettingsError that says what to change. */
import { setTimeout as delay } from 'node:timers/promises';
import { schemaVersion, schemaVersionsRead, schemaVersionWritten } from '../../model/schema-version.ts';
import { type ClusterNodeOptions, clusterOptions } from '../cluster-options.ts';
import type { Cluster } from '../database/create-cluster.ts';
import type { Connection } from '../database/database-connection.ts';
import { ClusterSettingsError } from '../database/database-errors.ts';
import { otherAddresses } from '../database/node-rows.ts';
import { runningS } from '../database/read-status.ts';
import { askPeer, introductionAt, type Reached } from '../peers/peer-reach.ts';
import type { PeerSignature } from '../peers/peer-signature.ts';

const leaseMsMin = 1_000;

/** Refuses a lease that the pauses of a busy machine would end. */
export function refuseShortLease(leaseMs: number): void {
  if (leaseMs >= leaseMsMin) return;
  throw new ClusterSettingsError(
    `The lease is ${leaseMs} ms, and must be at least ${leaseMsMin} ms: a shorter one ends during a short pause of the machine. The default is --lease ${clusterOptions.leaseMs.range[0] / 1000}s.`,
  );
}

/** Refuses a cluster whose nodes write records that this program cannot read. */
export function refuseNewerRecords({ schemaWritten }: Cluster): void {
  if (schemaWritten <= schemaVersion) return;
  throw new ClusterSettingsError(
    `The nodes of the cluster write records of schema version ${schemaWritten}; this mapwright reads ${schemaVersionsRead}. Install the version that the other nodes run.`,
  );
}

/**
 * Refuses a program whose records the other nodes may not be able to read.
 *
 * @param writes schema version of the records that this program writes
 */
export function refuseUnreadableRecords({ schemaWritten }: Pick<Cluster, 'schemaWritten'>, writes = schemaVersionWritten): void {
  if (writes <= schemaWritten) return;
  throw new ClusterSettingsError(
    `This mapwright writes records of version ${writes}, and the cluster's nodes are only known to read version ${schemaWritten}. First update all nodes to a version of mapwright that reads version ${writes} and still writes version ${schemaWritten}, and run its command: mapwright cluster upgrade. Or stop all nodes, and run that command of this mapwright.`,
  );
}

/** Refuses single sign-on in a cluster of several shards: who comes back from a provider may be a person of any of them. */
export function refuseSignOn({ oidcIssuer }: Pick<ClusterNodeOptions, 'oidcIssuer'>, { shards }: Pick<Cluster, 'shards'>): void {
  if (oidcIssuer === undefined || shards === 1) return;
  throw new ClusterSettingsError(
    `--oidc-issuer works in a cluster of one shard; this one has ${shards}. Leave it out: invitations sign people in to all shards.`,
  );
}

/**
 * Refuses an address at which another process of this cluster answers. Without an answer, nothing is refused: the address may be for other machines
 * only.
 */
export async function refuseOtherProcess(advertise: string, nodeId: string, signature: PeerSignature): Promise<void> {
  const found = await introductionAt(advertise, signature).catch(() => undefined);
  if (found === undefined || found.nodeId === nodeId) return;
  throw new ClusterSettingsError(
    `Another node of the cluster answers at ${advertise}. Give each node an address of its own with --advertise.`,
  );
}

/** Milliseconds in which a peer must reach this node, and between two questions: a network may fail for a moment. */
const reachableMs = 10_000;
const askMs = 500;

/**
 * Refuses an address that no other node reaches. One that reaches it is enough. Nodes that do not answer say nothing: where none does, the network may
 * be cut, and nothing is refused.
 */
export async function refuseUnreachable(
  connection: Connection,
  advertise: string,
  nodeId: string,
  signature: PeerSignature,
): Promise<void> {
  const until = performance.now() + reachableMs;
  for (;;) {
    const peers = await otherAddresses(connection, { id: nodeId, address: advertise }, runningS);
    const answers = await Promise.all(
      peers.map(async (address) => ({ address, found: await askPeer(address, advertise, signature) })),
    );
    if (answers.some(({ found }) => found?.node === nodeId)) return;
    const failed = answers.find(({ found }) => found !== undefined);
    if (failed === undefined) return;
    if (performance.now() > until) {
      const { node, error = `the node ${node} answers there` } = failed.found as Reached;
      throw new ClusterSettingsError(
        `No other node reaches this one at ${advertise}. The node at ${failed.address} says: ${error}. Give --advertise an address of this machine that the other nodes reach, and open its port in firewalls.`,
      );
    }
    await delay(askMs);
  }
}
