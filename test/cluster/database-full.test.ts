// tier: all, process: own
/** The disk of the databases fills up: writes are refused and resume; no acknowledged write is lost. */
import fs from 'node:fs';
import t from 'tap';
import { fill, skipWithoutSmallDisk as skip, smallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';
import { send, startCluster, Writers } from './support/cluster.ts';
import type { ClusterNode } from './support/nodes.ts';

t.setTimeout(180_000);

t.test('writes get 503 while the disk of the databases is full, and resume when it has room', { skip }, async (t) => {
  // Room for two servers and what the test writes.
  const disk = smallDisk(t, 400);
  // Servers run as another user, who must reach their folder.
  fs.chmodSync(disk, 0o755);
  const cluster = await startCluster(t, {
    postgres: { parent: disk },
    count: 2,
    flags: ['--lease', '1s', '--write-timeout', '2'],
  });
  const [node] = cluster.nodes as [ClusterNode, ClusterNode];
  const writers = new Writers(cluster, 4);
  await writers.more(20);
  const filler = fill(disk);
  const large = { name: 'x'.repeat(100_000) };
  await until('a write is refused', async () => {
    const answer = await send(node, cluster.key, 'POST', '/v1/projects', large).catch(() => undefined);
    return answer?.status === 503;
  });
  fs.ftruncateSync(filler, 0);
  fs.closeSync(filler);
  for (const server of cluster.pair.servers) if (!server.isRunning) await server.start();
  const goal = writers.acknowledged.length + 20;
  await until('writes are acknowledged again', () => writers.acknowledged.length > goal);
  await writers.stop();
  for (const one of cluster.nodes) t.same(await writers.compare(one), [], `${writers.acknowledged.length} acknowledged`);
});
