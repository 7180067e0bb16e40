/** The requests of the client and its handling of responses, over real HTTP. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import t from 'tap';
import { type Bytes, ConnectionError, createClient, ProblemError } from '../../src/web/client/client.ts';
import { png } from '../api/pictures.ts';
import { startForRequests, startMapwright } from '../support/mapwright.ts';
import { clientOf, json, MadeUp, refusal, refusalOf } from './support.ts';

t.test('the client creates, reads, changes and deletes a project', async (t) => {
  const client = clientOf(await startForRequests(t));
  const project = await client.post('/projects', { body: { name: 'City walk', artboards: [{ objects: [{ type: 'spot' }] }] } });
  const params = { path: { project_id: project.id } };
  t.match(project, { name: 'City walk', thumb: '', artboards: [{ objects: [{ radius: 20 }] }] });
  t.strictSame(await client.get('/projects/{project_id}', { params }), project);
  const renamed = await client.patch('/projects/{project_id}', { params, body: { name: 'Walk' } });
  t.strictSame(renamed, { ...project, name: 'Walk' });
  t.strictSame(await client.get('/projects'), [renamed]);
  t.strictSame(await client.get('/projects', { params: { query: { fields: 'name' } } }), [{ id: project.id, name: 'Walk' }]);
  t.equal(await client.delete('/projects/{project_id}', { params }), undefined);
  t.strictSame(await client.get('/projects'), []);
});

t.test('the client uploads pictures as Blob, bytes and streams', async (t) => {
  const client = clientOf(await startForRequests(t));
  const { id: project_id } = await client.post('/projects', { body: { name: 'Office' } });
  const bytes = png(3, 2);
  const bodies: Record<string, () => Bytes> = {
    'blob.png': () => new Blob([bytes], { type: 'image/png' }),
    'untyped.png': () => new Blob([bytes]),
    'buffer.png': () => bytes,
    'array.png': () => new Uint8Array(bytes).buffer,
    'web.png': () => new Blob([bytes]).stream(),
    'node.png': () => Readable.from([bytes.subarray(0, 20), bytes.subarray(20)]),
  };
  for (const [name, body] of Object.entries(bodies)) {
    const params = { path: { project_id }, query: { name } };
    const file = await client.post('/projects/{project_id}/files', { params, body: body() });
    t.match(file, { name, type: 'image/png', bytes: bytes.length, width: 3, height: 2 });
  }
  const text = new Blob(['a plan'], { type: 'text/plain' });
  const upload = client.post('/projects/{project_id}/files', {
    params: { path: { project_id }, query: { name: 'a' } },
    body: text,
  });
  t.match(await refusalOf(upload), { status: 415 });
});

t.test('bytes are retried, and a stream is sent once, without a key of its own', async (t) => {
  const params = { path: { project_id: 'p' }, query: { name: 'a.png' } };
  const upload = async (body: Bytes) => {
    const { client, sent } = new MadeUp([refusal(503, 'unavailable'), json({ id: 'there' })]);
    const answer = await client.post('/projects/{project_id}/files', { params, body }).catch((error: ProblemError) => error.code);
    return [answer, sent.map(({ headers, body }) => [headers['content-type'], body, 'idempotency-key' in headers])];
  };
  const once = ['image/png', 'bytes', true];
  t.strictSame(await upload(new Blob(['bytes'], { type: 'image/png' })), [{ id: 'there' }, [once, once]]);
  t.strictSame(await upload(Readable.from([Buffer.from('bytes')])), [
    'unavailable',
    [['application/octet-stream', 'bytes', false]],
  ]);
});

t.test('the client publishes a project and withdraws it', async (t) => {
  const client = clientOf(await startForRequests(t));
  const { id } = await client.post('/projects', { body: { name: 'City walk' } });
  const params = { path: { project_id: id } };
  const path = '/projects/{project_id}/publication';
  const published = await client.put(path, { params, body: { origins: ['https://a.example'] } });
  t.match(published, { version: 1, stale: false, origins: ['https://a.example'] });
  t.strictSame(await client.put(path, { params }), published, 'without a body');
  t.strictSame((await client.PUT(path, { params })).data, published);
  t.strictSame(await client.get(path, { params }), published);
  t.match(await client.get('/publications'), [{ project_id: id, slug: published.slug }]);
  t.equal(await client.delete(path, { params }), undefined);
  await t.rejects(client.get(path, { params }), { code: 'not_found' });
});

t.test('the client reads the visits of a public map, also as CSV', async (t) => {
  const client = clientOf(await startForRequests(t));
  const { id } = await client.post('/projects', { body: { name: 'Public' } });
  const params = { path: { project_id: id }, query: { from: '2026-01-01', to: '2026-01-02' } };
  await client.put('/projects/{project_id}/publication', { params: { path: params.path } });
  const { opened } = await client.get('/projects/{project_id}/publication/visits', { params });
  t.equal(opened, 0);
  const path = '/projects/{project_id}/publication/visits.csv';
  const table: string = await client.get(path, { params });
  t.match(table, /^date,what,id,name,count/);
  const { data } = await client.GET(path, { params });
  t.equal(data, table);
});

t.test('the client pushes a response of a data source and reads it', async (t) => {
  const client = clientOf(await startForRequests(t));
  const { id: project_id } = await client.post('/projects', { body: { name: 'Office' } });
  const source = await client.post('/projects/{project_id}/data-sources', { params: { path: { project_id } }, body: {} });
  const params = { path: { project_id, data_source_id: source.id } };
  const path = '/projects/{project_id}/data-sources/{data_source_id}/response';
  t.equal(await client.put(path, { params, body: { taken: 20 } }), undefined);
  t.match(await client.get(path, { params }), { pushed: true, problem: null, body: { taken: 20 } });
});

t.test('the methods of openapi-fetch return errors instead of throwing them', async (t) => {
  const client = clientOf(await startMapwright(t));
  const made = await client.POST('/projects', { body: { name: 'x' } });
  t.equal(made.error, undefined);
  const params = { path: { project_id: made.data?.id ?? '' } };
  const read = await client.GET('/projects/{project_id}', { params });
  t.strictSame(read.data, made.data);
  t.match(read.response.headers.get('etag'), /^".+"$/);
  const text = await client.GET('/projects/{project_id}', { params, parseAs: 'text' });
  t.strictSame(JSON.parse(text.data ?? ''), made.data);
  t.match(await client.PATCH('/projects/{project_id}', { params, body: { name: 'y' } }), { data: { name: 'y' } });
  t.match(await client.DELETE('/projects/{project_id}', { params }), { data: undefined, response: { status: 204 } });
  const { data, error, response } = await client.GET('/projects/{project_id}', { params });
  t.strictSame([data, error?.code, response.status], [undefined, 'not_found', 404]);
});

t.test('a ProblemError has the code, the pointers and the request id', async (t) => {
  const client = clientOf(await startForRequests(t));
  const body = { name: 7, titel: 'x' } as never;
  const error = await client.post('/projects', { body }).catch((error: unknown) => error);
  if (!(error instanceof ProblemError)) throw error;
  t.match(error, { name: 'ProblemError', code: 'validation_failed', status: 400, retryAfter: undefined, index: undefined });
  t.strictSame(error.errors.map(({ pointer }) => pointer).sort(), ['/name', '/titel']);
  t.ok(error.message.startsWith('POST http://127.0.0.1:'));
  t.ok(error.message.endsWith(`/api/v1/projects: ${error.detail} (400 validation_failed, request ${error.requestId})`));
  t.match(error.requestId, /./);

  const { id } = await client.post('/projects', { body: {} });
  const params = { path: { project_id: id } };
  const operations = [
    { method: 'POST', path: '/popups', body: {} },
    { method: 'DELETE', path: '/popups/none' },
  ] as const;
  await t.rejects(client.post('/projects/{project_id}/batch', { params, body: { operations: [...operations] } }), {
    code: 'not_found',
    index: 1,
  });
});

t.test('a wrong or missing key gets 401, and a line break after a key is ignored', async (t) => {
  const mapwright = await startForRequests(t);
  await t.rejects(clientOf(mapwright, { key: 'mw_wrong' }).get('/projects'), { code: 'unauthorized', status: 401 });
  await t.rejects(clientOf(mapwright, { key: undefined }).get('/projects'), { code: 'unauthorized' });
  t.strictSame(await clientOf(mapwright, { key: `${mapwright.key}\n` }).get('/projects'), []);
});

t.test('a missing baseUrl or a malformed key is refused', async (t) => {
  t.throws(() => createClient({ baseUrl: undefined as never }), /needs a baseUrl/);
  for (const key of ['', 'mw_a b', 'mw_ä', 'mw_a\nb']) {
    t.throws(() => createClient({ baseUrl: '', key }), { message: 'The key is not valid. A key looks like mw_...' });
  }
});

t.test('baseUrl takes the address of a server or of its API, with or without a slash', async (t) => {
  const mapwright = await startForRequests(t);
  const at = `http://127.0.0.1:${mapwright.port}`;
  for (const baseUrl of [at, `${at}/`, `${at}/api/v1`, `${at}/v1/`]) {
    t.strictSame(await createClient({ baseUrl, key: mapwright.key }).get('/projects'), [], baseUrl);
  }
  const behind = new MadeUp([json([])], { baseUrl: 'https://maps.test/walks/' });
  await behind.client.get('/projects');
  t.equal(behind.sent[0]?.url, 'https://maps.test/walks/api/v1/projects');
});

t.test('parameters of a path are percent-encoded', async (t) => {
  const { client, sent } = new MadeUp([json({})]);
  await client.get('/projects/{project_id}', { params: { path: { project_id: 'a/b?c' } } });
  t.equal(sent[0]?.url, 'http://maps.test/api/v1/projects/a%2Fb%3Fc');
});

t.test('If-None-Match and If-Match are sent, and 304 and 412 are errors', async (t) => {
  const client = clientOf(await startForRequests(t));
  const { data, response } = await client.POST('/projects', { body: {} });
  const path = { project_id: data?.id ?? '' };
  const version = response.headers.get('etag') ?? '';
  const unchanged = client.get('/projects/{project_id}', { params: { path, header: { 'If-None-Match': version } } });
  await t.rejects(unchanged, { code: 'not_modified', status: 304 });
  const guarded = { params: { path, header: { 'If-Match': version } }, body: { name: 'x' } };
  t.match(await client.patch('/projects/{project_id}', guarded), { name: 'x' });
  await t.rejects(client.patch('/projects/{project_id}', guarded), { code: 'precondition_failed' });
});

t.test('the client sends and receives members beyond the contract', async (t) => {
  const client = clientOf(await startForRequests(t));
  const { id } = await client.post('/projects', { body: { artboards: [{ objects: [{ type: 'spot', interactive: false }] }] } });
  const params = { path: { project_id: id } };
  const action = await client.post('/projects/{project_id}/actions', { params, body: { type: 'modify-popup', popup_id: 'p' } });
  t.match(action, { type: 'modify-popup', popup_id: 'p', object_ids: undefined });
  t.match(await client.get('/projects/{project_id}', { params }), { artboards: [{ objects: [{ interactive: false }] }] });
});

t.test('the client imports what it has exported', async (t) => {
  const client = clientOf(await startForRequests(t));
  const { id } = await client.post('/projects', { body: { name: 'kept', popups: [{ title: 'x' }] } });
  const body = await client.get('/projects/{project_id}/export', { params: { path: { project_id: id } } });
  t.match(await client.post('/projects/import', { body }), { name: 'kept', popups: [{ title: 'x' }] });
});

t.test('a response of another program is an unexpected_response error', async (t) => {
  const page = (status: number) => new Response('<html>', { status, headers: { 'content-type': 'text/html' } });
  const nothing = [new Response(''), new Response(null, { status: 204 }), new Response('null'), new Response('"fine"')];
  for (const said of [page(200), page(404), page(500), ...nothing, new Response('{"ok":false}', { status: 403 })]) {
    const { client, sent } = new MadeUp([said]);
    await t.rejects(client.get('/projects'), { code: 'unexpected_response', status: said.status, message: /baseUrl/ });
    t.equal((await client.GET('/projects')).error?.code, 'unexpected_response');
    t.equal(sent.length, 2, 'it is not asked again');
  }
});

t.test('a server that cannot be reached is a ConnectionError with advice', async (t) => {
  const closed = http.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => closed.once('listening', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, retry: false });
  await t.rejects(client.get('/projects'), ConnectionError);
  await t.rejects(client.GET('/projects'), {
    message: `GET http://127.0.0.1:${port}/api/v1/projects: no response (ECONNREFUSED). Check that the server is running.`,
  });
});

t.test('a request that cannot be sent throws its TypeError', async (t) => {
  const { client, sent } = new MadeUp([json({})]);
  await t.rejects(client.get('/projects', { headers: { 'a b': 'x' } }), TypeError);
  const body = { settings: { size: 1n } };
  await t.rejects(client.post('/projects', { body }), TypeError);
  t.equal(sent.length, 0);
});

t.test('a path parameter that would change the path is refused', async (t) => {
  for (const name of ['', '.', '..', undefined, null, 5, ['p']] as string[]) {
    const { client, sent } = new MadeUp([json([])]);
    const path = { project_id: 'p', popup_id: name };
    const inProject = { params: { path: { project_id: name } } };
    const asked = [
      client.delete('/projects/{project_id}/popups/{popup_id}', { params: { path } }),
      client.GET('/projects/{project_id}', inProject),
      client.each('/projects/{project_id}/popups', inProject).next(),
      client.update('/projects/{project_id}', inProject, () => ({})),
      ...(name === undefined ? [] : [client.changes({ project: name }).next()]),
    ];
    for (const one of asked) t.match(await refusalOf(one), { name: 'TypeError', message: /is not an identifier/ }, String(name));
    t.strictSame(sent, []);
  }
  const { client, sent } = new MadeUp([json({})]);
  for (const project_id of ['...', '..a', '%2e%2e', '../x'])
    await client.get('/projects/{project_id}', { params: { path: { project_id } } });
  t.strictSame(
    sent.map(({ url }) => new URL(url).pathname.slice('/api/v1/projects/'.length)),
    ['...', '..a', '%252e%252e', '..%2Fx'],
  );
});

t.test('a redirect is neither followed nor retried', async (t) => {
  const reached: string[] = [];
  const elsewhere = http.createServer((request, response) => {
    reached.push(request.url ?? '');
    response.end('{}');
  });
  let status = 0;
  const server = http.createServer((request, response) => {
    reached.push(request.method ?? '');
    response.writeHead(status, {
      location: `http://127.0.0.1:${portOf(elsewhere)}/`,
      'content-type': 'application/problem+json',
    });
    response.end('{"code":"not_found","detail":"It says this."}');
  });
  for (const one of [elsewhere, server]) {
    await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
    t.teardown(() => one.close());
  }
  const client = createClient({ baseUrl: `http://127.0.0.1:${portOf(server)}`, key: 'mw_test' });
  for (status of [301, 302, 303, 307, 308]) {
    const asks = [() => client.post('/projects', { body: {} }), () => client.get('/projects'), () => client.changes().next()];
    for (const ask of asks) t.match(await refusalOf(ask()), { code: 'unexpected_response', status, detail: /redirects/ });
    t.strictSame(reached.splice(0).sort(), ['GET', 'GET', 'POST']);
  }
});

const portOf = (server: http.Server): number => (server.address() as AddressInfo).port;

t.test('invalid options of the client are refused by name', async (t) => {
  const baseUrl = 'http://maps.test';
  const slips: [object, RegExp][] = [
    ...[Number.NaN, 0, -1, 1.5, '4', Number.POSITIVE_INFINITY].map((attempts): [object, RegExp] => [
      { retry: { attempts } },
      /^retry\.attempts /,
    ]),
    ...[Number.NaN, -1, '4', Number.POSITIVE_INFINITY, 2 ** 31].flatMap((ms): [object, RegExp][] => [
      [{ retry: { baseMs: ms } }, /^retry\.baseMs /],
      [{ retry: { maxMs: ms } }, /^retry\.maxMs /],
    ]),
    [{ retry: { sleep: 5 } }, /^retry\.sleep /],
    [{ retry: { random: 0 } }, /^retry\.random /],
    [{ retry: true }, /^retry /],
    [{ retry: null }, /^retry /],
    [{ key: 5 }, /key is not valid/],
    [{ key: null }, /key is not valid/],
    [{ fetch: 5 }, /^fetch /],
  ];
  for (const [options, message] of slips)
    t.throws(() => createClient({ baseUrl, ...options }), { name: 'TypeError', message }, message.source);
  for (const idleMs of [Number.NaN, 0, Number.POSITIVE_INFINITY, 2 ** 31, '5'] as number[])
    t.match(await refusalOf(new MadeUp([json([])]).client.changes({ idleMs }).next()), {
      name: 'TypeError',
      message: /^idleMs is /,
    });
});

t.test('malformed parts of a problem document are dropped', async (t) => {
  const refused = (said: object): Promise<unknown> =>
    refusalOf(
      new MadeUp([Response.json({ code: 'bad_request', detail: 'No.', ...said }, { status: 400 })]).client.get('/projects'),
    );
  for (const detail of [5, null, {}]) t.match(await refused({ detail }), { code: 'unexpected_response' });
  for (const errors of [null, 5, 'x', {}, [null, 5, {}, { pointer: 5, detail: 'x' }, { pointer: '/a' }]])
    t.strictSame(((await refused({ errors })) as ProblemError).errors, []);
  const right = { pointer: '/a', detail: 'It is wrong.' };
  t.strictSame(((await refused({ errors: [null, right], index: 'x' })) as ProblemError).errors, [right]);
  t.equal(((await refused({ index: 'x' })) as ProblemError).index, undefined);
});
