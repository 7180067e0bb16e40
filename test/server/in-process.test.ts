/** `server.fetch` and `server.client`: the API in the same process, by the same steps as over HTTP, and attacks on it. */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { createServer, type InMemoryServerOptions, StoppedError } from '../../src/index.ts';
import { ConnectionError, ProblemError } from '../../src/web/client/client.ts';
import { ask } from '../support/client.ts';
import { recordingLog } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';

const origin = 'http://any.example';

/** A server in memory with a project of the account `ann`. */
async function world(t: Pick<Test, 'teardown'>, options: Partial<InMemoryServerOptions> = {}) {
  const { log, logged } = recordingLog();
  const server = await createServer({ log, ...options, inMemory: true });
  t.teardown(() => server.close());
  await server.createAccount('ann');
  const client = server.client({ account: 'ann' });
  const project = await client.post('/projects', { body: { name: 'Harbour', artboards: [{ objects: [{ type: 'spot' }] }] } });
  const at = { path: { project_id: project.id } };
  const send = (path: string, init: RequestInit = {}, account: string | undefined = 'ann') =>
    server.fetch(new Request(`${origin}/api/v1${path}`, init), { account });
  const json = (value: unknown): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  });
  return { server, client, project, at, send, json, logged };
}

t.test('the client in the process is the client of the package, with its types, pages, updates and errors', async (t) => {
  const { client, at, project, server } = await world(t);
  const popups = '/projects/{project_id}/popups';
  for (let i = 0; i < 5; i++) await client.post(popups, { params: at, body: { title: `${i}` } });
  const titles: string[] = [];
  for await (const { title } of client.each(popups, { params: { ...at, query: { limit: 2 } } })) titles.push(title);
  t.strictSame(titles, ['0', '1', '2', '3', '4']);
  const updated = await client.update('/projects/{project_id}', { params: at }, ({ name }) => ({ name: `${name}!` }));
  t.equal(updated.name, 'Harbour!');
  const failed = client.post(popups, { params: at, body: { title: 7 as unknown as string } });
  await t.rejects(failed, { code: 'validation_failed', status: 400, errors: [{ pointer: '/title' }] });
  t.ok((await failed.catch((error: unknown) => error)) instanceof ProblemError);
  const { data, error } = await client.GET('/projects/{project_id}', { params: { path: { project_id: 'none' } } });
  t.strictSame([data, error?.code], [undefined, 'not_found']);
  // @ts-expect-error a project has no such member
  await t.rejects(client.post('/projects', { body: { nme: 'x' } }), { code: 'validation_failed' });
  const file = await client.get('/projects/{project_id}/export', { params: at });
  t.equal((await client.post('/projects/import', { body: file })).name, `${project.name}!`);
  t.equal(server.client({ account: 'ann', headers: { 'x-request-id': 'mine' } }) === client, false);
});

t.test('a request without an account needs a key, except for public routes', async (t) => {
  const { server, send } = await world(t);
  const { key } = await server.createKey('ann', { readOnly: true });
  const bare = (path: string, headers: Record<string, string> = {}) => server.fetch(new Request(origin + path, { headers }));
  for (const path of ['/healthz', '/readyz', '/openapi.json', '/viewer.js', '/metrics']) {
    const response = await bare(path);
    t.equal(response.status, 200, path);
    await response.body?.cancel();
  }
  t.equal((await bare('/p/none')).status, 404);
  t.equal((await bare('/api/v1/projects')).status, 401);
  t.equal((await bare('/api/v1/projects', { authorization: 'Bearer mw_forged' })).status, 401);
  t.equal((await bare('/api/v1/projects', { authorization: `Bearer ${key}` })).status, 200);
  const write = new Request(`${origin}/api/v1/projects`, { method: 'POST', headers: { authorization: `Bearer ${key}` } });
  t.equal((await server.fetch(write, { account: undefined })).status, 403, 'a key keeps its restrictions');
  t.equal(
    (await send('/projects', { headers: { authorization: 'Bearer mw_forged' } })).status,
    200,
    'with an account no key counts',
  );
});

