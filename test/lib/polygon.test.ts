/** Points and polygons in a plane. */
import t from 'tap';
import { contains, cornersBox, isInside } from '../../src/lib/geo/polygon.ts';

const corners = (...pairs: readonly (readonly [number, number])[]) => pairs.map(([x, y]) => ({ x, y }));

t.test('a point is inside a polygon of any shape and direction, or it is not', async (t) => {
  const room = corners([0, 0], [40, 0], [40, 30], [20, 10], [0, 30]);
  for (const polygon of [room, room.toReversed()]) {
    for (const [x, y] of [
      [5, 5],
      [35, 20],
      [20, 9],
    ] as const)
      t.equal(isInside({ x, y }, polygon), true, `${x}, ${y}`);
    for (const [x, y] of [
      [20, 20],
      [41, 5],
      [-1, 15],
      [10, -1],
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
