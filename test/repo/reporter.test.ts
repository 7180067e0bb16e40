/** The reporter: it counts assertions, shows failures with their places, and reports files that fail without an assertion. */
import t from 'tap';
import Reporter, { inSources } from '../support/reporter.ts';

/** What the reporter prints for these lines of TAP, handed over in pieces of `size` characters. */
async function report(lines: string[], size = 1_000_000): Promise<string> {
  const reporter = new Reporter();
  const tap = `TAP version 14\n${lines.join('\n')}\n`;
  for (let at = 0; at < tap.length; at += size) reporter.write(tap.slice(at, at + size));
  reporter.end();
  let text = '';
  for await (const chunk of reporter) text += chunk;
  return text;
}

const good = [
  '# Subtest: a',
  '    ok 1 - one',
  '    ok 2 - two',
  '    # file a took 1234 ms, 900 ms of processor time',
  '    1..2',
  'ok 1 - a # time=1300ms',
];
const bad = [
  '# Subtest: b',
  '    # Subtest: group',
  '        ok 1 - fine',
  '        not ok 2 - sums',
  '          ---',
  '          at:',
  '            fileName: test/b.test.ts',
  '            lineNumber: 7',
  '            columnNumber: 3',
  '          diff: |',
  '            -4',
  '            +5',
  '          ...',
  '        1..2',
  '    not ok 1 - group',
  '    # file b took 10 ms, 20 ms of processor time',
  '    1..1',
  'not ok 2 - b # time=10ms',
];

t.test('the reporter shows a line for a passed file and the totals', async (t) => {
  t.match(
    await report([...good, '1..1']),
    /^ok {3}a: 2 passed, 1\.2 s, 0\.9 s of processor time\nslowest by processor time: a 0\.9 s\ntotal: \d+\.\d s, 0\.9 s of processor time\n2 passed, 0 failed\n$/,
  );
});

/** Two files in one process, as several.ts writes them; the second one fails if `isBad`. */
const together = (isBad: boolean) => [
  '# Subtest: a and 1 more',
  '    ok 1 - one',
  '    # file a took 100 ms, 2000 ms of processor time',
  '    ok 2 - two',
  `    ${isBad ? 'not ok' : 'ok'} 3 - three`,
  '    # file b took 2300 ms, 60 ms of processor time',
  '    1..3',
  `${isBad ? 'not ok' : 'ok'} 1 - a and 1 more # time=2400ms`,
  '1..1',
];

t.test('the reporter shows a line for each file that shares a process', async (t) => {
  t.match(
    await report(together(false)),
    /^ok {3}a: 1 passed, 0\.1 s, 2\.0 s of .*\nok {3}b: 2 passed, 2\.3 s, 0\.1 s of .*\nslowest .*: a 2\.0 s, b 0\.1 s\ntotal: .*\n3 passed, 0 failed\n$/,
  );
  const text = await report(together(true));
  t.match(text, /FAIL a and 1 more > three\nFAIL b: 1 passed, 1 failed, 2\.3 s, .*\n/);
  t.match(text, /\n2 passed, 1 failed\n$/);
});

t.test('the reporter lists the ten files with the most processor time', async (t) => {
  const files = Array.from({ length: 12 }, (_, i) => [
    `# Subtest: f${i}`,
    '    ok 1 - one',
    `    # file f${i} took 5 ms, ${i + 1}000 ms of processor time`,
    '    1..1',
    `ok ${i + 1} - f${i} # time=5ms`,
  ]);
  const text = await report([...files.flat(), '1..12']);
  t.match(text, /\nslowest by processor time: f11 12\.0 s, .*, f2 3\.0 s\ntotal/);
});

t.test('the reporter shows a failed assertion with its place and difference', async (t) => {
  const text = await report([...good, ...bad, '1..2']);
  t.match(text, 'FAIL b > group > sums\n  at test/b.test.ts:7:3\n    -4\n    +5\n');
  t.match(text, 'FAIL b: 1 passed, 1 failed, 0.0 s, 0.0 s of processor time\n');
  t.match(text, /\nFAIL b > group > sums {2}at test\/b\.test\.ts:7:3\n3 passed, 1 failed\n$/, 'once more at the end');
  const steady = (printed: string) => printed.replace(/total: .*/, '');
  t.equal(steady(await report([...good, ...bad, '1..2'], 1)), steady(text), 'however the bytes arrive');
});

t.test('the reporter shows places in the sources', async (t) => {
  const { stack = '' } = new Error('here');
  t.match(inSources(stack), /test\/repo\/reporter\.test\.ts:\d+:\d+/);
  t.equal(inSources('f (dist/test/none.js:1:2)'), 'f (dist/test/none.js:1:2)', 'a file without a map');
});

t.test('the reporter shows a file that fails without a failed assertion', async (t) => {
  const crashed = [
    '# Subtest: c.test.js',
    '    ok 1 - one',
    '    1..1',
    'not ok 1 - c.test.js',
    '  ---',
    '  exitCode: 7',
    '  ...',
    '1..1',
  ];
  t.equal(
    await report(crashed),
    'FAIL c.test.js\n    exitCode: 7\nFAIL c.test.js: 1 passed, 1 failed\nFAIL c.test.js\n1 passed, 1 failed\n',
  );
  const unfinished = ['# Subtest: d.test.js', '    ok 1 - one', '    1..3', 'not ok 1 - d.test.js', '1..1'];
  t.match(await report(unfinished), /\n1 passed, 1 failed\n$/);
  t.match(await report([...good, '1..2']), /\n2 passed, 1 failed\n$/, 'a file is missing');
  t.match(await report(['Bail out! no disk']), /no disk\n0 passed, 1 failed\n$/);
});

t.test('the reporter says what was skipped, in how many files, and why', async (t) => {
  const skipping = (n: number, reason: string) => [
    `# Subtest: s${n}`,
    `    ok 1 - drawn # SKIP ${reason}`,
    `    ok 2 - drawn again # SKIP ${reason}`,
    `    # file s${n} took 1 ms, 1 ms of processor time`,
    '    1..2',
    `ok ${n} - s${n}`,
  ];
  const text = await report([...skipping(1, 'no browser'), ...skipping(2, 'no browser'), ...skipping(3, 'no disk'), '1..3']);
  t.match(text, '\nskipped tests of 2 files: no browser\nskipped tests of 1 file: no disk\n0 passed, 0 failed\n');
});

t.test('the reporter counts a skipped or todo assertion neither as passed nor as failed', async (t) => {
  const text = await report([
    '# Subtest: e.test.js',
    '    ok 1 # SKIP',
    '    not ok 2 # TODO',
    '    1..2',
    'ok 1 - e.test.js',
    '1..1',
  ]);
  t.match(text, /\n0 passed, 0 failed\n$/);
});
