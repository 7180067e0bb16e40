// process: own
/** The ways to execute a command on one machine, and through two nodes without a database. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import t from 'tap';
import { followerNode, ownerNode } from '../cluster/support/forwarding.ts';
import { serverOfTier, silent } from '../support/mapwright.ts';
import { temporaryFolder } from '../support/process.ts';
import { execution, inProcess, limits, overHttp } from './execution.ts';

t.setTimeout(600_000);

execution(t, async (t) => {
  const data = path.join(temporaryFolder(t), 'data');
  const options = { data, log: silent, versions: false, segmentBytes: 1024 * 1024, limits, compression: false };
  const server = await serverOfTier(options);
  t.teardown(() => server.close());
  const { url } = await server.listen(0);
  const { key } = await server.createKey('ann');
  const host = createServer(server.handler).listen(0, '127.0.0.1');
  await once(host, 'listening');
  t.teardown(() => {
    host.closeAllConnections();
    host.close();
  });
  const owner = await ownerNode(t, server.begin, { limits });
  const follower = await followerNode(t, owner, limits);
  return {
    server,
    ways: [
      overHttp('socket', url, key),
      inProcess(server),
      overHttp('handler', `http://127.0.0.1:${(host.address() as AddressInfo).port}`, key),
      overHttp('owner', owner.url, key),
      overHttp('forwarded', `http://127.0.0.1:${follower.port}`, key),
    ],
  };
});
