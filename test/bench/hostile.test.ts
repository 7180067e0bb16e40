// tier: all, process: own
/** The benches of attacks with a tiny load: every attack gets its responses; the figures mean nothing. */
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { hostile } from '../../bench/http/hostile.ts';
import type { Context, Row } from '../../bench/row.ts';

/** What is compiled beside this test. */
const program = fileURLToPath(new URL('../..', import.meta.url));
const context: Context = { program, rounds: 1, seconds: 0.05, minutes: 0.01, tiny: true, alone: false, say: () => undefined };

async function rowsOf(context: Context): Promise<Row[]> {
  const rows: Row[] = [];
  for (const bench of hostile) rows.push(...(await bench.run(context)));
  return rows;
}

t.test('the bench of an attack has two rows, compared with an idle server, and one has the memory', async (t) => {
  const all = await rowsOf(context);
  t.equal(new Set(all.map(({ what }) => what)).size, all.length, 'each row has a name of its own');
  const [memory] = all.filter(({ unit }) => unit === 'MB');
  t.match(memory, { note: / 2 × 200/, goal: { atMost: 512 } });
  const rows = all.filter((row) => row !== memory);
  t.equal(rows.length, 2 * (hostile.length - 1));
  for (const { what, ours, other, ratio, note = '' } of rows) {
    t.ok(Number.isFinite(ours) && Number.isFinite(other?.median), what);
    t.equal(ratio, undefined, 'the goal is of the milliseconds themselves');
    t.match(note, /^answered: \d+ × (200|304|413|429)/, `${what}: ${note}`);
  }
});

t.test('the benches of attacks without a comparison have no other side', async (t) => {
  const rows = await rowsOf({ ...context, alone: true });
  t.notOk(rows.some(({ other }) => other !== undefined));
});
