/** Compressed responses: who gets them, that they decode to the same bytes, and how slow or leaving clients are handled. */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import net from 'node:net';
import type { Transform } from 'node:stream';
import { brotliDecompressSync, Gzip, gunzipSync } from 'node:zlib';
import t from 'tap';
import { codedBytesMin, codingOf, compressSyncBytesMax, encodersMax } from '../../src/http/response/compression.ts';
import { pieceBytes } from '../../src/http/response/output-buffers.ts';
import { test } from '../support/test.ts';
import { type Endpoint, firstAnswer, type Reply, type Running, serve } from './harness.ts';

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Asks for `/x`; the body stays as it was sent. */
function get(port: number, accepted?: string, { method = 'GET', headers = {} } = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const accept = accepted === undefined ? {} : { 'accept-encoding': accepted };
    const asked = { host: '127.0.0.1', port, path: '/x', method, headers: { ...accept, ...headers }, agent: false } as const;
    const req = request(asked, (res) => {
      const pieces: Buffer[] = [];
      res.on('data', (piece: Buffer) => void pieces.push(piece)).on('error', reject);
      res.on('end', () =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers as Got['headers'], body: Buffer.concat(pieces) }),
      );
    });
    req.on('error', reject).end();
  });
}

function decoded({ headers, body }: Got): Buffer {
  const coding = headers['content-encoding'];
  if (coding === 'br') return brotliDecompressSync(body);
  return coding === 'gzip' ? gunzipSync(body) : body;
}

/** Public endpoints at `/x`, with this answer to GET and to POST. */
function at(answer: () => Reply | Promise<Reply>): Endpoint<string>[] {
  const common = { path: '/x', prefixes: [''], public: true, handle: answer } as const;
  return [
    { method: 'GET', ...common },
    { method: 'POST', ...common },
  ];
}

/** Text like JSON of this many bytes, never the same twice in a row. */
function jsonOf(length: number): string {
  let text = '["';
  for (let i = 0; text.length < length - 2; i++) text += `","name ${(i * 7919) % 10_007}`;
  return `${text.slice(0, length - 2)}"]`;
}

/** What no coding makes shorter, however often it comes: none looks back that far. */
const noise = randomBytes(1024 * 1024);

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
};

