/** A request for an upgrade is answered without one, and no later bytes of its connection are a request. */
import { once } from 'node:events';
import net from 'node:net';
import t, { type Test } from 'tap';
import { type ApiRequest, type Endpoint, paramOf, type Reply, serve, serveHost } from './harness.ts';

const get = (id: string, more = ''): string => `GET /n/${id} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const post = (id: string, more: string, body: string): string => `POST /n/${id} HTTP/1.1\r\nHost: x\r\n${more}\r\n${body}`;

/** Headers of requests that ask for another protocol. */
const askings = {
  'a websocket': 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n',
  h2c: 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n',
  'one of several options': 'Connection: keep-alive,uPGRADE ,x\r\nUpgrade: a/1, b/2\r\n',
  'an empty protocol': 'Connection: upgrade\r\nUpgrade:\r\n',
  'no protocol': 'Connection: UPGRADE\r\n',
  'no option': 'Upgrade: h2c\r\n',
} as const;

/** What comes after it: a request, half a request, HTTP/2, a tunnel, a frame of a websocket. */
const rests = [
  get('after'),
  'GET /n/after HT',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  '\x81\x85\x00\x00\x00\x00hello',
];

const sound = rests.slice(0, 2);

interface Stage {
  readonly asked: string[];
  readonly port: number;
  /** Answers of requests whose id begins with "slow" wait until this is called. */
  release(): void;
  inFlight(): number;
}

function endpointsOf(asked: string[], answers: (() => void)[]): Endpoint<string>[] {
  const handle = (request: ApiRequest<unknown>): Reply | Promise<Reply> => {
    const id = paramOf(request, 'id');
    asked.push(id);
    const reply: Reply = { kind: 'json', status: 200, json: JSON.stringify({ id, body: request.body }) };
    return id.startsWith('slow') ? new Promise((resolve) => answers.push(() => resolve(reply))) : reply;
  };
  const at = { path: '/n/:id', prefixes: [''], public: true, handle } as const;
  return [
    { method: 'GET', ...at },
    { method: 'POST', ...at, acceptsBody: true },
  ];
}

const servers: Record<string, (t: Test) => Promise<Stage>> = {
  async 'the own server'(t) {
    const asked: string[] = [];
    const answers: (() => void)[] = [];
    const { port, listener } = await serve(t, endpointsOf(asked, answers));
    return { asked, port, release: () => answers.shift()?.(), inFlight: () => listener.inFlight };
  },
  async 'a host server'(t) {
    const asked: string[] = [];
    const answers: (() => void)[] = [];
    const { listener } = await serve(t, endpointsOf(asked, answers));
    const port = await serveHost(t, listener.handler);
    return { asked, port, release: () => answers.shift()?.(), inFlight: () => listener.inFlight };
  },
};

/** A connection, and all that comes over it until the server closes it. A server that goes on reading sees the end after a while. */
function connect(t: Test, port: number): { socket: net.Socket; closed: Promise<string> } {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
  const end = setTimeout(() => socket.end(), 500);
  t.teardown(() => {
    clearTimeout(end);
    socket.destroy();
  });
  let text = '';
  socket.on('data', (chunk) => (text += chunk)).on('error', () => {});
  return { socket, closed: once(socket, 'close').then(() => text) };
}

const idsIn = (text: string): string[] => [...text.matchAll(/"id":"(\w+)"/g)].map(([, id]) => id as string);

for (const [where, start] of Object.entries(servers)) {
  for (const [what, headers] of Object.entries(askings)) {
    t.test(`${what} on ${where}: no request after it in the same packet is executed`, async (t) => {
      const { asked, port, inFlight } = await start(t);
      // What a foreign server does with bytes that are no HTTP is its own affair.
      for (const rest of where === 'the own server' ? rests : sound) {
        asked.length = 0;
        const { socket, closed } = connect(t, port);
        socket.write(get('one') + get('two', headers) + rest);
        const text = await closed;
        t.strictSame(asked, ['one', 'two'], JSON.stringify(rest));
        t.strictSame(idsIn(text), ['one', 'two']);
        t.equal(text.match(/HTTP\/1\.1 /g)?.length, 2, 'and nothing is said of the rest');
        t.match(text.slice(text.lastIndexOf('HTTP/1.1 ')), /\r\nConnection: close\r\n/);
        t.equal(inFlight(), 0);
      }
    });

    t.test(`${what} on ${where}: no request in a packet before its response is executed`, async (t) => {
      const { asked, port, release, inFlight } = await start(t);
      for (const rest of rests) {
        asked.length = 0;
        const { socket, closed } = connect(t, port);
        socket.write(get('slow', headers));
        while (asked.length === 0) await new Promise(setImmediate);
        for (let i = 0; i < 3; i++) {
          socket.write(rest);
          for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
        }
        release();
        const text = await closed;
        t.strictSame(asked, ['slow'], JSON.stringify(rest));
        t.strictSame(idsIn(text), ['slow']);
        t.equal(text.match(/HTTP\/1\.1 /g)?.length, 1);
        t.equal(inFlight(), 0);
      }
    });
  }

  t.test(`an upgrade request with a body on ${where}: the body is read, and no request after it`, async (t) => {
    const { asked, port } = await start(t);
    const { h2c } = askings;
    const sized = post('sized', `${h2c}Content-Length: 7\r\n`, '{"a":1}');
    const chunked = post('chunked', `${h2c}Transfer-Encoding: chunked\r\n`, '3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n');
    for (const request of [sized, chunked]) {
      for (const cut of [0, request.length - 4, request.length]) {
        asked.length = 0;
        const { socket, closed } = connect(t, port);
        socket.write(request.slice(0, cut));
        for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
        socket.write(request.slice(cut) + get('after'));
        const text = await closed;
        t.strictSame(asked, [request === sized ? 'sized' : 'chunked'], `${cut}`);
        t.match(text, /^HTTP\/1\.1 200 OK\r\n[\s\S]*"body":\{"a":1\}\}$/);
      }
    }
  });
}

t.test('an upgrade request with an unreadable body is not executed and ends its connection', async (t) => {
  const asked: string[] = [];
  const { port } = await serve(t, endpointsOf(asked, []), { limits: { bodyStallTimeoutMs: 100 } });
  const { socket, closed } = connect(t, port);
  // Node's parser says nothing of it after such a head.
  socket.write(post('one', `${askings.h2c}Transfer-Encoding: chunked\r\n`, 'x\r\n') + get('after'));
  t.match(await closed, /^HTTP\/1\.1 4\d\d /);
  t.strictSame(asked, []);
});

t.test('a response to an upgrade request is complete although the client sends more meanwhile', async (t) => {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const { port, listener } = await serve(t, endpointsOf(asked, answers));
  const { socket, closed } = connect(t, port);
  socket.write(get('slow', askings['a websocket']));
  while (asked.length === 0) await new Promise(setImmediate);
  const flood = Buffer.alloc(8 * 1024 * 1024, get('after'));
  await new Promise((resolve) => socket.write(flood, resolve));
  answers[0]?.();
  t.strictSame(idsIn(await closed), ['slow']);
  t.strictSame(asked, ['slow']);
  t.strictSame(listener.stats().refused, {});
});
