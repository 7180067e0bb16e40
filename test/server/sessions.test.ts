/** Sessions of people in browsers, and the codes that begin them: over HTTP, without a browser. */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { type Mapwright, startForRequests, startMapwright } from '../support/mapwright.ts';
import { ask, codeIn, SignedIn, signIn } from '../support/signed-in.ts';
import { until } from '../support/until.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A server whose clock is in the hands of the test. */
async function timed(t: Test, options = {}): Promise<{ mapwright: Mapwright; time: { now: number } }> {
  const time = { now: Date.UTC(2030, 0, 1) };
  return { mapwright: await startForRequests(t, { ...options, clock: () => time.now }), time };
}

const newCode = async ({ server }: Mapwright): Promise<string> => codeIn((await server.consoleAddress('ann')).path);
const session = '/console/session';
/** The lines of the audit log of a server that is closed. */
const eventsIn = ({ data }: Mapwright): Record<string, unknown>[] =>
  fs
    .readFileSync(path.join(data, 'audit.log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const statusOf = async (browser: SignedIn): Promise<number> => (await browser.ask('GET', session)).status;

t.test('a code becomes a session once: a secret for the page, another one in a cookie', async (t) => {
  const { mapwright, time } = await timed(t);
  const address = await mapwright.server.consoleAddress('ann');
  t.match(address, { account: 'ann', person: 'owner', expires: '2030-01-01T00:10:00.000Z' });
  t.match(address.path, /^\/console#code=0mw_[\w-]{61}$/);
  t.strictSame(address.urls, [`http://127.0.0.1:${mapwright.port}${address.path}`]);
  const browser = new SignedIn(mapwright);
  const { status, headers, json } = await browser.enter(address.path);
  t.equal(status, 200);
  t.equal(headers['cache-control'], 'no-store');
  const name = `mapwright-session-${mapwright.port}`;
  t.match(headers['set-cookie'], [new RegExp(`^${name}=[\\w-]{43}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict$`)]);
  const { secret, ...shown } = json;
  t.match(secret, /^0mw_[\w-]{61}$/);
  t.match(shown, { account: 'ann', person: { name: 'owner', role: 'owner' }, projects: null, files: true });
  t.strictSame(shown.rights, ['read', 'write', 'publish', 'people']);
  t.equal(shown.expires, '2030-01-31T00:00:00.000Z');
  t.strictSame((await browser.ask('GET', session)).json, shown, 'GET says the same, without the secret');
  t.match(await new SignedIn(mapwright).enter(address.path), { status: 401, json: { code: 'unauthorized' } });
  t.equal((await mapwright.server.keys()).length, 1, 'no key of a program');
  const me = await browser.ask('GET', '/v1/me');
  t.match(me.json, { person: { name: 'owner', role: 'owner' }, access: 'write' });
  t.notOk('key' in me.json);
  time.now += 10 * minuteMs;
  t.equal(await statusOf(browser), 200);
});

t.test('either half alone opens nothing, and a request with a key is not one of the session', async (t) => {
  const { mapwright } = await timed(t);
  const browser = await signIn(mapwright);
  const other = await signIn(mapwright);
  const { cookie, secret } = browser;
  const get = (headers: Record<string, string>) => ask(mapwright, 'GET', '/v1/projects', { headers });
  t.equal((await get({ cookie, 'mapwright-session': secret })).status, 200);
  t.equal((await get({ cookie })).status, 401);
  t.equal((await get({ 'mapwright-session': secret })).status, 401);
  t.equal((await get({ cookie: other.cookie, 'mapwright-session': secret })).status, 401, 'halves of two sessions');
  const many = Array.from({ length: 30 }, (_, n) => `mapwright-session-${n + 1}=${'A'.repeat(43)}`).join('; ');
  t.equal(
    (await get({ cookie: `${many}; ${other.cookie}; x=1; ${cookie}`, 'mapwright-session': secret })).status,
    200,
    'of many servers',
  );
  t.equal((await get({ authorization: `Bearer ${secret.slice(1)}`, cookie })).status, 401, 'the secret is no key');
  t.equal((await get({ authorization: 'Bearer wrong', cookie, 'mapwright-session': secret })).status, 401);
  const withKey = await ask(mapwright, 'GET', '/v1/me', {
    headers: { authorization: `Bearer ${mapwright.key}`, cookie, 'mapwright-session': secret },
  });
  t.ok(withKey.json.key);
  t.notOk(withKey.json.person);
  const [name = ''] = cookie.split('=');
  for (const forged of [`${name}=`, `${name}=${'A'.repeat(43)}`, `${name}x=${cookie.split('=')[1]}`])
    t.equal((await get({ cookie: forged, 'mapwright-session': secret })).status, 401, forged);
});

t.test('the cookie has the name, the path and the promises that fit the address of the server', async (t) => {
  for (const [publicUrl, begins, secure] of [
    ['https://maps.example', '__Host-mapwright-session-443=', '; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict; Secure'],
    [
      'https://maps.example:8443/base/',
      '__Secure-mapwright-session-8443=',
      '; Path=/base; Max-Age=31536000; HttpOnly; SameSite=Strict; Secure',
    ],
    ['http://maps.example/base', 'mapwright-session-80=', '; Path=/base; Max-Age=31536000; HttpOnly; SameSite=Strict'],
  ] as const) {
    const mapwright = await startForRequests(t, { publicUrl });
    const browser = new SignedIn(mapwright);
    const { headers } = await browser.enter((await mapwright.server.consoleAddress('ann')).path);
    const [set = ''] = headers['set-cookie'] ?? [];
    t.ok(set.startsWith(begins), set);
    t.ok(set.endsWith(secure), set);
    t.equal(await statusOf(browser), 200);
    if (begins.startsWith('__')) {
      browser.cookie = browser.cookie.replace(/^__(?:Host|Secure)-/, '');
      t.equal(await statusOf(browser), 401, 'a cookie that another program on the host may have set');
    }
  }
});

t.test('a session works for 30 days from its last use, which one record a day notes, and for a year', async (t) => {
  const { mapwright, time } = await timed(t);
  const [used, unused] = [await signIn(mapwright), await signIn(mapwright)];
  const ends = async (browser: SignedIn): Promise<string> => (await browser.ask('GET', session)).json.expires;
  time.now += 2 * hourMs;
  const [before] = [await ends(used)];
  t.equal(before, '2030-01-31T00:00:00.000Z', 'not extended within a day');
  for (let day = 0; day < 29; day++) {
    time.now += dayMs;
    t.equal(await statusOf(used), 200);
  }
  t.equal(await ends(used), '2030-03-01T02:00:00.000Z');
  time.now += dayMs;
  t.equal(await statusOf(unused), 401, 'not used for 30 days');
  for (let day = 30; day < 364; day += 7) {
    time.now = Date.UTC(2030, 0, 1) + day * dayMs + 3 * hourMs;
    t.equal(await statusOf(used), 200, `day ${day}`);
  }
  t.equal(await ends(used), '2031-01-01T00:00:00.000Z');
  time.now = Date.UTC(2031, 0, 1);
  t.equal(await statusOf(used), 401, 'after a year');
});

t.test('a code is valid for ten minutes, also of several at the same time once, and over restarts', async (t) => {
  const { mapwright, time } = await timed(t);
  const early = await newCode(mapwright);
  time.now += 10 * minuteMs - 1;
  t.equal((await new SignedIn(mapwright).enter(early)).status, 200);
  const late = await newCode(mapwright);
  time.now += 10 * minuteMs;
  t.equal((await new SignedIn(mapwright).enter(late)).status, 401);
  const code = await newCode(mapwright);
  const statuses = await Promise.all([1, 2, 3].map(async () => (await new SignedIn(mapwright).enter(code)).status));
  t.strictSame(statuses.sort(), [200, 401, 401]);
  t.equal((await new SignedIn(mapwright).enter(`1${(await newCode(mapwright)).slice(1)}`)).status, 401, 'of another shard');
});

t.test('a second code for the same person ends the first one', async (t) => {
  const { mapwright } = await timed(t);
  const [first, second] = [await newCode(mapwright), await newCode(mapwright)];
  t.equal((await new SignedIn(mapwright).enter(first)).status, 401);
  t.equal((await new SignedIn(mapwright).enter(second)).status, 200);
});

t.test('signing in again in one browser ends the session before', async (t) => {
  const { mapwright } = await timed(t);
  const browser = await signIn(mapwright);
  const former = Object.assign(new SignedIn(mapwright), { cookie: browser.cookie, secret: browser.secret });
  t.equal((await browser.enter(await newCode(mapwright))).status, 200);
  t.not(browser.secret, former.secret, 'nothing of a session is used again');
  t.not(browser.cookie, former.cookie);
  t.strictSame([await statusOf(former), await statusOf(browser)], [401, 200]);
  t.equal((await browser.ask('GET', '/console/sessions')).json.length, 1);
});

t.test('a link of somebody else changes who is signed in only if that is wanted', async (t) => {
  const { mapwright } = await timed(t);
  const owner = await signIn(mapwright);
  const { json } = await owner.ask('POST', '/console/people', { name: 'Kim', role: 'viewer' });
  const code = codeIn(json.path);
  const refused = await owner.ask('POST', session, { code });
  t.match(refused, { status: 409, json: { detail: /"Kim" in the account "ann".* signed in as "owner" in the account "ann"/ } });
  t.equal(await statusOf(owner), 200);
  const former = Object.assign(new SignedIn(mapwright), { cookie: owner.cookie, secret: owner.secret });
  t.match((await owner.ask('POST', session, { code, replace: true })).json, { person: { name: 'Kim' } });
  t.equal(await statusOf(former), 401, 'then the former session ends');
});

t.test('what people do by themselves is limited, since each is a record and a line', async (t) => {
  const { mapwright, time } = await timed(t);
  const kim = await (await signIn(mapwright)).invite({ name: 'Kim', role: 'viewer' });
  const statuses = new Set<number>();
  for (let n = 0; n < 20; n++) statuses.add((await kim.ask('POST', '/console/session/device')).status);
  t.strictSame([...statuses], [200]);
  t.match(await kim.ask('POST', '/console/session/device'), { status: 429, headers: { 'retry-after': '60' } });
  t.equal((await kim.ask('PATCH', `/console/people/${kim.id}`, { name: 'Kim Lee' })).status, 429);
  time.now += minuteMs;
  t.equal((await kim.ask('PATCH', `/console/people/${kim.id}`, { name: 'Kim Lee' })).status, 200);
});

t.test('no header of a key leads to a session', async (t) => {
  const { mapwright } = await timed(t);
  const { secret, cookie } = await signIn(mapwright);
  const value = cookie.split('=')[1];
  await ask(mapwright, 'GET', '/v1/projects', { headers: { 'mapwright-session': secret, cookie } });
  for (const authorization of [`${secret} ${value}`, `Bearer ${secret} ${value}`, `Bearer ${secret}`])
    t.equal((await ask(mapwright, 'GET', '/v1/projects', { headers: { authorization } })).status, 401, authorization);
});

t.test('sessions are listed with device and time, and ended one by one, or all others', async (t) => {
  const { mapwright, time } = await timed(t);
  const owner = await signIn(mapwright);
  const code = await newCode(mapwright);
  const device = await ask(mapwright, 'POST', session, {
    body: { code },
    headers: {
      'user-agent':
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1',
    },
  });
  t.equal(device.status, 200);
  time.now += hourMs;
  const { status, json } = await owner.ask('POST', '/console/session/device');
  t.equal(status, 200);
  t.equal(json.expires, '2030-01-01T01:10:00.000Z');
  const third = new SignedIn(mapwright);
  t.equal((await third.enter(json.path)).status, 200);
  t.equal((await new SignedIn(mapwright).enter(json.path)).status, 401, 'once');
  const listed = (await owner.ask('GET', '/console/sessions')).json;
  t.match(listed, [
    { device: 'another program', created: '2030-01-01T01:00:00.000Z', current: false },
    { device: 'Safari on iPhone', current: false },
    { current: true },
  ]);
  t.equal((await owner.ask('DELETE', `/console/sessions/${device.json.id}`)).status, 204);
  t.equal((await owner.ask('DELETE', `/console/sessions/${device.json.id}`)).status, 404, 'it is gone');
  t.equal((await third.ask('DELETE', '/console/sessions')).status, 204);
  t.strictSame([await statusOf(owner), await statusOf(third)], [401, 200]);
  const left = await third.ask('DELETE', session);
  t.equal(left.status, 204);
  t.match(left.headers['set-cookie'], [/^mapwright-session-\d+=; Path=\/; Max-Age=0; /]);
  t.equal(await statusOf(third), 401);
});

t.test('sessions and codes survive restarts and crashes, those that ended do not come back', async (t) => {
  const mapwright = await startMapwright(t);
  const [kept, ended] = [await signIn(mapwright), await signIn(mapwright)];
  const code = await newCode(mapwright);
  t.equal((await ended.ask('DELETE', session)).status, 204);
  for (const step of ['restart', 'crash'] as const) {
    await mapwright[step]();
    // The port is another one after a start; the cookie of a browser stays.
    const now = (browser: SignedIn) => Object.assign(new SignedIn(mapwright), { cookie: browser.cookie, secret: browser.secret });
    t.strictSame([await statusOf(now(kept)), await statusOf(now(ended))], [200, 401], step);
    t.equal((await new SignedIn(mapwright).enter(code)).status, step === 'restart' ? 200 : 401, step);
  }
});

t.test('a session is deleted a day after its end, and no key of a program is', async (t) => {
  const time = { now: Date.UTC(2030, 0, 1) };
  const mapwright = await startMapwright(t, { clock: () => time.now });
  const { server } = mapwright;
  const browser = await signIn(mapwright);
  const { id } = (await browser.ask('GET', session)).json;
  const [expired, revoked] = [await server.createKey('ann', { expires: '1h' }), await server.createKey('ann')];
  await server.revokeKey(revoked.id);
  const isStored = async (): Promise<boolean> => {
    await mapwright.post('/projects', {});
    await server.snapshot();
    const folder = path.join(mapwright.data, 'snapshots');
    const newest = fs
      .readdirSync(folder)
      .filter((name) => name.endsWith('.snapshot'))
      .sort()
      .at(-1) as string;
    return fs.readFileSync(path.join(folder, newest)).includes(id);
  };
  time.now += 30 * dayMs + hourMs;
  await signIn(mapwright);
  t.ok(await isStored(), 'an hour after its end');
  time.now += dayMs;
  await signIn(mapwright);
  await until('the session is deleted', async () => !(await isStored()));
  const left = (await server.keys()).map((key) => key.id);
  t.ok(left.includes(expired.id) && left.includes(revoked.id), 'keys of programs stay in the list');
});

t.test('a person has 50 sessions at most: the one that was used longest ago ends', async (t) => {
  const { mapwright, time } = await timed(t);
  const first = await signIn(mapwright);
  for (let n = 0; n < 50; n++) {
    time.now += 1000;
    await signIn(mapwright);
  }
  t.equal(await statusOf(first), 401);
  const last = await signIn(mapwright);
  t.equal((await last.ask('GET', '/console/sessions')).json.length, 50);
});

t.test('if an account is deleted during an exchange, the code is 401 or its session ends', async (t) => {
  const { mapwright } = await timed(t);
  for (let n = 0; n < 10; n++) {
    await mapwright.newKey('bob');
    const code = codeIn((await mapwright.server.consoleAddress('bob')).path);
    const browser = new SignedIn(mapwright);
    const [{ status, json }] = await Promise.all([browser.enter(code), mapwright.server.deleteAccount('bob')]);
    t.ok([200, 401].includes(status), `${status} ${JSON.stringify(json)}`);
    t.equal(await statusOf(browser), 401);
    t.notOk((await mapwright.server.accounts()).some(({ name }) => name === 'bob'));
  }
});

t.test('after ten wrong codes an address gets 429 for a minute, but a right code works', async (t) => {
  const { mapwright, time } = await timed(t, { trustProxy: 'loopback' });
  const exchange = (code: string, address: string) =>
    ask(mapwright, 'POST', session, { body: { code }, headers: { 'x-forwarded-for': address } });
  for (let n = 0; n < 10; n++) t.equal((await exchange(`wrong-${n}`, '192.0.2.1')).status, 401);
  t.match(await exchange('wrong', '192.0.2.1'), {
    status: 429,
    headers: { 'retry-after': '60' },
    json: { code: 'too_many_requests' },
  });
  const code = await newCode(mapwright);
  t.equal((await exchange(code, '192.0.2.1')).status, 200, 'a right code');
  t.equal((await exchange(code, '192.0.2.1')).status, 429, 'a used one is wrong');
  t.equal((await exchange('wrong', '192.0.2.2')).status, 401, 'another address is not affected');
  time.now += minuteMs;
  t.equal((await exchange('wrong', '192.0.2.1')).status, 401, 'a minute later');
  for (let n = 0; n < 10; n++) t.equal((await exchange('wrong', `2001:db8::${n}:1`)).status, 401);
  t.equal((await exchange('wrong', '2001:db8:0:0:ffff::1')).status, 429, 'one /64');
  t.equal((await exchange('wrong', '2001:db8:0:1::1')).status, 401, 'another /64');
  time.now -= hourMs;
  t.equal((await exchange('wrong', '2001:db8:0:0:ffff::1')).status, 401, 'a clock that is set back extends nothing');
});

t.test('only the page of this server signs in, and CORS allows no session', async (t) => {
  const { mapwright } = await timed(t, { cors: ['*'] });
  const code = await newCode(mapwright);
  const from = (origin: string) => ask(mapwright, 'POST', session, { body: { code }, headers: { origin } });
  for (const origin of ['https://evil.example', `http://127.0.0.1:${mapwright.port + 1}`, 'null'])
    t.equal((await from(origin)).status, 403, `a browser that names no site, from ${origin}`);
  for (const site of ['cross-site', 'same-site', 'none'])
    t.equal((await ask(mapwright, 'POST', session, { body: { code }, headers: { 'sec-fetch-site': site } })).status, 403, site);
  t.equal((await ask(mapwright, 'POST', session, { body: { code }, headers: { 'sec-fetch-site': 'same-origin' } })).status, 200);
  const preflight = await ask(mapwright, 'OPTIONS', '/v1/projects', {
    headers: {
      origin: 'https://evil.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'mapwright-session',
    },
  });
  t.equal(preflight.status, 204);
  t.notMatch(String(preflight.headers['access-control-allow-headers']).toLowerCase(), /mapwright-session|cookie/);
  t.equal(preflight.headers['access-control-allow-credentials'], undefined);
  const form = await ask(mapwright, 'POST', session, {
    body: JSON.stringify({ code: await newCode(mapwright) }),
    headers: { 'content-type': 'text/plain' },
  });
  t.equal(form.status, 415, 'a form of another page');
});

t.test('invalid requests to /console/session are refused with their status', async (t) => {
  const { mapwright } = await timed(t);
  for (const body of [{}, { code: 1 }, { code: 'x', more: 1 }, '[]', '{', '"x"'])
    t.equal((await ask(mapwright, 'POST', session, { body })).status, 400, JSON.stringify(body));
  t.equal(
    (await ask(mapwright, 'POST', session, { body: { code: 'x'.repeat(2000) } })).status,
    413,
    'it needs no key, so it is short',
  );
  t.equal((await ask(mapwright, 'GET', session)).status, 401);
  t.equal((await ask(mapwright, 'DELETE', session)).status, 401);
  const headers = { authorization: `Bearer ${mapwright.key}` };
  t.match(await ask(mapwright, 'PUT', session, { headers }), { status: 405, headers: { allow: 'POST, GET, HEAD, DELETE' } });
  t.match(await ask(mapwright, 'DELETE', session, { headers }), { status: 403, json: { detail: /API key, not a session/ } });
  t.match((await ask(mapwright, 'GET', session, { headers })).json, { person: null, rights: ['read', 'write', 'publish'] });
  t.match(await ask(mapwright, 'POST', '/console/session/device', { headers }), { status: 403, json: { detail: /API key/ } });
});

t.test('the command that signs in is named on the machine of the server only', async (t) => {
  const mapwright = await startMapwright(t);
  const folder = async (headers = {}): Promise<unknown> =>
    (await ask(mapwright, 'GET', '/console/ways', { headers })).json.dataFolder;
  t.equal(await folder(), path.resolve(mapwright.data));
  t.equal(await folder({ host: 'localhost:80' }), path.resolve(mapwright.data));
  for (const headers of [
    { host: 'maps.example' },
    { host: '127.0.0.1.evil.example' },
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=1' },
    { via: 'x' },
  ])
    t.equal(await folder(headers), null, JSON.stringify(headers));
  const behind = await startForRequests(t, { publicUrl: 'https://maps.example' });
  t.equal((await ask(behind, 'GET', '/console/ways')).json.dataFolder, null);
});

t.test('log and audit log name people by identifier, and contain no secret', async (t) => {
  const lines: string[] = [];
  const note = (...said: unknown[]): void => void lines.push(JSON.stringify(said));
  const mapwright = await startMapwright(t, { logRequests: true, log: { info: note, warn: note, error: note } });
  const code = await newCode(mapwright);
  const browser = new SignedIn(mapwright);
  const { id, person } = (await browser.enter(code)).json;
  await new SignedIn(mapwright).enter(code);
  await browser.ask('GET', '/v1/projects');
  await ask(mapwright, 'GET', '/v1/projects', { headers: { 'mapwright-session': browser.secret } });
  await browser.ask('DELETE', session);
  await until('the requests are in the log', () => lines.some((line) => line.includes(person.id)));
  await mapwright.close();
  const events = eventsIn(mapwright);
  t.match(
    events.find(({ event }) => event === 'person.created'),
    { person: person.id, role: 'owner', by: '' },
  );
  t.match(
    events.find(({ event }) => event === 'session.created'),
    { session: id, person: person.id, purpose: 'command' },
  );
  t.match(
    events.find(({ event }) => event === 'session.ended'),
    { session: id, by: person.id },
  );
  t.match(
    events.find(({ event }) => event === 'key.refused'),
    { reason: 'unknown', key: id },
  );
  const said = lines.join('\n') + JSON.stringify(events);
  for (const secret of [code, browser.secret, browser.cookie.split('=')[1] as string]) t.notOk(said.includes(secret));
});

t.test('the audit log names the account and the person of a session that another one replaces', async (t) => {
  const mapwright = await startMapwright(t);
  await mapwright.newKey('ben');
  const ben = await signIn(mapwright, 'ben');
  const replaced = (await ben.ask('GET', session)).json;
  const { json } = await ben.ask('POST', session, { code: await newCode(mapwright), replace: true });
  await mapwright.close();
  const events = eventsIn(mapwright);
  const { account } = events.find((each) => each['event'] === 'session.created' && each['session'] === replaced.id) ?? {};
  t.match(
    events.find(({ event }) => event === 'session.ended'),
    { session: replaced.id, account, person: replaced.person.id, by: json.person.id },
  );
  t.not(account, events.find((each) => each['session'] === json.id)?.['account']);
});

t.test('a data folder holds digests only', async (t) => {
  const mapwright = await startMapwright(t);
  const browser = await signIn(mapwright);
  const code = await newCode(mapwright);
  await mapwright.server.snapshot();
  await mapwright.close();
  const bytes = fs
    .readdirSync(mapwright.data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name)));
  const whole = Buffer.concat(bytes);
  t.ok(whole.includes('owner'), 'the person is in it');
  for (const secret of [code.slice(17), browser.secret.slice(17), browser.cookie.split('=')[1] as string])
    t.notOk(whole.includes(secret));
});
