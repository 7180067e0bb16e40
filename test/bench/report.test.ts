/** The report of a run: its page, its rows as JSON, its picture, and the table in the terminal. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { verdict } from '../../bench/lib/rows.ts';
import { percentile } from '../../bench/lib/statistics.ts';
import { compare, type Side } from '../../bench/lib/turns.ts';
import { type Finished, type Results, writeFiles } from '../../bench/report/files.ts';
import { page } from '../../bench/report/page.ts';
import { picture } from '../../bench/report/picture.ts';
import { tableText } from '../../bench/report/table.ts';
import type { Context, Row } from '../../bench/row.ts';
import { temporaryFolder } from '../support/process.ts';

const rows: Row[] = [
  {
    ...{ what: 'GET one / floor', unit: '/s', ours: 19_000, other: { name: 'floor', median: 20_000 } },
    ...{ ratio: 0.95, goal: { atLeast: 0.92 }, spread: 0.034, note: 'control 1.01' },
  },
  {
    ...{ what: 'POST a < b & c / floor', unit: '/s', ours: 500, other: { name: 'floor', median: 1000 } },
    ...{ ratio: 0.5, goal: { atLeast: 0.55 }, spread: 0 },
  },
  {
    what: 'p99, snapshot / idle',
    unit: 'ms',
    ours: 3,
    other: { name: 'idle', median: 1 },
    ratio: 3,
    goal: { atMost: 1.5 },
    spread: 0.5,
  },
  { what: 'restart a|b', unit: 'ms', ours: 480.4, goal: { atMost: 500 }, spread: 0.1 },
  { what: 'memory', unit: 'MB', ours: 1234.5, spread: 0.1 },
];

const results: Results = {
  ...{ date: '2026-01-02', commit: 'abc1234', machine: '2 cores', rounds: 5, seconds: 2, only: [], rows },
  skipped: ['skipped redis: not installed'],
};

t.test('a row has its values, its goal and its verdict', async (t) => {
  const lines = tableText(rows).split('\n');
  const cellsOf = (line = '') => line.split('│').map((cell) => cell.trim());
  const row = (what: string) => cellsOf(lines.find((line) => line.includes(what))).slice(1, -1);
  t.same(row('GET one'), ['GET one / floor', '19,000 /s', '20,000 /s', '0.95', '>= 0.92', '3 %', 'ok']);
  t.same(row('p99'), ['p99, snapshot / idle', '3 ms', '1 ms', '3.00', '<= 1.5', '50 %', 'missed']);
  t.same(row('restart'), ['restart a|b', '480 ms', '', '', '<= 500', '10 %', 'ok']);
  t.same(row('memory'), ['memory', '1,235 MB', '', '', '', '10 %', '']);
  t.match(lines.at(-1), 'GET one / floor: control 1.01');
  const p99 = rows.find(({ what }) => what.startsWith('p99')) as Row;
  t.equal(verdict({ ...p99, control: 1.9 }), 'missed', 'by twice the goal');
  for (const control of [2.1, 0.4]) t.equal(verdict({ ...p99, control }), 'unclear');
  t.equal(verdict({ ...p99, ratio: 1.4, control: 5 }), 'ok');
});

t.test('the page has all rows, notes and skipped benches, and keeps the text below it', async (t) => {
  const first = page(results, '');
  t.match(first, '2026-01-02, commit abc1234; 2 cores.');
  t.match(first, '| GET one / floor | 19,000 /s | 20,000 /s | 0.95 | >= 0.92 | 3 % | ok |\n');
  t.match(first, '| restart a\\|b | 480 ms |');
  t.match(first, '\n- GET one / floor: control 1.01\n- skipped redis: not installed\n');
  t.match(first, '## Missed rows');

  const line = first.split('\n').find((text) => text.startsWith('<!--')) as string;
  const written = `${first.slice(0, first.indexOf(line) + line.length)}\n\n## What I found\n\nIt was the disk.\n`;
  const again = page({ ...results, commit: 'def5678', rows: rows.slice(1) }, written);
  t.equal(again.slice(again.indexOf(line)), written.slice(written.indexOf(line)), 'kept as it was');
  t.match(again, 'commit def5678');
  t.notMatch(again, 'GET one');
  t.equal(page({ ...results, commit: 'def5678', rows: rows.slice(1) }, again), again, 'and once more');
  t.match(page({ ...results, only: ['paced'] }, ''), '2 cores. Only paced.\n');
});

t.test('the picture has a bar and a goal for each row with a goal for its ratio', async (t) => {
  const drawn = picture(results);
  const bars = drawn.match(/<rect class="(ok|missed)" [^>]*height="12"/g) ?? [];
  t.same(
    bars.map((bar) => /class="(\w+)"/.exec(bar)?.[1]),
    ['ok', 'missed', 'missed'],
  );
  t.match(drawn, '>0.95 (goal ≥ 0.92)</text>');
  t.match(drawn, '>3.00 (goal ≤ 1.5)</text>');
  t.match(drawn, 'POST a &#60; b &#38; c / floor');
  t.notMatch(drawn, /NaN|Infinity|undefined|restart|memory/);
  t.notMatch(picture({ ...results, rows: [] }), /NaN|Infinity|undefined/, 'nothing to draw');

  const long = 'a name that is far longer than any other '.repeat(3);
  const [, width = 0] = /viewBox="0 0 (\d+)/.exec(picture({ ...results, rows: [{ ...(rows[0] as Row), what: long }] })) ?? [];
  t.ok(Number(width) > long.length * 6, 'names are never cut');
});

t.test('a run replaces the report files of the run before', async (t) => {
  const folder = temporaryFolder(t);
  const finished: Finished = { began: new Date('2026-01-02T23:59:00Z'), rounds: 5, seconds: 2, only: [], rows, skipped: [] };
  writeFiles(finished, folder);
  t.same(fs.readdirSync(folder).sort(), ['RESULTS.md', 'results.json', 'results.svg']);
  const file = path.join(folder, 'RESULTS.md');
  fs.appendFileSync(file, '\nBy hand.\n');
  writeFiles({ ...finished, rows: rows.slice(0, 1) }, folder);
  t.match(fs.readFileSync(file, 'utf8'), /None has been looked into yet\.\n\nBy hand\.\n$/);
  const written = JSON.parse(fs.readFileSync(path.join(folder, 'results.json'), 'utf8')) as Results;
  t.same(written.rows, rows.slice(0, 1));
  t.equal(written.date, '2026-01-02');
  t.match(written.commit, /^([0-9a-f]{7,}\+?|unknown)$/);
});

t.test('two sides are measured in turns, and a ratio is the median of the rounds', async (t) => {
  const order: string[] = [];
  const side = (name: string, ...values: number[]): Side => ({
    name,
    measure: async () => {
      order.push(name);
      return values.shift() ?? 0;
    },
  });
  const context: Context = { program: '', rounds: 3, seconds: 0, minutes: 0, tiny: true, alone: false, say: () => undefined };
  // The first of each is the warm-up.
  const ours = side('ours', 0, 10, 20, 60);
  const other = { ...side('other', 0, 10, 20, 10, 10, 30, 60), what: 'ours / other', goal: { atLeast: 1 } };
  const [row] = await compare(context, { unit: '/s', what: 'ours', ours, others: [other] });
  t.equal(order.join(' '), 'ours other ours other other ours other other ours other other');
  t.match(row, { ours: 20, other: { name: 'other', median: 10 }, ratio: 2, spread: 0.5, note: 'control 2.00 (1.00 to 2.00)' });
  const [alone] = await compare(
    { ...context, alone: true },
    { unit: '/s', what: 'ours', ours: side('o', 0, 1, 2, 6), others: [other] },
  );
  t.same(alone, { what: 'ours', unit: '/s', ours: 2, spread: 2.5 });
  t.equal(percentile(Float64Array.of(1, 2, 3, 4), 0.5), 2);
});
