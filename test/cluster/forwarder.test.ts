// tier: normal, process: own
/** Requests through a follower: the bytes of the owner, and an owner that changes, breaks or hangs. */
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { Limits } from '../../src/http/guard/http-limits.ts';
import { openServer } from '../../src/server/server.ts';
import { recordingLog } from '../support/engine.ts';
import { type Ask, ask, codeOf, followerNode, type Got, type Handle, ownerNode, until } from './support/forwarding.ts';
import { startProxy } from './support/tcp-proxy.ts';

/** A follower of a real server in memory. */
async function realPair(t: Test, limits: Partial<Limits> = {}) {
  const { logged: entries, log } = recordingLog();
  const cors = ['https://editor.example'];
  const inner = await openServer({ inMemory: true, log, logRequests: true, cors, limits });
  t.teardown(() => inner.close());
  const { key } = await inner.createKey('acme');
  const owner = await ownerNode(t, inner.begin, { limits });
  const follower = await followerNode(t, owner, limits, cors);
  const auth = ['Authorization', `Bearer ${key}`];
  return { inner, entries, owner, follower, key, auth };
}

/** Headers that differ between two connections and moments. */
const ownOfConnection = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'traceparent']);

function comparable({ status, rawHeaders, body, continued }: Got) {
  const headers: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (!ownOfConnection.has((rawHeaders[i] as string).toLowerCase())) headers.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  return { status, headers, body: body.toString('latin1'), continued };
}

const json = ['Content-Type', 'application/json'];

t.test('a follower answers unusual requests, and in every coding, with the bytes of the owner', async (t) => {
  const { owner, follower, auth } = await realPair(t);
  const made = (path: string, body: unknown): Promise<Got> =>
    ask(owner.port, { method: 'POST', path, headers: [...auth, ...json], body: JSON.stringify(body) });
  const project = (JSON.parse((await made('/v1/projects', { name: 'ä map' })).text) as { id: string }).id;
  const base = `/api/v1/projects/${project}`;
  for (let i = 0; i < 40; i++) await made(`${base}/popups`, { title: `popup ${i} ${'x'.repeat(200)}`, attachedTo: 'nothing' });
  const popups = await ask(owner.port, { path: `${base}/popups?limit=1`, headers: auth });
  const [popup] = JSON.parse(popups.text) as { id: string }[];
  const one = `${base}/popups/${popup?.id}`;

  const reads: Ask[] = [
    ...['/v1/projects', base, `${base}/popups?limit=3`, one, '/openapi.json', '/docs', '/', '/v1/projects/', '/v1//projects'],
    ...['/v1/projects/%ZZ', `/v1/projects/${'x'.repeat(2000)}`, '/v1/projects?fields=name&fields=id', '/v1/projects?%'],
    `http://maps.example${base}/popups?limit=2`,
  ].map((path) => ({ path }));
  const unusual: Ask[] = [
    { path: '*', method: 'OPTIONS' },
    { path: `${base}/events`, method: 'HEAD' },
    { path: base, headers: ['Origin', 'https://editor.example'] },
    { path: base, headers: ['Origin', 'https://other.example'] },
    { path: base, method: 'OPTIONS', headers: ['Origin', 'https://editor.example', 'Access-Control-Request-Method', 'PATCH'] },
    { path: base, method: 'OPTIONS' },
    { path: base, method: 'PATCH', headers: json },
    { path: base, method: 'PROPFIND' },
    { path: base, body: '{"ignored":true}' },
    { path: base, body: '{"ignored":true}', chunkBytes: 4 },
    { path: `${base}/popups/unknown`, method: 'DELETE', body: '{}' },
    { path: base, headers: ['Connection', 'close, X-Other', 'X-Other', '1', 'TE', 'trailers', 'Upgrade-Insecure-Requests', '1'] },
    { path: `${base}/popups`, method: 'POST', headers: [...json, 'Expect', '100-continue'], body: '{"titel":"b"}' },
    {
      path: '/v1/projects',
      method: 'POST',
      headers: [...json, 'Expect', '100-continue', 'Authorization', 'Bearer x'],
      body: '{}',
    },
    { path: `${base}/popups`, method: 'POST', headers: ['Expect', '100-continue', 'Content-Type', 'text/plain'], body: '{}' },
  ];

  let count = 0;
  const compare = async (request: Ask): Promise<Got> => {
    const isOther = request.headers?.includes('Authorization') === true;
    const headers = ['X-Request-Id', `r-${count++}`, ...(isOther ? [] : auth), ...(request.headers ?? [])];
    const direct = await ask(owner.port, { ...request, headers });
    const forwarded = await ask(follower.port, { ...request, headers });
    t.strictSame(
      comparable(forwarded),
      comparable(direct),
      `${request.method ?? 'GET'} ${request.path.slice(0, 80)} ${request.headers}`,
    );
    return forwarded;
  };
  for (const request of [...reads, ...unusual]) await compare(request);
  for (const { path } of reads) {
    await compare({ path, method: 'HEAD' });
    for (const coding of ['gzip', 'br']) {
      await compare({ path, headers: ['Accept-Encoding', coding] });
      await compare({ path, method: 'HEAD', headers: ['Accept-Encoding', coding] });
    }
    await compare({ path, headers: ['Authorization', 'Bearer wrong'] });
  }

  const expecting = { path: one, method: 'PATCH', headers: [...auth, ...json, 'Expect', '100-continue'], body: '{"title":"b"}' };
  t.equal((await ask(follower.port, expecting)).status, 200);
  t.match((await compare({ path: one })).text, /"title":"b"/);
  t.equal(follower.forwarder.inFlight, 0);
});

