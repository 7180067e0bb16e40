/** Points and polygons in a plane. */
import t from 'tap';
import { contains, cornersBox, doubleArea, isInside, overlap, union } from '../../src/lib/geo/polygon.ts';

const corners = (...pairs: readonly (readonly [number, number])[]) => pairs.map(([x, y]) => ({ x, y }));

t.test('a point is inside a polygon of any shape and direction, or it is not', async (t) => {
  const room = corners([0, 0], [40, 0], [40, 30], [20, 10], [0, 30]);
  for (const polygon of [room, room.toReversed()]) {
    for (const [x, y] of [
      [5, 5],
      [35, 20],
      [20, 9],
      [5, 10],
      [35, 10],
    ] as const)
      t.equal(isInside({ x, y }, polygon), true, `${x}, ${y}`);
    for (const [x, y] of [
      [20, 20],
      [41, 5],
      [-1, 15],
      [10, -1],
      [-1, 10],
      [-1, 0],
      [-1, 30],
    ] as const)
      t.equal(isInside({ x, y }, polygon), false, `${x}, ${y}`);
  }
});

t.test('what crosses itself has a hole in it, and few corners have no inside', async (t) => {
  const star = corners([50, 0], [80, 95], [0, 35], [100, 35], [20, 95]);
  t.equal(isInside({ x: 50, y: 50 }, star), false, 'by the rule "even-odd"');
  t.equal(isInside({ x: 50, y: 20 }, star), true);
  for (const few of [[], corners([0, 0]), corners([0, 0], [10, 10])]) t.equal(isInside({ x: 5, y: 5 }, few), false);
});

t.test('the box around corners touches the outermost ones, and a box is in itself', async (t) => {
  const box = cornersBox(corners([5, -2], [-3, 7], [4, 4]));
  t.strictSame(box, { left: -3, top: -2, right: 5, bottom: 7 });
  t.strictSame(cornersBox(corners([1, 2])), { left: 1, top: 2, right: 1, bottom: 2 });
  t.equal(contains(box, box), true);
  t.equal(contains(box, { left: 0, top: 0, right: 1, bottom: 1 }), true);
  for (const side of ['left', 'top'] as const) t.equal(contains(box, { ...box, [side]: box[side] - 1 }), false, side);
  for (const side of ['right', 'bottom'] as const) t.equal(contains(box, { ...box, [side]: box[side] + 1 }), false, side);
});

t.test('boxes overlap if they have an area in common, and are in the box around them', async (t) => {
  const box = { left: 0, top: 10, right: 20, bottom: 40 };
  t.equal(overlap(box, { left: 19, top: 39, right: 30, bottom: 50 }), true);
  t.equal(overlap({ left: -5, top: 0, right: 1, bottom: 11 }, box), true);
  for (const [x, y] of [
    [20, 0],
    [-20, 0],
    [0, 30],
    [0, -30],
  ] as const) {
    const beside = { left: box.left + x, top: box.top + y, right: box.right + x, bottom: box.bottom + y };
    t.equal(overlap(box, beside), false, `${x}, ${y}`);
    t.equal(overlap(beside, box), false);
  }
  const other = { left: -3, top: 12, right: 7, bottom: 50 };
  t.strictSame(union(box, other), { left: -3, top: 10, right: 20, bottom: 50 });
  t.strictSame(union(other, box), union(box, other));
});

t.test('the area of a polygon has the sign of its direction, wherever it is', async (t) => {
  const room = corners([10, 20], [50, 20], [50, 50], [10, 40]);
  t.equal(doubleArea(room), 2 * (40 * 20 + (40 * 10) / 2));
  t.equal(doubleArea(room.toReversed()), -doubleArea(room));
  t.equal(doubleArea([]), 0);
});
