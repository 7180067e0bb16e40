// tier: normal
/** Documents of any origin in the panel: many categories, strange names, markup, values that do not fit, and maps that change. */
import t from 'tap';
import { violations } from '../support/axe.ts';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { test } from '../support/test.ts';
import { sampled } from '../support/tier.ts';
import { element, inside, open } from './element-page.ts';
import { artboard, project, spot } from './samples.ts';
import { Site } from './site.ts';
import { centre, city } from './visitor-maps.ts';

t.setTimeout(300_000);

const wide = { width: 1400, height: 900 };
const categories = `[...${element}.shadowRoot.querySelectorAll('.categories li')].map((row) => row.querySelector('.term').textContent)`;
const rows = `[...${element}.shadowRoot.querySelectorAll('.rows > ul > li > button')].map((row) => row.firstChild.textContent)`;
const detailsAre = (title: string): string => `${inside('.details h2')}?.textContent === ${JSON.stringify(title)}`;

const withSettings = (objects: readonly Record<string, unknown>[], public_map: unknown) => ({
  ...project([artboard('Floor', objects)]),
  settings: { public_map },
});

test.all('ten thousand categories leave the panel usable', { skip }, async (t) => {
  const names = Array.from({ length: 10_000 }, (_, n) => `Category ${n}`);
  const objects = names.map((name, n) => spot(`Place ${n}`, 10 + (n % 700), 10 + (n % 500), { id: `p${n}`, category: name }));
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(withSettings(objects, { categories: names.map((name) => ({ name })) })), wide);
  t.equal(((await page.value(categories)) as string[]).length, 200);
  t.equal(await page.value(`${inside('.categories .more')}.textContent`), '200 of 10000 are shown.');
  await page.page.locator('mapwright-map .narrow').fill('category 9999');
  t.strictSame(await page.value(categories), ['Category 9999']);
  await page.value(`${inside('.categories .only')}.click()`);
  t.strictSame(await page.value(rows), ['Place 9999']);
  t.equal(await page.value(`location.hash.includes('off')`), false, 'too long for an address');
  t.strictSame(page.complaints, []);
});

t.test('names such as __proto__ are ordinary categories, fields and values', { skip }, async (t) => {
  const properties = JSON.parse('{ "__proto__": "constructor", "constructor": 5, "toString": true }');
  const objects = [
    spot('One', 100, 100, { id: 'one', category: '__proto__', properties }),
    spot('Two', 300, 100, { id: 'two', category: 'constructor', properties: {} }),
  ];
  const fields = ['__proto__', 'constructor', 'toString', 'valueOf'].map((name) => ({
    ...{ name, label: `Field ${name}`, kind: 'choice', show: ['popup', 'filter', 'list', 'search'] },
  }));
  const site = await Site.open(t);
  const map = withSettings(objects, { categories: [{ name: '__proto__', label: 'Proto' }], fields });
  const page = await open(t, site.pageWith(map), wide);
  t.strictSame(await page.value(categories), ['Proto', 'constructor']);
  await page.value(`${inside('.filters')}.open = true`);
  t.strictSame(
    await page.value(`[...${element}.shadowRoot.querySelectorAll('.filters .term')].map(({ textContent }) => textContent)`),
    ['constructor', '5', 'true'],
  );
  await page.value(`${inside('.filters input')}.click()`);
  t.strictSame(await page.value(rows), ['One']);
  await page.until("location.hash === '#f.__proto__=constructor'");
  await page.value(`${element}.open('two')`);
  t.strictSame(await page.value(rows), ['One', 'Two'], 'shown, since something leads to it');
  await page.value(`${element}.open('one')`);
  await page.until(detailsAre('One'));
  t.equal(await page.value(`${inside('.fields')}.textContent`), 'Field __proto__constructorField constructor5Field toStringYes');
  t.equal(await page.value('({}).polluted'), undefined);
  t.strictSame(page.complaints, []);
});

