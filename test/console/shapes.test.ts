// tier: normal
/** The geometry of the editor, without a browser: names in the direction of reading, spots that become polygons, splitting, joining, arranging. */
import t from 'tap';
import { doubleArea } from '../../src/lib/geo/polygon.ts';
import { aligned, distributed, equallyLarge, rotated, scaled } from '../../src/web/console/shapes/arrange.ts';
import { joined, joinedPolygons } from '../../src/web/console/shapes/join.ts';
import { inReadingOrder, nameOf, namesIn } from '../../src/web/console/shapes/naming.ts';
import {
  boxOf,
  mapped,
  movedBy,
  type Point,
  type Polygon,
  roundedShape,
  type Shape,
  shapeOf,
} from '../../src/web/console/shapes/shape.ts';
import { membersOfType } from '../../src/web/console/shapes/shape-kind.ts';
import { splitPolygon, splitWithHoles } from '../../src/web/console/shapes/split.ts';
import { straightened } from '../../src/web/console/shapes/straighten.ts';
import { randomFrom } from '../support/random.ts';
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
  t.strictSame(
    [-3, -1, 0].map((n) => nameOf('{nn}', n)),
    ['-03', '-01', '00'],
  );
  t.strictSame(namesIn('a,,c,'), ['a', '', 'c'], 'an empty entry keeps the name of its object');
  t.strictSame(namesIn(' Room {n} '), ['Room {n}']);
  t.strictSame(namesIn('Room {n}, east'), ['Room {n}, east']);
  t.strictSame(namesIn('Toys, Music;Café,'), ['Toys', 'Music', 'Café']);
  t.strictSame(namesIn('Food, drinks\nToys\n'), ['Food, drinks', 'Toys'], 'commas belong to names in lines');
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

const points = (...pairs: readonly (readonly [number, number])[]) => pairs.map(([x, y]) => ({ x, y }));
const areaOf = (corners: readonly Point[]) => Math.abs(doubleArea(corners)) / 2;
const square = points([0, 0], [100, 0], [100, 100], [0, 100]);

t.test('a line splits a polygon in all places that it crosses as a whole', async (t) => {
  const halves = splitPolygon(square, { x: 30, y: -5 }, { x: 30, y: 105 });
  t.strictSame(
    halves.map(areaOf).sort((a, b) => a - b),
    [3000, 7000],
  );
  t.equal(splitPolygon(square, { x: 30, y: 10 }, { x: 30, y: 105 }).length, 1, 'a line that ends inside splits nothing');
  t.equal(splitPolygon(square, { x: 0, y: -5 }, { x: 0, y: 105 }).length, 1, 'nor does one along an edge');
  t.strictSame(splitPolygon(square, { x: -10, y: -10 }, { x: 110, y: 110 }).map(areaOf), [5000, 5000], 'from corner to corner');
  const comb = points([0, 0], [90, 0], [90, 80], [60, 80], [60, 20], [30, 20], [30, 80], [0, 80]);
  const teeth = splitPolygon(comb, { x: -5, y: 50 }, { x: 95, y: 50 });
  t.strictSame(
    teeth.map(areaOf).sort((a, b) => a - b),
    [900, 900, areaOf(comb) - 1800],
  );
});

t.test('pieces of random polygons have the area of the polygon', async (t) => {
  const whole = randomFrom(7);
  const random = () => whole(1_000_000) / 1_000_000;
  for (let round = 0; round < 200; round++) {
    const n = 3 + Math.floor(random() * 9);
    const corners = Array.from({ length: n }, (_, at) => {
      const [angle, radius] = [(2 * Math.PI * at) / n, 20 + 80 * random()];
      return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
    });
    const angle = random() * Math.PI;
    const [x, y] = [150 * Math.cos(angle), 150 * Math.sin(angle)];
    const parts = splitPolygon(corners, { x, y }, { x: -x, y: -y });
    const sum = parts.reduce((all, part) => all + areaOf(part), 0);
    t.ok(parts.length > 1 && Math.abs(sum - areaOf(corners)) < 1e-6, `round ${round}: ${parts.length} parts`);
    const again = joined(parts);
    t.ok(again !== undefined && Math.abs(areaOf(again) - areaOf(corners)) < 1, `round ${round}: joined`);
  }
});

