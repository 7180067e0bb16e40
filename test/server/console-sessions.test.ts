/** One-time codes of the console, the sessions that they become, and the pages: over HTTP, without a browser. */
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import zlib from 'node:zlib';
import t, { type Test } from 'tap';
import type { NewSession, Session } from '../../src/api/console/session-endpoints.ts';
import { tileSourcesOf } from '../../src/api/pages/map-tiles.ts';
import { type Mapwright, startForRequests, startMapwright } from '../support/mapwright.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A server whose clock is in the hands of the test. */
async function timed(t: Test): Promise<{ mapwright: Mapwright; time: { now: number } }> {
  const time = { now: Date.UTC(2030, 0, 1) };
  return { mapwright: await startForRequests(t, { clock: () => time.now }), time };
}

interface Answered {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly json: Record<string, unknown>;
  readonly bytes: Buffer;
}

/** Sends a request as it is: the routes of the console are not in the description of the API. */
function ask(
  { port }: Pick<Mapwright, 'port'>,
  method: string,
  target: string,
  { body, headers = {} }: { body?: unknown; headers?: http.OutgoingHttpHeaders } = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const req = http.request({ port, method, path: target, headers: { ...type, ...headers }, agent: false }, (res) => {
      const parts: Buffer[] = [];
      res.on('data', (part: Buffer) => parts.push(part));
      res.on('end', () => {
        const bytes = Buffer.concat(parts);
        const isJson = /json/.test(res.headers['content-type'] ?? '') && bytes.length > 0;
        resolve({ status: res.statusCode ?? 0, headers: res.headers, json: isJson ? JSON.parse(bytes.toString()) : {}, bytes });
      });
    });
    req.on('error', reject);
    req.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  });
}

const exchange = (mapwright: Pick<Mapwright, 'port'>, code: string, headers: http.OutgoingHttpHeaders = {}) =>
  ask(mapwright, 'POST', '/console/session', { body: { code }, headers });

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

const codeIn = (text: string): string => text.slice(text.indexOf('#code=') + '#code='.length);

async function newCode({ server }: Mapwright, options = {}): Promise<string> {
  return codeIn((await server.consoleAddress('ann', options)).path);
}

async function signIn(mapwright: Mapwright, options = {}): Promise<NewSession> {
  const { status, json } = await exchange(mapwright, await newCode(mapwright, options));
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`);
  return json as unknown as NewSession;
}

t.test('a console code is exchanged once for a key of twelve hours', async (t) => {
  const { mapwright, time } = await timed(t);
  const address = await mapwright.server.consoleAddress('ann');
  t.match(address, { account: 'ann', path: /^\/console#code=0mw_[\w-]{61}$/, expires: '2030-01-01T00:10:00.000Z' });
  t.strictSame(address.urls, [`http://127.0.0.1:${mapwright.port}${address.path}`]);
  const code = codeIn(address.path);
  const { status, headers, json } = await exchange(mapwright, code);
  t.equal(status, 200);
  t.equal(headers['cache-control'], 'no-store');
  const { key, ...session } = json as unknown as NewSession;
  t.match(session, { account: 'ann', access: 'write', projects: null, revocable: true, tiles: tileSourcesOf(), files: true });
  t.equal(session.expires, '2030-01-01T12:00:00.000Z');
  t.strictSame((await ask(mapwright, 'GET', '/console/session', bearer(key))).json, { ...session }, 'GET says the same');
  t.equal((await mapwright.get('/projects', { key })).status, 200, 'an ordinary key');
  const listed = (await mapwright.server.keys()).find(({ id }) => id === session.id);
  t.match(listed, { label: 'console', account: 'ann', state: 'valid' }, 'listed like any other');
  const again = await exchange(mapwright, code);
  t.match(again, {
    status: 401,
    headers: { 'www-authenticate': 'Bearer' },
    json: { code: 'unauthorized', detail: /npx mapwright console/ },
  });
  time.now += 12 * hourMs;
  t.equal((await ask(mapwright, 'GET', '/console/session', bearer(key))).status, 401, 'it expires');
});

