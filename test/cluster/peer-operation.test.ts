// tier: normal, process: own
/** Operations of commands at the node that carries them out: each at most once. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { OperationReceiver } from '../../src/cluster/forward/peer-operation.ts';

t.test('an operation is carried out at most once, also after many others', async (t) => {
  const done: string[] = [];
  let renewals = 0;
  const respond = async (line: string) => {
    done.push(line);
    return { ok: true as const, result: null };
  };
  const receiver = new OperationReceiver(
    () => respond,
    () => renewals++,
    3,
  );
  const server = http.createServer((req, res) => void receiver.handle(req, res, 0)).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const send = async (id: string): Promise<number> => {
    const sha256 = createHash('sha256').update(id).digest('hex');
    const target = `http://127.0.0.1:${port}/mapwright-peer-operation?id=${id}&sha256=${sha256}`;
    const response = await fetch(target, { method: 'POST', body: id });
    await response.text();
    return response.status;
  };
  for (const id of ['a', 'b', 'c', 'd']) t.equal(await send(id), 200, id);
  t.equal(renewals, 1, 'signatures of the first three are refused from now on');
  for (const id of ['a', 'd']) t.equal(await send(id), 400, `${id} again`);
  for (const id of ['e', 'f', 'g']) t.equal(await send(id), 200, id);
  t.strictSame(done, ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
});