t.test('an evaluation is answered, and a key for reading sees no headers of data sources', async (t) => {
  const { server, project, send, json } = await world(t);
  const { key } = await server.createKey('ann', { readOnly: true });
  const at = `/projects/${project.id}`;
  const evaluated = await send(`${at}/evaluate`, json({}));
  t.equal(evaluated.status, 200);
  t.match(await evaluated.json(), { problems: [] });
  await send(`${at}/data-sources`, json({ headers: [{ name: 'Authorization', value: 'secret' }] }));
  const read = new Request(`${origin}/api/v1${at}`, { headers: { authorization: `Bearer ${key}` } });
  t.match(await (await server.fetch(read, { account: undefined })).json(), { data_sources: [{ headers: [] }] });
  t.match(await (await send(at)).text(), /secret/);
});

t.test('no header names the account, the address or the frame of a body', async (t) => {
  const { server, send, json, project, logged } = await world(t, { trustProxy: '1', logRequests: true });
  await server.createAccount('ben');
  const forged = {
    ...{ account: 'ben', ':account': 'ben', 'x-account': 'ben', 'x-mapwright-account': 'ben' },
    ...{ 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7', 'x-real-ip': '203.0.113.7' },
  };
  for (const [name, value] of Object.entries(forged)) {
    let headers: Headers;
    try {
      headers = new Headers({ [name]: value });
    } catch {
      continue;
    }
    t.match(await (await send('/projects', { headers })).json(), [{ id: project.id }], name);
    t.equal((await server.fetch(new Request(`${origin}/api/v1/projects`, { headers }))).status, 401, name);
  }
  const lines = logged
    .filter(([, , message]) => message === 'request')
    .map(([, fields]) => fields as { address: string; key: string });
  t.ok(lines.length > 5);
  t.strictSame(
    lines.filter(({ address, key }) => address !== '' || key !== ''),
    [],
  );
  const frames = [
    { 'content-length': '1' },
    { 'content-length': '999999999999' },
    { 'content-length': 'x' },
    { 'transfer-encoding': 'gzip' },
  ];
  for (const frame of [
    ...frames,
    { connection: 'close, authorization' },
    { host: 'a b' },
    { upgrade: 'websocket' },
    { te: 'trailers' },
  ]) {
    const headers = { 'content-type': 'application/json', ...frame } as Record<string, string>;
    t.equal((await send('/projects', { ...json({ name: 'framed' }), headers })).status, 200, JSON.stringify(frame));
  }
  const refused = await send('/projects', { ...json({}), headers: { 'content-type': 'application/json', expect: '200-ok' } });
  t.equal(refused.status, 417);
  const waited = await send('/projects', {
    ...json({}),
    headers: { 'content-type': 'application/json', expect: '100-continue' },
  });
  t.equal(waited.status, 200);
  t.equal((await send(`/projects?name=${'x'.repeat(20_000)}`)).status, 414);
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`x-${i}`, '1']));
  t.equal((await send('/projects', { headers: many })).status, 431);
});

t.test('an account that does not exist is refused by name, and a wrong argument is a TypeError', async (t) => {
  const { server, client, send } = await world(t);
  const response = await send('/projects', {}, 'nobody');
  t.equal(response.status, 401);
  t.match(await response.json(), {
    code: 'unauthorized',
    detail: 'There is no account "nobody". Create it with createAccount, or correct the name.',
  });
  t.equal(
    (await server.fetch(new Request(`${origin}/healthz`), { account: 'nobody' })).status,
    200,
    'public routes ask for none',
  );
  await t.rejects(server.client({ account: 'nobody' }).get('/projects'), { code: 'unauthorized' });
  for (const account of ['', 7, null, {}] as never[]) {
    await t.rejects(server.fetch(new Request(origin), { account }), { name: 'TypeError', message: /name of an account/ });
    t.throws(() => server.client({ account }), TypeError);
  }
  t.throws(() => server.client({} as never), TypeError);
  const used = new Request(`${origin}/api/v1/projects`, { method: 'POST', body: '{}' });
  await used.text();
  await t.rejects(server.fetch(used, { account: 'ann' }), { name: 'TypeError', message: /was read already/ });
  await server.renameAccount('ann', 'anna');
  await t.rejects(client.get('/projects'), { code: 'unauthorized' });
  t.equal((await server.client({ account: 'anna' }).get('/projects')).length, 1);
});

