// tier: normal, process: shared
/** Small files as people have them: each becomes what people expect of it. `case-table.ts` prints them as a table. */
import fs from 'node:fs';
import t from 'tap';
import { cases } from './case-list.ts';
import { casesFolder, summaryOfCase } from './case-summary.ts';

t.test('every file of the folder is a case', async (t) => {
  t.same(fs.readdirSync(casesFolder).sort(), cases.map(({ file }) => file).sort());
});

/** True if a line is as expected, up to where that is cut. */
const isAs = (line: string, expected: string): boolean =>
  expected.endsWith('…') ? line.startsWith(expected.slice(0, -1)) : line === expected;

for (const { file, expected, lines, options } of cases)
  t.test(`${file}: ${expected}`, async (t) => {
    const found = await summaryOfCase(file, options);
    t.same(
      found.map((line, i) => (isAs(line, lines[i] ?? '') ? lines[i] : line)),
      lines,
    );
  });
