import { once } from 'node:events';
import net from 'node:net';
import t from 'tap';
import { Problem } from '../../src/http/problem.ts';
import { pieceBytes } from '../../src/http/response/output-buffers.ts';
import { BusyError, CorruptError, NoSpaceError, RecordTooLargeError, StoppedError } from '../../src/lib/errors.ts';
import { type Endpoint, problems, type Reply, serve } from './harness.ts';

/** A public GET endpoint at `/x` with this answer. */
function at(answer: () => Reply | Promise<Reply>): Endpoint<string>[] {
  return [{ method: 'GET', path: '/x', prefixes: [''], public: true, handle: answer }];
}

const get = 'GET /x HTTP/1.1\r\nHost: x\r\n\r\n';

/** Parts of a large answer, with a note of how many were taken and whether the rest was let go. */
function parts(count: number, part: Buffer | string): { stream: Iterable<Buffer | string>; taken: number; closed: boolean } {
  const state = { taken: 0, closed: false, stream: { [Symbol.iterator]: iterate } };
  function* iterate(): Generator<Buffer | string> {
    try {
      for (; state.taken < count; state.taken++) yield part;
    } finally {
      state.closed = true;
    }
  }
  return state;
}

t.test('a response has its content type, length, request id and security headers', async (t) => {
  const { ask } = await serve(
    t,
    at(() => ({ kind: 'json', status: 200, json: '{"ü":1}', headers: { ETag: '"1"' } })),
  );
  const { headers, json, status } = await ask('/x');
  t.equal(status, 200);
  t.strictSame(json, { ü: 1 });
  t.match(headers, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': '8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
    etag: '"1"',
  });
  t.match(headers['x-request-id'], /^[\w-]+$/);
  t.notOk(headers['transfer-encoding']);
});

t.test('a usable X-Request-Id of the client is kept, and others are replaced', async (t) => {
  const { ask } = await serve(
    t,
    at(() => ({ kind: 'json', status: 200, json: '{}' })),
  );
  const idFor = async (id?: string | string[]): Promise<string> =>
    String((await ask('/x', { headers: id === undefined ? {} : { 'X-Request-Id': id } })).headers['x-request-id']);
  t.equal(await idFor('Abc-1_2.3'), 'Abc-1_2.3');
  t.equal(await idFor('a'.repeat(128)), 'a'.repeat(128));
  for (const id of ['', 'a'.repeat(129), 'a b', 'a,b', 'a/b', '"a"', 'ä', ['a', 'b']]) t.not(await idFor(id), id, String(id));
  const made = new Set(await Promise.all(Array.from({ length: 20 }, () => idFor())));
  t.equal(made.size, 20);
});

t.test('every kind of response has its content and length, and HEAD the same headers', async (t) => {
  const shapes: Record<string, [Reply, string, string | undefined]> = {
    'JSON as bytes': [{ kind: 'json', status: 200, json: Buffer.from('{"a":1}') }, '{"a":1}', '7'],
    'JSON as text': [{ kind: 'json', status: 200, json: '{"ü":1}' }, '{"ü":1}', '8'],
    text: [
      { kind: 'text', status: 200, text: 'up 1\n', contentType: 'text/plain', headers: { 'Cache-Control': 'no-store' } },
      'up 1\n',
      '5',
    ],
    'a stream that is small': [{ kind: 'stream', status: 200, stream: ['[', Buffer.from('{}'), ',', '{}', ']'] }, '[{},{}]', '7'],
    'a stream of nothing': [{ kind: 'stream', status: 200, stream: [] }, '', '0'],
    'no content': [{ kind: 'empty', status: 204 }, '', undefined],
    'not modified': [{ kind: 'empty', status: 304, headers: { ETag: '"1"' } }, '', undefined],
  };
  let reply: Reply = { kind: 'empty', status: 500 };
  const { ask } = await serve(
    t,
    at(() => reply),
  );
  for (const [name, [shape, text, length]] of Object.entries(shapes)) {
    reply = shape;
    const answer = await ask('/x');
    t.equal(answer.status, shape.status, name);
    t.equal(answer.text, text, name);
    t.equal(answer.headers['content-length'], length, name);
    t.equal(answer.headers['cache-control'], name === 'text' ? 'no-store' : 'private, no-cache');
    const headOnly = await ask('/x', { method: 'HEAD' });
    t.equal(headOnly.text, '');
    const { date: _, 'x-request-id': _1, ...wanted } = answer.headers;
    t.match(headOnly.headers, wanted, `HEAD of ${name}`);
  }
});

