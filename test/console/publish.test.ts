// tier: normal
/** Publishing in a browser, and a first visit: sign in, load the examples, move a spot, undo, publish. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { Deferred } from '../../src/lib/async/deferred.ts';
import { Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { keepPicture } from '../support/document-picture.ts';
import { startForRequests } from '../support/mapwright.ts';
import { test } from '../support/test.ts';
import { until } from '../support/until.ts';
import { ConsolePage, pointOf, sampleProject } from './console-page.ts';

t.setTimeout(600_000);

t.test('before publishing, the number of links that lead nowhere leads to them', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project, spot } = await sampleProject(mapwright);
  const opened = await ConsolePage.open(t, { mapwright, project });
  const { page } = opened;
  const panel = page.getByRole('dialog');
  const publish = page.getByRole('button', { name: 'Publish', exact: true });
  await publish.click();
  await panel.getByText('makes a copy of this map public').waitFor();
  t.equal(await panel.getByText('nowhere').count(), 0);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  const content = '<a href="#Lift">a</a> <a href="#Room">b</a> <a href="#Stairs">c</a>';
  await mapwright.post(`/projects/${project}/popups`, { name: 'Fountain', attachedTo: spot, content });
  await opened.listTab('popup').filter({ hasText: '(1)' }).waitFor();
  await publish.click();
  await panel.getByText('2 links lead nowhere.').waitFor();
  t.strictSame(await opened.violations(), []);
  await panel.getByRole('button', { name: 'Show in Problems' }).click();
  await panel.waitFor({ state: 'detached' });
  await page.locator('.problems button').filter({ hasText: '#Stairs' }).waitFor();
  t.equal(await page.locator('.problems li').count(), 2);
  t.strictSame(opened.complaints, []);
});

t.test('a readable address is set with the publication, and a taken one is said at its field', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project } = await sampleProject(mapwright);
  const { id: other } = (await mapwright.post('/projects', { name: 'Other' })).shown;
  await mapwright.ask('PUT', `/v1/projects/${other}/publication`, { body: { name: 'harbour' } });
  const opened = await ConsolePage.open(t, { mapwright, project });
  const { page } = opened;
  const panel = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const field = panel.getByLabel('Readable address');
  const button = panel.getByRole('button', { name: 'Publish', exact: true });
  await field.fill('Harbour!');
  t.equal(await button.isDisabled(), true);
  t.equal(await field.getAttribute('aria-invalid'), 'true');
  await field.fill('harbour');
  await button.click();
  await panel.getByRole('alert').getByText('This name is taken').waitFor();
  t.equal(await field.getAttribute('aria-invalid'), 'true');
  t.strictSame(await opened.violations(), []);
  await field.fill('lindenhof');
  t.equal(await panel.getByRole('alert').count(), 0, 'another name may be free');
  await button.click();
  await panel.getByText('The public copy is up to date').waitFor();
  const link = panel.getByRole('textbox', { name: 'Link', exact: true });
  t.equal(await link.inputValue(), `http://127.0.0.1:${mapwright.port}/p/lindenhof`);
  t.equal(await field.inputValue(), 'lindenhof');
  t.strictSame(await opened.violations(), []);
  const visitor = await Page.open(t, await link.inputValue());
  await visitor.until("document.querySelector('mapwright-map')?.map !== undefined");
  await visitor.value(`(() => {
    const map = document.createElement('mapwright-map');
    map.setAttribute('src', '/p/lindenhof');
    document.querySelector('mapwright-map').replaceWith(map);
  })()`);
  await visitor.until("document.querySelector('mapwright-map')?.map !== undefined");
  await field.fill('');
  await panel.getByRole('button', { name: 'Publish the changes' }).click();
  await until('the name is given up', async () => (await link.inputValue()).endsWith('/p/lindenhof') === false);
  t.equal((await mapwright.get(`/projects/${project}/publication`)).shown['name'], '');
  t.equal((await fetch(`http://127.0.0.1:${mapwright.port}/p/lindenhof`)).status, 404);
});

test.all('a map is published, shown as outdated, published again and withdrawn', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project } = await sampleProject(mapwright);
  await sampleProject(mapwright, 'Private');
  const opened = await ConsolePage.open(t, { mapwright, project });
  const { page } = opened;
  const panel = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await panel.getByText('makes a copy of this map public').waitFor();
  await panel.getByRole('button', { name: 'Publish', exact: true }).click();
  await panel.getByText('The public copy is up to date').waitFor();
  t.strictSame(await opened.violations(), []);
  const address = await panel.getByRole('textbox', { name: 'Link', exact: true }).inputValue();
  t.match(address, new RegExp(`^http://127.0.0.1:${mapwright.port}/p/[\\w-]+$`));
  const snippets = panel.locator('.copy-text textarea');
  for (const [use, count] of [
    ['Link', 1],
    ['Files', 2],
    ['Embed', 2],
  ] as const) {
    await panel.getByRole('tab', { name: use }).click();
    t.strictSame(
      await snippets.evaluateAll((texts) =>
        texts.map((text) => [text.scrollWidth > text.clientWidth, text.scrollHeight > text.clientHeight]),
      ),
      Array.from({ length: count }, () => [false, false]),
      'each text is visible as a whole',
    );
    t.strictSame(await opened.violations(), []);
  }
  const snippet = await panel.getByRole('textbox', { name: 'On your own page' }).inputValue();
  t.equal(
    snippet,
    `<script type="module" src="http://127.0.0.1:${mapwright.port}/viewer.js"></script>\n<mapwright-map src="${address}" search></mapwright-map>`,
  );
  const visitor = await Page.open(t, address);
  await visitor.until("document.querySelector('mapwright-map')?.map !== undefined");
  t.equal(await visitor.value('document.title'), 'Sample');
  t.strictSame(visitor.complaints, [], 'nothing is missing');
  await page.keyboard.press('Escape');
  await opened.row('Spot').click();
  await opened.type('Name', 'Renamed');
  await opened.waitUntilSaved();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await panel.getByText('You have changed the map since').waitFor();
  await panel.getByRole('tab', { name: 'Link' }).focus();
  await page.keyboard.press('ArrowRight');
  await panel.getByLabel('Pages that may show it in a frame').fill('https://www.example.com\nnonsense');
  await panel.getByRole('button', { name: 'Publish the changes' }).click();
  await panel.getByRole('alert').waitFor();
  await panel.getByLabel('Pages that may show it in a frame').fill('https://www.example.com');
  await panel.getByRole('button', { name: 'Publish the changes' }).click();
  await panel.getByText('Version 2').waitFor();
  t.match((await mapwright.get(`/projects/${project}/publication`)).shown, {
    version: 2,
    stale: false,
    origins: ['https://www.example.com'],
  });
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'hidden' });
  const { asked } = opened.recorded;
  const before = asked.length;
  await page.getByRole('link', { name: 'All projects' }).click();
  await page.locator('.badge', { hasText: 'Published' }).waitFor();
  await page.locator('.card img').first().waitFor();
  t.equal(await page.locator('.badge').count(), 1);
  t.strictSame(
    asked.slice(before).flatMap((each) => /[^/]*\/publications?$/.exec(each) ?? []),
    ['v1/publications'],
    'asked once for all cards',
  );
  await opened.edit(project);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Unpublish this map?' });
  await panel.getByRole('button', { name: 'Unpublish' }).first().click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  t.equal((await fetch(address)).status, 200, 'a link that would not come back');
  await panel.getByRole('button', { name: 'Unpublish' }).first().click();
  await question.getByText('The link does not come back').waitFor();
  t.strictSame(await opened.violations(), []);
  await question.getByRole('button', { name: 'Unpublish' }).click();
  await panel.getByText('makes a copy of this map public').waitFor();
  t.equal((await fetch(address)).status, 404);
  const late = await Page.open(t, address);
  t.equal(await late.page.getByRole('heading').textContent(), 'This map is not public (any more).');
  t.equal(
    await late.value("getComputedStyle(document.querySelector('main')).textAlign"),
    'center',
    'its policy allows its style',
  );
  t.match(opened.complaints, [/status of 400/]);
  t.equal(opened.complaints.length, 1, 'only that of the address that is none');
});

t.test('the panel begins at the button that publishes, if that is the one thing to do', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project } = await sampleProject(mapwright);
  const opened = await ConsolePage.open(t, { mapwright, project });
  const { page } = opened;
  const panel = page.getByRole('dialog');
  const open = async (text: string) => {
    await page.getByRole('button', { name: 'Publish', exact: true }).focus();
    await page.keyboard.press('Enter');
    await panel.getByText(text).waitFor();
  };
  const close = async () => {
    await page.keyboard.press('Escape');
    // A key that is pressed before the panel is gone goes to the panel.
    await panel.waitFor({ state: 'detached' });
  };
  // The button gets the focus after it is there.
  const focusIs = (text: string) =>
    opened.recorded.until(`(document.activeElement.textContent || document.activeElement.ariaLabel) === '${text}'`);
  await open('makes a copy of this map public');
  await focusIs('Publish');
  const button = panel.getByRole('button', { name: 'Publish', exact: true });
  const description = await page.locator(`#${await button.getAttribute('aria-describedby')}`).textContent();
  t.match(description, 'everybody who has its link can see it', 'a screen reader says what the button does');
  t.strictSame(await opened.violations(), []);
  await page.keyboard.down('Enter');
  await panel.getByText('The public copy is up to date').waitFor();
  await page.keyboard.up('Enter');
  await close();
  await open('The public copy is up to date');
  await focusIs('Close');
  await close();
  await mapwright.patch(`/projects/${project}`, { settings: { labels: 'none' } });
  await open('You have changed the map since');
  await focusIs('Publish the changes');
  const asked = new Deferred<void>();
  const answered = new Deferred<void>();
  await page.route('**/publication', async (route) => {
    asked.resolve();
    await answered.promise;
    await route.continue();
  });
  await mapwright.ask('PUT', `/v1/projects/${project}/publication`, { body: {} });
  await asked.promise;
  await focusIs('Publish the changes');
  answered.resolve();
  await panel.getByText('Version 2').waitFor();
  await page.unroute('**/publication');
  await close();
  await mapwright.patch(`/projects/${project}`, { settings: { labels: 'all' } });
  await open('You have changed the map since');
  await focusIs('Publish the changes');
  await page.keyboard.down('Enter');
  await panel.getByText('Version 3').waitFor();
  await page.keyboard.up('Enter');
  await close();
  await mapwright.post(`/projects/${project}/data-sources`, { name: 'Sensors', url: 'https://sensors.example/' });
  await mapwright.patch(`/projects/${project}`, { settings: {} });
  await open('You have changed the map since');
  await focusIs('Close');
  // The server refuses the picture of a version that is not the newest any more; the browser names such an answer.
  const others = opened.complaints.filter((complaint) => !/\b412\b/.test(complaint));
  t.strictSame(others, []);
});

