// tier: normal
/** Objects that a filter hides, and the chosen object above all others. */
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
const [Red, Green, Blue] = [{ color: '#ff0000' }, { color: '#00ff00' }, { color: '#0000ff' }];

const show = (page: Page, objects: readonly unknown[]): Promise<unknown> =>
  page.value(`show(${JSON.stringify(artboard('plan', objects as never, { width, height }))})`);
const nameAt = (page: Page, x: number, y: number): Promise<unknown> => page.value(`drawing.objectAt([${x}, ${y}])?.name ?? null`);

t.test('a filter hides objects everywhere, also their new versions', { skip }, async (t) => {
  const page = await openDrawing(t, width, height);
  const low = box('low', 50, 50, 100, 100, { ...Red, category: 'floor' });
  const high = box('high', 50, 50, 100, 100, { ...Green, category: '__proto__' });
  const pin = spot('pin', 300, 200, { ...Blue, category: 'floor' });
  await page.value(`drawing.setFilter(({ category }) => category !== '__proto__')`);
  await show(page, [low, high, pin]);
  t.strictSame(await pixelsAt(page, [[100, 100]]), [red], 'not drawn');
  t.equal(await nameAt(page, 100, 100), 'low', 'not found');
  t.equal(await page.value(`drawing.boxOf('${high['id']}') ?? null`), null, 'without a box');
  t.equal(await page.value(`drawing.anchorOf('${high['id']}') ?? null`), null);
  await page.value(`(drawing.focus('${high['id']}'), drawing.choose('${high['id']}'))`);
  t.strictSame(
    await pixelsAt(page, [
      [100, 100],
      [50, 100],
    ]),
    [red, red],
    'without a ring, though it is chosen',
  );
  await page.value(`drawing.put(viewer.readObject(${JSON.stringify({ ...high, category: 'floor' })}))`);
  t.strictSame(await pixelsAt(page, [[100, 100]]), [green], 'a new version is shown');
  const hidden = { ...low, category: '__proto__' };
  const later = artboard('plan', [hidden, { ...high, category: '__proto__' }, pin], { width, height });
  await page.value(`drawing.update(viewer.readArtboard(${JSON.stringify(later)}))`);
  t.strictSame(await pixelsAt(page, [[100, 100]]), [white], 'a new version is hidden');
  const changes = '(() => { let calls = 0; drawing.listen(() => calls++); ';
  t.equal(
    await page.value(`${changes} drawing.setFilter(({ name }) => name === 'pin'); return calls; })()`),
    0,
    'the same objects',
  );
  t.equal(await page.value(`${changes} drawing.setFilter(undefined); return calls; })()`), 1, 'others');
  t.equal(await nameAt(page, 100, 100), 'high');
  await page.value('drawing.setFilter(() => false)');
  t.equal(await nameAt(page, 300, 200), null, 'no object at all');
  t.strictSame(await pixelsAt(page, [[300, 200]]), [white]);
  t.strictSame(page.complaints, []);
});

t.test('many objects are hidden and shown again in their image', { skip }, async (t) => {
  const page = await openDrawing(t, width, height);
  const objects = Array.from({ length: 8100 }, (_, at) =>
    spot(`${at}`, 5 + (at % 90) * 4, 5 + Math.floor(at / 90) * 3, { radius: 2, color: at % 2 === 0 ? '#ff0000' : '#0000ff' }),
  );
  await show(page, objects);
  t.equal(await page.value('drawing.isDense'), true);
  const places = [
    [5, 5],
    [9, 5],
  ] as const;
  t.strictSame(await pixelsAt(page, places), [red, blue]);
  await page.value(`(drawing.setFilter(({ color }) => color === '#0000ff'), drawn())`);
  t.strictSame(await pixelsAt(page, places), [white, blue]);
  await page.value('(drawing.setFilter(undefined), drawn())');
  t.strictSame(await pixelsAt(page, places), [red, blue]);
});

t.test('the chosen object is drawn above all others and found first, and blends with them', { skip }, async (t) => {
  const page = await openDrawing(t, width, height);
  const low = box('low', 50, 50, 100, 100, { ...Red, hover_color: '#0000ff', hover_opacity: 1 });
  const high = box('high', 50, 50, 100, 100, Green);
  const veil = box('veil', 200, 50, 100, 100, { color: '#ffff00', blend_mode: 'multiply' });
  const wall = box('wall', 200, 50, 100, 100, { color: '#ff0000' });
  await show(page, [low, high, veil, wall]);
  await page.value(`drawing.choose('${low['id']}')`);
  t.strictSame(await pixelsAt(page, [[100, 100]]), [red]);
  t.equal(await nameAt(page, 100, 100), 'low');
  await page.value(`drawing.hover('${low['id']}')`);
  t.strictSame(await pixelsAt(page, [[100, 100]]), [blue], 'its hover style');
  await page.value(`(drawing.hover(undefined), drawing.choose('${veil['id']}'))`);
  t.strictSame(
    await pixelsAt(page, [
      [100, 100],
      [250, 100],
    ]),
    [green, red],
    'another one, and the first one is in its place again',
  );
  t.equal(await nameAt(page, 250, 100), 'veil');
  await page.value('drawing.choose(undefined)');
  t.equal(await nameAt(page, 250, 100), 'wall');
  await page.value(`(drawing.choose('${low['id']}'), drawing.remove('${low['id']}'))`);
  t.strictSame(await pixelsAt(page, [[100, 100]]), [green], 'it is gone with its object');
  t.strictSame(page.complaints, []);
});
