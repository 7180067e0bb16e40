// tier: normal
/** Single sign-on: the whole way of a browser over a provider and back, and everything that can go wrong on it. */
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { ServerOptions } from '../../src/index.ts';
import { type Mapwright, startForRequests, startMapwright } from '../support/mapwright.ts';
import { startProvider, type TestProvider } from '../support/oidc-provider.ts';

const base = '/base';
const publicUrl = `http://maps.test:8070${base}`;
const callback = `${publicUrl}/console/oidc/callback`;
const cookieName = 'mapwright-oidc-8070';
const project = '0190a5d0-0000-7000-8000-000000000001';

interface Answered {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
  readonly json: any;
}

function ask(
  { port }: Pick<Mapwright, 'port'>,
  method: string,
  target: string,
  { body, headers = {} }: { body?: unknown; headers?: http.OutgoingHttpHeaders } = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const req = http.request({ port, method, path: base + target, headers: { ...type, ...headers }, agent: false }, (res) => {
      const parts: Buffer[] = [];
      res.on('data', (part: Buffer) => parts.push(part));
      res.on('end', () => {
        const text = Buffer.concat(parts).toString();
        const json = /json/.test(res.headers['content-type'] ?? '') && text !== '' ? JSON.parse(text) : undefined;
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text, json });
      });
    });
    req.on('error', reject);
    req.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The cookies that an answer sets: the name and the value of each. */
const setCookies = ({ headers }: Answered): string[] =>
  (headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0] as string);

interface Session {
  readonly headers: { readonly 'mapwright-session': string; readonly cookie: string };
  readonly id: string;
  readonly account: string;
  readonly person: { readonly id: string; readonly name: string; readonly role: string };
}

/** @param headers of the session that the browser has */
async function exchange(mapwright: Mapwright, location: string, headers: http.OutgoingHttpHeaders = {}): Promise<Session> {
  const [, code] = /#code=([\w-]+)/.exec(location) ?? [];
  const answer = await ask(mapwright, 'POST', '/console/session', { body: { code }, headers });
  if (answer.status !== 200) throw new Error(`${location}: ${answer.status} ${answer.text}`);
  const { secret, ...session } = answer.json;
  return { ...session, headers: { 'mapwright-session': secret, cookie: setCookies(answer).join('; ') } };
}

interface Begun {
  readonly location: string;
  readonly cookie: string;
}

async function begin(mapwright: Mapwright, body: object = {}, headers: http.OutgoingHttpHeaders = {}): Promise<Begun> {
  const answer = await ask(mapwright, 'POST', '/console/oidc', { body, headers });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return { location: answer.json.location, cookie: setCookies(answer).join('; ') };
}

/** Follows what the provider answered. */
const come = (mapwright: Mapwright, { search }: URL, cookie = ''): Promise<Answered> =>
  ask(mapwright, 'GET', `/console/oidc/callback${search}`, { headers: cookie === '' ? {} : { cookie } });

/** The whole way as a user of the provider, up to the answer of the callback. */
async function signOn(mapwright: Mapwright, provider: TestProvider, sub: string, body = {}, headers = {}): Promise<Answered> {
  const { location, cookie } = await begin(mapwright, body, headers);
  return await come(mapwright, await provider.visit(location, sub), cookie);
}

async function signedOn(mapwright: Mapwright, provider: TestProvider, sub: string, body = {}, headers = {}): Promise<Session> {
  const answer = await signOn(mapwright, provider, sub, body, headers);
  if (answer.status !== 303) throw new Error(`${answer.status} ${titleOf(answer)}`);
  return await exchange(mapwright, answer.headers.location ?? '', headers);
}

const titleOf = ({ text }: Answered): string => /<h1>(.*?)<\/h1>/.exec(text)?.[1] ?? text;

function refused(t: Test, answer: Answered, title: string, status = 403): void {
  t.equal(titleOf(answer), title);
  t.equal(answer.status, status);
  t.equal(answer.headers['cache-control'], 'no-store');
  t.equal(answer.headers['referrer-policy'], 'no-referrer');
  t.equal(answer.headers['access-control-allow-origin'], undefined);
  t.match(answer.headers['content-security-policy'], "frame-ancestors 'none'");
  t.match(answer.text, `<a href="${base}/console">`, 'a way out');
  t.match(setCookies(answer), [`${cookieName}=`], 'the attempt is over');
}

interface World {
  readonly provider: TestProvider;
  readonly mapwright: Mapwright;
  readonly owner: Session;
}

