/** What goes wrong: the rows of the table "Failures" of a cluster. Each does its fault, waits and undoes it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Chance } from '../../support/random.ts';
import type { ClusterNode } from '../support/nodes.ts';
import type { Direction, Fault as NetworkFault, TcpProxy } from '../support/tcp-proxy.ts';
import { type FaultWorld, leaseMs } from './fault-world.ts';

export interface ClusterFault {
  readonly name: string;
  /** A fault of a node, or of the databases: a pair has at most one of the databases. */
  readonly of: 'node' | 'database';
  run(world: FaultWorld, random: Chance): Promise<void>;
}

/** Longest fault: several leases, so that others take over. */
const longestMs = 4 * leaseMs;
/** Milliseconds until commits wait for a standby that is away. */
const waitingMs = 300;

const duration = (random: Chance): Promise<void> => sleep(100 + random.below(longestMs));

/** A node that no other fault keeps down: the owner more often than not. */
async function victim(world: FaultWorld, random: Chance): Promise<ClusterNode | undefined> {
  const free = world.nodes.filter((node) => !world.down.has(node));
  const owner = await world.owner(random.below(world.keys.length));
  const node = !random.once(4) && free.includes(owner) ? owner : free.length === 0 ? undefined : random.pick(free);
  if (node !== undefined) world.down.add(node);
  return node;
}

async function onNode(world: FaultWorld, random: Chance, work: (node: ClusterNode) => Promise<void>): Promise<void> {
  const node = await victim(world, random);
  if (node === undefined) return;
  try {
    await work(node);
  } finally {
    world.down.delete(node);
  }
}

function cut(random: Chance): NetworkFault {
  const direction = random.pick<Direction | 'both'>(['toServer', 'toClient', 'both', 'both']);
  return random.pick<NetworkFault>([{ drop: direction }, { hold: direction }, 'reset', { delay: 20 + random.below(300) }]);
}

async function withFault(proxies: readonly TcpProxy[], fault: NetworkFault, work: () => Promise<unknown>): Promise<void> {
  for (const proxy of proxies) proxy.fault = fault;
  try {
    await work();
  } finally {
    for (const proxy of proxies) proxy.fault = 'pass';
  }
}

const cutReplication = (random: Chance): NetworkFault =>
  random.pick<NetworkFault>([{ hold: 'both' }, { hold: 'toClient' }, { hold: 'toServer' }, { drop: 'both' }]);

/** What is done to commits that wait for the standby. */
const harms = {
  async 'names emptied'(world: FaultWorld) {
    await world.primary.setStandbyNames('');
  },
  async 'primary restarted'(world: FaultWorld, random: Chance) {
    // A shutdown in order waits for the standby.
    if (random.once(2)) await world.primary.stop('immediate');
    else await world.primary.kill();
    await world.primary.start();
  },
  async 'append cancelled'({ primary }: FaultWorld) {
    await primary.sql("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
  },
  async 'append terminated'({ primary }: FaultWorld) {
    await primary.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
  },
} as const;

/** The primary is lost; the standby takes its place. */
async function promote(world: FaultWorld): Promise<void> {
  await world.primary.kill();
  await world.standby.promote();
  await world.swap();
}

const harmed = (Object.keys(harms) as (keyof typeof harms)[]).flatMap((harm): ClusterFault[] => [
  {
    name: harm,
    of: 'database',
    async run(world, random) {
      await withFault([world.replication], cutReplication(random), async () => {
        await sleep(waitingMs);
        await harms[harm](world, random);
        await sleep(random.below(1_000));
        if (harm === 'names emptied') await world.primary.setStandbyNames('s1');
      });
      await world.pair.synchronized(world.primary);
    },
  },
  {
    name: `${harm}, then promotion`,
    of: 'database',
    async run(world, random) {
      world.replication.fault = cutReplication(random);
      await sleep(waitingMs);
      await harms[harm](world, random);
      await sleep(random.below(1_000));
      const former = world.primary;
      await promote(world);
      if (harm === 'names emptied') await former.setStandbyNames('s1');
    },
  },
]);

export const clusterFaults: readonly ClusterFault[] = [
  {
    name: 'node killed',
    of: 'node',
    run: (world, random) =>
      onNode(world, random, async (node) => {
        await node.kill();
        await duration(random);
        await node.start();
      }),
  },
  {
    name: 'node stopped by SIGTERM',
    of: 'node',
    run: (world, random) =>
      onNode(world, random, async (node) => {
        await Promise.race([node.stop(), sleep(20_000)]);
        if (node.isRunning) throw new Error(`a node does not stop:\n${node.output.slice(-2000)}`);
        await sleep(random.below(1_000));
        await node.start();
      }),
  },
  {
    name: 'node stopped',
    of: 'node',
    run: (world, random) =>
      onNode(world, random, async (node) => {
        node.pause();
        await duration(random);
        node.resume();
      }),
  },
  {
    name: 'node cut off from the databases',
    of: 'node',
    run: (world, random) =>
      onNode(world, random, (node) => withFault(world.proxiesOf(node), cut(random), () => duration(random))),
  },
  {
    name: 'node cut off from other nodes',
    of: 'node',
    run: (world, random) =>
      onNode(world, random, (node) => withFault([world.peersOf(node)], cut(random), () => duration(random))),
  },
  {
    name: 'connections to the databases reset',
    of: 'node',
    run: async (world) => {
      for (const proxy of world.toDatabases.flat()) proxy.resetConnections();
    },
  },
  {
    name: 'standby gone',
    of: 'database',
    async run(world, random) {
      if (random.once(2)) {
        await withFault([world.replication], cut(random), () => duration(random));
        return;
      }
      await world.standby.kill();
      await duration(random);
      await world.startStandby();
    },
  },
  {
    name: 'databases stopped where they are',
    of: 'database',
    async run(world, random) {
      const server = random.pick([world.primary, world.standby]);
      await server.pause();
      await duration(random);
      await server.resume();
    },
  },
  {
    name: 'promotion, the former primary gone',
    of: 'database',
    run: (world) => promote(world),
  },
  {
    name: 'promotion, the former primary still up',
    of: 'database',
    async run(world, random) {
      world.replication.fault = cutReplication(random);
      await sleep(random.below(1_000));
      await world.standby.promote();
      await duration(random);
      await world.primary.kill();
      await world.swap();
    },
  },
  {
    name: 'connections used up',
    of: 'database',
    async run(world, random) {
      const held: pg.Client[] = [];
      try {
        for (;;) held.push(await world.primary.connect());
      } catch {
        // That was the last one.
      }
      for (const proxy of world.toDatabases.flat()) if (random.once(2)) proxy.resetConnections();
      await duration(random);
      await Promise.all(held.map((client) => client.end().catch(() => undefined)));
    },
  },
  ...harmed,
];
