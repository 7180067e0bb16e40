/**
 * Every workload, crashed at every moment in every way a disk allows, as far as a minute or two suffices (explore.ts says how it is
 * counted). `npm run test:crash -- --long` goes further.
 */
import t from 'tap';
import { describeFailure, exploreAll, lineOf, sumOf } from './run.ts';
import { workloads } from './workloads.ts';

const statesMin = 1_000_000;
const jobs = 2;

t.setTimeout(600_000);

t.test('no crash loses what was acknowledged, shows what never was, or leaves what a restart refuses', async (t) => {
  t.ok(workloads.length >= 20, `${workloads.length} workloads`);
  t.equal(new Set(workloads.map(({ name }) => name)).size, workloads.length, 'each with a name of its own');
  const reports = await exploreAll(
    workloads.map(({ name }) => ({ workload: name, depth: 'normal' as const })),
    jobs,
    (report) => t.notOk(report.failure, describeFailure(report, 'normal') || report.workload),
  );
  for (const report of reports) console.log(lineOf(report));
  const sum = sumOf(reports);
  console.log(`${sum.toLocaleString('en')} different states were recovered from`);
  t.ok(sum >= statesMin, `${sum} different states`);
});
