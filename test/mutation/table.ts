/** The table of planted bugs: which of them are faults at interfaces, and which are edits of the text of `src`. */
import { faults } from './faults.ts';
import type { Fault } from './seam.ts';
import { type Detector, type Seed, seeds } from './seeds.ts';

export function detectorName(detector: Detector): string {
  return 'workload' in detector ? `workload "${detector.workload}"` : `test/${detector.test}`;
}

/** Where a seed is planted, and what it does there. */
function plantedAt({ plants }: Seed): [at: string, what: string] {
  if (typeof plants !== 'string') return ['text of src', [...new Set(plants.map(({ inside }) => `\`${inside}\``))].join(', ')];
  const fault: Fault = faults[plants];
  return [fault.at, plants];
}

/** The seeds as rows of a Markdown table, with its head. */
export function tableOf(chosen: readonly Seed[]): string {
  const rows = chosen.map((seed) => [seed.name, ...plantedAt(seed), detectorName(seed.caughtBy)]);
  return [['planted bug', 'interface', 'fault', 'caught by'], ['---', '---', '---', '---'], ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

const start = '<!-- npm run generate -->\n';
const end = '\n\n<!-- end -->';

/** README.md of this folder with the numbers and the table of the faults at interfaces. */
export function withFaults(committed: string): string {
  const atInterfaces = seeds.filter(({ plants }) => typeof plants === 'string');
  const counts = `${seeds.length} planted bugs: ${atInterfaces.length} are faults at interfaces, ${seeds.length - atInterfaces.length} edit the text of \`src\`.`;
  const before = committed.slice(0, committed.indexOf(start) + start.length);
  return `${before}${counts}\n\n${tableOf(atInterfaces)}${committed.slice(committed.indexOf(end))}`;
}
