// process: own
/** Responses stored as gzip: what clients with and without gzip receive, and what clients that do not read cost. */

import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import net, { type Socket } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { GunzipSteps, gunzipBytes, gunzipStepsMax } from '../../src/http/response/gunzip-source.ts';
import { pieceBytes } from '../../src/http/response/output-buffers.ts';
import { type Endpoint, type ListenerOptions, serve } from './harness.ts';

const mebibyte = 1024 * 1024;

interface Stored {
  readonly gzip: Buffer;
  readonly length: number;
}

const stored = (plain: Buffer): Stored => ({ gzip: gzipSync(plain), length: plain.length });
/** Far more than a connection takes in without its client: 16 kB compressed. */
const large = stored(Buffer.alloc(16 * mebibyte, 'a'));

const headers = { 'Cache-Control': 'public, max-age=60', 'Access-Control-Allow-Origin': '*' };

/** Serves bodies by name at `/NAME`, without a key. */
async function serveStored(
  t: Test,
  bodies: Readonly<Record<string, Stored>>,
  limits: NonNullable<ListenerOptions<string>['limits']> = {},
) {
  const endpoints = Object.entries(bodies).map(
    ([name, { gzip, length }]): Endpoint<string> => ({
      ...{ public: true, method: 'GET', path: `/${name}`, prefixes: [''] },
      handle: () => ({ kind: 'gzip', status: 200, gzip, length, contentType: 'text/plain', etag: `"${name}"`, headers }),
    }),
  );
  const { port, listener, server, logged } = await serve(t, endpoints, { limits });
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => sockets.push(socket));
  return { port, listener, sockets, logged };
}

function ask(port: number, path: string, accepted?: string, method = 'GET') {
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    const sent = accepted === undefined ? {} : { 'accept-encoding': accepted };
    const req = http.request({ port, host: '127.0.0.1', path, method, headers: sent, agent: false }, (res) => {
      const parts: Buffer[] = [];
      res.on('data', (part: Buffer) => parts.push(part));
      res.on('error', reject);
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, bytes: Buffer.concat(parts) }));
    });
    req.on('error', reject);
    req.end();
  });
}