t.test('a console code is valid for ten minutes', async (t) => {
  const { mapwright, time } = await timed(t);
  const [early, late] = [await newCode(mapwright), await newCode(mapwright)];
  time.now += 10 * minuteMs - 1;
  t.equal((await exchange(mapwright, early)).status, 200);
  time.now += 1;
  t.equal((await exchange(mapwright, late)).status, 401);
});

t.test('concurrent exchanges of one code give one session', async (t) => {
  const { mapwright } = await timed(t);
  const code = await newCode(mapwright);
  const statuses = await Promise.all([1, 2, 3].map(async () => (await exchange(mapwright, code)).status));
  t.strictSame(statuses.sort(), [200, 401, 401]);
});

t.test('a code survives a restart and a crash, and after them still works once', async (t) => {
  const mapwright = await startMapwright(t);
  const code = await newCode(mapwright);
  await mapwright.restart();
  await mapwright.crash();
  t.equal((await exchange(mapwright, code)).status, 200);
  await mapwright.crash();
  t.equal((await exchange(mapwright, code)).status, 401);
});

t.test('a session has the access and the projects that its code was made for', async (t) => {
  const { mapwright } = await timed(t);
  const mine = (await mapwright.post('/projects', { name: 'Mine' })).shown.id;
  const other = (await mapwright.post('/projects', { name: 'Other' })).shown.id;
  const reader = await signIn(mapwright, { readOnly: true, projects: [mine] });
  t.match(reader, { access: 'read', projects: [mine] });
  t.equal((await mapwright.get(`/projects/${mine}`, { key: reader.key })).status, 200);
  t.equal((await mapwright.get(`/projects/${other}`, { key: reader.key })).status, 404);
  t.equal((await mapwright.patch(`/projects/${mine}`, { name: 'x' }, { key: reader.key })).status, 403);
  t.equal((await ask(mapwright, 'DELETE', '/console/session', bearer(reader.key))).status, 204, 'it may end itself');
  await t.rejects(mapwright.server.consoleAddress('ann', { projects: ['none'] }), { message: /no project "none"/ });
  await t.rejects(mapwright.server.consoleAddress('anne'), { message: /There is no account "anne"\. Did you mean "ann"/ });
  const code = await newCode(mapwright, { projects: [mine] });
  await mapwright.delete(`/projects/${mine}`);
  t.equal((await exchange(mapwright, code)).status, 401, 'its project was deleted: it does not reach the others instead');
});

t.test('the code of a deleted account is 401 and does not create the account', async (t) => {
  const { mapwright } = await timed(t);
  await mapwright.newKey('bob');
  const code = codeIn((await mapwright.server.consoleAddress('bob')).path);
  await mapwright.server.deleteAccount('bob');
  t.equal((await exchange(mapwright, code)).status, 401);
  t.notOk((await mapwright.server.accounts()).some(({ name }) => name === 'bob'));
});

t.test('signing out revokes the key that the console made, and no pasted key', async (t) => {
  const { mapwright } = await timed(t);
  const { key } = await signIn(mapwright);
  t.equal((await ask(mapwright, 'DELETE', '/console/session', bearer(key))).status, 204);
  t.equal((await mapwright.get('/projects', { key })).status, 401);
  const pasted = (await mapwright.server.createKey('ann', { label: 'console' })).key;
  t.match((await ask(mapwright, 'GET', '/console/session', bearer(pasted))).json as unknown as Session, {
    revocable: false,
    expires: null,
  });
  t.match(await ask(mapwright, 'DELETE', '/console/session', bearer(pasted)), {
    status: 403,
    json: { code: 'forbidden' },
  });
  t.equal((await mapwright.get('/projects', { key: pasted })).status, 200);
});

