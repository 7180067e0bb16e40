/** Retries of the client: which requests are repeated, when, and which are not. */
import t from 'tap';
import { type Client, ConnectionError } from '../../src/web/client/client.ts';
import { defaultRetry } from '../../src/web/client/retry.ts';
import { startForRequests } from '../support/mapwright.ts';
import { broken, clientOf, json, MadeUp, refusal, refusalOf } from './support.ts';

const path = { project_id: 'p' };
const header = { 'If-Match': '"1"' };

/** One request of each kind. */
const requests: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  read: (client) => client.get('/projects'),
  create: (client) => client.post('/projects', { body: {} }),
  change: (client) => client.patch('/projects/{project_id}', { params: { path }, body: {} }),
  'change of a version': (client) => client.patch('/projects/{project_id}', { params: { path, header }, body: {} }),
  delete: (client) => client.delete('/projects/{project_id}', { params: { path } }),
};

const faults = {
  'a broken connection': broken,
  502: () => new Response('<html>', { status: 502 }),
  503: () => refusal(503, 'unavailable'),
  504: () => new Response(null, { status: 504 }),
  429: () => refusal(429, 'too_many_requests'),
};

for (const [kind, ask] of Object.entries(requests)) {
  t.test(`${kind}: a transient failure is retried with the same request`, async (t) => {
    for (const [name, fault] of Object.entries(faults)) {
      const { client, sent } = new MadeUp([fault(), fault(), json({ id: 'there' })]);
      t.match(await ask(client), { id: 'there' }, name);
      t.equal(sent.length, 3);
      t.strictSame(sent[1], sent[0]);
      t.strictSame(sent[2], sent[0]);
    }
  });

  t.test(`${kind}: retries end after three`, async (t) => {
    for (const [name, fault] of Object.entries(faults)) {
      const { client, sent, pauses } = new MadeUp([fault()]);
      t.match(await refusalOf(ask(client)), name === 'a broken connection' ? ConnectionError : { status: Number(name) });
      t.equal(sent.length, 4, name);
      t.strictSame(pauses, [125, 250, 500], 'half of what they may be at most');
      const never = new MadeUp([fault()], { retry: false });
      await t.rejects(ask(never.client));
      t.equal(never.sent.length, 1);
    }
  });

  t.test(`${kind}: other errors are not retried`, async (t) => {
    for (const status of [400, 401, 403, 404, 408, 409, 412, 422, 500, 507]) {
      const { client, sent } = new MadeUp([refusal(status, 'some')]);
      t.match(await refusalOf(ask(client)), { status });
      t.equal(sent.length, 1, `${status}`);
    }
  });
}

t.test('retry pauses double up to a maximum, with jitter', async (t) => {
  const { client, pauses } = new MadeUp([broken()], { retry: { attempts: 6, baseMs: 100, maxMs: 1000, random: () => 0.5 } });
  await t.rejects(client.get('/projects'));
  t.strictSame(pauses, [75, 150, 300, 600, 750]);
});

t.test('an undefined retry option has its default', async (t) => {
  const { client, sent } = new MadeUp([broken()], { retry: { attempts: undefined as never } });
  await t.rejects(client.get('/projects'));
  t.equal(sent.length, 4);
});

t.test('Retry-After sets the pause, in seconds or as a date, unless it is too long', async (t) => {
  const busy = (after: string) => refusal(429, 'too_many_requests', { 'retry-after': after });
  const seconds = new MadeUp([busy('3'), json([])], { retry: { random: () => 0.5 } });
  await seconds.client.get('/projects');
  t.strictSame(seconds.pauses, [3125]);
  const date = new MadeUp([busy(new Date(Date.now() - 60_000).toUTCString()), json([])]);
  await date.client.get('/projects');
  t.strictSame(date.pauses, [0]);
  const long = new MadeUp([busy('3600')]);
  t.match(await refusalOf(long.client.get('/projects')), { retryAfter: 3600 });
  t.strictSame([long.sent.length, long.pauses], [1, []]);
});

t.test('a truncated response is requested again', async (t) => {
  const cut = () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('[{"id":'));
        controller.error(new TypeError('terminated'));
      },
    });
    return new Response(body, { headers: { 'content-type': 'application/json' } });
  };
  const { client, sent } = new MadeUp([cut, json([{ id: 'whole' }])]);
  t.strictSame(await client.get('/projects'), [{ id: 'whole' }]);
  t.equal(sent.length, 2);
});

t.test('each POST has its own Idempotency-Key unless one is given', async (t) => {
  const { client, sent } = new MadeUp([json({})]);
  await client.post('/projects', { body: {} });
  await client.post('/projects', { body: {} });
  await client.post('/projects', { body: {}, params: { header: { 'Idempotency-Key': 'mine' } } });
  await client.post('/projects', { body: {}, headers: { 'idempotency-key': 'mine too' } });
  await client.patch('/projects/{project_id}', { params: { path }, body: {} });
  const keys = sent.map(({ headers }) => headers['idempotency-key']);
  t.match(keys, [/^[0-9a-f]{32}$/, /^[0-9a-f]{32}$/, 'mine', 'mine too', undefined]);
  t.not(keys[0], keys[1]);
  const never = new MadeUp([json({})], { retry: false });
  await never.client.post('/projects', { body: {} });
  t.equal(never.sent[0]?.headers['idempotency-key'], undefined);
});

