// tier: normal, process: own
/**
 * Three nodes as processes on a real pair of databases: the owner is killed, stopped, paused and replaced, and nodes come back with a cache and
 * without one.
 */
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { test } from '../support/test.ts';
import { until } from '../support/until.ts';
import { ownerOf, type RunningCluster, send, startCluster, Writers } from './support/cluster.ts';
import type { ClusterNode } from './support/nodes.ts';

t.setTimeout(300_000);

/** The lease, after which others may claim: 1.25 times that without a sign of the owner. */
const leaseMs = 3_000;

let cluster: RunningCluster;

t.before(async () => {
  cluster = await startCluster(t, { flags: ['--segment-mb', '1', '--snapshot-mb', '1', '--log-keep', '1s'] });
});

async function owner(): Promise<ClusterNode> {
  const node = await ownerOf(cluster);
  if (node === undefined) throw new Error('no node owns the data');
  return node;
}

const others = (node: ClusterNode): ClusterNode[] => cluster.nodes.filter((other) => other !== node);

async function must(node: ClusterNode, method: string, route: string, body?: unknown): Promise<{ id: string; name: string }> {
  const { status, text } = await send(node, cluster.key, method, `/v1${route}`, body);
  if (status !== 200) throw new Error(`${method} ${route}: ${status} ${text}`);
  return JSON.parse(text);
}

t.test('after the owner is killed, another node acknowledges writes and loses none', async (t) => {
  const killed = await owner();
  const writers = new Writers(cluster, 4);
  await writers.more(20);
  await killed.kill();
  const killedAt = performance.now();
  await writers.more(1);
  t.comment(`the next write was acknowledged after ${Math.round(performance.now() - killedAt)} ms`);
  await writers.more(10);
  await writers.stop();
  t.ok(writers.unanswered.length > 0, 'requests were under way');
  const now = await owner();
  t.not(now, killed);
  for (const node of others(killed)) t.same(await writers.compare(node), []);

  // It comes back with its cache.
  await killed.start();
  await killed.answers('/readyz', 200);
  t.same(await writers.compare(killed), []);
  t.notMatch(killed.output, 'set the cache aside');
  t.equal(await owner(), now, 'it follows');
});

test.all('an owner that stops hands over without a failed request', async (t) => {
  const stopped = await owner();
  const writers = new Writers(cluster, 6);
  await writers.more(30);
  const began = performance.now();
  const { code, stderr } = await stopped.stop();
  t.comment(`stopped after ${Math.round(performance.now() - began)} ms`);
  t.equal(code, 0, stderr);
  await writers.more(30);
  await writers.stop();
  t.comment(`longest pause ${Math.round(writers.longestPauseMs)} ms`);
  // A request waits for the next owner for 2 s at most; this machine may be slower.
  const isSlow = writers.longestPauseMs > 2_000;
  t.same(
    writers.failures.filter((failure) => !(isSlow && failure.includes('No server owns the data'))),
    [],
  );
  for (const node of others(stopped)) t.same(await writers.compare(node), []);
  await stopped.start();
  await stopped.answers('/readyz', 200);
});

test.all('an owner that was paused answers no stale data and becomes a follower', async (t) => {
  const paused = await owner();
  const { id } = await must(paused, 'POST', '/projects', { name: '0' });
  const [other] = others(paused) as [ClusterNode];
  paused.pause();
  t.teardown(() => paused.isRunning && paused.resume());
  // The others find a new owner, and write.
  let acknowledged = 0;
  await until('another node writes', async () => {
    const { status } = await send(other, cluster.key, 'PATCH', `/v1/projects/${id}`, { name: '1' });
    if (status === 200) acknowledged = 1;
    return status === 200;
  });
  // These wait in its socket.
  const asked = Array.from({ length: 10 }, () => send(paused, cluster.key, 'GET', `/v1/projects/${id}`));
  const lost = send(paused, cluster.key, 'POST', '/v1/projects', { name: 'in memory only' });
  await sleep(leaseMs * 0.5);
  paused.resume();
  const names: string[] = [];
  for (const { status, text } of await Promise.all(asked)) {
    if (status === 200) names.push(JSON.parse(text).name);
    else t.equal(status, 503, text);
  }
  for (let n = 2; n < 12; n++) {
    await must(other, 'PATCH', `/projects/${id}`, { name: String(n) });
    acknowledged = n;
    const { status, text } = await send(paused, cluster.key, 'GET', `/v1/projects/${id}`);
    if (status === 200) t.equal(JSON.parse(text).name, String(acknowledged));
    else t.equal(status, 503, text);
  }
  t.ok(
    names.every((name) => name === '1'),
    `none of ${names.length} answers is stale`,
  );
  const { status } = await lost;
  await until('it forwards', async () => (await send(paused, cluster.key, 'GET', `/v1/projects/${id}`)).status === 200);
  t.match(paused.output, 'another node has taken over');

  // It owns again, and knows what was written meanwhile; what only its memory had is gone.
  const bystander = others(paused).filter((node) => node !== other)[0] as ClusterNode;
  const { name } = await must(other, 'GET', `/projects/${id}`);
  const now = await owner();
  await Promise.all(others(paused).map((node) => node.stop()));
  t.not(now, paused);
  await until('it owns again', async () => (await owner()) === paused);
  t.equal((await must(paused, 'GET', `/projects/${id}`)).name, name);
  const { text } = await send(paused, cluster.key, 'GET', '/v1/projects');
  t.equal(text.includes('in memory only'), status === 200);
  await Promise.all([other.start(), bystander.start()]);
});

test.all('a node without its folder downloads it from the database', async (t) => {
  const writing = await owner();
  const [emptied] = others(writing) as [ClusterNode];
  await emptied.answers('/readyz', 200);
  await emptied.kill();
  const { id } = await must(writing, 'POST', '/projects', { name: 'large' });
  const snapshots = async () => {
    const [row] = await cluster.pair.primary.sql(
      'SELECT count(*)::int AS n, (SELECT min(last_lsn)::int FROM mw_log) AS first FROM mw_snapshot',
    );
    return row as { n: number; first: number };
  };
  for (let n = 0; (await snapshots()).first === 0; n++) {
    if (n === 200) throw new Error('the log was not deleted');
    await must(writing, 'POST', `/projects/${id}/popups`, { name: `popup ${n}`, content: 'x'.repeat(100_000) });
  }
  t.equal((await snapshots()).n, 2);
  const shown = await must(writing, 'GET', `/projects/${id}`);
  fs.rmSync(emptied.data, { recursive: true });
  await emptied.start();
  await emptied.answers('/readyz', 200);
  // Its own copy answers once it owns.
  await Promise.all(others(emptied).map((node) => node.stop()));
  await until('it owns', async () => (await owner()) === emptied);
  t.same(await must(emptied, 'GET', `/projects/${id}`), shown);
});
