/**
 * Explores crash states from the command line: `npm run test:crash -- --help`.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { DepthName } from './depth.ts';
import { describeFailure, exploreAll, lineOf, sumOf } from './run.ts';
import { workloads } from './workloads.ts';

const usage = `npm run test:crash -- [options]

  --workload NAME  only this workload (more than once for several)
  --state ID       only this state of it, as a failure names it
  --long           deeper, and crashes in the restart after a crash in a restart
  --brief          shallower: what the seeded bugs are found with
  --jobs N         threads; as many as there are processors
  --json           one line of JSON for each workload

Workloads:
${workloads.map(({ name }) => `  ${name}`).join('\n')}`;

const { values } = parseArgs({
  options: {
    workload: { type: 'string', multiple: true },
    state: { type: 'string' },
    long: { type: 'boolean' },
    brief: { type: 'boolean' },
    jobs: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

if (values.help) {
  console.log(usage);
} else {
  const depth: DepthName = values.long ? 'long' : values.brief ? 'brief' : 'normal';
  const names = values.workload ?? workloads.map(({ name }) => name);
  const tasks = names.map((workload) => ({ workload, depth, state: values.state }));
  const jobs = Math.min(tasks.length, Number(values.jobs ?? availableParallelism()));
  const reports = await exploreAll(tasks, jobs, (report) => console.log(values.json ? JSON.stringify(report) : lineOf(report)));
  const failed = reports.filter(({ failure }) => failure !== undefined);
  if (!values.json) {
    for (const report of failed) console.log(`\n${describeFailure(report, depth)}`);
    console.log(
      `\n${sumOf(reports).toLocaleString('en')} different states of ${reports.length} workloads, ${failed.length} failed`,
    );
  }
  process.exitCode = failed.length === 0 ? 0 : 1;
}