t.test('the owner sees the address, the request id and the trace of the client', async (t) => {
  const { entries, follower, auth } = await realPair(t);
  const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const headers = [...auth, 'X-Forwarded-For', '203.0.113.9', 'traceparent', trace];
  const got = await ask(follower.port, { path: '/v1/projects', headers, localAddress: '127.0.0.5' });
  t.equal(got.status, 200);
  await until(() => follower.entries.length > 0 && entries.some(([, , text]) => text === 'request'));
  const own = entries.find(([, , text]) => text === 'request')?.[1];
  const passed = follower.entries.find(([, , text]) => text === 'request')?.[1];
  t.equal(own?.['address'], '127.0.0.5', 'an address that the client made up does not count');
  t.equal(own?.['account'], 'acme');
  t.equal(own?.['requestId'], got.headers['x-request-id']);
  t.equal(passed?.['requestId'], got.headers['x-request-id']);
  t.equal(own?.['trace_id'], 'a'.repeat(32));
  t.equal(passed?.['route'], 'forwarded');
});

t.test('health checks and metrics are the node’s own', async (t) => {
  const { follower } = await realPair(t);
  t.equal((await ask(follower.port, { path: '/healthz' })).status, 200);
  t.equal((await ask(follower.port, { path: '/readyz' })).text, '{"status":"ready"}');
  t.match((await ask(follower.port, { path: '/viewer.js' })).text, /mapwright-map/, 'the script is on each node');
  const owner = await ask(follower.port, { path: '/readyz/owner' });
  t.strictSame([owner.status, owner.text], [503, '{"status":"following"}']);
  t.equal((await ask(follower.port, { path: '/metrics' })).text, 'follower 1\n');
});

