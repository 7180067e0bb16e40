// tier: normal, process: own
/** Two shards and three nodes in this process, on a real pair of databases: keys, names and commands through any node, and hand-overs. */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { addMissingTable, readCluster } from '../../../src/cluster/database/create-cluster.ts';
import { releaseCluster } from '../../../src/cluster/node/operate-cluster.ts';
import { PeerSignature, peerHeader } from '../../../src/cluster/peers/peer-signature.ts';
import { newKey } from '../../../src/model/key.ts';
import { askServer } from '../../../src/server/admin/control-socket.ts';
import { ask } from '../../support/client.ts';
import { temporaryFolder } from '../../support/process.ts';
import { test } from '../../support/test.ts';
import { until } from '../../support/until.ts';
import { ask as send } from '../support/forwarding.ts';
import { type LocalNode, newCluster, startNode, type TestDatabase } from '../support/local-nodes.ts';
import { startPostgres } from '../support/postgres.ts';

t.setTimeout(120_000);

let database: TestDatabase;
let nodes: LocalNode[];
/** One in each shard, and a key of it. */
const accounts = ['one', 'two'];
const keys: string[] = [];

t.before(async () => {
  const pair = await startPostgres(t);
  const folder = temporaryFolder(t);
  database = await newCluster(t, pair, 2);
  // All at once: each of two ends up with a shard.
  nodes = await Promise.all(['a', 'b', 'c'].map((name) => startNode(t, database.text, path.join(folder, name))));
  await until('both shards have an owner', () => nodes.filter(({ node }) => node.role === 'owner').length === 2);
  for (const account of accounts) {
    const { key } = await create(spare(), account);
    keys[Number(await shardOf(account))] = key;
  }
});

const ownerOf = (shard: number) => nodes.find(({ node }) => node.shard === shard) as LocalNode;
const spare = () => nodes.find(({ node }) => node.shard === undefined) as LocalNode;

interface Created {
  readonly id: string;
  readonly key: string;
  readonly account: { readonly id: string };
}
const command = async <T>(on: LocalNode, verb: Parameters<typeof askServer>[1], args: object): Promise<T> =>
  (await askServer(on.data, verb, args as never)) as T;
const create = (on: LocalNode, account: string) => command<Created>(on, 'keys.create', { account });
const shardOf = async (account: string): Promise<unknown> =>
  (await database.sql('SELECT shard FROM mw_account WHERE name = $1', [account]))[0]?.['shard'];

t.test('each shard has another owner', async (t) => {
  t.same(nodes.map(({ node }) => String(node.shard)).sort(), ['0', '1', 'undefined']);
  const rows = await database.sql('SELECT DISTINCT address FROM mw_lease WHERE NOT released');
  t.equal(rows.length, 2);
});

t.test('a new key of any shard works on every node immediately', async (t) => {
  t.same(Object.keys(keys), ['0', '1'], 'an account goes to the shard with the fewest bytes');
  const { key: fresh } = await create(spare(), 'one');
  for (const key of [fresh, ...keys])
    for (const node of nodes) t.equal((await ask({ url: node.url, key }, 'GET', '/v1/projects')).status, 200);
  for (const [shard, key] of keys.entries()) {
    for (const node of nodes) {
      const made = await ask({ url: node.url, key }, 'POST', '/v1/projects', { name: `shard ${shard}` });
      t.equal(made.status, 200);
      for (const reader of nodes)
        t.equal((await ask({ url: reader.url, key }, 'GET', `/v1/projects/${made.json.id}`)).json.name, `shard ${shard}`);
    }
    t.equal((await ask({ url: spare().url, key }, 'GET', '/v1/projects')).json.length, 3, 'no project of the other shard');
  }
});