t.test('an import has no Idempotency-Key and is retried only if the server did nothing', async (t) => {
  const body = { format: 'mapwright-project', version: 1, project: {} } as const;
  const lost = new MadeUp([broken()]);
  await t.rejects(lost.client.post('/projects/import', { body }), ConnectionError);
  t.strictSame(
    lost.sent.map(({ headers }) => headers['idempotency-key']),
    [undefined],
  );
  const busy = new MadeUp([refusal(429, 'too_many_requests'), json({})]);
  await busy.client.post('/projects/import', { body });
  t.equal(busy.sent.length, 2);
});

t.test('a retried POST waits while the first one is in progress', async (t) => {
  const { client, sent } = new MadeUp([broken(), refusal(409, 'conflict', { 'retry-after': '1' }), json({ id: 'first' })]);
  t.match(await client.post('/projects', { body: {} }), { id: 'first' });
  t.equal(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size, 1);
});

t.test('a POST that the server cannot remember is sent without a key, unless it may have succeeded', async (t) => {
  const full = () => refusal(429, 'too_many_requests', { 'retry-after': '80000' });
  for (const refused of [full, () => refusal(413, 'payload_too_large')]) {
    const { client, sent } = new MadeUp([refused(), json({ id: 'x' })]);
    t.match(await client.post('/projects', { body: {} }), { id: 'x' });
    t.match(
      sent.map(({ headers }) => headers['idempotency-key']),
      [/./, undefined],
    );
    const given = new MadeUp([refused()]);
    await t.rejects(given.client.post('/projects', { body: {}, headers: { 'Idempotency-Key': 'mine' } }));
    t.equal(given.sent.length, 1);
    const doubtful = new MadeUp([broken(), refused()]);
    await t.rejects(doubtful.client.post('/projects', { body: {} }));
    t.equal(doubtful.sent.length, 2, 'the first may have been done');
  }
});

t.test('a retried DELETE that gets 404 succeeds', async (t) => {
  const { client } = new MadeUp([broken(), refusal(404, 'not_found', { 'x-request-id': 'second' })]);
  const { data, error, response } = await client.DELETE('/projects/{project_id}', { params: { path } });
  t.strictSame([data, error, response.status, response.headers.get('x-request-id')], [undefined, undefined, 204, 'second']);
  const refused = new MadeUp([refusal(429, 'too_many_requests'), refusal(404, 'not_found')]);
  t.match(await refusalOf(refused.client.delete('/projects/{project_id}', { params: { path } })), { status: 404 });
});

t.test('a retried request that gets 412 fails with the first error', async (t) => {
  const conditional = requests['change of a version'] as (client: Client) => Promise<unknown>;
  const errorAfter = (...said: (Response | Error)[]) => refusalOf(conditional(new MadeUp(said).client));
  const failed = () => refusal(412, 'precondition_failed');
  t.match(await errorAfter(broken(), failed()), ConnectionError);
  t.match(await errorAfter(refusal(503, 'unavailable'), failed()), { status: 503 });
  t.match(await errorAfter(refusal(429, 'too_many_requests'), failed()), { status: 412 }, 'nothing was done before');
  const keyed = new MadeUp([broken(), failed()]).client.post('/projects', { body: {}, params: { header } });
  t.match(await refusalOf(keyed), { status: 412 }, 'what was done would have been answered as it was');
});

t.test('an abort ends a request and its retry pause', async (t) => {
  const reason = new Error('enough');
  const before = new MadeUp([json([])]);
  await t.rejects(before.client.get('/projects', { signal: AbortSignal.abort(reason) }), reason);
  const controller = new AbortController();
  const waiting = new MadeUp(
    [
      () => {
        setImmediate(() => controller.abort(reason));
        return refusal(503, 'unavailable', { 'retry-after': '20' });
      },
    ],
    { retry: { sleep: defaultRetry.sleep } },
  );
  await t.rejects(waiting.client.get('/projects', { signal: controller.signal }), reason);
  t.equal(waiting.sent.length, 1);
  const under = new AbortController();
  const never = new MadeUp([
    (request) => {
      setImmediate(() => under.abort(reason));
      return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)));
    },
  ]);
  await t.rejects(never.client.get('/projects', { signal: under.signal }), reason);
});

t.test('requests whose responses are lost take effect once', async (t) => {
  const mapwright = await startForRequests(t);
  /** Every second answer is lost, each after it was given. */
  let count = 0;
  const fetch = async (request: Request): Promise<Response> => {
    const response = await globalThis.fetch(request);
    await response.clone().arrayBuffer();
    if (count++ % 2 === 0) throw broken();
    return response;
  };
  const client = clientOf(mapwright, { fetch });
  const project = await client.post('/projects', { body: { name: 'one' } });
  const params = { path: { project_id: project.id } };
  const popups = await Promise.all(
    ['a', 'b', 'c', 'd'].map((title) => client.post('/projects/{project_id}/popups', { params, body: { title } })),
  );
  t.strictSame(new Set(await client.get('/projects/{project_id}/popups', { params })), new Set(popups));
  for (const { id } of popups) {
    await client.delete('/projects/{project_id}/popups/{popup_id}', { params: { path: { ...params.path, popup_id: id } } });
  }
  t.match(await client.get('/projects'), [{ name: 'one', popups: [] }]);
});

t.test('creates succeed after the memory of the server for keys is full', async (t) => {
  const mapwright = await startForRequests(t, { idempotencyBytes: 2000 });
  const client = clientOf(mapwright);
  for (let count = 0; count < 20; count++) await client.post('/projects', { body: { name: `${count}` } });
  t.equal((await client.get('/projects')).length, 20);
});
