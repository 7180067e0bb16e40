// tier: normal
/** The panel of a map for visitors: categories, filters, search, list and details, by mouse, touch and keyboard. */
import t from 'tap';
import { type Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { test } from '../support/test.ts';
import { element, inside, open, pressed } from './element-page.ts';
import { artboard, building, popupAt, project, spot } from './samples.ts';
import { Site } from './site.ts';
import { centre, city } from './visitor-maps.ts';

t.setTimeout(300_000);

/** The rows in the document, in the order of the list; headings with a colon. */
const rows = `[...${element}.shadowRoot.querySelectorAll('.rows > ul > li')].map((row) =>
  row.className === 'heading' ? row.textContent + ':' : row.querySelector('button').firstChild.textContent)`;
const categories = `[...${element}.shadowRoot.querySelectorAll('.categories li')].map((row) =>
  [row.querySelector('.term').textContent, row.querySelector('.number').textContent, row.querySelector('input').checked].join(' '))`;
const count = `${inside('.summary')}.hidden ? '' : ${inside('.count')}.textContent`;
const detailsAre = (title: string): string => `${inside('.details h2')}?.textContent === ${JSON.stringify(title)}`;
const listIs = `${inside('.details')}.hidden`;
const toggle = (category: string): string =>
  `[...${element}.shadowRoot.querySelectorAll('.categories li')].find((row) => row.querySelector('.term').textContent === '${category}').querySelector('input').click()`;
const only = (category: string): string =>
  `[...${element}.shadowRoot.querySelectorAll('.categories li')].find((row) => row.querySelector('.term').textContent === '${category}').querySelector('.only').click()`;
async function visit(t: Parameters<typeof open>[0], map: unknown, looks: Parameters<typeof open>[2] = {}, attributes = '') {
  const site = await Site.open(t);
  const page = await open(t, site.pageWith(map, attributes), { width: 1400, height: 900, ...looks });
  return { site, page };
}

t.test('categories are toggled with counts, one alone and all with one click', { skip }, async (t) => {
  const { page } = await visit(t, centre());
  t.strictSame(await page.value(categories), ['Fashion 6 true', 'Food court 6 true', 'Toilets 1 true', 'Technical 1 false']);
  t.equal(await page.value(`${inside('.legend')}.hidden`), true, 'the panel is the legend');
  t.equal(await page.value(`${inside('.categories .sign path')}.getAttribute('d')`), 'M7.5 2 13 13H2z', 'with icons');
  t.strictSame((await page.value(rows)) as string[], [
    ...['Fashion:', 'Ground shop 1', 'Ground shop 3', 'Ground shop 5', 'Ground shop 7', 'Ground shop 9', 'Ground shop 11'],
    ...['Food court:', 'Ground shop 2', 'Ground shop 4', 'Ground shop 6', 'Ground shop 8', 'Ground shop 10', 'Ground shop 12'],
    ...['Toilets:', 'Ground toilet'],
  ]);
  await page.value(toggle('Fashion'));
  t.strictSame(await page.value(categories), ['Fashion 6 false', 'Food court 6 true', 'Toilets 1 true', 'Technical 1 false']);
  t.equal(await page.value(count), '7 of 14');
  await page.value(only('Toilets'));
  t.strictSame(await page.value(rows), ['Toilets:', 'Ground toilet']);
  await page.value(`${inside('.categories .all')}.click()`);
  t.strictSame(await page.value(categories), ['Fashion 6 true', 'Food court 6 true', 'Toilets 1 true', 'Technical 1 true']);
  t.equal(await page.value(count), '');
  await page.value(`${element}.show('Upper')`);
  t.equal(((await page.value(rows)) as string[])[1], 'Upper shop 1', 'the list is that of the floor');
  t.strictSame(page.complaints, []);
});

t.test('the description of the map is above the categories, as text', { skip }, async (t) => {
  const map = centre() as { settings: { public_map: object } };
  const description = 'Open <b>daily</b>\nfrom nine';
  const { page } = await visit(t, { ...map, settings: { public_map: { ...map.settings.public_map, description } } });
  t.equal(await page.value(`${inside('.description')}.textContent`), description);
  t.equal(await page.value(`${inside('.description')}.hidden`), false);
  const other = await visit(t, map);
  t.equal(await other.page.value(`${inside('.description')}.hidden`), true);
});

t.test('what is switched off is neither drawn nor found by the pointer', { skip }, async (t) => {
  const spots = ['A', 'B'].map((name, at) => spot(name, 200 + 400 * at, 300, { category: name, radius: 60 }));
  const map = {
    ...project([artboard('Floor', spots)]),
    settings: { public_map: { categories: [{ name: 'A' }, { name: 'B' }] } },
  };
  const { page } = await visit(t, map);
  const cursorAt = async (name: string): Promise<unknown> => {
    const at = (await page.value(`(() => {
      const { left, top, width, height } = ${inside('.view')}.getBoundingClientRect();
      return [left + width * ${name === 'A' ? 0.27 : 0.73}, top + height / 2];
    })()`)) as [number, number];
    await page.page.mouse.move(...at);
    await page.value('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    return page.value(`${inside('.label')}.hidden ? '' : ${inside('.label')}.textContent`);
  };
  t.equal(await cursorAt('A'), 'A');
  await page.value(toggle('A'));
  t.equal(await cursorAt('A'), '');
  t.equal(await cursorAt('B'), 'B');
});

t.test('fields are filtered with checkboxes and ranges, whose counts follow the other filters', { skip }, async (t) => {
  const { page } = await visit(t, city());
  await page.value(`${inside('.filters')}.open = true`);
  const field = (label: string): string =>
    `[...${element}.shadowRoot.querySelectorAll('fieldset')].find((each) => each.querySelector('legend').textContent === '${label}')`;
  const checks = (label: string): string =>
    `[...${field(label)}.querySelectorAll('li')].map((row) => row.querySelector('.term').textContent + ' ' + row.querySelector('.number').textContent)`;
  t.strictSame(await page.value(`[...${element}.shadowRoot.querySelectorAll('legend')].map(({ textContent }) => textContent)`), [
    'Seats',
    'Wheelchair',
    'Kitchen',
    'Opened',
  ]);
  t.strictSame(await page.value(checks('Wheelchair')), ['Yes 100', 'No 200']);
  t.strictSame(await page.value(checks('Kitchen')), ['Italian 34'], 'in the language of the visitor');
  await page.value(only('Museum'));
  t.strictSame(await page.value(checks('Wheelchair')), ['Yes 0', 'No 34']);
  await page.value(`${inside('.categories .all')}.click()`);
  await page.value(`${field('Wheelchair')}.querySelector('input').click()`);
  t.strictSame(await page.value(checks('Wheelchair')), ['Yes 100', 'No 200'], 'a filter does not count itself');
  t.equal(await page.value(`${inside('.filters summary')}.textContent`), 'Filters (1)');
  t.equal(((await page.value(categories)) as string[])[1], 'Museum 0 true');
  await page.page.locator('mapwright-map .range input').first().fill('90');
  t.equal(await page.value(count), '10 of 300');
  await page.page.locator('mapwright-map .range input').nth(1).fill('9');
  t.equal(await page.value(count), 'Nothing was found.');
  await page.value(`${inside('.clear')}.click()`);
  t.equal(await page.value(count), '');
  t.strictSame(await page.value(`[...${element}.shadowRoot.querySelectorAll('.range input')].map(({ value }) => value)`), [
    '',
    '',
    '',
    '', // biome-ignore format: four inputs
  ]);
  t.strictSame(page.complaints, []);
});

t.test('the list shows fields and searches them, and a search begins at its first row', { skip }, async (t) => {
  const { page } = await visit(t, city());
  t.strictSame(
    await page.value(`[...${element}.shadowRoot.querySelectorAll('.note')].slice(0, 2).map(({ textContent }) => textContent)`),
    ['Am Markt 1 · Seats: 0', 'Brunnengasse 10 · Seats: 63'],
  );
  await page.value(`${inside('.rows')}.scrollTop = 9000`);
  await page.page.locator('mapwright-map .places > input').fill('brunnengasse 298');
  t.strictSame(await page.value(rows), ['Food 298']);
  t.equal(await page.value(count), '1 of 300');
  await page.page.locator('mapwright-map .places > input').fill('food');
  const first = `(() => {
    const { top } = ${inside('.rows')}.getBoundingClientRect();
    return Math.abs(${inside('.rows > ul > li')}.getBoundingClientRect().top - top) <= 1;
  })()`;
  t.equal(await page.value(first), true, 'the first row is the first one in sight');
  await page.page.keyboard.press('Enter');
  await page.until(detailsAre('Food 1'));
  await page.page.keyboard.press('Escape');
  t.equal(await page.value(listIs), true);
  t.equal(await page.value(`${inside('.places > input')}.value`), 'food', 'the search stays');
});

t.test('details show fields of each kind as text, links and formatted values', { skip }, async (t) => {
  const { page } = await visit(t, city());
  await page.value(`${element}.open('Food 298')`);
  await page.until(detailsAre('Food 298'));
  t.strictSame(
    await page.value(`[...${element}.shadowRoot.querySelectorAll('.fields > div')].map((row) =>
      [row.querySelector('dt').textContent, row.querySelector('dd').textContent, row.querySelector('a')?.getAttribute('href') ?? ''])`),
    [
      ['Street', 'Brunnengasse 298', ''],
      ['Seats', '79', ''],
      ['Wheelchair', 'Yes', ''],
      ['Kitchen', 'Italian', ''],
      ['Opened', '15 January 2022', ''],
      ['Website', 'https://city.example/298', 'https://city.example/298'],
      ['Telephone', '+43 1 234 56-78', 'tel:+4312345678'],
      ['Mail', 'place@city.example', 'mailto:place@city.example'],
    ],
    'and nothing that no field publishes',
  );
  t.match(
    await page.value(`${inside('.details .action a')}.href`),
    /^https:\/\/www\.openstreetmap\.org\/directions\?to=48\.\d+%2C16\.\d+$/,
  );
  t.equal(await page.value(`${inside('.popup')}.hidden`), true, 'the panel, not a card');
  await page.value(`${inside('.back')}.click()`);
  t.equal(await page.value(listIs), true);
  t.equal(await page.value(`${element}.setAttribute('panel', 'off')`), undefined);
  await page.value(`${element}.open('Food 298')`);
  await page.until(`${inside('.popup')}.hidden === false`);
  t.equal(await page.value(`${inside('.popup .fields dd')}.textContent`), 'Brunnengasse 298', 'without a panel, in a card');
  t.strictSame(page.complaints, []);
});

t.test('a popup of the contract is shown in the panel, with the fields of its object', { skip }, async (t) => {
  const { page } = await visit(t, centre());
  await page.value(`${element}.open('Ground shop 1')`);
  await page.until(detailsAre('Ground shop 1'));
  t.equal(await page.value(`${inside('.details .content')}.innerHTML`), '<p>About it.</p>');
  t.equal(await page.value(`${inside('.details .fields')}.textContent`), 'Open nowYes');
  await page.value(toggle('Fashion'));
  t.equal(await page.value(listIs), true, 'an object that is switched off closes');
  await page.value(`${element}.open('Ground shop 1')`);
  t.equal(
    ((await page.value(categories)) as string[])[0],
    'Fashion 6 true',
    'something leads to it: its category is switched on',
  );
  await page.until(detailsAre('Ground shop 1'));
});

t.test('the keyboard reaches search, categories, filters, list and details', { skip }, async (t) => {
  const { page } = await visit(t, centre());
  const active = `(({ className, tagName, type }) => [tagName, className || type].filter(Boolean).join(' '))(${element}.shadowRoot.activeElement)`;
  const tab = async (): Promise<unknown> => {
    await page.page.keyboard.press('Tab');
    return page.value(active);
  };
  t.equal(await tab(), 'BUTTON skip');
  t.equal(await tab(), 'INPUT search');
  t.equal(await tab(), 'SUMMARY');
  t.equal(await tab(), 'BUTTON all', 'a category is hidden');
  t.equal(await tab(), 'INPUT checkbox');
  await page.page.keyboard.press('Space');
  t.equal(((await page.value(categories)) as string[])[0], 'Fashion 6 false');
  await page.page.keyboard.press('Space');
  await page.value(`${inside('.rows > ul > li button')}.focus()`);
  await page.page.keyboard.press('ArrowDown');
  t.equal(await page.value(`${element}.shadowRoot.activeElement.firstChild.textContent`), 'Ground shop 3');
  await page.page.keyboard.press('End');
  t.equal(await page.value(`${element}.shadowRoot.activeElement.firstChild.textContent`), 'Ground toilet');
  await page.page.keyboard.press('ArrowUp');
  t.equal(await page.value(`${element}.shadowRoot.activeElement.firstChild.textContent`), 'Ground shop 12', 'past a heading');
  await page.page.keyboard.press('Enter');
  await page.until(detailsAre('Ground shop 12'));
  t.equal(await page.value(active), 'DIV details');
  await page.page.keyboard.press('Escape');
  t.equal(
    await page.value(`${element}.shadowRoot.activeElement.firstChild.textContent`),
    'Ground shop 12',
    'the focus goes back',
  );
  t.strictSame(page.complaints, []);
});

const phone = { width: 390, height: 800, options: { hasTouch: true, isMobile: true } };
const sheetPx = `${inside('.list')}.offsetHeight`;

t.test('on a phone the panel is a sheet, which a drag and keys open', { skip }, async (t) => {
  const { page } = await visit(t, centre(), phone);
  t.equal(await page.value(sheetPx), 76);
  const expanded = `${inside('.handle')}.getAttribute('aria-expanded')`;
  t.equal(await page.value(expanded), 'false');
  const handle = page.page.locator('mapwright-map .handle');
  await handle.tap();
  t.equal(await page.value(sheetPx), 384);
  t.equal(await page.value(expanded), 'true');
  await drag(page, -300);
  t.equal(await page.value(sheetPx), 744, 'to its full height');
  t.ok(
    ((await page.value(`${inside('.artboards')}.getBoundingClientRect().bottom`)) as number) <= 56,
    'the switch of floors is free',
  );
  await drag(page, 600);
  t.equal(await page.value(sheetPx), 76);
  await handle.focus();
  await page.page.keyboard.press('ArrowUp');
  await page.page.keyboard.press('ArrowUp');
  t.equal(await page.value(sheetPx), 744);
  await page.page.keyboard.press('ArrowDown');
  t.equal(await page.value(sheetPx), 384);
  await page.page.keyboard.press('Enter');
  t.equal(await page.value(sheetPx), 76);
  await page.page.locator('mapwright-map .places > input').tap();
  t.equal(await page.value(sheetPx), 384, 'the search opens it');
  await page.page.keyboard.press('Escape');
  t.equal(await page.value(sheetPx), 76);
  t.equal(await page.value(`${element}.shadowRoot.activeElement.className`), 'handle');
  t.strictSame(page.complaints, []);
});

/** Drags the handle of the sheet. */
async function drag(page: Page, dy: number): Promise<void> {
  const { x, y } = (await page.value(
    `(({ left, width, top, height }) => ({ x: left + width / 2, y: top + height / 2 }))(${inside('.handle')}.getBoundingClientRect())`,
  )) as { x: number; y: number };
  await page.page.mouse.move(x, y);
  await page.page.mouse.down();
  await page.page.mouse.move(x, y + dy / 2);
  await page.page.mouse.move(x, y + dy);
  await page.page.mouse.up();
}

t.test('on a phone an object that is chosen stays above the sheet, and its controls do', { skip }, async (t) => {
  const { page } = await visit(t, city(), phone);
  await page.page.locator('mapwright-map .handle').tap();
  await page.page.locator('mapwright-map .places > input').fill('Food 298');
  await page.page.keyboard.press('Enter');
  await page.until(detailsAre('Food 298'));
  t.equal(await page.value(sheetPx), 384);
  const top = `${inside('.list')}.getBoundingClientRect().top`;
  t.equal(await page.value(`${inside('.controls')}.getBoundingClientRect().bottom <= ${top}`), true);
  t.equal(await page.value(`${inside('.credit')}.getBoundingClientRect().bottom <= ${top}`), true);
  const name = `[...${element}.shadowRoot.querySelectorAll('.name')].find(({ textContent }) => textContent === 'Food 298')`;
  await page.until(
    `${name} !== undefined && ${name}.getBoundingClientRect().bottom <= ${inside('.credit')}.getBoundingClientRect().top`,
  );
  await page.value(`${inside('.back')}.click()`);
  t.equal(await page.value(listIs), true);
});

t.test('a card covers neither its object nor the switch of floors, however long its text is', { skip }, async (t) => {
  const one = spot('One', 400, 250, { color: '#ff0000' });
  const content = '<p>A line of a text that takes the whole width of its card, and a little more than that.</p>'.repeat(5);
  const map = project([artboard('Ground', [one]), artboard('Upper', [])], [popupAt(one, { maxWidth: 500, content })]);
  const { page } = await visit(t, map, { width: 640, height: 430 });
  await page.value(`${element}.open('One')`);
  await page.until(`${inside('.popup')}.hidden === false`);
  // The middle of the red pixels, and the element that is there.
  const onTop = `(() => {
    const canvas = ${inside('canvas')};
    const { left, top } = canvas.getBoundingClientRect();
    const { width, height } = canvas;
    const { data } = picture(canvas).getImageData(0, 0, width, height);
    let [x, y, count] = [0, 0, 0];
    for (let at = 0; at < width * height; at++) {
      if (data[4 * at] < 250 || data[4 * at + 1] > 5) continue;
      x += at % width;
      y += Math.floor(at / width);
      count++;
    }
    const found = ${element}.shadowRoot.elementFromPoint(left + x / count, top + y / count);
    return count > 0 && found !== null && found.closest('.popup') === null;
  })()`;
  await page.until(onTop);
  t.equal(
    await page.value(`${inside('.popup')}.getBoundingClientRect().top >= ${inside('.artboards')}.getBoundingClientRect().bottom`),
    true,
  );
  t.strictSame(page.complaints, []);
});

t.test('a card does not cover the name of its object, also after a click on it', { skip }, async (t) => {
  const one = spot('The long name of one place', 400, 300, { color: '#ff0000', radius: 30 });
  const { page } = await visit(t, project([artboard('Ground', [one])], [popupAt(one)]), { width: 800, height: 600 });
  const isFree = `(() => {
    const [card, name] = [${inside('.popup')}, ${inside('.name')}].map((each) => each?.getBoundingClientRect());
    return name !== undefined && card.width > 0 && (card.bottom <= name.top || card.top >= name.bottom || card.right <= name.left || card.left >= name.right);
  })()`;
  await page.value(`${element}.open('The long name of one place')`);
  await page.until(isFree);
  await page.page.keyboard.press('Escape');
  await page.page.mouse.click(390, 310);
  await page.until(isFree);
  t.strictSame(page.complaints, []);
});

t.test('maps without settings for visitors look as before', { skip }, async (t) => {
  const { page } = await visit(t, building().document, {}, 'search');
  t.equal(await page.value(`${inside('.frame')}.className`), 'frame');
  t.equal(await page.value(`getComputedStyle(${inside('.handle')}).display`), 'none');
  await page.value(`${inside('.controls button:not([hidden]):last-child')}.click()`);
  t.equal(await page.value(`${inside('.frame')}.className`), 'frame listed');
  t.equal(await page.value(`${inside('.sections')}.hidden`), true);
});

test.all('a part that is gone takes its controls with it, and fires a problem', { skip }, async (t) => {
  for (const gone of ['panel', 'details'] as const) {
    const site = await Site.open(t);
    const address = site.pageWith(centre(), 'search');
    const marks = { panel: 'aria-posinset', details: 'mailto:' };
    for (const [name, content] of site.parts)
      if (content.includes(marks[gone])) site.set(`/viewer/${name}`, { status: 404, type: 'text/javascript' });
    const page = await open(t, address, { width: 1400, height: 900 });
    await page.until("events.some(([name, detail]) => name === 'problem' && detail.problem === 'part')");
    t.equal(await page.value(`${inside('.message')}.hidden`), true, 'visitors see no message');
    if (gone === 'panel') {
      t.equal(await page.value(`${inside('.frame')}.className`), 'frame', 'no empty column');
      t.equal(await page.value(`${inside('.controls').replace('.controls', '.controls button:last-child')}.hidden`), true);
      await page.value(`${element}.open('Ground shop 1')`);
      await page.until(`${inside('.popup')}.hidden === false`);
    } else {
      await page.until(`${inside('.places')} !== null`);
      t.equal(await page.value(`${element}.open('Ground shop 1')`), true);
      t.equal(await page.value(listIs), true, 'the list stays');
    }
    t.equal(await page.value(`${pressed}.textContent`), 'Ground');
  }
});