async function signedInOwner(mapwright: Mapwright, account = 'ann'): Promise<Session> {
  return await exchange(mapwright, (await mapwright.server.consoleAddress(account)).path);
}

async function world(t: Test, options: Partial<ServerOptions> = {}, start = startForRequests): Promise<World> {
  const provider = await startProvider(t, callback);
  const mapwright = await start(t, { publicUrl, ...provider.options, ...options });
  return { provider, mapwright, owner: await signedInOwner(mapwright) };
}

/** An owner invites somebody. */
async function invite(mapwright: Mapwright, { headers }: Session, person: object): Promise<{ id: string; path: string }> {
  const answer = await ask(mapwright, 'POST', '/console/people', { body: person, headers });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json;
}

const bea = { name: 'Bea', role: 'editor', email: 'Bea@Example.com' };

t.test('an invited address signs in once by e-mail, then by issuer and subject, whatever the address becomes', async (t) => {
  const { provider, mapwright, owner } = await world(t);
  const { id } = await invite(mapwright, owner, bea);
  provider.users.set('u1', { email: 'BEA@example.com', email_verified: true, name: 'Beatrice' });
  const start = await ask(mapwright, 'POST', '/console/oidc', { body: { return: `/p/${project}` } });
  t.equal(start.status, 200);
  t.equal(start.headers['cache-control'], 'no-store');
  t.match(
    start.headers['set-cookie']?.[0],
    new RegExp(`^${cookieName}=[\\w-]{200,800}; Max-Age=600; Path=${base}/console/oidc/callback; HttpOnly; SameSite=Lax$`),
  );
  const asked = new URL(start.json.location).searchParams;
  t.match(Object.fromEntries(asked), {
    ...{ response_type: 'code', client_id: 'maps', redirect_uri: callback, scope: 'openid email profile' },
    ...{ code_challenge_method: 'S256', state: /^[\w-]{43}$/, nonce: /^[\w-]{43}$/, code_challenge: /^[\w-]{43}$/ },
  });
  const back = await provider.visit(start.json.location, 'u1');
  t.ok(back.href.startsWith(`${callback}?`));
  t.equal(back.searchParams.get('iss'), provider.issuer);
  const answer = await come(mapwright, back, setCookies(start).join());
  t.equal(answer.status, 303);
  t.match(answer.headers.location, new RegExp(`^${base}/console#code=0mw_[\\w-]{61}/p/${project}$`));
  t.match(answer.headers, { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  t.match(answer.headers['set-cookie'], [
    `${cookieName}=; Max-Age=0; Path=${base}/console/oidc/callback; HttpOnly; SameSite=Lax`,
  ]);
  const first = await exchange(mapwright, answer.headers.location ?? '');
  t.match(first, { account: 'ann', person: { id, name: 'Bea', role: 'editor' } });
  t.equal((await ask(mapwright, 'GET', '/console/session', { headers: first.headers })).status, 200);
  await t.rejects(exchange(mapwright, answer.headers.location ?? ''), /401/, 'the code works once');

  provider.users.set('u1', { email: 'someone@else.example', email_verified: false });
  t.match(await signedOn(mapwright, provider, 'u1'), { person: { id } });
  provider.users.set('u2', { email: 'bea@example.com', email_verified: true });
  refused(t, await signOn(mapwright, provider, 'u2'), 'Your address belongs to somebody else here.');
  const people = await ask(mapwright, 'GET', '/console/people', { headers: owner.headers });
  t.match(people.json[1], { id, signsInWith: [provider.issuer], email: 'bea@example.com' });
});

t.test('the page learns whether there is a provider, and its name', async (t) => {
  const { mapwright, provider } = await world(t);
  t.match((await ask(mapwright, 'GET', '/console/ways')).json, { oidc: { name: new URL(provider.issuer).host } });
  const named = await startForRequests(t, { publicUrl, ...provider.options, oidcName: 'Example SSO' });
  t.match((await ask(named, 'GET', '/console/ways')).json, { oidc: { name: 'Example SSO' } });
  const without = await startForRequests(t, { publicUrl });
  t.match((await ask(without, 'GET', '/console/ways')).json, { oidc: null });
  t.equal((await ask(without, 'POST', '/console/oidc', { body: {} })).status, 405, 'a page of the console at most');
});

t.test('an address that the provider does not confirm, or that nobody invited, signs nobody in', async (t) => {
  const { provider, mapwright, owner } = await world(t);
  await invite(mapwright, owner, bea);
  provider.users.set('u1', { email: 'bea@example.com', email_verified: false });
  refused(t, await signOn(mapwright, provider, 'u1'), 'Your e-mail address is not confirmed.');
  provider.users.set('u2', { email: 'bea@example.com' });
  refused(t, await signOn(mapwright, provider, 'u2'), 'Your e-mail address is not confirmed.');
  provider.users.set('u3', { email: 'carl@example.com', email_verified: true });
  refused(t, await signOn(mapwright, provider, 'u3'), 'Nobody invited you.');
  provider.users.set('u4', {});
  refused(t, await signOn(mapwright, provider, 'u4'), 'Nobody invited you.');
  // A Kelvin sign becomes a k in lower case.
  await invite(mapwright, owner, { name: 'Kim', role: 'viewer', email: 'kim@example.com' });
  provider.users.set('u5', { email: '\u212aim@example.com', email_verified: true });
  refused(t, await signOn(mapwright, provider, 'u5'), 'Nobody invited you.');
});

t.test('owners connect the provider while they are signed in, and only then', async (t) => {
  const { provider, mapwright, owner } = await world(t);
  const { headers, person } = owner;
  await ask(mapwright, 'PATCH', `/console/people/${person.id}`, { body: { email: 'ann@example.com' }, headers });
  provider.users.set('u1', { email: 'ann@example.com', email_verified: true });
  refused(t, await signOn(mapwright, provider, 'u1'), 'Owners connect a provider while they are signed in.');
  t.equal((await ask(mapwright, 'POST', '/console/oidc', { body: { bind: true } })).status, 401, 'without a session');
  const { cookie, ...half } = headers;
  for (const one of [{ cookie }, half])
    t.equal(
      (await ask(mapwright, 'POST', '/console/oidc', { body: { bind: true }, headers: one })).status,
      401,
      'half a session',
    );
  const planted = await signOn(mapwright, provider, 'u1', { bind: true }, headers);
  await t.rejects(exchange(mapwright, planted.headers.location ?? ''), { message: /401/ }, 'a browser without the session');
  refused(t, await signOn(mapwright, provider, 'u1'), 'Owners connect a provider while they are signed in.');
  const bound = await signedOn(mapwright, provider, 'u1', { bind: true }, headers);
  t.equal(bound.person.id, person.id);
  t.match(await signedOn(mapwright, provider, 'u1'), { person: { id: person.id, role: 'owner' } });

  const { path: link } = await invite(mapwright, bound, bea);
  const other = await exchange(mapwright, link);
  refused(t, await signOn(mapwright, provider, 'u1', { bind: true }, other.headers), 'This user is connected already.');
  const begun = await begin(mapwright, { bind: true }, other.headers);
  const back = await provider.visit(begun.location, 'u2');
  await ask(mapwright, 'DELETE', '/console/session', { headers: other.headers });
  refused(t, await come(mapwright, back, begun.cookie), 'Your session has ended.', 400);
  refused(t, await signOn(mapwright, provider, 'u2'), 'Nobody invited you.');
});

t.test('a domain lets people in with its role, and never as owners', async (t) => {
  const { provider, mapwright, owner } = await world(t, {
    oidcDomains: ['Example.com=ann:viewer', 'edit.example=ann:editor', 'lost.example=nowhere:viewer'],
  });
  const user = (sub: string, email: string, name?: string) =>
    provider.users.set(sub, { email, email_verified: true, ...(name === undefined ? {} : { name }) });
  user('u1', 'Dora@Example.COM', 'Dora D.');
  const dora = await signedOn(mapwright, provider, 'u1');
  t.match(dora, { account: 'ann', person: { name: 'Dora D.', role: 'viewer' } });
  t.equal((await signedOn(mapwright, provider, 'u1')).person.id, dora.person.id);
  user('u2', 'emil@edit.example', '\u0000');
  t.match(await signedOn(mapwright, provider, 'u2'), { person: { name: 'emil', role: 'editor' } });
  user('u3', 'dora2@example.com', 'Dora D.');
  t.match(await signedOn(mapwright, provider, 'u3'), { person: { name: 'dora2@example.com' } }, 'names differ');
  for (const email of [
    'x@sub.example.com',
    'x@notexample.com',
    'x@example.com.evil',
    'x@example.com@evil.example',
    '@example.com',
  ]) {
    user('u4', email);
    t.equal((await signOn(mapwright, provider, 'u4')).status, 403, email);
  }
  provider.users.set('u4', { email: 'x@example.com', email_verified: false });
  refused(t, await signOn(mapwright, provider, 'u4'), 'Your e-mail address is not confirmed.');
  user('u5', 'x@lost.example');
  refused(t, await signOn(mapwright, provider, 'u5'), 'The account for your address does not exist.');

  const { headers } = owner;
  t.equal((await ask(mapwright, 'DELETE', `/console/people/${dora.person.id}`, { headers })).status, 204);
  t.equal((await ask(mapwright, 'GET', '/console/session', { headers: dora.headers })).status, 401);
  refused(t, await signOn(mapwright, provider, 'u1'), 'You have no access any more.');
  user('u6', 'dora@example.com');
  refused(t, await signOn(mapwright, provider, 'u6'), 'You have no access any more.');
  const again = await invite(mapwright, owner, { name: 'Dora', role: 'editor', email: 'dora@example.com' });
  t.match(await signedOn(mapwright, provider, 'u1'), { person: { id: again.id, role: 'editor' } }, 'unless she is invited again');
});

t.test('an address that several accounts know signs nobody in by itself', async (t) => {
  const { provider, mapwright, owner } = await world(t);
  await mapwright.newKey('ben');
  const owners = [owner, await signedInOwner(mapwright, 'ben')];
  const [first, second] = [
    await invite(mapwright, owners[0] as Session, bea),
    await invite(mapwright, owners[1] as Session, bea),
  ];
  provider.users.set('u1', { email: 'bea@example.com', email_verified: true });
  refused(t, await signOn(mapwright, provider, 'u1'), 'Several accounts invited your address.');
  const inFirst = await exchange(mapwright, first.path);
  refused(t, await signOn(mapwright, provider, 'u1'), 'Several accounts invited your address.');
  await signedOn(mapwright, provider, 'u1', { bind: true }, inFirst.headers);
  t.match(await signedOn(mapwright, provider, 'u1'), { account: 'ann', person: { id: first.id } });
  t.not(first.id, second.id);
});

t.test('an answer counts once, for the browser and the attempt that it belongs to', async (t) => {
  const { provider, mapwright, owner } = await world(t);
  await invite(mapwright, owner, bea);
  provider.users.set('u1', { email: 'bea@example.com', email_verified: true });
  const begun = await begin(mapwright);
  const back = await provider.visit(begun.location, 'u1');
  const tokens = () => provider.asked.filter((each) => each === '/token').length;
  refused(t, await come(mapwright, back), 'This browser did not begin to sign in here.', 400);
  const foreign = `${cookieName}=${Buffer.alloc(300, 7).toString('base64url')}`;
  refused(t, await come(mapwright, back, foreign), 'The server has started anew since you began to sign in.', 400);
  const tampered = begun.cookie.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
  const longer = begun.cookie.replace(/.{8}$/, 'AAAAAAAA');
  for (const cookie of [tampered, longer])
    refused(t, await come(mapwright, back, cookie), 'The server has started anew since you began to sign in.', 400);
  const another = await begin(mapwright);
  refused(t, await come(mapwright, back, another.cookie), 'This answer belongs to another attempt to sign in.', 400);
  const changed = (name: string, value: string | undefined): URL => {
    const url = new URL(back);
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
    return url;
  };
  for (const state of [undefined, '', 'x'.repeat(43)])
    refused(
      t,
      await come(mapwright, changed('state', state), begun.cookie),
      'This answer belongs to another attempt to sign in.',
      400,
    );
  t.equal(tokens(), 0, 'the provider was not asked');
  t.equal(
    (await ask(mapwright, 'HEAD', `/console/oidc/callback${back.search}`, { headers: { cookie: begun.cookie } })).status,
    405,
  );
  t.equal((await come(mapwright, back, `x=1; ${foreign}; ${begun.cookie}`)).status, 303, 'among other cookies');
  refused(t, await come(mapwright, back, begun.cookie), 'This answer was used before.', 400);
  t.equal(tokens(), 1);
});

t.test('answers of other issuers and for other clients are not used', async (t) => {
  const { provider, mapwright, owner } = await world(t);
  await invite(mapwright, owner, bea);
  provider.users.set('u1', { email: 'bea@example.com', email_verified: true });
  const comeWith = async (change: (url: URL) => void): Promise<Answered> => {
    const begun = await begin(mapwright);
    const back = await provider.visit(begun.location, 'u1');
    change(back);
    return await come(mapwright, back, begun.cookie);
  };
  const other = 'The answer came from another provider.';
  refused(t, await comeWith((url) => url.searchParams.set('iss', 'https://evil.example')), other, 400);
  refused(t, await comeWith((url) => url.searchParams.delete('iss')), other, 400);
  refused(t, await comeWith((url) => url.searchParams.append('iss', 'https://evil.example')), other, 400);
  refused(t, await comeWith((url) => url.searchParams.delete('code')), 'The answer of the provider is not valid.', 400);

  const begun = await begin(mapwright);
  const stolen = new URL(begun.location);
  stolen.searchParams.set('client_id', 'other');
  refused(
    t,
    await come(mapwright, await provider.visit(stolen.href, 'u1'), begun.cookie),
    'The provider refused to sign you in.',
    400,
  );
  const victim = await begin(mapwright);
  const attacker = await provider.visit((await begin(mapwright)).location, 'u1');
  attacker.searchParams.set('state', new URL(victim.location).searchParams.get('state') ?? '');
  refused(t, await come(mapwright, attacker, victim.cookie), 'The provider refused to sign you in.', 400);

  const nonce = await begin(mapwright);
  const wrong = new URL(nonce.location);
  wrong.searchParams.set('nonce', 'another');
  refused(
    t,
    await come(mapwright, await provider.visit(wrong.href, 'u1'), nonce.cookie),
    'The answer of the provider is not valid.',
    400,
  );
  const no = await begin(mapwright);
  const denied = await come(mapwright, await provider.refuse(no.location), no.cookie);
  refused(t, denied, 'You are not signed in.');
  t.notMatch(denied.text, '<b>no', 'nothing of the provider is in the page');
});

t.test('the way back leads to a project or nowhere', async (t) => {
  const { mapwright } = await world(t);
  const places = [
    '//evil.example',
    'https://evil.example/p/x',
    'javascript:alert(1)',
    `/p/${project}/../..`,
    '/',
    '#',
    ` /p/${project}`,
  ];
  for (const to of [...places, `/p/${project}\n`, `/p/${project.toUpperCase()}`, 7, null, ['/p']]) {
    const answer = await ask(mapwright, 'POST', '/console/oidc', { body: { return: to } });
    t.match(answer, { status: 400, json: { code: 'bad_request' } }, JSON.stringify(to));
  }
  t.equal((await ask(mapwright, 'POST', '/console/oidc', { body: { bind: 'yes' } })).status, 400);
  t.equal((await ask(mapwright, 'POST', '/console/oidc', { body: { more: 1 } })).status, 400);
  const foreign = { 'sec-fetch-site': 'cross-site' };
  t.equal((await ask(mapwright, 'POST', '/console/oidc', { body: {}, headers: foreign })).status, 403, 'another site');
});

t.test('ten minutes, and one minute for the code', async (t) => {
  const time = { now: Date.now() };
  const { provider, mapwright, owner } = await world(t, { clock: () => time.now });
  await invite(mapwright, owner, bea);
  provider.users.set('u1', { email: 'bea@example.com', email_verified: true });
  const begun = await begin(mapwright);
  const back = await provider.visit(begun.location, 'u1');
  time.now += 600_000;
  refused(t, await come(mapwright, back, begun.cookie), 'Signing in took more than ten minutes.', 400);
  const { headers } = await signOn(mapwright, provider, 'u1');
  time.now += 60_000;
  await t.rejects(exchange(mapwright, headers.location ?? ''), /401/);
});

t.test('a restart ends attempts, and keeps who is connected; the audit log has who came how', async (t) => {
  const { provider, mapwright, owner } = await world(t, { oidcDomains: ['example.com=ann:viewer'] }, startMapwright);
  provider.users.set('u1', { email: 'bea@example.com', email_verified: true });
  const { person } = await signedOn(mapwright, provider, 'u1');
  const begun = await begin(mapwright);
  const back = await provider.visit(begun.location, 'u1');
  await mapwright.restart();
  refused(t, await come(mapwright, back, begun.cookie), 'The server has started anew since you began to sign in.', 400);
  t.equal((await signedOn(mapwright, provider, 'u1')).person.id, person.id);
  const audit = fs.readFileSync(path.join(mapwright.data, 'audit.log'), 'utf8');
  const bound = `"event":"person.bound","account":"[\\w-]+","person":"${person.id}","issuer":"${provider.issuer}","by":"${person.id}"`;
  t.match(audit, new RegExp(bound));
  t.match(audit, /"event":"session.created".*"purpose":"provider"/);
  t.notMatch(audit, 'bea@', 'no address');
  await mapwright.crash();
  t.equal((await signedOn(mapwright, provider, 'u1')).person.id, person.id);
  t.equal((await ask(mapwright, 'GET', '/console/session', { headers: owner.headers })).status, 200);
});
