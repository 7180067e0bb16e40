/** `mapwright view`: what it serves to a browser, to whom, and that the key stays here. */
import http from 'node:http';
import t, { type Test } from 'tap';
import { Page, skipWithoutBrowser } from '../support/browser.ts';
import { Command, must, run, serve, temporaryFolder } from '../support/process.ts';

interface Opened {
  readonly url: string;
  readonly key: string;
  readonly server: { readonly url: string; readonly key: string };
}

async function view(t: Test, args: readonly string[] = [], flags: readonly string[] = []): Promise<Opened> {
  const server = await serve(t, temporaryFolder(t), flags);
  const command = new Command(['view', '--url', server.url, ...args], { env: { MAPWRIGHT_KEY: server.key } });
  t.teardown(() => command.end('SIGKILL'));
  const url = (await command.printed(/^Open (http:\S+)/m))[1] as string;
  return { url, key: server.key, server };
}

interface Got {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

/** One request, with whatever `Host` is wanted. */
function get(url: string, options: http.RequestOptions = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const req = http.request(url, { agent: false, ...options }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      res.once('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, text }));
    });
    req.once('error', reject).end();
  });
}

t.test('the page, everything that it names, and the projects', async (t) => {
  const page = await view(t);
  const made = await must(page.server, 'POST', '/projects', { name: 'Seen', artboards: [{ objects: [{ type: 'spot' }] }] });
  const html = await get(page.url);
  t.match(html, { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
  t.match(html.headers['content-security-policy'], /default-src 'none'; script-src 'self';/);
  const named = [...html.text.matchAll(/(?:src|href)="(\w[^":]*)"/g)].map((match) => match[1] as string);
  t.strictSame(named.sort(), ['view.css', 'view.js', 'viewer.js']);
  for (const name of named) t.match(await get(page.url + name), { status: 200, text: /\{/ });
  t.notMatch(html.text, /<(script|style)>|\son\w+=|style=/, 'nothing that its policy forbids');

  const listed = await get(`${page.url}v1/projects?fields=name&limit=1`);
  t.strictSame(JSON.parse(listed.text), [{ id: made.id, name: 'Seen' }]);
  const whole = await get(`${page.url}v1/projects/${made.id}`);
  t.strictSame(JSON.parse(whole.text), made);
  t.match(whole.headers.etag, /^"[\w.-]+"$/, 'where the feed goes on');
  t.match(await get(`${page.url}v1/projects/none`), { status: 404, text: /returned 404/ });
  for (const { text } of [html, listed, whole]) t.notOk(text.includes(page.key));
  const missing = [await get(`${page.url}none`), await get(`${page.url}v1/projects/none`)];
  const isolated = {
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
  for (const { headers } of [html, listed, whole, ...missing]) t.match(headers, isolated);
});

t.test('the script that draws is that of the server, with its tiles', async (t) => {
  const page = await view(t, [], ['--tiles', 'https://tiles.example/{z}/{x}/{y}.png']);
  const script = await get(`${page.url}viewer.js`);
  t.match(script, { status: 200, headers: { 'content-type': 'text/javascript; charset=utf-8' } });
  t.ok(script.text.includes('https://tiles.example/{z}/{x}/{y}.png'));
  t.equal(script.text, (await get(`${page.server.url}/viewer.js`)).text);
});

t.test('it draws, and follows changes', { skip: skipWithoutBrowser }, async (t) => {
  const page = await view(t, [], ['--tiles', 'none']);
  const made = await must(page.server, 'POST', '/projects', { name: 'Seen', artboards: [{ type: 'osm' }] });
  const objects = `/projects/${made.id}/artboards/${(made['artboards'] as { id: string }[])[0]?.id}/objects`;
  for (const looks of [{}, { width: 390, dark: true }]) {
    const opened = await Page.open(t, page.url, looks);
    const shown = "document.querySelector('mapwright-map').shownArtboard";
    await opened.until(`${shown}?.objects.length === 0`);
    const { id } = await must(page.server, 'POST', objects, { type: 'spot', name: 'New' });
    await opened.until(`${shown}.objects[0]?.name === 'New'`);
    await must(page.server, 'DELETE', `${objects}/${id}`);
    await opened.until(`${shown}.objects.length === 0`);
    t.equal(await opened.value('document.documentElement.scrollWidth <= innerWidth'), true);
    t.equal(await opened.value("document.querySelector('#state').textContent"), 'live');
    t.strictSame(opened.complaints, []);
    t.ok(opened.asked.every((asked) => asked.startsWith(`GET ${page.url}`)));
  }
});

t.test('changes reach it as they are made', async (t) => {
  const page = await view(t);
  const made = await must(page.server, 'POST', '/projects', { name: 'Followed' });
  const { headers } = await get(`${page.url}v1/projects/${made.id}`);
  const after = String(headers.etag).replaceAll('"', '');
  const told = new Promise<string>((resolve, reject) => {
    const req = http.get(`${page.url}v1/projects/${made.id}/events?after=${after}`, { agent: false }, (res) => {
      t.match(res, { statusCode: 200, headers: { 'content-type': /^text\/event-stream/ } });
      let text = '';
      res.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        if (!text.includes('event: popup.created')) return;
        resolve(text);
        req.destroy();
      });
      res.once('error', () => undefined);
    });
    req.once('error', reject);
  });
  await must(page.server, 'POST', `/projects/${made.id}/popups`, { title: 'New' });
  t.match(await told, /"title":"New"/);
});

t.test('nobody else, and nothing but reading', async (t) => {
  const page = await view(t);
  const { origin, port, pathname } = new URL(page.url);
  t.match(pathname, /^\/[\w-]{16}\/$/, 'an address that cannot be guessed');
  for (const path of ['/', '/v1/projects', '/view.js', '/AAAAAAAAAAAAAAAA/v1/projects']) {
    t.match(await get(origin + path), { status: 404 }, path);
  }
  for (const host of ['evil.example', `evil.example:${port}`, `localhost.evil.example:${port}`]) {
    t.match(await get(`${page.url}v1/projects`, { headers: { host } }), { status: 404 }, `asked for as ${host}`);
  }
  for (const method of ['POST', 'PATCH', 'DELETE', 'PUT']) {
    t.match(await get(`${page.url}v1/projects`, { method }), { status: 404 }, method);
  }
  for (const path of ['..%2fpackage.json', '../package.json', 'constructor', '__proto__', 'view.js/../../../package.json']) {
    t.match(await get(page.url + path, { path: pathname + path }), { status: 404 }, path);
  }
  t.strictSame(await must(page.server, 'GET', '/projects'), []);
});

t.test('what cannot be shown is told before there is a page', async (t) => {
  const server = await serve(t, temporaryFolder(t));
  const env = { MAPWRIGHT_KEY: server.key };
  t.match(await run(['view', '--url', server.url, '--key', 'mw_wrong']), { code: 1, stderr: /rejected the key/ });
  t.match(await run(['view', 'no-such-project', '--url', server.url], { env }), { code: 1, stderr: /returned 404/ });
  t.match(await run(['view', '--url', 'http://127.0.0.1:9'], { env }), { code: 1, stderr: /Cannot reach a server/ });
  const port = new URL(server.url).port;
  t.match(await run(['view', '--url', server.url, '--view-port', port], { env }), { code: 1, stderr: /is in use/ });
});
