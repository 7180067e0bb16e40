import { once } from 'node:events';
import { request } from 'node:http';
import net from 'node:net';
import t, { type Test } from 'tap';
import {
  type ApiRequest,
  admin,
  authorization,
  type Endpoint,
  type ListenerOptions,
  lastAnswer,
  type Reply,
  type Running,
  serve,
} from './harness.ts';

const bodyBytesMax = 1000;
const head = `POST /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n`;

async function things(
  t: Test,
  extra: Partial<Endpoint<string>> = {},
  limits: ListenerOptions<string>['limits'] = {},
): Promise<Running & { seen: ApiRequest<string>[] }> {
  const seen: ApiRequest<string>[] = [];
  const handle = (request: ApiRequest<string>): Reply => {
    seen.push(request);
    return { kind: 'json', status: 200, json: JSON.stringify(request.body) };
  };
  const post = { method: 'POST', path: '/things', prefixes: admin, acceptsBody: true, handle, ...extra } as Endpoint<string>;
  const get: Endpoint<string> = { method: 'GET', path: '/things', prefixes: admin, handle };
  return { ...(await serve(t, [post, get], { limits: { bodyBytesMax, ...limits } })), seen };
}

t.test('a body is accepted as application/json in UTF-8 or without a media type, and is 415 otherwise', async (t) => {
  const { ask } = await things(t);
  const statusOf = async (headers: Record<string, string>): Promise<number> =>
    (await ask('/v1/things', { body: '{}', headers })).status;
  t.equal(await statusOf({}), 200, 'none means JSON');
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json ; charset=utf8',
    'application/json; version=1',
    'application/json;',
  ]) {
    t.equal(await statusOf({ 'Content-Type': type }), 200, type);
  }
  for (const type of [
    '',
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/x-www-form-urlencoded',
    'application/merge-patch+json',
    'application/problem+json',
    'application/json, text/plain',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json; charset=',
    'multipart/form-data; boundary=application/json',
  ]) {
    const { status, json, headers } = await ask('/v1/things', { body: '{}', headers: { 'Content-Type': type } });
    t.equal(status, 415, type);
    t.equal(json['code'], 'unsupported_media_type');
    t.equal(headers['accept'], 'application/json');
  }
  for (const coding of ['deflate', 'identity, gzip', 'compress', 'gzip;q=1'])
    t.equal(await statusOf({ 'Content-Encoding': coding }), 415, coding);
  for (const coding of ['identity', '']) t.equal(await statusOf({ 'Content-Encoding': coding }), 200, `"${coding}" is none`);
});

