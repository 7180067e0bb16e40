// tier: normal
/** Maps on a wall: `display` of the element and of the address of a published map. */
import t, { type Test } from 'tap';
import { type Looks, Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { test } from '../support/test.ts';
import { element, inside, partsAsked, recordEvents } from './element-page.ts';
import { artboard, box, building, project, spot } from './samples.ts';
import { Site } from './site.ts';

t.setTimeout(600_000);

const [mapFile, liveFile] = ['/p/demo/map.json', '/p/demo/live.json'];
const bar = inside('.wall-bar');
const name = `${inside('.wall-name')}.textContent`;
const state = inside('.wall-state');
const shown = `${element}.shownArtboard?.name`;
const countOf = (name: string): string => `events.filter(([name]) => name === '${name}').length`;

/** In the page: counts what browsers allow a wall, and movements. */
const recordPowers = async (page: Page['page']): Promise<void> => {
  await page.addInitScript({
    content: `
      globalThis.powers = { full: 0, awake: 0, released: 0, animations: 0 };
      Element.prototype.requestFullscreen = function () {
        powers.full++;
        powers.target = this.localName;
        return Promise.reject(new TypeError('not in a test'));
      };
      const lock = () => {
        powers.awake++;
        const sentinel = { released: false, release: async () => { powers.released++; sentinel.released = true; } };
        globalThis.lastLock = sentinel;
        return Promise.resolve(sentinel);
      };
      Object.defineProperty(navigator, 'wakeLock', { value: { request: lock }, configurable: true });
      const { animate } = Element.prototype;
      Element.prototype.animate = function (...given) {
        powers.animations++;
        return animate.apply(this, given);
      };`,
  });
};

interface WallOptions extends Looks {
  readonly attributes?: string;
  /** The parameters of the address, with their question mark. */
  readonly search?: string;
  /** Seconds between two live results. Default: no live results. */
  readonly refresh?: number;
  readonly live?: unknown;
  readonly map?: Record<string, unknown>;
  /** True if time passes only with `pass`, from 09:27 on. */
  readonly hasClock?: boolean;
}

interface Scene {
  readonly page: Page;
  readonly site: Site;
  readonly map: Record<string, unknown>;
}

async function openPage(t: Test, url: string, { hasClock = false, options, ...looks }: WallOptions): Promise<Page> {
  return Page.open(t, url, {
    ...looks,
    options: { timezoneId: 'UTC', ...options },
    prepare: async (page) => {
      await recordEvents(page);
      await recordPowers(page);
      if (hasClock) await page.clock.install({ time: '2026-05-04T09:27:05Z' });
    },
  });
}

/** A page with the building, on a wall unless the options say otherwise. */
async function openWall(t: Test, options: WallOptions = {}): Promise<Scene> {
  const { attributes = 'display', search = '', refresh = 0, live = { version: 1, at: 'now' } } = options;
  const map = options.map ?? building().document;
  const site = await Site.open(t, { tiles: 'none' });
  site.setLive('demo', live);
  site.set('/red.png', red);
  const page = await openPage(t, site.pageWith(map, attributes, 'demo', refresh) + search, options);
  await page.until(`${bar} !== null && ${countOf('ready')} === 1`);
  return { page, site, map };
}

/** A picture of one red pixel. */
const red = {
  type: 'image/png',
  headers: { 'Cache-Control': 'no-store' },
  body: Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==', 'base64'),
};

/** An expression: whether the middle of the map is red. */
const isRed = `(() => {
  const canvas = ${inside('canvas')};
  const middle = canvas && picture(canvas).getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data;
  return middle?.slice(0, 3).join() === '255,0,0';
})()`;

const withLegend = { settings: { legend: [{ color: '#2563eb', name: 'Free' }] } };

const pass = (page: Page, seconds: number): Promise<void> => page.page.clock.runFor(seconds * 1000);

/** Lets time pass until the condition holds: answers of the server take time of their own. */
async function passUntil(page: Page, holds: () => unknown, step = 10): Promise<void> {
  for (let round = 0; (await holds()) !== true; round++) {
    if (round > 100) throw new Error(`waited in vain until ${holds}`);
    await pass(page, step);
  }
}

const setVisible = (page: Page, isVisible: boolean): Promise<unknown> =>
  page.value(`{
    Object.defineProperty(document, 'visibilityState', { value: '${isVisible ? 'visible' : 'hidden'}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }`);

/** Fires the event of the element that says what the data are like. */
const sayLive = (page: Page, detail: object): Promise<unknown> =>
  page.value(`${element}.dispatchEvent(new CustomEvent('mapwright-live', { detail: ${JSON.stringify(detail)}, bubbles: true }))`);

/** An expression: selectors of what could be clicked or chosen with the keyboard. */
const reachable = `[...${element}.shadowRoot.querySelectorAll('button, input, a, summary, [tabindex]')]
  .filter((each) => each.checkVisibility() && each.tabIndex >= 0 && each.closest('[inert]') === null)
  .map((each) => each.className || each.localName).join(' ')`;

t.test('a wall has no buttons, no pointer and no gestures, and loads its part alone', { skip }, async (t) => {
  const { document: map, ids } = building();
  const { page } = await openWall(t, { map: { ...map, ...withLegend }, attributes: 'display search list' });
  t.equal(await page.value(reachable), '');
  t.equal(partsAsked(page).length, 1);
  const hall = (await page.value(`(() => {
    const { left, top, width, height } = ${inside('.view')}.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  })()`)) as [number, number];
  t.equal(
    await page.value(
      `getComputedStyle(${element}.shadowRoot.elementFromPoint(${hall}) ?? document.elementFromPoint(${hall})).cursor`,
    ),
    'none',
  );
  await page.page.mouse.move(...hall);
  await page.page.mouse.wheel(0, -500);
  await page.page.mouse.click(...hall);
  t.equal(await page.value(countOf('click')), 0);
  t.equal(await page.value(`${inside('.popup')}.hidden`), true);
  t.equal(await page.value(`${bar}.contains(${inside('.legend')}) && ${inside('.legend')}.checkVisibility()`), true);
  const boxOf = (selector: string) => `${inside(selector)}.getBoundingClientRect()`;
  t.equal(await page.value(`${boxOf('.view')}.bottom <= ${boxOf('.wall-bar')}.top`), true, 'the bar covers nothing');
  t.equal(await page.value(`${inside('.canvas')}.getAttribute('aria-label')`), 'Map: Downstairs');
  t.equal(await page.value(`${element}.open('${ids.hall}')`), true, 'scripts may open an object');
  t.strictSame(page.complaints, []);
});

t.test('the address of the page of a map turns it into a wall, that of other pages does not', { skip }, async (t) => {
  const { document: map } = building();
  const site = await Site.open(t, { tiles: 'none' });
  const own = site.pageWith(map, 'search');
  site.setPage('/other', '<mapwright-map src="/p/demo"></mapwright-map>');
  const isWall = async (url: string, display = true): Promise<Page> => {
    const page = await openPage(t, url, {});
    await page.until(`${countOf('ready')} === 1`);
    if (display) await page.until(`${bar} !== null`);
    else await page.until(`${inside('.places')} !== null`);
    t.equal(await page.value(`${bar} !== null`), display, url);
    return page;
  };
  const light = await isWall(`${own}?display=1`);
  const dark = await isWall(`${own}?display=dark&display-seconds=30`);
  const background = (page: Page) => page.value(`getComputedStyle(${inside('.frame')}).backgroundColor`);
  t.equal(await background(light), 'rgb(238, 242, 246)');
  t.equal(await background(dark), 'rgb(15, 23, 42)');
  for (const search of ['', '?display=0', '?display=off', '?other=1']) await isWall(own + search, false);
  const other = await isWall(`${site.url}/other?display=1`, false);
  t.equal(partsAsked(other).length, 2, 'the part of a wall is for walls');
});

t.test('the page of a published map with its policy is a wall, too', { skip }, async (t) => {
  const { page } = await openWall(t, { attributes: 'gestures="greedy" search', search: '?display=1#artboard=Upstairs' });
  await page.until(`${name} === 'Upstairs'`);
  t.strictSame(page.complaints, []);
});

t.test('names have at least 2 % of the height, and keep away from each other', { skip }, async (t) => {
  const objects = [
    box('Large', 50, 50, 500, 200, { icon: '/red.png' }),
    spot('Set', 100, 400, { label_size: 60 }),
    spot('One', 400, 400),
    spot('Two', 440, 400),
  ];
  const map = { ...project([artboard('Floor', objects)]), settings: { labels: 'auto' } };
  const sizes = `Object.fromEntries([...${element}.shadowRoot.querySelectorAll('.name')].map((each) => [each.textContent, parseFloat(getComputedStyle(each).fontSize)]))`;
  const { page } = await openWall(t, { map, width: 1920, height: 1080 });
  await page.until(`${sizes}.Large === 22`);
  // An icon of its usual size ends 31 pixels above the middle of the name.
  await page.until(`(() => {
    const name = [...${element}.shadowRoot.querySelectorAll('.name')].find((each) => each.textContent === 'Large').getBoundingClientRect();
    const canvas = ${inside('canvas')};
    const { left, top } = canvas.getBoundingClientRect();
    const at = [(name.left + name.right) / 2 - left, (name.top + name.bottom) / 2 - top - 44];
    return [...picture(canvas).getImageData(...at, 1, 1).data].slice(0, 3).join() === '255,0,0';
  })()`);
  t.match(await page.value(sizes), { Large: 22, One: 22, Set: 60 });
  await page.page.setViewportSize({ width: 3840, height: 2160 });
  await page.until(`${sizes}.Large === 44`);
  t.match(await page.value(sizes), { Set: 60, One: 44 });
  t.equal(
    await page.value(`(() => {
      const boxes = [...${element}.shadowRoot.querySelectorAll('.name')].map((each) => each.getBoundingClientRect());
      return boxes.some((a, at) => boxes.some((b, other) => other > at && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
    })()`),
    false,
  );
  for (const selector of ['.wall-name', '.wall-bar time'])
    t.ok(Number(await page.value(`parseFloat(getComputedStyle(${inside(selector)}).fontSize)`)) >= 43, selector);
  await page.value(`${element}.removeAttribute('display')`);
  await page.until(`${sizes}.Large === 13`);
});

test.all('the numbers of groups are as large as names, and groups stay apart', { skip }, async (t) => {
  const spots = Array.from({ length: 400 }, (_, at) =>
    spot('', 20 + (at % 20) * 40, 15 + Math.floor(at / 20) * 30, { radius: 4 }),
  );
  const { page } = await openWall(t, { map: project([artboard('Trees', spots)]), width: 3840, height: 2160 });
  const boxes = `[...${element}.shadowRoot.querySelectorAll('.group')].map((each) => each.getBoundingClientRect())`;
  await page.until(`${boxes}.length > 0 && ${boxes}.every(({ width }) => Math.abs(width - 122) < 4)`);
  t.equal(
    await page.value(`(() => {
      const boxes = ${boxes};
      return boxes.some((a, at) => boxes.some((b, other) => other > at && Math.hypot(a.x - b.x, a.y - b.y) < a.width));
    })()`),
    false,
  );
  t.equal(await page.value(`parseFloat(getComputedStyle(${inside('.group')}).fontSize) >= 43`), true);
});

t.test('artboards follow each other, and the address and the history stay', { skip }, async (t) => {
  const { page } = await openWall(t, { hasClock: true, attributes: '', search: '?display=1' });
  t.equal(await page.value(name), 'Downstairs');
  const before = await page.value('[history.length, location.href]');
  await pass(page, 18);
  t.equal(await page.value(shown), 'Downstairs');
  await passUntil(page, () => page.value(`${shown} === 'Upstairs'`), 1);
  t.equal(await page.value(name), 'Upstairs');
  t.equal(await page.value(`${inside('.canvas')}.getAttribute('aria-label')`), 'Map: Upstairs');
  t.equal(await page.value(`${inside('.live')}.textContent`), '', 'screen readers are not interrupted');
  await passUntil(page, () => page.value(`${shown} === 'Downstairs'`), 1);
  t.strictSame(await page.value('[history.length, location.href]'), before);
  t.ok(Number(await page.value('powers.animations')) > 0);
  await setVisible(page, false);
  await pass(page, 60);
  t.equal(await page.value(shown), 'Downstairs', 'not while the page is hidden');
});

test.all('artboards follow each other after the seconds of the attribute or the address, or never', { skip }, async (t) => {
  for (const [attributes, search, seconds] of [
    ['display display-seconds="7"', '', 7],
    ['display display-seconds="1"', '', 3],
    ['display display-seconds="x"', '', 20],
    ['display display-seconds="7"', '?display-seconds=40', 40],
    ['display display-seconds="0"', '', 0],
  ] as const) {
    const { page } = await openWall(t, { hasClock: true, attributes, search });
    await pass(page, seconds === 0 ? 600 : seconds - 2);
    t.equal(await page.value(shown), 'Downstairs', `${attributes} ${search}`);
    if (seconds > 0) await passUntil(page, () => page.value(`${shown} === 'Upstairs'`), 1);
    t.equal(await page.value(countOf('artboard')), seconds > 0 ? 2 : 1);
  }
  const { page } = await openWall(t, { hasClock: true, map: project([artboard('Untitled Artboard', [])]) });
  await pass(page, 600);
  t.equal(await page.value(countOf('artboard')), 1);
  t.equal(await page.value(name), '', 'one artboard without a name needs no number');
});

test.all('with reduced motion, artboards change without a fade', { skip }, async (t) => {
  const { page } = await openWall(t, { hasClock: true, options: { reducedMotion: 'reduce' } });
  await passUntil(page, () => page.value(`${shown} === 'Upstairs'`), 5);
  t.equal(await page.value('powers.animations'), 0);
});

t.test('a wall says the time and the state of the data in words, and announces another state once', { skip }, async (t) => {
  const { page, site } = await openWall(t, { hasClock: true, refresh: 60, attributes: 'display display-seconds="0"' });
  const clock = `${inside('.wall-bar time')}.textContent`;
  await page.until(`${state}.textContent === 'Data current, 09:27'`);
  t.equal(await page.value(clock), '09:27');
  await pass(page, 60);
  t.equal(await page.value(clock), '09:28');
  t.equal(await page.value(countOf('live')), 1, 'the same result');
  // The time of the last answer; until a slow answer is there, the data are "from" the one before.
  await passUntil(page, () => page.value(`/^Data current, 09:(?!27)/.test(${state}.textContent)`), 30);
  await sayLive(page, { state: 'stale', since: '2026-05-04T09:20:00Z' });
  t.equal(await page.value(`${state}.textContent`), 'Data from 09:20');
  t.equal(await page.value(`${state}.ariaLive`), 'polite', 'another state is announced');
  await sayLive(page, { state: 'stale', since: '2026-05-04T09:20:30Z' });
  t.equal(await page.value(`${state}.ariaLive`), 'off', 'and not again');
  const look = (): Promise<unknown> => page.value(`getComputedStyle(${state}, '::before').borderRadius`);
  t.equal(await look(), '0px', 'the sign has another form, not only another colour');
  await sayLive(page, { state: 'failed', since: '2026-05-03T09:20:00Z' });
  t.match(await page.value(`${state}.textContent`), /^Data from 3 May.* 09:20$/);
  await sayLive(page, { state: 'fresh' });
  t.match(await page.value(`${state}.textContent`), /^Data current, 09:/);
  const announced =
    '[aria-live="polite"], [aria-live="assertive"], [role="status"], [role="alert"], [role="log"], [role="timer"]';
  t.equal(await page.value(`${inside('.wall-bar time')}.closest('${announced}')`), null, 'the time is not announced');
  await sayLive(page, { state: 'stale', since: '2026-05-04T09:20:00Z' });
  await page.value(`${element}.setAttribute('lang', 'de')`);
  await page.until(`${state}?.textContent === 'Daten von 09:20'`);
  site.publish('demo', building().document, 2, 0);
  await passUntil(page, () => page.value(`${countOf('ready')} === 2`));
  t.equal(await page.value(`${state}.hidden`), true, 'a map that is not live any more has no state');
});

t.test('a touch asks for the full screen, and the screen stays awake after the page was hidden', { skip }, async (t) => {
  const { page } = await openWall(t);
  await page.until('powers.awake === 1');
  t.equal(await page.value('powers.full'), 0);
  await page.page.mouse.click(400, 300);
  t.strictSame(await page.value('[powers.full, powers.target]'), [1, 'mapwright-map']);
  await setVisible(page, false);
  await page.value('lastLock.released = true');
  await setVisible(page, true);
  await page.until('powers.awake === 2');
  await setVisible(page, true);
  t.equal(await page.value('powers.awake'), 2, 'not while it is awake');
  await page.value(`${element}.remove()`);
  await page.until('lastLock.released');
  await setVisible(page, true);
  t.equal(await page.value('powers.awake'), 2);
  t.strictSame(page.complaints, []);
});

test.all('a browser without wake locks, and one that refuses them, shows the map', { skip }, async (t) => {
  for (const value of ['undefined', "{ request: () => Promise.reject(new DOMException('no', 'NotAllowedError')) }"]) {
    const site = await Site.open(t, { tiles: 'none' });
    const page = await Page.open(t, site.pageWith(building().document, 'display'), {
      prepare: async (page) => {
        await recordEvents(page);
        await page.addInitScript({
          content: `Object.defineProperty(navigator, 'wakeLock', { value: ${value}, configurable: true });`,
        });
      },
    });
    await page.until(`${bar} !== null && ${name} === 'Downstairs'`);
    t.strictSame(page.complaints, []);
  }
});

t.test('a new publication is shown without a touch, and with the artboard that was shown', { skip }, async (t) => {
  const { page, site, map } = await openWall(t, {
    hasClock: true,
    attributes: 'display display-seconds="0" artboard="Upstairs"',
  });
  site.publish('demo', { ...map, name: 'Second' }, 2);
  await pass(page, 50);
  t.equal(site.countOf(mapFile), 1);
  await passUntil(page, () => page.value(`${countOf('ready')} === 2`));
  t.equal(await page.value(`${element}.map.name`), 'Second');
  t.equal(await page.value(name), 'Upstairs');
});

t.test('a night without network ends by itself', { skip }, async (t) => {
  const { document: map, ids } = building();
  const evening = { version: 1, at: 'evening', objects: { [ids.kitchen]: { color: '#ff0000' } } };
  const { page, site } = await openWall(t, { map, hasClock: true, refresh: 60, live: evening });
  await page.until(`${countOf('live')} === 1`);
  const answers = [mapFile, liveFile].map((path) => [path, site.find(path, { headers: {} } as never)] as const);
  for (const [path] of answers) site.set(path, { status: 502 });
  for (let hour = 0; hour < 8; hour++) await page.page.clock.fastForward(3_600_000);
  t.equal(await page.value(`${inside('.message')}.checkVisibility()`), false, 'the map is all that is shown');
  t.ok(['Downstairs', 'Upstairs'].includes(String(await page.value(shown))));
  for (const [path, answer] of answers) site.set(path, answer);
  site.setLive('demo', { ...evening, at: 'morning' });
  await passUntil(page, () => page.value(`${countOf('live')} === 2`), 20);
  site.publish('demo', { ...map, name: 'Second' }, 2);
  await passUntil(page, () => page.value(`${element}.map.name === 'Second'`));
});

test.all('a picture that does not load is asked for again, with growing pauses', { skip }, async (t) => {
  const picture = artboard('Plan', [], { type: 'image', image_url: '/plan.png' });
  const { page, site } = await openWall(t, { hasClock: true, map: project([picture]) });
  const images = "events.filter(([name, { problem }]) => name === 'problem' && problem === 'image').length";
  await page.until(`${images} === 1`);
  await pass(page, 50);
  t.equal(await page.value(countOf('ready')), 1);
  await pass(page, 15);
  await page.until(`${images} === 2`);
  await pass(page, 100);
  t.equal(await page.value(countOf('ready')), 2, 'the second pause is longer');
  site.set('/plan.png', red);
  await pass(page, 30);
  await page.until(isRed);
  await pass(page, 700);
  t.equal(await page.value(countOf('ready')), 3, 'a picture that has loaded is not drawn again');
});

test.all('artboards keep their pictures without network, also those that browsers may not store', { skip }, async (t) => {
  const map = project(
    ['one', 'two'].map((each) => artboard(each, [], { type: 'image', image_url: `/red.png?${each}`, name: each })),
  );
  const { page, site } = await openWall(t, { hasClock: true, map, attributes: 'display display-seconds="5"' });
  for (const each of ['two', 'one']) await passUntil(page, () => page.value(`${shown} === '${each}'`), 1);
  await page.until(isRed);
  const asked = site.countOf('/red.png');
  site.set('/red.png', { status: 502 });
  for (const each of ['two', 'one', 'two']) {
    await passUntil(page, () => page.value(`${shown} === '${each}'`), 1);
    await page.until(isRed);
  }
  t.equal(site.countOf('/red.png'), asked);
  t.equal(await page.value(countOf('problem')), 0);
});

t.test('without the attribute, the map has its controls again', { skip }, async (t) => {
  const { document: map } = building();
  const { page } = await openWall(t, { map: { ...map, ...withLegend } });
  await page.value(`${element}.removeAttribute('display')`);
  await page.until(`${inside('.places')} !== null`);
  t.equal(await page.value(`${bar}`), null);
  for (const selector of ['.controls button', '.artboards', '.legend'])
    t.equal(await page.value(`${inside(selector)}.checkVisibility()`), true, selector);
  t.equal(await page.value(`${inside('.view')}.contains(${inside('.legend')})`), true);
  t.strictSame(await page.value(`['role', 'tabindex', 'aria-label'].map((each) => ${inside('.canvas')}.getAttribute(each))`), [
    'application',
    '0',
    'Map: Downstairs. Arrow keys move the map, plus and minus zoom.',
  ]);
  await page.value(`${element}.setAttribute('display', 'dark')`);
  await page.until(`${bar} !== null`);
  t.equal(await page.value(`getComputedStyle(${inside('.frame')}).colorScheme`), 'dark');
  await page.value(`{ const map = ${element}; map.remove(); document.querySelector('main').append(map); }`);
  await page.until(`${element}.shadowRoot.querySelectorAll('.wall-bar').length === 1 && ${name} === 'Downstairs'`);
  t.strictSame(page.complaints, []);
});

test.all('an hour on a wall leaves nothing in memory', { skip }, async (t) => {
  const { document: map, ids } = building();
  const site = await Site.open(t, { tiles: 'none' });
  const live = (round: number) => ({
    ...{ version: 1, at: `round ${round}`, objects: { [ids.kitchen]: { color: round % 2 === 0 ? '#ff0000' : '#00aa00' } } },
    created: [
      {
        artboard_id: 'artboard-Downstairs',
        object: { id: `live-${round % 7}`, type: 'spot', name: 'Guest', x: 60 * (round % 9), y: 500, radius: 10 },
        popup: null,
      },
    ],
  });
  site.setLive('demo', live(0));
  // No record of events, which would keep all results.
  const page = await Page.open(t, site.pageWith(map, 'display display-seconds="5" labels="auto"', 'demo', 10), {
    prepare: async (page) => {
      await page.addInitScript({ content: "globalThis.results = 0; addEventListener('mapwright-live', () => results++);" });
      await page.clock.install();
    },
  });
  await page.until(`${bar} !== null && results > 0`);
  const session = await page.page.context().newCDPSession(page.page);
  await session.send('Performance.enable');
  const kept = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    const of = (name: string): number => metrics.find((each) => each.name === name)?.value ?? Number.NaN;
    return { listeners: of('JSEventListeners'), nodes: of('Nodes'), heap: of('JSHeapUsedSize') };
  };
  let round = 0;
  /** Each round takes ten seconds of the page: two artboards and one result. */
  const spend = async (minutes: number): Promise<void> => {
    for (const end = round + 6 * minutes; round < end; ) {
      site.setLive('demo', live(++round));
      const before = Number(await page.value('results'));
      await pass(page, 5);
      await passUntil(page, () => page.value(`results > ${before}`), 5);
    }
  };
  await spend(5);
  const before = await kept();
  await spend(60);
  const after = await kept();
  t.ok(Number(await page.value('results')) > 360);
  t.comment(JSON.stringify({ before, after }));
  t.ok(after.listeners - before.listeners < 20, `${before.listeners}, then ${after.listeners} listeners`);
  t.ok(after.nodes - before.nodes < 60, `${before.nodes}, then ${after.nodes} nodes`);
  t.ok(after.heap - before.heap < 2_000_000, `${before.heap}, then ${after.heap} bytes`);
  t.equal(await page.value('history.length <= 2'), true);
});
