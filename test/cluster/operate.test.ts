// tier: all, process: own
/** Commands of operators for a running cluster: `cluster release`, and `cluster fork` after a loss. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { readCluster } from '../../src/cluster/database/create-cluster.ts';
import type { Forwarder } from '../../src/cluster/forward/forwarder.ts';
import { sendOperation } from '../../src/cluster/forward/peer-operation.ts';
import { forkShard, haltedShards, releaseCluster } from '../../src/cluster/node/operate-cluster.ts';
import { PeerSignature, peerHeader } from '../../src/cluster/peers/peer-signature.ts';
import { Deferred } from '../../src/lib/async/deferred.ts';
import { ask } from '../support/client.ts';
import { run, temporaryFolder } from '../support/process.ts';
import { until } from '../support/until.ts';
import { type LocalNode, type LocalNodeOptions, newCluster, startNode, type TestDatabase } from './support/local-nodes.ts';
import { type Postgres, startPostgres } from './support/postgres.ts';

let pair: Postgres;

t.before(async () => {
  pair = await startPostgres(t);
});

interface Started {
  readonly folder: string;
  readonly database: TestDatabase;
  readonly a: LocalNode;
  readonly b: LocalNode;
  readonly key: string;
}

/** Two nodes of a new cluster; the first owns it. */
async function started(t: Test, options: LocalNodeOptions = {}): Promise<Started> {
  const folder = temporaryFolder(t);
  const database = await newCluster(t, pair);
  const a = await startNode(t, database.text, path.join(folder, 'a'), options);
  const server = await a.owned();
  const { key } = await server.createKey('acme');
  const b = await startNode(t, database.text, path.join(folder, 'b'), options);
  return { folder, database, a, b, key };
}

t.test('cluster release hands over to another node and prints its address', async (t) => {
  const { database, a, b, key } = await started(t);
  const { code, stdout, stderr } = await run(['cluster', 'release', '--cluster', database.text]);
  t.equal(code, 0, stderr);
  t.equal(stdout, `${b.url} owns the data now. ${a.url} follows.\n`);
  await b.owned();
  t.equal(a.node.role, 'following');
  t.equal((await ask({ url: a.url, key }, 'POST', '/api/v1/projects', { name: 'Vienna' })).status, 200);
  const json = async (name: string) => {
    const { code, stdout, stderr } = await run(['cluster', name, '--cluster', database.text, '--json']);
    return [code, JSON.parse(code === 0 ? stdout : stderr)];
  };
  t.same(await json('release'), [0, { from: b.url, to: a.url }]);
  const lineage = (await database.sql('SELECT lineage FROM mw_shard'))[0]?.['lineage'];
  t.match(await json('status'), [0, { format: 1, shards: [{ shard: 0, lineage, owner: a.url, halted: '' }], nodes: [{}, {}] }]);
  const nothing = 'The cluster is not halted: nodes serve it, and nothing needs a decision.';
  t.same(await json('fork'), [1, { error: { code: 'failed', message: nothing, exit_code: 1 } }]);
  await a.owned();
  await b.close();
  await database.sql('DELETE FROM mw_node WHERE address = $1', [b.url]);
  await t.rejects(releaseCluster(database.connection), {
    message: `Only the owner, ${a.url}, runs: nobody could take over. Start another node first: mapwright serve --cluster URL --advertise URL`,
  });
  await a.close();
  await t.rejects(releaseCluster(database.connection), {
    message: 'No node owns the data, so there is nothing to hand over.',
  });
});

t.test('a node that stops during a takeover releases its claim', async (t) => {
  const database = await newCluster(t, pair);
  const takesOver = new Deferred<void>();
  const isReleased = new Deferred<void>();
  const { node } = await startNode(t, database.text, path.join(temporaryFolder(t), 'a'), {
    onOwner: () => {
      takesOver.resolve();
      return isReleased.promise;
    },
  });
  await takesOver.promise;
  t.equal(node.role, 'taking over');
  const closing = node.close();
  await until(
    'the data is released',
    async () => (await database.sql('SELECT released FROM mw_lease'))[0]?.['released'] === true,
  );
  isReleased.resolve();
  await closing;
});

