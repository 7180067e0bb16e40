/**
 * Does to a cluster what goes wrong in the world: `npm run test:cluster-faults`.
 *
 *     --rounds N   as many faults; 20 by default
 *     --seed N     the chance of another run
 *     --shards N   shards of the cluster; 1 by default
 *     --only TEXT  faults whose name has this text
 *     --pooled     with pgbouncer between nodes and databases
 *     --list       prints the faults
 */
import { parseArgs } from 'node:util';
import { givenOrRandomSeed } from '../../support/tier.ts';
import { runFaults } from './fault-run.ts';
import { FaultWorld } from './fault-world.ts';
import { clusterFaults } from './faults.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(givenOrRandomSeed()) },
    shards: { type: 'string', default: '1' },
    only: { type: 'string' },
    pooled: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});

if (flags.list) {
  for (const { name } of clusterFaults) console.log(name);
} else {
  const teardowns: (() => unknown)[] = [];
  const t = { teardown: (work: () => unknown) => void teardowns.push(work) };
  const began = performance.now();
  try {
    const world = await FaultWorld.start(t, { shards: Number(flags.shards), pooled: flags.pooled });
    const { only, seed, rounds } = flags;
    const { recoveryMs, faults, operations, unanswered } = await runFaults(world, {
      ...{ seed: Number(seed), faults: Number(rounds), only },
      note: (text) => console.log(text),
    });
    const sorted = recoveryMs.toSorted((a, b) => a - b);
    const median = Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
    const worst = Math.round(sorted.at(-1) ?? 0);
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    console.log(
      `${faults} faults in ${seconds} s (seed ${seed}): ${operations} operations, ${unanswered} without an answer, 0 lost, 0 wrong; every node writes after ${median} ms (median), ${worst} ms (worst)`,
    );
  } catch (error) {
    console.log((error as Error).message);
    process.exitCode = 1;
  }
  for (const work of teardowns.reverse()) await work();
  process.exit();
}
