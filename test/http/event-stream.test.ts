/** Event streams on the wire: what arrives, in which pieces, and what ends them. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import net from 'node:net';
import t, { type Test } from 'tap';
import { admin, authorization, type Endpoint, type Reply, serve, serveHost } from './harness.ts';

type Events = Extract<Reply, { kind: 'events' }>['events'];
type EventStream = Parameters<Events>[0];

/** A source in the hands of the test. */
class Source implements ReturnType<Events> {
  readonly stream: EventStream;
  isWithinEvent = false;
  drains = 0;
  onDrained: () => void = () => undefined;
  beats = 0;
  isGone = false;
  look: () => void = () => undefined;

  constructor(stream: EventStream) {
    this.stream = stream;
  }

  drained(): void {
    this.drains++;
    this.onDrained();
    this.look();
  }

  heartbeat(): void {
    this.beats++;
    this.look();
  }

  onClose(): void {
    this.isGone = true;
    this.look();
  }

  async until(there: () => boolean): Promise<void> {
    while (!there()) {
      await new Promise<void>((resolve) => {
        this.look = resolve;
      });
    }
  }
}

/** An endpoint whose streams are put into a list. */
function endpointFor(sources: Source[]): Endpoint<string> {
  const events = (stream: EventStream) => {
    const source = new Source(stream);
    sources.push(source);
    return source;
  };
  return { method: 'GET', path: '/events', prefixes: admin, handle: () => ({ kind: 'events', status: 200, events }) };
}

const things: Endpoint<string> = {
  method: 'GET',
  path: '/things',
  prefixes: admin,
  handle: () => ({ kind: 'json', status: 200, json: '{}' }),
};

async function open(t: Test, port: number): Promise<IncomingMessage> {
  const req = get({ host: '127.0.0.1', port, path: '/v1/events', headers: { authorization }, agent: false });
  req.on('error', () => undefined);
  t.teardown(() => req.destroy());
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  return res.on('error', () => undefined);
}

const over = (res: IncomingMessage): Promise<void> => new Promise((resolve) => res.once('close', resolve));

t.test('an event stream delivers what is written until either side ends it', async (t) => {
  const sources: Source[] = [];
  const { port, listener } = await serve(t, [endpointFor(sources), things]);
  const res = await open(t, port);
  const [source] = sources as [Source];
  t.match(res.headers, { 'content-type': 'text/event-stream', connection: 'close', 'transfer-encoding': 'chunked' });
  t.equal(listener.inFlight, 0);
  let text = '';
  res.setEncoding('utf8').on('data', (part) => (text += part));
  t.ok(source.stream.write(Buffer.from('event: a\ndata: ü\n\n')));
  source.stream.end();
  t.ok(source.isGone);
  t.notOk(source.stream.write(Buffer.from('too late')));
  source.stream.end();
  await over(res);
  t.equal(text, 'retry: 2000\n\nevent: a\ndata: ü\n\n: the stream ends here\n\n');
  t.ok(res.complete);

  const within = await open(t, port);
  let part = '';
  within.setEncoding('utf8').on('data', (more) => (part += more));
  const [, cut] = sources as [Source, Source];
  cut.stream.write(Buffer.from('event: a\ndata: {"na'));
  cut.isWithinEvent = true;
  cut.stream.end();
  await over(within);
  t.equal(part, 'retry: 2000\n\nevent: a\ndata: {"na', 'an event that is cut has no end');

  const other = await open(t, port);
  other.destroy();
  await sources[2]?.until(() => sources[2]?.isGone === true);
  const third = await open(t, port);
  sources[3]?.stream.cut();
  await over(third);
  t.notOk(third.complete, 'cut off without a word');
  t.equal(listener.stats().streams, 0);
});

t.test('a source is notified when the socket drains, and unsent bytes are counted', async (t) => {
  const sources: Source[] = [];
  const { port, listener } = await serve(t, [endpointFor(sources)]);
  const res = await open(t, port);
  const [source] = sources as [Source];
  const piece = Buffer.alloc(64 * 1024, 'x');
  while (source.stream.write(piece));
  t.ok(listener.stats().outputBytes >= piece.length);
  res.resume();
  await source.until(() => source.drains > 0);
  t.equal(listener.stats().outputBytes, 0);
  t.notOk(source.isGone);
});

t.test('an event stream whose client reads nothing is disconnected after the timeout', async (t) => {
  const sources: Source[] = [];
  const { port, listener } = await serve(t, [endpointFor(sources)], { limits: { responseTimeoutMs: 100 } });
  const res = await open(t, port);
  const [source] = sources as [Source];
  // Until the kernel takes no more for a client that does not read.
  const piece = Buffer.alloc(64 * 1024, 'x');
  const fill = () => {
    while (source.stream.write(piece));
  };
  source.onDrained = fill;
  fill();
  await source.until(() => source.isGone);
  t.equal(listener.stats().readersCutOff.slow, 1);
  t.equal(listener.stats().outputBytes, 0);
  t.ok(res);
});

t.test('every open event stream gets heartbeats', async (t) => {
  const sources: Source[] = [];
  const { port } = await serve(t, [endpointFor(sources)], { limits: { heartbeatMs: 5 } });
  await Promise.all([open(t, port), open(t, port)]);
  for (const source of sources) await source.until(() => source.beats > 1);
  t.equal(sources.length, 2);
});

t.test('a drain ends open event streams and every later one', async (t) => {
  const sources: Source[] = [];
  const { port, listener } = await serve(t, [endpointFor(sources)]);
  const res = await open(t, port);
  res.resume();
  listener.drain();
  await Promise.all([listener.idle(), over(res)]);
  t.ok(sources[0]?.isGone);
  const late = await open(t, port);
  late.resume();
  await over(late);
  t.equal(sources.length, 1, 'the source is not even asked');
});

t.test('event streams answer HEAD without a source, a failing source with 500, and work in a host server', async (t) => {
  const sources: Source[] = [];
  const broken: Endpoint<string> = {
    ...{ method: 'GET', path: '/broken', prefixes: admin },
    handle: () => ({
      kind: 'events',
      status: 200,
      events: () => {
        throw new Error('no source');
      },
    }),
  };
  const { listener, ask, logged } = await serve(t, [endpointFor(sources), broken, things]);
  const head = await ask('/v1/events', { method: 'HEAD' });
  t.match([head.status, head.headers['content-type'], sources.length], [200, 'text/event-stream', 0]);
  await t.rejects(ask('/v1/broken'));
  t.match(logged, [['error', { err: { message: 'no source' } }, 'a request failed']]);
  t.equal(listener.stats().streams, 0);

  const res = await open(t, await serveHost(t, listener.handler));
  const closed = over(res.resume());
  sources[0]?.stream.write(Buffer.from(':\n\n'));
  sources[0]?.stream.end();
  await closed;
  t.ok(res.complete);
});

t.test('a client that closes its side of the connection ends its event stream', async (t) => {
  const sources: Source[] = [];
  const { port, listener } = await serve(t, [endpointFor(sources)]);
  const socket = net.connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  t.teardown(() => socket.destroy());
  socket.write(`GET /v1/events HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`);
  await once(socket, 'data');
  socket.end();
  await sources[0]?.until(() => sources[0]?.isGone === true);
  t.equal(listener.stats().streams, 0);
});
