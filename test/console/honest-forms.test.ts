// tier: normal
/** What forms say about values that the map cannot show, and lists with equal names, groups and rare fields. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { blendModes } from '../../src/lib/draw/blend-modes.ts';
import { blendGroups } from '../../src/web/console/forms/controls/blend-groups.ts';
import { addressDoubt, colourDoubt, cornersDoubt, numberDoubt } from '../../src/web/console/forms/controls/doubts.ts';
import { targetNames } from '../../src/web/console/forms/controls/targets/target-names.ts';
import type { FormField } from '../../src/web/console/kinds/form-field.ts';
import { fieldOf, type Kind } from '../../src/web/console/kinds/resource-kinds.ts';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests } from '../support/mapwright.ts';
import { test } from '../support/test.ts';
import { ConsolePage, sampleProject } from './console-page.ts';

t.setTimeout(600_000);

const field = (kind: Kind, name: string) => fieldOf(kind, name) as FormField;

/** Folder for pictures to look at; '' for none. */
const folder = process.env['SCREENS'] ?? '';

t.test('a form doubts what is no colour, and no colour that the map knows', async (t) => {
  for (const text of ['redd', '#12', 'var(--x)', 'url(x)', 'fade']) t.match(colourDoubt(text), text, text);
  for (const text of ['', 'red', '#fff', '#11223344', 'rgb(1 2 3)', 'hsl(1, 2%, 3%)', '{Heat}'])
    t.equal(colourDoubt(text), '', text);
});

t.test('a form doubts numbers outside the range that a map can show', async (t) => {
  const doubt = (kind: Kind, name: string, text: string) => numberDoubt(field(kind, name), text);
  t.match(doubt('object', 'radius', '-1'), '0 or more');
  t.match(doubt('object', 'stroke_width', '-1'), '0 or more');
  t.match(doubt('object', 'hover_stroke_width', '-0.5'), '0 or more');
  t.match(doubt('artboard', 'width', '0'), '1 to 1000000');
  t.match(doubt('artboard', 'height', '1e9'), '1 to 1000000');
  t.match(doubt('artboard', 'osm_zoom', '1e5'), '1 to 22');
  t.match(doubt('popup', 'maxWidth', '0'), '1 or more');
  t.match(doubt('artboard', 'osm_lat', '90.1'), '-90 to 90');
  t.match(doubt('artboard', 'osm_lng', '-181'), '-180 to 180');
  t.match(doubt('object', 'opacity', '2'), '0 to 1');
  for (const [kind, name, text] of [
    ['object', 'radius', '0'],
    ['object', 'radius', 'abc'],
    ['artboard', 'osm_lat', '-90'],
    ['object', 'x', '-5'],
    ['object', 'stroke_width', ''],
  ] as const)
    t.equal(doubt(kind, name, text), '', `${name} ${text}`);
});

t.test('a form doubts addresses that the map does not follow, and polygons without an area', async (t) => {
  const doubt = (kind: Kind, name: string, text: string) => addressDoubt(kind, field(kind, name), text);
  t.match(doubt('object', 'click_action_url', 'javascript:alert(1)'), 'does not follow');
  t.match(doubt('popup', 'image', 'ftp://maps.example/a.png'), 'does not load');
  t.match(doubt('data_source', 'url', '/rooms.json'), 'must begin with');
  t.equal(doubt('object', 'click_action_url', 'mailto:ann@maps.example'), '');
  t.equal(doubt('object', 'click_action_url', '../other'), '');
  t.equal(doubt('popup', 'image', 'data:image/png;base64,AA'), '');
  t.equal(doubt('popup', 'buttonLink', '{Address}'), '', 'a template');
  const link = (text: string) =>
    addressDoubt('object', field('object', 'click_action_url'), text, (place) => place === 'Floor 2');
  for (const text of ['#', '#nope', ' #Floor']) t.match(link(text), 'leads nowhere', text);
  for (const text of ['#Floor 2', '#Floor%202', 'https://maps.example/#nope', '../a']) t.equal(link(text), '', text);
  t.match(link('https://exa mple.com'), 'does not follow');
  t.equal(link('https://maps.example/a b'), '', 'a blank in a path is encoded');
  t.match(link('www.example.com'), 'Use https://www.example.com');
  t.match(doubt('popup', 'image', 'www.example.com/a.png'), 'Use https://www.example.com/a.png');
  t.match(cornersDoubt(1), 'has 1');
  t.match(cornersDoubt(2), 'has 2');
  t.equal(cornersDoubt(3), '');
});

