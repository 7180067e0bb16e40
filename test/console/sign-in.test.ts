// tier: normal
/** Signing in to the console in a browser: invitations, keys, several tabs, signing out. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page as PlaywrightPage } from 'playwright-core';
import t, { type Test } from 'tap';
import type { ListedSession } from '../../src/api/console/session-endpoints.ts';
import { violations } from '../support/axe.ts';
import { Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests, startMapwright } from '../support/mapwright.ts';
import { startProvider } from '../support/oidc-provider.ts';
import { test } from '../support/test.ts';
import { ConsolePage, sampleProject } from './console-page.ts';
import { invitePerson, signInAsOwner } from './people-support.ts';

t.setTimeout(600_000);

/** A server that browsers reach, before there is anything to serve. */
async function publicServer(
  t: Test,
): Promise<{ readonly origin: string; readonly serve: (handle: http.RequestListener) => void }> {
  const host = http.createServer();
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    host.closeAllConnections();
    host.close();
  });
  const serve = (handle: http.RequestListener) => void host.on('request', handle);
  return { origin: `http://127.0.0.1:${(host.address() as AddressInfo).port}`, serve };
}

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
  await page.goto(url);
  await page.locator('.welcome').waitFor();
  t.equal(page.url(), url.replace(/#.*/, '#/'), 'where it was used, it leads to the session');
});

t.test('all tabs share a session, and closing them ends nothing', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project } = await sampleProject(mapwright);
  const { page, recorded, complaints } = await ConsolePage.open(t, { mapwright });
  const root = `http://127.0.0.1:${mapwright.port}/console`;
  const context = page.context();
  const second = await context.newPage();
  await second.goto(`${root}#/p/${project}`);
  await second.locator('.map canvas').waitFor();
  await page.close();
  await second.close();
  const third = await context.newPage();
  await third.goto(root);
  await third.locator('.card').waitFor();
  t.equal(await third.evaluate('sessionStorage.length'), 0);
  t.equal(await third.evaluate('document.cookie'), '', 'no script reads the other half');
  await context.clearCookies();
  await third.reload();
  await third.getByText('Your session has ended.').waitFor();
  t.equal(await third.evaluate("localStorage.getItem('mapwright.console.session /')"), null, 'one half alone is none');
  t.ok(recorded.asked.every((each) => each.includes(`${root.replace('/console', '')}/`)));
  t.strictSame(complaints, []);
});

t.test('signing out in one tab ends the others, which follow the next sign-in', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project, spot, artboard } = await sampleProject(mapwright);
  const writing = await ConsolePage.open(t, { mapwright, project });
  const { page } = writing;
  const [looking, waiting] = [await page.context().newPage(), await page.context().newPage()];
  const root = `http://127.0.0.1:${mapwright.port}/console`;
  for (const each of [looking, waiting]) {
    await each.goto(root);
    await each.locator('.card').waitFor();
  }
  await writing.row('Spot').click();
  await writing.field('Name').fill('Typed');
  await looking.getByRole('button', { name: 'Account menu of owner' }).click();
  await looking.getByRole('menuitem', { name: 'Sign out' }).click();
  await looking.getByText('You are signed out.').waitFor();
  await waiting.getByText('Your session has ended.').waitFor();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByText('Your last changes are not saved.').waitFor();
  t.strictSame(await writing.violations(), []);

  const { urls } = await mapwright.server.consoleAddress('ann');
  await waiting.getByLabel('Invitation, or API key').fill(urls[0] as string);
  await waiting.keyboard.press('Enter');
  await waiting.locator('.card').waitFor();
  await looking.locator('.card').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await writing.field('Name').press('Tab');
  await writing.row('Typed').waitFor();
  await writing.waitUntilSaved();
  const at = `/projects/${project}/artboards/${artboard}/objects/${spot}`;
  t.match((await mapwright.get(at)).shown, { name: 'Typed' });
});