t.test('cluster release names the node that did not hand over or take over', async (t) => {
  const { connection, sql } = await newCluster(t, pair);
  const [from, other] = ['http://10.0.0.1:8070', 'http://10.0.0.2:8070'];
  await sql(
    `INSERT INTO mw_node (id, address, version, schema, role, lsns, options, seen)
      VALUES (gen_random_uuid(), $1, '', 4, 'following', '{}', '', clock_timestamp())`,
    [other],
  );
  await sql('UPDATE mw_lease SET address = $1, released = false', [from]);
  await t.rejects(releaseCluster(connection, { waitMs: 0 }), {
    message: `The owner, ${from}, has not handed over within 0 s. Read its log, or end its process: another node takes over.`,
  });
  await sql('UPDATE mw_lease SET asked = NULL');
  const releasing = releaseCluster(connection);
  releasing.catch(() => undefined);
  await until('the owner is asked', async () => (await sql('SELECT 1 FROM mw_lease WHERE asked = owner')).length > 0);
  await sql('UPDATE mw_lease SET owner = gen_random_uuid()');
  await t.rejects(releasing, {
    message: `No other node took over, so ${from} owns the data again. Read the logs of: ${other}`,
  });
});

t.test('cluster fork resumes exactly the halted shards', async (t) => {
  const { connection, sql, text } = await newCluster(t, pair, 3);
  const lineages = async () => (await sql('SELECT lineage FROM mw_shard ORDER BY shard')).map(({ lineage }) => lineage);
  const before = await lineages();
  await sql("UPDATE mw_shard SET halted = 'lost ' || shard WHERE shard > 0");
  t.same(await haltedShards(connection, 2), [{ shard: 2, shards: 3, reason: 'lost 2' }]);
  await t.rejects(haltedShards(connection, 0), {
    message: 'Shard 0 is not halted: nodes serve it, and nothing needs a decision.',
  });
  await t.rejects(haltedShards(connection, 3), { message: 'The cluster has no shard 3.' });
  await t.rejects(releaseCluster(connection, { shard: 1 }), { message: 'Shard 1 is halted. lost 1' });
  const asked = await run(['cluster', 'fork', '--cluster', text]);
  t.match(asked.stderr, 'Shard 1: lost 1\nShard 2: lost 2\nA fork gives up the lost records.');
  const { code, stdout } = await run(['cluster', 'fork', '--cluster', text, '--yes', '--json']);
  t.equal(code, 0);
  t.match(JSON.parse(stdout), { shard: 1, forks: [{ shard: 1 }, { shard: 2 }] });
  const after = await lineages();
  t.same(
    after.map((lineage, shard) => lineage === before[shard]),
    [true, false, false],
  );
  t.same(await sql("SELECT 1 FROM mw_shard WHERE halted <> ''"), []);
});

t.test('commands with the data folder of any node reach the owner', async (t) => {
  const { folder, database, a, b, key } = await started(t);
  const onB = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await run([...args, '--data', b.data, '--json']);
    t.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  const created = await onB('keys', 'create', 'acme', '--read-only');
  t.equal((await ask({ url: a.url, key: created.key }, 'GET', '/api/v1/projects')).status, 200);
  t.match(await onB('keys', 'list'), [{ access: 'write' }, { id: created.id, access: 'read' }]);
  await onB('keys', 'revoke', created.id);
  t.equal((await ask({ url: b.url, key: created.key }, 'GET', '/api/v1/projects')).status, 401);
  t.match(await onB('accounts', 'list'), [{ name: 'acme', in_force: { rate: 'none' } }]);
  const { lsn } = await onB('snapshot');
  const target = path.join(folder, 'backups');
  fs.mkdirSync(target);
  t.match(await onB('backup', target), { lsn, node: a.url });
  const printed = await run(['backup', path.join(target, 'named.backup'), '--data', b.data]);
  t.match(printed.stdout, `on the machine of the node ${a.url}`);
  const wrong = await run(['keys', 'revoke', 'k00000000000', '--data', b.data]);
  t.equal(wrong.code, 1);
  const here = await run(['keys', 'list', '--data', a.data, '--json']);
  t.equal(here.code, 0, 'the owner answers its own');

  const rows = await database.sql('SELECT entry FROM mw_audit ORDER BY n');
  t.match(
    rows.map(({ entry }) => entry),
    [
      { event: 'key.created', node: a.url },
      { event: 'key.created', key: created.id, access: 'read', node: a.url, time: String },
      { event: 'key.revoked', key: created.id, node: a.url },
    ],
  );
  t.notMatch(JSON.stringify(rows), created.key);

  await b.close();
  const before = fs.readdirSync(b.data);
  const stopped = await run(['keys', 'create', 'other', '--data', b.data]);
  t.equal(stopped.code, 1);
  t.equal(
    stopped.stderr,
    `${b.data} is the cache of a node that does not run; the data is in the database of its cluster. Start the node, or name the data folder of a node that runs with --data DIR.\n`,
  );
  t.same(fs.readdirSync(b.data), before);
  t.equal((await ask({ url: a.url, key }, 'GET', '/api/v1/projects')).status, 200);
});