t.test('Accept-Encoding selects br, gzip or identity as RFC 9110 says', (t) => {
  const rows: [accepted: string | undefined, coding: string][] = [
    [undefined, 'identity'],
    ['', 'identity'],
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['BR;Q=1', 'br'],
    ['deflate', 'identity'],
    ['zstd, deflate', 'identity'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0', 'identity'],
    ['*;q=0, gzip', 'gzip'],
    ['*;q=0.1, gzip;q=0.2', 'gzip'],
    ['gzip;q=1, br;q=0.9', 'gzip'],
    ['gzip;q=0.5, br;q=0.500', 'br'],
    ['gzip; q=0.5 ,br ; q=0.4', 'gzip'],
    ['gzip;q=0.001', 'gzip'],
    ['br;q=0', 'identity'],
    ['br;q=0.0, gzip;q=0.000', 'identity'],
    ['identity', 'identity'],
    ['identity, gzip;q=0.5', 'identity'],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity, br', 'br'],
    ['identity;q=0', 'identity'],
    ['identity;q=0, gzip', 'gzip'],
    // What is not as it should be counts as absent.
    ['br;q=2', 'identity'],
    ['br;q=-1', 'identity'],
    ['br;q=0.1234', 'identity'],
    ['br;q=', 'identity'],
    ['br;q=NaN', 'identity'],
    ['br;level=9', 'identity'],
    ['br;q=1;q=0', 'identity'],
    ['br gzip', 'identity'],
    ['"br"', 'identity'],
    [';q=1', 'identity'],
    [',,,gzip,,', 'gzip'],
    ['br;q=x, gzip', 'gzip'],
    ['__proto__, constructor, toString', 'identity'],
    [`${'a,'.repeat(7000)}br`, 'br'],
    [`br${' '.repeat(15_000)};q=1`, 'br'],
    [`br;${'\t'.repeat(15_000)}`, 'identity'],
    [`${'x'.repeat(15_000)};q`, 'identity'],
  ];
  for (const [accepted, coding] of rows) t.equal(codingOf(accepted), coding, String(accepted).slice(0, 40));
  t.end();
});

const lengths = [codedBytesMin, compressSyncBytesMax, pieceBytes, 2 * pieceBytes, 10 * pieceBytes].flatMap((length) => [
  length - 1,
  length,
  length + 1,
]);

t.test('a compressed response decodes to the uncompressed one, at any length and in any shape', async (t) => {
  let reply: Reply = { kind: 'empty', status: 200 };
  const { port } = await serve(
    t,
    at(() => reply),
  );
  function* parts(text: string, size: number): Generator<Buffer | string> {
    for (let from = 0; from < text.length; from += size) {
      const part = text.slice(from, from + size);
      yield from % 2 === 0 ? part : Buffer.from(part);
    }
  }
  for (const length of lengths) {
    const json = jsonOf(length);
    const first = new Map<string, Buffer>();
    const shapes: [string, () => Reply][] = [
      ['text', () => ({ kind: 'json', status: 200, json })],
      ['bytes', () => ({ kind: 'json', status: 200, json: Buffer.from(json) })],
      ['a page', () => ({ kind: 'text', status: 200, text: json, contentType: 'text/plain' })],
      ['parts', () => ({ kind: 'stream', status: 200, stream: parts(json, 777) })],
      ['large parts', () => ({ kind: 'stream', status: 200, stream: parts(json, pieceBytes + 5) })],
    ];
    for (const [name, shape] of shapes) {
      for (const coding of ['br', 'gzip']) {
        reply = shape();
        const got = await get(port, coding);
        const about = `${length} bytes of ${name} for ${coding}`;
        t.equal(got.headers['content-encoding'], length < codedBytesMin ? undefined : coding, about);
        t.equal(got.headers['vary'], length < codedBytesMin ? undefined : 'Accept-Encoding', about);
        if (decoded(got).toString() !== json) t.fail(about);
        // The tag is strong: whichever way an answer came about, its bytes are the same.
        if (first.get(coding)?.equals(got.body) === false) t.fail(`other bytes: ${about}`);
        first.set(coding, got.body);
        if (got.headers['content-length'] === undefined) t.ok(length >= pieceBytes, about);
        else t.equal(got.headers['content-length'], `${got.body.length}`, about);
        if (length > compressSyncBytesMax) t.ok(got.body.length < length / 2, `${about}: ${got.body.length}`);
      }
    }
  }
});

t.test('multi-byte characters and incompressible bytes survive compression', async (t) => {
  let json: Buffer | string = '';
  const { port } = await serve(
    t,
    at(() => ({ kind: 'json', status: 200, json })),
  );
  for (json of ['é'.repeat(600), '東京 🗺'.repeat(300), '東'.repeat(100_000), noise.subarray(0, 200_000)]) {
    for (const coding of ['br', 'gzip', undefined]) t.same(decoded(await get(port, coding)), Buffer.from(json));
  }
});

t.test('each coding has its own entity tag, length and Vary, and HEAD has the same headers', async (t) => {
  let reply: Reply = { kind: 'empty', status: 200 };
  const { port } = await serve(
    t,
    at(() => reply),
  );
  const plain = await serve(
    t,
    at(() => reply),
    { compression: false },
  );
  const names = ['etag', 'content-encoding', 'vary', 'content-type', 'cache-control', 'link'];
  for (const length of [100, 2000, 20_000, 200_000]) {
    const json = jsonOf(length);
    reply = { kind: 'json', status: 200, json, etag: '"1-2-limit=5"', headers: { Link: '</y>; rel="next"' } };
    const as = { link: '</y>; rel="next"', 'cache-control': 'private, no-cache', 'content-type': /json/ };
    const short = length < codedBytesMin;
    for (const [accepted, coding] of [
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['deflate', undefined],
      [undefined, undefined],
    ] as const) {
      const got = await get(port, accepted);
      const coded = short ? undefined : coding;
      t.match(got.headers, { ...as, etag: coded === undefined ? '"1-2-limit=5"' : `"1-2-limit=5-${coded}"` });
      t.equal(got.headers['vary'], short ? undefined : 'Accept-Encoding');
      t.equal(got.headers['content-encoding'], coded);
      const head = await get(port, accepted, { method: 'HEAD' });
      t.equal(head.body.length, 0);
      for (const name of names) t.equal(head.headers[name], got.headers[name], `${name} of HEAD`);
      t.equal(head.headers['content-length'], coded === undefined ? `${length}` : undefined);
      t.equal(head.headers['transfer-encoding'], undefined);
      const off = await get(plain.port, accepted);
      t.equal(off.body.toString(), json);
      t.match(off.headers, { ...as, etag: '"1-2-limit=5"', 'content-length': `${length}` });
      t.notOk(off.headers['vary'] ?? off.headers['content-encoding']);
    }
  }
});

t.test('a 304 has the entity tag of the coding that the client holds', async (t) => {
  const options = { compression: true };
  const { port } = await serve(
    t,
    at(() => ({ kind: 'empty', status: 304, etag: '"1-2"' })),
    options,
  );
  for (const [held, accepted, tag] of [
    ['"1-2-br"', 'br', '"1-2-br"'],
    ['W/"1-2-gzip"', 'br, gzip', '"1-2-gzip"'],
    ['"1-2"', 'br', '"1-2"'],
    ['"1-2", "1-2-br"', 'br', '"1-2-br"'],
    ['"1-2-br", "1-2"', '', '"1-2"'],
    ['"1-1-br", "1-2-gzip"', 'br', '"1-2-gzip"'],
    ['*', 'br', '"1-2"'],
    ['"1-2-brr"', 'br', '"1-2"'],
    ['', 'br', '"1-2"'],
  ] as const) {
    const { status, headers, body } = await get(port, accepted, { headers: { 'if-none-match': held } });
    t.equal(status, 304);
    t.equal(body.length, 0);
    t.match(headers, { etag: tag, vary: 'Accept-Encoding' }, held);
    t.equal(headers['content-encoding'], undefined);
  }
});

t.test('compressed responses to pipelined requests are sent in order, however long each takes', async (t) => {
  const bodies = [200_000, 300, 20_000, 3000, 70_000, 1, 9000].map((length) => jsonOf(Math.max(4, length)));
  let next = 0;
  const { raw } = await serve(
    t,
    at(() => ({ kind: 'json', status: 200, json: bodies[next++] as string })),
  );
  const ask = 'GET /x HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n';
  const text = await raw(`${`${ask}\r\n`.repeat(bodies.length - 1)}${ask}Connection: close\r\n\r\n`);
  let rest = text;
  for (const expected of bodies) {
    const { head, body, rest: others } = firstAnswer(rest);
    t.match(head, /^HTTP\/1\.1 200 OK\r\n/);
    t.equal((head.includes('Content-Encoding: gzip') ? gunzipSync(body) : body).toString(), expected);
    rest = others;
  }
  t.equal(rest, '');
});

test.all('concurrent compressed responses each reach their own client', async (t) => {
  const { port, listener } = await serve(t, [
    {
      method: 'GET',
      path: '/x',
      prefixes: [''],
      public: true,
      handle: ({ headers }) => {
        const json = jsonOf(Number(headers['x-length']));
        return Number(headers['x-length']) % 2 === 0
          ? { kind: 'json', status: 200, json }
          : { kind: 'stream', status: 200, stream: json.match(/.{1,999}/g) ?? [] };
      },
    },
  ]);
  await Promise.all(
    Array.from({ length: 300 }, async (_, i) => {
      const length = 500 + i * 701;
      const got = await get(port, i % 3 === 0 ? 'gzip' : 'br', { headers: { 'x-length': `${length}` } });
      if (decoded(got).toString() !== jsonOf(length)) t.fail(`${length} bytes`);
    }),
  );
  await listener.idle();
  t.equal(listener.stats().outputBytes, 0);
  t.equal((await get(port, 'br', { headers: { 'x-length': '100000' } })).headers['content-encoding'], 'br');
});

/** An answer without an end that no coding makes shorter. */
function endless(): { answer: () => Reply; taken: number; closed: number } {
  const state = { answer: (): Reply => ({ kind: 'stream', status: 200, stream: parts() }), taken: 0, closed: 0 };
  function* parts(): Generator<Buffer> {
    try {
      for (;;) {
        const from = (state.taken++ % 1024) * 1024;
        yield noise.subarray(from, from + 1024);
      }
    } finally {
      state.closed++;
    }
  }
  return state;
}

async function readNothing({ port }: Running, accepted: string): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1').pause();
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(`GET /x HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${accepted}\r\n\r\n`);
  return socket;
}

