// process: own
/** Many clients that request a large list and do not read it: their memory does not grow with the list. */
import { once } from 'node:events';
import net from 'node:net';
import t from 'tap';
import { startMapwright } from '../support/mapwright.ts';
import { heldBytes } from '../support/memory.ts';
import { test } from '../support/test.ts';

test.all('clients that do not read a list of 10,000 artboards hold a few hundred kilobytes each', async (t) => {
  const mapwright = await startMapwright(t, { segmentBytes: 16 * 1024 * 1024 });
  const artboard = { objects: [{ type: 'spot' }] };
  const project = (await mapwright.post('/projects', { artboards: Array.from({ length: 10_000 }, () => artboard) })).shown;
  const list = `/v1/projects/${project.id}/artboards`;
  const whole = (await mapwright.ask('GET', list)).text;
  const before = await heldBytes();
  const readers = 20;
  // In HTTP/1.0, so that an answer is its bytes until the end, without chunks.
  const sockets = await Promise.all(
    Array.from({ length: readers }, async () => {
      const socket = net.connect(mapwright.port, '127.0.0.1');
      t.teardown(() => socket.destroy());
      socket.write(`GET ${list} HTTP/1.0\r\nAuthorization: Bearer ${mapwright.key}\r\n\r\n`);
      await once(socket, 'readable');
      return socket;
    }),
  );
  const taken = (await heldBytes()) - before;
  // A view of each artboard, and of what it holds, would be some 700 bytes: 140 MB for all readers.
  t.ok(taken < readers * 1_000_000, `${taken} bytes`);

  // Nor does it cost them anything: it is the list as it was when they asked, whatever has become of it since.
  t.equal((await mapwright.patch(`/projects/${project.id}`, { artboards: [] })).status, 200);
  const [late] = sockets as [net.Socket];
  const parts: Buffer[] = [];
  late.on('data', (part: Buffer) => parts.push(part));
  await once(late, 'end');
  const text = Buffer.concat(parts).toString();
  // Not by t.equal: it would print what differs, megabytes of it.
  t.ok(text.slice(text.indexOf('\r\n\r\n') + 4) === whole);
});

t.test('the memory of a sorted list counts as pending bytes while its client does not read', async (t) => {
  const mapwright = await startMapwright(t, { segmentBytes: 16 * 1024 * 1024 });
  const count = 20_000;
  const objects = Array.from({ length: count }, (_, i) => ({ type: 'spot', name: `${(i * 7919) % count}` }));
  const project = (await mapwright.post('/projects', { artboards: [{ objects }] })).shown;
  const [artboard] = project['artboards'] as [{ id: string }];
  const waiting = async () => {
    const { text } = await mapwright.ask('GET', '/metrics');
    return Number(/^mapwright_http_responses_pending_bytes (.*)$/m.exec(text)?.[1]);
  };
  /** Bytes that count for a reader who does not read. */
  const countedFor = async (query: string) => {
    const socket = net.connect(mapwright.port, '127.0.0.1').pause();
    const target = `/v1/projects/${project.id}/artboards/${artboard.id}/objects${query}`;
    socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${mapwright.key}\r\n\r\n`);
    let bytes = 0;
    while (bytes === 0) bytes = await waiting();
    socket.destroy();
    while ((await waiting()) > 0);
    return bytes;
  };
  const [plain, sorted] = [await countedFor(''), await countedFor('?sort=name')];
  t.ok(sorted > plain + 3 * count, `${sorted} bytes, and ${plain} in the order of the list`);
});
