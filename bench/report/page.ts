/** RESULTS.md: what a run came to, above a line; below it what people wrote about it, which a run keeps. */
import type { Row } from '../row.ts';
import { cells, columns } from './cells.ts';
import type { Results } from './files.ts';

const line = '<!-- Above: written by `npm run bench`. Below: by hand, kept by a run. -->';

const below = `
## Missed rows

None has been looked into yet.
`;

/** @param before the page as it was; '' when there is none */
export function page(results: Results, before: string): string {
  const { date, commit, machine, rounds, seconds, only, rows, skipped } = results;
  const byHand = before.includes(line) ? before.slice(before.indexOf(line) + line.length) : below;
  const part = only.length === 0 ? '' : ` Only ${only.join(', ')}.`;
  return `# Results

${date}, commit ${commit}; ${machine}.${part}

Medians of ${rounds} rounds of ${seconds} s, in which the sides took turns; the ratio is the median of the rounds' ratios, its spread the
greatest less the smallest of them, as a share of the median. In the notes, *control* is the ratio of the other side to itself, started once
more in each round: 1 on a quiet machine. A goal missed by less than the control is off is *unclear*. Measured again with \`npm run bench\`.

![Ratios of ours to the others, with the goals](results.svg)

${table(rows)}
${notes(rows)}${skipped.map((text) => `\n- ${text}`).join('')}

${line}
${byHand.trimStart() === '' ? below : byHand.replace(/^\n*/, '\n')}`;
}

function table(rows: readonly Row[]): string {
  const head = `| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}\n`;
  return head + rows.map((row) => `| ${cells(row).map(escaped).join(' | ')} |\n`).join('');
}

/** As the text of a cell. */
const escaped = (text: string): string => text.replaceAll('|', '\\|');

const notes = (rows: readonly Row[]): string =>
  rows
    .filter(({ note }) => note !== undefined)
    .map(({ what, note }) => `- ${what}: ${note}`)
    .join('\n');