t.test('fetch takes a path or an address with the options of a request, as the global fetch does', async (t) => {
  const { server } = await world(t);
  t.equal((await server.fetch('/healthz')).status, 200);
  t.equal((await server.fetch(new URL('/healthz', origin))).status, 200);
  t.equal((await server.fetch(`${origin}/api/v1/projects?limit=x`, { account: 'ann' })).status, 400, 'its query counts');
  const headers = { 'content-type': 'application/json' };
  const made = await server.fetch('/api/v1/projects', { account: 'ann', method: 'POST', headers, body: '{"name":"Pier"}' });
  t.match(await made.json(), { name: 'Pier' });
  const changed = await server.fetch(new Request(`${origin}/healthz`), { method: 'DELETE' });
  t.equal(changed.status, 405, 'options change a request');
  await t.rejects(server.fetch('http://'), TypeError);
});

t.test('an account that is deleted during an upload gets 401 and nothing is written', async (t) => {
  const { server, project, client } = await world(t);
  for (const path of ['/projects', '/projects/import']) {
    await server.createAccount('ben');
    const text =
      path === '/projects'
        ? '{"name":"late"}'
        : JSON.stringify(await client.get('/projects/{project_id}/export', { params: { path: { project_id: project.id } } }));
    let end = () => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from(text.slice(0, 5)));
        end = () => {
          controller.enqueue(Buffer.from(text.slice(5)));
          controller.close();
        };
      },
    });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' } as RequestInit;
    const response = server.fetch(new Request(`${origin}/api/v1${path}`, init), { account: 'ben' });
    await setImmediate();
    await server.deleteAccount('ben');
    await server.createAccount('ben');
    end();
    t.equal((await response).status, 401, path);
    t.strictSame(await server.client({ account: 'ben' }).get('/projects'), []);
    await server.deleteAccount('ben');
  }
});

t.test('a rate limit counts requests with a key, not those that name an account', async (t) => {
  const { server, send } = await world(t, { rateLimit: '1/s' });
  for (let i = 0; i < 5; i++) t.equal((await send('/projects')).status, 200);
  const { key } = await server.createKey('ann');
  const withKey = () => server.fetch(new Request(`${origin}/api/v1/projects`, { headers: { authorization: `Bearer ${key}` } }));
  const statuses = [(await withKey()).status, (await withKey()).status];
  t.ok(statuses.includes(429), `${statuses}`);
});

t.test('the bytes of the caller and those of the server are never shared', async (t) => {
  const { server, client, project, send } = await world(t);
  const path = `/projects/${project.id}`;
  const text = JSON.stringify(
    await client.get('/projects/{project_id}/export', { params: { path: { project_id: project.id } } }),
  );
  const chunk = new Uint8Array(Buffer.from(text.padEnd(300_000)));
  let pulled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (!pulled) controller.enqueue(chunk);
        // The first chunk was read: what is done to it now must not count.
        else {
          chunk.fill(0);
          controller.close();
        }
        pulled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' } as RequestInit;
  t.equal((await send('/projects/import', init)).status, 200);
  const content = randomBytes(200_000).toString('base64');
  await client.post('/projects/{project_id}/popups', { params: { path: { project_id: project.id } }, body: { content } });
  const { slug } = await client.put('/projects/{project_id}/publication', {
    params: { path: { project_id: project.id } },
    body: {},
  });
  const published = (name: string) =>
    server.fetch(new Request(`${origin}/p/${slug}/${name}`, { headers: { 'accept-encoding': 'gzip' } }));
  const { map } = (await (await published('map.json')).json()) as { map: string };
  const zip = { 'accept-encoding': 'gzip' };
  for (const read of [() => published(map), () => send(`${path}/popups`), () => send(`${path}/popups`, { headers: zip })]) {
    const before = new Uint8Array(await (await read()).arrayBuffer());
    t.ok(before.length > 64 * 1024);
    for await (const piece of (await read()).body as unknown as AsyncIterable<Uint8Array>) {
      piece.fill(0);
      structuredClone(piece, { transfer: [piece.buffer as ArrayBuffer] });
    }
    t.ok(Buffer.from(await (await read()).arrayBuffer()).equals(before));
  }
});