t.test('equal names in a list are followed by artboard, colour and number', async (t) => {
  const targets = [
    { id: 'a', name: 'Room', color: '#ff0000' },
    { id: 'b', name: 'Lift', color: '#00ff00' },
    { id: 'c', name: 'Room', color: '#ff0000' },
  ];
  const names = targetNames(targets, (id) => (id === 'c' ? 'First floor' : 'Ground floor'));
  t.strictSame(
    names.map(({ name }) => name),
    ['Room (Ground floor, #ff0000, no. 1)', 'Lift', 'Room (First floor, #ff0000, no. 2)'],
  );
});

t.test('each blend mode is in one of four groups, the common six first', async (t) => {
  const listed = Object.values(blendGroups).flat();
  t.strictSame([...listed].sort(), Object.keys(blendModes).sort());
  t.equal(Object.keys(blendGroups).length, 4);
  t.strictSame(listed.slice(0, 6), ['normal', 'multiply', 'screen', 'overlay', 'darken', 'lighten']);
});

test.all('a new project begins with its name, and "Saved" and help are there at 390 px', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  await sampleProject(mapwright);
  const opened = await ConsolePage.open(t, { mapwright, width: 390 });
  const { page } = opened;
  await page.getByRole('button', { name: 'New project' }).click();
  await opened.recorded.until("document.activeElement.id === 'field-name'");
  await page.keyboard.type('Harbour');
  await page.keyboard.press('Enter');
  await opened.waitUntilSaved();
  t.equal(await page.getByText('Saved', { exact: true }).isVisible(), true);
  await page.getByRole('button', { name: 'Help' }).click();
  await page.getByRole('dialog', { name: 'Help' }).waitFor();
  await page.keyboard.press('Escape');
  if (folder !== '') await page.screenshot({ path: path.join(folder, 'new-project-390.png') });
  t.equal(await opened.fits(), true);
  t.strictSame(await opened.violations(), []);
  t.strictSame(opened.complaints, []);
});

for (const looks of [{}, { width: 390 }])
  test.all(`forms are honest while typing, by keyboard: ${JSON.stringify(looks)}`, { skip }, async (t) => {
    const mapwright = await startForRequests(t, { tiles: 'none' });
    const { project, artboard, spot } = await sampleProject(mapwright);
    const opened = await ConsolePage.open(t, { mapwright, project, ...looks });
    const { page } = opened;
    const picture = async (name: string) => {
      if (folder !== '') await page.screenshot({ path: path.join(folder, `${name}${'width' in looks ? '-390' : ''}.png`) });
    };
    if (folder !== '') fs.mkdirSync(folder, { recursive: true });
    await page.evaluate(`location.hash = '#/p/${project}/r/${spot}'`);
    await page.reload();
    await page.locator('.map canvas').waitFor();
    if ('width' in looks) await page.locator('.panes').getByRole('button', { name: 'Form' }).click();
    await opened.field('Fill').waitFor();
    await opened.field('Radius').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('-3');
    await page.getByText('use 0 or more').waitFor();
    await page.keyboard.press('Escape');
    await opened.field('Fill').fill('redd');
    await page.getByText('“redd” is no colour').waitFor();
    t.strictSame(await opened.violations(), []);
    await picture('doubt');
    await opened.field('Fill').press('Tab');
    await opened.waitUntilSaved();
    t.equal(
      (await mapwright.get(`/projects/${project}/artboards/${artboard}/objects/${spot}`)).shown['color'],
      'redd',
      'the API takes it',
    );

    const blend = page.getByRole('combobox', { name: 'Blend mode' });
    await blend.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    t.equal(await page.locator('.blend [aria-selected="true"]').textContent(), 'Multiply');
    t.strictSame(await opened.violations(), []);
    await picture('blend-modes');
    await page.keyboard.press('Escape');
    t.equal(await blend.textContent(), 'Normal', 'Escape chooses nothing');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await opened.waitUntilSaved();
    t.equal((await mapwright.get(`/projects/${project}/artboards/${artboard}/objects/${spot}`)).shown['blend_mode'], 'multiply');
    t.equal(await opened.fits(), true);
    t.strictSame(opened.complaints, []);
  });
