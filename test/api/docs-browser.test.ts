/** The API reference in a real browser, if there is one: see `test/support/browser.ts`. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { type Looks, Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { type Mapwright, startForRequests } from '../support/mapwright.ts';
import { test } from '../support/test.ts';

t.setTimeout(600_000);

/** Opens the reference at an address, and waits until its operations are shown. */
async function openReference(t: Test, url: string, looks?: Looks): Promise<Page> {
  const page = await Page.open(t, url, looks);
  await page.page.locator('.opblock-tag').first().waitFor();
  return page;
}

const requestsOf = (root: string): string[] =>
  ['docs', 'docs/docs.css', 'docs/docs.js', 'openapi.json'].map((name) => `GET ${root}/${name}`);

/** Enters a key with the keyboard only. */
async function enterKey({ page }: Page, key: string): Promise<void> {
  await page.locator('.btn.authorize').focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('auth-bearer-value').focus();
  await page.keyboard.type(key);
  await page.keyboard.press('Enter');
  await page.locator('.btn-done').focus();
  await page.keyboard.press('Enter');
}

/** Opens an operation and sends its request with the keyboard only; the text of the response. */
async function tryIt({ page }: Page, tag: string, id: string, body?: string): Promise<string> {
  const operation = page.locator(`[id="operations-${tag}-${id}"]`);
  if ((await operation.count()) === 0) {
    await page.locator(`[id="operations-tag-${tag}"] button`).first().focus();
    await page.keyboard.press('Enter');
  }
  await operation.locator('.opblock-summary-control').focus();
  await page.keyboard.press('Enter');
  if (body !== undefined) await operation.locator('textarea').fill(body);
  await operation.locator('.execute').focus();
  await page.keyboard.press('Enter');
  const response = operation.locator('.live-responses-table .response');
  await response.waitFor();
  return (await response.textContent()) ?? '';
}

/** Sends the request of an open operation again, with the keyboard only, and waits for a response with another status. */
async function tryAgain({ page }: Page, tag: string, id: string, status: number): Promise<string> {
  const operation = page.locator(`[id="operations-${tag}-${id}"]`);
  await operation.locator('.execute').focus();
  await page.keyboard.press('Enter');
  const response = operation.locator('.live-responses-table .response').filter({ hasText: new RegExp(`^${status}`) });
  await response.waitFor();
  return (await response.textContent()) ?? '';
}

test.all('the reference shows every operation, requests nothing from other hosts and fits the window', { skip }, async (t) => {
  const mapwright = await startForRequests(t);
  const root = `http://127.0.0.1:${mapwright.port}`;
  for (const looks of [{ width: 1400 }, { width: 390, dark: true }] as Looks[]) {
    const page = await openReference(t, `${root}/docs`, looks);
    t.match(await tryIt(page, 'Server', 'getHealth'), /^200/);
    t.strictSame([...page.asked].sort(), [...requestsOf(root), `GET ${root}/healthz`].sort());
    t.strictSame(page.complaints, []);
    t.equal(await page.value('document.documentElement.scrollWidth'), looks.width, 'nothing is wider than the window');
    const light = await page.value('getComputedStyle(document.documentElement).backgroundColor === "rgba(0, 0, 0, 0)"');
    t.equal(light, !(looks.dark ?? false), 'the colours follow the preference of the user');
    if (looks.dark !== true) await showsEveryOperation(t, mapwright, page);
  }
});

/** On a page that is open already: Swagger UI needs seconds of processor time to load. */
async function showsEveryOperation(t: Test, mapwright: Mapwright, page: Page): Promise<void> {
  await page.value("for (const closed of document.querySelectorAll('.opblock-tag[data-is-open=false] button')) closed.click()");
  const { text } = await mapwright.ask('GET', '/openapi.json', { key: '' });
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Record<string, unknown>>> };
  const described = Object.values(paths).flatMap((item) => Object.values(item));
  const ids = described.map(({ operationId }) => operationId).filter((id) => id !== undefined);
  const shown = (await page.value(
    '[...document.querySelectorAll(".opblock")].map(({ id }) => id.split("-").at(-1))',
  )) as string[];
  t.strictSame(shown.sort(), ids.sort());
  t.strictSame(page.complaints, []);
}

t.test(
  'requests carry the entered key until a reload, and the query of the address selects no other description',
  { skip },
  async (t) => {
    const mapwright = await startForRequests(t);
    const root = `http://127.0.0.1:${mapwright.port}`;
    const other = encodeURIComponent('https://other.example/openapi.json');
    const query = `?url=${other}&configUrl=${other}&urls=${other}&validatorUrl=${other}&oauth2RedirectUrl=${other}`;
    const page = await openReference(t, `${root}/docs${query}`);
    t.strictSame(
      [...page.asked].sort(),
      [...requestsOf(root), `GET ${root}/docs${query}`].filter((each) => each !== `GET ${root}/docs`).sort(),
      'the query selects no other description',
    );
    t.strictSame(page.complaints, []);
    const refused = await tryIt(page, 'Projects', 'createProject', '{"name":"Made <b>here</b>"}');
    t.match(refused, /^401[\s\S]*unauthorized/);
    await enterKey(page, mapwright.key);
    const made = await tryAgain(page, 'Projects', 'createProject', 200);
    t.match(made, /^200[\s\S]*"name": "Made <b>here<\/b>"/);
    t.match((await mapwright.ask('GET', '/v1/projects?fields=name')).text, '"name":"Made <b>here</b>"');

    const stored = `(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, await indexedDB.databases()]))()`;
    t.equal(await page.value(stored), JSON.stringify([{}, {}, '', []]), 'nothing is stored');
    t.notOk(page.page.url().includes(mapwright.key));
    t.ok(
      page.asked.every((asked) => asked.includes(` ${root}/`)),
      `${page.asked}`,
    );
    t.strictSame(
      page.complaints.filter((text) => !/status of 401/.test(text)),
      [],
    );
    await page.page.reload();
    await page.page.locator('.opblock-tag').first().waitFor();
    t.match(await tryIt(page, 'Projects', 'listProjects'), /^401/);
  },
);

test.all('below a path of another server, requests go to that path', { skip }, async (t) => {
  const mapwright = await startForRequests(t, { publicUrl: 'https://maps.example/maps' });
  const root = `${await mountBelow(t, '/maps', mapwright)}/maps`;
  const page = await openReference(t, `${root}/docs`);
  await enterKey(page, mapwright.key);
  t.match(await tryIt(page, 'Projects', 'listProjects'), /^200/);
  t.match(await tryIt(page, 'Server', 'getHealth'), /^200/);
  t.strictSame([...page.asked].sort(), [...requestsOf(root), `GET ${root}/api/v1/projects`, `GET ${root}/healthz`].sort());
  t.strictSame(page.complaints, []);
});

async function mountBelow(t: Test, prefix: string, { server }: Mapwright): Promise<string> {
  const host = http.createServer((req, res) => {
    if (!req.url?.startsWith(prefix)) return void res.writeHead(404).end();
    req.url = req.url.slice(prefix.length);
    server.handler(req, res);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    host.closeAllConnections();
    host.close();
  });
  return `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
}