t.test('another person in one tab is that person in all tabs', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project } = await sampleProject(mapwright);
  const opened = await ConsolePage.open(t, { mapwright, project });
  const { url } = await invitePerson(mapwright, { name: 'Vera', role: 'viewer' });
  const second = await opened.page.context().newPage();
  const questions: string[] = [];
  second.once('dialog', (dialog) => void dialog.dismiss());
  await second.goto(url);
  await second.getByRole('button', { name: 'Account menu of owner' }).waitFor();
  second.once('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.accept();
  });
  await second.goto('about:blank');
  await second.goto(url);
  await second.getByRole('button', { name: 'Account menu of Vera' }).waitFor();
  t.match(questions, [/This link is for "Vera" .* signed in as "owner"/]);
  await opened.page.getByRole('button', { name: 'Account menu of Vera' }).waitFor();
  await opened.page.getByTitle('Map of Sample').waitFor();
  t.equal(await opened.page.locator('.editor').count(), 0, 'with what a viewer may do');
});

t.test('the sign-in page names the ways that there are', { skip }, async (t) => {
  const local = await startMapwright(t);
  const page = await Page.open(t, `http://127.0.0.1:${local.port}/console`);
  await page.page.getByRole('heading', { name: 'This server is on your machine' }).waitFor();
  const command = page.page.locator('.copy-text textarea');
  t.equal(await command.inputValue(), `npx mapwright console --data ${local.data}`);
  t.equal(await page.page.getByText('ask an owner').count(), 0);
  t.strictSame(await violations(page), []);
  const far = await startForRequests(t, { publicUrl: 'https://maps.example' });
  const other = await Page.open(t, `http://127.0.0.1:${far.port}/console`);
  await other.page.getByText('Without an invitation, ask an owner of the account for one.').waitFor();
  t.equal(await other.page.getByText('npx').count(), 0, 'no command for others');
});

t.test('an identity provider is a button of the sign-in page, and of people who are signed in', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const root = `http://127.0.0.1:${mapwright.port}`;
  const asked: { readonly body: unknown; readonly hasSession: boolean }[] = [];
  const prepare = async (page: PlaywrightPage): Promise<void> => {
    await page.route('**/console/ways', (route) => route.fulfill({ json: { dataFolder: null, oidc: { name: 'Example ID' } } }));
    await page.route('**/console/oidc', (route) => {
      const request = route.request();
      asked.push({ body: request.postDataJSON(), hasSession: 'mapwright-session' in request.headers() });
      return route.fulfill({ json: { location: `${root}/docs/guide` } });
    });
  };
  const project = '0190a5d0-0000-7000-8000-000000000001';
  const { page } = await Page.open(t, `${root}/console#/p/${project}/history`, { prepare });
  await page.getByRole('button', { name: 'Sign in with Example ID' }).click();
  await page.waitForURL('**/docs/guide');
  const opened = await ConsolePage.open(t, { mapwright, prepare });
  await opened.chooseInAccountMenu('You and your devices');
  await opened.page.getByRole('button', { name: 'Sign in with Example ID from now on' }).click();
  await opened.page.waitForURL('**/docs/guide');
  t.strictSame(asked, [
    { body: { return: `/p/${project}` }, hasSession: false },
    { body: { bind: true }, hasSession: true },
  ]);
});

