/** What no well-behaved client sends. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import t from 'tap';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { createListener } from '../../src/http/listener.ts';
import type { Reply } from '../../src/http/reply.ts';
import { admin, askOf, authorization, key, lastAnswer, rawOf, serve } from './harness.ts';

const endpoints: Endpoint<string>[] = [
  { method: 'GET', path: '/things', prefixes: admin, handle: () => ({ status: 200, json: '[]' }) },
  { method: 'POST', path: '/things', prefixes: admin, acceptsBody: true, handle: () => ({ status: 200, json: '{}' }) },
];
const auth = `Authorization: ${authorization}\r\n`;

t.test('requests that are not sound are told apart, answered with a document, and end the connection', async (t) => {
  const { raw, ask, logged } = await serve(t, endpoints);
  const get = `GET /v1/things HTTP/1.1\r\nHost: x\r\n${auth}`;
  const post = `POST /v1/things HTTP/1.1\r\nHost: x\r\n${auth}`;
  const rows: [string, number, string][] = [
    ['rubbish', 400, 'rubbish\r\n\r\n'],
    ['a method nobody knows', 400, 'BREW /v1/things HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['TLS', 400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['HTTP/0.9', 400, 'GET /v1/things\r\n\r\n'],
    ['HTTP/2.0', 400, 'GET /v1/things HTTP/2.0\r\nHost: x\r\n\r\n'],
    ['the preface of HTTP/2', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['two Host headers', 400, `${get}host: y\r\n\r\n`],
    ['no Host header', 400, `GET /v1/things HTTP/1.1\r\n${auth}\r\n`],
    ['a space before the colon', 400, `${get}X-A : 1\r\n\r\n`],
    ['a NUL in a header', 400, `${get}X-A: \0\r\n\r\n`],
    ['bare CR in a header', 400, `${get}X-A: a\rb\r\n\r\n`],
    ['two lengths', 400, `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['length and chunks', 400, `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a negative length', 400, `${post}Content-Length: -1\r\n\r\n{}`],
    ['a length in hex', 400, `${post}Content-Length: 0x2\r\n\r\n{}`],
    ['another transfer coding', 400, `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['chunked twice', 400, `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['chunks in HTTP/1.0', 400, `${post.replace('1.1', '1.0')}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a broken chunk', 400, `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['a huge chunk size', 400, `${post}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n`],
    ['endless chunk extensions', 413, `${post}Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`],
    ['a long target', 414, `GET /v1/things?${'x'.repeat(9000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a target beyond all headers', 414, `GET /v1/things?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a long header', 431, `${get}X-A: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['many headers', 431, `${get}${'X-A: 1\r\n'.repeat(150)}\r\n`],
    ['thousands of headers', 431, `${get}${'X-A: 1\r\n'.repeat(10_000)}\r\n`],
    ['CONNECT', 405, 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n'],
  ];
  for (const [name, status, bytes] of rows) {
    const answer = lastAnswer(await raw(Buffer.from(bytes, 'latin1')));
    t.equal(answer.status, status, name);
    t.match(answer.head, /connection: close/i, name);
    t.match(answer.head, /content-type: application\/problem\+json/i, name);
    t.match(answer.json, { status, request_id: /./, code: /^[a-z_]+$/ }, name);
  }
  t.equal((await ask('/v1/things')).status, 200);
  t.strictSame(logged, []);
});

t.test('what is odd but allowed', async (t) => {
  const { raw } = await serve(t, endpoints);
  const rows: [string, number, string][] = [
    ['HTTP/1.0 without Host', 200, `GET /v1/things HTTP/1.0\r\n${auth}\r\n`],
    ['an empty line first', 200, `\r\nGET /v1/things HTTP/1.1\r\nHost: x\r\n${auth}Connection: close\r\n\r\n`],
    [
      'an upgrade that is ignored',
      200,
      `GET /v1/things HTTP/1.1\r\nHost: x\r\n${auth}Connection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    ],
    ['OPTIONS *', 404, 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    [
      'a hundred headers',
      200,
      `GET /v1/things HTTP/1.1\r\nHost: x\r\n${auth}Connection: close\r\n${'X-A: 1\r\n'.repeat(97)}\r\n`,
    ],
  ];
  for (const [name, status, bytes] of rows) t.equal(lastAnswer(await raw(bytes)).status, status, name);
});

t.test('the bound on headers holds wherever it is put', async (t) => {
  const { raw } = await serve(t, endpoints, { limits: { headersMax: 1500 } });
  const get = (count: number): string =>
    `GET /v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${'a:1\r\n'.repeat(count - 2)}\r\n`;
  t.equal(lastAnswer(await raw(get(1500))).status, 404);
  t.equal(lastAnswer(await raw(get(1501))).status, 431);
});

t.test('headers byte by byte', async (t) => {
  const { raw } = await serve(t, endpoints);
  const text = await raw(...`GET /v1/things HTTP/1.1\r\nHost: x\r\n${auth}Connection: close\r\n\r\n`);
  t.equal(lastAnswer(text).status, 200);
});

t.test('rubbish behind a sound request takes nothing from its answer', async (t) => {
  let answer = (_reply: Reply): void => {};
  const handle = (): Promise<Reply> => new Promise((resolve) => (answer = resolve));
  const { port, listener } = await serve(t, [{ method: 'GET', path: '/x', prefixes: [''], public: true, handle }]);
  const warned: Error[] = [];
  const warn = (warning: Error): void => void warned.push(warning);
  process.on('warning', warn);
  t.teardown(() => process.off('warning', warn));
  const text = rawOf(port, ['GET /x HTTP/1.1\r\nHost: x\r\n\r\n', ...Array.from({ length: 30 }, () => 'rubbish\r\n\r\n')]);
  while (listener.inFlight === 0) await new Promise(setImmediate);
  for (let i = 0; i < 200; i++) await new Promise(setImmediate);
  answer({ status: 200, json: '{"sound":true}' });
  t.strictSame((await text).match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 200']);
  t.strictSame(lastAnswer(await text).json, { sound: true });
  t.strictSame(warned, [], 'further faults add nothing');
});

t.test('rubbish behind a request that is complete takes nothing from its answer either', async (t) => {
  const make: Endpoint<string> = {
    method: 'POST',
    path: '/made',
    prefixes: [''],
    public: true,
    acceptsBody: true,
    handle: ({ body }) => ({ status: 201, json: JSON.stringify(body) }),
  };
  const { raw } = await serve(t, [make]);
  const post = 'POST /made HTTP/1.1\r\nHost: x\r\nContent-Length: 24\r\n\r\n{"name":"garbage-after"}';
  for (const text of [await raw(`${post}BAD\r\n\r\n`), await raw(post, 'BAD\r\n\r\n')]) {
    t.strictSame(text.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 201']);
    t.strictSame(lastAnswer(text).json, { name: 'garbage-after' });
  }
  const behind = await raw(`${post}${post}BAD\r\n\r\n`);
  t.strictSame(behind.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 201', 'HTTP/1.1 201'], 'nor from that of one that waits');
  const half = await raw(`${post}POST /made HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`);
  t.match(half, /^HTTP\/1.1 201/, 'what is incomplete takes nothing from what came before it');
});

t.test('draining: what is in flight is finished, every answer closes its connection', async (t) => {
  let answer = (_reply: Reply): void => {};
  const slow: Endpoint<string> = {
    method: 'GET',
    path: '/slow',
    prefixes: [''],
    public: true,
    handle: () => new Promise((resolve) => (answer = resolve)),
  };
  const { ask, port, listener } = await serve(t, [...endpoints, slow]);
  await listener.idle();
  const text = rawOf(port, ['GET /slow HTTP/1.1\r\nHost: x\r\n\r\n']);
  while (listener.inFlight === 0) await new Promise(setImmediate);
  listener.drain();
  let idle = false;
  const waited = listener.idle().then(() => {
    idle = true;
  });
  t.equal((await ask('/v1/things')).headers['connection'], 'close');
  t.equal((await ask('/v1/nothing')).headers['connection'], 'close');
  t.equal(idle, false);
  answer({ status: 200, json: '{}' });
  await waited;
  t.equal(listener.inFlight, 0);
  t.match(lastAnswer(await text).head, /200 OK[\s\S]*connection: close/i);
});

t.test('connections are bounded', async (t) => {
  const { port, ask } = await serve(t, endpoints, { limits: { connectionsMax: 1 } });
  const first = net.connect(port, '127.0.0.1');
  t.teardown(() => first.destroy());
  first.write(`GET /v1/things HTTP/1.1\r\nHost: x\r\n${auth}\r\n`);
  await once(first, 'data');
  await t.rejects(ask('/v1/things'));
});

t.test('mounted in a server of somebody else\u2019s', async (t) => {
  const entry = (): void => {};
  const log = { info: entry, warn: entry, error: entry };
  const listener = createListener<string>({
    endpoints,
    authenticate: (token) => (token === key ? 'ann' : undefined),
    log,
  });
  const server = createServer((req, res) => {
    if (req.url === '/theirs') res.end('theirs');
    else {
      res.setHeader('X-Theirs', '1');
      listener.handler(req, res);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const answer = await askOf(port, '/v1/things');
  t.equal(answer.status, 200);
  t.equal(answer.headers['x-theirs'], '1');
  t.match(answer.headers['content-type'], /json/);
  t.equal((await askOf(port, '/v1/things', { anonymous: true })).status, 401);
  t.equal((await askOf(port, '/v1/things', { body: '{}', headers: { Expect: '100-continue' } })).status, 200);
  t.equal((await askOf(port, '/theirs')).text, 'theirs');
  await listener.idle();
});