t.test('a text response is sent in one write with its headers', async (t) => {
  let json = '';
  const { ask, server } = await serve(
    t,
    at(() => ({ kind: 'json', status: 200, json })),
  );
  const written: unknown[] = [];
  server.on('connection', (socket: net.Socket) => {
    const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
    socket.write = (...args: unknown[]): boolean => {
      written.push(args[0]);
      return write(...args);
    };
  });
  for (json of ['{"a":1}', '{"ü":1}', '{"中":1}']) {
    written.length = 0;
    t.equal((await ask('/x')).text, json);
    t.equal(written.length, 1);
  }
});

t.test('a large stream arrives whole and yields to the event loop between pieces', async (t) => {
  let turns = 0;
  let turnsWhenDone = 0;
  const part = Buffer.alloc(1000, 'x');
  function* stream(): Generator<Buffer | string> {
    const count = (): void => {
      turns++;
      if (turnsWhenDone === 0) setImmediate(count);
    };
    count();
    for (let i = 0; i < 2000; i++) yield i % 2 === 0 ? part : part.toString();
    turnsWhenDone = turns;
  }
  const { ask } = await serve(
    t,
    at(() => ({ kind: 'stream', status: 200, stream: stream() })),
  );
  const { text, headers } = await ask('/x');
  t.equal(text.length, 2_000_000);
  t.equal(headers['content-length'], undefined);
  t.ok(turnsWhenDone >= Math.floor(2_000_000 / pieceBytes) - 1, `${turnsWhenDone} turns`);
});

t.test('a client that closed its side after its request gets the whole stream', async (t) => {
  const large = parts(5000, Buffer.alloc(1000, 'x'));
  const { port, listener } = await serve(
    t,
    at(() => ({ kind: 'stream', status: 200, stream: large.stream })),
  );
  const socket = net.connect(port, '127.0.0.1');
  let length = 0;
  socket.on('data', (part) => {
    length += part.length;
  });
  socket.end(get);
  await once(socket, 'close');
  t.ok(length > 5_000_000, `${length} bytes`);
  t.equal(large.closed, true);
  t.equal(listener.inFlight, 0);
});

t.test('HEAD of a large stream reads at most one piece of it', async (t) => {
  const large = parts(10_000, 'x'.repeat(1000));
  const { ask } = await serve(
    t,
    at(() => ({ kind: 'stream', status: 200, stream: large.stream })),
  );
  t.equal((await ask('/x', { method: 'HEAD' })).text, '');
  t.ok(large.taken <= pieceBytes / 1000 + 1);
  t.equal(large.closed, true);
});

t.test('nothing is written to a client that does not read, and it is disconnected after the timeout', async (t) => {
  const large = parts(1_000_000, Buffer.alloc(1000, 'x'));
  const { port, listener } = await serve(
    t,
    at(() => ({ kind: 'stream', status: 200, stream: large.stream })),
    { limits: { responseTimeoutMs: 50 } },
  );
  const socket = net.connect(port, '127.0.0.1').pause();
  socket.on('error', () => {});
  socket.write(get);
  while (listener.inFlight === 0) await new Promise(setImmediate);
  await listener.idle();
  t.equal(large.closed, true);
  t.ok(large.taken < 50_000, `${large.taken} of a million parts were taken`);
  socket.destroy();
});

t.test('a client that does not read a large buffer is disconnected after the timeout', async (t) => {
  const json = Buffer.alloc(50_000_000, 'x');
  const { port, listener } = await serve(
    t,
    at(() => ({ kind: 'json', status: 200, json })),
    { limits: { responseTimeoutMs: 50 } },
  );
  const socket = net.connect(port, '127.0.0.1').pause();
  socket.on('error', () => {});
  socket.write(get);
  while (listener.inFlight === 0) await new Promise(setImmediate);
  await listener.idle();
  socket.destroy();
});

t.test('a client that disconnects releases its stream', async (t) => {
  const large = parts(1_000_000, Buffer.alloc(1000, 'x'));
  const { port, listener, logged } = await serve(
    t,
    at(() => ({ kind: 'stream', status: 200, stream: large.stream })),
  );
  const socket = net.connect(port, '127.0.0.1');
  socket.write(get);
  await once(socket, 'data');
  socket.destroy();
  await listener.idle();
  t.equal(large.closed, true);
  t.ok(large.taken < 1_000_000);
  t.strictSame(logged, []);
});

