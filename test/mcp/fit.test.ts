/** Results that are too large are cut so that they fit, and say what was cut. */
import t from 'tap';
import { cut, fitting } from '../../src/mcp/fit.ts';

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

t.test('items that fit stay as they are, the others are left for later', async (t) => {
  const items = Array.from({ length: 100 }, (_, i) => ({ i, text: 'ä'.repeat(20) }));
  t.strictSame(fitting(items, 1_000_000), items);
  const some = fitting(items, 1000);
  t.ok(some.length > 5 && some.length < 20);
  t.strictSame(some, items.slice(0, some.length));
  t.strictSame(fitting([], 10), []);
});

t.test('a single item that is too large is cut', async (t) => {
  const large = { id: 'x', content: 'y'.repeat(90_000), coords: Array(20_000).fill({ x: 1 }) };
  const [found = { ...large, cut: {} }] = fitting<typeof large & { cut?: object }>([large], 10_000);
  t.ok(bytes(found) <= 10_000);
  t.equal(found.id, 'x');
  t.match(found.cut, { '/content': 90_000, '/coords': 20_000 });
  t.match(found.content, /^y+…$/);
});

t.test('whatever is too large becomes small enough', async (t) => {
  const deep = (n: number): unknown => (n === 0 ? 'z'.repeat(1000) : { a: deep(n - 1), 'b/~': Array(50).fill(n) });
  for (const value of [
    'x'.repeat(1e6),
    Array(1e5).fill(1),
    Object.fromEntries(Array.from({ length: 1e4 }, (_, i) => [i, i])),
    deep(200),
  ])
    t.ok(bytes(cut(value, 5000)) <= 5000);
});
