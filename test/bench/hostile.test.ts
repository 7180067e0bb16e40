// tier: all, process: own
/** The bench of attacks, as small as can be: every attack is carried out, and answered. No figure means anything here. */
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { attacks, hostile } from '../../bench/http/hostile.ts';
import type { Context } from '../../bench/row.ts';

/** What is compiled beside this test. */
const program = fileURLToPath(new URL('../..', import.meta.url));
const context: Context = { program, rounds: 1, seconds: 0.05, minutes: 0.01, tiny: true, alone: false, say: () => undefined };

t.test('two rows for each attack, with what it was answered and the idle server beside it, and one for memory', async (t) => {
  const all = await hostile.run(context);
  t.equal(new Set(all.map(({ what }) => what)).size, all.length, 'each row has a name of its own');
  const [memory] = all.filter(({ unit }) => unit === 'MB');
  t.match(memory, { note: / 2 × 200/, goal: { atMost: 512 } });
  const rows = all.filter((row) => row !== memory);
  t.equal(rows.length, 2 * attacks.length);
  for (const { what, ours, other, ratio, note = '' } of rows) {
    t.ok(Number.isFinite(ours) && Number.isFinite(other?.median), what);
    t.equal(ratio, undefined, 'the goal is of the milliseconds themselves');
    t.match(note, /^answered: \d+ × (200|304|413|429)/, `${what}: ${note}`);
  }
});

t.test('alone, for another commit to be held against', async (t) => {
  const rows = await hostile.run({ ...context, alone: true });
  t.notOk(rows.some(({ other }) => other !== undefined));
});
