// tier: normal
/** The Live switch of the editor in a browser: what data do to the map, what is not editable then, the simulation, and publishing. */
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import t, { type Test } from 'tap';
import { Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { type Mapwright, type Shown, startForRequests } from '../support/mapwright.ts';
import { projectRoot } from '../support/project.ts';
import { test } from '../support/test.ts';
import { type ConsoleOptions, ConsolePage, clickAt, drag } from './console-page.ts';
import { type LiveSample, liveSample, push } from './live-support.ts';

t.setTimeout(600_000);

/** Colours the room and creates a spot with a popup for each guest. */
async function addRules(mapwright: Mapwright, sample: LiveSample): Promise<void> {
  const { project, artboard, poly, variables } = sample;
  const x = await mapwright.post(`/projects/${project}/variables`, {
    name: 'Guest x',
    type: 'primitive-from-iterator',
    iterator_id: variables['Each guest'],
    data_path: { nodes: [{ id: 'n0', key: 'x' }], node_id: 'n0' },
  });
  await mapwright.post(`/projects/${project}/actions`, {
    name: 'Colour the room',
    object_id: poly,
    style_color: { name: 'color', type: 'variable', variable_id: variables.Heat },
  });
  await mapwright.post(`/projects/${project}/actions`, {
    name: 'Show the guests',
    type: 'create-spots',
    create_object_target_artboard_id: artboard,
    create_object_name: 'Guest {Guest}',
    create_spot_x_source_type: 'variable',
    create_spot_x_variable_id: x.shown.id,
    create_spot_y_custom_value: '500',
    create_popup: true,
    popup_title: 'About {Guest}',
  });
  await push(mapwright, sample, { taken: 25, guests: [{ id: 'a', name: 'Ann', x: 600 }] });
}

async function open(t: Test, options: ConsoleOptions = {}) {
  const mapwright = await startForRequests(t, { tiles: 'none', ...options.server });
  const sample = await liveSample(mapwright);
  await addRules(mapwright, sample);
  const opened = await ConsolePage.open(t, { mapwright, project: sample.project, ...options });
  const { page } = opened;
  const live = page.getByRole('switch', { name: 'Live' });
  const at = `/projects/${sample.project}/artboards/${sample.artboard}/objects`;
  const stored = async (id: string): Promise<Shown> => (await mapwright.get(`${at}/${id}`)).shown;
  const heading = (text: string) => page.locator('.inspector h2').filter({ hasText: text });
  return { ...sample, mapwright, opened, page, live, stored, heading };
}

test.all('Live shows what data make of the map, and marks what is not editable then', { skip }, async (t) => {
  const { opened, page, live, stored, heading, poly, spot } = await open(t);
  const still = await opened.picture();
  t.equal(await page.locator('.live-mark').count(), 0);
  await live.press('Space');
  await opened.row('Guest Ann').waitFor();
  await page.getByText('1 changed, 1 created').waitFor();
  await opened.waitUntilStill(still);
  t.equal(await opened.row('Room').locator('.live-mark').textContent(), 'Changed by data');
  t.equal(await opened.row('Guest Ann').locator('.live-mark').textContent(), 'Created by data');
  t.equal(await opened.row('Spot').locator('.live-mark').count(), 0);

  await clickAt(opened, 600, 500);
  await heading('Guest Ann').waitFor();
  await page.getByRole('button', { name: 'About Ann' }).click();
  await heading('About Ann').waitFor();
  await page.getByRole('button', { name: 'Guest Ann' }).click();
  await heading('Guest Ann').waitFor();
  t.equal(await page.locator('.inspector :is(input, textarea, select)').count(), 0, 'nothing to edit');
  await page.getByRole('button', { name: 'Show the guests' }).click();
  await page.locator('.resource-form').waitFor();
  t.equal(await opened.field('Name of the objects').inputValue(), 'Guest {Guest}', 'the form of its action');

  await opened.showList('object');
  await opened.row('Spot').click();
  await opened.type('Name', 'Fountain');
  await drag(opened, [400, 300], [450, 350]);
  await opened.waitUntilSaved();
  t.match(await stored(spot), { name: 'Fountain' }, 'everything else is editable');
  t.ok(Math.abs(Number((await stored(spot))['x']) - 450) < 3);

  await opened.row('Room').click();
  await page.locator('.members').filter({ hasText: 'stored: #3b82f6' }).waitFor();
  await drag(opened, [175, 150], [300, 300]);
  await opened.row('Room').press('Delete');
  await opened.press('ArrowRight', 'Delete', ']');
  await page.locator('.toast').filter({ hasText: 'Turn Live off to edit it' }).waitFor();
  await opened.waitUntilSaved();
  t.match(await stored(poly), { color: '#3b82f6', coords: [{ x: 100, y: 100 }, {}, {}, {}] }, 'it is as it was');

  await opened.row('Room').click();
  await page.getByRole('button', { name: 'Turn Live off to edit it' }).click();
  await opened.field('Fill').waitFor();
  t.equal(await opened.row('Guest Ann').count(), 0);
  t.equal(await page.locator('.live-mark').count(), 0);
  t.strictSame(opened.complaints, []);
});

t.test('while Live is on, pushes and edits change the map', { skip }, async (t) => {
  const { opened, page, live, mapwright, heading, ...sample } = await open(t);
  await live.click();
  await opened.row('Guest Ann').click();
  await heading('Guest Ann').waitFor();
  await push(mapwright, sample, {
    taken: 50,
    guests: [
      { id: 'b', name: 'Bo', x: 100 },
      { id: 'a', name: 'Anna', x: 200 },
    ],
  });
  await opened.row('Guest Bo').waitFor();
  await heading('Guest Anna').waitFor();
  await page.locator('.members').filter({ hasText: '200' }).waitFor();
  await opened.showList('action');
  await opened.row('Show the guests').click();
  await opened.type('Name of the objects', 'Visitor {Guest}');
  await opened.showList('object');
  await opened.row('Visitor Bo').waitFor();
  await opened.row('Visitor Bo').click();
  await push(mapwright, sample, { taken: 50, guests: [] });
  await opened.row('Visitor Bo').waitFor({ state: 'detached' });
  await page.locator('.inspector h2').filter({ hasText: 'Sample' }).waitFor();
});

test.all('a viewer who looks inside sees the map as its data make it', { skip }, async (t) => {
  const { opened, page, live } = await open(t, { readOnly: true });
  await live.click();
  await opened.row('Guest Ann').waitFor();
  t.equal(await page.getByRole('button', { name: 'Simulate data' }).count(), 0);
  t.strictSame(opened.complaints, []);
});

test.all('created objects are reached with the keyboard', { skip }, async (t) => {
  const { opened, page, live, heading } = await open(t);
  await live.press('Enter');
  await opened.row('Guest Ann').waitFor();
  await opened.press('Home', 'Tab', 'Tab');
  await heading('Guest Ann').waitFor();
  t.equal(await page.locator('p.sr-only[role=status]').first().textContent(), 'Guest Ann');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await opened.row('Spot').waitFor({ state: 'detached' });
  await opened.waitUntilSaved();
  t.equal(await opened.row('Room').count(), 1, 'what data change is not deleted');
});

for (const looks of [{ width: 1400 }, { width: 390, dark: true }]) {
  test.all(`Live and what it marks are accessible and fit the window: ${JSON.stringify(looks)}`, { skip }, async (t) => {
    const { opened, page, live } = await open(t, looks);
    const check = async (screen: string) => {
      t.strictSame(await opened.violations(), [], screen);
      t.equal(await opened.fits(), true, `${screen} fits`);
    };
    const pane = async (name: string) => {
      if (looks.width === 390) await page.locator('.panes').getByRole('button', { name }).click();
    };
    await live.click();
    await page.getByText('1 changed, 1 created').waitFor();
    await check('the map');
    for (const name of ['Room', 'Guest Ann']) {
      await pane('List');
      await opened.row(name).click();
      await check('the list');
      await pane('Form');
      await page.locator('.members').waitFor();
      await check(`form of ${name}`);
    }
    await pane('List');
    await opened.showList('action');
    await opened.row('Show the guests').click();
    await pane('Form');
    await page.evaluate("for (const section of document.querySelectorAll('details')) section.open = true");
    await check('form of an action');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const panel = page.getByRole('dialog');
    await panel.getByLabel('Seconds between two updates').waitFor();
    await check('publishing');
    await panel.getByRole('button', { name: 'Publish', exact: true }).click();
    await panel.getByRole('heading', { name: 'Data of the public map' }).waitFor();
    await check('published');
  });
}

test.all('Live stays on after a reload, in this project only, until it is turned off', { skip }, async (t) => {
  const { page, opened, mapwright, project } = await open(t);
  const other = await liveSample(mapwright);
  const isOn = async (expected: string): Promise<void> => page.locator(`.live-switch[aria-checked="${expected}"]`).waitFor();
  await isOn('false');
  await page.getByRole('switch', { name: 'Live' }).click();
  await isOn('true');
  await page.reload();
  await isOn('true');
  await page.locator('.live-effects').filter({ hasText: 'changed' }).waitFor();
  await opened.edit(other.project);
  await isOn('false');
  await opened.edit(project);
  await isOn('true');
  await page.getByRole('switch', { name: 'Live' }).click();
  await page.reload();
  await isOn('false');
  t.strictSame(opened.complaints, []);
});

test.all('publishing offers the refresh that suits the data sources, and says what visitors see', { skip }, async (t) => {
  let maxAge = 'max-age=300';
  const source = http.createServer((_, response) => response.setHeader('Cache-Control', maxAge).end('{"taken":20}'));
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  t.teardown(() => source.close());
  const { port } = source.address() as AddressInfo;
  const { page, opened, mapwright, project, source: id } = await open(t, { server: { dataHosts: `127.0.0.1:${port}` } });
  await mapwright.ask('DELETE', `/v1/projects/${project}/data-sources/${id}/response`);
  await mapwright.patch(`/projects/${project}/data-sources/${id}`, { url: `http://127.0.0.1:${port}/` });
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const panel = page.getByRole('dialog');
  const refresh = panel.getByLabel('Seconds between two updates');
  await opened.recorded.until("document.querySelector('#refresh')?.value === '300'");
  await panel.getByText('Visitors see data that is at most 10 minutes old').waitFor();
  await panel.getByRole('button', { name: 'Publish', exact: true }).click();
  await panel.getByText('The public copy is up to date').waitFor();
  t.match((await mapwright.get(`/projects/${project}/publication`)).shown, { refresh: 300 });
  await refresh.fill('60');
  await panel.getByText('Visitors see data that is at most 120 seconds old').waitFor();
  await panel.getByText('may be used for 300 seconds').waitFor();
  await panel.getByRole('button', { name: 'Use that' }).click();
  t.equal(await refresh.inputValue(), '300');
  await refresh.fill('0');
  await panel.getByText('Visitors see the map as it is').waitFor();
  t.equal(await panel.getByRole('button', { name: 'Use that' }).count(), 0, 'a still map is a choice');
  maxAge = 'max-age=1';
  await mapwright.ask('POST', `/v1/projects/${project}/data-sources/${id}/response`);
  await page.reload();
  await panel.getByText('may be used for 5 seconds').waitFor();
  maxAge = 'no-store';
  await mapwright.ask('POST', `/v1/projects/${project}/data-sources/${id}/response`);
  await page.reload();
  await refresh.fill('300');
  await panel.getByText('No data source asks for a shorter time: by default, visitors get new data every 60 seconds').waitFor();
});

test.all('the panel for publishing sets the refresh and shows what the data sources answered', { skip }, async (t) => {
  const { page, mapwright, project, source } = await open(t);
  const weatherSource = { name: 'Weather', url: 'http://127.0.0.1:9/now' };
  const read = (await mapwright.post(`/projects/${project}/data-sources`, weatherSource)).shown.id;
  await mapwright.post(`/projects/${project}/variables`, { name: 'Degrees', data_source_id: read });
  await mapwright.post(`/projects/${project}/data-sources`, { name: 'Unread', url: 'http://127.0.0.2:9/now' });
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const panel = page.getByRole('dialog');
  const refresh = panel.getByLabel('Seconds between two updates');
  t.equal(await refresh.inputValue(), '60', 'it has actions');
  await panel.getByText('the server asks 127.0.0.1:9').waitFor();
  t.notMatch(await panel.textContent(), /127\.0\.0\.2/, 'no variable reads it');
  await refresh.fill('3');
  t.equal(await panel.getByRole('button', { name: 'Publish', exact: true }).isDisabled(), true, 'less than 5');
  await refresh.fill('5');
  await panel.getByRole('button', { name: 'Publish', exact: true }).click();
  await panel.getByRole('listitem').filter({ hasText: 'Sensors' }).filter({ hasText: 'Newest response' }).waitFor();
  const published = async (): Promise<Shown> => (await mapwright.get(`/projects/${project}/publication`)).shown;
  t.match(await published(), { refresh: 5, version: 1 });
  const link = await panel.getByRole('textbox', { name: 'Link', exact: true }).inputValue();
  await fetch(`${link}/live.json`);
  const weather = panel.getByRole('listitem').filter({ hasText: 'Weather' });
  await weather.locator('.warning-text').waitFor();
  t.match(await weather.textContent(), /127\.0\.0\.1:9/);
  await panel.getByText('so a revoked secret stays in use').waitFor();
  await mapwright.delete(`/projects/${project}/data-sources/${source}`);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await panel.getByText('You have changed the map since').waitFor();
  await panel.getByRole('listitem').filter({ hasText: 'Sensors' }).waitFor();
  await refresh.fill('0');
  await panel.getByRole('button', { name: 'Publish the changes' }).click();
  await panel.getByRole('heading', { name: 'Data of the public map' }).waitFor({ state: 'detached' });
  t.match(await published(), { refresh: 0 });
});

test.all('the simulation moves the example of an office until it is stopped', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const file = path.join(projectRoot(import.meta.dirname), 'data/examples/office.json');
  const made = (await mapwright.post('/projects/import', JSON.parse(fs.readFileSync(file, 'utf8')))).shown;
  const opened = await ConsolePage.open(t, { mapwright, project: made.id });
  const { page } = opened;
  const simulate = page.getByRole('button', { name: 'Simulate data' });
  await page.locator('.artboard-row').filter({ hasText: 'Ground floor' }).click();
  await opened.press('0');
  const before = await opened.picture();
  await simulate.press('Enter');
  t.equal(await page.getByRole('switch', { name: 'Live' }).getAttribute('aria-checked'), 'true', 'it shows the result');
  await page.locator('.live-mark').first().waitFor();
  await opened.recorded.until(`document.querySelector('.map canvas').toDataURL() !== ${JSON.stringify(before)}`);
  const first = await opened.picture();
  await opened.recorded.until(`document.querySelector('.map canvas').toDataURL() !== ${JSON.stringify(first)}`);
  t.strictSame(await opened.violations(), []);
  await simulate.press('Enter');
  t.equal(await simulate.getAttribute('aria-pressed'), 'false');
  t.strictSame(opened.complaints, []);
  const { project } = await liveSample(mapwright);
  await opened.edit(project);
  await page.getByRole('switch', { name: 'Live' }).waitFor();
  t.equal(await simulate.count(), 0, 'it knows no data source of another project');
});

test.all('a published map follows what the panel has set', { skip }, async (t) => {
  const { page, mapwright, ...sample } = await open(t);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const panel = page.getByRole('dialog');
  await panel.getByLabel('Seconds between two updates').fill('5');
  await panel.getByRole('button', { name: 'Publish', exact: true }).click();
  const link = await panel.getByRole('textbox', { name: 'Link', exact: true }).inputValue();
  const visitor = await Page.open(t, link);
  await visitor.until("document.querySelector('mapwright-map')?.map !== undefined");
  const shows = (name: string): Promise<void> =>
    visitor.until(
      `fetch('${link}/live.json', { cache: 'no-store' }).then((answer) => answer.text()).then((text) => text.includes('${name}'))`,
    );
  await shows('Guest Ann');
  await push(mapwright, sample, { taken: 50, guests: [{ id: 'z', name: 'Zoe', x: 1 }] });
  await shows('Guest Zoe');
});
