/** Responses with the bytes of an open file: ranges, slow and lost clients, failing reads. The file is closed in every case. */
import { once } from 'node:events';
import fs from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import t, { type Test } from 'tap';
import { rangeOf } from '../../src/http/range.ts';
import { fileBufferBytes, type OpenFile } from '../../src/http/response/file-source.ts';
import { pieceBytes } from '../../src/http/response/output-buffers.ts';
import fc from '../support/fast-check.ts';
import { temporaryFolder } from '../support/process.ts';
import { systemError } from '../support/system-error.ts';
import { until } from '../support/until.ts';
import { type ListenerOptions, lastAnswer, type Reply, type Running, rawOf, serve } from './harness.ts';

const etag = '"abc"';
const get = (more = ''): string => `GET /x HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const last = 'Connection: close\r\n';
const turns = async (count = 20): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
};

/** Bytes whose position is visible. */
const content = (bytes: number): Buffer =>
  Buffer.from(Uint32Array.from({ length: Math.ceil(bytes / 4) }, (_, i) => i * 7919).buffer, 0, bytes);

interface Served extends Running {
  readonly bytes: Buffer;
  /** Files that were opened and not closed; twice closed ones count negative. */
  open(): number;
  opened(): number;
}

interface Options {
  readonly listener?: Partial<ListenerOptions<string>>;
  readonly reply?: Partial<Extract<Reply, { kind: 'file' }>>;
  /** Takes the place of a read; `undefined` reads. */
  readonly onRead?: (position: number) => Promise<{ bytesRead: number }> | undefined;
  /** Awaited after the file is opened. */
  readonly opened?: () => Promise<void>;
  readonly public?: boolean;
}

/** A GET endpoint at `/x` with a file of so many bytes. */
async function serveFile(t: Test, length: number, options: Options = {}): Promise<Served> {
  const bytes = content(length);
  const file = path.join(temporaryFolder(t), 'file');
  await fs.writeFile(file, bytes);
  let [open, opened] = [0, 0];
  const handle = async (): Promise<Reply> => {
    const real = await fs.open(file);
    open++;
    opened++;
    const read = ((buffer: Buffer, offset: number, size: number, position: number) =>
      options.onRead?.(position) ?? real.read(buffer, offset, size, position)) as OpenFile['handle']['read'];
    const close = (): void => {
      open--;
      void real.close();
    };
    await options.opened?.();
    if (options.reply?.file !== undefined) close();
    return {
      kind: 'file',
      status: 200,
      etag,
      contentType: 'image/png',
      file: { handle: { read }, bytes: length, close },
      ...options.reply,
    };
  };
  const endpoint = { method: 'GET', path: '/x', prefixes: [''], public: options.public ?? true, handle } as const;
  const running = await serve(t, [endpoint], options.listener);
  return { ...running, bytes, open: () => open, opened: () => opened };
}

/** Status, headers and body of each response in what came over a connection. */
function answersIn(text: string, isHead = false): { status: number; head: string; body: string }[] {
  const answers = [];
  for (let at = 0; at < text.length; ) {
    const blank = text.indexOf('\r\n\r\n', at);
    const head = text.slice(at, blank);
    const length = isHead ? 0 : Number(/^Content-Length: (\d+)$/m.exec(head.replaceAll('\r', ''))?.[1] ?? 0);
    answers.push({ status: Number(head.slice(9, 12)), head, body: text.slice(blank + 4, blank + 4 + length) });
    at = blank + 4 + length;
  }
  return answers;
}

t.test(
  'a file arrives whole, with its length and tag and without compression, and is closed; HEAD has the same headers',
  async (t) => {
    for (const length of [0, 1, 2000, pieceBytes, pieceBytes + 1, fileBufferBytes, 3 * fileBufferBytes + 5]) {
      const { ask, port, bytes, open, opened, listener } = await serveFile(t, length);
      const [answer] = answersIn(await rawOf(port, [get(`${last}Accept-Encoding: gzip, br\r\n`)]));
      t.ok(bytes.equals(Buffer.from(answer?.body ?? '', 'latin1')), `${length} bytes`);
      const { status, headers } = await ask('/x', { headers: { 'accept-encoding': 'gzip' } });
      t.equal(status, 200);
      t.match(headers, {
        'content-type': 'image/png',
        'content-length': `${length}`,
        'accept-ranges': 'bytes',
        'x-content-type-options': 'nosniff',
        etag,
      });
      for (const name of ['content-encoding', 'transfer-encoding', 'vary', 'content-range']) t.notOk(name in headers, name);
      const headOnly = await ask('/x', { method: 'HEAD', headers: { range: 'bytes=0-0' } });
      t.equal(headOnly.status, 200);
      t.equal(headOnly.text, '');
      const { date: _, 'x-request-id': _1, ...wanted } = headers;
      t.match(headOnly.headers, wanted);
      await listener.idle();
      t.strictSame([opened(), open()], [3, 0]);
    }
  },
);

t.test('a range is 206 with these bytes', async (t) => {
  const length = 5 * fileBufferBytes;
  const { port, bytes, open, listener } = await serveFile(t, length);
  const rows: [string, number, number][] = [
    ['bytes=0-', 0, length],
    ['bytes=0-0', 0, 1],
    ['bytes=5-9', 5, 10],
    ['Bytes = 5-9 ', 5, 10],
    [`bytes=${length - 1}-`, length - 1, length],
    [`bytes=100-${length * 2}`, 100, length],
    ['bytes=7-99999999999999999999999', 7, length],
    ['bytes=-1', length - 1, length],
    [`bytes=-${length + 1}`, 0, length],
    [`bytes=10-${fileBufferBytes + 9}`, 10, fileBufferBytes + 10],
  ];
  for (const [range, start, end] of rows) {
    const [answer] = answersIn(await rawOf(port, [get(`${last}Range: ${range}\r\n`)]));
    t.equal(answer?.status, 206, range);
    t.match(answer?.head, new RegExp(`\r\nContent-Range: bytes ${start}-${end - 1}/${length}\r\n`), range);
    t.match(answer?.head, /\r\nAccept-Ranges: bytes\r\n/);
    t.ok(bytes.subarray(start, end).equals(Buffer.from(answer?.body ?? '', 'latin1')), range);
  }
  await listener.idle();
  t.equal(open(), 0);
});

t.test('a range after the end is 416 with the length and the headers of the file', async (t) => {
  const headers = { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, immutable' };
  const { ask, open } = await serveFile(t, 1000, { reply: { headers } });
  for (const range of ['bytes=1000-', 'bytes=1000-2000', 'bytes=-0', 'bytes=99999999999999999999-']) {
    const answer = await ask('/x', { headers: { range } });
    t.equal(answer.status, 416, range);
    t.match(answer.json, { code: 'range_not_satisfiable', detail: 'The range begins after the end: the file has 1000 bytes.' });
    t.match(answer.headers, { 'content-range': 'bytes */1000', 'access-control-allow-origin': '*', 'cache-control': 'no-store' });
    t.notOk('etag' in answer.headers);
  }
  t.equal(open(), 0);
  const empty = await serveFile(t, 0);
  for (const range of ['bytes=0-', 'bytes=-1'])
    t.equal((await empty.ask('/x', { headers: { range } })).headers['content-range'], 'bytes */0');
});

t.test('several ranges, invalid ones and other units are answered with the whole', async (t) => {
  const { ask } = await serveFile(t, 1000);
  for (const range of [
    'bytes=0-1,5-6',
    'bytes=0-1,',
    'bytes=5-4',
    'bytes=-',
    'bytes=',
    'bytes',
    'bytes=a-b',
    'bytes=1-2-3',
    'lines=0-1',
    '',
  ])
    t.match(await ask('/x', { headers: { range } }), { status: 200, headers: { 'content-length': '1000' } }, range);
});

t.test('If-Range gives the range only with the strong tag of the file', async (t) => {
  const statusFor = async (served: Served, ifRange: string): Promise<number> =>
    (await served.ask('/x', { headers: { range: 'bytes=0-1', 'if-range': ifRange } })).status;
  const served = await serveFile(t, 1000);
  t.equal(await statusFor(served, etag), 206);
  for (const other of ['"abd"', `W/${etag}`, 'abc', `${etag}, "x"`, '*', 'Wed, 21 Oct 2015 07:28:00 GMT'])
    t.equal(await statusFor(served, other), 200, other);
  const weak = await serveFile(t, 1000, { reply: { etag: `W/${etag}` } });
  t.equal(await statusFor(weak, `W/${etag}`), 200, 'a weak tag never matches');
});

t.test('a response that is not 200 has no ranges', async (t) => {
  const { ask } = await serveFile(t, 1000, { reply: { status: 404 } });
  t.match(await ask('/x', { headers: { range: 'bytes=0-1' } }), { status: 404, headers: { 'content-length': '1000' } });
});

t.test('a range is a part of the file, or there is none', async () => {
  const number = fc.oneof(fc.nat(30), fc.constantFrom('', '99999999999999999999'));
  const header = fc.oneof(
    fc.string(),
    fc.tuple(number, number).map(([first, last]) => `bytes=${first}-${last}`),
  );
  fc.assert(
    fc.property(header, fc.nat(20), (range, length) => {
      const found = rangeOf({ range }, length, etag);
      if (found === undefined || found === 'unsatisfiable') return true;
      return found.start >= 0 && found.start < found.end && found.end <= length;
    }),
  );
});

t.test('pipelined requests get their files in order', async (t) => {
  const { raw, bytes, open, listener } = await serveFile(t, 2 * fileBufferBytes + 3);
  const text = await raw(`${get()}${get('Range: bytes=2-5\r\n')}${get()}${get(`${last}Range: bytes=-3\r\n`)}`);
  const answers = answersIn(text);
  t.strictSame(
    answers.map(({ status }) => status),
    [200, 206, 200, 206],
  );
  const wanted = [bytes, bytes.subarray(2, 6), bytes, bytes.subarray(-3)];
  for (const [i, part] of wanted.entries()) t.ok(part.equals(Buffer.from(answers[i]?.body ?? '', 'latin1')), `answer ${i}`);
  await listener.idle();
  t.equal(open(), 0);
});

t.test('a client that does not read holds one buffer and is disconnected after the timeout', async (t) => {
  let furthest = 0;
  const onRead = (position: number): undefined => {
    furthest = Math.max(furthest, position);
  };
  const { port, open, listener } = await serveFile(t, 64 * 1024 * 1024, {
    onRead,
    listener: { limits: { responseTimeoutMs: 300 } },
  });
  const socket = net.connect(port, '127.0.0.1').pause();
  socket.on('error', () => {});
  socket.write(get());
  while (listener.stats().outputBytes === 0) await turns(1);
  t.ok(listener.stats().outputBytes <= fileBufferBytes);
  t.equal(open(), 1);
  await listener.idle();
  t.equal(listener.stats().readersCutOff.slow, 1);
  t.equal(listener.stats().outputBytes, 0);
  t.ok(furthest < 32 * 1024 * 1024, `${furthest} bytes were read`);
  while (open() > 0) await turns(1);
  t.equal(open(), 0);
  socket.destroy();
});

t.test('a slow client gets the whole file', async (t) => {
  const { port, bytes, open, listener } = await serveFile(t, 8 * 1024 * 1024);
  const socket = net.connect(port, '127.0.0.1').pause();
  socket.write(get(last));
  while (listener.stats().outputBytes === 0) await turns(1);
  const parts: Buffer[] = [];
  for await (const part of socket) {
    parts.push(part);
    if (parts.length % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const [answer] = answersIn(Buffer.concat(parts).toString('latin1'));
  t.ok(bytes.equals(Buffer.from(answer?.body ?? '', 'latin1')));
  t.strictSame([open(), listener.stats().outputBytes], [0, 0]);
});

t.test('a disconnect in the middle closes the file after the read that runs', async (t) => {
  let read = (): void => {};
  let isLast = false;
  const onRead = (position: number): Promise<{ bytesRead: number }> | undefined => {
    if (position < 2 * fileBufferBytes) return undefined;
    isLast = true;
    return new Promise((resolve) => (read = () => resolve({ bytesRead: 10 })));
  };
  const { port, open, listener, logged } = await serveFile(t, 64 * fileBufferBytes, { onRead });
  const socket = net.connect(port, '127.0.0.1').resume();
  socket.write(get());
  while (!isLast) await turns(1);
  socket.destroy();
  await listener.idle();
  t.equal(open(), 1, 'a file is not closed while it is read');
  read();
  await turns();
  t.strictSame([open(), logged.length], [0, 0]);
  t.equal(listener.stats().outputBytes, 0);
});

t.test('a client that disconnects before its response closes the file', async (t) => {
  let go = (): void => {};
  const { port, open, opened, listener, logged } = await serveFile(t, 1000, {
    opened: () => new Promise((resolve) => (go = resolve)),
  });
  const socket = net.connect(port, '127.0.0.1');
  socket.write(get());
  while (opened() === 0) await turns(1);
  // A mere end could come from a client that still reads.
  socket.resetAndDestroy();
  await listener.idle();
  t.equal(open(), 1);
  go();
  await turns();
  t.strictSame([open(), logged.length], [0, 0]);
});

t.test('a file whose first bytes cannot be read is 500', async (t) => {
  for (const length of [1000, 4 * fileBufferBytes]) {
    const failure = systemError('EIO', 'read');
    const { ask, open, logged } = await serveFile(t, length, { onRead: () => Promise.reject(failure) });
    const answer = await ask('/x');
    t.match(answer, { status: 500, json: { code: 'internal_error' } });
    t.notOk('etag' in answer.headers);
    t.notMatch(answer.text, /EIO/);
    t.match(logged, [['error', { err: failure }]]);
    t.equal(open(), 0);
  }
});

t.test('an error in the middle of reading closes the connection', async (t) => {
  const failures: [string, () => Promise<{ bytesRead: number }>][] = [
    ['EIO', () => Promise.reject(systemError('EIO', 'read'))],
    ['the file is shorter', () => Promise.resolve({ bytesRead: 0 })],
  ];
  for (const [name, fail] of failures) {
    const onRead = (position: number): Promise<{ bytesRead: number }> | undefined =>
      position < 2 * fileBufferBytes ? undefined : fail();
    const { raw, bytes, open, logged, listener } = await serveFile(t, 4 * fileBufferBytes, { onRead });
    const text = await raw(get(), get());
    t.equal(text.split('HTTP/1.1 ').length, 2, 'no second response');
    t.match(lastAnswer(text).head, new RegExp(`\r\nContent-Length: ${bytes.length}`));
    t.ok(text.length < bytes.length, 'the response is not complete');
    await listener.idle();
    t.match(logged, [['error', { err: Error }, /broke off/]], name);
    t.strictSame([open(), listener.stats().outputBytes], [0, 0]);
  }
});

t.test('a short file that ends early is 500', async (t) => {
  const { ask, open } = await serveFile(t, 1000, {
    onRead: (position) => (position === 0 ? undefined : Promise.resolve({ bytesRead: 0 })),
    reply: {},
  });
  t.equal((await ask('/x')).status, 200, 'one read gives the whole');
  const early = await serveFile(t, 1000, { onRead: () => Promise.resolve({ bytesRead: 0 }) });
  t.equal((await early.ask('/x')).status, 500);
  t.strictSame([open(), early.open()], [0, 0]);
});

t.test('reads that return less than asked for give the whole file', async (t) => {
  for (const length of [1000, 3 * fileBufferBytes]) {
    const bytes = content(length);
    const read = (async (buffer: Buffer, offset: number, size: number, position: number) => {
      const bytesRead = Math.min(size, Math.ceil(length / 7));
      bytes.copy(buffer, offset, position, position + bytesRead);
      return { bytesRead: Math.min(bytesRead, length - position), buffer };
    }) as OpenFile['handle']['read'];
    let closed = 0;
    const file: OpenFile = { handle: { read }, bytes: length, close: () => void closed++ };
    const { port } = await serveFile(t, length, { reply: { file } });
    const [answer] = answersIn(await rawOf(port, [get(last)]));
    t.ok(bytes.equals(Buffer.from(answer?.body ?? '', 'latin1')));
    t.equal(closed, 1);
  }
});

t.test('a response that may not be sent, or has an invalid header, closes the file', async (t) => {
  const refused = await serveFile(t, 1000, {
    public: false,
    listener: { responseGate: () => Promise.reject(new Error('not the owner')) },
  });
  t.equal((await refused.ask('/x')).status, 500);
  t.strictSame([refused.opened(), refused.open()], [1, 0]);
  const invalid = await serveFile(t, 1000, { reply: { headers: { Link: 'a\nb' } } });
  t.equal((await invalid.ask('/x')).status, 500);
  t.strictSame([invalid.opened(), invalid.open()], [1, 0]);
});

t.test('a call in this process gets the file as fast as it reads, and closes it when it stops', async (t) => {
  const { listener, bytes, open, opened } = await serveFile(t, 40 * fileBufferBytes + 1);
  const fetch = (headers: Record<string, string> = {}): Promise<Response> =>
    listener.fetch(new Request('http://x/x', { headers }), undefined);
  const whole = await fetch();
  t.equal(whole.headers.get('content-length'), `${bytes.length}`);
  t.ok(bytes.equals(Buffer.from(await whole.arrayBuffer())));
  const short = await fetch({ range: 'bytes=3-9' });
  t.equal(short.status, 206);
  t.ok(bytes.subarray(3, 10).equals(Buffer.from(await short.arrayBuffer())));
  const long = await fetch({ range: `bytes=5-${3 * fileBufferBytes}` });
  t.ok(bytes.subarray(5, 3 * fileBufferBytes + 1).equals(Buffer.from(await long.arrayBuffer())));
  await turns();
  t.strictSame([opened(), open()], [3, 0]);

  const left = await fetch();
  const reader = (left.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await turns();
  t.equal(open(), 1);
  await reader.cancel();
  await listener.idle();
  // A read that is in progress ends first.
  await until('the file is closed', () => open() === 0);
  t.strictSame([open(), listener.stats().outputBytes], [0, 0]);
});

t.test('many clients at a time get the right bytes', async (t) => {
  const { port, bytes, open, listener } = await serveFile(t, 10 * fileBufferBytes + 7);
  const texts = await Promise.all(
    Array.from({ length: 40 }, (_, i) => rawOf(port, [get(`${last}Range: bytes=${i * 1000}-\r\n`)])),
  );
  for (const [i, text] of texts.entries()) {
    const [answer] = answersIn(text);
    t.ok(bytes.subarray(i * 1000).equals(Buffer.from(answer?.body ?? '', 'latin1')), `client ${i}`);
  }
  await listener.idle();
  t.equal(open(), 0);
});

t.test('a client that half-closes its connection after its request gets the whole file', async (t) => {
  const { port, bytes, open, listener } = await serveFile(t, 5 * fileBufferBytes);
  const socket = net.connect(port, '127.0.0.1');
  const parts: Buffer[] = [];
  socket.on('data', (part) => parts.push(part));
  socket.end(get());
  await once(socket, 'close');
  const [answer] = answersIn(Buffer.concat(parts).toString('latin1'));
  t.ok(bytes.equals(Buffer.from(answer?.body ?? '', 'latin1')));
  await listener.idle();
  t.equal(open(), 0);
});
