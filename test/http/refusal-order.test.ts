/** The order of refusals, and which credentials are accepted. */
import t from 'tap';
import { type ApiRequest, admin, authorization, type Endpoint, key, problems, type Reply, serve } from './harness.ts';

/** An endpoint of each kind, and what reached them. */
function recording(): { endpoints: Endpoint<string>[]; seen: ApiRequest<unknown>[] } {
  const seen: ApiRequest<unknown>[] = [];
  const endpoints: Endpoint<string>[] = [
    { method: 'GET', path: '/things/:id', prefixes: admin, query: ['limit'], handle: answer },
    { method: 'POST', path: '/things/:id', prefixes: admin, acceptsBody: true, handle: answer },
    { method: 'GET', path: '/healthz', prefixes: [''], public: true, handle: answer },
  ];
  function answer(request: ApiRequest<unknown>): Reply {
    seen.push(request);
    return { kind: 'json', status: 200, json: '{}' };
  }
  return { endpoints, seen };
}

t.test('an unknown path is 404 with and without a key', async (t) => {
  const { endpoints, seen } = recording();
  const { ask } = await serve(t, endpoints);
  for (const anonymous of [true, false]) {
    const { status, json, headers } = await ask('/v1/nothing', { anonymous });
    t.equal(status, 404);
    t.match(json, {
      code: 'not_found',
      type: 'urn:mapwright:problem:not_found',
      title: 'Not found',
      status: 404,
      request_id: headers['x-request-id'],
    });
    t.equal(headers['content-type'], 'application/problem+json');
  }
  t.equal((await ask('/v1/things/', { anonymous: true })).status, 404);
  t.strictSame(seen, []);
});

t.test('a known path without a valid key is 401 before any other refusal', async (t) => {
  const { endpoints, seen } = recording();
  const { ask } = await serve(t, endpoints, { limits: { bodyBytesMax: 100 } });
  const asks = [
    { method: 'GET' },
    { method: 'HEAD' },
    { method: 'DELETE' },
    { method: 'OPTIONS' },
    { method: 'TRACE' },
    { method: 'POST', body: '{' },
    { method: 'POST', body: 'x'.repeat(500) },
    { method: 'POST', body: '{}', headers: { 'Content-Type': 'text/plain' } },
  ];
  for (const path of ['/v1/things/1', '/api/v1/things/1', '/v1/things/%ZZ?nothing=1', `/v1/things/${'x'.repeat(5000)}`]) {
    for (const ask_ of asks) {
      const answer = await ask(path, { ...ask_, anonymous: true });
      t.equal(answer.status, 401, `${ask_.method} ${path.slice(0, 30)}`);
      t.equal(answer.headers['www-authenticate'], 'Bearer');
      if (ask_.method !== 'HEAD') t.equal(answer.json['code'], 'unauthorized');
    }
  }
  t.strictSame(seen, []);
});

