/** The files of the API reference as HTTP responses. `docs-browser.test.ts` uses the page in a browser. */
import t from 'tap';
import { startForRequests, startMapwright } from '../support/mapwright.ts';

const types = {
  '/docs': 'text/html; charset=utf-8',
  '/docs/docs.css': 'text/css; charset=utf-8',
  '/docs/docs.js': 'text/javascript; charset=utf-8',
};

/** Requests without a key. The description of the API does not list the files of the page. */
const ask = (port: number, path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { 'accept-encoding': 'identity', ...headers } });

t.test('the policy of the reference allows scripts, styles and requests of its own server only', async (t) => {
  const { port } = await startForRequests(t);
  for (const [path, type] of Object.entries(types)) {
    const { status, headers } = await ask(port, path);
    t.equal(status, 200, path);
    t.match(Object.fromEntries(headers), {
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    t.strictSame(headers.get('content-security-policy')?.split('; ').sort(), [
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "script-src 'self'",
      "style-src 'self'",
    ]);
  }
});

t.test('the files of the reference are compressed, and confirmed by their entity tags after a restart', async (t) => {
  const mapwright = await startMapwright(t);
  for (const path of Object.keys(types)) {
    const plain = await ask(mapwright.port, path);
    const text = await plain.text();
    const etag = String(plain.headers.get('etag'));
    t.equal(plain.headers.get('cache-control'), 'public, no-cache');
    t.match(await ask(mapwright.port, path, {}, 'HEAD'), { status: 200 });
    t.equal((await ask(mapwright.port, path, {}, 'POST')).status, 405);
    for (const coding of path === '/docs' ? [] : ['br', 'gzip']) {
      const coded = await ask(mapwright.port, path, { 'accept-encoding': coding });
      t.equal(coded.headers.get('content-encoding'), coding);
      t.equal(coded.headers.get('etag'), etag.replace(/"$/, `-${coding}"`));
      t.ok((await coded.text()) === text, 'the content is the same');
    }
    await mapwright.restart();
    t.equal((await ask(mapwright.port, path, { 'if-none-match': etag })).status, 304);
  }
});

t.test('the script of the reference contains the licences of the packages in it', async (t) => {
  const { port } = await startForRequests(t);
  const text = await (await ask(port, '/docs/docs.js')).text();
  const notice = text.slice(text.lastIndexOf('/*!\nThis script contains'));
  for (const words of ['mapwright (Apache-2.0)', 'swagger-ui-dist', 'SmartBear Software', 'react.production.min.js'])
    t.ok(notice.includes(words), words);
});

t.test('paths next to those of the reference are unknown', async (t) => {
  const { port } = await startForRequests(t);
  for (const path of ['/docs/', '/Docs', '/api/v1/docs', '/docs/start.js', '/docs/..%2Fviewer.js', '/docs/constructor'])
    t.equal((await ask(port, path)).status, 404, path);
});

t.test('docs: false removes the reference and keeps the description', async (t) => {
  const { port } = await startForRequests(t, { docs: false });
  for (const path of Object.keys(types)) t.equal((await ask(port, path)).status, 404, path);
  t.equal((await ask(port, '/openapi.json')).status, 200);
});
