// tier: normal
/** The first view of an artboard, steps of zoom, and the way to an object among many. */
import t, { type Test } from 'tap';
import { type Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { openDrawing } from './drawing-page.ts';
import { artboard, spot } from './samples.ts';

t.setTimeout(300_000);

type Members = Record<string, unknown>;
const earth = { type: 'osm', osm_lat: 48, osm_lng: 11, osm_zoom: 6, width: 800, height: 600 };
const metresPerPixel = 156_543.033_928_040_97;

async function openMap(t: Test, width = 400, height = 300): Promise<Page> {
  const page = await openDrawing(t, width, height, "{ tiles: 'none', fitsObjects: true }");
  await page.value(`globalThis.view = () => {
    drawing.map.renderSync();
    const [x, y] = drawing.map.getView().getCenter();
    return { ...drawing.toArtboard([x, y]), resolution: drawing.map.getView().getResolution() };
  }; 0`);
  return page;
}
const draw = (page: Page, objects: readonly Members[], more: Members = {}, start: unknown = undefined): Promise<unknown> =>
  page.value(`(() => {
    drawing.start = viewer.readMap({
      artboards: [${JSON.stringify(artboard('first', []))}], settings: { public_map: { start: ${JSON.stringify(start) ?? 'undefined'} } },
    }).start;
    drawing.show(viewer.readArtboard(${JSON.stringify(artboard('first', objects, more))}));
  })()`);
interface View {
  readonly x: number;
  readonly y: number;
  readonly resolution: number;
}
const view = (page: Page): Promise<View> => page.value('view()') as Promise<View>;
const boxOf = (page: Page, object: Members): Promise<Record<'left' | 'top' | 'right' | 'bottom', number>> =>
  page.value(`(drawing.map.renderSync(), drawing.boxOf('${object['id']}'))`) as never;

for (const [name, width, height] of [
  ['a wide screen', 1400, 800],
  ['a phone', 390, 700],
] as const) {
  t.test(`the objects of a map on Earth fill ${name}, with one step of air`, { skip }, async (t) => {
    const page = await openMap(t, width, height);
    const places = [spot('west', 100, 300), spot('east', 500, 200), spot('far', 3000, 3000, { category: 'off' })];
    await page.value(`drawing.setFilter(({ category }) => category !== 'off')`);
    await draw(page, places, earth);
    const { x, y, resolution } = await view(page);
    t.strictSame([Math.round(x), Math.round(y)], [300, 250]);
    const scale = metresPerPixel / 2 ** 6;
    t.ok(Math.abs(((400 * scale) / resolution) * 1.4 - (width - 24)) < 1, 'a fractional zoom');
    await page.value(`(drawing.map.setSize([${width / 2}, ${height}]), 0)`);
    t.ok((await view(page)).resolution > resolution * 1.5, 'in another size, too');
    await draw(page, [spot('alone', 100, 100)], { ...earth, id: 'other' });
    t.equal((await view(page)).resolution, metresPerPixel / 2 ** 17, 'one place is shown with what is around it');
    await draw(page, [], { ...earth, id: 'empty' });
    const empty = await view(page);
    t.strictSame([Math.round(empty.x), Math.round(empty.y)], [400, 300], 'an artboard without objects shows its own map');
    t.strictSame(page.complaints, []);
  });
}

t.test('a map says where it starts', { skip }, async (t) => {
  const page = await openMap(t);
  const places = [spot('west', 100, 300), spot('east', 500, 200)];
  await draw(page, places, earth, { zoom: 12.5, lat: 48, lng: 371 });
  const start = await view(page);
  t.ok(Math.abs(start.resolution - metresPerPixel / 2 ** 12.5) < 1e-6);
  t.ok(Math.abs(start.x - 400) < 1e-3 && Math.abs(start.y - 300) < 1e-3, `${start.x}, ${start.y}`);
  await page.value('drawing.fit()');
  t.equal(Math.round((await view(page)).x), 300, 'the button shows all');
  await draw(page, places, { ...earth, id: 'other' }, { artboard_id: 'artboard-first', zoom: 12.5, lat: 48, lng: 11 });
  t.equal(Math.round((await view(page)).x), 300, 'another artboard has no start');
  await draw(page, places, { width: 800, height: 600 });
  const whole = await view(page);
  await draw(page, places, { width: 800, height: 600, bg_color: '#eeeeee', type: 'image' }, { zoom: 1, x: 200, y: 150 });
  const closer = await view(page);
  t.ok(Math.abs(whole.resolution / closer.resolution - 2) < 1e-9, 'steps from the whole picture');
  t.strictSame([Math.round(closer.x), Math.round(closer.y)], [200, 150]);
  for (const [at, odd] of [
    { zoom: 1e308, lat: 1e308, lng: 1e308 },
    { zoom: -1e308, x: -1e308, y: 1e308 },
    { zoom: 'far', lat: 'north' },
  ].entries()) {
    await draw(page, places, { ...earth, osm_zoom: at + 3 }, odd);
    const { x, y, resolution } = await view(page);
    t.ok(Number.isFinite(x + y) && resolution > 0, JSON.stringify(odd));
  }
  t.strictSame(page.complaints, []);
});

t.test('a step of zoom is a factor of 1.4', { skip }, async (t) => {
  const page = await openMap(t);
  await draw(page, [spot('a', 100, 100)], { width: 800, height: 600 });
  const { resolution } = await view(page);
  await page.value('drawing.zoomBy(1)');
  t.ok(Math.abs(resolution / (await view(page)).resolution - 1.4) < 1e-9);
  await page.value('drawing.zoomBy(-2)');
  t.ok(Math.abs((await view(page)).resolution / resolution - 1.4) < 1e-9);
});

t.test('an object that is searched for is zoomed to until it stands alone', { skip }, async (t) => {
  const page = await openMap(t, 600, 400);
  await page.value(`(() => {
    const target = document.createElement('div');
    document.body.append(target);
    globalThis.groups = new viewer.SpotGroups(drawing, target);
  })()`);
  const spots = Array.from({ length: 300 }, (_, at) =>
    spot(`Tree ${at}`, 100 + (at % 20) * 3, 100 + Math.floor(at / 20) * 3, { radius: 8, id: `tree-${at}` }),
  );
  const twin = spot('Twin', 100, 100, { radius: 8 });
  const away = spot('Away', 700, 500, { radius: 8 });
  await draw(page, [...spots, twin, away], earth);
  const before = await view(page);
  await page.value('(drawing.map.renderSync(), drawing.map.renderSync(), 0)');
  await page.until(`drawing.isGrouped(drawing.featureOf('tree-150'))`);
  await page.value(`drawing.separate('tree-150', [0, 0, 100, 0])`);
  await page.value('(drawing.map.renderSync(), drawing.map.renderSync(), 0)');
  await page.until(`!drawing.isGrouped(drawing.featureOf('tree-150'))`);
  const box = (await boxOf(page, spots[150] as Members)) as { left: number; right: number; top: number; bottom: number };
  t.ok(
    Math.abs((box.left + box.right) / 2 - 300) < 2 && Math.abs((box.top + box.bottom) / 2 - 150) < 2,
    'above what covers the map',
  );
  const { resolution } = await view(page);
  const apart = (3 * (metresPerPixel / 2 ** 6)) / resolution;
  t.ok(apart > 16 && apart < 200, `${apart} pixels from the next one`);
  await page.value(`drawing.separate('${away['id']}')`);
  t.equal((await view(page)).resolution, resolution, 'a spot that is alone needs no other zoom');
  await page.value(`(drawing.fit(false), drawing.separate('${twin['id']}'))`);
  const twins = await view(page);
  t.ok(
    twins.resolution < before.resolution && twins.resolution > resolution / 4,
    'spots in one place are not separated by any zoom',
  );
  t.strictSame(page.complaints, []);
});