t.test('nothing is compressed for a client that does not read, and it is disconnected after the timeout', async (t) => {
  const large = endless();
  const server = await serve(t, at(large.answer), { limits: { responseTimeoutMs: 1000 } });
  const { listener } = server;
  const socket = await readNothing(server, 'br');
  while (listener.stats().outputBytes === 0) await turns(1);
  const { taken } = large;
  await turns(50);
  t.equal(large.taken, taken);
  await listener.idle();
  t.equal(large.closed, 1);
  t.equal(listener.stats().outputBytes, 0);
  t.equal(listener.stats().readersCutOff.slow, 1);
  t.same(server.logged, []);
  socket.destroy();
});

t.test('a client that does not read a large compressed response is disconnected, and its bytes count until then', async (t) => {
  const json = Buffer.concat(Array.from({ length: 30 }, () => noise));
  const server = await serve(
    t,
    at(() => ({ kind: 'json', status: 200, json })),
    { limits: { responseTimeoutMs: 1000 } },
  );
  const { listener } = server;
  const socket = await readNothing(server, 'gzip');
  while (listener.stats().outputBytes <= json.length) await turns(1);
  t.ok(listener.stats().outputBytes < json.length + 3 * pieceBytes, 'and a piece of what became of it');
  await listener.idle();
  t.equal(listener.stats().outputBytes, 0);
  t.equal(listener.stats().readersCutOff.slow, 1);
  socket.destroy();
});

