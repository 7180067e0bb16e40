/** The own request and response classes: a client sees no difference from those of Node. */
import { once } from 'node:events';
import net from 'node:net';
import t, { type Test } from 'tap';
import { Incoming } from '../../src/http/transport/incoming.ts';
import { type ApiRequest, type Endpoint, type Reply, rawOf, serve, serveHost } from './harness.ts';

const path = '/n/:id';
const text = Array.from({ length: 40_000 }, (_, i) => `name ${i}`).join();
const answers: Record<string, Reply> = {
  ascii: { kind: 'json', status: 200, json: '{"a":1}', etag: '"1-2"' },
  latin1: { kind: 'json', status: 200, json: '{"name":"Zürich"}' },
  wide: { kind: 'json', status: 200, json: '{"name":"東京"}' },
  bytes: { kind: 'json', status: 200, json: Buffer.from('{"name":"東京"}') },
  made: { kind: 'json', status: 201, json: '{}', headers: { Location: '/n/1', 'Cache-Control': 'no-store' } },
  page: { kind: 'text', status: 200, text: '<p>Zürich', contentType: 'text/html; charset=utf-8' },
  none: { kind: 'empty', status: 204, etag: '"1-2"' },
  same: { kind: 'empty', status: 304, etag: '"1-2"' },
  empty: { kind: 'empty', status: 200 },
  stream: { kind: 'stream', status: 200, stream: ['[', '1', ']'] },
  // Coded on the spot, by a thread, and in pieces.
  large: { kind: 'json', status: 200, json: text.slice(0, 3000), etag: '"1-2"' },
  larger: { kind: 'json', status: 200, json: Buffer.from(text.slice(0, 30_000)), etag: '"1-2"' },
  largest: { kind: 'json', status: 200, json: text, etag: '"1-2"' },
  list: { kind: 'stream', status: 200, stream: text.match(/.{1,9999}/g) ?? [], etag: '"1-2"' },
  // Nobody sends these.
  torn: { kind: 'json', status: 200, json: '{}', headers: { Link: 'a\r\nSet-Cookie: b' } },
  accented: { kind: 'json', status: 200, json: '{}', headers: { Link: 'é' } },
};

const handle = ({ params, body }: ApiRequest<unknown>): Reply =>
  answers[params['id'] as string] ?? { kind: 'json', status: 200, json: JSON.stringify({ body }) };
const endpoints: Endpoint<string>[] = [
  { method: 'GET', path, prefixes: [''], public: true, handle },
  { method: 'DELETE', path, prefixes: [''], public: true, handle },
  { method: 'POST', path, prefixes: [''], public: true, acceptsBody: true, handle },
];

/** A server of a host program that calls the handler. */
async function serveForeign(t: Test): Promise<{ port: number; logged: unknown[] }> {
  const { listener, logged } = await serve(t, endpoints);
  return { port: await serveHost(t, listener.handler), logged };
}

/** An answer without what differs from one to the next. */
const plain = (text: string): string =>
  text.replaceAll(/^Date: .* GMT\r$/gm, 'Date: now\r').replaceAll(/[\w-]{8}-[0-9a-z]{7}/g, 'id');

const last = 'GET /n/end HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

t.test('a response has the same bytes from the own server and from a Node server', async (t) => {
  const ours = await serve(t, endpoints);
  const foreign = await serveForeign(t);
  for (const name of [...Object.keys(answers), 'unknown/path']) {
    for (const head of [
      `GET /n/${name} HTTP/1.1\r\nHost: x\r\n`,
      `HEAD /n/${name} HTTP/1.1\r\nHost: x\r\n`,
      `DELETE /n/${name} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n`,
      `GET /n/${name} HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine\r\n`,
      `GET /n/${name} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`,
      `GET /n/${name} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\n`,
      `HEAD /n/${name} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n`,
      `GET /n/${name} HTTP/1.0\r\nAccept-Encoding: gzip\r\n`,
      `GET /n/${name} HTTP/1.0\r\n`,
      `GET /n/${name} HTTP/1.0\r\nConnection: keep-alive\r\n`,
      `POST /n/${name} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n`,
    ]) {
      // What a foreign server does before it asks the handler is its own affair.
      if (head.includes('Expect') && name === 'unknown/path') continue;
      // What nobody reads any more would reset the connection, and the reset might overtake the end of a long answer.
      const closes = head.includes('close') || (head.includes('HTTP/1.0') && !head.includes('keep-alive'));
      const parts = [`${head}\r\n`, head.startsWith('POST') ? '{}' : '', closes ? '' : last];
      const [our, their] = await Promise.all([rawOf(ours.port, parts), rawOf(foreign.port, parts)]);
      t.equal(plain(our), plain(their), head);
      t.match(our, /^HTTP\/1\.1 \d{3} [\w ]+\r\n/);
    }
  }
});

