// tier: normal, process: own
/** A node asks another one whether it reaches an address: all responses, and authentication. */
import net from 'node:net';
import t, { type Test } from 'tap';
import { askPeer } from '../../src/cluster/peers/peer-reach.ts';
import { PeerSignature } from '../../src/cluster/peers/peer-signature.ts';
import { freePort } from '../support/ports.ts';
import { ask, codeOf, ownerNode, secret } from './support/forwarding.ts';

const signature = new PeerSignature(secret, 'asker');

/** A server that counts connections and answers each with a text, or not at all. */
async function listener(t: Test, text?: string): Promise<{ url: string; connections: () => number }> {
  let connections = 0;
  const server = net.createServer((socket) => {
    connections++;
    socket.on('error', () => undefined);
    if (text !== undefined) socket.end(text);
    else t.teardown(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`, connections: () => connections };
}

t.test('a peer reports what answers at an address', async (t) => {
  const peer = await ownerNode(t, () => undefined, { nodeId: 'peer' });
  peer.owns = false;
  const other = await ownerNode(t, () => undefined, { nodeId: 'other' });
  const found = (address: string) => askPeer(peer.url, address, signature);
  t.strictSame(await found(other.url), { node: 'other' });
  const port = await freePort();
  t.strictSame(await found(`http://127.0.0.1:${port}`), { error: `connect ECONNREFUSED 127.0.0.1:${port}` });
  const silent = await listener(t);
  t.strictSame(await found(silent.url), { error: `no answer from ${silent.url} within 1500 ms` });
  const stranger = await listener(t, 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
  t.strictSame(await found(stranger.url), { error: `what answers at ${stranger.url} is no node of this cluster` });
  const endless = await listener(t, `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(100_000)}`);
  t.strictSame(await found(endless.url), { error: `the answer of ${endless.url} is too long` });
  for (const address of ['', 'x', 'file:///etc/passwd', 'http://']) t.match(await found(address), { error: /.+/ }, address);
});

t.test('a peer that does not answer properly is ignored', async (t) => {
  const other = await ownerNode(t, () => undefined, { nodeId: 'other' });
  const found = (peer: string) => askPeer(peer, other.url, signature);
  t.equal(await found(`http://127.0.0.1:${await freePort()}`), undefined, 'nothing listens');
  const foreign = await ownerNode(t, () => undefined, { nodeId: 'foreign', secret: Buffer.alloc(32, 8) });
  t.equal(await found(foreign.url), undefined, 'a node of another cluster');
  t.equal(
    await found((await listener(t, 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')).url),
    undefined,
    'another server',
  );
});

t.test('only nodes of the cluster make a node connect to an address', async (t) => {
  const peer = await ownerNode(t, (_req, res) => void res.writeHead(404, { 'Content-Length': 0 }).end(), { nodeId: 'peer' });
  const target = await listener(t);
  const path = `/mapwright-peer-reach?url=${encodeURIComponent(target.url)}`;
  t.equal((await ask(peer.port, { path })).status, 404, 'without a signature it is a path like any other');
  const introduced = await ask(peer.port, { path, headers: ['Mapwright-Peer', 'challenge'] });
  t.strictSame([introduced.status, codeOf(introduced)], [421, 'unknown_nonce']);
  const [, nonce = ''] = String(introduced.headers['mapwright-peer']).split(' ');
  const parts = { shard: 0, method: 'GET', target: path, credentials: '', forwardedFor: '' };
  const forged = new PeerSignature(Buffer.alloc(32, 8), 'asker').sign(nonce, parts);
  t.equal((await ask(peer.port, { path, headers: ['Mapwright-Peer', forged] })).status, 403);
  const elsewhere = signature.sign(nonce, { ...parts, target: `${path}x` });
  t.equal((await ask(peer.port, { path, headers: ['Mapwright-Peer', elsewhere] })).status, 403, 'signed for another address');
  t.equal(target.connections(), 0);
});
