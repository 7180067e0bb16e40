/** The reference page in a real browser, where one is named: see `test/support/browser.ts`. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { type Mapwright, startForRequests } from '../support/mapwright.ts';

t.setTimeout(600_000);

/** Opens "Try it" of an operation, fills in its form, sends it, and waits for something in the answer. */
async function tryIt(page: Page, id: string, values: Readonly<Record<string, string>>, wanted: string): Promise<string> {
  const at = `document.querySelector('#operation-${id} .try')`;
  await page.value(`${at}.open = true`);
  await page.until(`${at}.querySelector('.send') !== null`);
  for (const [name, value] of Object.entries(values))
    await page.value(`${at}.querySelector('${name}').value = ${JSON.stringify(value)}`);
  await page.value(`${at}.querySelector('.send').click()`);
  const output = `${at}.querySelector('output').textContent`;
  await page.until(`${output}.includes(${JSON.stringify(wanted)})`);
  return String(await page.value(output));
}

async function enterKey(page: Page, key: string): Promise<void> {
  await page.value(`{
    const input = document.querySelector('#key');
    input.value = ${JSON.stringify(key)};
    input.dispatchEvent(new Event('input'));
  }`);
}

t.test('it asks nobody else, and nothing is refused', { skip }, async (t) => {
  const mapwright = await startForRequests(t);
  const address = `http://127.0.0.1:${mapwright.port}/docs`;
  for (const looks of [{ dark: false }, { dark: true }, { width: 390 }]) {
    const page = await Page.open(t, address, looks);
    t.strictSame(page.asked, [`GET ${address}`], 'one request');
    t.strictSame(page.complaints, []);
    const width = looks.width ?? 1280;
    t.ok(Number(await page.value('document.documentElement.scrollWidth')) <= width, `it fits ${width} pixels`);
    const dark = await page.value('getComputedStyle(document.body).backgroundColor !== "rgb(255, 255, 255)"');
    t.equal(dark, looks.dark ?? false, 'as light as is wanted');
  }
});

t.test('an operation is found, and tried with a key', { skip }, async (t) => {
  const mapwright = await startForRequests(t);
  const page = await Page.open(t, `http://127.0.0.1:${mapwright.port}/docs`);
  await page.value(`{
    const filter = document.querySelector('#filter');
    filter.value = 'popup create';
    filter.dispatchEvent(new Event('input'));
  }`);
  const found =
    '[...document.querySelectorAll("nav li")].filter((item) => item.offsetParent !== null).map((item) => item.textContent)';
  const shown = (await page.value(found)) as string[];
  // It also searches descriptions, which mention popups elsewhere.
  for (const item of ['POST Create a popup', 'PopupCreate']) t.ok(shown.includes(item), item);
  for (const item of ['GET List popups', 'GET Liveness check']) t.notOk(shown.includes(item), item);

  t.match(await tryIt(page, 'listProjects', {}, 'unauthorized'), /^401/);
  await enterKey(page, mapwright.key);
  const made = await tryIt(page, 'createProject', { textarea: '{"name":"Made <b>here</b>"}' }, 'Made <b>here</b>');
  t.match(made, /^200 OK in \d+ ms, ETag "/);
  const { id } = JSON.parse(made.slice(made.indexOf('{'))) as { id: string };
  t.equal((await mapwright.ask('GET', `/v1/projects/${id}`)).shown['name'], 'Made <b>here</b>');
  t.equal(await page.value('document.querySelector("output b")'), null, 'an answer is text');
  t.match(await tryIt(page, 'listProjects', { 'input[name=limit]': '1', 'input[name=fields]': 'name' }, 'Made'), /^200 OK/);
  t.match(await tryIt(page, 'getProject', { 'input[name=project_id]': '../a b' }, 'not_found'), /^404/);
  t.match(await tryIt(page, 'getHealth', {}, 'ok'), /^200 OK/);
  t.match(await tryIt(page, 'followEvents', {}, 'id: '), /^200 OK[\s\S]*retry: 2000/, 'a stream shows as it comes');
  await page.value('document.querySelector("#operation-followEvents .send + button").click()');
  await page.until('!document.querySelector("#operation-followEvents .send").disabled');
  t.strictSame(
    page.complaints.filter((text) => !/status of 40[14]/.test(text)),
    [],
  );
  t.ok(
    page.asked.every((asked) => asked.includes(`http://127.0.0.1:${mapwright.port}/`)),
    `${page.asked}`,
  );
});

t.test('below a path of somebody else\u2019s server', { skip }, async (t) => {
  const mapwright = await startForRequests(t);
  const url = await mountBelow(t, '/maps', mapwright);
  const page = await Page.open(t, `${url}/maps/docs`);
  t.equal(await page.value('document.querySelector(".intro .base").textContent'), `${url}/maps/api/v1`);
  await enterKey(page, mapwright.key);
  t.match(await tryIt(page, 'listProjects', {}, '[]'), /^200 OK/);
  t.strictSame(page.asked, [`GET ${url}/maps/docs`, `GET ${url}/maps/api/v1/projects`]);
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
