// tier: normal
/** The ground of maps: outlines of land and borders below tiles, and which tiles are asked for. */
import t, { type Test } from 'tap';
import { type Looks, type Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { element, inside, isColour, open } from './element-page.ts';
import { artboard, project, spot } from './samples.ts';
import { Site, type SiteOptions } from './site.ts';

/** Places on both sides of the edge of the world, in its holes and beside its poles. */
const land = {
  Sahara: [28, 3],
  Antarctica: [-82, 20],
  'west of the date line': [67.5, 178],
  'east of it': [66.6, -176],
} as const;
const water = { Atlantic: [0, -25], Pacific: [0, 179.9], 'the Caspian Sea': [41, 50.7], 'the Arctic Sea': [84.5, -150] } as const;

const mapAt = (name: string, [osm_lat, osm_lng]: readonly [number, number]): Record<string, unknown> =>
  artboard(name, [], { type: 'osm', osm_zoom: 5, osm_lat, osm_lng });

/** An artboard around each place. */
const places = Object.entries({ ...land, ...water }).map(([name, at]) => mapAt(name, at));
const world = mapAt('World', [0, 0]);

const colours = {
  light: { land: '247,246,242', water: '227,234,241' },
  dark: { land: '38,50,60', water: '22,33,43' },
} as const;

const askedFor = ({ asked }: Page, part: string): string[] => asked.filter((each) => each.includes(part));

async function openSite(t: Test, map: object, options: SiteOptions, looks: Looks = {}): Promise<{ site: Site; page: Page }> {
  const site = await Site.open(t, options);
  const body = 'html{color-scheme:light dark}html,body,main,mapwright-map{margin:0;height:100%}';
  site.set('/page.css', { type: 'text/css', body });
  return { site, page: await open(t, site.pageWith(map), looks) };
}

/** Shows the artboard around each place, in its colour of a scheme. */
async function checkPlaces(
  page: Page,
  { land: ground, water: sea }: { readonly land: string; readonly water: string },
): Promise<void> {
  for (const name of [...Object.keys(land), ...Object.keys(water)]) {
    await page.value(`${element}.show(${JSON.stringify(name)})`);
    await page.until(`${element}.shownArtboard.name === ${JSON.stringify(name)}`);
    await page.until(await isColour(page, 400, 300, name in land ? ground : sea));
  }
}

for (const scheme of ['light', 'dark'] as const)
  t.test(`without tiles there are outlines, without a request to another host: ${scheme}`, { skip }, async (t) => {
    const { site, page } = await openSite(t, project(places), { tiles: 'none' }, { dark: scheme === 'dark' });
    await checkPlaces(page, colours[scheme]);
    t.equal(await page.value(`${inside('.credit')}.hidden`), true);
    t.equal(askedFor(page, '/viewer/outlines-').length, 1);
    t.strictSame(
      page.asked.filter((each) => !each.startsWith(`GET ${site.url}/`)),
      [],
    );
    t.notOk(page.asked.some((each) => /tiles|png/.test(each)));
    t.strictSame(page.complaints, []);
    const other = scheme === 'dark' ? 'light' : 'dark';
    await page.page.emulateMedia({ colorScheme: other });
    await checkPlaces(page, colours[other]);
  });

t.test('the objects are drawn before the outlines are loaded', { skip }, async (t) => {
  const site = await Site.open(t, { tiles: 'none' });
  let drawn = false;
  const [name = ''] = [...site.parts.keys()].filter((each) => each.startsWith('outlines-'));
  const served = site.parts.get(name) ?? '';
  site.set(`/viewer/${name}`, () => (drawn ? { type: 'text/javascript', body: served } : { status: 503, body: '' }));
  const spotted = artboard('Spot', [spot('Here', 400, 300, { color: '#ff0000' })], { type: 'osm', osm_zoom: 1 });
  const page = await open(t, site.pageWith(project([spotted])));
  const reds = `(() => {
    const { width, height } = ${inside('canvas')};
    const { data } = picture(${inside('canvas')}).getImageData(0, 0, width, height);
    return data.some((value, i) => i % 4 === 0 && value === 255 && data[i + 1] === 0);
  })()`;
  await page.until(reds);
  drawn = true;
  // The part is asked for again, and its data with it.
  await page.until(
    `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/viewer/outlines-')).length >= 2`,
  );
});

t.test('an artboard that is no map loads no outlines', { skip }, async (t) => {
  const { page } = await openSite(t, project([artboard('Plan', [spot('A', 1, 1)])]), { tiles: 'none' });
  await page.until(`performance.getEntriesByType('resource').filter(({ name }) => name.includes('/viewer/part-')).length === 2`);
  await page.page.waitForLoadState('networkidle');
  t.strictSame(askedFor(page, '/viewer/outlines-'), []);
});

t.test('tiles lie above the outlines, which are loaded after the first picture', { skip }, async (t) => {
  const { page } = await openSite(t, project([world]), {});
  await page.until(`performance.getEntriesByType('resource').some(({ name }) => name.includes('/viewer/outlines-'))`);
  const tile = await page.value(
    `(() => { const at = picture(${inside('canvas')}).getImageData(640, 400, 1, 1).data; return [...at].join(); })()`,
  );
  t.notOk(['247,246,242,255', '227,234,241,255'].includes(String(tile)), `${tile} is a tile`);
  const firstTile = page.asked.findIndex((each) => each.includes('/tiles/'));
  t.ok(firstTile >= 0 && firstTile < page.asked.findIndex((each) => each.includes('/viewer/outlines-')));
  t.strictSame(page.complaints, []);
});

t.test('where tiles fail the outlines stay, with one notice, one line in the console, and one request', { skip }, async (t) => {
  const [sahara, other] = [mapAt('Sahara', land.Sahara), mapAt('Other', water.Atlantic)];
  const { page } = await openSite(t, project([sahara, other]), { tiles: 'http://127.0.0.1:9987/{z}/{x}/{y}.png' });
  await page.until(await isColour(page, 400, 300, colours.light.land));
  const notice = `${inside('.message')}.textContent`;
  t.equal(await page.value(notice), 'The background map could not be loaded.');
  t.equal(await page.value(`${inside('.message')}.getBoundingClientRect().height < 32`), true, 'it is small');
  const own = (): string[] => page.complaints.filter((each) => !each.startsWith('Failed to load resource'));
  t.strictSame(own(), ['the tiles of the artboard "Sahara" could not be loaded']);
  t.equal(page.complaints.length, 2, `the browser reports one request: ${page.complaints}`);
  t.equal(askedFor(page, '127.0.0.1:9987/').length, 1);
  await page.value(`void (${inside('.message')}.hidden = true)`);
  await page.value(`${element}.show('Other')`);
  await page.until("events.filter(([name]) => name === 'problem').length === 2");
  t.equal(await page.value(`${inside('.message')}.hidden`), true, 'visitors read it once');
  t.equal(own().length, 1);
  t.equal(askedFor(page, '127.0.0.1:9987/').length, 2, 'one for each artboard');
});

t.test('a tile server that works gets all requests after the first tile', { skip }, async (t) => {
  const { page } = await openSite(t, project([world]), {});
  await page.until(`performance.getEntriesByType('resource').filter(({ name }) => name.includes('/tiles/')).length >= 4`);
  t.strictSame(page.complaints, []);
});

/** Sets the sources in `map.json`. */
function setTiles(site: Site, project: object, tiles: readonly object[] | undefined): void {
  const version = site.publish('demo', project).split('/').at(-1);
  site.set('/p/demo/map.json', { body: JSON.stringify({ version: 1, map: version, tiles }) });
}

/** Waits for the first tile of a folder. */
const untilTile = (page: Page, folder: string): Promise<void> =>
  page.until(`performance.getEntriesByType('resource').some(({ name }) => name.includes('/tiles/${folder}/'))`);

t.test('map.json names the tiles, and an open page follows other ones', { skip }, async (t) => {
  const map = project([mapAt('Sahara', land.Sahara)]);
  const site = await Site.open(t, { tiles: 'none' });
  const url = site.pageWith(map);
  setTiles(site, map, [{ url: '/tiles/first/{z}/{x}/{y}.png', attribution: 'First [maker](https://maker.example/a?b=c) & <b>' }]);
  const page = await open(t, url);
  await page.until(`!${inside('.credit')}.hidden`);
  t.equal(await page.value(`${inside('.credit')}.textContent`), 'First maker & <b>');
  t.equal(await page.value(`${inside('.credit a')}.href`), 'https://maker.example/a?b=c');
  await untilTile(page, 'first');
  setTiles(site, map, [{ url: `${site.url}/tiles/second/{z}/{x}/{y}.png`, attribution: 'Second [x](javascript:alert(1))' }]);
  t.equal(await page.value(`${element}.refresh()`), false, 'it is no new version');
  await page.until(`${inside('.credit')}.textContent.startsWith('Second')`);
  t.equal(await page.value(`${inside('.credit a')} === null`), true, 'only addresses of the web are links');
  await untilTile(page, 'second');
  setTiles(site, map, [{ url: 'none', attribution: '' }]);
  await page.value(`${element}.refresh()`);
  await page.until(await isColour(page, 400, 300, colours.light.land));
  t.equal(await page.value(`${inside('.credit')}.hidden`), true);
  setTiles(site, map, undefined);
  await page.value(`${element}.refresh()`);
  await page.until(await isColour(page, 400, 300, colours.light.land));
  t.strictSame(page.complaints, []);
});

t.test('artboards have the tiles that they name, and the default for a name that is not listed', { skip }, async (t) => {
  const at = (name: string, tiles: string) => ({ ...mapAt(name, land.Sahara), tiles });
  const map = project([at('Usual', ''), at('Night', 'night'), at('Plain', 'plain'), at('Unknown', 'constructor')]);
  const site = await Site.open(t, { tiles: 'none' });
  const url = site.pageWith(map);
  setTiles(site, map, [
    { url: '/tiles/usual/{z}/{x}/{y}.png', attribution: 'Usual' },
    { name: 'night', url: '/tiles/night/{z}/{x}/{y}.png', attribution: 'Night' },
    { name: 'plain', url: 'none', attribution: '' },
  ]);
  const page = await open(t, url);
  for (const [name, credit, folder] of [
    ['Usual', 'Usual', 'usual'],
    ['Night', 'Night', 'night'],
    ['Plain', '', undefined],
    ['Unknown', 'Usual', 'usual'],
  ] as const) {
    const before = page.asked.length;
    await page.value(`${element}.show('${name}')`);
    await page.until(`${inside('.credit')}.textContent === '${credit}' && ${inside('.credit')}.hidden === ${credit === ''}`);
    if (folder === undefined) {
      await page.until(await isColour(page, 400, 300, colours.light.land));
      // Those of the map before may be on their way still.
      t.notOk(page.asked.slice(before).some((each) => each.includes('/tiles/') && !each.includes('/tiles/night/')));
    } else await untilTile(page, folder);
  }
  t.strictSame(page.complaints, []);
});

t.test('what is no list of tiles in map.json changes nothing', { skip }, async (t) => {
  const map = project([mapAt('Sahara', land.Sahara)]);
  for (const tiles of [[], {}, 'x', [null], [{ url: 5 }], [{ attribution: 'x' }]] as unknown as object[][]) {
    const site = await Site.open(t, { tiles: 'none' });
    const url = site.pageWith(map);
    setTiles(site, map, tiles);
    const page = await open(t, url);
    await page.until(await isColour(page, 400, 300, colours.light.land));
    t.strictSame(page.complaints, []);
  }
});