/** A client that reads the head of a response and then no more. */
async function stall(t: Test, port: number, path = '/large') {
  const socket = net.connect({ port, host: '127.0.0.1' });
  t.teardown(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  await once(socket, 'readable');
  const head = String(socket.read()).split('\r\n\r\n')[0] ?? '';
  return { socket, head, status: Number(head.slice(9, 12)) };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turn();
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

t.test('clients with and without gzip receive every byte of a stored response, and HEAD has the same headers', async (t) => {
  const plains: Record<string, Buffer> = {
    empty: Buffer.alloc(0),
    short: Buffer.from('short'),
    random: randomBytes(3 * mebibyte),
  };
  for (const bytes of [pieceBytes - 1, pieceBytes, pieceBytes + 1, 40 * pieceBytes])
    plains[`of-${bytes}`] = Buffer.from('0123456789abcdefghijklmnopq'.repeat(bytes / 27 + 1).slice(0, bytes));
  const bodies = Object.fromEntries(Object.entries(plains).map(([name, plain]) => [name, stored(plain)]));
  const { port, listener } = await serveStored(t, { ...bodies, large });
  for (const [name, plain] of Object.entries(plains)) {
    const whole = await ask(port, `/${name}`);
    t.match(whole, { status: 200, headers: { 'content-length': `${plain.length}`, etag: `"${name}"` } }, name);
    t.equal(whole.headers['content-encoding'], undefined);
    t.equal(digest(whole.bytes), digest(plain), `${name} without gzip`);
    const zipped = await ask(port, `/${name}`, 'gzip');
    t.match(zipped.headers, { 'content-encoding': 'gzip', 'content-length': `${bodies[name]?.gzip.length}` });
    t.equal(digest(gunzipSync(zipped.bytes)), digest(plain), `${name} with gzip`);
    for (const [accepted, { headers }] of [
      ['identity', whole],
      ['gzip', zipped],
    ] as const) {
      const { date: _, ...wanted } = { ...headers, 'x-request-id': /./ };
      const head = await ask(port, `/${name}`, accepted, 'HEAD');
      t.match(head, { status: 200, headers: wanted, bytes: { length: 0 } }, `HEAD of ${name}, ${accepted}`);
    }
  }
  const all = await Promise.all(Array.from({ length: 3 * gunzipStepsMax }, () => ask(port, '/random')));
  for (const { bytes } of all) t.equal(digest(bytes), digest(plains['random'] as Buffer), 'with many at a time');
  t.equal((await ask(port, '/large')).bytes.length, large.length);
  await listener.idle();
  t.equal(listener.stats().outputBytes, 0);
});

t.test('clients that read nothing hold counted memory; the next gets a 503, unless it accepts gzip', async (t) => {
  const readers = 2 * gunzipStepsMax;
  const { port, listener, sockets } = await serveStored(t, { large }, { responsesBytesMax: (readers + 0.5) * gunzipBytes });
  const stalled = await Promise.all(Array.from({ length: 3 * readers }, () => stall(t, port)));
  const served = stalled.filter(({ status }) => status === 200);
  const refused = stalled.filter(({ status }) => status === 503);
  t.strictSame([served.length, refused.length], [readers, 2 * readers]);
  t.equal(listener.stats().outputBytes, readers * gunzipBytes);
  for (const { head } of refused.slice(0, 1)) {
    t.match(head, /^Retry-After: [1-9]/m);
    t.match(head, /^Access-Control-Allow-Origin: \*/m, 'a page of another origin sees the status');
    t.match(head, /^Cache-Control: no-store/m);
  }
  // All that do not read wait: each has one chunk, which the kernel has not taken.
  await until(() => sockets.filter(({ writableLength }) => writableLength > 0).length === readers);
  for (let i = 0; i < 100; i++) await turn();
  t.ok(Math.max(...sockets.map(({ writableLength }) => writableLength)) <= pieceBytes, 'at most a chunk ahead of each');
  t.equal((await ask(port, '/large', 'gzip')).status, 200, 'stored bytes need no memory');
  t.equal((await ask(port, '/large', undefined, 'HEAD')).status, 200);
  t.match((await ask(port, '/large')).bytes.toString(), 'Accept-Encoding: gzip', 'the problem says what helps');
  served[0]?.socket.destroy();
  await until(() => listener.stats().outputBytes < readers * gunzipBytes);
  t.equal((await ask(port, '/large')).bytes.length, large.length, 'a client that leaves makes room');
  for (const { socket } of stalled) socket.destroy();
  await listener.idle();
  t.equal(listener.stats().outputBytes, 0);
});

t.test('clients that read nothing do not delay clients that read', async (t) => {
  const { port, listener } = await serveStored(t, { large });
  await Promise.all(Array.from({ length: 2 * gunzipStepsMax }, () => stall(t, port)));
  for (let i = 0; i < 2; i++) t.equal((await ask(port, '/large')).bytes.length, large.length);
  await until(() => listener.inFlight === 2 * gunzipStepsMax);
  t.equal(listener.stats().outputBytes, 2 * gunzipStepsMax * gunzipBytes, 'the others still wait');
});

t.test('a client that reads nothing is disconnected after the timeout for responses', async (t) => {
  const { port, listener, sockets } = await serveStored(t, { large }, { responseTimeoutMs: 100 });
  await Promise.all([stall(t, port), stall(t, port)]);
  await listener.idle();
  t.strictSame(listener.stats().readersCutOff, { slow: 2, noRoom: 0 });
  t.equal(listener.stats().outputBytes, 0);
  t.ok(sockets.every(({ destroyed }) => destroyed));
});

t.test('clients that leave at any time leave no memory and no decompression step', async (t) => {
  const { port, listener, logged } = await serveStored(t, { large });
  for (let round = 0; round < 40; round++) {
    const socket = net.connect({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
    if (round % 4 > 0) await once(socket, 'data');
    for (let i = 0; i < round % 4; i++) await turn();
    socket.destroy();
  }
  t.equal((await ask(port, '/large')).bytes.length, large.length);
  await listener.idle();
  await until(() => listener.stats().outputBytes === 0);
  t.strictSame(logged, []);
});

t.test('a damaged body closes the connection and is logged', async (t) => {
  const gzip = Buffer.from(stored(randomBytes(mebibyte)).gzip);
  gzip.fill(0xff, mebibyte / 2, mebibyte / 2 + 1000);
  const { port, listener, logged } = await serveStored(t, { damaged: { gzip, length: mebibyte } });
  await t.rejects(ask(port, '/damaged'));
  await until(() => listener.stats().outputBytes === 0);
  t.match(logged, [['error', {}, 'a response broke off']]);
  t.equal(logged.length, 1);
});

t.test('at most eight decompression steps run at a time, first in, first out, without cancelled ones', (t) => {
  t.equal(gunzipStepsMax, 8);
  const steps = new GunzipSteps();
  const begun: number[] = [];
  const all = Array.from({ length: 12 }, (_, i) => () => void begun.push(i));
  for (const step of all) steps.begin(step);
  t.strictSame([begun.length, steps.running], [8, 8]);
  steps.cancel(all[8] as () => void);
  steps.end();
  t.strictSame([begun.at(-1), steps.running], [9, 8]);
  for (let i = 0; i < 8; i++) steps.end();
  t.strictSame([begun.slice(-2), steps.running], [[10, 11], 2]);
  steps.end();
  steps.end();
  t.strictSame([begun.length, steps.running], [11, 0]);
  t.end();
});