t.test('a client that disconnects before its response causes no error', async (t) => {
  let answer = (_reply: Reply): void => {};
  const { port, listener, logged } = await serve(
    t,
    at(() => new Promise((resolve) => (answer = resolve))),
  );
  const large = parts(1000, 'x'.repeat(1000));
  const replies: Reply[] = [
    { kind: 'json', status: 200, json: '{}' },
    { kind: 'empty', status: 204 },
    { kind: 'stream', status: 200, stream: large.stream },
  ];
  for (const reply of replies) {
    const socket = net.connect(port, '127.0.0.1');
    socket.write(get);
    while (listener.inFlight === 0) await new Promise(setImmediate);
    socket.resetAndDestroy();
    await listener.idle();
    answer(reply);
    await new Promise(setImmediate);
  }
  t.equal(large.taken, 0);
  t.strictSame(logged, []);
});

t.test('a stream that fails is a 500 before its first piece, and closes the connection later', async (t) => {
  let good = 0;
  function* stream(): Generator<string> {
    for (let i = 0; i < good; i++) yield 'x'.repeat(1000);
    throw new Error('secret reason');
  }
  const { ask, raw, logged } = await serve(
    t,
    at(() => ({ kind: 'stream', status: 200, stream: stream() })),
  );
  good = 10;
  const { status, text } = await ask('/x');
  t.equal(status, 500);
  t.notMatch(text, /secret/);
  good = 1000;
  await t.rejects(ask('/x'));
  t.notMatch(await raw(get), /0\r\n\r\n$/);
  t.match(logged, [
    ['error', { requestId: /./, err: /secret reason/ }],
    ['error', { requestId: /./, err: /secret reason/ }],
    ['error', { requestId: /./, err: /secret reason/ }],
  ]);
});

t.test('every thrown error becomes a response with its status and code', async (t) => {
  let thrown: unknown;
  let late = false;
  const { ask, logged } = await serve(
    t,
    at(() => {
      if (late) return Promise.reject(thrown);
      throw thrown;
    }),
  );
  const rows: [unknown, number, string, string | undefined][] = [
    [new NoSpaceError('/data/store is full'), 507, 'insufficient_storage', '30'],
    [new BusyError('queue'), 503, 'unavailable', '1'],
    [new StoppedError('fdatasync: EIO'), 503, 'unavailable', '1'],
    [new RecordTooLargeError('70 MB'), 413, 'payload_too_large', undefined],
    [new CorruptError('/data/store/1.wal', 5, 'bad'), 500, 'internal_error', undefined],
    [new TypeError('x.y is not a function'), 500, 'internal_error', undefined],
    ['a string', 500, 'internal_error', undefined],
    [undefined, 500, 'internal_error', undefined],
    [null, 500, 'internal_error', undefined],
  ];
  for (late of [false, true]) {
    for (const row of rows) {
      thrown = row[0];
      const [, status, code, retryAfter] = row;
      logged.length = 0;
      const answer = await ask('/x');
      t.equal(answer.status, status);
      t.equal(answer.json['code'], code);
      t.equal(answer.json['request_id'], answer.headers['x-request-id']);
      t.equal(answer.headers['retry-after'], retryAfter);
      t.equal(answer.headers['cache-control'], 'no-store');
      t.notMatch(answer.text, /store\/|full|queue|EIO|70 MB|not a function|a string|stack|\.ts|\.js/);
      t.strictSame(
        logged.map(([level, fields]) => [level, fields]),
        status === 500 ? [['error', { requestId: answer.json['request_id'], err: thrown }]] : [],
      );
    }
  }
});

t.test('invalid headers fail one response, not the server', async (t) => {
  let answer = (): Reply => ({ kind: 'json', status: 200, json: '{}', headers: { ETag: 'a\nb' } });
  const { ask, listener, logged } = await serve(
    t,
    at(() => answer()),
  );
  t.equal((await ask('/x')).status, 500);
  answer = () => {
    throw new Problem('conflict', 'No.', { headers: { Link: 'a\nb' } });
  };
  await t.rejects(ask('/x'));
  answer = () => ({ kind: 'empty', status: 204 });
  t.equal((await ask('/x')).status, 204);
  await listener.idle();
  t.match(logged, [
    ['error', { err: { message: /^the response header \w+ must be printable ASCII/ } }],
    ['error', { err: { message: /^the response header \w+ must be printable ASCII/ } }],
  ]);
});

t.test('problems of the same kind differ only in the request id', async (t) => {
  t.equal(problems.notFound().document('r'), problems.notFound().document('r'));
  const many = Array.from({ length: 150 }, (_, i) => ({ pointer: `/a/${i}`, detail: 'must be a number' }));
  t.equal(problems.validationFailed(many).errors?.length, 100);
  t.equal(problems.validationFailed(many.slice(0, 1)).detail, '/a/0 must be a number.');
  t.equal(
    problems.validationFailed([{ pointer: '', detail: 'must be a JSON object' }]).detail,
    'The body must be a JSON object.',
  );
  t.equal(problems.badRequest('Why.').errors?.length, 1, 'every 400 has errors');
});