t.test('after ten wrong codes an address gets 429 for a minute, but a right code works', async (t) => {
  const time = { now: Date.UTC(2030, 0, 1) };
  const mapwright = await startForRequests(t, { clock: () => time.now, trustProxy: 'loopback' });
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const [first, second] = [await newCode(mapwright), await newCode(mapwright)];
  for (let n = 0; n < 10; n++) t.equal((await exchange(mapwright, `wrong-${n}`, from('192.0.2.1'))).status, 401);
  t.match(await exchange(mapwright, 'wrong', from('192.0.2.1')), {
    status: 429,
    headers: { 'retry-after': '60' },
    json: { code: 'too_many_requests' },
  });
  t.equal((await exchange(mapwright, first, from('192.0.2.1'))).status, 200, 'a right code');
  t.equal((await exchange(mapwright, first, from('192.0.2.1'))).status, 429, 'a used one is wrong');
  t.equal((await exchange(mapwright, 'wrong', from('192.0.2.2'))).status, 401, 'another address is not affected');
  time.now += minuteMs - 1;
  t.match(await exchange(mapwright, 'wrong', from('192.0.2.1')), { status: 429, headers: { 'retry-after': '1' } });
  time.now += 1;
  t.equal((await exchange(mapwright, 'wrong', from('192.0.2.1'))).status, 401, 'a minute later');
  t.equal((await exchange(mapwright, second, from('192.0.2.1'))).status, 200);
});

t.test('wrong codes from one IPv6 /64 are counted together', async (t) => {
  const mapwright = await startForRequests(t, { trustProxy: 'loopback' });
  const from = (address: string) => ({ 'x-forwarded-for': address });
  for (let n = 0; n < 10; n++) t.equal((await exchange(mapwright, 'wrong', from(`2001:db8::${n}:1`))).status, 401);
  t.equal((await exchange(mapwright, 'wrong', from('2001:db8:0:0:ffff::1'))).status, 429);
  t.equal((await exchange(mapwright, 'wrong', from('2001:db8:0:1::1'))).status, 401, 'another /64');
});

t.test('a clock that is set back does not extend the wait after wrong codes', async (t) => {
  const { mapwright, time } = await timed(t);
  for (let n = 0; n < 11; n++) await exchange(mapwright, 'wrong');
  t.equal((await exchange(mapwright, 'wrong')).status, 429);
  time.now -= hourMs;
  t.equal((await exchange(mapwright, 'wrong')).status, 401);
});

t.test('if an account is deleted during an exchange, the code is 401 or its session ends', async (t) => {
  const { mapwright } = await timed(t);
  for (let n = 0; n < 10; n++) {
    await mapwright.newKey('bob');
    const code = codeIn((await mapwright.server.consoleAddress('bob')).path);
    const [{ status, json }] = await Promise.all([exchange(mapwright, code), mapwright.server.deleteAccount('bob')]);
    t.ok([200, 401].includes(status), `${status} ${JSON.stringify(json)}`);
    t.equal((await ask(mapwright, 'GET', '/console/session', bearer(String(json['key'] ?? 'x')))).status, 401);
    t.notOk((await mapwright.server.accounts()).some(({ name }) => name === 'bob'));
  }
});

t.test('sessions survive a restart and a crash, except revoked ones and those of deleted accounts', async (t) => {
  const mapwright = await startMapwright(t);
  const mine = (await mapwright.post('/projects', { name: 'Mine' })).shown.id;
  const [kept, revoked, restricted] = [
    await signIn(mapwright),
    await signIn(mapwright),
    await signIn(mapwright, { projects: [mine] }),
  ];
  await mapwright.newKey('bob');
  const bob = (await exchange(mapwright, codeIn((await mapwright.server.consoleAddress('bob')).path))).json['key'];
  t.equal((await ask(mapwright, 'DELETE', '/console/session', bearer(revoked.key))).status, 204);
  await mapwright.server.deleteAccount('bob');
  await mapwright.delete(`/projects/${mine}`);
  const statusOf = async (key: string) => (await ask(mapwright, 'GET', '/console/session', bearer(key))).status;
  for (const step of ['restart', 'crash'] as const) {
    await mapwright[step]();
    t.match((await ask(mapwright, 'GET', '/console/session', bearer(kept.key))).json, { id: kept.id, revocable: true }, step);
    t.strictSame([await statusOf(revoked.key), await statusOf(String(bob))], [401, 401], step);
    t.equal(
      (await mapwright.get('/projects', { key: restricted.key })).text,
      '[]',
      'its only project was deleted: no other one instead',
    );
  }
});

