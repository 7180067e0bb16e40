/** Pipelined requests: executed one by one, in order, and only while their client is connected. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import net from 'node:net';
import t, { type Test } from 'tap';
import { type ApiRequest, type Endpoint, lastAnswer, paramOf, type Reply, rawOf, serve, serveHost } from './harness.ts';

const get = (id: number | string, more = ''): string => `GET /n/${id} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const turns = async (count = 20): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
};

/** An endpoint that records the requests and answers when the test says so, or immediately if `open`. */
function counting(open = true) {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const handle = (request: ApiRequest<unknown>): Reply | Promise<Reply> => {
    const id = paramOf(request, 'id');
    asked.push(id);
    const reply: Reply = { kind: 'json', status: 200, json: `{"id":"${id}"}` };
    return open ? reply : new Promise<Reply>((resolve) => answers.push(() => resolve(reply)));
  };
  const endpoints: Endpoint<string>[] = [
    { method: 'GET', path: '/n/:id', prefixes: [''], public: true, handle },
    { method: 'POST', path: '/n/:id', prefixes: [''], public: true, acceptsBody: true, handle },
  ];
  return { asked, answers, endpoints };
}

function connect(t: Test, port: number): { socket: net.Socket; text(): string } {
  const socket = net.connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk)).on('error', () => {});
  t.teardown(() => socket.destroy());
  return { socket, text: () => text };
}

t.test('responses to 1,500 pipelined requests come in order', async (t) => {
  const { asked, endpoints } = counting();
  const { port, listener } = await serve(t, endpoints);
  const warned: Error[] = [];
  const warn = (warning: Error): void => void warned.push(warning);
  process.on('warning', warn);
  t.teardown(() => process.off('warning', warn));
  const ids = Array.from({ length: 1500 }, (_, i) => `${i}`);
  const requests = ids.map((id, i) =>
    i % 5 === 0
      ? `POST /n/${id} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`
      : get(id, id === '1499' ? 'Connection: close\r\n' : ''),
  );
  const text = await rawOf(port, [requests.join('')]);
  t.strictSame(asked, ids);
  t.strictSame(
    [...text.matchAll(/"id":"(\d+)"/g)].map(([, id]) => id),
    ids,
  );
  t.equal(listener.inFlight, 0);
  t.strictSame(warned, []);
});