t.test('a forwarded event stream ends with its owner and with its client', async (t) => {
  const { inner, owner, follower, auth } = await realPair(t);
  const project = JSON.parse(
    (await ask(owner.port, { method: 'POST', path: '/v1/projects', headers: [...auth, ...json], body: '{}' })).text,
  ) as { id: string };
  const stream = net.connect(follower.port, '127.0.0.1');
  let text = '';
  stream.on('data', (bytes) => {
    text += bytes;
  });
  stream.write(`GET /v1/projects/${project.id}/events HTTP/1.1\r\nHost: x\r\n${auth.join(': ')}\r\n\r\n`);
  await until(() => text.includes('retry: 2000'));
  t.match(text, /Content-Type: text\/event-stream/);
  t.equal(follower.listener.stats().streams, 1);
  t.equal(follower.listener.inFlight, 0, 'a stream is not a request in flight');
  await ask(follower.port, {
    method: 'POST',
    path: `/v1/projects/${project.id}/popups`,
    headers: [...auth, ...json],
    body: '{"title":"news","attachedTo":"nothing"}',
  });
  await until(() => text.includes('news'));
  stream.destroy();
  await until(() => follower.forwarder.inFlight === 0);
  t.equal(follower.listener.stats().streams, 0);

  const second = net.connect(follower.port, '127.0.0.1');
  let rest = '';
  second.on('data', (bytes) => {
    rest += bytes;
  });
  second.write(`GET /v1/events HTTP/1.1\r\nHost: x\r\n${auth.join(': ')}\r\n\r\n`);
  await until(() => rest.includes('retry: 2000'));
  const closed = once(second, 'close');
  void inner.close();
  await closed;
  t.ok(rest.endsWith('0\r\n\r\n'), 'the end is that of the owner');
  t.match(rest, /: the stream ends here/);
});

t.test('event streams end when the follower stops', async (t) => {
  const { follower, auth } = await realPair(t);
  const stream = net.connect(follower.port, '127.0.0.1');
  let text = '';
  stream.on('data', (bytes) => {
    text += bytes;
  });
  stream.write(`GET /v1/events HTTP/1.1\r\nHost: x\r\n${auth.join(': ')}\r\n\r\n`);
  await until(() => text.includes('retry: 2000'));
  const closed = once(stream, 'close');
  follower.listener.drain();
  await closed;
  t.ok(text.endsWith('0\r\n\r\n'));
  t.equal(follower.forwarder.inFlight, 0);
});

t.test('a large import is refused before its body is sent, and waits for 100 Continue', async (t) => {
  const { owner, follower, auth } = await realPair(t, { bodyBytesMax: 64 * 1024, bodiesBytesMax: 16 * 1024 * 1024 });
  const popups = Array.from({ length: 2000 }, (_, i) => ({
    id: `p${i}`,
    title: `popup ${i} ${'x'.repeat(500)}`,
    attachedTo: 'nothing',
  }));
  const { id } = JSON.parse(
    (await ask(owner.port, { method: 'POST', path: '/v1/projects', headers: [...auth, ...json], body: '{}' })).text,
  ) as { id: string };
  const exported = JSON.parse((await ask(owner.port, { path: `/v1/projects/${id}/export`, headers: auth })).text) as {
    project: Record<string, unknown>;
  };
  const body = JSON.stringify({ ...exported, project: { ...exported.project, popups } });
  t.ok(body.length > 1_000_000);
  const request = { method: 'POST', path: '/v1/projects/import', headers: [...auth, ...json], body };
  const got = await ask(follower.port, { ...request, headers: [...request.headers, 'Expect', '100-continue'] });
  t.match([got.status, JSON.parse(got.text)], [200, { popups: { length: 2000 } }]);
  for (const how of [{}, { chunkBytes: 10_000 }]) {
    const wrong = { ...request, headers: [...json, 'Authorization', 'Bearer mw_wrong'] };
    const got = await ask(follower.port, { ...wrong, ...how });
    t.equal(got.status, 401);
    t.equal(got.headers.connection, 'close');
  }
  const waiting = await ask(follower.port, { ...request, headers: [...json, 'Expect', '100-continue'] });
  t.strictSame([waiting.status, waiting.continued], [401, false]);
  t.equal((await ask(follower.port, { path: '/v1/projects', headers: auth })).status, 200);
});

/** Counts requests and answers each with the given handler. */
function scripted(...answers: ((...args: Parameters<Handle>) => void)[]) {
  const seen: string[] = [];
  const handle: Handle = (req, res, expectation) => {
    const chunks: Buffer[] = [];
    const answer = (): void => {
      seen.push(`${req.method} ${req.url} ${Buffer.concat(chunks)}`);
      const next = answers.length > 1 ? answers.shift() : answers[0];
      next?.(req, res, expectation);
    };
    // The requests of these servers are no streams.
    Object.assign(req, {
      push(piece: Buffer | null) {
        if (piece === null) answer();
        else chunks.push(piece);
        return true;
      },
    });
  };
  return { seen, handle };
}

