/**
 * What no well-behaved client sends. Each line of what the server promises to withstand, and where it is tried with bare sockets:
 *
 *     two Host headers, HTTP/0.9, unknown transfer codings, 431, TRACE and CONNECT, smuggling  here, and `order` for TRACE
 *     targets, percent signs, overlong UTF-8, HTTP/2 and TLS on this port                     here
 *     `Expect`, early close on a body too large, media types                                  `body`
 *     slow headers (1,000 connections at once)                                                `pressure`
 *     slow, stalled, crumbled bodies; bodies that are too much together                       `pressure`
 *     slow and stalled readers, and the memory of what waits for them                         `pressure`, `reply`
 *     limits of connections, of an address, of an account                                     `pressure`
 *     pipelining, half-closed connections                                                     `pipelining`
 *     resets at any moment, and everything at once beside honest clients                      `soak-hostile`
 *     a handler that throws, ends as one 500                                                  `reply`
 *     bytes, UTF-8 and depth before JSON                                                      `json`
 *
 * After every one the server answers the next honest request.
 */
import { once } from 'node:events';
import net from 'node:net';
import t from 'tap';
import {
  admin,
  askOf,
  authorization,
  type Endpoint,
  lastAnswer,
  paramOf,
  type Reply,
  rawOf,
  serve,
  serveHost,
} from './harness.ts';

const endpoints: Endpoint<string>[] = [
  { method: 'GET', path: '/things', prefixes: admin, handle: () => ({ kind: 'json', status: 200, json: '[]' }) },
  {
    method: 'POST',
    path: '/things',
    prefixes: admin,
    acceptsBody: true,
    handle: () => ({ kind: 'json', status: 200, json: '{}' }),
  },
];
const auth = `Authorization: ${authorization}\r\n`;