t.test('people who sign in with a provider come back to the project whose address they opened', { skip }, async (t) => {
  const { origin: publicUrl, serve } = await publicServer(t);
  const provider = await startProvider(t, `${publicUrl}/console/oidc/callback`);
  const mapwright = await startForRequests(t, { tiles: 'none', publicUrl, ...provider.options });
  serve((req, res) => mapwright.server.handler(req, res));
  const { project } = await sampleProject(mapwright);
  await invitePerson(mapwright, { name: 'Vera', role: 'viewer', email: 'vera@example.com' });
  provider.users.set('v', { email: 'vera@example.com', email_verified: true });
  provider.signInAs('v');
  const { page, complaints } = await Page.open(t, `${publicUrl}/console#/p/${project}/history`);
  await page.getByRole('button', { name: 'Sign in with' }).click();
  await page.getByTitle('Map of Sample').waitFor();
  await page.getByRole('button', { name: 'Account menu of Vera' }).waitFor();
  t.equal(page.url(), `${publicUrl}/console#/p/${project}`);
  t.strictSame(complaints, []);
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
  t.ok(
    complaints.every((each) => /status of 401/.test(each)),
    'nothing but the end of the former session',
  );
  const pasted = await Page.open(t, root);
  await pasted.page.getByLabel('Invitation, or API key').fill(await addressOf(walk));
  await pasted.page.keyboard.press('Enter');
  await shows('City walk', pasted);
  t.equal(pasted.page.url(), `${root}#/p/${walk}`);
});

test.all('a pasted key signs in, and signing out removes it', { skip }, async (t) => {
  const mapwright = await startForRequests(t);
  const { page } = await Page.open(t, `http://127.0.0.1:${mapwright.port}/console`);
  await page.getByLabel('Invitation, or API key').fill('nonsense key');
  await page.getByRole('button', { name: 'Sign in' }).click();
  t.match(await page.getByRole('alert').textContent(), /nor an API key/);
  await page.getByLabel('Invitation, or API key').fill('mw_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('not valid here').waitFor();
  await page.getByLabel('Invitation, or API key').fill(mapwright.key);
  await page.keyboard.press('Enter');
  await page.locator('.welcome').waitFor();
  t.equal(await page.evaluate('localStorage.length'), 0, 'it stays in this tab');
  await page.getByRole('button', { name: 'Account menu of API key' }).click();
  t.strictSame(await page.getByRole('menuitem').allTextContents(), ['Guide', 'Sign out']);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByText('You are signed out').waitFor();
  t.equal((await mapwright.get('/projects')).status, 200, 'the key of the user still works');
  t.equal(await page.evaluate('sessionStorage.length'), 0);
});

test.all('signing out ends the session on the server', { skip }, async (t) => {
  const opened = await ConsolePage.open(t);
  const { page, mapwright } = opened;
  const ended = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await opened.chooseInAccountMenu('Sign out');
  await page.getByText('You are signed out').waitFor();
  t.equal((await ended).status(), 204);
  const ask = await signInAsOwner(mapwright);
  t.equal(((await ask('GET', 'sessions')) as ListedSession[]).length, 1, 'that of the test alone');
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  t.equal(await page.evaluate("localStorage.getItem('mapwright.console.session /')"), null);
});

test.all('a session for one project edits that project and creates none', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { tiles: 'none' });
  const { project } = await sampleProject(mapwright);
  await sampleProject(mapwright, 'Other');
  const opened = await ConsolePage.open(t, { mapwright, projects: [project] });
  const { page } = opened;
  await page.getByRole('link', { name: 'All projects' }).click();
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
  const { origin, serve } = await publicServer(t);
  serve((req, res) => {
    if (!req.url?.startsWith('/maps/')) return void res.writeHead(404).end();
    req.url = req.url.slice('/maps'.length);
    mapwright.server.handler(req, res);
  });
  const { path } = await mapwright.server.consoleAddress('ann');
  const { page, asked, complaints } = await Page.open(t, `${origin}/maps${path}`);
  await page.locator('.card').waitFor();
  await page.evaluate(`location.hash = '#/p/${project}'`);
  await page.locator('.map canvas').waitFor();
  const secret = await page.evaluate("localStorage.getItem('mapwright.console.session /maps/')");
  t.match(secret, /^0/, 'another server on this origin has another session');
  t.strictSame(
    asked.filter((each) => !each.includes(`${origin}/maps/`)),
    [],
  );
  t.strictSame(complaints, []);
});