t.test('a body that is not a JSON object is 400', async (t) => {
  const { ask, seen } = await things(t);
  const bodies = ['', ' ', '{', '{"a":}', 'null', '[]', '"a"', '1', '{}x', '\ufeff{}', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`];
  for (const body of [...bodies, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])]) {
    const { status, json } = await ask('/v1/things', { body });
    t.equal(status, 400, String(body).slice(0, 20));
    t.match(json, { errors: [{ pointer: '', detail: /./ }], detail: /./ });
    t.notMatch(JSON.stringify(json), /\.(js|ts)\b|node:|at Object/);
  }
  const { status } = await ask('/v1/things', { method: 'POST' });
  t.equal(status, 400, 'no body at all');
  t.strictSame(seen, []);
});

t.test('a 400 lists every error of a body with its JSON pointer', async (t) => {
  const { ask, seen } = await things(t);
  const { status, json } = await ask('/v1/things', { body: '{"a":[1e999],"b":"\\ud800","__proto__":1}' });
  t.equal(status, 400);
  t.equal(json['code'], 'validation_failed');
  t.strictSame(
    (json['errors'] as { pointer: string }[]).map((fault) => fault.pointer),
    ['/a/0', '/b', '/__proto__'],
  );
  t.match(json['detail'], /^\/a\/0 must be a finite number.* \(and 2 more, see errors\)\.$/);
  t.strictSame(seen, []);
});

t.test('an endpoint that reports errors itself receives the errors of the body', async (t) => {
  const { ask, seen } = await things(t, { reportsFieldErrors: true });
  t.equal((await ask('/v1/things', { body: '{"a":[1e999],"z":-0}' })).status, 200);
  t.match(seen, [{ fieldErrors: [{ pointer: '/a/0' }], body: { z: 0 } }]);
});

t.test('a Content-Length above the limit is 413 before the body is sent', async (t) => {
  const { raw, seen } = await things(t);
  const text = await raw(`${head}Content-Length: ${bodyBytesMax + 1}\r\n\r\n`);
  const { status, head: sent, json } = lastAnswer(text);
  t.equal(status, 413);
  t.match(sent, /connection: close/i);
  t.match(json, { code: 'payload_too_large', detail: /1000 bytes/ });
  t.strictSame(seen, []);
});

t.test('a body of exactly the limit is accepted, and a chunked one above it is 413 while it arrives', async (t) => {
  const { raw, ask, seen } = await things(t);
  const body = JSON.stringify({ a: 'x'.repeat(bodyBytesMax - 8) });
  t.equal(Buffer.byteLength(body), bodyBytesMax);
  t.equal((await ask('/v1/things', { body })).status, 200);
  t.equal((await ask('/v1/things', { body: `${body} ` })).status, 413);

  const chunked = `${head}Transfer-Encoding: chunked\r\n`;
  const pieces = [...body].map((byte) => `1\r\n${byte}\r\n`);
  t.equal(
    lastAnswer(await raw(`${chunked}Connection: close\r\n\r\n`, ...pieces.slice(0, 20), pieces.slice(20).join(''), '0\r\n\r\n'))
      .status,
    200,
  );
  // The body never ends, yet there is an answer.
  const { status, head: sent } = lastAnswer(await raw(`${chunked}\r\n`, `${(bodyBytesMax + 1).toString(16)}\r\n${body} \r\n`));
  t.equal(status, 413);
  t.match(sent, /connection: close/i);
  t.equal(seen.length, 2);
});

t.test('an endless body is 413, and its client receives the response', async (t) => {
  const { port } = await things(t, {}, { lingerMs: 10_000 });
  const req = request({ port, host: '127.0.0.1', path: '/v1/things', method: 'POST', headers: { authorization }, agent: false });
  req.on('error', () => {});
  const block = Buffer.alloc(64 * 1024, 0x20);
  const pour = (): void => {
    if (!req.destroyed) req.write(block, () => setImmediate(pour));
  };
  pour();
  const [res] = await once(req, 'response');
  t.equal(res.statusCode, 413);
  req.destroy();
});

t.test('a connection stays open after a refusal with a small unread body', async (t) => {
  const { raw } = await things(t);
  const refused = 'POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';
  const text = await raw(refused, `${head}Content-Length: 2\r\nConnection: close\r\n\r\n{}`);
  t.strictSame(text.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 401', 'HTTP/1.1 200']);
});

t.test('a body of a GET is ignored', async (t) => {
  const { ask, raw } = await things(t);
  t.equal(
    (await ask('/v1/things', { method: 'GET', body: 'not { json', headers: { 'Content-Type': 'text/plain' } })).status,
    200,
  );
  const get = head.replace('POST', 'GET');
  const text = await raw(`${get}Content-Length: 3\r\n\r\nabc${get}Connection: close\r\n\r\n`);
  t.strictSame(text.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 200']);
  const closed = await raw(`${get}Content-Length: ${bodyBytesMax + 1}\r\n\r\n`);
  t.match(closed, /HTTP\/1.1 200[\s\S]*connection: close/i, 'but is not read for the sake of the connection');
});

t.test('Expect: 100-continue is answered with 100 only if the request is acceptable', async (t) => {
  const { raw, seen } = await things(t);
  const expect = 'Expect: 100-continue\r\n';
  const statuses = (text: string): string[] => (text.match(/HTTP\/1.1 \d+/g) ?? []).map((line) => line.slice(9));
  t.strictSame(statuses(await raw(`${head}${expect}Content-Length: 2\r\nConnection: close\r\n\r\n`, '{}')), ['100', '200']);
  t.strictSame(statuses(await raw(`${head}${expect}Content-Length: ${bodyBytesMax + 1}\r\n\r\n`)), ['413']);
  t.strictSame(statuses(await raw(`${head}${expect}Content-Length: 2\r\nContent-Type: text/plain\r\n\r\n`)), ['415']);
  t.strictSame(statuses(await raw(`POST /v1/things HTTP/1.1\r\nHost: x\r\n${expect}Content-Length: 2\r\n\r\n`)), ['401']);
  t.strictSame(statuses(await raw(`${head.replace('POST', 'GET')}${expect}Content-Length: 2\r\n\r\n`)), ['200']);
  t.strictSame(statuses(await raw(`${head}Expect: a miracle\r\nContent-Length: 2\r\n\r\n{}`)), ['417']);
  t.equal(seen.length, 2);
});

t.test('a client that disconnects within its body leaves no log line and no request in flight', async (t) => {
  const { port, listener, logged, ask, seen } = await things(t);
  const socket = net.connect(port, '127.0.0.1');
  socket.write(`${head}Content-Length: 100\r\n\r\n{"a":`);
  while (listener.inFlight === 0) await new Promise(setImmediate);
  socket.destroy();
  await listener.idle();
  t.equal((await ask('/v1/things')).status, 200);
  t.strictSame(logged, []);
  t.equal(seen.length, 1);
});

t.test('a body or head that stalls is 408, and a silent connection is closed without a response', async (t) => {
  const handle = (): Reply => ({ kind: 'json', status: 200, json: '{}' });
  const endpoint: Endpoint<string> = { method: 'POST', path: '/things', prefixes: admin, acceptsBody: true, handle };
  const { raw } = await serve(t, [endpoint], { limits: { requestTimeoutMs: 2000, headersTimeoutMs: 1500 } });
  const stalled = lastAnswer(await raw(`${head}X-Request-Id: slow\r\nContent-Length: 10\r\n\r\n{`));
  t.equal(stalled.status, 408);
  t.match(stalled.json, { code: 'request_timeout', request_id: 'slow' });
  t.match(stalled.head, /connection: close/i);
  t.equal(lastAnswer(await raw('GET /v1/things HTTP/1.1\r\nHost:')).status, 408, 'and so are headers');
  t.equal(await raw(), '', 'who never said anything is not answered');
});