t.test('markup in every text stays text, and addresses are checked', { skip }, async (t) => {
  const evil = '<img src=x onerror="globalThis.run = true"><script>globalThis.run = true</script>';
  const kinds = ['text', 'number', 'choice', 'yes-no', 'date', 'link', 'mail', 'telephone', 'picture'];
  const fields = kinds.map((kind) => ({
    name: kind + evil,
    label: kind + evil,
    kind,
    show: ['popup', 'list', 'search', 'filter'],
  }));
  const properties = Object.fromEntries(kinds.map((kind) => [kind + evil, evil]));
  const links = { ...properties, [`link${evil}`]: 'javascript:globalThis.run = true', [`picture${evil}`]: 'javascript:1' };
  const objects = [
    spot(evil, 100, 100, { id: 'one', category: evil, icon: evil, properties }),
    spot('Two', 300, 100, {
      id: 'two',
      category: evil,
      properties: { ...links, [`mail${evil}`]: 'a@b.example?bcc=c@d.example' },
    }),
  ];
  const map = withSettings(objects, {
    description: evil,
    categories: [{ name: evil, label: evil, color: evil, icon: evil }],
    fields,
  });
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(map), wide);
  t.strictSame(await page.value(categories), [evil]);
  await page.value(`${inside('.filters')}.open = true`);
  await page.value(`${element}.open('one')`);
  await page.until(`${inside('.details .fields')} !== null`);
  t.equal(await page.value(`${inside('.details h2')}.textContent`), evil);
  const addresses = `[...${inside('.details')}.querySelectorAll('a, img')].every((each) => (each.href ?? each.src).startsWith('${site.url}/'))`;
  t.equal(await page.value(addresses), true, 'at most a relative address');
  await page.value(`${element}.open('two')`);
  await page.until(detailsAre('Two'));
  t.strictSame(
    await page.value(`[...${inside('.details')}.querySelectorAll('a')].map(({ href }) => href)`),
    [],
    'no address that would run, and none with headers of a mail',
  );
  t.equal(await page.value(`${element}.shadowRoot.querySelectorAll('script, [onerror]').length`), 0);
  t.equal(await page.value('globalThis.run'), undefined);
  t.strictSame(
    page.complaints.filter((complaint) => !complaint.includes('404')),
    [],
  );
});

t.test('values that do not fit their kind are shown as they are, or not at all', { skip }, async (t) => {
  const values = [1e308, -0.5, 'many', null, { a: 1 }, [1], '', '   ', true];
  const objects = values.map((seats, n) =>
    spot(`Place ${n}`, 50 + 60 * n, 100, { id: `p${n}`, category: 'A', properties: { seats } }),
  );
  const site = await Site.open(t);
  const map = withSettings(objects, {
    fields: [{ name: 'seats', label: 'Seats', kind: 'number', show: ['popup', 'list', 'filter'] }],
  });
  const page = await open(t, site.pageWith(map), wide);
  t.strictSame(
    await page.value(
      `[...${element}.shadowRoot.querySelectorAll('.rows > ul button')].map((row) => row.querySelector('.note')?.textContent ?? '')`,
    ),
    ['Seats: 1E308', 'Seats: -0.5', 'many', '', '', '', '', '', 'Seats'],
  );
  t.strictSame(
    await page.value(`[...${element}.shadowRoot.querySelectorAll('.range input')].map(({ placeholder }) => placeholder)`),
    ['-0.5', '1e+308'],
  );
  await page.value(`${inside('.filters')}.open = true`);
  await page.page.locator('mapwright-map .range input').first().fill('0');
  t.strictSame(await page.value(rows), ['Place 0']);
  await page.value(`${element}.open('p3')`);
  t.equal(await page.value(`${inside('.details')}.hidden`), true, 'an object without a value has nothing to show');
  t.strictSame(page.complaints, []);
});

test.all('64 properties on 50,000 objects are listed and filtered', { skip }, async (t) => {
  const fields = Array.from({ length: 64 }, (_, n) => ({
    ...{
      name: `f${n}`,
      label: `Field ${n}`,
      kind: n % 2 === 0 ? 'choice' : 'number',
      show: ['popup', 'search', 'filter', 'list'],
    },
  }));
  const objects = Array.from({ length: 50_000 }, (_, n) =>
    spot(`Place ${n}`, n % 800, n % 600, {
      id: `p${n}`,
      category: `C${n % 5}`,
      properties: Object.fromEntries(
        fields.map(({ name, kind }, at) => [name, kind === 'choice' ? `v${(n + at) % 3}` : n % (at + 1)]),
      ),
    }),
  );
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(withSettings(objects, { fields })), wide);
  t.equal(((await page.value(categories)) as string[]).length, 5);
  await page.value(`${inside('.filters')}.open = true, ${inside('.filters input')}.click()`);
  t.equal(await page.value(`${inside('.count')}.textContent`), '16667 of 50000');
  t.ok(((await page.value(rows)) as string[]).length < 100, 'only visible rows are in the document');
  t.strictSame(page.complaints, []);
});

