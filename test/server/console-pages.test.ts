/** The pages of the console: over HTTP, without a browser. */
import zlib from 'node:zlib';
import t from 'tap';
import { startForRequests } from '../support/mapwright.ts';
import { ask, codeIn } from '../support/signed-in.ts';

t.test('the console pages have a content security policy, an entity tag and a compressed form', async (t) => {
  const mapwright = await startForRequests(t);
  const page = await ask(mapwright, 'GET', '/console');
  t.equal(page.status, 200);
  t.match(page.headers, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'public, no-cache',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
  const policy = String(page.headers['content-security-policy']);
  for (const part of [
    "default-src 'none'",
    "script-src 'self';",
    "connect-src 'self';",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ])
    t.ok(policy.includes(part), part);
  t.notMatch(policy, /unsafe/);
  t.notMatch(page.bytes.toString(), /<script>|\son\w+=|style=/, 'nothing of the page is inline');
  t.equal((await ask(mapwright, 'GET', '/console', { headers: { 'if-none-match': String(page.headers.etag) } })).status, 304);
  const files = [...page.bytes.toString().matchAll(/(?:src|href)="(console\/[^"]+)"/g)].map(([, file]) => `/${file}`);
  t.strictSame(files.sort(), ['/console/console.css', '/console/console.js']);
  for (const file of files) {
    const plain = await ask(mapwright, 'GET', file);
    const zipped = await ask(mapwright, 'GET', file, { headers: { 'accept-encoding': 'gzip' } });
    t.equal(zipped.headers['content-encoding'], 'gzip', file);
    t.ok(zlib.gunzipSync(zipped.bytes).equals(plain.bytes));
    t.equal(plain.headers['content-security-policy'], policy);
  }
  const script = (await ask(mapwright, 'GET', '/console/console.js')).bytes.toString();
  const [part = ''] = /part-[A-Z0-9]{8}\.js/.exec(script) ?? [];
  t.match(await ask(mapwright, 'GET', `/console/${part}`), { status: 200, headers: { 'cache-control': /immutable/ } });
  t.equal((await ask(mapwright, 'GET', '/console/office.json')).status, 200, 'the examples');
  for (const file of ['none.js', '..%2f..%2fpackage.json', '%2e%2e', 'index.html/', 'session/x/y'])
    t.equal((await ask(mapwright, 'GET', `/console/${file}`)).status, 404, file);
});

t.test('the console works below the path of a public URL', async (t) => {
  const mapwright = await startForRequests(t, { publicUrl: 'https://maps.example/base' });
  const { urls, path: at } = await mapwright.server.consoleAddress('ann');
  t.strictSame(urls, [`http://127.0.0.1:${mapwright.port}${at}`, `https://maps.example/base${at}`]);
  t.equal((await ask(mapwright, 'GET', '/base/console')).status, 200);
  t.equal((await ask(mapwright, 'GET', '/base/console/console.js')).status, 200);
  t.equal((await ask(mapwright, 'POST', '/base/console/session', { body: { code: codeIn(at) } })).status, 200);
});

t.test('console: false serves no console and gives no address', async (t) => {
  const mapwright = await startForRequests(t, { console: false });
  for (const target of ['/console', '/console/console.js', '/console/session'])
    t.equal((await ask(mapwright, 'GET', target, { headers: { authorization: `Bearer ${mapwright.key}` } })).status, 404, target);
  await t.rejects(mapwright.server.consoleAddress('ann'), { message: /--no-console/ });
});
