// tier: all
/** The pictures on the cards in a browser: backgrounds, tiles, and which of them are requested. */
import t, { type Test } from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests } from '../support/mapwright.ts';
import { ConsolePage } from './console-page.ts';

t.setTimeout(600_000);

/** A picture of 200 × 100 pixels: its left half is red, its right half blue. */
const halves = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="100" height="100" fill="#f00"/><rect x="100" width="100" height="100" fill="#00f"/></svg>`;

/** Covers the right half of an artboard of 200 × 100. */
const overRight = (members: object) => ({
  type: 'poly',
  coords: [
    { x: 100, y: 0 },
    { x: 200, y: 0 },
    { x: 200, y: 50 },
    { x: 100, y: 50 },
  ],
  ...members,
});

/** The colours on the card at points of a picture of 200 × 100, as hex. */
async function coloursOf({ recorded }: ConsolePage, ...points: readonly (readonly [number, number])[]): Promise<unknown> {
  return recorded.value(`(async () => {
    const image = document.querySelector('.card img');
    await image.decode();
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 200, height: 100 });
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0, 200, 100);
    return ${JSON.stringify(points)}.map(([x, y]) =>
      [...context.getImageData(x, y, 1, 1).data].map((value) => Math.round(value / 51).toString(16)).join(''));
  })()`);
}

async function openWith(t: Test, artboard: object, tiles = 'none', prepare?: (opened: ConsolePage) => Promise<void>) {
  const mapwright = await startForRequests(t, { tiles });
  const { id } = (await mapwright.post('/projects', { name: 'Plan', artboards: [{ width: 200, height: 100, ...artboard }] }))
    .shown;
  const opened = await ConsolePage.open(t, {
    mapwright,
    ...(prepare && { prepare: (page) => prepare({ page } as ConsolePage) }),
  });
  await opened.page.locator('.card img').waitFor();
  return { mapwright, opened, id };
}

t.test('a card shows the picture below the objects, and blend modes blend with it', { skip }, async (t) => {
  const image_url = `data:image/svg+xml,${encodeURIComponent(halves)}`;
  const objects = [overRight({ color: '#ffff00', blend_mode: 'multiply', stroke_width: 0 })];
  const { opened } = await openWith(t, { type: 'image', image_url, objects });
  t.strictSame(
    await coloursOf(opened, [20, 20], [150, 80], [150, 20]),
    ['5005', '0055', '0005'],
    'red, blue, and blue multiplied by yellow',
  );
  t.strictSame(opened.complaints, []);
});

t.test('a card shows a picture of another site that pages may not read', { skip }, async (t) => {
  const picture = 'https://plans.example/plan.svg';
  const objects = [overRight({ color: '#00ff00', stroke_width: 0 })];
  const { opened } = await openWith(t, { type: 'image', image_url: picture, objects }, 'none', async ({ page }) => {
    // A request that asks whether the page may read the picture names the page's origin.
    await page.route(picture, (route) =>
      route.request().headers()['origin'] === undefined
        ? route.fulfill({ contentType: 'image/svg+xml', body: halves })
        : route.abort(),
    );
  });
  await opened.page.locator('.card canvas').waitFor();
  t.strictSame(await coloursOf(opened, [20, 20], [150, 20]), ['0000', '0505'], 'the objects are drawn above it');
});

t.test('a card shows a map with its tiles, and names their source', { skip }, async (t) => {
  const asked: string[] = [];
  const map = { type: 'osm', osm_lat: 47.37, osm_lng: 8.54, osm_zoom: 15 };
  const prepare = async ({ page }: ConsolePage) => {
    await page.route('https://tile.openstreetmap.org/**', (route) => {
      asked.push(route.request().url());
      return route.fulfill({ contentType: 'image/svg+xml', body: halves, headers: { 'Access-Control-Allow-Origin': '*' } });
    });
  };
  const { opened } = await openWith(t, map, 'https://tile.openstreetmap.org/{z}/{x}/{y}.png', prepare);
  await opened.page.getByRole('link', { name: 'OpenStreetMap contributors' }).waitFor();
  t.ok(asked.length >= 1 && asked.length <= 9, `${asked.length} tiles`);
  t.match(asked[0], /\/16\/34\d\d\d\/22\d\d\d\.png$/);
  t.strictSame(await opened.violations(), []);
  t.equal(await opened.fits(), true);
  t.strictSame(opened.complaints, []);
});

t.test('a card shows the outlines of land where there are no tiles, and names no source', { skip }, async (t) => {
  // Half of the picture is the Atlantic, the other one Africa.
  const { opened } = await openWith(t, { type: 'osm', osm_lat: 0, osm_lng: 9.4, osm_zoom: 3 });
  t.strictSame(await coloursOf(opened, [20, 50], [180, 50]), ['4555', '5555']);
  t.equal(await opened.page.getByRole('link', { name: 'OpenStreetMap contributors' }).count(), 0);
  t.strictSame(opened.complaints, []);
});

t.test('only cards in view are drawn, and only public changes count', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const made: string[] = [];
  for (let n = 0; n < 60; n++) {
    const { id } = (await mapwright.post('/projects', { name: `Project ${n}`, artboards: [{}] })).shown;
    await mapwright.ask('PUT', `/v1/projects/${id}/publication`);
    await mapwright.post(`/projects/${id}/variables`, { name: 'Private' });
    made.push(id);
  }
  const newest = made.at(-1) as string;
  await mapwright.patch(`/projects/${made.at(-2)}`, { name: 'Project with a public change' });
  const opened = await ConsolePage.open(t, { mapwright });
  const { page } = opened;
  const changed = page.locator('.badge', { hasText: 'changed since' });
  await changed.waitFor();
  await page.locator('.card img').nth(3).waitFor();
  t.equal(await changed.count(), 1);
  t.match(await page.locator('.card').filter({ has: changed }).textContent(), /Project with a public change/);
  const asked = (id: string) =>
    opened.recorded.asked.filter((each) => each.includes(id)).map((each) => /[^/?]*(?:\?|$)/.exec(each)?.[0]);
  t.ok(asked(newest).length > 0);
  t.strictSame(asked(made[0] as string), [], 'nothing is asked about a card that is not in view');
  t.ok(opened.recorded.asked.filter((each) => each.endsWith('/publication')).length < 40);
});
