// tier: normal
/** Signing in to the console in a browser: codes, keys, signing out. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests } from '../support/mapwright.ts';
import { test } from '../support/test.ts';
import { ConsolePage, sampleProject } from './console-page.ts';

t.setTimeout(600_000);

t.test('a code signs in once and is removed from the address, and a reload stays signed in', { skip }, async (t) => {
  const mapwright = await startForRequests(t);
  const [url = ''] = (await mapwright.server.consoleAddress('ann')).urls;
  const { page, complaints, asked } = await Page.open(t, url);
  await page.locator('.welcome').waitFor();
  t.equal(page.url(), url.replace(/#.*/, ''), 'the code is neither in the address nor in the history');
  t.equal(await page.evaluate('history.length'), 2);
  await page.reload();
  await page.locator('.welcome').waitFor();
  t.ok(
    asked.every((each) => each.includes(`http://127.0.0.1:${mapwright.port}/`)),
    'only its own server is asked',
  );
  t.strictSame(complaints, []);
  t.equal(await page.evaluate('document.cookie'), '');
  const second = await Page.open(t, url);
  t.match(await second.page.getByRole('alert').textContent(), /used before/, 'the code works once');
});

test.all('an address with a project opens its editor in a new tab, in a signed-in one, and pasted', { skip }, async (t) => {
  const mapwright = await startForRequests(t);
  const [walk, other] = [
    (await mapwright.post('/projects', { name: 'City walk' })).shown.id,
    (await mapwright.post('/projects', { name: 'Other' })).shown.id,
  ];
  const addressOf = async (open: string) => String((await mapwright.server.consoleAddress('ann', { open })).urls[0]);
  const opened = await Page.open(t, await addressOf('City walk'));
  const { page, complaints } = opened;
  const root = `http://127.0.0.1:${mapwright.port}/console`;
  const shows = (name: string, where = opened) => where.until(`document.title.startsWith('${name}')`);
  await shows('City walk');
  t.equal(page.url(), `${root}#/p/${walk}`, 'the code is neither in the address nor in the history');
  await page.reload();
  await shows('City walk');
  const again = new URL(await addressOf(other));
  await page.evaluate(`location.hash = ${JSON.stringify(again.hash)}`);
  await shows('Other');
  t.equal(page.url(), `${root}#/p/${other}`);
  await page.goBack();
  await shows('City walk');
  t.strictSame(complaints, []);
  const pasted = await Page.open(t, root);
  await pasted.page.getByLabel('Sign-in link, or API key').fill(await addressOf(walk));
  await pasted.page.keyboard.press('Enter');
  await shows('City walk', pasted);
  t.equal(pasted.page.url(), `${root}#/p/${walk}`);
});

