// tier: normal, process: own
/** Signing in to the console of a cluster, sign-in links and sessions: through any node, also after a hand-over. */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { createCluster, emptyShard } from '../../src/cluster/database/create-cluster.ts';
import { schemaVersion } from '../../src/model/schema-version.ts';
import { run, temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';
import { newDatabase, startNode } from './support/local-nodes.ts';
import { type Postgres, startPostgres } from './support/postgres.ts';

/**
 * Nodes hand over without waiting for the lease. A short one ends if this process, which has all the nodes, stalls on a busy machine: then the
 * former owner may own again, and a test that waits for the next one would wait forever.
 */
const options = { leaseMs: 60_000 };

let pair: Postgres;

t.before(async () => {
  pair = await startPostgres(t);
});

const session = (url: string, method: string, { code, key }: { code?: string; key?: string }) =>
  fetch(`${url}/console/session${code === undefined ? '' : `?shard=${code.charAt(0)}`}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }) },
    ...(code === undefined ? {} : { body: JSON.stringify({ code }) }),
  });

/** The code of a link that a session makes through a node. */
async function linkOf(url: string, key: string): Promise<{ id: string; code: string }> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };
  const answer = await fetch(`${url}/console/links`, { method: 'POST', headers, body: '{}' });
  const { id, path: address } = (await answer.json()) as { id: string; path: string };
  return { id, code: address.slice(address.indexOf('=') + 1) };
}

t.test('console, links and sessions work through any node, before and after a hand-over', async (t) => {
  const folder = temporaryFolder(t);
  const database = await newDatabase(t, pair);
  await createCluster(database.connection, { shards: [emptyShard()], schemaWritten: schemaVersion });
  const a = await startNode(t, database.text, path.join(folder, 'a'), options);
  await (await a.owned()).createKey('acme');
  const b = await startNode(t, database.text, path.join(folder, 'b'), options);
  const newCode = async (name: string): Promise<string> => {
    const { code, stdout, stderr } = await run(['console', '--data', path.join(folder, name), '--json']);
    if (code !== 0) throw new Error(stderr);
    const { url } = JSON.parse(stdout) as { url: string };
    t.ok(url.startsWith(`${a.url}/console#code=`), 'the address of the owner');
    return url.slice(url.indexOf('=') + 1);
  };
  const code = await newCode('b');
  const answer = await session(b.url, 'POST', { code });
  t.equal(answer.status, 200, 'through a node that follows');
  const { key } = (await answer.json()) as { key: string };
  for (const { url } of [a, b]) {
    t.match(await (await session(url, 'GET', { key })).json(), { account: 'acme', access: 'write' });
    t.equal((await session(url, 'POST', { code })).status, 401, 'a code works once');
    const page = await fetch(`${url}/console`);
    t.match([page.status, page.headers.get('content-security-policy')], [200, /require-trusted-types-for/]);
  }
  const twice = await linkOf(b.url, key);
  const statuses = await Promise.all([a, b, a, b].map(async ({ url }) => (await session(url, 'POST', twice)).status));
  t.strictSame(statuses.sort(), [200, 401, 401, 401], 'one link at several nodes');
  const [kept, link, deleted] = [await newCode('a'), await linkOf(a.url, key), await linkOf(a.url, key)];
  const headers = { Authorization: `Bearer ${key}` };
  t.equal((await fetch(`${b.url}/console/links/${deleted.id}`, { method: 'DELETE', headers })).status, 204);
  t.equal((await run(['cluster', 'release', '--cluster', database.text])).code, 0);
  await b.owned();
  while (a.node.role !== 'following') await delay(20);
  t.equal((await session(a.url, 'POST', { code: kept })).status, 200, 'the next owner knows the codes');
  t.equal((await session(a.url, 'POST', deleted)).status, 401);
  const guest = ((await (await session(a.url, 'POST', link)).json()) as { key: string }).key;
  t.equal((await session(b.url, 'POST', link)).status, 401, 'once, wherever');
  for (const { url } of [a, b]) {
    const listed = (await (await fetch(`${url}/console/sessions`, { headers })).json()) as unknown[];
    t.equal(listed.length, 4, 'its own, those of two links, and that of a command');
    t.equal((await session(url, 'GET', { key: guest })).status, 200);
  }
  const unused = await linkOf(a.url, guest);
  t.equal((await session(a.url, 'DELETE', { key })).status, 204);
  for (const { url } of [a, b]) {
    for (const each of [key, guest]) t.equal((await session(url, 'GET', { key: each })).status, 401, 'its link is over, too');
    t.equal((await session(url, 'POST', unused)).status, 401);
  }
});

test.all('a sign-in code works through any node of a cluster with shards', async (t) => {
  const folder = temporaryFolder(t);
  const database = await newDatabase(t, pair);
  await createCluster(database.connection, { shards: [emptyShard(), emptyShard()], schemaWritten: schemaVersion });
  const nodes = await Promise.all(['a', 'b', 'c'].map((name) => startNode(t, database.text, path.join(folder, name), options)));
  while (new Set(nodes.map(({ node }) => node.shard)).size < 3) await delay(20);
  const ends = ['--data', path.join(folder, 'a')];
  // New accounts go to the shard with the fewest bytes.
  for (const name of ['one', 'two', 'three']) t.equal((await run(['keys', 'create', name, ...ends])).code, 0);
  const shards = new Set<string>();
  for (const name of ['one', 'two', 'three']) {
    const { stdout } = await run(['console', '--account', name, ...ends, '--json']);
    const { url } = JSON.parse(stdout) as { url: string };
    const code = url.slice(url.indexOf('=') + 1);
    shards.add(code.charAt(0));
    const through = nodes[shards.size % 3] as (typeof nodes)[0];
    const answer = await session(through.url, 'POST', { code });
    t.equal(answer.status, 200, name);
    const { key } = (await answer.json()) as { key: string };
    for (const { url } of nodes) t.match(await (await session(url, 'GET', { key })).json(), { account: name });
    const link = await linkOf(through.url, key);
    t.equal((await session((nodes[1] as (typeof nodes)[0]).url, 'POST', link)).status, 200, 'a link of a session, too');
  }
  t.same(shards, new Set(['0', '1']), 'accounts of both shards');
});