t.test('the link of a public map comes first, with what copies and opens it', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project } = await sampleProject(mapwright);
  const opened = await ConsolePage.open(t, { mapwright, project, width: 1400, height: 900 });
  const { page } = opened;
  const panel = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await panel.getByRole('button', { name: 'Publish', exact: true }).click();
  await panel.getByText('The public copy is up to date').waitFor();
  const controls = panel.locator('button, a, input, select, textarea');
  const first = await controls.evaluateAll((all) =>
    all.slice(0, 8).map((each) => each.ariaLabel || each.textContent || each.title),
  );
  t.match(first, ['Close', 'Link', 'Embed', 'Files', 'QR code', 'Link', 'Copy', 'Open the public page']);
  const link = panel.getByRole('link', { name: 'Open the public page' });
  for (const control of [panel.getByRole('textbox', { name: 'Link', exact: true }), link]) {
    const box = await control.boundingBox();
    t.ok(box !== null && box.y > 0 && box.y + box.height < 900, 'it is visible without scrolling');
  }
  await panel.getByRole('tab', { name: 'Embed' }).click();
  await panel.getByRole('checkbox', { name: 'Menu: share, print, save as picture' }).check();
  t.match(await panel.getByRole('textbox', { name: 'On your own page' }).inputValue(), ' search menu></mapwright-map>');
  t.strictSame(opened.complaints, []);
});