t.test('compressed responses of one account never reach another', async (t) => {
  const { server, client, project, send } = await world(t);
  await server.createAccount('ben');
  const ben = server.client({ account: 'ben' });
  const bodies = [];
  for (const one of [client, ben])
    for (let i = 0; i < 40; i++) await one.post('/projects', { body: { name: `${one === ben}`.repeat(50) } });
  for (const account of ['ann', 'ben', 'ann', 'ben']) {
    const response = await send('/projects', { headers: { 'accept-encoding': 'gzip' } }, account);
    t.equal(response.headers.get('content-encoding'), 'gzip');
    const plain = response.body?.pipeThrough(new DecompressionStream('gzip') as never);
    bodies.push(await new Response(plain as ReadableStream).text());
  }
  t.equal(bodies[0], bodies[2]);
  t.equal(bodies[1], bodies[3]);
  t.notMatch(bodies[1], project.id);
});

t.test('an aborted request rejects with the reason of its signal, and frees what it held', async (t) => {
  const { server, send, client } = await world(t);
  const gone = new AbortController();
  gone.abort(new Error('before'));
  await t.rejects(send('/projects', { signal: gone.signal }), { message: 'before' });
  for (const path of ['/projects', '/projects/import']) {
    const stop = new AbortController();
    let cancelled: unknown;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from('{"na')),
      cancel: (reason) => {
        cancelled = reason;
      },
    });
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      duplex: 'half',
      signal: stop.signal,
    } as RequestInit;
    const uploading = send(path, init);
    await setImmediate();
    const reason = new Error('enough');
    stop.abort(reason);
    await t.rejects(uploading, { message: 'enough' });
    await setImmediate();
    t.ok(cancelled !== undefined, 'its source is cancelled');
  }
  const broken = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error('the source broke')),
  });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: broken, duplex: 'half' } as RequestInit;
  await t.rejects(send('/projects', init), { message: 'the source broke' });
  const text = new ReadableStream({
    start(controller) {
      controller.enqueue('{}');
      controller.close();
    },
  });
  await t.rejects(send('/projects', { ...init, body: text } as RequestInit), { name: 'TypeError' });
  await t.rejects(client.get('/projects', { signal: gone.signal }), { message: 'before' });
  await setImmediate();
  const metrics = await (await server.fetch(new Request(`${origin}/metrics`))).text();
  t.match(metrics, /\nmapwright_http_requests_in_flight 1\n/, 'the one for the metrics');
  t.match(metrics, /\nmapwright_http_bodies_bytes 0\n/);
});

/** Fills a project until its export is a stream of several pieces. */
async function grow(client: Awaited<ReturnType<typeof world>>['client'], project_id: string): Promise<void> {
  for (let i = 0; i < 4; i++)
    await client.post('/projects/{project_id}/popups', {
      params: { path: { project_id } },
      body: { content: `${i}`.repeat(300_000) },
    });
}

