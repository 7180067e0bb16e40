// tier: normal
/** Single sign-on with a provider that does not answer, or answers wrongly, and options that contradict each other. */
import { createSign, generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import t, { type Test } from 'tap';
import { refuseSignOn } from '../../src/cluster/node/check-start.ts';
import { createServer } from '../../src/index.ts';
import { SettingsError } from '../../src/lib/errors.ts';
import { AttemptCookie } from '../../src/server/console/oidc/attempt-cookie.ts';
import { type Checks, type Provider, ProviderError } from '../../src/server/console/oidc/provider.ts';
import { openProvider } from '../../src/server/console/oidc/single-sign-on.ts';
import { silent } from '../support/mapwright.ts';
import { temporaryFolder } from '../support/process.ts';

const publicUrl = 'http://maps.test:8070';
const client = { oidcClient: 'maps', oidcSecret: 'secret of maps' };
/** Less than any answer here takes, unless it never comes. */
const timeoutMs = 2000;

type Handler = (req: http.IncomingMessage, res: http.ServerResponse) => void;

/** A server that a test answers for. */
async function answering(t: Test, handle: Handler): Promise<{ issuer: string; close(): Promise<void> }> {
  const server = http.createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  t.teardown(close);
  return { issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

const send = (res: http.ServerResponse, value: unknown, status = 200): void => {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};

async function providerOf(issuer: string, clock = { now: 0 }, limitMs = timeoutMs): Promise<Provider> {
  const more = { timeoutMs: limitMs, clock: () => clock.now };
  const opened = await openProvider({ oidcIssuer: issuer, ...client, publicUrl }, more);
  if (opened === undefined) throw new Error('no provider');
  return opened.provider;
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return error.failure;
  }
}

const documentOf = (issuer: string) => ({
  ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` },
  ...{ response_types_supported: ['code'], subject_types_supported: ['public'], code_challenge_methods_supported: ['S256'] },
  id_token_signing_alg_values_supported: ['RS256'],
});

t.test('a discovery document that is missing, wrong, large or late signs nobody in', async (t) => {
  let answer: (issuer: string, res: http.ServerResponse) => void = () => undefined;
  const { issuer, close } = await answering(t, (_, res) => answer(issuer, res));
  const provider = await providerOf(issuer, undefined, 1000);
  const begin = () => failureOf(provider.address(provider.newChecks()));
  const cases: readonly (readonly [string, string, typeof answer])[] = [
    ['404', 'invalid', (_, res) => send(res, {}, 404)],
    ['500', 'away', (_, res) => send(res, {}, 500)],
    ['no JSON', 'invalid', (_, res) => res.writeHead(200, { 'content-type': 'application/json' }).end('{')],
    ['a page', 'invalid', (_, res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<p>')],
    ['another issuer', 'invalid', (_, res) => send(res, documentOf('http://127.0.0.1:1'))],
    ['no token endpoint', 'invalid', (own, res) => send(res, { ...documentOf(own), token_endpoint: undefined })],
    ['a redirect', 'invalid', (own, res) => res.writeHead(302, { location: `${own}/elsewhere` }).end()],
    ['a script', 'invalid', (own, res) => send(res, { ...documentOf(own), authorization_endpoint: 'javascript:alert(1)' })],
    ['too large', 'invalid', (own, res) => send(res, { ...documentOf(own), more: 'x'.repeat(600_000) })],
    ['never', 'away', () => undefined],
    ['a body that never ends', 'away', (_, res) => void res.writeHead(200, { 'content-type': 'application/json' }).write('{')],
    ['a closed connection', 'away', (_, res) => void res.destroy()],
  ];
  for (const [name, failure, handle] of cases) {
    answer = handle;
    t.equal(await begin(), failure, name);
  }
  answer = (own, res) => send(res, documentOf(own));
  t.equal(await begin(), 'none', 'it works again');
  await close();
  t.equal(await begin(), 'none', 'a known document is used');
  t.equal(await failureOf((await providerOf(issuer)).check()), 'away');
});

t.test('the document is asked for once by many, and again after an hour', async (t) => {
  let asked = 0;
  const clock = { now: 0 };
  const { issuer, close } = await answering(t, (_, res) => {
    asked++;
    send(res, documentOf(issuer));
  });
  const provider = await providerOf(issuer, clock);
  await Promise.all(Array.from({ length: 20 }, () => provider.address(provider.newChecks())));
  t.equal(asked, 1);
  clock.now += 3_600_000;
  await provider.check();
  t.equal(asked, 2);
  clock.now += 3_600_000;
  await close();
  await provider.check();
  t.equal(asked, 2, 'one that cannot be renewed is used longer');
});

const [own, foreign] = [generateKeyPairSync('rsa', { modulusLength: 2048 }), generateKeyPairSync('rsa', { modulusLength: 2048 })];
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function signed(claims: object, key = own.privateKey, alg = 'RS256'): string {
  const text = `${part({ alg, kid: 'k' })}.${part(claims)}`;
  return `${text}.${alg === 'none' ? '' : createSign('sha256').update(text).sign(key, 'base64url')}`;
}

t.test('only an ID token of this issuer, for this client and this attempt, with its signature, counts', async (t) => {
  let token: (checks: Checks, issuer: string) => string = () => '';
  let authorization: string | undefined;
  let checks: Checks;
  let slow = false;
  const { issuer } = await answering(t, (req, res) => {
    if (req.url === '/jwks')
      return send(res, { keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }] });
    if (req.url === '/userinfo') return send(res, { sub: 'someone else', email: 'bea@example.com', email_verified: true });
    if (req.url !== '/token') return send(res, { ...documentOf(issuer), userinfo_endpoint: `${issuer}/userinfo` });
    authorization = req.headers.authorization;
    if (!slow) send(res, { access_token: 'a', token_type: 'bearer', id_token: token(checks, issuer) });
  });
  const provider = await providerOf(issuer, undefined, 1000);
  checks = provider.newChecks();
  const exchange = () => provider.exchange(`?code=c&state=${checks.state}`, checks);
  const now = Math.floor(Date.now() / 1000);
  const right = ({ nonce }: Checks, iss: string) => ({ iss, sub: 'u1', aud: 'maps', nonce, iat: now, exp: now + 60 });
  const cases: readonly (readonly [string, string, typeof token])[] = [
    ['another signature', 'invalid', (c, iss) => signed(right(c, iss), foreign.privateKey)],
    ['no signature', 'invalid', (c, iss) => signed(right(c, iss), undefined, 'none')],
    ['another client', 'invalid', (c, iss) => signed({ ...right(c, iss), aud: 'other' })],
    ['another attempt', 'invalid', (c, iss) => signed({ ...right(c, iss), nonce: 'n' })],
    ['another issuer', 'issuer', (c) => signed(right(c, 'https://evil.example'))],
    ['over', 'invalid', (c, iss) => signed({ ...right(c, iss), exp: now - 600 })],
    ['no subject', 'invalid', (c, iss) => signed({ ...right(c, iss), sub: '' })],
    ['a long subject', 'invalid', (c, iss) => signed({ ...right(c, iss), sub: 'x'.repeat(256) })],
    ['none', 'invalid', () => ''],
  ];
  for (const [name, failure, handle] of cases) {
    token = handle;
    t.equal(await failureOf(exchange()), failure, name);
  }
  token = (c, iss) => signed(right(c, iss));
  const known = await exchange();
  t.match(known, { issuer, subject: 'u1' });
  t.equal(authorization, `Basic ${Buffer.from('maps:secret+of+maps').toString('base64')}`);
  t.equal(await failureOf(known.profile()), 'invalid', 'claims about somebody else');
  token = (c, iss) => signed({ ...right(c, iss), email: 'A@B.example', email_verified: 'true', name: 7 });
  t.same(await (await exchange()).profile(), { email: 'a@b.example', isVerified: false, name: '' }, 'only true is true');
  slow = true;
  t.equal(await failureOf(exchange()), 'away', 'slow');
  t.equal(await failureOf(provider.exchange('?state=x&code=c', checks)), 'invalid', 'another state');
});

t.test('every node of a cluster opens the cookie of another, for the same callback', async (t) => {
  const callback = new URL('https://maps.example/base/console/oidc/callback');
  const secret = Buffer.alloc(32, 1);
  const attempt = { state: 's', nonce: 'n', verifier: 'v', project: '', session: '', until: 1000 };
  const line = new AttemptCookie(callback, secret).setting(attempt);
  t.match(
    line,
    /^__Secure-mapwright-oidc-443=[\w-]+; Max-Age=600; Path=\/base\/console\/oidc\/callback; HttpOnly; SameSite=Lax; Secure$/,
  );
  const [header = ''] = line.split(';');
  const found = (cookie: AttemptCookie, now = 999) => cookie.find(`a=b; ${header}`, now);
  t.same(found(new AttemptCookie(callback, secret)), { attempt });
  t.same(found(new AttemptCookie(callback, secret), 1000), { missing: 'over' });
  t.same(found(new AttemptCookie(callback, Buffer.alloc(32, 2))), { missing: 'sealed' });
  t.same(found(new AttemptCookie(new URL('https://other.example/console/oidc/callback'), secret)), { missing: 'sealed' });
  t.same(found(new AttemptCookie(callback, undefined)), { missing: 'sealed' }, 'one machine has a key of its own');
  t.throws(
    () => refuseSignOn({ oidcIssuer: 'https://login.example' }, { shards: 2 }),
    /works in a cluster of one shard; this one has 2/,
  );
  t.doesNotThrow(() => refuseSignOn({ oidcIssuer: 'https://login.example' }, { shards: 1 }));
  t.doesNotThrow(() => refuseSignOn({}, { shards: 2 }));
});

t.test('options that lack or contradict each other do not start a server', async (t) => {
  const given = { inMemory: true, log: silent, publicUrl, oidcIssuer: 'https://login.example', ...client } as const;
  const refused = async (options: object, message: RegExp) =>
    await t.rejects(createServer({ ...given, ...options } as typeof given), message, String(message));
  await refused({ publicUrl: undefined }, /"oidcIssuer".* needs "publicUrl" with a whole URL/);
  await refused({ publicUrl: '/maps' }, /needs "publicUrl" with a whole URL/);
  await refused({ oidcClient: undefined }, /needs "oidcClient"/);
  await refused({ oidcSecret: undefined }, /needs the client secret, in a file: "oidcSecretFile"/);
  await refused({ oidcSecretFile: 'x' }, /"oidcSecretFile".* and "oidcSecret" are both given/);
  await refused({ console: false }, /"oidcIssuer".* and "console: false" contradict/);
  await refused({ oidcIssuer: undefined }, /"oidcClient".* needs "oidcIssuer"/);
  await refused({ oidcIssuer: 'http://login.example' }, /Only a provider on this machine may have http/);
  await refused({ oidcIssuer: 'login.example' }, /must be a whole URL/);
  await refused({ oidcIssuer: 'https://a:b@login.example' }, /is "https:\/\/…@login.example"/);
  await refused({ oidcIssuer: 'https://login.example/.well-known/openid-configuration' }, /precedes \/\.well-known/);
  await refused({ oidcName: ' ' }, /1 to 60 printable/);
  for (const rule of ['example.com', 'example.com=acme', '=acme:viewer', 'a b=acme:viewer', '*=acme:viewer'])
    await refused({ oidcDomains: [rule] }, /must be DOMAIN=ACCOUNT:ROLE/);
  await refused({ oidcDomains: ['example.com=acme:owner'] }, /Owners are invited/);
  await refused({ oidcDomains: ['example.com=acme:admin'] }, /must be editor or viewer/);
  await refused({ oidcDomains: ['a.b=acme:viewer', 'A.B=acme:editor'] }, /names a\.b twice/);

  const file = path.join(temporaryFolder(t), 'secret');
  const fromFile = { oidcSecret: undefined, oidcSecretFile: file };
  await t.rejects(createServer({ ...given, ...fromFile } as unknown as typeof given), SettingsError);
  await refused(fromFile, /cannot be read: ENOENT/);
  fs.writeFileSync(file, '\n');
  await refused(fromFile, /is empty/);
  fs.writeFileSync(file, 'secret\n');
  await (await createServer({ ...given, ...fromFile } as unknown as typeof given)).close();
});
