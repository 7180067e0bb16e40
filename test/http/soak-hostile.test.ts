// tier: all, process: own
/**
 * All attacks together: for some seconds, random hostile clients and honest ones. The honest
 * ones always get the right response; after all have left, no memory and no request of them remains.
 *
 * `SEED` repeats the draws of a run, `SOAK_S` says for how many seconds.
 */
import { Agent, request } from 'node:http';
import net from 'node:net';
import t from 'tap';
import { heldBytes } from '../support/memory.ts';
import { Chance } from '../support/random.ts';
import { seed } from '../support/tier.ts';
import { authorization, type Endpoint, key, paramOf, serve } from './harness.ts';

const forMs = Number(process.env['SOAK_S'] ?? 8) * 1000;
const hostileClients = 20;
const honestClients = 6;

const line = (i: number): string => `${i}`.padStart(99, '.').concat('\n');

function* lines(count: number): Generator<string> {
  for (let i = 0; i < count; i++) yield line(i);
}

const endpoints: Endpoint<string>[] = [
  {
    method: 'GET',
    path: '/now/:id',
    prefixes: [''],
    handle: (asked) => ({ kind: 'text', status: 200, text: paramOf(asked, 'id'), contentType: 'x/y' }),
  },
  {
    method: 'GET',
    path: '/later/:id',
    prefixes: [''],
    handle: async (asked) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return { kind: 'text', status: 200, text: paramOf(asked, 'id'), contentType: 'x/y' };
    },
  },
  { method: 'GET', path: '/lines', prefixes: [''], handle: () => ({ kind: 'stream', status: 200, stream: lines(10_000) }) },
  {
    method: 'POST',
    path: '/echo',
    prefixes: [''],
    acceptsBody: true,
    handle: ({ body }) => ({ kind: 'json', status: 200, json: JSON.stringify(body) }),
  },
];

const head = (start: string, more = ''): string =>
  `${start} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n${more}\r\n`;
const crumb = '1\r\n \r\n';

