// tier: normal, process: first
/**
 * Workloads, crashed at every moment in every way a disk allows, as far as a minute or two suffices (explore.ts says how it is counted):
 * all of them in `npm run test:all`, some at less depth otherwise. `npm run test:crash -- --long` goes further.
 */
import t from 'tap';
import { Chance } from '../support/random.ts';
import { seed, sized } from '../support/tier.ts';
import { describeFailure, exploreAll, lineOf, sumOf } from './run.ts';
import { workloads } from './workloads.ts';

const { count, depth, statesMin } = sized({
  sample: { count: 2, depth: 'sample', statesMin: 2_000 },
  all: { count: 14, depth: 'normal', statesMin: 200_000 },
} as const);
const jobs = 2;

t.setTimeout(1_800_000);

t.test('no crash loses an acknowledged write, shows one that never was, or prevents a restart', async (t) => {
  t.ok(workloads.length >= 20, `${workloads.length} workloads`);
  t.equal(new Set(workloads.map(({ name }) => name)).size, workloads.length, 'each with a name of its own');
  const chosen = new Chance(seed).shuffled(workloads).slice(0, count);
  const reports = await exploreAll(
    chosen.map(({ name }) => ({ workload: name, depth })),
    jobs,
    (report) => t.notOk(report.failure, describeFailure(report, depth) || report.workload),
  );
  for (const report of reports) console.log(lineOf(report));
  const sum = sumOf(reports);
  console.log(`${sum.toLocaleString('en')} different states were recovered from`);
  t.ok(sum >= statesMin, `${sum} different states`);
});