t.test('touching polygons are joined, also with a small gap; others are not', async (t) => {
  const right = points([100.4, 20], [200, 20], [200, 80], [100.4, 80]);
  const one = joined([square, right]);
  t.ok(one !== undefined);
  t.equal(one?.length, 8);
  t.ok(Math.abs(areaOf(one ?? []) - 16_000) < 30);
  t.strictSame(joined([square, square]), joined([square]), 'the same one twice');
  const over = joined([square, points([50, 50], [150, 50], [150, 150], [50, 150])]);
  t.equal(areaOf(over ?? []), 17_500, 'overlapping ones');
  t.equal(joined([square, points([50, 50], [50, 150], [150, 150], [150, 50])])?.length, 8, 'in the other direction');
  t.equal(joined([square, points([100, 100], [200, 100], [200, 200], [100, 200])]), undefined, 'at one corner');
  t.equal(joined([square, points([300, 0], [400, 0], [400, 100])]), undefined, 'apart');
  const frame = [
    points([0, 0], [90, 0], [90, 30], [0, 30]),
    points([0, 60], [90, 60], [90, 90], [0, 90]),
    points([0, 30], [30, 30], [30, 60], [0, 60]),
    points([60, 30], [90, 30], [90, 60], [60, 60]),
  ];
  t.equal(joined(frame), undefined, 'a hole');
});

t.test('a crooked room gets right angles in its own direction', async (t) => {
  const crooked = points([0, 2], [100, -1], [103, 99], [1, 101]);
  const straight = straightened(crooked) ?? [];
  t.equal(straight.length, 4);
  for (const [at, { x, y }] of straight.entries()) {
    const next = straight[(at + 1) % 4] as Point;
    t.ok(Math.abs(x - next.x) < 1e-9 || Math.abs(y - next.y) < 1e-9, 'parallel to the artboard, as it almost was');
  }
  const turnedRoom = [...rotated(new Map([['a', { coords: crooked }]]), 30).values()][0] as { coords: readonly Point[] };
  const turned = straightened(turnedRoom.coords) ?? [];
  for (const [at, b] of turned.entries()) {
    const [a, c] = [turned.at(at - 1) as Point, turned[(at + 1) % 4] as Point];
    t.ok(Math.abs((a.x - b.x) * (c.x - b.x) + (a.y - b.y) * (c.y - b.y)) < 1e-6, 'also when it is turned');
  }
  const steps = straightened(points([0, 0], [50, 1], [49, 30], [100, 31], [101, 80], [0, 80]));
  t.equal(steps?.length, 6);
  t.equal(straightened(points([0, 0], [100, 0], [50, 80])), undefined, 'a triangle has none');
});

t.test('objects are aligned, distributed, equally large, turned and scaled', async (t) => {
  const shapes = new Map<string, Shape>([
    ['a', room(0, 0, 20, 20)],
    ['b', room(100, 30, 140, 90)],
    ['c', { x: 60, y: 200, radius: 10 }],
  ]);
  const boxes = (all: ReadonlyMap<string, Shape>) => Object.fromEntries([...all].map(([id, shape]) => [id, boxOf(shape)]));
  t.match(boxes(aligned(shapes, 'right')), { a: { left: 120, right: 140 }, b: { right: 140 }, c: { right: 140, top: 190 } });
  t.match(boxes(aligned(shapes, 'middle')), { a: { top: 95, left: 0 }, b: { top: 75 }, c: { top: 95 } });
  t.match(boxes(distributed(shapes, 'x')), { a: { left: 0 }, c: { left: 50, right: 70, top: 190 }, b: { left: 100 } });
  t.match(boxes(equallyLarge(shapes)), { b: { left: 110, right: 130, top: 50, bottom: 70 }, c: { left: 50, right: 70 } });
  const pair = new Map<string, Shape>([
    ['a', { x: 0, y: 0, radius: 5 }],
    ['b', { x: 100, y: 0, radius: 5 }],
  ]);
  const [turned] = [...rotated(pair, 90).values()];
  t.match(boxes(scaled(pair, 2)), { a: { left: -60, right: -40, top: -10 } });
  t.ok(turned !== undefined && 'x' in turned && Math.abs(turned.x - 50) < 1e-9 && Math.abs(turned.y + 50) < 1e-9);
});