test.all('published maps of each shard are served by every node', async (t) => {
  for (const [shard, key] of keys.entries()) {
    const { json: project } = await ask({ url: spare().url, key }, 'POST', '/v1/projects', { name: `public ${shard}` });
    for (const node of nodes) {
      const { status, json } = await ask({ url: node.url, key }, 'PUT', `/v1/projects/${project.id}/publication`, {});
      t.equal(status, 200);
      t.equal(json.slug[0], String(shard), 'the slug names the shard');
      for (const reader of nodes) {
        const { map } = (await (await fetch(`${reader.url}/p/${json.slug}/map.json`)).json()) as { map: string };
        const shown = (await (await fetch(`${reader.url}/p/${json.slug}/${map}`)).json()) as { name: string };
        t.equal(shown.name, `public ${shard}`);
        // A key of another shard does not change where a map is.
        const foreign = { headers: { authorization: `Bearer ${keys[1 - shard]}` } };
        t.equal((await fetch(`${reader.url}/p/${json.slug}/map.json`, foreign)).status, 200);
        const encoded = `/p/%3${shard}${json.slug.slice(1)}/map.json`;
        for (const target of [`http://maps.example/p/${json.slug}/map.json?x`, encoded])
          t.equal((await send(Number(new URL(reader.url).port), { path: target })).status, 200, target);
      }
    }
  }
  for (const { url } of nodes) t.equal((await fetch(`${url}/p/z${'0'.repeat(26)}/map.json`)).status, 404, 'no such shard');
});

t.test('readable addresses are unique in the cluster, and lead to their maps through every node', async (t) => {
  const at: string[] = [];
  for (const [shard, key] of keys.entries()) {
    const { json: project } = await ask({ url: spare().url, key }, 'POST', '/v1/projects', { name: `named ${shard}` });
    at[shard] = `/v1/projects/${project.id}/publication`;
  }
  const put = async (shard: number, name: string, on = spare()) =>
    await ask({ url: on.url, key: keys[shard] ?? '' }, 'PUT', at[shard] ?? '', { name });
  for (const shard of [0, 1]) {
    const name = `named-${shard}`;
    for (const { url } of nodes) t.equal((await fetch(`${url}/p/${name}/map.json`)).status, 404, 'not there yet');
    t.match(await put(shard, name), { status: 200, json: { name } });
    t.match(await put(1 - shard, name), { status: 409, json: { code: 'conflict' } }, 'another shard has it');
    t.same(await database.sql('SELECT shard FROM mw_name WHERE name = $1', [name]), [{ shard }]);
    for (const { url } of nodes) {
      await until('the name is known', async () => (await fetch(`${url}/p/${name}/map.json`)).status === 200);
      const { status, headers } = await fetch(`${url}/p/${name}`);
      t.match([status, headers.get('content-type')], [200, 'text/html; charset=utf-8']);
      const page = encodeURIComponent(`${url}/p/${name}`);
      t.equal((await fetch(`${url}/oembed?url=${page}`)).status, 200);
    }
  }
  t.equal((await put(0, '')).status, 200);
  t.equal((await put(1, 'named-0')).status, 409, 'a name that was given up stays the account\u2019s');
  // One whose change was not written, and one that was: the next owner frees what nothing uses.
  await database.sql("INSERT INTO mw_name (name, shard) VALUES ('unwritten', 0)");
  const before = ownerOf(0);
  const id = before.node.id;
  await releaseCluster(database.connection, { shard: 0 });
  await until('another node owns shard 0', () => nodes.some(({ node }) => node.shard === 0 && node.id !== id));
  await until('it is freed', async () => (await database.sql("SELECT 1 FROM mw_name WHERE name = 'unwritten'")).length === 0);
  t.same(await database.sql('SELECT name, shard FROM mw_name ORDER BY name'), [
    { name: 'named-0', shard: 0 },
    { name: 'named-1', shard: 1 },
  ]);
  t.equal((await put(1, 'unwritten')).status, 200);
});

t.test('a cluster from before readable addresses gets their table when a node starts', async (t) => {
  await database.sql('ALTER TABLE mw_name RENAME TO mw_name_before');
  await Promise.all([addMissingTable(database.connection), addMissingTable(database.connection)]);
  await addMissingTable(database.connection);
  t.same(await database.sql('SELECT name FROM mw_name'), []);
  await database.sql('DROP TABLE mw_name');
  await database.sql('CREATE ROLE visitor');
  await database.sql('SET ROLE visitor');
  await t.rejects(addMissingTable(database.connection), {
    name: 'ClusterSettingsError',
    message: /refuses to create a table .* Run as the owner of the cluster's tables: CREATE TABLE mw_name \(name/,
  });
  await database.sql('RESET ROLE');
  await database.sql('ALTER TABLE mw_name_before RENAME TO mw_name');
});