t.test('a held key that opened the panel publishes nothing', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project } = await sampleProject(mapwright);
  const opened = await ConsolePage.open(t, { mapwright, project });
  const { page } = opened;
  await page.getByRole('button', { name: 'Publish', exact: true }).focus();
  await page.keyboard.down('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).and(page.locator(':focus')).waitFor();
  for (let repeats = 0; repeats < 5; repeats++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await page.keyboard.press('Escape');
  t.equal((await mapwright.get(`/projects/${project}/publication`)).status, 404);
});

t.test('a first visit chooses an example, moves a spot, undoes it and publishes the map', { skip }, async (t) => {
  const opened = await ConsolePage.open(t);
  const { page, mapwright } = opened;
  await page.getByRole('button', { name: 'An example' }).click();
  await page.getByRole('button', { name: 'Office', exact: false }).filter({ hasText: 'Three floors' }).click();
  await page.locator('.map canvas').waitFor();
  const bus = opened.row('Bus stop');
  await bus.click();
  const x = () => opened.field('X').inputValue();
  t.equal(await x(), '200');
  const at = async (x: number, y: number) => {
    const place = await pointOf(opened, x, y, { width: 1200, height: 800 });
    return [place.x, place.y] as const;
  };
  await page.mouse.move(...(await at(200, 674)));
  await page.mouse.down();
  await page.mouse.move(...(await at(300, 630)), { steps: 5 });
  await page.mouse.up();
  await opened.recorded.until("document.querySelector('#field-x').value !== '200'");
  await opened.waitUntilSaved();
  await page.getByRole('button', { name: 'Undo' }).click();
  await opened.recorded.until("document.querySelector('#field-x').value === '200'");
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('The public copy is up to date').waitFor();
  t.ok((await mapwright.get('/projects?fields=name')).list.length >= 1);
});

