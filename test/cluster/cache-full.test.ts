// tier: all, process: own
/** The disk of the owner's data folder fills up: writes are refused without a follower, and go on at another node. */
import fs from 'node:fs';
import t from 'tap';
import { fill, skipWithoutSmallDisk as skip, smallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';
import { initCluster, ownerOf, send } from './support/cluster.ts';
import { type ClusterNode, makeNodes } from './support/nodes.ts';
import { startPostgres } from './support/postgres.ts';

t.setTimeout(180_000);

t.test('an owner with a full disk answers 507, or hands over to another node', { skip }, async (t) => {
  const pair = await startPostgres(t);
  await initCluster(pair);
  const nodes = await makeNodes(t, { cluster: pair.urls, count: 2, flags: ['--lease', '1s', '--segment-mb', '1'] });
  const [owner, other] = nodes as [ClusterNode, ClusterNode];
  fs.mkdirSync(owner.data);
  smallDisk(t, 24, owner.data);
  await owner.start();
  const key = await owner.firstKey();
  const cluster = { pair, nodes, key };
  const names = new Set<string>();
  const write = async (node: ClusterNode): Promise<number> => {
    const name = `${names.size} ${'x'.repeat(60_000)}`;
    const { status, text } = await send(node, key, 'POST', '/v1/projects', { name });
    if (status === 200) names.add((JSON.parse(text) as { id: string }).id);
    return status;
  };
  await write(owner);
  const filler = fill(owner.data);
  await until('a write is refused', async () => (await write(owner)) === 507);
  t.equal((await send(owner, key, 'GET', '/v1/projects?limit=1')).status, 200, 'reads go on');
  t.equal(await ownerOf(cluster), owner, 'nothing follows');

  await other.start();
  await until('the other node owns the data', async () => (await ownerOf(cluster)) === other);
  t.match(owner.output, /handing over because the disk of the data folder is full/);
  for (const node of nodes) {
    await until('every node writes', async () => (await write(node)) === 200);
    const { text } = await send(node, key, 'GET', '/v1/projects?fields=id');
    const found = new Set((JSON.parse(text) as { id: string }[]).map(({ id }) => id));
    t.same(
      [...names].filter((id) => !found.has(id)),
      [],
      'nothing is lost',
    );
  }
  t.equal(await ownerOf(cluster), other, 'a node with a full disk does not claim');
  fs.closeSync(filler);
});