t.test('the Date header of a response is the current second', async (t) => {
  const { port } = await serve(t, endpoints);
  for (let i = 0; i < 2; i++) {
    const before = Math.floor(Date.now() / 1000) * 1000;
    const [, date = ''] = /^Date: (.*)\r$/m.exec(await rawOf(port, [`GET /n/ascii HTTP/1.1\r\nHost: x\r\n\r\n${last}`])) ?? [];
    t.ok(Date.parse(date) >= before && Date.parse(date) <= Date.now(), date);
    await new Promise((resolve) => setTimeout(resolve, 1100));
  }
});

t.test('a body is read the same in any framing and pieces, on the own server and on a Node server', async (t) => {
  const ours = await serve(t, endpoints);
  const foreign = await serveForeign(t);
  const body = JSON.stringify({ text: 'x'.repeat(50_000), more: 'é' });
  const bytes = Buffer.from(body);
  const { length } = bytes;
  const fixed = `Content-Length: ${length}\r\n\r\n`;
  const chunks = (size: number): string => {
    let text = 'Transfer-Encoding: chunked\r\n\r\n';
    for (let at = 0; at < length; at += size) {
      const piece = bytes.toString('latin1', at, at + size);
      text += `${piece.length.toString(16)}\r\n${piece}\r\n`;
    }
    return `${text}0\r\nX-Trailer: 1\r\n\r\n`;
  };
  const asBytes = (text: string): Buffer => Buffer.from(text, 'latin1');
  const utf8 = bytes.toString('latin1');
  for (const method of ['POST', 'GET', 'DELETE']) {
    const head = `${method} /n/1 HTTP/1.1\r\nHost: x\r\n`;
    for (const [name, parts] of Object.entries({
      'in one': [head + fixed + utf8],
      'after the head': [head + fixed, utf8],
      'in three': [head, fixed + utf8.slice(0, 100), utf8.slice(100, 30_000), utf8.slice(30_000)],
      'in large chunks': [head + chunks(20_000)],
      'in small chunks': [head + chunks(50)],
      'in tiny chunks': [head + chunks(1)],
      'behind another': [`${head + fixed + utf8}${head}${fixed}`, utf8.slice(0, 40_000), utf8.slice(40_000)],
      'chunked behind another': [head + fixed + utf8 + head + chunks(300)],
      empty: [`${head}Content-Length: 0\r\n\r\n`],
    })) {
      const sent = [...parts, last].map(asBytes);
      const [our, their] = await Promise.all([rawOf(ours.port, sent), rawOf(foreign.port, sent)]);
      t.equal(plain(our), plain(their), `${method}, ${name}`);
      if (method === 'POST' && !name.includes('tiny chunks') && name !== 'empty') t.ok(our.includes('"text":"xxx'), name);
    }
  }
});

t.test('a client that leaves within its body is released, on the own server and on a Node server', async (t) => {
  const ours = await serve(t, endpoints);
  const foreign = await serveForeign(t);
  for (const { port } of [ours, foreign]) {
    for (const head of ['Content-Length: 100\r\n\r\n{', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n']) {
      const socket = net.connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(`POST /n/1 HTTP/1.1\r\nHost: x\r\n${head}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket.resetAndDestroy();
    }
    t.match(await rawOf(port, [last]), /^HTTP\/1\.1 200 /);
  }
  while (ours.listener.inFlight > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  t.equal(ours.listener.stats().bodiesBytes, 0);
  t.same(ours.logged, []);
  t.same(foreign.logged, []);
});

t.test('a body without a reader pauses its connection until it has one', (t) => {
  const socket = new net.Socket();
  let resumed = 0;
  socket.resume = () => {
    resumed++;
    return socket;
  };
  const piece = Buffer.alloc(1000, 'x');
  const got: Buffer[] = [];
  let ended = 0;
  const taker = { onData: (bytes: Buffer) => void got.push(bytes), end: () => void ended++, onAbort: () => t.fail() };

  const taken = new Incoming(socket);
  for (let i = 0; i < 16; i++) t.ok(taken.push(piece));
  t.notOk(taken.push(piece), 'enough');
  for (let i = 0; i < 1000; i++) taken.push(piece.subarray(0, 1));
  taken.pipeTo(taker);
  t.equal(resumed, 1);
  t.same(Buffer.concat(got), Buffer.alloc(18_000, 'x'));
  t.ok(taken.push(piece));
  t.equal(got.length, 2, 'what comes later is handed on as it comes');
  taken.complete = true;
  taken.push(null);
  t.equal(ended, 1);
  t.ok(taken.readableEnded);

  const answered = new Incoming(socket);
  for (let i = 0; i < 17; i++) answered.push(piece);
  answered.resume();
  t.equal(resumed, 2, 'nobody wants it: the rest is read and thrown away');
  t.end();
});
