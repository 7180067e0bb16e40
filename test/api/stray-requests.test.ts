// tier: normal
/** Paths of no endpoint: browsers get pages, programs problems, and `/` leads to the console. */
import t from 'tap';
import { startForRequests } from '../support/mapwright.ts';

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const at = async (port: number, path: string, headers: Record<string, string> = html, method = 'GET') =>
  await fetch(`http://127.0.0.1:${port}${path}`, { headers, method, redirect: 'manual' });

t.test('a browser that opens the server comes to the console', async (t) => {
  for (const [publicUrl, path, to] of [
    [undefined, '/', '/console'],
    ['https://maps.example/maps', '/maps/', '/maps/console'],
    ['https://maps.example/maps', '/maps', '/maps/console'],
    ['https://maps.example/maps', '/', '/maps/console'],
  ] as const) {
    const { port } = await startForRequests(t, publicUrl === undefined ? {} : { publicUrl });
    const { status, headers } = await at(port, path);
    t.strictSame([status, headers.get('location')], [302, to], path);
  }
});

t.test('unknown paths are a page for people and a problem for programs', async (t) => {
  const { port } = await startForRequests(t);
  for (const path of ['/nothing', '/api/v1/nothing', '/console/nothing.js', '/p/', '/%E0%A4', '//evil.example']) {
    const { status, headers } = await at(port, path);
    t.match([status, headers.get('content-type')], [404, 'text/html; charset=utf-8'], path);
    t.match(headers.get('content-security-policy'), "default-src 'none'");
    const program = await at(port, path, { accept: 'application/json' });
    t.match([program.status, program.headers.get('content-type')], [404, 'application/problem+json'], path);
  }
  t.match(await (await at(port, '/nothing')).text(), '<h1>There is nothing at this address.</h1>');
  t.equal((await at(port, '/nothing', html, 'HEAD')).status, 404);
  t.match((await at(port, '/nothing', html, 'POST')).headers.get('content-type'), 'application/problem+json');
  t.match((await at(port, '/', { accept: '*/*' })).headers.get('content-type'), 'application/problem+json');
});

t.test('without a console, the root is a page like any unknown path', async (t) => {
  const { port } = await startForRequests(t, { console: false });
  t.equal((await at(port, '/')).status, 404);
});

t.test('there is an icon', async (t) => {
  const { port } = await startForRequests(t);
  const icon = await at(port, '/favicon.ico', { accept: 'image/*' });
  t.strictSame([icon.status, icon.headers.get('content-type')], [200, 'image/x-icon']);
  const bytes = Buffer.from(await icon.arrayBuffer());
  t.equal(bytes.subarray(23, 26).toString(), 'PNG');
});
