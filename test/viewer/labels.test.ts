/** Where names of objects are written, and which spots are one group: decisions without a browser. */

import t from 'tap';
import { groupRadius, groupSpots } from '../../src/web/viewer/drawing/groups/group-spots.ts';
import { isRectangleInside, labelPoint, middleOf } from '../../src/web/viewer/drawing/labels/label-point.ts';
import { type Labelled, placeLabels } from '../../src/web/viewer/drawing/labels/place-labels.ts';
import { type Disc, separating } from '../../src/web/viewer/drawing/view/stand-alone.ts';
import { Chance } from '../support/random.ts';
import { seed } from '../support/tier.ts';

const corners = (...points: readonly (readonly [number, number])[]) => points.map(([x, y]) => ({ x, y }));
const rectangle = (x: number, y: number, width: number, height: number) =>
  corners([x, y], [x + width, y], [x + width, y + height], [x, y + height]);
const size = { width: 40, height: 16 };
const spot = (id: string, x: number, y: number, radius = 5): Labelled => ({
  id,
  at: { x, y },
  radius,
  ...size,
});
const room = (id: string, x: number, y: number, width: number, height: number): Labelled => {
  const ring = rectangle(x, y, width, height);
  return { id, at: labelPoint(ring), radius: 0, rings: [ring], ...size };
};
const boxOf = ({ at: { x, y } }: Labelled, { dx, dy }: { dx: number; dy: number }) => ({
  left: x + dx,
  top: y + dy,
  right: x + dx + size.width,
  bottom: y + dy + size.height,
});

t.test('the point of a polygon has the most room for a line of text', (t) => {
  t.strictSame(labelPoint(rectangle(10, 20, 300, 100)), { x: 160, y: 70 }, 'the centre of a rectangle');
  const angle = corners([0, 0], [300, 0], [300, 100], [100, 100], [100, 400], [0, 400]);
  const tiny = [
    { x: 800, y: 0 },
    { x: 800.0000000000002, y: 0 },
    { x: 800.0000000000002, y: 1e-16 },
    { x: 800, y: 1e-16 },
  ];
  t.ok(Math.abs(labelPoint(tiny).x - 800) < 1, 'sides below the precision of their place end the search, too');
  const { x, y } = labelPoint(angle);
  t.ok(
    isRectangleInside([angle], { left: x - 80, top: y - 20, right: x + 80, bottom: y + 20 }),
    `${x}, ${y}: the wide arm of an L`,
  );
  const horseshoe = corners([0, 0], [300, 0], [300, 300], [250, 300], [250, 60], [50, 60], [50, 300], [0, 300]);
  const at = labelPoint(horseshoe);
  t.ok(isRectangleInside([horseshoe], { left: at.x - 5, top: at.y - 5, right: at.x + 5, bottom: at.y + 5 }), 'not in the hollow');
  t.strictSame(labelPoint(corners([0, 0], [10, 0], [20, 0])), { x: 10, y: 0 }, 'a polygon without area');
  t.match(labelPoint(rectangle(0, 0, 1e9, 1)), { x: 5e8 }, 'a strip');
  t.end();
});

t.test('a larger name is farther from its spot', (t) => {
  const [usual, larger] = placeLabels([spot('usual', 100, 100), { ...spot('larger', 100, 300), gapScale: 3 }], 'auto');
  t.match([usual, larger], [{ dx: 9 }, { dx: 17 }]);
  t.end();
});

t.test('the point of a polygon with holes is beside them, and that of a line is in its middle', (t) => {
  const court = rectangle(100, 20, 100, 60);
  const { x, y } = labelPoint(rectangle(0, 0, 300, 100), [court]);
  t.ok((x < 100 || x > 200) && y > 0 && y < 100, `${x}, ${y}`);
  t.equal(
    isRectangleInside([rectangle(0, 0, 300, 100), court], { left: x - 25, top: y - 8, right: x + 25, bottom: y + 8 }),
    true,
  );
  const holes = [court, rectangle(150, 40, 100, 60), rectangle(1000, 1000, 10, 10)];
  const crossing = labelPoint(rectangle(0, 0, 300, 100), holes);
  t.ok(Number.isFinite(crossing.x + crossing.y), 'holes that cross, and one outside');
  t.equal(
    isRectangleInside([rectangle(0, 0, 300, 100), court], { left: 90, top: 10, right: 210, bottom: 90 }),
    false,
    'around one',
  );
  t.equal(isRectangleInside([rectangle(0, 0, 300, 100), court], { left: 120, top: 30, right: 180, bottom: 60 }), false, 'in one');
  t.strictSame(middleOf(corners([0, 0], [10, 0], [10, 30])), { x: 10, y: 10 });
  t.strictSame(middleOf(corners([5, 5], [5, 5])), { x: 5, y: 5 }, 'without a length');
  t.end();
});