t.test('a valid key gets 405 before errors of the query, and these before errors of the body', async (t) => {
  const { endpoints, seen } = recording();
  const { ask } = await serve(t, endpoints, { limits: { bodyBytesMax: 100 } });
  for (const method of ['DELETE', 'PUT', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND']) {
    const { status, headers, json } = await ask('/v1/things/1?nothing=1', { method });
    t.equal(status, 405, method);
    t.equal(headers['allow'], 'GET, HEAD, POST');
    t.equal(json['code'], 'method_not_allowed');
  }
  const query = await ask('/v1/things/1?x=1', { body: 'x'.repeat(500), headers: { 'Content-Type': 'text/plain' } });
  t.equal(query.status, 400);
  const type = await ask('/v1/things/1', { body: 'x'.repeat(500), headers: { 'Content-Type': 'text/plain' } });
  t.equal(type.status, 415);
  t.equal((await ask('/v1/things/1', { body: 'x'.repeat(500) })).status, 413);
  t.strictSame(seen, []);
});

t.test('an endpoint receives account, method, parameters, query, body and request id', async (t) => {
  const { endpoints, seen } = recording();
  const { ask } = await serve(t, endpoints);
  await ask('/api/v1/things/a%20b?limit=5', { method: 'HEAD' });
  await ask('/v1/things/1', { body: '{"a":1}', headers: { 'X-Request-Id': 'mine' } });
  await ask('/healthz?whatever=1&whatever=2', { anonymous: true });
  t.match(
    seen.map(({ caller: _, ...given }) => given),
    [
      {
        scope: 'ann',
        method: 'HEAD',
        url: '/api/v1/things/a%20b?limit=5',
        params: { id: 'a b' },
        query: { limit: '5' },
        body: {},
        fieldErrors: [],
      },
      { scope: 'ann', method: 'POST', params: { id: '1' }, query: {}, body: { a: 1 }, fieldErrors: [] },
      { scope: undefined, method: 'GET', params: {}, query: {} },
    ],
  );
  t.equal(seen[1]?.caller.requestId, 'mine');
});

t.test('only one Authorization header with a valid Bearer key is accepted', async (t) => {
  const { endpoints, seen } = recording();
  const asked: string[] = [];
  const authenticate = (token: string): string | undefined => {
    asked.push(token);
    return token === key ? 'ann' : undefined;
  };
  let version = 1;
  const { ask } = await serve(t, endpoints, { authenticate, accessVersion: () => version });
  const statusOf = async (headers: Record<string, string | string[]>, path = '/v1/things/1'): Promise<number> =>
    (await ask(path, { headers, anonymous: true })).status;

  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
    t.equal(await statusOf({ Authorization: `${scheme} ${key}` }), 200, scheme);
  }
  const refused: Record<string, string | string[]>[] = [
    {},
    { Authorization: '' },
    { Authorization: key },
    { Authorization: 'Bearer' },
    { Authorization: 'Bearer ' },
    { Authorization: `Bearer${key}` },
    { Authorization: `Bearer  ${key}` },
    { Authorization: `Bearer${' '.repeat(10_000)}${key}` },
    { Authorization: `Bearer ${key} ${key}` },
    { Authorization: `Bearer ${key}, Bearer ${key}` },
    { Authorization: `Bearer "${key}"` },
    { Authorization: `Token ${key}` },
    { Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
    { Authorization: [authorization, authorization] },
    { Authorization: [authorization, 'Bearer other'] },
    { Authorization: ['Bearer other', authorization] },
    { Authorization: `Bearer ${key.toUpperCase()}` },
    { 'X-Api-Key': key },
    { 'Proxy-Authorization': authorization },
    { Cookie: `key=${key}; Authorization=${authorization}` },
  ];
  for (const headers of refused) t.equal(await statusOf(headers), 401, JSON.stringify(headers));
  t.equal(await statusOf({}, `/v1/things/1?access_token=${key}&key=${key}`), 401);
  t.equal(seen.length, 4);

  asked.length = 0;
  await statusOf({ Authorization: authorization });
  for (const scheme of ['bearer', 'BEARER', 'bEARER']) await statusOf({ Authorization: `${scheme} ${key}` });
  t.strictSame(asked, [], 'an accepted key is remembered, however the scheme is spelled');
  await statusOf({ Authorization: 'Bearer guess' });
  await statusOf({ Authorization: 'Bearer guess' });
  t.strictSame(asked, ['guess', 'guess'], 'a miss is not');
  version++;
  await statusOf({ Authorization: authorization });
  t.strictSame(asked, ['guess', 'guess', key], 'until keys change');
});

t.test('a failing durability wait of a 401 gives a 503', async (t) => {
  const { endpoints } = recording();
  const rejectionGate = (): Promise<void> => Promise.reject(problems.unavailable('Stopping.', 1));
  const { ask } = await serve(t, endpoints, { rejectionGate });
  t.equal((await ask('/v1/things/1', { anonymous: true })).status, 503);
});

t.test('an unavailable server gives 503, except at public endpoints', async (t) => {
  const { endpoints } = recording();
  let ready = false;
  const unavailable = () => (ready ? undefined : problems.unavailable('Starting.', 2));
  const { ask } = await serve(t, endpoints, { unavailable });
  const { status, headers, json } = await ask('/v1/things/1', { anonymous: true });
  t.equal(status, 503);
  t.equal(headers['retry-after'], '2');
  t.match(json, { code: 'unavailable', detail: 'Starting.' });
  t.equal((await ask('/healthz', { anonymous: true })).status, 200);
  t.equal((await ask('/v1/nothing')).status, 404);
  ready = true;
  t.equal((await ask('/v1/things/1')).status, 200);
});
