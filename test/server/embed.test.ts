/** The server inside another program, through the package's public entry. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { createServer, FolderError, FolderInUseError, type MapwrightServer, type ServerOptions } from '../../src/index.ts';
import { ask } from '../support/client.ts';
import { recordingLog } from '../support/engine.ts';
import { silent } from '../support/mapwright.ts';
import { temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';

async function embedded(t: Pick<Test, 'teardown'>, options: Partial<ServerOptions> = {}) {
  const data = options.data ?? path.join(temporaryFolder(t), 'data');
  const { log, logged } = recordingLog();
  const server = await createServer({ data, log, segmentBytes: 1024 * 1024, ...options });
  t.teardown(() => server.close());
  return { server, data, logged };
}

/** Mounts the handler in a plain program. */
async function mount(t: Pick<Test, 'teardown'>, server: MapwrightServer): Promise<string> {
  const host = http.createServer(server.handler).listen(0, '127.0.0.1');
  await new Promise((resolve) => host.once('listening', resolve));
  t.teardown(() => {
    host.closeAllConnections();
    host.close();
  });
  return `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
}

t.test('the handler serves in a host server, and its data survives a restart', async (t) => {
  const { server, data } = await embedded(t);
  t.equal(server.recovery.accounts, 0, 'a new folder has no account, and makes none by itself');
  const { key, id, account } = await server.createKey('ann');
  t.equal(account.name, 'ann');
  const url = await mount(t, server);
  const made = await ask({ url, key }, 'POST', '/api/v1/projects', { name: 'embedded', popups: [{ title: 'x' }] });
  t.equal(made.status, 200);
  t.equal((await ask({ url }, 'GET', '/v1/projects')).status, 401);
  t.equal((await ask({ url }, 'GET', '/healthz')).status, 200);
  t.strictSame(
    (await server.keys()).map((listed) => [listed.id, listed.account, listed.revoked]),
    [[id, 'ann', '']],
  );
  t.equal((await server.snapshot())?.records, 2);
  t.equal(await server.snapshot(), undefined);
  await server.close();
  await server.close();

  const again = await embedded(t, { data });
  t.match(again.server.recovery, { accounts: 1, projects: 1, snapshotLsn: 2, records: 0, damaged: [] });
  const read = await ask({ url: await mount(t, again.server), key }, 'GET', `/v1/projects/${made.json.id}`);
  t.equal(read.text, made.text, 'the same bytes');
});

t.test('the handler passes on what is not its own, and the paths say what is', async (t) => {
  for (const base of ['', '/tools/maps']) {
    const { server } = await embedded(t, base === '' ? {} : { publicUrl: base });
    const passedOn: string[] = [];
    const host = http.createServer((req, res) => {
      server.handler(req, res, () => {
        passedOn.push(req.url ?? '');
        res.end('of the host');
      });
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    t.teardown(() => host.close());
    const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    const foreign = [
      `${base}/`,
      `${base}/favicon.ico`,
      `${base}/else`,
      `${base}/v1x/projects`,
      `${base}/v1/`,
      `${base}/healthz/`,
      `${base}/p/`,
    ];
    for (const path of foreign) t.equal(await (await fetch(url + path)).text(), 'of the host', path);
    t.strictSame(passedOn, foreign);
    const { paths } = (await (await fetch(`${url}${base}/openapi.json`)).json()) as {
      paths: Record<string, { servers?: unknown }>;
    };
    const isOwn = (path: string) => server.paths.some((own) => (own.endsWith('/') ? path.startsWith(own) : path === own));
    for (const [path, { servers }] of Object.entries(paths))
      for (const prefix of servers === undefined ? ['/api/v1', '/v1'] : ['']) t.ok(isOwn(base + prefix + path), path);
    for (const path of [
      '/viewer.js',
      '/viewer/part-A.js',
      '/console',
      '/console/editor.js',
      '/docs/guide',
      '/p/harbour',
      '/f/abc/a.png',
    ])
      t.ok(isOwn(base + path), path);
    t.notOk(isOwn(`${base}/else`));
    t.equal(
      (await fetch(`${url}${base}/v1/projects`, { method: 'DELETE' })).status,
      401,
      'a method that a path lacks is not passed on',
    );
  }
});

t.test('a closed server answers no request of its host', async (t) => {
  const { server, data } = await embedded(t);
  const { key } = await server.createKey('ann');
  const url = await mount(t, server);
  await ask({ url, key }, 'POST', '/v1/projects', { name: 'old' });
  await server.close();
  const other = await embedded(t, { data });
  const next = await mount(t, other.server);
  await ask({ url: next, key }, 'POST', '/v1/projects', { name: 'new' });
  t.equal((await ask({ url, key }, 'POST', '/v1/projects', {})).status, 503, 'it cannot write');
  t.equal((await ask({ url, key }, 'GET', '/v1/projects')).status, 503, 'nor show what another may have changed since');
  t.equal((await ask({ url }, 'GET', '/readyz')).status, 503);
  await t.rejects(server.createKey('late'));
});

t.test('a folder in use is refused with the process that holds it, and is free after close', async (t) => {
  const { server, data } = await embedded(t);
  const second = createServer({ data, log: recordingLog().log });
  await t.rejects(second, FolderInUseError);
  await t.rejects(second, { message: new RegExp(`in use by process ${process.pid} on .*, since 20`) });
  await server.close();
  await embedded(t, { data });
});

t.test('a path that cannot be a folder is refused with FolderError', async (t) => {
  const file = path.join(temporaryFolder(t), 'file');
  fs.writeFileSync(file, '');
  await t.rejects(createServer({ data: file, log: recordingLog().log }), FolderError);
  await t.rejects(createServer({ data: path.join(file, 'below'), log: recordingLog().log }), FolderError);
});

t.test('a new data folder is private to its owner, and a shared one gives a warning', async (t) => {
  const { data, logged } = await embedded(t, { data: path.join(temporaryFolder(t), 'a', 'b', 'c') });
  const mode = (name: string) => fs.statSync(path.join(data, name)).mode & 0o777;
  t.equal(mode('.'), 0o700);
  for (const name of ['journal', 'snapshots']) t.equal(mode(name), 0o700);
  for (const name of ['lock', 'control.sock']) t.equal(mode(name), 0o600);
  for (const name of fs.readdirSync(path.join(data, 'journal'))) t.equal(mode(`journal/${name}`), 0o600, name);
  t.strictSame(
    logged.filter(([level]) => level !== 'info'),
    [],
  );

  const loose = path.join(temporaryFolder(t), 'loose');
  fs.mkdirSync(loose);
  fs.chmodSync(loose, 0o750);
  const warned = await embedded(t, { data: loose });
  t.ok(warned.logged.some(([level, , message]) => level === 'warn' && message.includes('chmod 700')));
  t.equal(fs.statSync(loose).mode & 0o777, 0o750, 'and it is left as it is');
});

t.test('listen opens several ports, and rejects with the reason if it cannot', async (t) => {
  const { server } = await embedded(t);
  const first = await server.listen(0);
  t.match(first.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  const second = await server.listen(0);
  for (const { url } of [first, second]) t.equal((await ask({ url }, 'GET', '/readyz')).status, 200);
  await t.rejects(server.listen(first.port), { code: 'EADDRINUSE' });
  for (const host of ['', null, 5])
    await t.rejects(server.listen(0, host as string), /listen needs a host/, 'or it were all there are');
  for (const port of ['', 'maps.sock', [0], true, -1, 65_536, 1.5])
    await t.rejects(server.listen(port as number), { name: 'TypeError', message: /listen needs a port/ }, String(port));
  t.notOk(fs.existsSync('maps.sock'));
  t.equal((await ask({ url: first.url }, 'GET', '/readyz')).status, 200, 'which harms nobody');
  await server.close();
});

t.test('a server with a base path uses it in routes, links and the OpenAPI description', async (t) => {
  const { server } = await embedded(t, { publicUrl: '/tools/maps' });
  const { key } = await server.createKey('ann');
  const root = await mount(t, server);
  const url = `${root}/tools/maps`;
  for (let i = 0; i < 2; i++) await server.client({ account: 'ann' }).post('/projects', { body: {} });
  for (const path of ['/tools/v1/projects', '/tools/maps', '/maps/v1/projects'])
    t.equal((await ask({ url: root, key }, 'GET', path)).status, 404, path);
  for (const path of ['/v1/projects', '/api/v1/projects', '/healthz', '/readyz', '/metrics'])
    t.equal((await ask({ url, key }, 'GET', path)).status, 200, path);
  const { headers } = await ask({ url, key }, 'GET', '/api/v1/projects?limit=1');
  t.match(headers['link'], /^<\/tools\/maps\/api\/v1\/projects\?limit=1&cursor=[^>]+>; rel="next"$/);
  const { servers, paths } = (await ask({ url }, 'GET', '/openapi.json')).json;
  t.strictSame(servers, [{ url: '/tools/maps/api/v1' }, { url: '/tools/maps/v1' }]);
  t.strictSame(paths['/healthz'].servers, [{ url: '/tools/maps' }]);
  const post = (path: string) =>
    fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': 'k', 'content-type': 'application/json' },
      body: '{}',
    });
  const [first, again] = [await post('/v1/projects'), await post('/api/v1/projects')];
  t.equal(await again.text(), await first.text(), 'the same request by either form of the path');
});

t.test('listen rejects on a server that is closed meanwhile', async (t) => {
  const { server } = await embedded(t);
  const listening = t.rejects(server.listen(0), { name: 'StoppedError' });
  await server.close();
  await listening;
});

t.test('a log that throws gives a process warning and breaks nothing else', async (t) => {
  const warned = once(process, 'warning');
  const info = () => {
    throw new Error('the sink is gone');
  };
  const { server, data } = await embedded(t, { log: { ...silent, info } });
  await server.createAccount('ann');
  await server.client({ account: 'ann' }).post('/projects', { body: { name: 'kept' } });
  t.ok(await server.snapshot());
  await server.close();
  t.match(await warned, [{ message: /the log given to createServer threw an error: Error: the sink is gone/ }]);
  const again = await createServer({ data, log: silent });
  t.teardown(() => again.close());
  t.match(await again.client({ account: 'ann' }).get('/projects'), [{ name: 'kept' }]);
});

const loadedByHosts = {
  'one that fails': "throw new Error('loaded');",
  'one that takes messages': "parentPort.once('message', () => undefined);",
  'one that never finishes loading': 'await new Promise((resolve) => setTimeout(resolve, 2 ** 31 - 1));',
};

for (const [what, code] of Object.entries(loadedByHosts)) {
  const declare = what === 'what takes the messages of threads' ? t.test : test.all;
  declare(`the threads of the server do not load a module of the host: ${what}`, async (t) => {
    const folder = temporaryFolder(t);
    const hook = path.join(folder, 'hook.mjs');
    fs.writeFileSync(hook, `import { isMainThread, parentPort } from 'node:worker_threads';\nif (!isMainThread) ${code}`);
    const entry = JSON.stringify(new URL('../../src/index.js', import.meta.url).href);
    const program = `
      import { createServer } from ${entry};
      const server = await createServer({ data: ${JSON.stringify(path.join(folder, 'data'))} });
      await server.createAccount('ann');
      await server.snapshot();
      await server.close();
      console.log('closed');`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
      env: { ...process.env, NODE_OPTIONS: `--import=${hook}` },
      timeout: 120_000,
    });
    t.equal(stdout, 'closed\n');
  });
}

/** The status and the body of a GET over HTTP/2. */
function getOverHttp2(session: http2.ClientHttp2Session, path: string): Promise<{ status: unknown; text: string }> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': path }).setEncoding('utf8');
    let [status, text] = [undefined as unknown, ''];
    stream.on('response', (headers) => {
      status = headers[':status'];
    });
    stream.on('data', (piece) => {
      text += piece;
    });
    stream.on('end', () => resolve({ status, text })).on('error', reject);
  });
}

t.test('a server of node:http2 passes requests to fetch; the handler refuses them with a sentence', async (t) => {
  const { server } = await embedded(t);
  const host = http2.createServer((req, res) => {
    if (req.url.startsWith('/direct')) return server.handler(req as never, res as never);
    void server.fetch(req.url, { method: req.method }).then(async ({ status, body }) => {
      res.writeHead(status);
      for await (const piece of body ?? []) res.write(piece);
      res.end();
    });
  });
  await once(host.listen(0, '127.0.0.1'), 'listening');
  const session = http2.connect(`http://127.0.0.1:${(host.address() as AddressInfo).port}`);
  t.teardown(() => {
    session.destroy();
    host.close();
  });
  const refused = await getOverHttp2(session, '/direct');
  t.equal(refused.status, 400);
  t.match(JSON.parse(refused.text), { code: 'bad_request', detail: /HTTP\/1\.1\. For HTTP\/2, put a proxy in front/ });
  t.match(await getOverHttp2(session, '/healthz'), { status: 200 });
});