t.test('texts keep their place, names that are always written come before others, each where it can be seen', (t) => {
  const text: Labelled = { ...spot('text', 100, 50), radius: 0, always: 'centred' };
  const view = { left: 0, top: 0, right: 200, bottom: 100 };
  const placed = placeLabels([text, spot('a', 80, 50), { ...text, id: 'other' }], 'auto', [], view);
  t.strictSame(placed[0], { id: 'text', dx: -20, dy: -8 }, 'centred');
  t.strictSame(placed.at(-1), { id: 'other', dx: -20, dy: -8 }, 'also over another text');
  t.ok((placed[1]?.dx ?? 0) < 0, 'a name avoids it');
  const kiosk: [string, { left: number; top: number; right: number; bottom: number }] = ['kiosk', view];
  t.strictSame(placeLabels([spot('a', 80, 50)], 'auto', [kiosk], view), []);
  t.strictSame(placeLabels([{ ...spot('a', 80, 50), always: true }], 'auto', [kiosk], view), [{ id: 'a', dx: 9, dy: -8 }]);
  const free = { left: 0, top: 0, right: 110, bottom: 100 };
  const [chosen] = placeLabels([{ ...spot('a', 80, 50), always: true, view: free }], 'auto', [], view);
  t.ok((chosen?.dx ?? 0) < 0, 'not below a panel');
  t.end();
});

t.test('a rectangle is inside a polygon unless an edge crosses it', (t) => {
  const angle = corners([0, 0], [300, 0], [300, 100], [100, 100], [100, 400], [0, 400]);
  const inside = (left: number, top: number, right: number, bottom: number) =>
    isRectangleInside([angle], { left, top, right, bottom });
  t.equal(inside(10, 10, 290, 90), true);
  t.equal(inside(10, 10, 90, 390), true);
  t.equal(inside(50, 50, 150, 150), false, 'a corner of the polygon is in it');
  t.equal(inside(150, 150, 200, 200), false, 'outside');
  t.equal(inside(-10, -10, 310, 410), false, 'around it');
  t.equal(inside(0, 0, 300, 100), true, 'to its edges');
  t.end();
});

t.test('names do not cover each other or a spot, and stay inside their polygons', (t) => {
  const chance = new Chance(seed);
  const among = (least: number, most: number): number => least + chance.below(most - least);
  for (let round = 0; round < 30; round++) {
    const labelled = Array.from({ length: 60 }, (_, at) =>
      chance.below(2) === 0
        ? spot(`${at}`, among(-200, 200), among(-200, 200), among(0, 30))
        : room(`${at}`, among(-200, 200), among(-200, 200), among(10, 120), among(10, 80)),
    );
    const discs = labelled.filter((each) => each.rings === undefined);
    const spots = new Map(
      discs.map(({ id, at: { x, y }, radius }) => [
        id,
        { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius },
      ]),
    );
    const placed = placeLabels(labelled, 'auto', spots);
    const boxes = placed.map((place) => ({ id: place.id, ...boxOf(labelled[Number(place.id)] as Labelled, place) }));
    t.ok(boxes.length > 0);
    for (const box of boxes) {
      const others = [...boxes, ...[...spots].map(([id, disc]) => ({ id, ...disc }))].filter(({ id }) => id !== box.id);
      const covers = others.filter((o) => o.left < box.right && o.right > box.left && o.top < box.bottom && o.bottom > box.top);
      t.strictSame(covers, [], `round ${round}`);
      const rings = labelled[Number(box.id)]?.rings;
      if (rings !== undefined) t.equal(isRectangleInside(rings, box), true);
    }
    t.equal(placeLabels(labelled, 'all', spots).length, labelled.length, 'or all of them are written');
  }
  t.end();
});

t.test('a name goes to the other side of a spot, or to another line of a polygon, where a place is taken', (t) => {
  const [first, second] = [spot('a', 0, 0), spot('b', 30, 0)];
  const placed = placeLabels([first, second], 'auto', new Map([['b', { left: 25, top: -5, right: 35, bottom: 5 }]]));
  t.equal((placed[0]?.dx ?? 0) < 0, true, 'a spot is at its right');
  t.equal((placed[1]?.dx ?? 0) > 0, true);
  const hall = room('hall', 0, 0, 200, 100);
  const [place] = placeLabels([hall], 'auto', new Map([['kiosk', { left: 95, top: 45, right: 105, bottom: 55 }]]));
  t.equal(place?.dy, -26, 'the line above');
  t.strictSame(placeLabels([room('closet', 0, 0, 30, 100)], 'auto'), [], 'too narrow');
  t.end();
});

