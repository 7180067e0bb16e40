// process: own
/** Slow, many and greedy clients: their memory and connections are bounded, and other clients are served meanwhile. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import net from 'node:net';
import t, { type Test } from 'tap';
import { clientOf } from '../../src/http/request/addresses.ts';
import { OutputBuffers, pieceBytes } from '../../src/http/response/output-buffers.ts';
import { heldBytes } from '../support/memory.ts';
import { type ApiRequest, type Endpoint, type ListenerOptions, lastAnswer, type Reply, type Running, serve } from './harness.ts';

interface Accounts extends Running {
  /** Requests that have reached the endpoint and wait for {@link answer}; they are answered at once unless {@link hold} is set. */
  readonly reached: ApiRequest<string>[];
  hold: boolean;
  answer(): void;
}

/** A server whose every key is the name of its account. */
async function accounts(t: Test, limits: NonNullable<ListenerOptions<string>['limits']>): Promise<Accounts> {
  const reached: ApiRequest<string>[] = [];
  let waiting: (() => void)[] = [];
  const state = { hold: false };
  const handle = (request: ApiRequest<string>): Reply | Promise<Reply> => {
    reached.push(request);
    const reply: Reply = { kind: 'json', status: 200, json: `{"length":${JSON.stringify(request.body).length}}` };
    return state.hold ? new Promise<Reply>((resolve) => waiting.push(() => resolve(reply))) : reply;
  };
  const endpoints: Endpoint<string>[] = [
    { method: 'GET', path: '/x', prefixes: [''], handle },
    { method: 'POST', path: '/x', prefixes: [''], acceptsBody: true, handle },
  ];
  const running = await serve(t, endpoints, { limits, authenticate: (token) => token, accountOf: (principal) => principal });
  const answer = (): void => {
    const answers = waiting;
    waiting = [];
    for (const each of answers) each();
  };
  return Object.assign(state, { ...running, reached, answer });
}

const turns = async (count = 20): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
};
const get = (account: string): string =>
  `GET /x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account}\r\nConnection: close\r\n\r\n`;
const post = (account: string, more: string): string =>
  `POST /x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account}\r\nConnection: close\r\n${more}\r\n\r\n`;
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

interface Client {
  readonly socket: net.Socket;
  text(): string;
  /** Everything that came until the server closed the connection. */
  closed(): Promise<string>;
}

function connect(t: Test, port: number, localAddress?: string): Client {
  const socket = net.connect({ port, host: '127.0.0.1', ...(localAddress === undefined ? {} : { localAddress }) });
  let text = '';
  socket.on('data', (part) => (text += part)).on('error', () => {});
  t.teardown(() => socket.destroy());
  const over = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return { socket, text: () => text, closed: () => over.then(() => text) };
}

t.test('a thousand clients that never end their headers each get 408, and others are served meanwhile', async (t) => {
  const { port, raw, listener } = await accounts(t, { headersTimeoutMs: 5000 });
  const slow = Array.from({ length: 1000 }, () => connect(t, port));
  await Promise.all(slow.map(({ socket }) => once(socket, 'connect')));
  for (const { socket } of slow) socket.write('GET /x HTTP/1.1\r\nHost: x\r\nX-A: ');
  const drip = setInterval(() => {
    for (const { socket } of slow) if (socket.writable) socket.write('a');
  }, 200);
  t.teardown(() => clearInterval(drip));
  for (let i = 0; i < 20; i++) t.equal(lastAnswer(await raw(get('ann'))).status, 200);
  t.ok(listener.stats().connections >= 1000);
  for (const { closed } of slow) if (lastAnswer(await closed()).status !== 408) t.fail('not a 408');
  clearInterval(drip);
  t.equal(listener.stats().refused.request_timeout, 1000);
  t.equal(listener.inFlight, 0);
});

