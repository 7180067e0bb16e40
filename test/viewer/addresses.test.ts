// tier: normal
/** What a visitor sees, in the address: on the page of a map, and on a page that embeds it. */
import t from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { test } from '../support/test.ts';
import { element, inside, open, pressed } from './element-page.ts';
import { artboard, popupAt, project, spot } from './samples.ts';
import { Site } from './site.ts';
import { centre, city } from './visitor-maps.ts';

t.setTimeout(300_000);

const detailsAre = (title: string): string => `${inside('.details h2')}?.textContent === ${JSON.stringify(title)}`;
const listIs = `${inside('.details')}.hidden`;
const hashIs = (hash: string): string => `location.hash === ${JSON.stringify(hash)}`;
const rows = `[...${element}.shadowRoot.querySelectorAll('.rows > ul > li > button')].map((row) => row.firstChild.textContent)`;
const boxOf = (category: string): string =>
  `[...${element}.shadowRoot.querySelectorAll('.categories li')].find((row) => row.querySelector('.term').textContent === '${category}').querySelector('input')`;
const query = `${inside('.places > input')}.value`;

t.test('artboard, place, categories, filters and search are in the address, and are read from it', { skip }, async (t) => {
  const site = await Site.open(t);
  const address = site.pageWith(centre());
  const page = await open(t, address, { width: 1400, height: 900 });
  await page.value(`${boxOf('Fashion')}.click()`);
  await page.until(hashIs('#off=Technical,Fashion'));
  await page.value(`${element}.show('Upper')`);
  await page.until(hashIs('#artboard=Upper&off=Technical,Fashion'));
  await page.value(`${inside('.filters')}.open = true, ${inside('.filters input[type=checkbox]')}.click()`);
  await page.until(hashIs('#artboard=Upper&off=Technical,Fashion&f.open=true'));
  await page.page.locator('mapwright-map .places > input').fill('shop 2');
  await page.until(hashIs('#artboard=Upper&off=Technical,Fashion&q=shop%202&f.open=true'));
  t.strictSame(await page.value(rows), ['Upper shop 2', 'Ground shop 2']);

  const again = await open(t, page.page.url(), { width: 1400, height: 900 });
  t.equal(await again.value(`${pressed}.textContent`), 'Upper');
  t.equal(await again.value(`${boxOf('Fashion')}.checked`), false);
  t.equal(await again.value(query), 'shop 2');
  t.strictSame(await again.value(rows), ['Upper shop 2', 'Ground shop 2']);
  t.equal(await again.value('location.href'), page.page.url(), 'a page that is opened keeps its address');

  const place = await open(t, `${address}#place=Upper%20shop%201&f.area=40..60`, { width: 1400, height: 900 });
  await place.until(detailsAre('Upper shop 1'));
  t.equal(await place.value(`${pressed}.textContent`), 'Upper');
  t.equal(await place.value(`${inside('.filters summary')}.textContent`), 'Filters (1)');
  t.strictSame([...page.complaints, ...again.complaints, ...place.complaints], []);
});

t.test('Back and Forward go through artboards and places, and not through what was typed', { skip }, async (t) => {
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(centre()), { width: 1400, height: 900 });
  const entries = (await page.value('history.length')) as number;
  await page.page.locator('mapwright-map .places > input').fill('toilet');
  await page.until(hashIs('#q=toilet'));
  t.equal(await page.value('history.length'), entries);
  await page.value(`${element}.open('Upper toilet')`);
  await page.until(`!${listIs} || true`);
  await page.value(`${element}.show('Ground')`);
  await page.until(hashIs('#q=toilet'));
  await page.value(`${element}.open('Ground shop 1')`);
  await page.until(hashIs('#place=Ground%20shop%201&q=toilet'));
  await page.page.goBack();
  await page.until(listIs);
  t.equal(await page.value(`${pressed}.textContent`), 'Ground');
  await page.page.goBack();
  await page.until(`${pressed}.textContent === 'Upper'`);
  await page.page.goForward();
  await page.until(`${pressed}.textContent === 'Ground'`);
  await page.page.goForward();
  await page.until(detailsAre('Ground shop 1'));
  t.equal(await page.value(hashIs('#place=Ground%20shop%201&q=toilet')), true, 'following an address writes none');
  t.strictSame(page.complaints, []);
});

