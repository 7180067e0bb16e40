// tier: normal
/** The faults of the proxy that the tests of the cluster put between processes. */
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { startProxy, type TcpProxy } from './support/tcp-proxy.ts';

/** A server that answers what it gets in upper case. */
async function startEcho(t: Test): Promise<{ readonly port: number; readonly received: string[] }> {
  const received: string[] = [];
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received.push(chunk.toString());
      socket.write(chunk.toString().toUpperCase());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { port: (server.address() as net.AddressInfo).port, received };
}

class Client {
  readonly socket: net.Socket;
  readonly closed: Promise<string>;
  text = '';

  constructor(t: Test, proxy: TcpProxy) {
    this.socket = net.connect(proxy.port, '127.0.0.1');
    this.socket.on('data', (chunk) => {
      this.text += chunk.toString();
    });
    this.closed = new Promise((resolve) => {
      this.socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
      this.socket.once('close', () => resolve('end'));
    });
    t.teardown(() => this.socket.destroy());
  }

  /** Sends this and waits until all of the answer is there. */
  async echoes(text: string): Promise<void> {
    const wanted = this.text + text.toUpperCase();
    this.socket.write(text);
    while (this.text !== wanted) await once(this.socket, 'data');
  }
}

/** Long enough for bytes on loopback, were they not lost or held. */
const quietMs = 30;

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await sleep(1);
};

t.test('the proxy passes bytes and the end of a connection', async (t) => {
  const { port } = await startEcho(t);
  const client = new Client(t, await startProxy(t, port));
  await client.echoes('one');
  await client.echoes('two');
  client.socket.end();
  t.equal(await client.closed, 'end');
});

t.test('the proxy passes megabytes completely, with and without a delay', async (t) => {
  const { port } = await startEcho(t);
  const proxy = await startProxy(t, port);
  for (const fault of ['pass', { delay: 5 }] as const) {
    proxy.fault = fault;
    await new Client(t, proxy).echoes('abcdefgh'.repeat(512 * 1024));
  }
});

t.test('the fault delay keeps the order of bytes, also when it ends', async (t) => {
  const { port } = await startEcho(t);
  const proxy = await startProxy(t, port);
  const client = new Client(t, proxy);
  await client.echoes('a');
  proxy.fault = { delay: 20 };
  await client.echoes('b');
  client.socket.write('c');
  // All timers are those of this process, so this one is the earlier, however slow the machine is.
  await sleep(1);
  t.equal(client.text, 'AB');
  proxy.fault = 'pass';
  client.socket.write('d');
  await until(() => client.text.length === 4);
  t.equal(client.text, 'ABCD');
});

t.test('the fault hold keeps bytes and new connections until it ends', async (t) => {
  const { port, received } = await startEcho(t);
  const proxy = await startProxy(t, port);
  const client = new Client(t, proxy);
  await client.echoes('a');
  proxy.fault = { hold: 'both' };
  client.socket.write('b');
  const later = new Client(t, proxy);
  later.socket.write('x');
  await sleep(quietMs);
  t.same(received, ['a']);
  proxy.fault = 'pass';
  await until(() => client.text === 'AB' && later.text === 'X');
});

t.test('the fault hold toward the client still passes bytes to the server', async (t) => {
  const { port, received } = await startEcho(t);
  const proxy = await startProxy(t, port);
  const client = new Client(t, proxy);
  await client.echoes('a');
  proxy.fault = { hold: 'toClient' };
  client.socket.write('b');
  await until(() => received.length === 2);
  await sleep(quietMs);
  t.equal(client.text, 'A');
  proxy.fault = 'pass';
  await until(() => client.text === 'AB');
});

t.test('the fault drop loses bytes, and resets exactly the connections that lost some', async (t) => {
  const { port, received } = await startEcho(t);
  for (const drop of ['toServer', 'toClient', 'both'] as const) {
    const proxy = await startProxy(t, port);
    const [client, idle] = [new Client(t, proxy), new Client(t, proxy)];
    await client.echoes('a');
    await idle.echoes('i');
    received.length = 0;
    proxy.fault = { drop };
    client.socket.write('b');
    if (drop === 'toClient') await until(() => received.length === 1);
    await sleep(quietMs);
    t.same(received, drop === 'toClient' ? ['b'] : [], drop);
    t.equal(client.text, 'A', drop);
    proxy.fault = 'pass';
    t.equal(await client.closed, 'ECONNRESET', drop);
    await idle.echoes('j');
    await new Client(t, proxy).echoes('c');
  }
});

t.test('the fault drop hides the end of a connection from the other side', async (t) => {
  const { port } = await startEcho(t);
  const proxy = await startProxy(t, port);
  const client = new Client(t, proxy);
  await client.echoes('a');
  proxy.fault = { drop: 'both' };
  client.socket.resetAndDestroy();
  const other = new Client(t, proxy);
  proxy.retarget(1);
  const refused = new Client(t, proxy);
  await sleep(quietMs);
  t.equal(other.socket.readyState, 'open');
  t.equal(refused.socket.readyState, 'open', 'no server listens there');
});

t.test('the fault reset ends all connections, and retarget redirects new ones', async (t) => {
  const [one, two] = [await startEcho(t), await startEcho(t)];
  const proxy = await startProxy(t, one.port);
  const client = new Client(t, proxy);
  await client.echoes('a');
  proxy.fault = 'reset';
  t.equal(await client.closed, 'ECONNRESET');
  t.equal(await new Client(t, proxy).closed, 'ECONNRESET');
  proxy.fault = 'pass';
  const kept = new Client(t, proxy);
  await kept.echoes('b');
  proxy.retarget(two.port);
  await new Client(t, proxy).echoes('c');
  await kept.echoes('d');
  t.same([one.received, two.received], [['a', 'b', 'd'], ['c']]);
});