t.test('each kind of malformed request has its own status and problem document, and ends the connection', async (t) => {
  const { raw, ask, logged, listener } = await serve(t, endpoints);
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
    ['two equal lengths', 400, `${post}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`],
    ['a list of lengths', 400, `${post}Content-Length: 2, 2\r\n\r\n{}`],
    ['a length with a sign', 400, `${post}Content-Length: +2\r\n\r\n{}`],
    ['a length with a space', 400, `${post}Content-Length: 2 2\r\n\r\n{}`],
    ['no length', 400, `${post}Content-Length: \r\n\r\n{}`],
    ['a length beyond all numbers', 400, `${post}Content-Length: 99999999999999999999999\r\n\r\n{}`],
    ['a length beyond all bodies', 413, `${post}Content-Length: 9999999999999999\r\n\r\n{}`],
    ['chunks and length', 400, `${post}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n`],
    ['a coding that ends in chunked', 400, `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['a coding in quotes', 400, `${post}Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n`],
    ['a coding behind a vertical tab', 400, `${post}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`],
    ['a coding with a parameter', 400, `${post}Transfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n`],
    ['chunked, but not last', 400, `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['the coding identity', 400, `${post}Transfer-Encoding: identity\r\n\r\n{}`],
    ['a coding of nothing', 400, `${post}Transfer-Encoding: \r\n\r\n0\r\n\r\n`],
    ['a coding on GET', 400, `${get}Transfer-Encoding: gzip\r\n\r\n`],
    ['a coding on a folded line', 400, `${post}Transfer-Encoding:\r\n chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['a coding behind a bare LF', 400, `${post}X-A: a\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['a coding before a space', 400, `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
    ['chunks with bare LF', 400, `${post}Transfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n`],
    ['a chunk size with a sign', 400, `${post}Transfer-Encoding: chunked\r\n\r\n+2\r\n{}\r\n0\r\n\r\n`],
    ['a chunk size in C', 400, `${post}Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n`],
    ['a chunk size and a space', 400, `${post}Transfer-Encoding: chunked\r\n\r\n2 \r\n{}\r\n0\r\n\r\n`],
    ['a chunk longer than its size', 400, `${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}X\r\n0\r\n\r\n`],
    ['LF in a chunk extension', 400, `${post}Transfer-Encoding: chunked\r\n\r\n2;a\nb\r\n{}\r\n0\r\n\r\n`],
    ['a long trailer', 431, `${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX: ${'x'.repeat(30_000)}\r\n\r\n`],
    ['a folded header', 400, `${get}X-A: a\r\n b\r\n\r\n`],
    ['a folded first header', 400, `GET /v1/things HTTP/1.1\r\n X: y\r\nHost: x\r\n\r\n`],
    ['lines with bare LF', 400, `${get}\r\n`.replaceAll('\r\n', '\n')],
    ['CR CR LF', 400, `${get}X-A: 1\r\r\n\r\n`],
    ['a NUL in a name', 400, `${get}X\0A: 1\r\n\r\n`],
    ['a NUL in the target', 400, `GET /v1/th\0ings HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a control character in a header', 400, `${get}X-A: \x01\r\n\r\n`],
    ['a header without a colon', 400, `${get}X-A\r\n\r\n`],
    ['a header without a name', 400, `${get}: 1\r\n\r\n`],
    ['bytes beyond ASCII in the target', 400, 'GET /v1/things/\xc0\xae HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a space in the target', 400, 'GET /v1/th ings HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a target without a slash', 400, 'GET v1/things HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a target that is an authority', 400, 'GET example.org:80 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a method in lower case', 400, 'get /v1/things HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a Host with a space', 400, `GET /v1/things HTTP/1.1\r\nHost: a b\r\n\r\n`],
    ['a Host with a path', 400, `GET /v1/things HTTP/1.1\r\nHost: a/b\r\n\r\n`],
    ['a Host with a user', 400, `GET /v1/things HTTP/1.1\r\nHost: a@b\r\n\r\n`],
    ['HTTP/1.2', 400, 'GET /v1/things HTTP/1.2\r\nHost: x\r\n\r\n'],
    ['HTTP/0.9 by name', 400, 'GET /v1/things HTTP/0.9\r\nHost: x\r\n\r\n'],
    ['RTSP', 400, `GET /v1/things RTSP/1.1\r\nHost: x\r\n${auth}\r\n`],
    ['RTSP behind line breaks', 400, `\r\n\r\nGET /v1/things RTSP/1.0\r\n${auth}\r\n`],
    ['a POST of RTSP', 400, `${post.replace('HTTP/1.1', 'RTSP/1.1')}Content-Length: 2\r\n\r\n{}`],
    ['OPTIONS of RTSP', 400, 'OPTIONS /v1/things RTSP/1.0\r\nCSeq: 1\r\n\r\n'],
    ['a method of RTSP', 400, 'DESCRIBE /v1/things RTSP/1.0\r\nCSeq: 2\r\n\r\n'],
    ['ICE', 400, 'SOURCE /v1/things ICE/1.0\r\n\r\n'],
    ['SSH', 400, 'SSH-2.0-OpenSSH_9.0\r\n'],
    ['CONNECT', 405, 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n'],
  ];
  for (const [name, status, bytes] of rows) {
    const answer = lastAnswer(await raw(Buffer.from(bytes, 'latin1')));
    t.equal(answer.status, status, name);
    t.match(answer.head, /connection: close/i, name);
    t.match(answer.head, /content-type: application\/problem\+json/i, name);
    t.match(answer.json, { status, request_id: /./, code: /^[a-z_]+$/ }, name);
    t.equal((await ask('/v1/things')).status, 200, `after ${name}`);
  }
  t.match(lastAnswer(await raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).json, { detail: /does not speak HTTP\/2/ });
  t.match(lastAnswer(await raw(Buffer.from('160301020001', 'hex'))).json, { detail: /without TLS/ });
  t.equal(listener.inFlight, 0);
  t.strictSame(logged, []);
});

t.test('a later request line with RTSP is framed as HTTP, so no request can be smuggled after it', async (t) => {
  const { raw, logged } = await serve(t, endpoints);
  const get = `GET /v1/things HTTP/1.1\r\nHost: x\r\n${auth}`;
  const inner = `${get}\r\n`;
  const post = get.replace('GET', 'POST').replace('HTTP/1.1', 'RTSP/1.1');
  const body = `${post}Content-Type: text/plain\r\n`;
  const bytes = [
    inner,
    inner.replace('HTTP/1.1', 'RTSP/1.1'),
    `${body}Content-Length: ${inner.length}\r\n\r\n${inner}`,
    `${body}Transfer-Encoding: chunked\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`,
  ];
  const answers = (await raw(bytes.join(''))).match(/HTTP\/1\.1 \d+/g);
  t.strictSame(answers, ['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 415', 'HTTP/1.1 415']);
  t.strictSame(logged, []);
});

t.test('unusual requests that HTTP allows are answered as usual', async (t) => {
  const { raw, logged } = await serve(t, endpoints);
  const get = `GET /v1/things HTTP/1.1\r\nHost: x\r\n${auth}`;
  const post = get.replace('GET', 'POST');
  const close = 'Connection: close\r\n\r\n';
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
    [
      'h2c, which is ignored',
      200,
      `${get}Connection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n\r\n`,
    ],
    ['an upgrade with a body', 200, `${post}Connection: close, Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\n{}`],
    ['close and keep-alive', 200, `${get}Connection: close, keep-alive\r\n\r\n`],
    ['keep-alive, then close', 200, `${get}Connection: keep-alive\r\nConnection: close\r\n\r\n`],
    ['a coding in other letters', 200, `${post}tRaNsFeR-eNcOdInG: ChUnKeD\r\n${close}2\r\n{}\r\n0\r\n\r\n`],
    ['a chunk extension', 200, `${post}Transfer-Encoding: chunked\r\n${close}2;a=b\r\n{}\r\n0\r\n\r\n`],
    [
      'trailers, which are ignored',
      200,
      `${post}Transfer-Encoding: chunked\r\n${close}2\r\n{}\r\n0\r\nAuthorization: x\r\nHost: y\r\n\r\n`,
    ],
    ['GET with a body', 200, `${get}Content-Length: 3\r\n${close}abc`],
    ['GET with chunks', 200, `${get}Transfer-Encoding: chunked\r\n${close}3\r\nabc\r\n0\r\n\r\n`],
    ['DELETE with a body', 405, `${get.replace('GET', 'DELETE')}Content-Length: 3\r\n${close}abc`],
    ['TRACE', 405, `${get.replace('GET', 'TRACE')}${close}`],
    ['TRACE with a body', 405, `${get.replace('GET', 'TRACE')}Content-Length: 3\r\n${close}abc`],
    ['two keys, in whatever letters', 401, `${get}AUTHORIZATION: ${authorization}\r\n${close}`],
    [
      'a key in a header of underscores',
      401,
      `GET /v1/things HTTP/1.1\r\nHost: x\r\n${auth.replace('Authorization', 'Author_ization')}${close}`,
    ],
    ['an address with scheme and host', 200, `${get.replace('/v1', 'http://other.example/v1')}${close}`],
    ['an address without a path', 404, `${get.replace('/v1/things', 'http://other.example')}${close}`],
    ['a fragment', 404, `${get.replace('things', 'things#x')}${close}`],
    ['two slashes', 404, `${get.replace('/v1', '//v1')}${close}`],
    ['dots', 404, `${get.replace('/v1', '/v1/../v1')}${close}`],
    ['dots in percent signs', 404, `${get.replace('/v1', '/v1/%2e%2e/v1')}${close}`],
    ['a slash in percent signs', 404, `${get.replace('/v1/', '/v1%2f')}${close}`],
    ['a question mark in percent signs', 404, `${get.replace('things', 'things%3flimit=1')}${close}`],
    ['a letter in percent signs', 200, `${get.replace('things', '%74hings')}${close}`],
    ['a parameter of a path', 404, `${get.replace('things', 'things;x=1')}${close}`],
    ['an empty Host', 200, `${get.replace('Host: x', 'Host:')}${close}`],
    ['a Host in IPv6, with a port', 200, `${get.replace('Host: x', 'Host: [::1]:8070')}${close}`],
    ['a thousand empty lines first', 200, `${'\r\n'.repeat(1000)}${get}${close}`],
    ['a length behind a tab', 200, `${post}Content-Length:\t2\r\n${close}{}`],
  ];
  for (const [name, status, bytes] of rows) t.equal(lastAnswer(await raw(bytes)).status, status, name);
  t.strictSame(logged, []);
});

t.test('path segments that imitate another name are 404', async (t) => {
  const named: string[] = [];
  const one: Endpoint<string> = {
    method: 'GET',
    path: '/things/:id',
    prefixes: admin,
    handle: (request) => {
      named.push(paramOf(request, 'id'));
      return { kind: 'json', status: 404, json: '{}' };
    },
  };
  const { raw } = await serve(t, [...endpoints, one]);
  const rows: [target: string, name: string][] = [
    ['a%00b', 'a\0b'],
    ['a%2fb', 'a/b'],
    ['..%2f..%2fthings', '../../things'],
    ['%2e%2e', '..'],
    ['%252e', '%2e'],
    ['%c0%ae%c0%ae', '%c0%ae%c0%ae'],
    ['%ed%a0%80', '%ed%a0%80'],
    ['%u002e', '%u002e'],
    ['%', '%'],
    ['__proto__', '__proto__'],
  ];
  for (const [target] of rows) {
    const bytes = `GET /v1/things/${target} HTTP/1.1\r\nHost: x\r\n${auth}Connection: close\r\n\r\n`;
    t.equal(lastAnswer(await raw(bytes)).status, 404, target);
  }
  t.strictSame(
    named,
    rows.map(([, name]) => name),
  );
});

t.test('a request that was answered before its end gets no second response', async (t) => {
  const { port, raw } = await serve(t, endpoints, { limits: { requestTimeoutMs: 2000, headersTimeoutMs: 1500 } });
  const early = `GET /v1/things HTTP/1.1\r\nHost: x\r\n${auth}Content-Length: 30\r\n\r\nabc`;
  t.strictSame((await raw(early)).match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 200'], 'when the rest does not come');
  const socket = net.connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (part) => {
    text += part;
  });
  socket.end(early);
  await once(socket, 'close');
  t.strictSame(text.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 200'], 'nor when it cannot');
});

t.test('the limit on the number of headers is exact at any value', async (t) => {
  const { raw } = await serve(t, endpoints, { limits: { headersMax: 1500 } });
  const get = (count: number): string =>
    `GET /v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${'a:1\r\n'.repeat(count - 2)}\r\n`;
  t.equal(lastAnswer(await raw(get(1500))).status, 404);
  t.equal(lastAnswer(await raw(get(1501))).status, 431);
});

t.test('a request head that arrives byte by byte is answered', async (t) => {
  const { raw } = await serve(t, endpoints);
  const text = await raw(...`GET /v1/things HTTP/1.1\r\nHost: x\r\n${auth}Connection: close\r\n\r\n`);
  t.equal(lastAnswer(text).status, 200);
});

t.test('garbage after a pending request does not change its response', async (t) => {
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
  answer({ kind: 'json', status: 200, json: '{"sound":true}' });
  t.strictSame((await text).match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 200']);
  t.strictSame(lastAnswer(await text).json, { sound: true });
  t.strictSame(warned, [], 'further faults add nothing');
});

t.test('garbage after a complete request does not change its response', async (t) => {
  const make: Endpoint<string> = {
    method: 'POST',
    path: '/made',
    prefixes: [''],
    public: true,
    acceptsBody: true,
    handle: ({ body }) => ({ kind: 'json', status: 201, json: JSON.stringify(body) }),
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

t.test('a draining listener finishes requests in flight, and each response closes its connection', async (t) => {
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
  answer({ kind: 'json', status: 200, json: '{}' });
  await waited;
  t.equal(listener.inFlight, 0);
  t.match(lastAnswer(await text).head, /200 OK[\s\S]*connection: close/i);
});

t.test('the handler answers malformed requests in a host server', async (t) => {
  const { listener } = await serve(t, endpoints);
  const port = await serveHost(t, (req, res) => {
    if (req.url === '/theirs') res.end('theirs');
    else {
      res.setHeader('X-Theirs', '1');
      listener.handler(req, res);
    }
  });
  const answer = await askOf(port, '/v1/things');
  t.equal(answer.status, 200);
  t.equal(answer.headers['x-theirs'], '1');
  t.match(answer.headers['content-type'], /json/);
  t.equal((await askOf(port, '/v1/things', { anonymous: true })).status, 401);
  t.equal((await askOf(port, '/v1/things', { body: '{}', headers: { Expect: '100-continue' } })).status, 200);
  t.equal((await askOf(port, '/theirs')).text, 'theirs');
  await listener.idle();
});
