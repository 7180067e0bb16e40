// tier: all, process: own
/** Faults of a cluster, some in pairs, under clients of all nodes. `npm run test:cluster-faults` injects more. */
import t from 'tap';
import { seed } from '../support/tier.ts';
import { runFaults } from './faults/fault-run.ts';
import { FaultWorld } from './faults/fault-world.ts';

const faults = 20;

t.setTimeout(1_800_000);

t.test(`a cluster stays linearizable through ${faults} faults (SEED=${seed})`, async (t) => {
  const world = await FaultWorld.start(t);
  const report = await runFaults(world, { seed, faults, note: (text) => t.comment(text) });
  t.equal(report.faults, faults);
  t.ok(report.unanswered < report.operations / 2, `${report.operations} operations, ${report.unanswered} without an answer`);
});
