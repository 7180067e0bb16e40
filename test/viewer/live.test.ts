// tier: normal
/** Live maps: `<mapwright-map>` applies the live results of a published map, and asks for them again. */
import type { Route } from 'playwright-core';
import t, { type Test } from 'tap';
import { type Looks, type Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { test } from '../support/test.ts';
import { countAnswers, element, inside, isColour, open, placeOf, popupIs, pressed, recordEvents } from './element-page.ts';
import { artboard, building, popupAt, project, spot } from './samples.ts';
import { Site } from './site.ts';

t.setTimeout(300_000);

const [mapFile, liveFile] = ['/p/demo/map.json', '/p/demo/live.json'];
const [red, blue, green] = ['255,0,0', '37,99,235', '22,163,74'];
const at = '2026-01-01T00:00:00Z';

const created = (id: string, x: number, y: number, more: Record<string, unknown> = {}, popup: unknown = { title: id }) => ({
  artboard_id: 'artboard-Downstairs',
  object: { id, name: id, type: 'spot', x, y, radius: 20, pin: false, color: '#ff0000', ...more },
  popup,
});

/** A building with two floors, and what of it is live. */
interface Scene {
  readonly page: Page;
  readonly site: Site;
  readonly map: Record<string, unknown>;
  readonly ids: ReturnType<typeof building>['ids'];
  readonly popups: readonly { readonly id: string; readonly attachedTo: string }[];
  /** Applies a result by the method of the element. */
  apply(result: unknown): Promise<unknown>;
}

interface SceneOptions extends Looks {
  /** Seconds between two live results. Default: no live results. */
  readonly refresh?: number;
  readonly attributes?: string;
  /** Answer of live.json. */
  readonly live?: unknown;
  /** Whether the time of the page passes only with `pass`. */
  readonly hasClock?: boolean;
}

async function openScene(t: Test, options: SceneOptions = {}): Promise<Scene> {
  const { refresh = 0, attributes = '', live = { version: 1, at }, hasClock = false, prepare, ...looks } = options;
  const { document: map, ids } = building();
  const site = await Site.open(t, { tiles: 'none' });
  site.setLive('demo', live);
  const page = await open(t, site.pageWith(map, attributes, 'demo', refresh), {
    ...looks,
    prepare: async (page) => {
      await recordEvents(page);
      await prepare?.(page);
      if (hasClock) await page.clock.install();
    },
  });
  return {
    page,
    site,
    map,
    ids,
    popups: map['popups'] as Scene['popups'],
    apply: (result) => page.value(`${element}.applyLive(${JSON.stringify(result)})`),
  };
}

const pass = (page: Page, seconds: number): Promise<void> => page.page.clock.runFor(seconds * 1000);

/** Lets time pass until the condition holds: answers of the server take time of their own. */
async function passUntil(page: Page, holds: () => unknown): Promise<void> {
  for (let round = 0; (await holds()) !== true; round++) {
    if (round > 100) throw new Error(`waited in vain until ${holds}`);
    await pass(page, 10);
  }
}

const countOf = (name: string): string => `events.filter(([name]) => name === '${name}').length`;
/** Fresh results that were applied. */
const applied = "events.filter(([name, detail]) => name === 'live' && detail.state === 'fresh').length";
const problems = "events.filter(([name]) => name === 'problem').map(([, { problem }]) => problem)";

/** Sets what the page says of its visibility. */
const setVisible = (page: Page, isVisible: boolean): Promise<unknown> =>
  page.value(`{
    Object.defineProperty(document, 'visibilityState', { value: '${isVisible ? 'visible' : 'hidden'}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }`);

t.test('a live map is drawn still first, and then its live result over it', { skip }, async (t) => {
  const { document: map, ids } = building();
  const site = await Site.open(t, { tiles: 'none' });
  const { kitchen } = ids;
  site.setLive('demo', {
    version: 1,
    at,
    objects: { [kitchen]: { color: '#ff0000' }, unknown: { color: '#000000' } },
    popups: {},
    created: [created('live-1', 600, 100)],
  });
  const page = await open(t, site.pageWith(map, '', 'demo', 60));
  await page.until(`${countOf('live')} === 1`);
  t.strictSame(await page.value("events.map(([name]) => name).join(' ')"), 'artboard ready live');
  t.strictSame(await page.value('events.at(-1)[1]'), { at, state: 'fresh', since: undefined });
  await page.until(await isColour(page, 500, 200, red));
  await page.until(await isColour(page, 600, 100, red));
  t.strictSame(await page.value(`${element}.map`), map, 'the document is the published one');
  t.match(await page.value(`${element}.shownArtboard.objects.at(-1)`), { id: 'live-1', x: 600 });
  t.strictSame(
    page.asked.map((asked) => new URL(asked.slice(4)).pathname).filter((path) => path.startsWith('/p/demo/')),
    [mapFile, site.requested.find((path) => /[0-9a-f]{64}/.test(path)), liveFile],
    'the map is read first',
  );
  t.strictSame(page.complaints, []);
});

test.all('a still map asks for no live result', { skip }, async (t) => {
  const { page, site } = await openScene(t, { hasClock: true });
  await pass(page, 600);
  t.equal(site.countOf(liveFile), 0);
});

t.test('created objects are in the list, react to clicks, and stay open while others appear and vanish', { skip }, async (t) => {
  const { page, apply } = await openScene(t, { attributes: 'list' });
  const link = { click_action: 'change-artboard', click_action_artboard_id: 'artboard-Upstairs' };
  const two = { ...created('two', 600, 100), popup: { title: 'Second', content: '<b>Bold</b>' } };
  t.equal(await apply({ created: [created('one', 500, 500, {}, null), two, created('up', 700, 100, link, null)] }), true);
  const names = `[...${element}.shadowRoot.querySelectorAll('.list li')].map((row) => row.textContent).join(' ')`;
  t.equal(await page.value(names), 'Hall Kitchen Stairs Shop two up', 'an object without a popup and a link does nothing');
  await page.page.mouse.click(...(await placeOf(page, 600, 100)));
  await page.until(popupIs(true));
  t.equal(await page.value(`${inside('.popup h2')}.textContent`), 'Second');
  t.equal(await page.value(`${inside('.popup .content')}.innerHTML`), '<b>Bold</b>');
  t.match(await page.value('events.at(-1)[1]'), { object: { id: 'two' }, popup: { title: 'Second' } });
  await apply({ created: [created('new', 500, 400), { ...two, object: { ...two.object, x: 300 } }] });
  t.equal(await page.value(popupIs(true)), true);
  t.equal(await page.value(names), 'Hall Kitchen Stairs Shop new two');
  await apply({ created: [] });
  t.equal(await page.value(popupIs(false)), true, 'the popup of an object that is gone closes');
  t.equal(await page.value('location.hash'), '');
  await apply({ created: [created('up', 700, 100, link, null)] });
  await page.page.mouse.click(...(await placeOf(page, 700, 100)));
  await page.until(`${pressed}.textContent === 'Upstairs'`);
  t.strictSame(page.complaints, []);
});

test.all(
  'the result is asked again every refresh, past the cache, and an unchanged one is not applied again',
  { skip },
  async (t) => {
    const { page, site, ids } = await openScene(t, { refresh: 60, hasClock: true });
    await page.until(`${countOf('live')} === 1`);
    await pass(page, 55);
    t.equal(site.countOf(liveFile), 1);
    await passUntil(page, () => site.countOf(liveFile) === 2);
    t.equal(await page.value(countOf('live')), 1, 'though the browser could use the first one for a minute');
    site.setLive('demo', { version: 1, at: '2026-01-01T00:02:00Z', objects: { [ids.kitchen]: { color: '#ff0000' } } });
    await passUntil(page, () => page.value(`${countOf('live')} === 2`));
    t.match(await page.value('events.at(-1)[1]'), { at: '2026-01-01T00:02:00Z' });
    await page.until(await isColour(page, 500, 200, red));
    t.equal(site.countOf(mapFile), 1, 'the map itself is not read again');
  },
);

test.all('a hidden page asks for nothing, and for the result when it is visible again after a refresh', { skip }, async (t) => {
  const { page, site } = await openScene(t, { refresh: 60, hasClock: true });
  await page.until(`${countOf('live')} === 1`);
  await setVisible(page, false);
  await pass(page, 30);
  await setVisible(page, true);
  t.equal(site.countOf(liveFile), 1, 'not before a refresh has passed');
  await setVisible(page, false);
  await pass(page, 600);
  t.equal(site.countOf(liveFile), 1);
  site.setLive('demo', { version: 1, at: 'later' });
  await setVisible(page, true);
  await page.until(`${countOf('live')} === 2`);
  t.equal(site.countOf(liveFile), 2);
  await page.value(`${element}.remove()`);
  await pass(page, 600);
  await setVisible(page, true);
  t.equal(site.countOf(liveFile), 2, 'a map that has left the page asks no more');
});

/** In the page: stops each animation in its middle, and keeps them in `fades`. */
const stopFades = async (page: Page['page']): Promise<void> => {
  await page.addInitScript({
    content: `{
      globalThis.fades = [];
      const { animate } = Element.prototype;
      Element.prototype.animate = function (...given) {
        const animation = animate.apply(this, given);
        animation.pause();
        animation.currentTime = animation.effect.getTiming().duration / 2;
        fades.push(animation);
        return animation;
      };
    }`,
  });
};

test.all('changed, new and gone objects fade from the former picture within 300 ms', { skip }, async (t) => {
  const { page, apply, ids } = await openScene(t, { prepare: stopFades });
  const places = await Promise.all([
    placeOf(page, 500, 200),
    placeOf(page, 600, 100),
    placeOf(page, 650, 450),
    placeOf(page, 200, 400),
  ]);
  const seen = async (): Promise<number[][]> => {
    const png = (await page.page.screenshot()).toString('base64');
    return (await page.value(`(async () => {
      const image = new Image();
      image.src = 'data:image/png;base64,${png}';
      await image.decode();
      const context = picture(image);
      return ${JSON.stringify(places)}.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data].slice(0, 3));
    })()`)) as number[][];
  };
  // Browsers round differently.
  const isNear = (colours: readonly number[][], expected: readonly number[][]): void => {
    const most = Math.max(
      ...expected.flatMap((colour, at) => colour.map((value, of) => Math.abs(value - (colours[at]?.[of] ?? 255)))),
    );
    t.ok(most <= 2, `${colours.join(' | ')} is half of both pictures`);
  };
  await page.until(await isColour(page, 500, 200, blue));
  t.strictSame(await seen(), [
    [37, 99, 235],
    [255, 255, 255],
    [37, 99, 235],
    [255, 255, 255],
  ]);
  // Another colour, a new object, and one that moves.
  const objects = { [ids.kitchen]: { color: '#ff0000' }, [ids.shop]: { x: 200, y: 400 } };
  await apply({ objects, created: [created('new', 600, 100)] });
  await page.until('fades.length === 1');
  isNear(await seen(), [
    [146, 50, 118],
    [255, 128, 128],
    [146, 177, 245],
    [146, 177, 245],
  ]);
  const duration = Number(await page.value('fades[0].effect.getTiming().duration'));
  t.ok(duration <= 300, `${duration} ms`);
  await page.value('fades[0].finish()');
  await page.until(`${inside('.fade')} === null`);
  t.strictSame(await seen(), [
    [255, 0, 0],
    [255, 0, 0],
    [255, 255, 255],
    [37, 99, 235],
  ]);
  await apply({ objects, created: [] });
  await page.until('fades.length === 2');
  isNear((await seen()).slice(1, 2), [[255, 128, 128]]);
  await apply({ objects: {}, created: [] });
  t.equal(await page.value(`${element}.shadowRoot.querySelectorAll('.fade').length`), 1, 'a new fade replaces the former');
  t.strictSame(page.complaints, []);
});

test.all('nothing fades without a change, while the map moves, and with reduced motion', { skip }, async (t) => {
  const { page, apply, ids } = await openScene(t, { prepare: stopFades });
  const change = { objects: { [ids.kitchen]: { color: '#ff0000' } } };
  await apply(change);
  await page.until('fades.length === 1');
  await page.value('fades[0].finish()');
  await page.until(`${inside('.fade')} === null`);
  await apply(change);
  await apply({ ...change, at, objects: { ...change.objects, unknown: { color: '#000' }, [ids.attic]: { color: '#000' } } });
  t.equal(await page.value(`${inside('.fade')}`), null, 'nothing on this artboard is different');
  await apply({});
  t.not(await page.value(`${inside('.fade')}`), null);
  await page.value(`${inside('.controls button')}.click()`);
  await page.until(`${inside('.fade')} === null`);
  const calm = await openScene(t, { prepare: stopFades, options: { reducedMotion: 'reduce' } });
  await calm.apply({ objects: { [calm.ids.kitchen]: { color: '#ff0000' } } });
  await calm.page.until(await isColour(calm.page, 500, 200, red));
  t.equal(await calm.page.value('fades.length'), 0);
});

test.all('the hover style, the name and the cursor follow the object under the pointer', { skip }, async (t) => {
  const { page, apply, ids } = await openScene(t);
  const kitchen = await placeOf(page, 500, 200);
  await page.page.mouse.move(...kitchen);
  await page.until(`!${inside('.label')}.hidden && ${inside('.label')}.textContent === 'Kitchen'`);
  await page.until(await isColour(page, 500, 200, red));
  await apply({ objects: { [ids.kitchen]: { color: '#16a34a', name: 'Galley' } } });
  t.equal(await page.value(`${inside('.label')}.textContent`), 'Galley');
  await page.until(await isColour(page, 500, 200, red));
  t.equal(await page.value(`getComputedStyle(${inside('.canvas')}).cursor`), 'pointer');
  await apply({ objects: { [ids.kitchen]: { x: 100, y: 500 } } });
  t.equal(await page.value(`${inside('.label')}.hidden`), true, 'the object has moved away');
  t.equal(await page.value(`getComputedStyle(${inside('.canvas')}).cursor`), 'grab');
  await page.until(await isColour(page, 100, 500, blue));
  await apply({ created: [created('here', 500, 200)], objects: { [ids.kitchen]: { x: 100, y: 500 } } });
  t.equal(await page.value(`${inside('.label')}.textContent`), 'here', 'another one has come');
});

t.test('an open popup stays, shows new texts, and keeps what was read and focused', { skip }, async (t) => {
  const { page, apply, ids, popups } = await openScene(t, { attributes: 'list', height: 400 });
  const popupOf = (id: string): string => popups.find(({ attachedTo }) => attachedTo === id)?.id ?? '';
  await page.value(`${element}.open('${ids.hall}')`);
  const content = `<p>Taken by</p>${'<p>many</p>'.repeat(50)}`;
  t.equal(await apply({ popups: { [popupOf(ids.hall)]: { content } } }), true);
  t.match(await page.value(`${inside('.popup .content')}.textContent`), /^Taken by/);
  await page.value(
    `${inside('.popup .scroll')}.scrollTop = 300, ${inside('.popup .action a')}.focus(), ${inside('.popup .scroll')}.scrollTop = 300`,
  );
  await page.value(`globalThis.content = ${inside('.popup .content')}`);
  await apply({ popups: { [popupOf(ids.hall)]: { content } }, objects: { [ids.hall]: { color: '#ff0000' } } });
  t.equal(await page.value(`content === ${inside('.popup .content')}`), true, 'an equal popup is not drawn again');
  await apply({ popups: { [popupOf(ids.hall)]: { content: content.replace('Taken', 'Used') } } });
  t.match(await page.value(`${inside('.popup .content')}.textContent`), /^Used by/);
  t.equal(await page.value(`${inside('.popup .scroll')}.scrollTop`), 300);
  t.equal(await page.value(`${element}.shadowRoot.activeElement.textContent`), 'Book');
  t.equal(await page.value('location.hash'), '#place=Hall');
  const before = await page.value(`${inside('.popup')}.getBoundingClientRect().left`);
  await apply({ objects: { [ids.hall]: { coords: [500, 520, 520].map((x, at) => ({ x, y: 300 + 20 * (at % 2) })) } } });
  await page.until(`${inside('.popup')}.getBoundingClientRect().left !== ${before}`);
  await page.page.keyboard.press('Escape');
  t.equal(await page.value(popupIs(false)), true);
  t.strictSame(page.complaints, []);
});

test.all('the search, the scroll and the focus of the list survive a result', { skip }, async (t) => {
  const { page, apply } = await openScene(t, { attributes: 'list search', height: 500 });
  const many = (count: number, first = 0) =>
    Array.from({ length: count }, (_, at) => created(`Visitor ${first + at}`, 10 + at * 7, 500));
  await apply({ created: many(100) });
  const [rows, focused] = [inside('.rows'), `${element}.shadowRoot.activeElement`];
  await page.value(`${rows}.scrollTop = 1600`);
  const row = (name: string) =>
    `[...${element}.shadowRoot.querySelectorAll('.list li button')].find((button) => button.textContent === '${name}')`;
  await page.until(`${row('Visitor 40')} !== undefined`);
  await page.value(`${row('Visitor 40')}.focus({ preventScroll: true })`);
  const top = await page.value(`${row('Visitor 40')}.getBoundingClientRect().top`);
  await page.value(`globalThis.button = ${row('Visitor 40')}`);
  // Ten above it are gone, and thirty below it are new.
  await apply({ created: many(120, 10) });
  t.equal(await page.value(`${focused} === button && button.isConnected`), true, 'the same row has the focus');
  t.equal(await page.value('button.textContent'), 'Visitor 40');
  t.equal(await page.value('button.getBoundingClientRect().top'), top, 'at the same place');
  t.equal(await page.value(`button.parentNode.getAttribute('aria-setsize')`), '124');
  const order = `[...${element}.shadowRoot.querySelectorAll('.list li')].map((row) => Number(row.dataset.at))`;
  const places = (await page.value(order)) as number[];
  t.strictSame(
    places,
    [...places].sort((a, b) => a - b),
    'the rows are in the order of the keyboard',
  );
  await page.page.keyboard.press('ArrowDown');
  t.equal(await page.value(`${focused}.textContent`), 'Visitor 41');
  await apply({ created: many(3) });
  t.match(await page.value(`${focused}.textContent`), /^Visitor/, 'the focus of a row that is gone stays in the list');
  await page.page.locator('mapwright-map input').fill('visitor 1');
  t.equal(await page.value(`${inside('.count')}.textContent`), '1 of 9', 'of the objects of all floors');
  await apply({ created: many(20) });
  t.equal(await page.value(`${inside('.count')}.textContent`), '11 of 26', 'the search finds new objects, too');
  t.equal(await page.value(`${focused}.value`), 'visitor 1');
});

test.all('a result of a later version makes the map read that version first', { skip }, async (t) => {
  const { page, site, map, ids } = await openScene(t, { refresh: 60, hasClock: true });
  await page.until(`${applied} === 1`);
  const [first = {}, ...others] = map['artboards'] as Record<string, unknown>[];
  const next = spot('Next', 600, 100);
  const second = { ...map, artboards: [{ ...first, objects: [...(first['objects'] as unknown[]), next] }, ...others] };
  const later = {
    version: 2,
    at: 'second',
    objects: { [String(next['id'])]: { color: '#ff0000' }, [ids.kitchen]: { color: '#ff0000' } },
  };
  site.setLive('demo', later);
  await passUntil(page, () => site.countOf(mapFile) === 2);
  t.equal(
    await page.value(`${element}.shownArtboard.objects.find(({ id }) => id === '${ids.kitchen}').color`),
    '#2563eb',
    'not before it has the map',
  );
  site.publish('demo', second, 2, 60);
  await passUntil(page, () => page.value(`${applied} === 2`));
  t.equal(await page.value("events.slice(-2).map(([name]) => name).join(' ')"), 'ready live');
  t.match(await page.value("events.findLast(([name]) => name === 'ready')[1]"), { version: 2 });
  await page.until(await isColour(page, 600, 100, red));
  const asked = site.countOf(liveFile);
  site.setLive('demo', { ...later, version: 1, at: 'first', objects: { [ids.kitchen]: { color: '#000000' } } });
  await passUntil(page, () => site.countOf(liveFile) === asked + 2);
  t.equal(await page.value(applied), 2, 'a result of an earlier version is not applied');
  t.equal(await page.value(await isColour(page, 500, 200, red)), true);
});

test.all('live="off" shows the published map, and live results follow when the attribute is removed', { skip }, async (t) => {
  const { page, site, ids } = await openScene(t, { refresh: 60, attributes: 'live="off"', hasClock: true });
  site.setLive('demo', { version: 1, at, objects: { [ids.kitchen]: { color: '#ff0000' } } });
  await pass(page, 600);
  t.equal(site.countOf(liveFile), 0);
  await page.value(`${element}.removeAttribute('live')`);
  await page.until(`${countOf('live')} === 1`);
  await page.until(await isColour(page, 500, 200, red));
  await page.value(`${element}.setAttribute('live', 'off')`);
  await page.until(await isColour(page, 500, 200, blue));
  await pass(page, 600);
  t.equal(site.countOf(liveFile), 1);
  await page.value(`${element}.setAttribute('live', '')`);
  await page.until(`${countOf('live')} === 2`);
  await page.until(await isColour(page, 500, 200, red));
});

t.test('a failure keeps the last state, is reported, and makes the pauses longer', { skip }, async (t) => {
  const { page, site, ids } = await openScene(t, { refresh: 60, hasClock: true });
  await page.until(`${applied} === 1`);
  site.setLive('demo', { version: 1, at, objects: { [ids.kitchen]: { color: '#ff0000' } } });
  await pass(page, 61);
  await page.until(`${applied} === 2`);
  const failures = [{ status: 503 }, { body: 'text' }, { body: '[]' }, { status: 404 }];
  let pause = 60;
  for (const [at, failure] of failures.entries()) {
    site.set(liveFile, failure);
    const before = site.countOf(liveFile);
    await pass(page, pause - 5);
    t.equal(site.countOf(liveFile), before, `no request for ${pause} s`);
    await pass(page, 6);
    await page.until(`${problems}.length === ${at + 1}`);
    pause *= 2;
  }
  t.strictSame(await page.value(problems), ['live', 'live', 'live', 'live']);
  t.match(await page.value("events.filter(([name]) => name === 'problem').map(([, { message }]) => message)"), [
    /live\.json: status 503$/,
    /not JSON/,
    /a live result is an object/,
    /there is no live result/,
  ]);
  t.equal(await page.value(await isColour(page, 500, 200, red)), true);
  site.setLive('demo', { version: 1, at, objects: { [ids.kitchen]: { color: '#16a34a' } } });
  await pass(page, 601);
  await page.until(`${applied} === 3`);
  await page.until(await isColour(page, 500, 200, green));
  site.set(liveFile, { status: 503 });
  await pass(page, 61);
  await page.until(`${problems}.length === 5`);
});

test.all('a browser that is online again does not wait for the end of a pause', { skip }, async (t) => {
  const { page, site } = await openScene(t, { refresh: 60, hasClock: true, prepare: countAnswers });
  await page.until(`${countOf('live')} === 1`);
  site.set(liveFile, { status: 502 });
  for (let failures = 1; failures <= 3; failures++) {
    await passUntil(page, () => page.value(`begun === ${failures + 1}`));
    await page.until(`${problems}.length === ${failures} && answers === begun`);
  }
  const asked = site.countOf(liveFile);
  site.setLive('demo', { version: 1, at: 'again' });
  await page.value("dispatchEvent(new Event('online'))");
  await page.until(`${applied} === 2`);
  t.equal(site.countOf(liveFile), asked + 1);
  await page.value(`${element}.remove()`);
  await page.value("dispatchEvent(new Event('online'))");
  await pass(page, 600);
  t.equal(site.countOf(liveFile), asked + 1, 'a map that has left the page asks no more');
});

test.all('a browser that is online again during a request asks once more if that fails', { skip }, async (t) => {
  const { page, site } = await openScene(t, { refresh: 60, hasClock: true, prepare: countAnswers });
  await page.until(`${countOf('live')} === 1`);
  let fail = (): void => undefined;
  const failed = new Promise<void>((resolve) => {
    fail = resolve;
  });
  const answer = async (route: Route): Promise<void> => {
    await failed;
    await route.fulfill({ status: 502 });
  };
  await page.page.route(`**${liveFile}`, answer, { times: 1 });
  await passUntil(page, () => page.value('begun === 2'));
  await page.value("dispatchEvent(new Event('online'))");
  site.setLive('demo', { version: 1, at: 'again' });
  fail();
  await page.until(`${applied} === 2`);
  t.equal(await page.value('begun'), 3);
  t.equal(await page.value(`${problems}.length`), 1);
});

test.all('a failure is shown to visitors in their language, until an answer comes', { skip }, async (t) => {
  const { page, site } = await openScene(t, { refresh: 60, hasClock: true, attributes: 'lang="de"' });
  site.set(liveFile, { status: 500 });
  await page.until(`${countOf('live')} === 1`);
  await pass(page, 61);
  await page.until(`${problems}.length === 1`);
  t.match(await page.value(`${inside('.data')}.textContent`), /^Die aktuellen Daten/);
  await pass(page, 121);
  await page.until(`${problems}.length === 2`);
  t.match(await page.value(`${inside('.data')}.textContent`), /^Die aktuellen Daten/);
  t.equal(await page.value(`${inside('.message')}.hidden`), true, 'there is no other message');
});

test.all('a page applies results itself to a map that it assigns', { skip }, async (t) => {
  const { document: map, ids } = building();
  const site = await Site.open(t);
  site.setPage('/', '<mapwright-map></mapwright-map>');
  const page = await open(t, `${site.url}/`);
  t.equal(await page.value(`${element}.applyLive({})`), false, 'there is no map yet');
  await page.value(`${element}.map = ${JSON.stringify(map)}`);
  // An answer of an evaluation has more members, and no version.
  const evaluation = { values: {}, problems: [], popups: {}, created: [], objects: { [ids.kitchen]: { color: '#ff0000' } } };
  t.equal(await page.value(`${element}.applyLive(${JSON.stringify(evaluation)})`), true);
  await page.until(await isColour(page, 500, 200, red));
  t.strictSame(await page.value(`${element}.map`), map);
  t.equal(await page.value(`(() => { try { ${element}.applyLive([]); } catch (error) { return error.name; } })()`), 'TypeError');
  t.equal(await page.value(`${element}.applyLive(undefined)`), true);
  await page.until(await isColour(page, 500, 200, blue));
  t.strictSame(page.complaints, []);
});

test.all('the address and the attribute lead to an object that a live result creates', { skip }, async (t) => {
  const { document: map } = building();
  const site = await Site.open(t, { tiles: 'none' });
  site.setLive('demo', { version: 1, at, created: [created('live-1', 600, 100)] });
  for (const [attributes, hash] of [
    ['object="live-1"', ''],
    ['', '#live-1'],
  ] as const) {
    const page = await open(t, `${site.pageWith(map, attributes, 'demo', 60)}${hash}`);
    await page.until(popupIs(true));
    t.equal(await page.value(`${inside('.popup h2')}.textContent`), 'live-1');
  }
});

test.all('a map that is not live any more shows what is published', { skip }, async (t) => {
  const { page, site, map, ids } = await openScene(t, { refresh: 60 });
  site.setLive('demo', { version: 1, at, objects: { [ids.kitchen]: { color: '#ff0000' } } });
  await page.value(`{ const map = ${element}; map.remove(); document.querySelector('main').append(map); }`);
  await page.until(await isColour(page, 500, 200, red));
  site.publish('demo', map, 1, 0);
  t.equal(await page.value(`${element}.refresh()`), false);
  await page.until(await isColour(page, 500, 200, blue));
});

test.all('other artboards show their live objects when they are opened', { skip }, async (t) => {
  const { page, apply, ids } = await openScene(t);
  const upstairs = { ...created('up', 200, 200), artboard_id: 'artboard-Upstairs' };
  await apply({ objects: { [ids.attic]: { color: '#ff0000' } }, created: [upstairs] });
  await page.page.locator('mapwright-map .artboards button').nth(1).click();
  await page.until(await isColour(page, 400, 300, red));
  t.equal(await page.value(`${element}.open('up')`), true);
  await page.until(popupIs(true));
  await apply({ objects: { [ids.attic]: { color: '#16a34a' } }, created: [upstairs] });
  await page.until(await isColour(page, 400, 300, green));
  t.equal(await page.value(popupIs(true)), true);
  t.equal(await page.value(`${pressed}.textContent`), 'Upstairs');
  t.equal(await page.value(countOf('artboard')), 2, 'a result opens no artboard');
});

test.all('10,000 created objects are drawn, found and removed again', { skip }, async (t) => {
  const site = await Site.open(t, { tiles: 'none' });
  const desk = spot('Desk', 400, 300);
  const page = await open(t, site.pageWith(project([artboard('Downstairs', [desk])], [popupAt(desk)]), 'list'));
  const result = {
    created: Array.from({ length: 10_000 }, (_, at) =>
      created(`v${at}`, (at % 100) * 8, Math.floor(at / 100) * 6, { radius: 3 }),
    ),
  };
  await page.value(`${element}.applyLive(${JSON.stringify(result)})`);
  await page.until(await isColour(page, 160, 120, red));
  t.equal(await page.value(`${element}.open('v9999')`), true);
  t.equal(await page.value(`${inside('.list li')}.getAttribute('aria-setsize')`), '10001');
  await page.value(`${element}.applyLive({})`);
  await page.until(await isColour(page, 160, 120, '255,255,255'));
  t.equal(await page.value(popupIs(false)), true);
  t.strictSame(page.complaints, []);
});
