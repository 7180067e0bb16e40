/** Checks of a node before it joins its cluster. Each throws a ClusterSettingsError that says what to change. */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { openStreetMapTiles } from '../../api/pages/map-tiles.ts';
import { limitsWith } from '../../http/guard/http-limits.ts';
import { versionsMaxDefault } from '../../model/account-limits.ts';
import { schemaVersion, schemaVersionsRead, schemaVersionWritten } from '../../model/schema-version.ts';
import { type ServerOptions, serverOptions } from '../../server/server-options.ts';
import type { Cluster } from '../database/create-cluster.ts';
import type { Connection } from '../database/database-connection.ts';
import { ClusterSettingsError } from '../database/database-errors.ts';
import { findOtherOptions, otherAddresses } from '../database/node-rows.ts';
import { runningS } from '../database/read-status.ts';
import { clusterOptions } from './cluster-options.ts';
import { askPeer, introductionAt, type Reached } from './peer-reach.ts';
import type { PeerSignature } from './peer-signature.ts';

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

/** Options that change responses, with their defaults. */
export interface SharedOptions {
  readonly digest: string;
  /** Name to value, as JSON. */
  readonly text: string;
}

type ResponseOptions = Pick<
  ServerOptions,
  | 'elementsMax'
  | 'segmentBytes'
  | 'rateLimit'
  | 'quotas'
  | 'limits'
  | 'cors'
  | 'compression'
  | 'console'
  | 'docs'
  | 'publish'
  | 'publicUrl'
  | 'tiles'
  | 'live'
  | 'dataHosts'
  | 'dataTimeoutMs'
  | 'dataResponseBytes'
>;

/** The options that must be equal on all nodes: a client must not notice which node owns the data. */
export function sharedOptions(options: ResponseOptions, leaseMs: number): SharedOptions {
  const { elementsMax, segmentBytes, rateLimit, quotas, limits, cors, compression, docs, publish, publicUrl, tiles } = options;
  const values: Record<string, unknown> = {
    lease: `${leaseMs / 1000}s`,
    elementsMax: elementsMax ?? serverOptions.elementsMax.range[0],
    segmentBytes: segmentBytes ?? serverOptions.segmentBytes.range[0],
    rateLimit: rateLimit ?? 'none',
    cors: [...(cors ?? [])].sort(),
    compression: compression ?? true,
    docs: docs ?? true,
    // Left out by default: nodes of earlier versions, which do not have these, may run in the same cluster.
    ...(options.console === false && { console: false }),
    ...(publish === false && { publish }),
    ...(options.live === false && { live: false }),
    ...(options.dataHosts ? { dataHosts: options.dataHosts } : {}),
    ...unlessDefault(options, 'dataTimeoutMs'),
    ...unlessDefault(options, 'dataResponseBytes'),
    ...(tiles !== undefined && tiles !== openStreetMapTiles && { tiles }),
    publicUrl: publicUrl ?? '',
    ...named('quotas', { projects: 'none', members: 'none', bytes: 'none', versions: versionsMaxDefault, ...quotas }),
    ...named('limits', limitsWith(limits)),
  };
  const text = JSON.stringify(Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))));
  return { digest: createHash('sha256').update(text).digest('hex').slice(0, 16), text };
}

function unlessDefault(options: ResponseOptions, name: 'dataTimeoutMs' | 'dataResponseBytes'): Record<string, unknown> {
  const value = options[name];
  return value === undefined || value === serverOptions[name].range[0] ? {} : { [name]: value };
}

const named = (group: string, values: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${group}.${name}`, value]));

/** As stored in `mw_node`. */
export const storedOptions = ({ digest, text }: SharedOptions): string => `${digest} ${text}`;

/** Milliseconds in which a node that runs renews its entry. */
const aliveMs = 5_000;
const pollMs = 200;

/** Refuses options that differ from those of a node that runs. An entry that is not renewed is that of a node that has ended. */
export async function refuseOtherOptions(connection: Connection, nodeId: string, own: SharedOptions): Promise<void> {
  const different = () => findOtherOptions(connection, nodeId, own.digest, runningS);
  const before = new Map((await different()).map(({ id, seen }) => [id, seen]));
  const until = performance.now() + aliveMs;
  while (before.size > 0 && performance.now() < until) {
    await delay(pollMs);
    const renewed = (await different()).find(({ id, seen }) => before.has(id) && before.get(id) !== seen);
    if (renewed === undefined) continue;
    throw new ClusterSettingsError(
      `Options that change responses differ from those of the node ${renewed.address}: ${differences(own.text, renewed.options)}. Start all nodes with the same options.`,
    );
  }
}

function differences(own: string, stored: string): string {
  const here = JSON.parse(own) as Readonly<Record<string, unknown>>;
  const there = JSON.parse(stored.slice(stored.indexOf(' ') + 1)) as Readonly<Record<string, unknown>>;
  const shown = (value: unknown): string =>
    value === undefined ? 'unknown' : typeof value === 'string' ? value : JSON.stringify(value);
  return [...new Set([...Object.keys(here), ...Object.keys(there)])]
    .filter((name) => JSON.stringify(here[name]) !== JSON.stringify(there[name]))
    .map((name) => `${name} is ${shown(here[name])} here and ${shown(there[name])} there`)
    .join('; ');
}