test.all('the map settings edit the names on the map and its legend', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project } = await sampleProject(mapwright);
  await mapwright.patch(`/projects/${project}`, { settings: { theme: 'dark' } });
  const opened = await ConsolePage.open(t, { mapwright, project });
  const { page } = opened;
  const panel = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Map settings' }).click();
  await panel.getByLabel('Names of objects').selectOption('auto');
  const colour = (n: number) => panel.getByRole('textbox', { name: `Colour ${n} of the legend`, exact: true });
  for (const name of ['Closed', 'Open', 'Planned']) {
    await panel.getByRole('button', { name: 'Add a colour to the legend' }).click();
    // The new row has the focus, and a colour that is not in the legend.
    await panel.locator('.legend-rows input:focus').waitFor();
    await page.keyboard.type(name);
  }
  await page.keyboard.press('Tab');
  await panel.getByRole('button', { name: '#dc2626', exact: true }).click();
  await opened.waitUntilSaved();
  t.strictSame((await mapwright.get(`/projects/${project}`)).shown['settings'], {
    theme: 'dark',
    labels: 'auto',
    legend: [
      { color: '#dc2626', name: 'Closed' },
      { color: '#3b82f6', name: 'Open' },
      { color: '#dc2626', name: 'Planned' },
    ],
  });
  const width = async () => (await colour(1).boundingBox())?.width ?? 0;
  t.ok((await width()) > 90, 'a colour code is legible');
  await page.setViewportSize({ width: 390, height: 780 });
  t.ok((await width()) > 90, 'also on a phone');
  t.equal(await opened.fits(), true);
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const n of [3, 2]) await panel.getByRole('button', { name: `Remove row ${n}` }).click();
  t.strictSame(await opened.violations(), []);
  await keepPicture('console-legend', () => page.screenshot());
  await panel.getByRole('button', { name: 'Remove row 1' }).click();
  await opened.waitUntilSaved();
  t.match((await mapwright.get(`/projects/${project}`)).shown['settings'], { legend: [] });
  t.strictSame(opened.complaints, []);
});

