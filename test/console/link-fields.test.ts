// tier: all
/** The field of a link in a form: a place of the map by its name, and the correction of an address without https://. */
import t, { type Test } from 'tap';
import type { Place } from '../../src/web/console/forms/controls/targets/link-target.ts';
import { firstMatch, isAddress, matching, targetAddress } from '../../src/web/console/forms/controls/targets/link-target.ts';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests } from '../support/mapwright.ts';
import { type ConsoleOptions, ConsolePage, sampleProject } from './console-page.ts';

t.setTimeout(600_000);

t.test('a text is the place whose name it is, regardless of case and diacritics', async (t) => {
  const names = ['Bathroom', 'ROOM', 'Room', 'Café', 'Dr. Who', 'Menu.pdf', ' '];
  const places = names.map((name, at): Place => ({ id: String(at), name, kind: 'object' }));
  for (const [text, address] of [
    ['Room', '#2'],
    ['ROOM', '#1'],
    ['room', '#1'],
    [' cafe', '#3'],
    ['CAFÉ', '#3'],
    ['dr. who', '#4'],
    ['menu.pdf', '#5'],
    ['caf', 'caf'],
    ['', ''],
    ['#3', '#3'],
  ] as const)
    t.equal(targetAddress(places, text), address, text);
  const found = (text: string) => matching(places, text).map(({ name }) => name);
  t.strictSame(found('room'), ['ROOM', 'Room', 'Bathroom']);
  t.strictSame(found('Room'), ['Room', 'Bathroom', 'ROOM']);
  t.strictSame(found('fe'), ['Café']);
  t.strictSame(found(''), names);
});

t.test('a text without scheme, path, fragment or dot is no address', async (t) => {
  const addresses = [
    'https://a.example',
    'mailto:ann@a.example',
    'tel:+41',
    '../a',
    '/a',
    './menu',
    '#x',
    '?floor=2',
    'a.html',
    '{Link}',
  ];
  for (const text of addresses) {
    t.equal(isAddress(text), true, text);
    t.equal(firstMatch(text), -1, text);
  }
  for (const text of ['cafe', 'Room 12', 'Dr. Who', 'Shop: shoes', 'St.']) {
    t.equal(isAddress(text), false, text);
    t.equal(firstMatch(text), 0, text);
  }
  t.equal(firstMatch(' '), -1, 'Enter without a text is no link');
});

/** The form of a popup whose button leads to an address. */
async function openForm(t: Test, buttonLink: string, looks: ConsoleOptions = {}) {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project, artboard, spot, poly } = await sampleProject(mapwright);
  const popups = `/projects/${project}/popups`;
  const { id } = (await mapwright.post(popups, { title: 'Fountain', attachedTo: spot, buttonText: 'More', buttonLink })).shown;
  const opened = await ConsolePage.open(t, { mapwright, project, ...looks });
  const { page } = opened;
  await page.evaluate(`location.hash = '#/p/${project}/r/${id}'`);
  await page.reload();
  await page.locator('.map canvas').waitFor();
  if (looks.width !== undefined) await page.locator('.panes').getByRole('button', { name: 'Form' }).click();
  const field = page.getByRole('combobox', { name: 'Button link' });
  await field.waitFor();
  /** Waits until the link is saved, and the field shows it. */
  const leadsTo = async (link: string, shown: string) => {
    await opened.recorded.until(`document.querySelector('#field-buttonLink').value === ${JSON.stringify(shown)}`);
    await opened.waitUntilSaved();
    t.equal((await mapwright.get(`${popups}/${id}`)).shown['buttonLink'], link);
  };
  return { mapwright, opened, page, field, leadsTo, artboard, spot, poly };
}

t.test('a click lists the places of the map, and another one links to it', { skip }, async (t) => {
  const { opened, page, field, leadsTo, poly } = await openForm(t, '');
  await field.click();
  t.strictSame(await page.locator('.combobox').getByRole('option').allTextContents(), [
    'Floorartboard',
    'Spotobject',
    'Roomobject',
  ]);
  t.strictSame(await opened.violations(), []);
  await page.locator('.combobox').getByRole('option', { name: 'Room' }).click();
  await leadsTo(`#${poly}`, 'Room');
  await field.fill('www.example.com/bread');
  await page.getByRole('button', { name: 'Use https://www.example.com/bread' }).click();
  await leadsTo('https://www.example.com/bread', 'https://www.example.com/bread');
  await page.getByRole('button', { name: 'Undo' }).click();
  await leadsTo(`#${poly}`, 'Room');
  await page.getByRole('button', { name: 'Undo' }).click();
  await leadsTo('', '');
  t.strictSame(opened.complaints, []);
});

