// tier: all, process: own
/** Two shards and three nodes as processes: an owner is killed, and the commands of `mapwright cluster` by shard. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { askServer } from '../../../src/server/admin/control-socket.ts';
import { run, temporaryFolder } from '../../support/process.ts';
import { until } from '../../support/until.ts';
import { ownerOf, type RunningCluster, send, startCluster } from '../support/cluster.ts';
import type { ClusterNode } from '../support/nodes.ts';

t.setTimeout(240_000);

const leaseMs = 1_000;
let cluster: RunningCluster;
/** A key of each shard. */
const keys: string[] = [];

t.before(async () => {
  cluster = await startCluster(t, { shards: 2, flags: ['--lease', `${leaseMs / 1000}s`] });
  const [first] = cluster.nodes as [ClusterNode];
  await until('both shards have an owner', async () => (await ownerOf(cluster, 1)) !== undefined);
  keys.push(cluster.key, (await askServer(first.data, 'keys.create', { account: 'second' })).key);
  const [row] = await cluster.pair.primary.sql("SELECT shard FROM mw_account WHERE name = 'second'");
  t.equal(row?.['shard'], 1);
});

async function owner(shard: number): Promise<ClusterNode> {
  const node = await ownerOf(cluster, shard);
  if (node === undefined) throw new Error(`no node owns shard ${shard}`);
  return node;
}

t.test('only the first owner of shard 0 prints the first key', (t) => {
  const printed = cluster.nodes.filter(({ output }) => output.includes('Its API key'));
  t.equal(printed.length, 1);
  t.match(cluster.nodes.map(({ output }) => output).join(), /This node owns shard 1 now: 0 projects/);
  t.end();
});

t.test('a killed owner is replaced for its shard while the other shard keeps answering', async (t) => {
  const [zero, one] = [await owner(0), await owner(1)];
  const spare = cluster.nodes.find((node) => node !== zero && node !== one) as ClusterNode;
  const made = await send(spare, keys[1] as string, 'POST', '/v1/projects', { name: 'kept' });
  t.equal(made.status, 200);
  const answers: number[] = [];
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      for (const node of [zero, spare]) answers.push((await send(node, keys[0] as string, 'POST', '/v1/projects', {})).status);
      await sleep(20);
    }
  })();
  await one.kill();
  await until('the spare owns shard 1', async () => (await ownerOf(cluster, 1)) === spare);
  const { id } = JSON.parse(made.text) as { id: string };
  for (const node of [zero, spare])
    await until('what was written is there', async () => {
      const { status } = await send(node, keys[1] as string, 'GET', `/v1/projects/${id}`);
      return status === 200;
    });
  isOver = true;
  await reading;
  t.same(new Set(answers), new Set([200]));
  t.ok(answers.length > 20, `${answers.length} requests`);
  t.equal(await owner(0), zero, 'it owns shard 0 and nothing else');
  await one.start();
  await one.answers('/readyz', 200);
  for (const key of keys) t.equal((await send(one, key, 'GET', '/v1/projects')).status, 200);
});

t.test('cluster release and cluster leave require --shard in a cluster with shards', async (t) => {
  const url = cluster.pair.urls;
  const command = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await run(['cluster', ...args, '--cluster', url]);
    return { code, text: stdout + stderr };
  };
  const unnamed = 'The cluster has 2 shards. Name one: mapwright cluster release --shard 0 (to 1).\n';
  t.same(await command('release'), { code: 1, text: unnamed });
  const before = (await owner(1)).url;
  t.match(await command('release', '--shard', '1'), { code: 0, text: new RegExp(`owns shard 1 now. ${before} follows`) });
  const left = path.join(temporaryFolder(t), 'left');
  t.match(await command('leave', '--into', left), { code: 1, text: /Name one: mapwright cluster leave --shard 0/ });
  const folder = await command('leave', '--into', left, '--shard', '1', '--json');
  t.equal(folder.code, 0, folder.text);
  t.match(JSON.parse(folder.text), { accounts: 1, projects: 1 });
  const verified = await command('verify', '--json');
  t.match(JSON.parse(verified.text), { shards: [{ shard: 0 }, { shard: 1 }], findings: [] });
  t.match(await command('fork', '--shard', '1', '--yes'), { code: 1, text: /^Shard 1 is not halted/ });
  const status = await command('status');
  t.match(status.text, /^Shard 0: record \d+, epoch \d+, owned by .*\nShard 1: record \d+, epoch \d+, owned by /);
  // The former owner of shard 1 and the new one enter themselves within a second.
  let owned: string[] = [];
  await until('the status has one owner of each shard', async () => {
    const shown = JSON.parse((await command('status', '--json')).text) as { nodes: { shard: number | null }[] };
    owned = shown.nodes.map(({ shard }) => String(shard)).sort();
    return owned.join() === '0,1,null';
  });
  t.same(owned, ['0', '1', 'null']);
  const checks = async () => {
    const { stdout } = await run(['doctor', '--cluster', url, '--port', '0', '--json']);
    return (JSON.parse(stdout) as { checks: { name: string; verdict: string; found: string }[] }).checks;
  };
  t.match(
    (await checks()).find(({ name }) => name === 'cluster'),
    { verdict: 'ok', found: /^shard 0: record .*; shard 1: record .*, owned by / },
  );
  // The entry of a node changes two seconds after its role, at most.
  await until('the owner of shard 1 is announced', async () => {
    const nodes = (await checks()).find(({ name }) => name === 'nodes');
    return nodes?.verdict === 'ok' && /\(owner of shard 1, up to date\)/.test(nodes.found);
  });
});
