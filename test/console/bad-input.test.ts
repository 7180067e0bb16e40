// tier: all
/** Bad input and failures: strange shapes, missing pictures, revoked keys, very long lists. */
import t from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests } from '../support/mapwright.ts';
import { sized } from '../support/tier.ts';
import { ConsolePage, clickAt, pointOf, sampleProject } from './console-page.ts';
import { endSessions } from './people-support.ts';

t.setTimeout(600_000);

t.test('the editor works with strange shapes, sizes and pictures', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const corners = (n: number) => Array.from({ length: n }, (_, at) => ({ x: at * 10, y: at * 7 }));
  const objects = [
    ...[0, 1, 2].map((n) => ({ type: 'poly', name: `${n} corners`, coords: corners(n) })),
    ...[0, -5, 1e9, 1e300].map((radius) => ({ type: 'spot', name: `radius ${radius}`, x: 10, y: 10, radius })),
    { type: 'spot', name: 'far away', x: 1e300, y: -1e300 },
    { type: 'spot', name: '', x: 50, y: 50, opacity: 99, color: 'no colour' },
  ];
  const artboards = [
    { name: 'Shapes', objects },
    ...[0, 1e9].map((size) => ({
      name: `size ${size}`,
      width: size,
      height: size,
      objects: [{ type: 'spot', name: 'inside', x: 1, y: 1 }],
    })),
    { name: 'Missing picture', type: 'image', image_url: '/nothing.png' },
    { name: 'No picture', type: 'image' },
    { name: 'The pole', type: 'osm', osm_lat: 1e9, osm_lng: -1e9, osm_zoom: 1e9 },
  ];
  const { id } = (await mapwright.post('/projects', { name: 'Bad', artboards })).shown;
  const opened = await ConsolePage.open(t, { mapwright, project: id });
  const { page } = opened;
  const missing = new Set<string>();
  page.on('response', (response) => void (response.status() === 404 && missing.add(new URL(response.url()).pathname)));
  for (const { name } of objects) {
    await opened
      .row(name === '' ? '(no name)' : name)
      .first()
      .click();
    await opened.press('ArrowRight');
    await opened.waitUntilSaved();
  }
  for (const { name } of artboards.slice(1)) {
    await page.locator('.artboard-row').filter({ hasText: name }).first().click();
    await opened.press('0', '+', '-');
    await opened.recorded.value('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  }
  await page.locator('.artboard-row').filter({ hasText: 'Missing picture' }).click();
  await page.getByText('The picture of this artboard cannot be loaded').waitFor();
  t.strictSame(
    opened.complaints.filter((text) => !/404|EncodingError/.test(text)),
    [],
  );
  t.strictSame([...missing], ['/nothing.png']);
  t.equal(await page.locator('.editor').count(), 1);
});

t.test('a drag is saved after the next sign-in if its session is ended meanwhile', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project, artboard, spot } = await sampleProject(mapwright);
  const opened = await ConsolePage.open(t, { mapwright, project });
  await clickAt(opened, 400, 300);
  const { mouse } = opened.page;
  const [from, to] = [await pointOf(opened, 400, 300), await pointOf(opened, 450, 320)];
  await mouse.move(from.x, from.y);
  await mouse.down();
  await mouse.move(to.x, to.y, { steps: 4 });
  await endSessions(mapwright);
  await mouse.up();
  const dialog = opened.page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByRole('alert').waitFor();
  const at = `/projects/${project}/artboards/${artboard}/objects/${spot}`;
  t.match((await mapwright.get(at)).shown, { x: 400, y: 300 });

  const signIn = async (text: string) => {
    await dialog.getByLabel('Invitation, or API key').fill(text);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
  };
  await signIn(await mapwright.newKey('bob'));
  await dialog.getByText('This cannot save your changes: sign in to the account “ann”').waitFor();
  const { urls } = await mapwright.server.consoleAddress('ann', {});
  await signIn(urls[0] as string);
  await dialog.waitFor({ state: 'detached' });
  await opened.waitUntilSaved();
  t.match((await mapwright.get(at)).shown, { x: 450, y: 320 });
  // The changes of others appear again, too.
  t.equal((await mapwright.patch(at, { name: 'By another user' })).status, 200);
  await opened.row('By another user').waitFor();
});

t.test('a session that is ended without unsaved changes leads to the sign-in screen', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project } = await sampleProject(mapwright);
  const opened = await ConsolePage.open(t, { mapwright, project });
  await endSessions(mapwright);
  await opened.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  t.equal(await opened.page.getByRole('alert').textContent(), 'Your session has ended.');
  await opened.page.getByLabel('Invitation, or API key').waitFor();
  t.equal(await opened.page.getByRole('dialog').count(), 0);
});

t.test('a list of very many objects renders only its visible rows', { skip }, async (t) => {
  const count = sized({ sample: 5_000, all: 100_000 });
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const spot = (at: number) => ({ type: 'spot', name: `Spot ${at}`, x: (at % 400) * 2, y: Math.floor(at / 400) * 2, radius: 1 });
  const objects = Array.from({ length: count }, (_, at) => spot(at));
  const project = { name: 'Many', artboards: [{ name: 'All', objects }] };
  // An import may be larger than a create.
  const { id } = (await mapwright.post('/projects/import', { format: 'mapwright-project', version: 1, project })).shown;
  const opened = await ConsolePage.open(t, { mapwright, project: id });
  const { page } = opened;
  await page.locator('.list-row').first().waitFor();
  const rows = await page.locator('.list-row').count();
  t.ok(rows < 100, `${rows} rows of ${count}`);
  await page.locator('.virtual-list').focus();
  await page.keyboard.press('End');
  await opened.row(`Spot ${count - 1}`).waitFor();
  await page
    .locator('.inspector h2')
    .filter({ hasText: `Spot ${count - 1}` })
    .waitFor();
  await opened.type('Name', 'The last one');
  await opened.row('The last one').waitFor();
  await opened.waitUntilSaved();
  await page.locator('#list-search').fill(`Spot ${Math.floor(count / 2)}`);
  await opened
    .row(`Spot ${Math.floor(count / 2)}`)
    .first()
    .click();
  t.strictSame(opened.complaints, []);
});

t.test('the form of a popup says that a map shows only the beginning of its content', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project, spot } = await sampleProject(mapwright);
  await mapwright.post(`/projects/${project}/popups`, { name: 'Long', attachedTo: spot, content: 'short' });
  const opened = await ConsolePage.open(t, { mapwright, project });
  await opened.showList('popup');
  await opened.row('Long').click();
  const hint = opened.page.locator('.resource-form .warning-text:not(:empty)');
  await opened.field('Content').waitFor();
  t.equal(await hint.count(), 0);
  await opened.field('Content').fill('<div>'.repeat(40));
  await hint.filter({ hasText: 'more than 32 elements are within each other' }).waitFor();
  await opened.field('Content').fill('<b>x</b>'.repeat(2001));
  await hint.filter({ hasText: 'more than 2,000 elements' }).waitFor();
  await opened.field('Content').fill('<b>x</b>');
  await hint.waitFor({ state: 'detached' });
  t.strictSame(opened.complaints, []);
});
