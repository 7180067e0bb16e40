// tier: normal
/** Icons of objects: paths that the map names, and pictures by their address. */
import t from 'tap';
import { type Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { openDrawing, pixelsAt } from './drawing-page.ts';
import { artboard, box, spot } from './samples.ts';

t.setTimeout(300_000);

const [width, height] = [400, 300];
const [white, black, red, blue] = [
  [255, 255, 255, 255],
  [0, 0, 0, 255],
  [255, 0, 0, 255],
  [0, 0, 255, 255],
];
type Members = Record<string, unknown>;

const show = (page: Page, objects: readonly Members[]): Promise<unknown> =>
  page.value(`show(${JSON.stringify(artboard('plan', objects, { width, height }))})`);
/** A full square, a path that is none, and a name that every object has. */
const icons = `drawing.icons = new Map([
  ['maki:square', { path: 'M0 0H15V15H0Z', size: 15 }],
  ['maki:odd', { path: '<svg onload=alert(1)>', size: 1 }],
  ['maki:__proto__', { path: 'M0 0H1V1H0Z', size: 1 }],
])`;
const picture = (colour: string): string =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="${colour}"/></svg>`)}`;

t.test('a spot has its icon instead of the pin, in white or black', { skip }, async (t) => {
  const page = await openDrawing(t, width, height);
  await page.value(`(${icons}, 0)`);
  await show(page, [
    spot('huge', 200, 280, { icon: 'maki:square', color: '#0000ff', radius: 1e308, opacity: 0, interactive: false }),
    spot('dark', 50, 50, {
      icon: 'maki:square',
      color: '#0000ff',
      pin: true,
      hover_color: '#ffff00',
      hover_opacity: 1,
      id: 'dark',
    }),
    spot('light', 150, 50, { icon: 'maki:square', color: '#ffff00' }),
    spot('clear', 250, 50, { icon: 'maki:__proto__', color: '#0000ff', opacity: 0 }),
    spot('small', 350, 50, { icon: 'maki:square', color: '#0000ff', radius: 6 }),
    spot('unknown', 50, 150, { icon: 'maki:toString', color: '#0000ff' }),
    spot('odd', 150, 150, { icon: 'maki:odd', color: '#0000ff' }),
    spot('script', 250, 150, { icon: 'javascript:alert(1)', color: '#0000ff' }),
    spot('seven', 350, 150, { icon: 'maki:square', color: '#0000ff', radius: 7 }),
  ]);
  t.strictSame(
    await pixelsAt(page, [
      [50, 50],
      [50, 60],
      [50, 64],
      [150, 50],
      [250, 50],
      [350, 50],
      [50, 150],
      [150, 150],
      [250, 150],
      [350, 150],
    ]),
    [white, white, blue, black, black, blue, white, blue, white, white],
    'three fifths of the diameter; from a radius of seven on; a pin for what cannot be drawn',
  );
  await page.value(`drawing.hover('dark')`);
  t.strictSame(await pixelsAt(page, [[50, 50]]), [black], 'in contrast to the hover style');
  await page.value('(drawing.hover(undefined), drawing.icons = new Map(), 0)');
  t.strictSame(
    await pixelsAt(page, [
      [50, 57],
      [50, 50],
    ]),
    [white, white],
    'a pin, whose tip is there, without icons',
  );
  t.strictSame(page.complaints, []);
});

t.test('a picture is loaded once and fitted, and a pin takes its place if it fails', { skip }, async (t) => {
  const page = await openDrawing(t, width, height);
  await show(page, [
    spot('picture', 50, 50, { icon: picture('red'), color: '#0000ff' }),
    spot('again', 150, 50, { icon: picture('red'), color: '#0000ff' }),
    spot('gone', 250, 50, { icon: '/gone.png', color: '#0000ff' }),
    spot('gone, too', 350, 50, { icon: '/gone.png', color: '#0000ff', radius: 5 }),
  ]);
  await page.until(`pixels([[250, 50]])[0].join() === '255,255,255,255' && pixels([[50, 50]])[0].join() === '255,0,0,255'`);
  t.strictSame(
    await pixelsAt(page, [
      [60, 50],
      [50, 57],
      [150, 50],
      [350, 50],
    ]),
    [red, blue, red, white],
    'twice as wide as high; the pin of a small spot, too',
  );
  t.equal(page.asked.filter((each) => each.endsWith('/gone.png')).length, 1);
  t.strictSame(
    page.complaints.filter((each) => !each.includes('404')),
    [],
  );
});

t.test('a low polygon has its icon in the place of its name, or none', { skip }, async (t) => {
  const page = await openDrawing(t, width, height);
  await page.value(`(${icons}, 0)`);
  const look = { color: '#0000ff', icon: 'maki:square' };
  await show(page, [box('counter', 50, 50, 100, 44, look), box('bench', 200, 50, 100, 44, { ...look, label: 'always' })]);
  t.strictSame(
    await pixelsAt(page, [
      [100, 72],
      [100, 46],
      [250, 72],
      [250, 46],
    ]),
    [white, white, blue, white],
    'nothing sticks out above',
  );
});

t.test('icons of polygons and lines are above the place of the name', { skip }, async (t) => {
  const page = await openDrawing(t, width, height);
  await page.value(`(${icons}, 0)`);
  const line = { closed: false, stroke_color: '#0000ff', stroke_width: 4, icon: 'maki:square' };
  await show(page, [
    box('room', 50, 50, 100, 100, { color: '#0000ff', icon: 'maki:square', blend_mode: 'multiply', id: 'room' }),
    box('closet', 200, 50, 30, 30, { color: '#0000ff', icon: 'maki:square' }),
    {
      ...box('way', 0, 0, 0, 0),
      ...line,
      coords: [
        { x: 50, y: 250 },
        { x: 350, y: 250 },
      ],
    },
    box('ward', 300, 50, 60, 60, { color: '#0000ff', icon: 'maki:unknown' }),
  ]);
  const places = [
    [100, 79],
    [100, 100],
    [215, 44],
    [200, 229],
    [330, 60],
  ] as const;
  t.strictSame(await pixelsAt(page, places), [white, blue, white, black, blue]);
  await page.value(`drawing.choose('room')`);
  t.strictSame(await pixelsAt(page, places), [white, blue, white, black, blue], 'with its object above all others');
  await page.value('drawing.setFilter(() => false)');
  t.strictSame(await pixelsAt(page, places), [white, white, white, white, white], 'hidden with it');
  t.strictSame(page.complaints, []);
});

t.test('many spots have icons, in an image, too', { skip }, async (t) => {
  const page = await openDrawing(t, width, height);
  const spots = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      spot(`${at}`, 10 + (at % 20) * 20, 10 + (Math.floor(at / 20) % 15) * 20, {
        ...{ radius: 9, color: '#0000ff', icon: at % 2 === 0 ? 'maki:square' : 'maki:none', pin: true },
      }),
    );
  await show(page, spots(1500));
  await page.value(`(${icons}, 0)`);
  const places = [
    [10, 10],
    [13, 13],
    [30, 10],
    [34, 13],
  ] as const;
  t.strictSame(await pixelsAt(page, places), [white, white, white, blue], 'as sprites');
  await show(page, spots(8500));
  t.equal(await page.value('drawing.isDense'), true);
  t.strictSame(await pixelsAt(page, places), [white, white, white, blue]);
  await page.value('(drawing.icons = new Map(), drawn())');
  t.strictSame(await pixelsAt(page, [[13, 15]]), [blue], 'the image is drawn again with other icons');
  t.strictSame(page.complaints, []);
});
