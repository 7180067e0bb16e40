/** Explores workloads in threads, and says what came of it. */
import { Piscina } from 'piscina';
import type { DepthName } from './depth.ts';
import type { Report } from './explore.ts';
import type { Task } from './explore-worker.ts';

export async function exploreAll(
  tasks: readonly Task[],
  jobs: number,
  onReport: (report: Report) => void = () => undefined,
): Promise<Report[]> {
  // Nearly all that a recovery makes is garbage a moment later: with room for it, collecting costs half.
  const resourceLimits = { maxYoungGenerationSizeMb: 96 };
  const pool = new Piscina({ filename: new URL('./explore-worker.js', import.meta.url).href, maxThreads: jobs, resourceLimits });
  try {
    return await Promise.all(
      tasks.map(async (task) => {
        const report = (await pool.run(task)) as Report;
        onReport(report);
        return report;
      }),
    );
  } finally {
    await pool.destroy();
  }
}

const number = (value: number, width: number) => value.toLocaleString('en').padStart(width);

export function lineOf({ workload, states, inRestarts, restarts, untried, moments, sampled, ms }: Report): string {
  const counts = `${number(states, 11)} states, ${number(inRestarts, 9)} of them in ${number(restarts, 4)} restarts of ${number(restarts + untried, 4)},`;
  return `${workload.padEnd(48)}${counts} ${number(moments, 5)} moments, ${number(sampled, 4)} sampled, ${number(ms / 1000, 7)} s`;
}

export const sumOf = (reports: readonly Report[]): number => reports.reduce((sum, { states }) => sum + states, 0);

/** Everything about a failure, with the command that shows it again. */
export function describeFailure({ workload, failure }: Report, depth: DepthName): string {
  if (failure === undefined) return '';
  const { rule, promise, found, what, state } = failure;
  const long = depth === 'normal' ? '' : ` --${depth}`;
  return [
    `FAILED in "${workload}", state ${state === '' ? 'of the workload itself' : state}: rule "${rule}"`,
    `  expected: ${promise}`,
    `  found:    ${found}`,
    `  the disk: ${what}`,
    `  again:    npm run test:crash --${long} --workload '${workload}'${state === '' ? '' : ` --state '${state}'`}`,
  ].join('\n');
}