test.all('a pasted key signs in, and signing out removes it', { skip }, async (t) => {
  const mapwright = await startForRequests(t);
  const { page } = await Page.open(t, `http://127.0.0.1:${mapwright.port}/console`);
  await page.getByLabel('Sign-in link, or API key').fill('nonsense key');
  await page.getByRole('button', { name: 'Sign in' }).click();
  t.match(await page.getByRole('alert').textContent(), /nor an API key/);
  await page.getByLabel('Sign-in link, or API key').fill('mw_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('not valid here').waitFor();
  await page.getByLabel('Sign-in link, or API key').fill(mapwright.key);
  await page.keyboard.press('Enter');
  await page.locator('.welcome').waitFor();
  await page.getByRole('button', { name: 'Signed in to ann' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByText('You are signed out').waitFor();
  t.equal((await mapwright.get('/projects')).status, 200, 'the key of the user still works');
});

test.all('signing out revokes the session key of the console', { skip }, async (t) => {
  const { page, mapwright } = await ConsolePage.open(t);
  await page.getByRole('button', { name: 'Signed in to ann' }).click();
  const revoked = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByText('You are signed out').waitFor();
  t.equal((await revoked).status(), 204);
  t.equal((await mapwright.server.keys()).find(({ label }) => label === 'console')?.state, 'revoked');
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  t.equal(await page.evaluate('sessionStorage.length'), 0);
});

t.test('a read-only key shows no control that writes', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project } = await sampleProject(mapwright);
  const reader = await ConsolePage.open(t, { mapwright, readOnly: true });
  const { page } = reader;
  await page.getByText('Read only').waitFor();
  const buttons = async () =>
    (await page.getByRole('button').allTextContents()).map((text) => text.trim()).filter((text) => text !== '');
  t.strictSame(await buttons(), ['A'], 'on the cards, only the menu of the account');
  await page.getByRole('button', { name: 'More for Sample' }).click();
  t.strictSame(await page.getByRole('menuitem').allTextContents(), ['Download']);
  await reader.edit(project);
  await reader.row('Spot').click();
  await page.locator('.inspector h2').filter({ hasText: 'Spot' }).waitFor();
  t.strictSame(
    (await buttons()).filter((text) => !/^(?:Sample|Floor|List|Map|Form|A|\d)/.test(text)),
    [],
  );
  for (const name of ['Undo', 'Publish', 'Add spots (S)', 'Add an artboard'])
    t.equal(await page.getByRole('button', { name }).count(), 0, name);
  t.equal(
    await page.locator('.resource-form :is(input, textarea):not([readonly], :disabled)').count(),
    0,
    'no field takes a text',
  );
  t.equal(await page.locator('.resource-form select:not(:disabled)').count(), 0);
  const before = (await mapwright.get(`/projects/${project}`)).headers['etag'];
  await reader.press('Delete', 's', 'Enter', 'ArrowRight', 'Control+v', 'Control+d', ']');
  t.equal(await reader.asksBeforeClosing(), false, 'no key makes a change that waits to be saved');
  // A change that was being saved would be sent before this one of another user is shown.
  const { etag } = (await mapwright.get(`/projects/${project}`)).headers;
  await mapwright.post(`/projects/${project}/popups`, { name: 'By another user' });
  await reader.showList('popup');
  await reader.row('By another user').waitFor();
  t.strictSame(
    reader.recorded.asked.filter((asked) => !/^GET|\/console\/session\b/.test(asked)),
    [],
  );
  t.equal(etag, before, 'no key writes');
  t.strictSame(reader.complaints, []);
});

test.all('a session for one project edits that project and creates none', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project } = await sampleProject(mapwright);
  await sampleProject(mapwright, 'Other');
  const opened = await ConsolePage.open(t, { mapwright, projects: [project] });
  const { page } = opened;
  await page.locator('.card').first().waitFor();
  t.strictSame(await page.locator('.card-name').allTextContents(), ['Sample']);
  t.equal(await page.getByRole('button', { name: 'New project' }).count(), 0);
  await page.getByRole('button', { name: 'More for Sample' }).click();
  t.strictSame(await page.getByRole('menuitem').allTextContents(), ['Download', 'Delete']);
  await opened.edit(project);
  await opened.row('Spot').click();
  await opened.type('Name', 'Renamed');
  await opened.row('Renamed').waitFor();
  await opened.waitUntilSaved();
});

test.all('the console works below a path of another server', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project } = await sampleProject(mapwright);
  const host = http.createServer((req, res) => {
    if (!req.url?.startsWith('/maps/')) return void res.writeHead(404).end();
    req.url = req.url.slice('/maps'.length);
    mapwright.server.handler(req, res);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    host.closeAllConnections();
    host.close();
  });
  const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  const { path } = await mapwright.server.consoleAddress('ann');
  const { page, asked, complaints } = await Page.open(t, `${origin}/maps${path}`);
  await page.locator('.card').waitFor();
  await page.evaluate(`location.hash = '#/p/${project}'`);
  await page.locator('.map canvas').waitFor();
  t.strictSame(
    asked.filter((each) => !each.includes(`${origin}/maps/`)),
    [],
  );
  t.strictSame(complaints, []);
});