t.test('an operation between nodes is signed with its content and carried out once', async (t) => {
  const { database, a } = await started(t);
  const { secret } = await readCluster(database.connection);
  const signature = new PeerSignature(secret, 'other');
  const introduced = await fetch(a.url, { headers: { [peerHeader]: 'challenge' } });
  const { nonce = '' } = signature.introductionIn(String(introduced.headers.get(peerHeader)), 'challenge') ?? {};
  const line = '{"verb":"accounts.create","args":{"name":"other"}}';
  const target = `/mapwright-peer-operation?id=1&sha256=${createHash('sha256').update(line).digest('hex')}`;
  const signed = signature.sign(nonce, { shard: 0, method: 'POST', target, credentials: '', forwardedFor: '' });
  const post = async (body: string, headers: Record<string, string>) =>
    await fetch(a.url + target, { method: 'POST', body, headers }).then(async (response) => [
      response.status,
      await response.text(),
    ]);
  t.match(await post(line, {}), [404]);
  t.match(
    await post(line, { [peerHeader]: signed.replace(/.{9}$/, (end) => (end.startsWith('A') ? 'B' : 'A') + end.slice(1)) }),
    [403],
  );
  t.same(await post(line.replace('other', 'third'), { [peerHeader]: signed }), [400, '']);
  t.match(await post(line, { [peerHeader]: signed }), [200, /^\{"ok":true,"result":\{.*"name":"other"/]);
  t.same(await post(line, { [peerHeader]: signed }), [400, '']);
  const broken = { nonce, requests: { request: () => Promise.reject(new Error('reset')) } };
  const breaking = { signature, peer: () => broken, lost: () => undefined } as unknown as Forwarder;
  t.same(
    await sendOperation(
      breaking,
      0,
      line,
      () => undefined,
      () => false,
    ),
    {
      ok: false,
      error:
        'The connection to the node that owns the data broke. The change may have been made: list the keys or accounts before you run the command again.',
    },
  );
  const isClosed = { isClosed: true } as Forwarder;
  t.same(
    await sendOperation(
      isClosed,
      0,
      line,
      () => undefined,
      () => false,
    ),
    {
      ok: false,
      error: 'No node owns the data at the moment: nothing was done. Run the command again.',
    },
  );
});

t.test('an owner that misses acknowledged records halts the cluster until cluster fork', async (t) => {
  const { database, a, b, key } = await started(t, { leaseMs: 1_000 });
  const { connection, sql } = database;
  const made = await ask({ url: a.url, key }, 'POST', '/api/v1/projects', { name: 'Vienna' });
  const etag = String(made.headers.etag);
  const route = `/api/v1/projects/${made.json.id}`;
  await ask({ url: a.url, key }, 'PATCH', route, { name: 'Linz' });
  const [newest] = await sql('DELETE FROM mw_log WHERE last_lsn = (SELECT max(last_lsn) FROM mw_log) RETURNING last_lsn');
  const lsn = Number(newest?.['last_lsn']);
  await sql(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name ~ '^mapwright (log|lease) '`,
  );
  await until('the cluster is halted', async () => (await sql("SELECT 1 FROM mw_shard WHERE halted <> ''")).length > 0);
  const [halted] = await haltedShards(connection);
  const { reason = '' } = halted ?? {};
  t.equal(
    reason,
    `The log in the database ends with record ${lsn - 1}, and record ${lsn} was acknowledged: records ${lsn} to ${lsn} are lost. No node serves before an operator decides: mapwright cluster fork --help`,
  );
  // Longer than the time after which a node claims the data of a silent owner.
  await delay(2_000);
  t.same([a.node.role, b.node.role], ['following', 'following']);
  t.equal((await ask({ url: b.url, key }, 'GET', route)).status, 503);
  await t.rejects(releaseCluster(connection), { message: `The cluster is halted. ${reason}` });

  const refused = await run(['cluster', 'fork', '--cluster', database.text]);
  t.equal(refused.code, 2);
  t.match(
    refused.stderr,
    `${reason}\nA fork gives up the lost records. To confirm without a terminal: npx mapwright cluster fork --cluster URL --yes`,
  );
  const forked = await run(['cluster', 'fork', '--cluster', database.text, '--yes', '--json']);
  t.equal(forked.code, 0, forked.stderr);
  t.match(JSON.parse(forked.stdout), { lineage: /^[0-9a-f]{32}$/, lsn: lsn - 1, halted: reason });
  await until('a node owns the data', () => [a, b].some(({ node }) => node.role === 'owner'));
  const found = await ask({ url: a.url, key }, 'GET', route);
  t.equal(found.json.name, 'Vienna');
  t.not(found.headers.etag, etag, 'no entity tag of the old history is valid');
  await until('the old history is set aside', () => fs.readdirSync(a.data).some((name) => name.startsWith('set-aside-')));
  t.same([...a.fatal, ...b.fatal], []);
  await t.rejects(forkShard(connection, { shard: 0, reason }), {
    message: 'The cluster has changed meanwhile. Run the command again.',
  });
});

t.test('cluster status shows silent nodes and a missing standby', async (t) => {
  const { connection, sql, text } = await newCluster(t, pair, 2);
  const insert = (address: string, role: string, shard: number | null, seconds: number) =>
    sql(
      `INSERT INTO mw_node (id, address, version, schema, role, shard, lsns, options, seen)
      VALUES (gen_random_uuid(), $1, '', 5, $2, $3, '{}', '', clock_timestamp() - make_interval(secs => $4))`,
      [address, role, shard, seconds],
    );
  await sql("UPDATE mw_lease SET address = 'http://new:1', released = false WHERE shard = 0");
  await sql("UPDATE mw_lease SET address = 'http://other:1', released = false WHERE shard = 1");
  await insert('http://ended:1', 'stopped', null, 60);
  await insert('http://killed:1', 'owner', 0, -60);
  await insert('http://lost:1', 'following', null, 60);
  await insert('http://new:1', 'owner', 0, -60);
  await insert('http://other:1', 'owner', 1, -60);
  const status = async () => JSON.parse((await run(['cluster', 'status', '--cluster', text, '--json'])).stdout);
  const { nodes, database } = await status();
  t.equal(database, '');
  t.same(
    nodes.map(({ address, role }: { address: string; role: string }) => `${address} ${role}`),
    [
      'http://ended:1 stopped',
      'http://killed:1 former owner',
      'http://lost:1 silent',
      'http://new:1 owner',
      'http://other:1 owner',
    ],
  );
  await sql("UPDATE mw_shard SET halted = 'lost 0' WHERE shard = 0");
  await t.rejects(releaseCluster(connection, { shard: 0 }), { message: 'Shard 0 is halted. lost 0' });
  const forked = await run(['cluster', 'fork', '--cluster', text, '--yes']);
  t.match(forked.stdout, /^Shard 0 goes on after record 0,/);

  const { primary, standby } = pair;
  await standby.kill();
  // The primary notices the end of the connection by itself.
  await until('the primary has no standby', async () => (await primary.sql('SELECT 1 FROM pg_stat_replication')).length === 0);
  const problem =
    'No synchronous standby is connected. Until one is, writes wait, and nodes that run show as silent. Start the standby.';
  t.equal((await status()).database, problem);
  const { stdout } = await run(['cluster', 'status', '--cluster', text]);
  t.ok(stdout.startsWith(`${problem}\n`), stdout);
  await standby.start();
  await pair.synchronized();
});
