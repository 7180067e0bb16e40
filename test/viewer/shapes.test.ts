// tier: normal
/** Polygons with holes, lines and arrows: their pixels, what reacts at a point, and changes of them. */
import t from 'tap';
import { type Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { openDrawing, pixelsAt } from './drawing-page.ts';
import { artboard, box, spot } from './samples.ts';

t.setTimeout(300_000);

const [width, height] = [400, 300];
const [white, red, green, blue] = [
  [255, 255, 255, 255],
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 255, 255],
];
const [Red, Green] = [{ color: '#ff0000' }, { color: '#00ff00' }];

type Members = Record<string, unknown>;
const planOf = (objects: readonly Members[], more: Members = {}): Members =>
  artboard('plan', objects, { width, height, ...more });
const show = (page: Page, objects: readonly Members[]): Promise<unknown> =>
  page.value(`show(${JSON.stringify(planOf(objects))})`);
const update = (page: Page, objects: readonly Members[]): Promise<unknown> =>
  page.value(`drawing.update(viewer.readArtboard(${JSON.stringify(planOf(objects))}))`);
const nameAt = (page: Page, x: number, y: number, tolerance = 0): Promise<unknown> =>
  page.value(`drawing.objectAt([${x}, ${y}], ${tolerance})?.name ?? null`);
const ring = (x: number, y: number, across: number, down: number) => [
  { x, y },
  { x: x + across, y },
  { x: x + across, y: y + down },
  { x, y: y + down },
];
const line = (name: string, coords: readonly (readonly [number, number])[], more: Members = {}): Members => ({
  ...box(name, 0, 0, 0, 0),
  coords: coords.map(([x, y]) => ({ x, y })),
  closed: false,
  color: '#ff0000',
  opacity: 1,
  stroke_color: '#0000ff',
  stroke_width: 4,
  ...more,
});

t.test('a polygon is neither drawn in its holes nor reacts there, and they have its outline', { skip }, async (t) => {
  const page = await openDrawing(t, width, height);
  const floor = box('floor', 20, 20, 160, 160, { ...Green });
  const hall = box('hall', 20, 20, 160, 160, {
    ...{ ...Red, holes: [ring(60, 60, 60, 60)], stroke_color: '#0000ff', stroke_width: 6 },
  });
  await show(page, [floor, hall]);
  t.strictSame(
    await pixelsAt(page, [
      [40, 100],
      [90, 90],
      [60, 90],
    ]),
    [red, green, blue],
  );
  t.equal(await nameAt(page, 40, 100), 'hall');
  t.equal(await nameAt(page, 90, 90), 'floor');
  t.equal(await nameAt(page, 62, 90), 'hall', 'the outline of the hole reacts');
  t.equal(await nameAt(page, 67, 90), 'floor');
  t.equal(await nameAt(page, 67, 90, 8), 'hall', 'to a finger, near it');
  t.equal(await nameAt(page, 90, 90, 8), 'floor', 'and not in the middle of the hole');
  t.equal(await update(page, [floor, { ...hall, holes: [ring(60, 60, 20, 20)] }]), true, 'a smaller hole is another object');
  t.strictSame(await pixelsAt(page, [[100, 100]]), [red]);
  t.equal(await nameAt(page, 100, 100), 'hall');
  t.equal(await update(page, [floor, { ...hall, holes: [ring(60, 60, 20, 20)] }]), false);
  t.equal(
    await update(page, [floor, { ...hall, holes: [ring(60, 60, 20, 20)], properties: { __proto__: null, beds: 3 } }]),
    true,
  );
  await update(page, [floor, { ...hall, holes: [] }]);
  t.strictSame(await pixelsAt(page, [[70, 70]]), [red], 'without holes');
  t.strictSame(page.complaints, []);
});

t.test('holes that cross each other or lie outside break nothing', { skip }, async (t) => {
  const page = await openDrawing(t, width, height);
  const holes = [
    ring(40, 40, 60, 60),
    ring(80, 80, 60, 60),
    ring(300, 200, 40, 40),
    [{ x: 50, y: 50 }],
    [],
    ring(1e308, -1e308, 1e308, 1e308),
  ];
  const odd = box('odd', 20, 20, 160, 160, { ...Red, holes, blend_mode: 'normal' });
  const after = box('after', 200, 20, 40, 40, { ...Green, holes: 'no list', arrow: 'both' });
  await show(page, [odd, after, spot('spot', 350, 50, { ...Green, holes, closed: false, arrow: 'end' })]);
  const places = [
    [30, 30],
    [50, 50],
    [90, 90],
    [130, 130],
    [220, 40],
    [350, 50],
  ] as const;
  t.strictSame(await pixelsAt(page, places), [red, white, red, white, green, green], 'by the rule even-odd');
  const names: unknown[] = [];
  for (const [x, y] of places) names.push(await nameAt(page, x, y));
  t.strictSame(names, ['odd', null, 'odd', null, 'after', 'spot'], 'what is drawn reacts');
  t.ok(await page.value(`Number.isFinite(drawing.featureOf('${odd['id']}').labelPoint.x)`));
  await update(page, [{ ...odd, blend_mode: 'linear-burn' }, after]);
  t.strictSame(await pixelsAt(page, [[50, 50]]), [white], 'in a blend mode, too');
  t.strictSame(page.complaints, []);
});