t.test('publishing draws the picture that chats show, without pictures that pages may not read', { skip }, async (t) => {
  const foreign = await site(t, { '/plan.svg': square('#00ff00') }, { allows: false });
  const own = await site(t, { '/plan.svg': square('#00ff00') }, { allows: true });
  const mapwright = await startForRequests(t, { tiles: 'none' });
  for (const [host, isThere] of [
    [own, true],
    [foreign, false],
  ] as const) {
    const objects = [{ type: 'poly', name: 'Room', coords: corners, color: '#ff0000', label: 'always' }];
    const { id } = (
      await mapwright.post('/projects', {
        name: 'Plan',
        artboards: [{ type: 'image', image_url: `${host}/plan.svg`, width: 1200, height: 630, objects }],
      })
    ).shown;
    const opened = await ConsolePage.open(t, { mapwright, project: id });
    const { page } = opened;
    const panel = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await panel.getByRole('button', { name: 'Publish', exact: true }).click();
    await panel.getByText('Chats show this picture once the server knows its public address').waitFor();
    const { picture, slug } = (await mapwright.ask('GET', `/v1/projects/${id}/publication`)).shown;
    const address = `http://127.0.0.1:${mapwright.port}/p/${slug}/${String(picture).split('/').at(-1)}`;
    const colours = await page.evaluate<object>(`(async () => {
      const image = new Image();
      image.src = '${address}';
      await image.decode();
      const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      const at = (x, y) => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)].join();
      return { size: [canvas.width, canvas.height], background: at(1100, 100), room: at(140, 140) };
    })()`);
    t.match(colours, { size: [1200, 630], room: '255,0,0' });
    t.equal(
      (colours as { background: string }).background === '0,255,0',
      isThere,
      `the background is ${isThere ? '' : 'not '}drawn`,
    );
    t.strictSame(await opened.violations(), []);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await mapwright.patch(`/projects/${id}`, { name: 'Other' });
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await panel.getByRole('button', { name: 'Publish the changes' }).click();
    await panel.getByText('Version 2').waitFor();
    await until('the new version has its picture', async () => {
      const { picture: next } = (await mapwright.ask('GET', `/v1/projects/${id}/publication`)).shown;
      return next !== null && next !== undefined;
    });
    if (isThere) t.strictSame(opened.complaints, []);
    await page.close();
  }
});

const corners = [
  { x: 100, y: 100 },
  { x: 400, y: 100 },
  { x: 400, y: 300 },
  { x: 100, y: 300 },
];

const square = (colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630"><rect width="1200" height="630" fill="${colour}"/></svg>`;

/** A web server with pictures. @param allows pages of other sites may read them */
async function site(t: Test, files: Record<string, string>, { allows }: { readonly allows: boolean }): Promise<string> {
  const server = http.createServer((req, res) => {
    const content = files[req.url ?? ''];
    res.writeHead(content === undefined ? 404 : 200, {
      'Content-Type': 'image/svg+xml',
      ...(allows && { 'Access-Control-Allow-Origin': '*' }),
    });
    res.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

t.test('a public map with tiles of openstreetmap.org says that its policy asks for another source', { skip }, async (t) => {
  const osm = 'Streets=https://tile.openstreetmap.org/{z}/{x}/{y}.png';
  const publicUrl = 'https://maps.example';
  const policy = 'its policy asks for another source';
  for (const [options, tiles, isShown] of [
    [{ publicUrl, tiles: `none||${osm}` }, 'Streets', true],
    [{ publicUrl, tiles: `none||${osm}` }, '', false],
    [{ tiles: `none||${osm}` }, 'Streets', false],
  ] as const) {
    const mapwright = await startForRequests(t, options);
    const made = await mapwright.post('/projects', { name: 'City', artboards: [{ type: 'osm', tiles }] });
    const prepare = async (page: ConsolePage['page']): Promise<void> => {
      await page.route('https://tile.openstreetmap.org/**', (route) => route.abort());
    };
    const opened = await ConsolePage.open(t, { mapwright, project: made.shown.id, prepare });
    const { page } = opened;
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Publishing makes a copy').waitFor();
    t.equal(await page.getByRole('link', { name: policy }).count(), isShown ? 1 : 0);
    if (!isShown) continue;
    t.equal(
      await page.getByRole('link', { name: policy }).getAttribute('href'),
      'https://operations.osmfoundation.org/policies/tiles/',
    );
    for (const name of ['MapTiler', 'Stadia Maps']) t.equal(await page.getByRole('link', { name }).count(), 1, name);
    t.strictSame(await opened.violations(), []);
  }
});
