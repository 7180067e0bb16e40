// tier: normal
/** Visits that the viewer counts: what it sends, when, and what it does not send or keep. */
import t, { type Test } from 'tap';
import { Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { startMapwright } from '../support/mapwright.ts';
import { until } from '../support/until.ts';
import { element, inside, partsAsked, recordEvents } from './element-page.ts';
import { artboard, building, popupAt, project, spot } from './samples.ts';
import { Site } from './site.ts';

t.setTimeout(600_000);

/** In the page: beacons instead of requests. */
const recordBeacons = async (page: Page['page'], more = ''): Promise<void> => {
  await recordEvents(page);
  await page.addInitScript({
    content: `
      globalThis.beacons = [];
      navigator.sendBeacon = (address, body) => beacons.push([new URL(address, location).pathname, JSON.parse(body)]) > 0;
      ${more}`,
  });
};

interface SceneOptions {
  readonly map?: Record<string, unknown>;
  readonly attributes?: string;
  /** Members of `map.json`. */
  readonly pointer?: Record<string, unknown>;
  /** A script that runs before all others. */
  readonly before?: string;
}

/** A map whose server counts visits, unless the options say otherwise. */
async function openScene(t: Test, { map, attributes = '', pointer = { seen: 'seen' }, before }: SceneOptions = {}) {
  const site = await Site.open(t, { tiles: 'none' });
  const url = site.pageWith(map ?? building().document, attributes);
  const name = site
    .publish('demo', map ?? building().document)
    .split('/')
    .at(-1);
  site.set('/p/demo/map.json', { body: JSON.stringify({ version: 1, map: name, ...pointer }) });
  const page = await Page.open(t, url, {
    prepare: async (page) => {
      await page.clock.install();
      await recordBeacons(page, before);
    },
  });
  await page.until("events.some(([name]) => name === 'ready')");
  return { page, site };
}

const setVisible = (page: Page, isVisible: boolean): Promise<unknown> =>
  page.value(`{
    Object.defineProperty(document, 'visibilityState', { value: '${isVisible ? 'visible' : 'hidden'}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }`);

const beacons = async (page: Page): Promise<[string, Record<string, unknown>][]> =>
  (await page.value('beacons')) as [string, Record<string, unknown>][];

/** Waits until the map is opened. */
async function opens(page: Page): Promise<void> {
  while ((await beacons(page)).length === 0) await pass(page);
}
/** Lets time pass, also for what the browser does when it is idle, once the parts of the viewer have come. */
async function pass(page: Page, parts = 3): Promise<void> {
  for (let round = 0; round < 100 && partsAsked(page).length < parts; round++) {
    await page.page.clock.runFor(100);
    await page.value("fetch(document.URL).then(() => '')");
  }
  await page.page.clock.runFor(5000);
}
const opened = ['/p/demo/seen', { opened: true }];

t.test('a map that is visible for two seconds is opened, once', { skip }, async (t) => {
  const { page } = await openScene(t);
  await opens(page);
  t.strictSame(await beacons(page), [opened]);
  await page.value(`${element}.refresh()`);
  await page.value(`{ const map = ${element}; const { parentElement } = map; map.remove(); parentElement.append(map); }`);
  await page.until("events.filter(([name]) => name === 'ready').length === 2");
  await setVisible(page, false);
  await setVisible(page, true);
  await pass(page);
  t.strictSame(await beacons(page), [opened], 'also after it was drawn again, or hidden');
  t.strictSame(await page.value('[localStorage.length, sessionStorage.length, document.cookie]'), [0, 0, ''], 'nothing is kept');
  t.strictSame(page.complaints, []);
});

t.test('a map that is hidden is not opened', { skip }, async (t) => {
  const hidden = "Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });";
  const { page } = await openScene(t, { before: hidden });
  await pass(page);
  t.strictSame(await beacons(page), []);
  await setVisible(page, true);
  await opens(page);
  t.strictSame(await beacons(page), [opened], 'before it is visible');
});

t.test('places are sent when the page is hidden, each once, and at most twenty together', { skip }, async (t) => {
  const spots = Array.from({ length: 23 }, (_, i) => spot(`Shop ${i}`, 20 + i * 30, 100));
  const map = project(
    [artboard('Floor', spots)],
    spots.map((each) => popupAt(each)),
  );
  const first = String(spots[22]?.['id']);
  const { page } = await openScene(t, { map, attributes: `object="${first}"` });
  await opens(page);
  for (const { id } of [...spots, ...spots]) {
    await page.value(`${element}.open(${JSON.stringify(id)})`);
    await page.until(`${inside('.popup')}.hidden === false`);
  }
  t.equal((await beacons(page)).length, 1, 'not before');
  await setVisible(page, false);
  const sent = (await beacons(page)).slice(1);
  t.strictSame(
    sent.map(([path, { places }]) => [path, (places as string[]).length]),
    [
      ['/p/demo/seen', 20],
      ['/p/demo/seen', 3],
    ],
  );
  const places = sent.flatMap(([, body]) => body['places'] as string[]);
  t.strictSame(places.sort(), spots.map(({ id }) => id).sort());
  await setVisible(page, true);
  await setVisible(page, false);
  t.equal((await beacons(page)).length, 3, 'nothing new: nothing is sent');
});

t.test('searches without a result are counted, not sent', { skip }, async (t) => {
  const { page } = await openScene(t, { attributes: 'list search' });
  await opens(page);
  await page.until(`${inside('input')} !== null`);
  const type = (text: string) =>
    page.value(
      `{ const input = ${inside('input')}; input.value = ${JSON.stringify(text)}; input.dispatchEvent(new InputEvent('input', { bubbles: true })); }`,
    );
  // "cellar" is typed, and corrected: one search. Another one follows.
  for (const text of ['c', 'ce', 'cel', 'cellar', 'cella', 'cel', '', 'hall', 'ga', 'garden', '']) await type(text);
  await setVisible(page, false);
  t.strictSame((await beacons(page)).slice(1), [['/p/demo/seen', { places: [], searches: 2 }]]);
});

for (const [what, { parts, ...options }] of Object.entries<SceneOptions & { readonly parts: number }>({
  'with Global Privacy Control': {
    parts: 3,
    before: "Object.defineProperty(navigator, 'globalPrivacyControl', { value: true });",
  },
  'of files without a server': { parts: 2, pointer: {} },
  'on a wall': { parts: 1, attributes: 'display' },
  'to an address that is none': { parts: 2, pointer: { seen: 'javascript:alert(1)' } },
}))
  t.test(`nothing is sent ${what}`, { skip }, async (t) => {
    const { page } = await openScene(t, options);
    await pass(page, parts);
    if (what !== 'on a wall') await page.value(`${element}.open(${JSON.stringify(building().ids.hall)})`);
    await setVisible(page, false);
    t.strictSame(await beacons(page), []);
    t.equal(partsAsked(page).length, parts, 'no part more');
  });

t.test('nothing is sent for a document that a script gives', { skip }, async (t) => {
  const { page } = await openScene(t, { pointer: {} });
  await page.value(`${element}.map = ${JSON.stringify(building().document)}`);
  await pass(page, 2);
  await setVisible(page, false);
  t.strictSame(await beacons(page), []);
});

t.test('a server counts what its page sends', { skip }, async (t) => {
  const mapwright = await startMapwright(t, { tiles: 'none' });
  const artboards = [{ name: 'Floor', objects: [{ type: 'spot', name: 'Bakery', x: 100, y: 100 }] }];
  const { id } = (await mapwright.post('/projects', { name: 'Mall', artboards })).shown;
  const board = (await mapwright.get(`/projects/${id}/artboards`)).list[0] as unknown as { objects: { id: string }[] };
  const bakery = board.objects[0]?.id ?? '';
  await mapwright.post(`/projects/${id}/popups`, { title: 'Bakery', content: '<p>Bread.</p>', attachedTo: bakery });
  const { slug } = (await mapwright.ask('PUT', `/v1/projects/${id}/publication`)).shown;
  const visits = async () =>
    (await mapwright.ask('GET', `/v1/projects/${id}/publication/visits`)).shown as unknown as {
      opened: number;
      places: object[];
    };
  const page = await Page.open(t, `http://127.0.0.1:${mapwright.port}/p/${slug}`, { prepare: recordEvents });
  await until('an opening', async () => (await visits()).opened === 1);
  await page.value(`${element}.open(${JSON.stringify(bakery)})`);
  await page.until(`${inside('.popup')}.hidden === false`);
  await setVisible(page, false);
  await until('a place', async () => (await visits()).places.length === 1);
  t.match(await visits(), { opened: 1, places: [{ id: bakery, name: 'Bakery', opened: 1 }] });
  t.strictSame(page.complaints, []);
});
