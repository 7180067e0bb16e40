// tier: normal
/** Live data that are old: how the map says so, until they are fresh. */
import t, { type Test } from 'tap';
import { DataAge, type KnownData } from '../../src/web/viewer/element/loading/data-age.ts';
import { type Looks, type Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import fc from '../support/fast-check.ts';
import { test } from '../support/test.ts';
import { countAnswers, element, inside, isColour, open, recordEvents } from './element-page.ts';
import { building } from './samples.ts';
import { Site } from './site.ts';

t.setTimeout(300_000);

const liveFile = '/p/demo/live.json';
const [red, blue] = ['255,0,0', '37,99,235'];
/** The clock of the page at first. */
const start = new Date(2026, 0, 1, 9, 30);
/** RFC 3339 time, in minutes from then. */
const minute = (minutes: number): string => new Date(start.getTime() + minutes * 60_000).toISOString();
const fresh = { version: 1, at: minute(0), sources: 'fresh' };

interface Scene {
  readonly page: Page;
  readonly site: Site;
  readonly kitchen: string;
}

interface SceneOptions extends Looks {
  readonly attributes?: string;
  readonly live?: object;
  readonly settings?: object;
}

/** A map with a refresh of a minute, whose time passes only with `pass`. */
async function openScene(t: Test, options: SceneOptions = {}): Promise<Scene> {
  const { attributes = '', live = fresh, settings = {}, ...looks } = options;
  const { document, ids } = building();
  const site = await Site.open(t, { tiles: 'none' });
  site.setLive('demo', live);
  const page = await open(t, site.pageWith({ ...document, settings }, attributes, 'demo', 60), {
    ...looks,
    prepare: async (page) => {
      await recordEvents(page);
      await countAnswers(page);
      await page.clock.install({ time: start });
    },
  });
  await page.until("events.some(([name]) => name === 'live' || name === 'problem')");
  return { page, site, kitchen: ids.kitchen };
}

const pass = (page: Page, minutes: number): Promise<void> => page.page.clock.runFor(minutes * 60_000);

/** Lets time pass at once: a request that begins then does not time out. */
const jump = (page: Page, minutes: number): Promise<void> => page.page.clock.fastForward(minutes * 60_000);

/** Lets a refresh pass, and waits for its answer. */
async function refresh({ page }: Scene): Promise<void> {
  const [begun, answers] = [await page.value('begun'), await page.value('answers')];
  await pass(page, 1.05);
  // Once it has begun, no time of the page passes: the request would reach its time limit.
  while ((await page.value('begun')) === begun) await pass(page, 0.1);
  await page.until(`answers > ${answers}`);
}

const said = inside('.data');
const says = (text: string): string => `${said}.textContent === ${JSON.stringify(text)}`;
const states =
  "events.filter(([name]) => name === 'live').map(([, { state, since }]) => [state, since ?? null].join(' ').trim())";

t.test('data that are not fresh are said after two refreshes, with their time, until they are fresh', { skip }, async (t) => {
  const scene = await openScene(t);
  const { page, site } = scene;
  t.strictSame(await page.value('events.at(-1)'), ['live', { at: minute(0), state: 'fresh', since: undefined }]);
  t.equal(await page.value(`${said}.getAttribute('role')`), 'status');
  site.setLive('demo', { ...fresh, sources: 'stale', since: minute(0) });
  await refresh(scene);
  t.strictSame(await page.value('events.at(-1)'), ['live', { at: minute(0), state: 'stale', since: minute(0) }]);
  t.equal(await page.value(says('')), true, 'one refresh is missed');
  await refresh(scene);
  await page.until(says('Data from 09:30'));
  t.not(await page.value(`${said}.querySelector('svg')`), null);
  await jump(page, 24 * 60);
  await page.until(says('Data from 1 Jan 2026, 09:30'));
  site.setLive('demo', fresh);
  await refresh(scene);
  await page.until(says(''));
  t.strictSame(await page.value(states), ['fresh', `stale ${minute(0)}`, 'fresh']);
  t.strictSame(page.complaints, []);
});

test.all('old data are said as soon as a page opens, with their date, in the language of the visitor', { skip }, async (t) => {
  const live = { ...fresh, sources: 'stale', since: minute(-24 * 60 - 3) };
  const { page } = await openScene(t, { live });
  await page.until(says('Data from 31 Dec 2025, 09:27'));
  const german = await openScene(t, { live, attributes: 'lang="de"' });
  await german.page.until(says('Daten von 31. Dez. 2025, 09:27'));
  await german.page.value(`${element}.lang = 'en-GB'`);
  await german.page.until(says('Data from 31 Dec 2025, 09:27'));
  const unknown = await openScene(t, { live: { ...live, since: minute(-3) }, attributes: 'lang="not a language"' });
  await unknown.page.until(says('Data from 09:27'));
});

test.all('sources without any answer are no data', { skip }, async (t) => {
  const scene = await openScene(t, { live: { ...fresh, sources: 'failed' } });
  const { page } = scene;
  t.strictSame(await page.value(states), ['failed']);
  await refresh(scene);
  t.equal(await page.value(says('')), true);
  await refresh(scene);
  await page.until(says('No data'));
});

test.all('an answer of a server or a host that says nothing of its sources is fresh', { skip }, async (t) => {
  const scene = await openScene(t, { live: { version: 1, at: minute(0) } });
  for (let i = 0; i < 3; i++) await refresh(scene);
  t.strictSame(await scene.page.value(states), ['fresh']);
  t.equal(await scene.page.value(says('')), true);
});

t.test('a lost network is said while it is lost, then with the time of the last fresh answer', { skip }, async (t) => {
  const scene = await openScene(t);
  const { page, site } = scene;
  for (let i = 0; i < 5; i++) await refresh(scene);
  const at = await page.value('Date.now()');
  const time = new Date(Number(at)).toTimeString().slice(0, 5);
  t.not(time, '09:30');
  site.set(liveFile, { status: 503 });
  await refresh(scene);
  const lost = 'The live data could not be loaded.';
  await page.until(says(lost));
  t.equal(await page.value(`${inside('.message')}.hidden`), true, 'in one place');
  const [, last] = (await page.value(states)) as string[];
  t.match(last, /^stale 2026-01-01T/);
  t.ok(Number(at) - Date.parse(String(last).slice(6)) < 60_000, 'a 304 is an answer, too');
  await pass(page, 1);
  await page.until(says(`${lost} Data from ${time}`));
  await pass(page, 30);
  await page.until(says(`${lost} Data from ${time}`));
  t.equal(((await page.value(states)) as string[]).length, 2, 'it is the same state');
  site.setLive('demo', fresh);
  await jump(page, 12);
  await page.until(says(''));
  t.match(await page.value(states), ['fresh', /^stale/, 'fresh'], 'although the result is the same');
});

test.all('a browser that is online again asks at once', { skip }, async (t) => {
  const scene = await openScene(t);
  const { page, site } = scene;
  site.set(liveFile, { status: 503 });
  for (let i = 0; i < 3; i++) await refresh(scene);
  site.setLive('demo', fresh);
  const before = site.countOf(liveFile);
  await page.value("dispatchEvent(new Event('online'))");
  await page.until(says(''));
  t.equal(site.countOf(liveFile), before + 1);
});

test.all('without any answer there are no data', { skip }, async (t) => {
  const { document } = building();
  const site = await Site.open(t, { tiles: 'none' });
  const page = await open(t, site.pageWith(document, '', 'demo', 60), {
    prepare: async (page) => {
      await recordEvents(page);
      await page.clock.install({ time: start });
    },
  });
  await page.until(says('The live data could not be loaded.'));
  t.strictSame(await page.value(states), ['failed']);
  await pass(page, 2);
  await page.until(says('The live data could not be loaded. No data'));
});

test.all('screen readers hear it once, and not again with each refresh or another time', { skip }, async (t) => {
  const scene = await openScene(t, { live: { ...fresh, sources: 'stale', since: minute(-10) } });
  const { page, site } = scene;
  await page.until(says('Data from 09:20'));
  t.equal(await page.value(`${said}.ariaLive`), 'polite');
  await page.value(
    `globalThis.changes = 0; new MutationObserver(() => changes++).observe(${said}, { childList: true, subtree: true })`,
  );
  for (let i = 0; i < 3; i++) await refresh(scene);
  t.equal(await page.value('changes'), 0);
  site.setLive('demo', { ...fresh, sources: 'stale', since: minute(-9) });
  await refresh(scene);
  await page.until(says('Data from 09:21'));
  t.equal(await page.value(`${said}.ariaLive`), 'off');
  site.setLive('demo', { ...fresh, sources: 'failed' });
  for (let i = 0; i < 3; i++) await refresh(scene);
  await page.until(says('No data'));
  t.equal(await page.value(`${said}.ariaLive`), 'polite', 'something else is said');
});

/** Sets what the page says of its visibility. */
const setVisible = (page: Page, isVisible: boolean): Promise<unknown> =>
  page.value(`{
    Object.defineProperty(document, 'visibilityState', { value: '${isVisible ? 'visible' : 'hidden'}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }`);

test.all('a page that was hidden says nothing before its next answer, and then what is true', { skip }, async (t) => {
  const scene = await openScene(t);
  const { page, site } = scene;
  await page.value(
    `globalThis.changes = 0; new MutationObserver(() => changes++).observe(${said}, { childList: true, subtree: true })`,
  );
  await setVisible(page, false);
  await pass(page, 60);
  await setVisible(page, true);
  await page.until('answers === 2');
  await pass(page, 0.5);
  t.equal(await page.value('changes'), 0);
  await setVisible(page, false);
  await pass(page, 60);
  site.set(liveFile, { status: 503 });
  await setVisible(page, true);
  await page.until(says('The live data could not be loaded. Data from 10:30'));
});

t.test('data do not become younger when another source fails altogether, or comes back in part', { skip }, async (t) => {
  const scene = await openScene(t);
  const { page, site } = scene;
  site.setLive('demo', { ...fresh, sources: 'stale', since: minute(0) });
  for (let i = 0; i < 3; i++) await refresh(scene);
  await page.until(says('Data from 09:30'));
  site.setLive('demo', { ...fresh, at: minute(4), sources: 'failed' });
  await refresh(scene);
  await page.until(says('No data'));
  site.setLive('demo', { ...fresh, at: minute(5), sources: 'stale', since: minute(0) });
  await refresh(scene);
  await page.until(says('Data from 09:30'));
});

test.all('without an answer in time, a page that was hidden says that its data are old', { skip }, async (t) => {
  const { page } = await openScene(t);
  await page.page.route('**/live.json', () => undefined);
  await setVisible(page, false);
  await pass(page, 60);
  await setVisible(page, true);
  await pass(page, 0.05);
  t.equal(await page.value(says('')), true);
  await pass(page, 0.1);
  await page.until(says('Data from 09:30'));
});

test.all('the clock of a visitor may be wrong', { skip }, async (t) => {
  const scene = await openScene(t, { live: { ...fresh, sources: 'stale', since: minute(60) } });
  const { page } = scene;
  t.equal(await page.value(says('')), true);
  for (let i = 0; i < 2; i++) await refresh(scene);
  await page.until(says('Data from 10:30'));
});

t.test(
  'a map shows no data that are older than its maker allows, and shows them again when they are fresh',
  { skip },
  async (t) => {
    const settings = { public_map: { stale_minutes: 5 } };
    const scene = await openScene(t, { settings });
    const { page, site, kitchen } = scene;
    const objects = { [kitchen]: { color: '#ff0000' } };
    const stale = { ...fresh, sources: 'stale', since: minute(0), objects };
    site.setLive('demo', stale);
    for (let i = 0; i < 3; i++) await refresh(scene);
    await page.until(says('Data from 09:30'));
    await page.until(await isColour(page, 500, 200, red));
    await jump(page, 2.5);
    await page.until(says('No data since 09:30'));
    await page.until(await isColour(page, 500, 200, blue));
    site.setLive('demo', { ...stale, at: minute(6) });
    await refresh(scene);
    await page.until("events.at(-1)[0] === 'live'");
    t.equal(await page.value(await isColour(page, 500, 200, blue)), true, 'another old result is not shown');
    site.setLive('demo', { ...stale, sources: 'fresh' });
    await refresh(scene);
    await page.until(await isColour(page, 500, 200, red));
    await page.until(says(''));
    site.set(liveFile, { status: 503 });
    await pass(page, 6.5);
    await page.until(await isColour(page, 500, 200, blue));
    site.setLive('demo', { ...stale, sources: 'fresh' });
    await page.value("dispatchEvent(new Event('online'))");
    await page.until(await isColour(page, 500, 200, red));
    const other = await openScene(t, { settings, live: { ...stale, since: minute(-6) } });
    await other.page.until(says('No data since 09:24'));
    t.equal(await other.page.value(await isColour(other.page, 500, 200, blue)), true, 'also at first');
  },
);

test.all('a map that is not live any more says nothing of its data', { skip }, async (t) => {
  const { page, site } = await openScene(t, { live: { ...fresh, sources: 'stale', since: minute(-10) } });
  await page.until(says('Data from 09:20'));
  await page.value(`${element}.setAttribute('live', 'off')`);
  await page.until(says(''));
  t.strictSame(await page.value(states), [`stale ${minute(-10)}`]);
  await page.value(`${element}.removeAttribute('live')`);
  await page.until(says('Data from 09:20'));
  site.publish('demo', building().document, 1, 0);
  await page.value(`${element}.refresh()`);
  await page.until(says(''));
  await page.value(`${element}.remove()`);
});

test.all('the words are in a corner without controls, on phones and in dark pages, too', { skip }, async (t) => {
  const settings = { legend: [{ color: '#ff0000', name: 'Taken' }] };
  for (const looks of [
    { width: 390, height: 700, dark: true },
    { width: 1400, height: 800 },
  ]) {
    const { page, site } = await openScene(t, {
      ...looks,
      settings,
      live: { ...fresh, sources: 'stale', since: minute(-24 * 60) },
    });
    site.set(liveFile, { status: 503 });
    await pass(page, 2);
    await page.until(says('The live data could not be loaded. Data from 31 Dec 2025, 09:30'));
    const boxes = (await page.value(`['.data', '.controls', '.legend', '.artboards'].map((each) => {
      const { left, top, right, bottom } = ${element}.shadowRoot.querySelector(each).getBoundingClientRect();
      return [left, top, right, bottom];
    })`)) as [number, number, number, number][];
    const [[left, top, right, bottom] = [0, 0, 0, 0], ...others] = boxes;
    t.ok(left >= 0 && right <= looks.width && bottom <= looks.height && bottom > looks.height - 60, 'in the lower corner');
    for (const [otherLeft, otherTop, otherRight, otherBottom] of others)
      t.ok(right <= otherLeft || left >= otherRight || bottom <= otherTop || top >= otherBottom, `${boxes.join(' | ')}`);
  }
});

// The age itself, without a page.

interface Event {
  readonly kind: 'pass' | 'answer' | 'same' | 'lost';
  /** Minutes that pass; between `since` and an answer. */
  readonly minutes: number;
  readonly state: KnownData['state'];
}

const eventArbitrary: fc.Arbitrary<Event> = fc.record({
  kind: fc.constantFrom('pass', 'answer', 'same', 'lost'),
  minutes: fc.integer({ min: -2, max: 5 }),
  state: fc.constantFrom('fresh', 'stale', 'failed'),
});

/** Plays events at a refresh of a minute. Calls `judge` after each with the state of the last answer and the minutes since the newest one. */
function play(
  events: readonly Event[],
  judge: (known: KnownData, last: KnownData['state'] | undefined, minutesAgo: number, isLost: boolean) => void,
): void {
  let now = 0;
  const { now: real } = Date;
  Date.now = () => now * 60_000;
  const age = new DataAge({ onChange: () => undefined, isVisible: () => true });
  age.overMs = 4 * 60_000;
  try {
    age.follow(60);
    let [last, answeredAt, isLost]: [KnownData['state'] | undefined, number, boolean] = [undefined, 0, false];
    for (const { kind, minutes, state } of events) {
      if (kind === 'pass') now += minutes;
      else if (kind === 'lost') age.lost();
      else if (kind === 'same') age.answered();
      else age.answered({ state, since: state === 'stale' ? (now - minutes) * 60_000 : undefined });
      if (kind === 'answer') last = state;
      if (kind === 'lost') isLost = true;
      if (kind === 'same' || kind === 'answer') [isLost, answeredAt] = [false, now];
      answeredAt = Math.min(answeredAt, now);
      judge(age.known, last, now - answeredAt, isLost);
    }
  } finally {
    age.follow(undefined);
    Date.now = real;
  }
}

t.test('nothing is fresh but a fresh answer of the last two refreshes, and every such answer is', (t) => {
  fc.assert(
    fc.property(fc.array(eventArbitrary, { maxLength: 40 }), (events) => {
      play(events, ({ state, since, isOld, isOver, ...known }, last, minutesAgo, isLost) => {
        const isFresh = last === 'fresh' && !isLost && minutesAgo < 2;
        if (last !== undefined && (state === 'fresh') !== isFresh)
          throw new Error(`${state}, ${minutesAgo} minutes after an answer`);
        if (isFresh && (isOld || isOver)) throw new Error('a fresh answer is old');
        if (known.isLost !== isLost) throw new Error('the newest request did not decide');
        if (last === 'fresh' && minutesAgo >= 2 && !isOld) throw new Error('old data look young');
        if (isOver && !isOld) throw new Error('the data are gone before they are old');
        if ((state === 'stale') !== (since !== undefined)) throw new Error(`${state} since ${since}`);
      });
    }),
  );
  t.pass('in all orders');
  t.end();
});