t.test('a live result and a new version keep filters, search, scroll position and focus', { skip }, async (t) => {
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(city()), wide);
  const scroll = `${inside('.rows')}.scrollTop`;
  const museums = `[...${element}.shadowRoot.querySelectorAll('.categories li')].find((row) => row.textContent.includes('Museum'))`;
  await page.value(`${museums}.querySelector('input').click()`);
  await page.value(`${inside('.rows')}.scrollTop = 3000`);
  await page.until(`${inside('.rows > ul li button')} !== null && ${scroll} === 3000`);
  const first = `[...${element}.shadowRoot.querySelectorAll('.rows > ul > li > button')].find((row) => row.getBoundingClientRect().top > 200)`;
  // The rows follow the scroll position a frame later.
  await page.until(`${first} !== undefined`);
  const name = await page.value(`${first}.focus({ preventScroll: true }), ${first}.firstChild.textContent`);
  const objects = Object.fromEntries([7, 16].map((n) => [`place-${n}`, { category: 'Museum' }]));
  t.equal(await page.value(`${element}.applyLive(${JSON.stringify({ objects })})`), true);
  t.equal(await page.value(`${element}.shadowRoot.activeElement.firstChild.textContent`), name, 'the focus stays');
  t.equal(await page.value(`${museums}.querySelector('input').checked`), false);
  t.equal(await page.value(`${museums}.querySelector('.number').textContent`), '36');
  await page.value(`${element}.open('place-1')`);
  await page.until(detailsAre('Food 1'));
  await page.value(`${element}.applyLive({ objects: { 'place-1': { category: 'Museum' } } })`);
  t.equal(await page.value(`${inside('.details')}.hidden`), true, 'a result that hides the open object closes it');
  const everything = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`place-${n + 1}`, { category: 'Museum' }]));
  await page.value(`${element}.applyLive(${JSON.stringify({ objects: everything })})`);
  t.equal(await page.value(`${inside('.count')}.textContent`), 'Nothing was found.');
  t.equal(await page.value(`${inside('.clear')}.hidden`), false);
  t.equal(((await page.value(categories)) as string[]).length, 9, 'a category without settings and objects is gone');

  await page.value(`${element}.applyLive(undefined)`);
  await page.page.locator('mapwright-map .places > input').fill('food 2');
  site.publish('demo', { ...city(), name: 'Second' }, 2);
  await page.value(`${element}.refresh()`);
  t.equal(await page.value(`${inside('.places > input')}.value`), 'food 2');
  t.equal(await page.value(`${element}.shadowRoot.activeElement === ${inside('.places > input')}`), true);
  t.equal(await page.value(`${museums}.querySelector('input').checked`), false);
  t.strictSame(page.complaints, []);
});

t.test('the panel is accessible (axe): list, filters and details, wide, dark and on a phone', { skip }, async (t) => {
  const site = await Site.open(t);
  const css = ':root{color-scheme:light dark}html,body,main,mapwright-map{margin:0;height:100%}';
  site.set('/page.css', { type: 'text/css', body: css });
  const addresses = [site.pageWith(city(), '', 'city'), site.pageWith(centre(), '', 'centre')];
  const phone = { width: 390, height: 800, options: { hasTouch: true, isMobile: true } };
  for (const looks of sampled([phone, wide, { ...wide, dark: true }], 1))
    for (const address of addresses) {
      const page = await open(t, address, looks);
      await page.value(`${inside('.filters')}.open = true`);
      if (looks === phone) await page.page.locator('mapwright-map .handle').tap();
      t.strictSame(await violations(page, 'page-has-heading-one'), [], `${address} ${JSON.stringify(looks)}: list`);
      await page.value(`${element}.open(${element}.shownArtboard.objects[1].id)`);
      await page.until(`${inside('.details')}.hidden === false && ${inside('.details h2')} !== null`);
      t.strictSame(await violations(page, 'page-has-heading-one'), [], 'details');
      t.equal(await page.value('document.documentElement.scrollWidth <= innerWidth'), true, 'nothing is wider than the page');
    }
});