t.test('a session key is deleted a day after its end, and no other key is', async (t) => {
  const time = { now: Date.UTC(2030, 0, 1) };
  const mapwright = await startMapwright(t, { clock: () => time.now });
  const { server } = mapwright;
  const ids = async () => (await mapwright.server.keys()).map(({ id }) => id);
  const [expired, revoked] = [await signIn(mapwright), await signIn(mapwright)];
  const own = await server.createKey('ann', { label: 'console', expires: '1h' });
  await server.revokeKey(revoked.id);
  time.now += 24 * hourMs;
  await signIn(mapwright);
  while ((await ids()).includes(revoked.id)) await new Promise((resolve) => setTimeout(resolve, 10));
  t.ok((await ids()).includes(expired.id), 'it ended twelve hours ago');
  time.now += 12 * hourMs;
  const last = await signIn(mapwright);
  while ((await ids()).includes(expired.id)) await new Promise((resolve) => setTimeout(resolve, 10));
  t.ok((await ids()).includes(own.id), 'a key that the console did not make');
  t.equal((await mapwright.get('/projects', { key: expired.key })).status, 401);
  const before = await ids();
  await mapwright.restart();
  t.strictSame(await ids(), before, 'after a restart');
  await mapwright.crash();
  t.strictSame(await ids(), before, 'after a crash');
  t.equal((await mapwright.get('/projects', { key: last.key })).status, 200);
});

t.test('invalid requests to /console/session are refused with their status', async (t) => {
  const { mapwright } = await timed(t);
  const session = '/console/session';
  for (const body of [{}, { code: 1 }, { code: 'x', more: 1 }, '[]', '{', '"x"'])
    t.equal((await ask(mapwright, 'POST', session, { body })).status, 400, JSON.stringify(body));
  t.equal(
    (await ask(mapwright, 'POST', session, { body: { code: 'x'.repeat(2000) } })).status,
    413,
    'it needs no key, so it is short',
  );
  t.equal((await ask(mapwright, 'GET', session)).status, 401);
  t.equal((await ask(mapwright, 'DELETE', session)).status, 401);
  t.match(await ask(mapwright, 'PUT', session, bearer(mapwright.key)), {
    status: 405,
    headers: { allow: 'POST, GET, HEAD, DELETE' },
  });
  t.equal((await ask(mapwright, 'PUT', session)).status, 401, 'a method that it does not have needs a key');
});

t.test('log and audit log contain no console code', async (t) => {
  const lines: string[] = [];
  const note = (...said: unknown[]): void => void lines.push(JSON.stringify(said));
  const mapwright = await startMapwright(t, { logRequests: true, log: { info: note, warn: note, error: note } });
  const code = await newCode(mapwright);
  const { key } = (await exchange(mapwright, code)).json as unknown as NewSession;
  await exchange(mapwright, code);
  await mapwright.close();
  const said = lines.join('\n') + fs.readFileSync(path.join(mapwright.data, 'audit.log'), 'utf8');
  t.match(said, /\/console\/session/, 'the requests are in the log');
  t.match(said, /"label":"console"/, 'the key is in the audit log');
  for (const secret of [code, key]) t.notOk(said.includes(secret));
});

t.test('the console pages have a content security policy, an entity tag and a compressed form', async (t) => {
  const { mapwright } = await timed(t);
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
  for (const file of ['none.js', '..%2f..%2fpackage.json', '%2e%2e', 'index.html/', 'session/x'])
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
    t.equal((await ask(mapwright, 'GET', target, bearer(mapwright.key))).status, 404, target);
  await t.rejects(mapwright.server.consoleAddress('ann'), { message: /--no-console/ });
});