const ok: Handle = (_req, res) => void res.end('{"done":true}');
const notOwner: Handle = (_req, res) => {
  res.writeHead(503, { 'Content-Type': 'application/problem+json' }).end('{"code":"not_owner"}');
};
const agreeing =
  (handle: Handle): Handle =>
  (req, res, expectation) => {
    if (expectation === 'continue') res.writeContinue();
    handle(req, res, expectation);
  };
const breaks: Handle = (req) => void req.socket.destroy();
const post = { method: 'POST', path: '/v1/x', headers: json, body: '{"n":1}' } as const;

t.test('a follower repeats a request only if the owner has not carried it out', async (t) => {
  const cases: [what: string, Ask, Handle, expected: [status: number, first: number, second: number]][] = [
    ['POST, 503 not_owner', post, notOwner, [503, 1, 0]],
    ['GET, 503 not_owner', { path: '/v1/x' }, notOwner, [200, 1, 1]],
    ['POST, broken', post, breaks, [503, 1, 0]],
    ['PATCH, broken', { ...post, method: 'PATCH' }, breaks, [503, 1, 0]],
    ['DELETE, broken', { ...post, method: 'DELETE' }, breaks, [503, 1, 0]],
    ['GET, broken', { path: '/v1/x' }, breaks, [200, 1, 1]],
    ['HEAD, broken', { method: 'HEAD', path: '/v1/x' }, breaks, [200, 1, 1]],
    [
      'POST, another 503',
      post,
      (_req, res) => void res.writeHead(503, { 'Retry-After': '7' }).end('{"code":"unavailable"}'),
      [503, 1, 0],
    ],
    ['POST, half a head', post, (req) => void req.socket.end('HTTP/1.1 200 O'), [503, 1, 0]],
    [
      'POST, half a short body',
      post,
      (req) => void req.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf'),
      [503, 1, 0],
    ],
    [
      'GET, half a short body',
      { path: '/v1/x' },
      (req) => void req.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf'),
      [200, 1, 1],
    ],
    ['POST with Expect, 503 not_owner', { ...post, headers: [...json, 'Expect', '100-continue'] }, notOwner, [503, 1, 0]],
  ];
  for (const [what, request, first, [status, firstCount, secondCount]] of cases) {
    const one = scripted((req, res, expectation) => {
      follower.setOwner(after);
      first(req, res, expectation);
    });
    const two = scripted(ok);
    const before = await ownerNode(t, agreeing(one.handle), { nodeId: 'a' });
    const after = await ownerNode(t, two.handle, { nodeId: 'b' });
    const follower = await followerNode(t, before);
    const got = await ask(follower.port, request);
    t.strictSame([got.status, one.seen.length, two.seen.length], [status, firstCount, secondCount], what);
    if (status === 503 && first === breaks) {
      t.equal(codeOf(got), 'unavailable');
      t.match(
        got.text,
        /The change may have been made: read the resource, or repeat the request with the same Idempotency-Key\./,
      );
      t.equal(got.headers['retry-after'], '1');
    }
    if (what.includes('Expect')) t.equal(codeOf(got), 'not_owner');
    t.strictSame(
      [...one.seen, ...two.seen].filter((line) => line.startsWith('POST') && !line.endsWith('{"n":1}')),
      [],
      'the whole body',
    );
  }
});

t.test('a follower repeats a request that gets 421 from a node that is not the owner', async (t) => {
  const one = scripted(ok);
  const two = scripted(ok);
  const before = await ownerNode(t, one.handle, { nodeId: 'a' });
  const after = await ownerNode(t, two.handle, { nodeId: 'b' });
  before.owns = false;
  const follower = await followerNode(t, before);
  const got = ask(follower.port, post);
  await until(() => follower.forwarder.inFlight === 1);
  follower.setOwner(after);
  t.equal((await got).status, 200);
  t.strictSame([one.seen.length, two.seen.length], [0, 1]);
  after.owns = false;
  const later = ask(follower.port, post);
  await until(() => follower.forwarder.inFlight === 1);
  after.owns = true;
  t.equal((await later).status, 200, 'the same node is asked again');
  t.strictSame([one.seen.length, two.seen.length], [0, 2]);
});