/** What a hostile client may write, in parts; how it goes on is drawn as well. */
const writings: Readonly<Record<string, (draw: () => number) => (string | Buffer)[]>> = {
  nothing: () => [],
  rubbish: (draw) => [Buffer.from(Array.from({ length: 200 }, () => draw() * 256))],
  'half a head': (draw) => [head('GET /now/1').slice(0, 1 + draw() * 60)],
  'a head in drips': () => [...head('GET /now/1')],
  'half a body': (draw) => [head('POST /echo', 'Content-Length: 5000\r\n'), 'x'.repeat(draw() * 4999)],
  'an announced body too large': () => [head('POST /echo', 'Content-Length: 50000000\r\n'), 'x'.repeat(100_000)],
  'chunks without end': () => [
    head('POST /echo', 'Transfer-Encoding: chunked\r\n'),
    ...Array.from({ length: 40 }, () => `10000\r\n${'x'.repeat(65_536)}\r\n`),
  ],
  'nothing but tiny chunks': () => [head('POST /echo', 'Transfer-Encoding: chunked\r\n'), crumb.repeat(8000)],
  'tiny chunks that no endpoint reads': () => [head('GET /lines', 'Transfer-Encoding: chunked\r\n'), crumb.repeat(8000)],
  'tiny chunks without a key': () => ['POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n', crumb.repeat(8000)],
  'a broken chunk': () => [head('POST /echo', 'Transfer-Encoding: chunked\r\n'), '2\r\n{}\r\nzz\r\n'],
  'length and chunks': () => [
    head('POST /echo', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n'),
    '0\r\n\r\nGET /now/smuggled HTTP/1.1\r\n\r\n',
  ],
  'many requests at once': () => [head('GET /now/1').repeat(3000)],
  'slow requests at once': () => [head('GET /later/1').repeat(300)],
  'lists at once': () => [head('GET /lines').repeat(50)],
  'chunks behind a list': () => [head('GET /lines'), head('POST /echo', 'Transfer-Encoding: chunked\r\n'), crumb.repeat(3000)],
  'rubbish behind a request': () => [`${head('GET /later/1')}rubbish\r\n\r\n`],
  'an expectation': () => [head('POST /echo', 'Expect: 100-continue\r\nContent-Length: 2\r\n')],
  'an unknown expectation': () => [head('POST /echo', 'Expect: a miracle\r\nContent-Length: 2\r\n'), '{}'],
  'a tunnel': () => [head('CONNECT x:1'), 'through it'],
  'an upgrade': () => [head('GET /now/1', 'Connection: Upgrade\r\nUpgrade: h2c\r\n'), 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  TLS: () => [Buffer.from('1603010200010001fc0303', 'hex')],
  'long headers': () => [head('GET /now/1', `X-A: ${'x'.repeat(20_000)}\r\n`)],
  'a long trailer': () => [
    head('POST /echo', 'Transfer-Encoding: chunked\r\n'),
    `2\r\n{}\r\n0\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  ],
};

/** Resolves when it is, by whatever: `once` of node:events would reject for a reset. */
function closed(socket: net.Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

const endings: Readonly<Record<string, (socket: net.Socket, draw: () => number) => Promise<unknown>>> = {
  reset: async (socket) => socket.resetAndDestroy(),
  'close its side and read': async (socket) => socket.end(),
  close: async (socket) => socket.destroy(),
  'read for a while': (_, draw) => new Promise((resolve) => setTimeout(resolve, draw() * 200)),
  'not read for a while': (socket, draw) => {
    socket.pause();
    return new Promise((resolve) => setTimeout(resolve, draw() * 3000));
  },
  'wait until it is closed': (socket) => Promise.race([closed(socket), new Promise((resolve) => setTimeout(resolve, 2500))]),
};

t.test('honest clients get right responses beside hostile ones, which leave nothing behind', async (t) => {
  t.comment(`SEED=${seed}`);
  // Short, so that they come true within the test; but both sides share one busy process, and honest clients have to keep within them.
  const limits = {
    headersTimeoutMs: 1500,
    requestTimeoutMs: 3000,
    bodyStallTimeoutMs: 300,
    responseTimeoutMs: 1500,
    keepAliveTimeoutMs: 5000,
    bodyBytesMax: 1_000_000,
    bodiesBytesMax: 8_000_000,
    responsesBytesMax: 3_000_000,
    requestsPerAccountMax: 60,
  };
  const authenticate = (token: string): string | undefined =>
    token === key ? 'mallory' : token === 'honest' ? 'ann' : undefined;
  const { port, listener, logged } = await serve(t, endpoints, { limits, authenticate, accountOf: (principal) => principal });
  const before = await heldBytes();
  const until = performance.now() + forMs;
  const goesOn = (): boolean => performance.now() < until;
  const done = new Map<string, number>();

  async function beHostile(draw: () => number): Promise<void> {
    const pick = <T>(table: Readonly<Record<string, T>>): [string, T] =>
      Object.entries(table)[Math.floor(draw() * Object.keys(table).length)] as [string, T];
    while (goesOn()) {
      const socket = net.connect(port, '127.0.0.1');
      socket.on('error', () => {}).on('data', () => {});
      const [what, write] = pick(writings);
      const [how, end] = pick(endings);
      done.set(`${what}, then ${how}`, 1 + (done.get(`${what}, then ${how}`) ?? 0));
      for (const part of write(draw)) {
        if (socket.destroyed) break;
        socket.write(part);
        if (draw() < 0.5) await new Promise(setImmediate);
      }
      await end(socket, draw);
      if (how !== 'close its side and read') socket.destroy();
      if (!socket.closed) await closed(socket);
    }
  }

  let asked = 0;
  const wrong: string[] = [];
  async function beHonest(draw: () => number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const whole = [...lines(10_000)].join('');
    while (goesOn()) {
      const id = `${Math.floor(draw() * 1e9)}`;
      const body = JSON.stringify({ id, text: 'ü'.repeat(draw() * 20_000) });
      const [method, path, sent, expected] = (
        [
          ['GET', `/now/${id}`, undefined, id],
          ['GET', `/later/${id}`, undefined, id],
          ['GET', '/lines', undefined, whole],
          ['POST', '/echo', body, body],
        ] as const
      )[Math.floor(draw() * 4)] as readonly [string, string, string | undefined, string];
      const answer = await ask(agent, method, path, sent);
      asked++;
      if (answer.status !== 200 || answer.text !== expected)
        wrong.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 100)}`);
    }
    agent.destroy();
  }

  function ask(agent: Agent, method: string, path: string, sent: string | undefined): Promise<{ status: number; text: string }> {
    return new Promise((resolve) => {
      const failed = (error: Error): void => resolve({ status: 0, text: error.message });
      const headers = { authorization: 'Bearer honest' };
      const req = request({ host: '127.0.0.1', port, agent, method, path, headers }, (res) => {
        const parts: Buffer[] = [];
        res.on('data', (part: Buffer) => parts.push(part)).on('error', failed);
        res.on('end', () => resolve({ status: res.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
      });
      req.on('error', failed).end(sent);
    });
  }

  const clients = [
    ...Array.from({ length: hostileClients }, (_, i) => beHostile(new Chance(seed + i).next)),
    ...Array.from({ length: honestClients }, (_, i) => beHonest(new Chance(seed + 1000 + i).next)),
  ];
  await Promise.all(clients);
  t.strictSame(wrong, [], 'honest clients get what they ask for');
  t.ok(asked >= honestClients, `${asked} honest requests`);
  t.ok(done.size > 20, `${done.size} kinds of hostility`);

  await listener.idle();
  while (listener.stats().connections > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  t.match(listener.stats(), { connections: 0, requestsInFlight: 0, bodiesBytes: 0, outputBytes: 0 });
  t.strictSame(logged, [], 'nothing of it is a fault of the server');
  const taken = (await heldBytes()) - before;
  t.ok(taken < 20_000_000, `${taken} bytes are left`);
  t.comment(JSON.stringify(listener.stats()));
});