t.test('responses beyond the limit of concurrent encoders are sent uncompressed', async (t) => {
  const large = endless();
  let json = '';
  const server = await serve(
    t,
    at(() => (json === '' ? large.answer() : { kind: 'json', status: 200, json, etag: '"1"' })),
  );
  const { port, listener } = server;
  const sockets: net.Socket[] = [];
  for (let i = 0; i < encodersMax; i++) sockets.push(await readNothing(server, i % 2 === 0 ? 'br' : 'gzip'));
  while (listener.inFlight < encodersMax) await turns(1);
  for (const length of [20_000, 200_000]) {
    json = jsonOf(length);
    const got = await get(port, 'br');
    t.match(got.headers, { vary: 'Accept-Encoding', etag: '"1"', 'content-length': `${length}` });
    t.equal(got.headers['content-encoding'], undefined);
    t.equal(got.body.toString(), json);
  }
  json = jsonOf(2000);
  t.equal((await get(port, 'br')).headers['content-encoding'], 'br', 'what is coded on the spot needs no room');
  for (const socket of sockets) socket.destroy();
  await listener.idle();
  t.equal(large.closed, encodersMax);
  json = jsonOf(20_000);
  while ((await get(port, 'br')).headers['content-encoding'] !== 'br') await turns(1);
});

t.test('a client that disconnects releases its stream and its encoder', async (t) => {
  const large = endless();
  const server = await serve(t, at(large.answer));
  const { port, listener, logged } = server;
  for (let i = 1; i <= encodersMax + 5; i++) {
    const socket = net.connect(port, '127.0.0.1');
    socket.write('GET /x HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\n\r\n');
    const [head] = (await once(socket, 'data')) as [Buffer];
    t.match(head.toString('latin1'), /Content-Encoding: br/);
    socket.resetAndDestroy();
    await listener.idle();
    t.equal(large.closed, i);
  }
  t.same(logged, []);
  t.equal(listener.stats().outputBytes, 0);
});