t.test('a name is not cut off at the edge of the view', (t) => {
  const view = { left: 0, top: 0, right: 200, bottom: 100 };
  const place = (each: Labelled, mode: 'auto' | 'all' = 'auto') => {
    const [placed] = placeLabels([each], mode, new Map(), view);
    return placed && boxOf(each, placed);
  };
  const middle = { top: 42, bottom: 58 };
  t.strictSame(place(spot('a', 100, 50)), { left: 109, right: 149, ...middle }, 'right of its spot');
  t.strictSame(place(spot('a', 170, 50)), { left: 121, right: 161, ...middle }, 'left of it at the right edge');
  const taken = (left: number, top: number) => new Map([['kiosk', { left, top, right: left + 30, bottom: top + 10 }]]);
  const [below] = placeLabels([spot('a', 15, 50)], 'auto', taken(30, 44), view);
  t.strictSame(below, { id: 'a', dx: -15, dy: 9 }, 'below it, moved from the left edge, where its right side is taken');
  const [above] = placeLabels([spot('a', 195, 92)], 'auto', taken(150, 88), view);
  t.strictSame(above, { id: 'a', dx: -35, dy: -25 }, 'above it at the lower edge');
  t.strictSame(placeLabels([spot('a', 100, 50, 90)], 'auto', new Map(), view), [], 'left out where no side has room');
  t.strictSame(place(spot('a', 100, 50, 90), 'all'), { left: 160, right: 200, ...middle }, 'or moved, if all are written');
  t.strictSame(place(room('hall', -110, 20, 200, 60)), { left: 0, right: 40, ...middle }, 'the part of a polygon in view');
  t.equal(place(room('hall', -110, 20, 140, 60)), undefined, 'too small a part');
  t.strictSame(place(room('hall', -110, 20, 200, 60), 'all'), { left: 0, right: 40, ...middle });
  const outside = place(room('hall', -110, 20, 120, 60), 'all');
  t.ok(Number(outside?.right) < 0, 'a name that is not in view is not moved over the name of another polygon');
  const large = { ...spot('a', 100, 50), width: 300 };
  t.strictSame(placeLabels([large], 'auto', new Map(), view), [], 'wider than the view');
  t.equal(placeLabels([large], 'all', new Map(), view)[0]?.dx, -100, 'its beginning is visible');
  t.end();
});

t.test('spots are grouped by distance, each once, whatever is in view', (t) => {
  const chance = new Chance(seed);
  const spots = Array.from({ length: 3000 }, () => ({ x: chance.below(4000) / 4 - 500, y: chance.below(4000) / 4 - 500 }));
  const groups = groupSpots(spots, 44);
  const members = groups.flatMap((group) => group.members);
  t.equal(new Set(members).size, members.length, 'no spot is in two groups');
  t.ok(groups.length > 100 && members.length > 2000);
  for (const group of groups) {
    t.ok(group.members.length > 1);
    const [first] = group.members as [{ x: number; y: number }];
    for (const { x, y } of group.members) if (Math.hypot(x - first.x, y - first.y) > 88) t.fail('too far away');
  }
  const grouped = new Set(members);
  for (const spot of spots.filter((each) => !grouped.has(each)))
    if (spots.some((other) => other !== spot && !grouped.has(other) && Math.hypot(spot.x - other.x, spot.y - other.y) <= 44))
      t.fail('two spots close to each other are in no group');
  t.strictSame(
    groupSpots(
      [
        { x: 1, y: 1 },
        { x: 3, y: 1 },
      ],
      5,
    ),
    [
      {
        x: 2,
        y: 1,
        members: [
          { x: 1, y: 1 },
          { x: 3, y: 1 },
        ],
      },
    ],
  );
  t.strictSame(groupSpots(spots, 0), []);
  const same = Array.from({ length: 50_000 }, () => ({ x: 7, y: 7 }));
  t.equal(groupSpots(same, 10)[0]?.members.length, 50_000);
  t.end();
});

t.test('a map zooms in until a spot is alone, as far as any zoom separates it', (t) => {
  const at = (x: number, y = 0, radius = 10): Disc => ({ x, y, radius });
  const zoomed = (others: readonly Disc[], groups = false, keepsSize = true) =>
    separating(at(0), others, {
      resolution: 16,
      minResolution: 1 / 64,
      sizeAt: (resolution) => (keepsSize ? 1 : 1 / resolution),
      groupedWithin: (resolution) => (groups ? groupRadius(resolution) : 0),
    });
  t.equal(zoomed([]), 16);
  t.equal(zoomed([at(1000)]), 16, 'alone as it is');
  const resolution = zoomed([at(40), at(1000)]);
  t.ok(40 / resolution > 20 && 40 / resolution < 20 * 1.21, `${resolution}`);
  t.ok(40 / zoomed([at(40)], true) > 50, 'in no group');
  t.equal(zoomed([at(0), at(0.1)]), 16, 'no zoom separates them');
  t.equal(zoomed([at(0), at(40)]), resolution, 'but it does others');
  t.equal(zoomed([at(15)], false, false), 16, 'spots that grow with the zoom touch at each');
  t.end();
});