t.test('a place without details has its address, too', { skip }, async (t) => {
  const site = await Site.open(t);
  const places = ['Fountain', 'Statue'].map((name, at) => spot(name, 200 + 200 * at, 300, { category: 'Sights' }));
  const shown = project([artboard('Park', places)], [popupAt(places[1] ?? {})]);
  const address = site.pageWith({ ...shown, settings: { public_map: { categories: [{ name: 'Sights' }] } } });
  const page = await open(t, address, { width: 1400, height: 900 });
  const choose = (name: string) => page.page.locator('mapwright-map .rows li button', { hasText: name }).click();
  const current = `${inside('.rows [aria-current=true]')}?.textContent`;
  const entries = (await page.value('history.length')) as number;
  await choose('Statue');
  await page.until(hashIs('#place=Statue'));
  await page.value(`${inside('.back')}.click()`);
  await page.until(hashIs(''));
  await choose('Fountain');
  await page.until(hashIs('#place=Fountain'));
  t.equal(await page.value('history.length'), entries + 3, 'one step for each');
  t.equal(await page.value(current), 'Fountain');
  t.equal(await page.value(listIs), true);
  await page.page.goBack();
  await page.until(`${current} === undefined`);
  const again = await open(t, `${address}#place=Fountain`, { width: 1400, height: 900 });
  await again.until(`${current} === 'Fountain'`);
  await again.page.keyboard.press('Escape');
  await again.value(`${inside('.canvas')}.focus()`);
  await again.page.keyboard.press('Escape');
  await again.until(`${current} === undefined`);
  t.strictSame([...page.complaints, ...again.complaints], []);
});

t.test('with permalink, the first map of a page has its address, and other parameters stay', { skip }, async (t) => {
  const site = await Site.open(t);
  site.publish('demo', centre());
  const maps = '<mapwright-map src="/p/demo" permalink></mapwright-map>'.repeat(2);
  site.setPage('/', `<mapwright-map src="/p/demo"></mapwright-map>${maps}`);
  const page = await open(t, `${site.url}/#tab=2&place=Upper+shop`, { width: 1400, height: 900 });
  await page.until("events.filter(([name]) => name === 'ready').length === 3");
  const map = (at: number): string => `document.querySelectorAll('mapwright-map')[${at}]`;
  await page.value(`${map(0)}.open('Upper shop 1'), ${map(2)}.open('Upper shop 2')`);
  t.equal(await page.value('location.hash'), '#tab=2&place=Upper+shop', 'not that of others');
  await page.value(`${map(1)}.open('Upper shop 3')`);
  await page.until(hashIs('#tab=2&artboard=Upper&place=Upper%20shop%203'));
  t.strictSame(page.complaints, []);
});

test.all('a place whose name is not unique has its identifier in the address', { skip }, async (t) => {
  const map = city(20);
  for (const object of ((map['artboards'] as { objects: { name: string }[] }[])[0]?.objects ?? []).slice(0, 2))
    object.name = 'Twin';
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(map), { width: 1400, height: 900 });
  await page.value(`${element}.open('place-2')`);
  await page.until(hashIs('#place=place-2'));
});

test.all('a fragment of 100 kB is ignored, and left alone', { skip }, async (t) => {
  const site = await Site.open(t);
  const long = `#place=Upper%20shop%201&q=${'a'.repeat(100_000)}`;
  const page = await open(t, site.pageWith(centre()) + long, { width: 1400, height: 900 });
  t.equal(await page.value(`${pressed}.textContent`), 'Ground');
  t.equal(await page.value(listIs), true);
  t.equal(await page.value(query), '');
  await page.value(`${element}.open('Upper shop 1')`);
  await page.until(detailsAre('Upper shop 1'));
  t.equal(await page.value(`location.hash.length`), long.length);
  t.strictSame(page.complaints, []);
});