t.test('requests that belong to no shard are answered by every node', async (t) => {
  for (const { url } of nodes) {
    const unknown = newKey().text;
    for (let n = 0; n < 2; n++) t.equal((await ask({ url, key: unknown }, 'GET', '/v1/projects')).status, 401);
    t.equal((await ask({ url, key: 'mw_malformed' }, 'GET', '/v1/projects')).status, 401);
    t.equal((await ask({ url }, 'GET', '/v1/projects')).status, 401);
    t.equal((await fetch(`${url}/openapi.json`)).status, 200);
    t.equal((await fetch(`${url}/readyz`)).status, 200);
  }
  const foreign = keys[1 - Number(nodes[0]?.node.shard ?? 0)] ?? '';
  const probes = nodes.map(({ url }) => fetch(`${url}/readyz/owner`, { headers: { authorization: `Bearer ${foreign}` } }));
  t.same((await Promise.all(probes)).map(({ status }) => status).sort(), [200, 200, 503], 'whatever key comes with it');
});

test.all('a new account goes to the shard with the fewest bytes', async (t) => {
  for (const [shard, key] of keys.entries()) {
    const { status } = await ask({ url: spare().url, key }, 'POST', '/v1/projects', { name: 'x'.repeat(400_000 * (shard + 1)) });
    t.equal(status, 200);
    const name = `beside ${shard}`;
    await create(spare(), name);
    t.equal(await shardOf(name), 1 - shard);
    await command(spare(), 'accounts.delete', { name });
  }
});

test.all('concurrent creates of one account name through all nodes create it once', async (t) => {
  const names = Array.from({ length: 8 }, (_, n) => `name ${n}`);
  const made = await Promise.all(names.map((name) => Promise.all(nodes.map((node) => create(node, name)))));
  for (const [at, created] of made.entries()) {
    t.equal(new Set(created.map(({ account }) => account.id)).size, 1, `name ${at}`);
    for (const { key } of created)
      for (const { url } of nodes) t.equal((await ask({ url, key }, 'GET', '/v1/projects')).status, 200);
  }
  const listed = await command<{ name: string }[]>(spare(), 'accounts.list', {});
  t.same(listed.map(({ name }) => name).sort(), [...accounts, ...names].sort());
  // What a crash leaves between reservation and record.
  await database.sql("INSERT INTO mw_account (name, shard) VALUES ('reserved', 1)");
  await create(ownerOf(0), 'reserved');
  t.equal(await shardOf('reserved'), 1);
});

test.all('commands reach the shard of their key or account through any node, and lists have all shards', async (t) => {
  for (const shard of [0, 1]) {
    const name = shard === 0 ? 'one' : 'two';
    const account = (await shardOf(name)) === shard ? name : name === 'one' ? 'two' : 'one';
    for (const node of nodes) {
      const { id, key } = await create(node, account);
      const status = async () => (await ask({ url: spare().url, key }, 'GET', '/v1/projects')).status;
      await command(node, 'keys.limit', { id, rate: '100/s' });
      const rotated = await command<Created>(node, 'keys.rotate', { id, overlap: '24h' });
      t.equal((await ask({ url: spare().url, key: rotated.key }, 'GET', '/v1/projects')).status, 200);
      t.equal(await status(), 200);
      await command(node, 'keys.revoke', { id });
      t.equal(await status(), 401);
    }
  }
  const listed = await command<{ id: string; created: string }[]>(spare(), 'keys.list', {});
  const [row] = await database.sql('SELECT count(*)::int AS n FROM mw_key');
  t.equal(listed.length, row?.['n'], 'every key has its row, and every row its key');
  t.same(
    listed.map(({ created }) => created),
    listed.map(({ created }) => created).sort(),
    'oldest first',
  );

  const [of0, of1] = (await shardOf('one')) === 0 ? ['one', 'two'] : ['two', 'one'];
  await t.rejects(command(spare(), 'accounts.rename', { name: of0, newName: of1 }), {
    message: `The account "${of1}" already exists. Choose another name.`,
  });
  await command(spare(), 'accounts.rename', { name: of0, newName: 'renamed' });
  t.same([await shardOf(String(of0)), await shardOf('renamed')], [undefined, 0]);
  await command(ownerOf(1), 'accounts.rename', { name: 'renamed', newName: of0 });
  const gone = await create(spare(), 'gone');
  await command(spare(), 'accounts.delete', { name: 'gone' });
  t.equal(await shardOf('gone'), undefined);
  t.same(await database.sql('SELECT 1 FROM mw_key WHERE id = $1', [gone.id]), []);
  await t.rejects(command(spare(), 'accounts.delete', { name: 'gone' }), { message: /There is no account "gone"/ });
  await t.rejects(command(spare(), 'keys.revoke', { id: 'k00000000000' }), { message: /There is no key "k00000000000"/ });

  for (const verb of ['snapshot', 'backup'] as const) {
    const message = `The cluster has 2 shards. Name one: mapwright ${verb} --shard 0 (to 1).`;
    await t.rejects(command(spare(), verb, { target: temporaryFolder(t) }), { message });
  }
  await t.rejects(command(spare(), 'snapshot', { shard: 2 }), { message: /There is no shard 2\. Name one/ });
  for (const shard of [0, 1]) {
    const target = temporaryFolder(t);
    t.match(await command(spare(), 'backup', { target, shard }), { node: ownerOf(shard).url });
    t.match(await command(spare(), 'snapshot', { shard }), { lsn: Number });
  }
});

