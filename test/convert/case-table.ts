/** Prints the cases as a table of Markdown: `node dist/test/convert/case-table.js`. A row that is not as expected is marked. */
import { cases } from './case-list.ts';
import { summaryOfCase } from './case-summary.ts';

/** Characters of a cell. */
const cellMax = 120;

const cell = (text: string): string =>
  (text.length > cellMax ? `${text.slice(0, cellMax)}…` : text).replaceAll('|', '\\|').replaceAll('\n', ' ');

process.stdout.write('| file | expected | before | now | |\n|---|---|---|---|---|\n');
let right = 0;
for (const { file, expected, before, lines, options } of cases) {
  const found = await summaryOfCase(file, options);
  const isRight = found.length === lines.length && found.every((line, i) => line.startsWith((lines[i] ?? '').replace(/…$/, '')));
  if (isRight) right++;
  process.stdout.write(`| ${[file, expected, before, found.join('; '), isRight ? '' : 'differs'].map(cell).join(' | ')} |\n`);
}
process.stdout.write(`\n${right} of ${cases.length} as expected\n`);