t.test('requests wait for an owner, and get 503 after a limit', async (t) => {
  const { handle, seen } = scripted(ok);
  const owner = await ownerNode(t, handle);
  const follower = await followerNode(t, undefined);
  const both = [ask(follower.port, post), ask(follower.port, { path: '/v1/x' })];
  await until(() => follower.forwarder.inFlight === 2);
  follower.setOwner(owner);
  for (const got of await Promise.all(both)) t.equal(got.status, 200);
  t.equal(seen.length, 2);
  follower.setOwner({ url: 'http://127.0.0.1:1', nodeId: 'gone' });
  const got = await ask(follower.port, post);
  t.strictSame([got.status, codeOf(got), got.headers['retry-after']], [503, 'unavailable', '1']);
  t.match(got.text, /nothing was changed/);
  t.equal(follower.entries.filter(([level]) => level === 'warn').length, 1, 'the log has it once');
  t.equal(follower.forwarder.inFlight, 0);
});

t.test('requests at a former owner that hangs end when the owner changes', async (t) => {
  let received = 0;
  const two = scripted(ok);
  const before = await ownerNode(t, () => void received++, { nodeId: 'a' });
  const after = await ownerNode(t, agreeing(two.handle), { nodeId: 'b' });
  const follower = await followerNode(t, before);
  const asked = { ...post, headers: [...(post.headers ?? []), 'Expect', '100-continue'] };
  const all = [ask(follower.port, post), ask(follower.port, { path: '/v1/x' }), ask(follower.port, asked)];
  await until(() => received === 3);
  follower.setOwner(after);
  const [written, read, announced] = await Promise.all(all);
  t.equal(written?.status, 503);
  t.match(written?.text, /may have been made/);
  t.equal(read?.status, 200);
  t.equal(announced?.status, 200, 'no byte of its body was sent');
  t.equal(two.seen.filter((line) => line.startsWith('GET')).length, 1);
  t.equal(two.seen.filter((line) => line.startsWith('POST')).length, 1);
});

t.test('requests to an unreachable owner end with 503', async (t) => {
  const { handle } = scripted(ok);
  const owner = await ownerNode(t, handle);
  const proxy = await startProxy(t, owner.port);
  const follower = await followerNode(t, { ...owner, url: `http://127.0.0.1:${proxy.port}` });
  t.equal((await ask(follower.port, { path: '/v1/x' })).status, 200);
  proxy.fault = { drop: 'both' };
  const asked = { ...post, headers: [...(post.headers ?? []), 'Expect', '100-continue'] };
  const all = [ask(follower.port, post), ask(follower.port, { path: '/v1/x' }), ask(follower.port, asked)];
  const codes = (await Promise.all(all)).map(({ status, text }) => [status, /may have been made/.test(text)]);
  t.same(codes, [
    [503, true],
    [503, false],
    [503, false],
  ]);
  proxy.fault = 'pass';
  t.equal((await ask(follower.port, { path: '/v1/x' })).status, 200);
});

t.test('a follower authenticates a new process at the address of the owner', async (t) => {
  const { handle, seen } = scripted(ok);
  const first = await ownerNode(t, handle);
  const follower = await followerNode(t, first);
  t.equal((await ask(follower.port, post)).status, 200);
  first.server.closeAllConnections();
  await new Promise((resolve) => first.server.close(resolve));
  await ownerNode(t, handle, { port: first.port });
  const all = await Promise.all(Array.from({ length: 20 }, () => ask(follower.port, post)));
  t.strictSame(new Set(all.map(({ status }) => status)), new Set([200]));
  t.equal(seen.length, 21, 'each request once');
});

