/** A cluster: what the owner serves beside a single machine, what forwarding costs, and durable creates. */
import { compare, type Other } from '../lib/turns.ts';
import { throughput } from '../load/throughput.ts';
import type { Bench, Context, Goal, Row } from '../row.ts';
import type { Api } from '../servers/api.ts';
import { startCluster, startFastifyOnPair } from '../servers/cluster.ts';
import { startOurs } from '../servers/ours.ts';
import { sqliteMissing } from '../servers/peers.ts';
import { Creates } from './creates.ts';
import { exampleObjects, getEach, makeProject } from './world.ts';

const unit = '/s';
const connections = 64;

async function reads(context: Context): Promise<Row[]> {
  if (context.alone) return [];
  const cluster = await startCluster(context.program);
  const single = await startOurs(context.program);
  try {
    const objects = exampleObjects('cities', 100);
    const requests = getEach(await makeProject(cluster.owner, objects));
    const requestsOfSingle = getEach(await makeProject(single, objects));
    const side = (target: Api, list: typeof requests) => ({
      name: target.name,
      measure: (seconds: number) => throughput({ target, requests: list, connections, seconds }),
    });
    const owner = side(cluster.owner, requests);
    const forwarded = side(cluster.forwarding, requests);
    const one: Other = { ...side(single, requestsOfSingle), what: "cluster: owner's GET / one machine", goal: { atLeast: 0.97 } };
    const direct: Other = { ...owner, what: "cluster: forwarded GET / owner's", goal: { atLeast: 0.35 } };
    return [
      ...(await compare(context, { unit, what: "cluster: owner's GET", ours: owner, others: [one] })),
      ...(await compare(context, { unit, what: 'cluster: forwarded GET', ours: forwarded, others: [direct] })),
    ];
  } finally {
    await single.stop();
    await cluster.stop();
  }
}

async function creates(context: Context): Promise<Row[]> {
  if (context.alone) return [];
  const rows: Row[] = [];
  const others: readonly (readonly [start: () => Promise<Api>, what: string, goal: Goal])[] = [
    [() => startOurs(context.program), 'one machine', { atLeast: 0.5 }],
    [startFastifyOnPair, 'Fastify on such a pair', { atLeast: 3 }],
  ];
  for (const [start, name, goal] of others) {
    const cluster = await startCluster(context.program);
    const peer = await start();
    try {
      const ours = await Creates.begin(cluster.owner, connections);
      const other = await Creates.begin(peer, connections);
      const what = 'cluster: durable create, 64 connections';
      rows.push(
        ...(await compare(context, {
          unit,
          what,
          ours,
          others: [{ name: peer.name, measure: (s) => other.measure(s), what: `${what} / ${name}`, goal }],
        })),
      );
      await ours.check();
      await other.check();
    } finally {
      await peer.stop();
      await cluster.stop();
    }
  }
  return rows;
}

export const benchesOfClusters: readonly Bench[] = [
  { name: 'cluster-get', about: "GETs at a cluster's owner, and forwarded by another node", run: reads },
  {
    name: 'cluster-create',
    about: 'durable creates in a cluster, beside one machine and Fastify on PostgreSQL',
    missing: sqliteMissing,
    run: creates,
  },
];