t.test('a stalled body is 408, and a slow one is read', async (t) => {
  const { port, reached, listener } = await accounts(t, { bodyStallTimeoutMs: 2000 });
  const body = '{"a":"0123456789"}';
  const stalled = ['', '{', '{"a"'].map((start) => {
    const client = connect(t, port);
    client.socket.write(`${post('ann', `Content-Length: ${body.length}`)}${start}`);
    return client;
  });
  const slow = connect(t, port);
  slow.socket.write(post('ann', `Content-Length: ${body.length}`));
  for (const byte of body) {
    slow.socket.write(byte);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  t.equal(lastAnswer(await slow.closed()).status, 200);
  for (const client of stalled)
    t.match(lastAnswer(await client.closed()), {
      status: 408,
      json: { code: 'request_timeout' },
      head: /\r\nConnection: close$/m,
    });
  t.equal(reached.length, 1);
  t.equal(listener.stats().bodiesBytes, 0);
  t.equal(listener.inFlight, 0);
});

t.test('one account may hold half of the memory for bodies, and all accounts together the whole', async (t) => {
  const { port, raw, listener } = await accounts(t, { bodyBytesMax: 1000, bodiesBytesMax: 2000 });
  const body = JSON.stringify({ a: 'x'.repeat(900) });
  const length = `Content-Length: ${body.length}`;
  const begun = ['ann', 'bob'].map((account) => {
    const client = connect(t, port);
    client.socket.write(`${post(account, length)}${body.slice(0, -1)}`);
    return client;
  });
  while (listener.stats().bodiesBytes < 2 * (body.length - 1)) await turns(1);

  const announced = lastAnswer(await raw(post('cecil', `${length}\r\nExpect: 100-continue`)));
  t.equal(announced.status, 503, 'before it is sent');
  t.match(announced.head, /retry-after: 1\r\n/i);
  t.equal(announced.json['code'], 'unavailable');
  const chunked = post('cecil', 'Transfer-Encoding: chunked');
  t.equal(lastAnswer(await raw(chunked, chunk(body))).status, 503, 'or while it comes');
  const own = lastAnswer(await raw(post('ann', 'Transfer-Encoding: chunked'), chunk(body)));
  t.equal(own.status, 429);
  t.match(own.head, /retry-after: 1\r\n/i);
  t.equal(own.json['code'], 'too_many_requests');
  t.equal(lastAnswer(await raw(post('cecil', 'Content-Length: 2'), '{}')).status, 200, 'what is small finds room');
  t.equal(lastAnswer(await raw(get('cecil'))).status, 200);

  for (const { socket } of begun) socket.write(body.slice(-1));
  for (const { closed } of begun) t.equal(lastAnswer(await closed()).json['length'], body.length);
  t.equal(lastAnswer(await raw(post('cecil', length), body)).status, 200);
  t.equal(listener.stats().bodiesBytes, 0);
  t.match(listener.stats().refused, { unavailable: 2, too_many_requests: 1 });
});

t.test('a large Content-Length without a body takes no memory', async (t) => {
  const { port, raw, listener } = await accounts(t, { bodyBytesMax: 1000, bodiesBytesMax: 2000 });
  for (let i = 0; i < 50; i++) connect(t, port).socket.write(post('ann', 'Content-Length: 1000'));
  while (listener.inFlight < 50) await turns(1);
  t.equal(lastAnswer(await raw(post('ann', 'Content-Length: 2'), '{}')).status, 200);
});

t.test('a body counts against the limits until its request ends, also after its client left', async (t) => {
  const server = await accounts(t, { bodyBytesMax: 1000, bodiesBytesMax: 2000, requestsPerAccountMax: 1 });
  const { port, raw, listener, reached } = server;
  const body = JSON.stringify({ a: 'x'.repeat(900) });
  server.hold = true;
  const { socket } = connect(t, port);
  socket.write(`${post('ann', `Content-Length: ${body.length}`)}${body}`);
  while (reached.length === 0) await turns(1);
  t.equal(listener.stats().bodiesBytes, body.length);
  socket.resetAndDestroy();
  await listener.idle();
  t.equal(listener.stats().bodiesBytes, body.length);
  t.equal(lastAnswer(await raw(get('ann'))).status, 429, 'nor is there room for the next by hanging up');
  server.hold = false;
  server.answer();
  await turns();
  t.equal(listener.stats().bodiesBytes, 0);
  t.equal(lastAnswer(await raw(get('ann'))).status, 200);
});

t.test('requests above the limit of an account are 429, and other accounts are served', async (t) => {
  const server = await accounts(t, { requestsPerAccountMax: 3 });
  const { raw, listener, reached } = server;
  server.hold = true;
  const begun = Array.from({ length: 3 }, () => raw(get('ann')));
  while (reached.length < 3) await turns(1);
  const { status, head, json } = lastAnswer(await raw(get('ann')));
  t.equal(status, 429);
  t.match(head, /retry-after: 1\r\n/i);
  t.match(json, { code: 'too_many_requests', detail: /3 requests/ });
  t.equal(lastAnswer(await raw(post('ann', 'Content-Length: 2'), '{}')).status, 429);
  const other = raw(get('bob'));
  while (reached.length < 4) await turns(1);
  server.hold = false;
  server.answer();
  for (const text of [...begun, other]) t.equal(lastAnswer(await text).status, 200);
  t.equal(lastAnswer(await raw(get('ann'))).status, 200);
  t.equal(listener.inFlight, 0);
});

t.test('a body in tiny chunks is 400, and one in small chunks or single-byte packets is read', async (t) => {
  const { raw, reached, listener } = await accounts(t, {});
  const tinyChunks = (count: number): string => chunk('{') + chunk(' ').repeat(count - 2) + chunk('}');
  const chunked = 'Transfer-Encoding: chunked';
  t.equal(lastAnswer(await raw(post('ann', chunked), `${tinyChunks(4096)}0\r\n\r\n`)).status, 200);
  t.equal(reached.length, 1);
  const refused = lastAnswer(await raw(post('ann', chunked), tinyChunks(50_000)));
  t.equal(refused.status, 400);
  t.match(refused.json, { detail: /chunks of less than 16 bytes/ });
  t.equal(lastAnswer(await raw(post('', chunked), tinyChunks(50_000))).status, 401);
  t.equal(
    lastAnswer(await raw(post('ann', chunked).replace('POST', 'GET'), tinyChunks(50_000))).status,
    200,
    'this endpoint reads no body',
  );
  const many = chunk(' '.repeat(20)).repeat(20_000);
  t.equal(lastAnswer(await raw(post('ann', chunked), many, `${chunk('{}')}0\r\n\r\n`)).status, 200);
  const body = `{"a":"${'x'.repeat(5000)}"}`;
  t.equal(lastAnswer(await raw(post('ann', `Content-Length: ${body.length}`), ...body)).status, 200);
  t.equal(listener.stats().bodiesBytes, 0);
});

t.test('a body in small chunks takes no more memory than its bytes', async (t) => {
  const { port, listener } = await accounts(t, {});
  const before = await heldBytes();
  const { socket, closed } = connect(t, port);
  socket.write(post('ann', 'Transfer-Encoding: chunked'));
  const megabytes = 2;
  const part = chunk(' '.repeat(20)).repeat(1024);
  for (let i = 0; i < megabytes * 52; i++) if (!socket.write(part)) await once(socket, 'drain');
  while (listener.stats().bodiesBytes < megabytes * 1024 * 1024) await turns(1);
  const taken = (await heldBytes()) - before;
  // A Buffer for each chunk would be 20 MB and more.
  t.ok(taken < 8_000_000, `${taken} bytes`);
  socket.write(`${chunk('{}')}0\r\n\r\n`);
  t.equal(lastAnswer(await closed()).status, 200);
});

/** An answer without an end. */
function endless(): Endpoint<string>[] {
  const part = Buffer.alloc(1000, 'x');
  function* stream(): Generator<Buffer> {
    for (;;) yield part;
  }
  const whole = Buffer.alloc(30_000_000, 'x');
  return [
    {
      method: 'GET',
      path: '/endless',
      prefixes: [''],
      public: true,
      handle: () => ({ kind: 'stream', status: 200, stream: stream() }),
    },
    { method: 'GET', path: '/whole', prefixes: [''], public: true, handle: () => ({ kind: 'json', status: 200, json: whole }) },
  ];
}

t.test('a client that does not read holds one piece of its response in memory', async (t) => {
  const { port, listener } = await serve(t, endless());
  const readers = 50;
  const before = await heldBytes();
  for (let i = 0; i < readers; i++) {
    const { socket } = connect(t, port);
    socket.pause().write('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n');
  }
  while (listener.stats().outputBytes < readers * pieceBytes) await turns(1);
  await turns(200);
  t.ok(listener.stats().outputBytes < readers * (pieceBytes + 1000), `${listener.stats().outputBytes} bytes wait`);
  const taken = (await heldBytes()) - before;
  t.ok(taken < readers * 3 * pieceBytes, `${taken} bytes are held`);
});

t.test('above the limit on unsent bytes, the client that has waited longest is disconnected', async (t) => {
  for (const target of ['/endless', '/whole']) {
    const responsesBytesMax = target === '/whole' ? 100_000_000 : 10 * pieceBytes;
    const { port, listener, ask } = await serve(t, endless(), { limits: { responsesBytesMax: responsesBytesMax } });
    const readers = Array.from({ length: 20 }, () => connect(t, port));
    for (const { socket } of readers) {
      socket.pause().write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
      // One after the other: the order in which they begin to wait.
      const seen = listener.stats();
      while (
        listener.stats().outputBytes === seen.outputBytes &&
        listener.stats().readersCutOff.noRoom === seen.readersCutOff.noRoom
      )
        await turns(1);
    }
    t.ok(listener.stats().outputBytes <= responsesBytesMax);
    t.ok(listener.stats().readersCutOff.noRoom >= 10);
    if (target === '/whole') t.equal((await ask('/whole')).text.length, 30_000_000, 'not who reads');
    const kept = listener.inFlight;
    t.ok(kept > 0 && kept <= 10, `${kept} are still served`);
    for (const { socket } of readers.slice(0, -kept)) socket.resume();
    for (const { closed } of readers.slice(0, -kept)) await closed();
    for (const { socket } of readers.slice(-kept)) {
      t.equal(socket.destroyed, false);
      socket.destroy();
    }
    await listener.idle();
    t.equal(listener.stats().outputBytes, 0);
  }
});

t.test('a client must read a piece in each timeout, or it is disconnected', async (t) => {
  const answers = new OutputBuffers({ responseTimeoutMs: 20, responsesBytesMax: 1_000_000 });
  let cut = (): void => {};
  const over = new Promise<void>((resolve) => {
    cut = resolve;
  });
  answers.hold({ destroy: () => cut() } as unknown as ServerResponse, pieceBytes);
  const taken = answers.hold({ destroy: () => t.fail('it was taken') } as unknown as ServerResponse, pieceBytes);
  answers.release(taken);
  answers.release(taken);
  // The watch does not keep a process alive; a client would.
  const alive = setInterval(() => {}, 1000);
  await over;
  clearInterval(alive);
  t.equal(answers.bytes, 0);
  t.strictSame(answers.cutOff, { slow: 1, noRoom: 0 });
});

t.test('a client is disconnected once, however much of its response waits', async (t) => {
  const answers = new OutputBuffers({ responseTimeoutMs: 20, responsesBytesMax: 1000 });
  const res = { destroyed: false, destroy: () => (res.destroyed = true) };
  for (let i = 0; i < 3; i++) answers.hold(res as unknown as ServerResponse, 100);
  const alive = setInterval(() => {}, 1000);
  while (answers.bytes > 0) await turns(1);
  clearInterval(alive);
  t.strictSame(answers.cutOff, { slow: 1, noRoom: 0 });
  const other = { destroyed: false, destroy: () => (other.destroyed = true) };
  for (let i = 0; i < 3; i++) answers.hold(other as unknown as ServerResponse, 1000);
  t.strictSame(answers.cutOff, { slow: 1, noRoom: 1 });
});

t.test('connections of one address above connectionsPerAddressMax are closed', async (t) => {
  const { port, listener } = await accounts(t, { connectionsPerAddressMax: 2 });
  const [first, second] = [connect(t, port), connect(t, port)];
  for (const { socket } of [first, second]) socket.write(get('ann').replace('close', 'keep-alive'));
  while (first.text() === '' || second.text() === '') await turns(1);
  const third = connect(t, port);
  third.socket.write(get('ann'));
  t.equal(await third.closed(), '', 'closed unheard');
  const elsewhere = connect(t, port, '127.0.0.2');
  elsewhere.socket.write(get('ann'));
  t.equal(lastAnswer(await elsewhere.closed()).status, 200);
  first.socket.destroy();
  while (listener.stats().connections > 1) await turns(1);
  const again = connect(t, port);
  again.socket.write(get('ann'));
  t.equal(lastAnswer(await again.closed()).status, 200);
  t.equal(listener.stats().connectionsRefused.tooManyOfAddress, 1);
});

t.test('refused connections above connectionsMax are counted', async (t) => {
  const { port, listener } = await accounts(t, { connectionsMax: 1 });
  const first = connect(t, port);
  first.socket.write(get('ann').replace('close', 'keep-alive'));
  while (first.text() === '') await turns(1);
  t.equal(await connect(t, port).closed(), '');
  t.equal(listener.stats().connectionsRefused.tooMany, 1);
  t.equal(listener.stats().connections, 1);
});

t.test('an IPv4 address or an IPv6 /64 counts as one client', (t) => {
  t.equal(clientOf('192.0.2.7'), '192.0.2.7');
  t.equal(clientOf('::ffff:192.0.2.7'), '192.0.2.7');
  t.equal(clientOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2');
  t.equal(clientOf('2001:db8:1:2::1'), '2001:db8:1:2');
  t.equal(clientOf('2001:db8::1'), '2001:db8:0:0');
  t.equal(clientOf('::1'), '0:0:0:0');
  t.equal(clientOf('fe80::1%eth0'), 'fe80:0:0:0');
  t.equal(clientOf('64:ff9b::192.0.2.7'), '64:ff9b:0:0');
  t.equal(clientOf(''), '');
  t.end();
});