t.test('keys choose a place and correct an address, each in one step', { skip }, async (t) => {
  const { opened, page, field, leadsTo, artboard } = await openForm(t, 'https://example.org/');
  await field.focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('flo');
  await page.getByRole('option', { name: 'Floor' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await leadsTo(`#${artboard}`, 'Floor');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('example.com');
  await page.keyboard.press('Tab');
  await opened.recorded.until("document.activeElement.textContent === 'Use https://example.com'");
  t.strictSame(await opened.violations(), []);
  await page.keyboard.press('Enter');
  await leadsTo('https://example.com', 'https://example.com');
  t.equal(await opened.recorded.value('document.activeElement.id'), 'field-buttonLink', 'the field has the focus');
  // In a field, these keys undo what is typed.
  await page.keyboard.press('Shift+F6');
  await page.keyboard.press('Control+Z');
  await leadsTo(`#${artboard}`, 'Floor');
  await page.keyboard.press('Control+Z');
  await leadsTo('https://example.org/', 'https://example.org/');
  await field.focus();
  await page.keyboard.type('other');
  await page.keyboard.press('Escape');
  await leadsTo('https://example.org/', 'https://example.org/');
  t.strictSame(opened.complaints, []);
});

t.test('Enter takes a name in any case or the first match, and a text that is neither is doubted', { skip }, async (t) => {
  const { opened, page, field, leadsTo, artboard, spot, poly } = await openForm(t, '');
  await field.focus();
  await page.keyboard.type('room');
  await page.keyboard.press('Enter');
  await leadsTo(`#${poly}`, 'Room');
  t.equal(await page.locator('.combobox').getByRole('option').count(), 0, 'the list is closed');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('oo');
  await page.keyboard.press('Backspace');
  await page.locator('.combobox').getByRole('option', { name: 'Floor' }).and(page.locator('[aria-selected=true]')).waitFor();
  t.strictSame(await opened.violations(), []);
  await page.keyboard.press('Enter');
  await leadsTo(`#${artboard}`, 'Floor');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('SPOT');
  await page.keyboard.press('Tab');
  await leadsTo(`#${spot}`, 'Spot');
  await field.fill('xyz');
  await page.getByText('“xyz” is neither an address nor an artboard or object of this map.').waitFor();
  await field.fill('./xyz');
  await page.getByText('is neither an address').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await leadsTo('./xyz', './xyz');
  t.strictSame(opened.complaints, []);
});

t.test('an address without https:// that is left as it is keeps its correction', { skip }, async (t) => {
  const { opened, page, field, leadsTo } = await openForm(t, '');
  await field.fill('www.example.com');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await leadsTo('www.example.com', 'www.example.com');
  await page.getByRole('button', { name: 'Use https://www.example.com' }).click();
  await leadsTo('https://www.example.com', 'https://www.example.com');
  t.strictSame(opened.complaints, []);
});

t.test('fingers choose a place and correct an address on a phone', { skip }, async (t) => {
  const { opened, page, field, leadsTo, spot } = await openForm(t, '', {
    width: 390,
    height: 844,
    options: { hasTouch: true, isMobile: true },
  });
  await field.tap();
  const option = page.locator('.combobox').getByRole('option', { name: 'Spot' });
  t.ok(((await option.boundingBox())?.height ?? 0) >= 24, 'a finger hits it');
  await option.tap();
  await leadsTo(`#${spot}`, 'Spot');
  await field.fill('www.example.com');
  const fix = page.getByRole('button', { name: 'Use https://www.example.com' });
  t.ok(((await fix.boundingBox())?.height ?? 0) >= 24, 'a finger hits it');
  t.strictSame(await opened.violations(), []);
  await fix.tap();
  await leadsTo('https://www.example.com', 'https://www.example.com');
  t.equal(await opened.fits(), true);
  t.strictSame(opened.complaints, []);
});

t.test('a click on an object leads to a place that is chosen by its name', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project, artboard, spot, poly } = await sampleProject(mapwright);
  const objects = `/projects/${project}/artboards/${artboard}/objects`;
  await mapwright.patch(`${objects}/${spot}`, { click_action: 'follow-link' });
  const opened = await ConsolePage.open(t, { mapwright, project });
  await opened.row('Spot').click();
  await opened.page.getByRole('combobox', { name: 'Link' }).click();
  await opened.page.locator('.combobox').getByRole('option', { name: 'Room' }).click();
  await opened.recorded.until("document.querySelector('#field-click_action_url').value === 'Room'");
  await opened.waitUntilSaved();
  t.equal((await mapwright.get(`${objects}/${spot}`)).shown['click_action_url'], `#${poly}`);
  t.strictSame(opened.complaints, []);
});