t.test('a response that is not read holds one piece of memory, and ends with its signal or its reader', async (t) => {
  const { server, client, project, send, logged } = await world(t);
  await grow(client, project.id);
  const path = `/projects/${project.id}/export`;
  const figure = async (name: string): Promise<number> => {
    const text = await (await server.fetch(new Request(`${origin}/metrics`))).text();
    return Number(new RegExp(`\\nmapwright_http_${name} (\\d+)`).exec(text)?.[1]);
  };
  const unread = await Promise.all(Array.from({ length: 5 }, () => send(path)));
  for (let i = 0; i < 20; i++) await setImmediate();
  t.equal(await figure('requests_in_flight'), 6);
  t.ok((await figure('responses_pending_bytes')) <= 5 * 128 * 1024 + 5 * 300_000, 'about a piece each');
  await unread[0]?.body?.cancel();
  const stop = new AbortController();
  const aborted = await send(path, { signal: stop.signal });
  stop.abort(new Error('no more'));
  await t.rejects(aborted.text(), { message: 'no more' });
  const whole = await (await send(path)).text();
  t.equal(await unread[1]?.text(), whole, 'a late reader gets all of it');
  for (const response of unread.slice(2)) await response.body?.cancel();
  await setImmediate();
  t.equal(await figure('requests_in_flight'), 1);
  t.equal(await figure('responses_pending_bytes'), 0);
  t.strictSame(
    logged.filter(([level]) => level === 'error'),
    [],
  );
});

t.test('a response that is not read in time is cut off', async (t) => {
  const { server, client, project, send } = await world(t, { limits: { responseTimeoutMs: 1000 } });
  await server.listen(0);
  await grow(client, project.id);
  const unread = await send(`/projects/${project.id}/export`);
  await t.rejects(
    (async () => {
      for (;;) {
        const metrics = await (await server.fetch(new Request(`${origin}/metrics`))).text();
        if (metrics.includes('\nmapwright_http_slow_readers_disconnected_total{reason="slow"} 1\n')) break;
        await delay(50);
      }
      await unread.text();
    })(),
    { message: /ended the response/ },
  );
});

t.test('an upload is read only as fast as it is processed', async (t) => {
  const { client, project, send } = await world(t);
  await grow(client, project.id);
  const file = Buffer.from(await (await send(`/projects/${project.id}/export`)).arrayBuffer());
  let at = 0;
  let inTurn = 0;
  let most = 0;
  const turn = globalThis.setInterval(() => {}, 1000);
  const next = () => {
    inTurn = 0;
    if (at < file.length) globalThis.setImmediate(next);
  };
  next();
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(file.subarray(at, at + 50_000));
        at += 50_000;
        inTurn += 50_000;
        most = Math.max(most, inTurn);
        if (at >= file.length) controller.close();
      },
    },
    { highWaterMark: 1 },
  );
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' } as RequestInit;
  const response = await send('/projects/import', init);
  clearInterval(turn);
  t.equal(response.status, 200);
  t.match(await response.json(), { popups: { length: 4 } });
  t.ok(most <= 300_000 && file.length > 1_000_000, `${most} bytes in one turn, of ${file.length}`);
});