t.test('a node refuses forwarded requests for shards that it does not own', async (t) => {
  const { secret } = await readCluster(database.connection);
  const signature = new PeerSignature(secret, 'other');
  const owner = ownerOf(1);
  const introduced = await fetch(owner.url, { headers: { [peerHeader]: 'challenge' } });
  const { nonce = '' } = signature.introductionIn(String(introduced.headers.get(peerHeader)), 'challenge') ?? {};
  const key = keys[1] ?? '';
  const credentials = `Bearer ${key}`;
  const get = async (shard: number, named = shard) => {
    const parts = { shard, method: 'GET', target: '/v1/projects', credentials, forwardedFor: '' };
    const header = signature.sign(nonce, parts).replace(/ \d+ /, ` ${named} `);
    const response = await fetch(`${owner.url}/v1/projects`, { headers: { [peerHeader]: header, authorization: credentials } });
    return [response.status, ((await response.json()) as { code?: string }).code];
  };
  t.same(await get(1), [200, undefined]);
  t.same(await get(0), [421, 'not_owner']);
  t.same(await get(0, 1), [403, 'forbidden'], 'the signature covers the shard');
});

test.all('a shard moves to another node without a failed request', async (t) => {
  const failures: string[] = [];
  let isOver = false;
  let requests = 0;
  let longestMs = 0;
  const clients = nodes.flatMap(({ url }) =>
    keys.map(async (key, shard) => {
      while (!isOver) {
        const sentAt = performance.now();
        const { status, text } = await ask({ url, key }, 'POST', '/v1/projects', { name: 'moving' });
        longestMs = Math.max(longestMs, performance.now() - sentAt);
        if (status !== 200) failures.push(`shard ${shard}: ${status} ${text}`);
        requests++;
        await delay(5);
      }
    }),
  );
  await t.rejects(releaseCluster(database.connection), {
    message: 'The cluster has 2 shards. Name one: mapwright cluster release --shard 0 (to 1).',
  });
  const before = { one: ownerOf(1), zero: ownerOf(0), spare: spare() };
  t.same(await releaseCluster(database.connection, { shard: 1 }), { from: before.one.url, to: before.spare.url });
  await until('shard 1 is handed over', () => spare() === before.one && ownerOf(1) === before.spare);
  t.equal(ownerOf(0), before.zero, 'the other shard stays');
  // The former owner of one shard takes the other: what is sent to it for the first one is refused, and sent on.
  await until('one node is at shard 1', async () => (await database.sql('SELECT 1 FROM mw_node WHERE shard = 1')).length === 1);
  t.same(await releaseCluster(database.connection, { shard: 0 }), { from: before.zero.url, to: before.one.url });
  await until('shard 0 is handed over', () => spare() === before.zero && ownerOf(0) === before.one);
  isOver = true;
  await Promise.all(clients);
  // A request waits for the next owner for 2 s at most; this machine may be slower.
  const isSlow = longestMs > 2_000;
  t.same(
    failures.filter((failure) => !(isSlow && failure.includes('No server owns the data'))),
    [],
  );
  t.comment(`longest request ${Math.round(longestMs)} ms`);
  t.ok(requests > 20, `${requests} requests`);
  t.same(
    nodes.flatMap(({ fatal }) => fatal),
    [],
  );
});