t.test('the memory for forwarded bodies is limited in total and per account', async (t) => {
  const hanging = scripted(() => undefined);
  const owner = await ownerNode(t, hanging.handle);
  const follower = await followerNode(t, owner, { bodyBytesMax: 100_000, bodiesBytesMax: 250_000 });
  const send = (key: string): Promise<Got> =>
    ask(follower.port, { ...post, headers: [...json, 'Authorization', key], body: Buffer.alloc(90_000, 97) });
  const kept = [send('a'), send('b')].map((got) => got.catch(() => undefined));
  await until(() => hanging.seen.length === 2);
  const third = await send('c');
  t.strictSame([third.status, codeOf(third), third.headers['retry-after']], [503, 'unavailable', '1']);
  const same = await send('a');
  t.strictSame([same.status, codeOf(same)], [429, 'too_many_requests'], 'one account may hold half');
  t.equal(follower.listener.stats().bodiesBytes, 180_000);
  await follower.forwarder.close();
  for (const got of await Promise.all(kept)) t.equal(got?.status, 503);
  t.equal(follower.listener.stats().bodiesBytes, 0);
});

t.test('a slow client applies backpressure to the owner, and its disconnect ends the request', async (t) => {
  let written = 0;
  let isClosed = false;
  const owner = await ownerNode(t, (_req, res) => {
    const write = (): void => {
      let more = true;
      while (more && !res.destroyed) {
        written += 65_536;
        more = res.write(Buffer.alloc(65_536, 97));
      }
    };
    res.on('drain', write);
    res.on('close', () => {
      isClosed = true;
    });
    write();
  });
  const follower = await followerNode(t, owner);
  const socket = net.connect(follower.port, '127.0.0.1');
  socket.write('GET /v1/x HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'readable');
  // Buffers of the kernel fill; then nothing moves any more.
  let before = -1;
  while (before !== written) {
    before = written;
    await sleep(300);
  }
  t.ok(written < 64 * 1024 * 1024, `${written} bytes`);
  t.ok(follower.listener.stats().outputBytes > 0, 'the bytes count');
  socket.destroy();
  await until(() => isClosed);
  await until(() => follower.forwarder.inFlight === 0);
  t.equal(follower.listener.stats().outputBytes, 0);
});

t.test('a client that resets its connection ends its request at the owner', async (t) => {
  let open = 0;
  const owner = await ownerNode(t, (req) => {
    open++;
    req.socket.once('end', () => open--);
  });
  const follower = await followerNode(t, owner);
  const socket = net.connect(follower.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}');
  await until(() => open === 1);
  socket.resetAndDestroy();
  await until(() => open === 0);
  await until(() => follower.forwarder.inFlight === 0);
  t.equal(follower.listener.inFlight, 0);
});

t.test('a truncated response of the owner is truncated for the client', async (t) => {
  const owner = await ownerNode(t, (req, res) => {
    res.writeHead(200, { 'Content-Length': 1_000_000 });
    res.write(Buffer.alloc(100_000));
    setTimeout(() => req.socket.destroy(), 20);
  });
  const follower = await followerNode(t, owner);
  await t.rejects(ask(follower.port, { path: '/v1/x' }), { code: 'ECONNRESET' });
});

t.test('a node with another secret or another id is not used', async (t) => {
  const { handle, seen } = scripted(ok);
  const strange = await ownerNode(t, handle, { secret: Buffer.alloc(32, 1) });
  const follower = await followerNode(t, strange);
  t.equal((await ask(follower.port, post)).status, 503);
  const other = await ownerNode(t, handle, { nodeId: 'other' });
  follower.setOwner({ url: other.url, nodeId: 'expected' });
  t.equal((await ask(follower.port, post)).status, 503);
  t.strictSame(seen, []);
  const warnings = follower.entries
    .filter(([level]) => level === 'warn')
    .map(([, fields]) => String((fields['err'] as Error).message));
  t.match(warnings[0], /does not know the secret of this cluster/);
  t.match(warnings[1], /is other, not expected/);
});
