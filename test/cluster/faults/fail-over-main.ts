/**
 * Measures how long a cluster does not write: `npm run test:cluster-fail-over`.
 *
 *     --kills N       owners that are killed; until another node answers a write with 200
 *     --stops N       owners that get SIGTERM under load; until the process ended, and failed requests
 *     --members N     popups that the cluster has before all of it; 0 by default
 *     --promotions N  primaries that are killed; until a write is answered after the promoted standby accepts synchronous writes
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type RunningCluster, send, Writers } from '../support/cluster.ts';
import type { ClusterNode } from '../support/nodes.ts';
import { FaultWorld } from './fault-world.ts';

const { values: flags } = parseArgs({
  options: {
    kills: { type: 'string', default: '10' },
    stops: { type: 'string', default: '5' },
    members: { type: 'string', default: '0' },
    promotions: { type: 'string', default: '5' },
  },
});

function summary(name: string, times: readonly number[], unit = 'ms'): void {
  const sorted = times.toSorted((a, b) => a - b);
  const median = Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
  console.log(`${name}: ${times.length} times, median ${median} ${unit}, worst ${Math.round(sorted.at(-1) ?? 0)} ${unit}`);
}

const teardowns: (() => unknown)[] = [];
const world = await FaultWorld.start({ teardown: (work) => void teardowns.push(work) }, { lease: '3s' });
const cluster: RunningCluster = world;
const made = await send(world.nodes[0] as ClusterNode, world.key, 'POST', '/v1/projects', { name: 'measured' });
const { id } = JSON.parse(made.text) as { id: string };

/** Popups of a project that is created by one request. */
const membersEach = 10_000;

for (let left = Number(flags.members); left > 0; left -= membersEach) {
  const popups = Array.from({ length: Math.min(left, membersEach) }, (_, i) => ({ name: `popup ${i}`, content: `<p>${i}</p>` }));
  const { status, text } = await send(world.nodes[0] as ClusterNode, world.key, 'POST', '/v1/projects', { name: 'many', popups });
  if (status !== 200) throw new Error(`a project with ${popups.length} popups was not created: ${status} ${text.slice(0, 500)}`);
}

/** Resolves when a write is answered that was sent after the call. */
async function written(nodes: readonly ClusterNode[], isOver: () => boolean = () => false): Promise<number> {
  for (let n = 0; !isOver(); n++) {
    const node = nodes[n % nodes.length] as ClusterNode;
    const heard = await world.ask(node, 'PATCH', `/projects/${id}`, { name: `${performance.now()}` });
    if (heard?.status === 200) return performance.now();
    await sleep(10);
  }
  return performance.now();
}

const kills: number[] = [];
for (let n = 0; n < Number(flags.kills); n++) {
  await sleep(Math.random() * 1_000);
  const owner = await world.owner();
  await owner.kill();
  const began = performance.now();
  kills.push((await written(world.nodes.filter((node) => node !== owner))) - began);
  await owner.start();
  await world.recovered();
}
summary('fail-over after kill -9', kills);

const stops: number[] = [];
const pauses: number[] = [];
let failed = 0;
let requests = 0;
for (let n = 0; n < Number(flags.stops); n++) {
  const owner = await world.owner();
  const writers = new Writers(cluster, 6);
  await writers.more(30);
  const began = performance.now();
  await owner.stop();
  stops.push(performance.now() - began);
  await writers.more(30);
  await writers.stop();
  pauses.push(writers.longestPauseMs);
  failed += writers.failures.length;
  requests += writers.acknowledged.length + writers.failures.length;
  for (const failure of writers.failures) console.log(failure);
  await owner.start();
  await world.recovered();
}
summary('SIGTERM until the process ended', stops);
summary('SIGTERM, longest pause between two answers', pauses);
console.log(`SIGTERM: ${failed} of ${requests} requests failed`);

const promotions: number[] = [];
for (let n = 0; n < Number(flags.promotions); n++) {
  await world.primary.kill();
  await world.standby.promote();
  const swapped = world.swap().then(() => performance.now());
  const wrote = written(world.nodes);
  promotions.push(Math.max(0, (await wrote) - (await swapped)));
  await world.recovered();
}
summary('promotion, after the standby accepts synchronous writes', promotions);

for (const work of teardowns.reverse()) await work();
process.exit();
