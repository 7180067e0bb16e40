/** Identifiers ascend and differ with any clock. */
import t from 'tap';
import { idSource } from '../../src/lib/text/ids.ts';

const clocks: Record<string, () => () => number> = {
  'that stops': () => () => 1_800_000_000_000,
  'that runs back': () => {
    let now = 1_800_000_000_000;
    return () => (now -= 7_200_000);
  },
  'that jumps': () => {
    let calls = 0;
    return () => 1_800_000_000_000 + (calls++ % 3) * 400 * 86_400_000;
  },
  'with fractions': () => () => performance.timeOrigin + performance.now(),
  'with invalid values': () => {
    const readings = [Number.NaN, Number.POSITIVE_INFINITY, -1, 2 ** 60];
    let calls = 0;
    return () => readings[calls++ % readings.length] as number;
  },
};

for (const [name, clock] of Object.entries(clocks)) {
  t.test(`identifiers ascend and differ with a clock ${name}`, async (t) => {
    const source = idSource(clock());
    const ids = Array.from({ length: 2000 }, () => source.next());
    t.strictSame(ids, [...new Set(ids)].sort());
    t.ok(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)));
  });
}

t.test('new identifiers are above those from before a restart, also if the clock was set back', async (t) => {
  const before = idSource(() => 1_900_000_000_000).next();
  const source = idSource(() => 1_800_000_000_000);
  source.seen(before);
  t.ok(source.next() > before);
});