t.test('a pipelined request starts after the response to the one before it is sent', async (t) => {
  const { asked, answers, endpoints } = counting(false);
  const { port, listener } = await serve(t, endpoints);
  const { socket, text } = connect(t, port);
  socket.write(`${get(1)}${get(2).replace('GET', 'HEAD')}${get('%ZZ/x')}${get(3)}`);
  while (answers.length === 0) await turns(1);
  await turns();
  t.strictSame(asked, ['1']);
  t.equal(listener.inFlight, 4, 'those that wait count');
  answers[0]?.();
  while (asked.length === 1) await turns(1);
  t.match(text(), '"id":"1"');
  await turns();
  t.strictSame(asked, ['1', '2']);
  answers[1]?.();
  while (asked.length === 2) await turns(1);
  answers[2]?.();
  await listener.idle();
  await turns();
  t.strictSame(text().match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
  t.equal(lastAnswer(text()).json['id'], '3');
});

t.test('waiting pipelined requests of a disconnected client never start', async (t) => {
  const half = 'POST /n/3 HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{}';
  for (const rest of [get(3), half]) {
    const { asked, answers, endpoints } = counting(false);
    const { port, listener } = await serve(t, endpoints);
    const { socket } = connect(t, port);
    socket.write(`${get(1)}${get(2)}${rest}`);
    while (listener.inFlight < 3) await turns(1);
    socket.resetAndDestroy();
    await listener.idle();
    answers[0]?.();
    await turns();
    t.strictSame(asked, ['1']);
  }
});

t.test('a client that closes its side gets the responses to its complete requests', async (t) => {
  const half = 'POST /n/3 HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{}';
  for (const [rest, owed] of [
    ['', ['1', '2']],
    [get(3), ['1', '2', '3']],
    [half, ['1', '2']],
  ] as const) {
    const { asked, answers, endpoints } = counting(false);
    const { port, listener } = await serve(t, endpoints);
    const { socket, text } = connect(t, port);
    socket.end(`${get(1)}${get(2)}${rest}`);
    const closed = once(socket, 'close');
    for (let i = 0; i < owed.length; i++) {
      while (answers.length === i) await turns(1);
      await turns();
      answers[i]?.();
    }
    await closed;
    await listener.idle();
    t.strictSame(asked, owed);
    t.strictSame(
      [...text().matchAll(/"id":"(\d+)"/g)].map(([, id]) => id),
      owed,
    );
    t.equal(text().match(/HTTP\/1.1/g)?.length, owed.length, 'and nothing is said of what was not');
  }
});

t.test('requests of a vanished client do not start after the second failed write', async (t) => {
  const { asked, answers, endpoints } = counting(false);
  const { port, listener } = await serve(t, endpoints);
  const { socket } = connect(t, port);
  socket.write(Array.from({ length: 10 }, (_, i) => get(i)).join(''));
  while (listener.inFlight < 10) await turns(1);
  socket.destroy();
  await turns();
  for (let i = 0; i < 2; i++) {
    while (answers.length === i) await turns(1);
    answers[i]?.();
  }
  await listener.idle();
  await turns();
  t.strictSame(asked, ['0', '1']);
});

t.test('a chunked body of a waiting pipelined request arrives whole', async (t) => {
  const { answers, endpoints } = counting(false);
  const { port } = await serve(t, endpoints);
  const { socket, text } = connect(t, port);
  const chunks = (body: string): string => `${[...body].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`;
  const post = (id: number): string => `POST /n/${id} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const body = JSON.stringify({ a: 'x'.repeat(1000) });
  const sent = chunks(body);
  socket.write(`${get(1)}${post(2)}${sent}${post(3)}${sent.slice(0, 3000)}`);
  while (answers.length === 0) await turns(1);
  socket.write(`${sent.slice(3000)}${get(4, 'Connection: close\r\n')}`);
  await turns();
  for (let i = 0; i < 4; i++) {
    while (answers.length === i) await turns(1);
    answers[i]?.();
  }
  await once(socket, 'close');
  t.strictSame(
    [...text().matchAll(/"id":"(\d+)"/g)].map(([, id]) => id),
    ['1', '2', '3', '4'],
  );
});

t.test('pipelined requests after the last response of a connection never start', async (t) => {
  const { asked, answers, endpoints } = counting(false);
  const { port, listener } = await serve(t, endpoints);
  const text = rawOf(port, [get(1), get(2), get(3)]);
  while (listener.inFlight < 3) await turns(1);
  listener.drain();
  answers[0]?.();
  await listener.idle();
  t.strictSame((await text).match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 200']);
  t.strictSame(asked, ['1']);
});

t.test('a connection with too many waiting requests is not read until fewer wait', async (t) => {
  const { asked, answers, endpoints } = counting(false);
  const { port, listener } = await serve(t, endpoints);
  const { socket } = connect(t, port);
  const many = 40_000;
  socket.write(Array.from({ length: many }, (_, i) => get(i)).join(''));
  while (answers.length === 0) await turns(1);
  await turns(200);
  t.ok(listener.inFlight > 0 && listener.inFlight < many / 4, `${listener.inFlight} were read`);
  t.strictSame(asked, ['0']);
  const first = listener.inFlight;
  for (let i = 0; i < first + 10; i++) {
    while (answers[i] === undefined) await turns(1);
    answers[i]?.();
  }
  t.ok(asked.length > first, 'reading goes on');
  socket.destroy();
  // A connection that is not read shows that nobody is there when it is written to.
  while (listener.inFlight > 0) {
    answers.at(-1)?.();
    await turns(1);
  }
  t.ok(asked.length < many / 4, 'nothing is done for nobody');
});

t.test('pipelined requests in a host server are answered in order', async (t) => {
  const { asked, endpoints } = counting();
  const { listener } = await serve(t, endpoints);
  const theirs: ServerResponse[] = [];
  const port = await serveHost(t, (req, res) => {
    if (req.url === '/theirs') theirs.push(res);
    else listener.handler(req, res);
  });
  const own = 'GET /theirs HTTP/1.1\r\nHost: x\r\n\r\n';

  const text = rawOf(port, [`${get(1)}${own}${get(2)}${get(3, 'Connection: close\r\n')}`]);
  while (theirs.length === 0) await turns(1);
  await turns();
  theirs[0]?.end('theirs');
  t.match(await text, /"1"[\s\S]*theirs[\s\S]*"2"[\s\S]*"3"/);
  t.strictSame(asked, ['1', '2', '3']);
  t.equal(listener.inFlight, 0);

  const { socket } = connect(t, port);
  socket.write(`${own}${get(4)}${get(5)}`);
  while (theirs.length === 1) await turns(1);
  await turns();
  t.equal(listener.inFlight, 2);
  socket.destroy();
  await listener.idle();
  t.strictSame(asked, ['1', '2', '3', '4']);
});