const ringOf = (shape: Shape): readonly Point[] => (shape as Polygon).coords;
const cornersIn = (left: number, top: number, size: number): readonly Point[] => ringOf(room(left, top, left + size, top + size));

t.test('holes move, turn and scale with their polygon, and a line stays one', async (t) => {
  const object = { type: 'poly', coords: cornersIn(0, 0, 100), holes: [cornersIn(10, 10, 20)], closed: true };
  const shape = shapeOf(object) as Polygon;
  t.strictSame(roundedShape(movedBy(shape, { x: 5, y: 7.004 })), {
    coords: cornersIn(5, 7, 100),
    holes: [cornersIn(15, 17, 20)],
  });
  t.strictSame((mapped(shape, ({ x, y }) => ({ x: x * 2, y: y * 2 })) as Polygon).holes, [cornersIn(20, 20, 40)]);
  const [turned] = rotated(new Map([['a', shape as Shape]]), 90).values();
  t.strictSame((roundedShape(turned as Shape) as Polygon).holes?.[0]?.[0], { x: 90, y: 10 });
  const line = shapeOf({ ...object, holes: [], closed: false }) as Polygon;
  t.strictSame(line, { coords: cornersIn(0, 0, 100), closed: false });
  t.strictSame(Object.keys(roundedShape(movedBy(line, { x: 1, y: 1 }))), ['coords'], 'a move writes no more than the place');
});

t.test('a hole stays in its piece, and a line through a hole splits nothing', async (t) => {
  const polygon: Polygon = { coords: cornersIn(0, 0, 100), holes: [cornersIn(10, 10, 20), cornersIn(70, 10, 20)] };
  const pieces = splitWithHoles(polygon, { x: 50, y: -10 }, { x: 50, y: 110 });
  t.strictSame(
    pieces.map(({ coords, holes }) => [boxOf({ coords }).left, holes]).sort(([a], [b]) => Number(a) - Number(b)),
    [
      [0, [cornersIn(10, 10, 20)]],
      [50, [cornersIn(70, 10, 20)]],
    ],
  );
  t.strictSame(splitWithHoles(polygon, { x: 20, y: -10 }, { x: 20, y: 110 }), [polygon]);
});

t.test('joined polygons keep their holes, unless another one covers them', async (t) => {
  const one: Polygon = { coords: cornersIn(0, 0, 100), holes: [cornersIn(10, 10, 20)] };
  const next: Polygon = { coords: cornersIn(100, 0, 100), holes: [cornersIn(120, 10, 20)] };
  t.strictSame(joinedPolygons([one, next])?.holes, [cornersIn(10, 10, 20), cornersIn(120, 10, 20)]);
  t.equal(joinedPolygons([one, { coords: cornersIn(20, 20, 100) }]), undefined);
  t.equal(joinedPolygons([one, { coords: cornersIn(12, 12, 5) }]), undefined, 'an island in the hole');
});

t.test('a spot that was a line, or had holes, becomes a closed hexagon without them', async (t) => {
  const spot = { type: 'spot', x: 0, y: 0, radius: 5, coords: cornersIn(0, 0, 9), holes: [cornersIn(1, 1, 2)], closed: false };
  const { coords, ...others } = membersOfType(spot, 'poly');
  t.equal((coords as unknown[]).length, 6);
  t.strictSame(others, { type: 'poly', closed: true, holes: [] });
});
