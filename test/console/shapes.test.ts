// tier: normal
/** The geometry of the editor, without a browser: names in the direction of reading, spots that become polygons. */
import t from 'tap';
import { inReadingOrder, nameOf } from '../../src/web/console/shapes/naming.ts';
import { boxOf } from '../../src/web/console/shapes/shape.ts';
import { membersOfType } from '../../src/web/console/shapes/shape-kind.ts';
import { room } from './tool-support.ts';

t.test('objects are named in rows, in columns, or as in the list', async (t) => {
  const placed = [
    { id: 'd', box: boxOf(room(60, 52, 100, 80)) },
    { id: 'a', box: boxOf(room(0, 5, 50, 45)) },
    { id: 'b', box: boxOf(room(60, 0, 100, 45)) },
    { id: 'c', box: boxOf(room(0, 50, 50, 90)) },
  ];
  t.strictSame(inReadingOrder(placed, 'rows'), ['a', 'b', 'c', 'd'], 'rooms of a row need not begin at the same height');
  t.strictSame(inReadingOrder(placed, 'columns'), ['a', 'c', 'b', 'd']);
  t.strictSame(inReadingOrder(placed, 'list'), ['d', 'a', 'b', 'c']);
  t.strictSame(inReadingOrder([], 'rows'), []);
  t.equal(nameOf('Room {n}', 7), 'Room 7');
  t.equal(nameOf('{nn} of {n}', 7), '07 of 7');
  t.equal(nameOf('Room', 7), 'Room');
});

t.test('a spot becomes a hexagon of its radius, and a polygon a spot in the middle of its box', async (t) => {
  const spot = { type: 'spot', x: 100, y: 50, radius: 10, coords: [] };
  const { type, coords } = membersOfType(spot, 'poly') as { type: string; coords: { x: number; y: number }[] };
  t.equal(type, 'poly');
  t.equal(coords.length, 6);
  for (const { x, y } of coords) t.ok(Math.abs(Math.hypot(x - 100, y - 50) - 10) < 0.02, `${x}, ${y}`);
  t.strictSame(membersOfType({ ...spot, type: 'poly', ...room(0, 0, 40, 30) }, 'spot'), { type: 'spot', x: 20, y: 15 });
  t.equal((membersOfType({ ...spot, radius: 0 }, 'poly')['coords'] as unknown[]).length, 6, 'also without a radius');
  t.strictSame(membersOfType({ ...spot, type: 'poly' }, 'spot'), { type: 'spot' }, 'a polygon without corners');
  t.strictSame(membersOfType(spot, 'spot'), {});
});