t.test('a body that stalls gets 408', async (t) => {
  const { send } = await world(t, { limits: { bodyStallTimeoutMs: 1000 } });
  const body = new ReadableStream({ pull: () => new Promise(() => undefined) });
  const awake = setInterval(() => undefined, 1000);
  t.teardown(() => clearInterval(awake));
  const headers = { 'content-type': 'application/json' };
  const stalled = await send('/projects', { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
  t.equal(stalled.status, 408);
  t.match(await stalled.json(), { code: 'request_timeout' });
});

t.test('the change feed works through the client, and ends when the server closes or the account is deleted', async (t) => {
  const { server, client, project, at } = await world(t);
  const seen: string[] = [];
  const create = (title: string) => client.post('/projects/{project_id}/popups', { params: at, body: { title } });
  const following = (async () => {
    for await (const { events } of client.changes({ project: project.id }))
      for (const event of events) if (event.name === 'popup.created') seen.push(event.resource.title);
  })();
  while ((await (await server.fetch(new Request(`${origin}/metrics`))).text()).includes('\nmapwright_feed_subscribers 0'))
    await delay(10);
  for (const title of ['a', 'b', 'c']) await create(title);
  while (seen.length < 3) await delay(10);
  t.strictSame(seen, ['a', 'b', 'c']);
  await server.createAccount('ben');
  const ended = t.rejects(
    (async () => {
      for await (const _ of server.client({ account: 'ben' }).changes()) t.fail('no change');
    })(),
    { code: 'unauthorized' },
  );
  await setImmediate();
  await server.deleteAccount('ben');
  await ended;
  const stop = new AbortController();
  const stopped = (async () => {
    for await (const _ of client.changes({ signal: stop.signal })) t.fail('no change');
  })();
  await setImmediate();
  stop.abort();
  await stopped;
  await server.close();
  await following;
  await t.rejects(client.changes().next(), StoppedError);
});

t.test('closing completes what has begun, refuses what begins, and breaks off what is not read', async (t) => {
  const data = temporaryFolder(t);
  const options = { data, segmentBytes: 1024 * 1024, log: recordingLog().log };
  const server = await createServer(options);
  await server.createAccount('ann');
  const client = server.client({ account: 'ann' });
  const { id } = await client.post('/projects', { body: { name: 'first' } });
  const writes = Array.from({ length: 20 }, (_, i) => client.post('/projects', { body: { name: `${i}` } }));
  const closing = server.close();
  const late = client.get('/projects').catch((error: unknown) => error);
  const made = await Promise.all(writes);
  await closing;
  t.match(await late, { status: 503, code: 'unavailable' });
  await t.rejects(server.fetch(new Request(`${origin}/api/v1/projects`), { account: 'ann' }), StoppedError);
  await t.rejects(server.fetch(new Request(`${origin}/healthz`)), { message: 'this server is closed' });
  const error = await client.get('/projects').catch((failure: unknown) => failure);
  t.ok(error instanceof ConnectionError);
  t.match(error, { message: /this server is closed/, cause: { code: 'stopped' } });
  const again = await createServer(options);
  t.teardown(() => again.close());
  const names = await again.client({ account: 'ann' }).get('/projects', { params: { query: { limit: 100 } } });
  t.strictSame(names.map(({ id }) => id).sort(), [id, ...made.map(({ id }) => id)].sort());
});

t.test('an unread response delays closing for at most ten seconds', async (t) => {
  const { server, client, project, send } = await world(t);
  await grow(client, project.id);
  const unread = await send(`/projects/${project.id}/export`);
  await server.close();
  await t.rejects(unread.text(), StoppedError);
});

t.test('a program that awaits one response after the other lets timers run, and each request ends', async (t) => {
  const { send, project } = await world(t, { limits: { requestsPerAccountMax: 1 } });
  let isTimeOver = false;
  setTimeout(() => {
    isTimeOver = true;
  }, 20);
  let [count, status] = [0, 200];
  // A hundred at least, also where the process pauses for longer than the timer.
  for (; status === 200 && count < (isTimeOver ? 100 : 100_000); count++) ({ status } = await send(`/projects/${project.id}`));
  t.equal(status, 200, `request ${count}`);
  t.ok(isTimeOver, `after ${count} requests`);
});

t.test('requests in the process and over HTTP have one order, and none is lost between them', async (t) => {
  const { server, client, at, project } = await world(t);
  const { key } = await server.createKey('ann');
  const { url } = await server.listen(0);
  const ids = await Promise.all(
    Array.from({ length: 40 }, async (_, i): Promise<string> => {
      if (i % 2 === 0) return (await client.post('/projects/{project_id}/popups', { params: at, body: { title: `${i}` } })).id;
      return (await ask({ url, key }, 'POST', `/v1/projects/${project.id}/popups`, { title: `${i}` })).json.id;
    }),
  );
  const popups = await client.get('/projects/{project_id}/popups', { params: { ...at, query: { limit: 100 } } });
  t.strictSame(popups.map(({ id }) => id).sort(), [...ids].sort());
});