t.test('a client that disconnects releases its job in a compression thread', async (t) => {
  let length = 0;
  const { port, listener, logged } = await serve(
    t,
    at(() => ({ kind: 'json', status: 200, json: jsonOf(length) })),
  );
  for (length of [20_000, 2_000_000]) {
    for (let i = 0; i < 2 * encodersMax; i++) {
      const socket = net.connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write('GET /x HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\n\r\n');
      while (listener.inFlight === 0) await turns(1);
      socket.resetAndDestroy();
      await listener.idle();
    }
    let got = await get(port, 'br');
    while (got.headers['content-encoding'] !== 'br') got = await get(port, 'br');
    t.equal(decoded(got).toString(), jsonOf(length));
  }
  t.same(logged, []);
  t.equal(listener.stats().outputBytes, 0);
});

t.test('a compressed stream that fails is a 500 before its first piece, and closes the connection later', async (t) => {
  let good = 0;
  function* stream(): Generator<string> {
    for (let i = 0; i < good; i++) yield jsonOf(1000);
    throw new Error('secret reason');
  }
  const { port, raw, logged } = await serve(
    t,
    at(() => ({ kind: 'stream', status: 200, stream: stream() })),
  );
  good = 10;
  t.equal((await get(port, 'br')).status, 500);
  for (good of [100, 1000]) {
    await t.rejects(get(port, 'br'));
    const text = await raw('GET /x HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n');
    t.notMatch(text, /\r\n0\r\n\r\n$/);
  }
  t.equal(logged.length, 5);
  for (const [level, fields] of logged) t.match([level, fields], ['error', { err: /secret reason/ }]);
  for (let i = 0; i < encodersMax; i++) await t.rejects(get(port, 'br'));
});

t.test('invalid headers fail one compressed response and hold no encoder', async (t) => {
  let reply: Reply = { kind: 'empty', status: 200 };
  const { port } = await serve(
    t,
    at(() => reply),
  );
  const headers = { Link: 'a\nb' };
  for (const json of [jsonOf(2000), jsonOf(20_000), jsonOf(200_000)]) {
    for (let i = 0; i <= encodersMax; i++) {
      reply = { kind: 'json', status: 200, json, headers };
      t.equal((await get(port, 'br')).status, 500);
    }
    reply = { kind: 'json', status: 200, json };
    t.equal((await get(port, 'br')).headers['content-encoding'], 'br');
  }
});

t.test('a failing encoder is a 500 before the first byte, and closes the connection later', async (t) => {
  const coders: Partial<Transform> = Gzip.prototype;
  let [piece, failing] = [0, 0];
  coders._transform = (bytes, _encoding, done) => (++piece === failing ? done(new Error('no memory')) : done(null, bytes));
  t.teardown(() => delete coders._transform);
  let closed = 0;
  function* stream(): Generator<string> {
    try {
      for (;;) yield jsonOf(1000);
    } finally {
      closed++;
    }
  }
  let reply: Reply = { kind: 'empty', status: 200 };
  const { port, logged } = await serve(
    t,
    at(() => reply),
  );
  const ask = (next: Reply, at: number) => {
    [reply, piece, failing] = [next, 0, at];
    return get(port, 'gzip');
  };
  const parts = (): Reply => ({ kind: 'stream', status: 200, stream: stream() });
  for (let i = 1; i <= encodersMax; i++) {
    t.equal((await ask({ kind: 'json', status: 200, json: jsonOf(20_000) }, 1)).status, 500);
    t.equal((await ask(parts(), 1)).status, 500);
    t.equal(closed, 2 * i - 1);
    await t.rejects(ask(parts(), 2));
    t.equal(closed, 2 * i);
  }
  t.equal(logged.length, 3 * encodersMax);
  for (const [level, fields] of logged) t.match([level, fields], ['error', { err: /no memory/ }]);
});