t.test('a line has the colours of its outline and no fill, and reacts within six pixels', { skip }, async (t) => {
  const page = await openDrawing(t, width, height);
  const path = line(
    'path',
    [
      [50, 50],
      [250, 50],
      [250, 250],
    ],
    { hover_stroke_color: '#00ff00', hover_stroke_width: 8 },
  );
  const point = line('point', [[320, 100]]);
  await show(page, [path, point]);
  t.strictSame(
    await pixelsAt(page, [
      [150, 50],
      [250, 150],
      [200, 100],
      [150, 150],
      [320, 100],
    ]),
    [blue, blue, white, white, white],
    'its ends are not joined',
  );
  t.equal(await nameAt(page, 150, 55.5), 'path');
  t.equal(await nameAt(page, 150, 57), null);
  t.equal(await nameAt(page, 150, 59, 8), 'path', 'a finger');
  t.equal(await nameAt(page, 150, 62, 8), null);
  t.equal(await nameAt(page, 320, 100), null, 'one point is no line');
  const besidePath = (px: number) => `(() => {
    const [x, y] = drawing.map.getPixelFromCoordinate(drawing.toView({ x: 150, y: 50 }));
    return drawing.objectAt([x, y - ${px}])?.name ?? null;
  })()`;
  await page.value('(atScale(0.25), drawing.map.renderSync(), 0)');
  t.equal(await page.value(besidePath(5.5)), 'path', 'six pixels of the screen at each zoom');
  t.equal(await page.value(besidePath(7)), null);
  await page.value(`(atScale(1), drawing.map.renderSync(), drawing.hover('${path['id']}'))`);
  t.strictSame(await pixelsAt(page, [[150, 53]]), [green], 'the hover style');
  await update(page, [{ ...path, hover_stroke_width: 0 }, point]);
  t.strictSame(await pixelsAt(page, [[150, 50]]), [green], 'it does not vanish under the pointer');
  await page.value('drawing.hover(undefined)');
  t.equal(await update(page, [{ ...path, closed: true }, point]), true);
  t.strictSame(await pixelsAt(page, [[200, 100]]), [red], 'closed, it is a polygon');
  t.strictSame(await page.value(`drawing.featureOf('${point['id']}').getGeometry() ?? null`), null);
  t.equal(await page.value(`(drawing.reveal('${point['id']}'), drawing.choose('${point['id']}'), problems.length)`), 0);
  t.strictSame(page.complaints, []);
});

t.test('a line has arrows at its ends', { skip }, async (t) => {
  const page = await openDrawing(t, width, height);
  const ends: readonly [number, number][] = [
    [100, 150],
    [299, 150],
    [300, 150],
  ];
  /** Whether there is an arrow at each end: a pixel of its upper side. */
  const sides = [
    [110, 145],
    [290, 145],
  ] as const;
  await show(page, [line('way', ends)]);
  t.strictSame(await pixelsAt(page, sides), [white, white]);
  const id = { id: 'arrow' };
  await show(page, [line('way', ends, { arrow: 'end', ...id })]);
  t.strictSame(await pixelsAt(page, sides), [white, blue], 'in the direction of the line, not of its last short piece');
  await show(page, [line('way', ends, { arrow: 'both', ...id })]);
  t.strictSame(await pixelsAt(page, sides), [blue, blue]);
  await show(page, [line('way', ends, { arrow: 'both', blend_mode: 'linear-burn', ...id })]);
  t.strictSame(await pixelsAt(page, sides), [blue, blue], 'in a blend mode');
  await show(page, [line('way', ends, { arrow: 'sideways' })]);
  t.strictSame(await pixelsAt(page, sides), [white, white]);
  await show(page, [line('same', [ends[0], ends[0]] as never, { arrow: 'both' })]);
  t.equal(await nameAt(page, 103, 150), 'same', 'two equal points');
  t.strictSame(page.complaints, []);
});
