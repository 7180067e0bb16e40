// tier: all, process: own
/** Startup errors of a node: exit code 2 and what to change. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { createCluster, readCluster } from '../../src/cluster/database/create-cluster.ts';
import { firstChain } from '../../src/cluster/log/batches.ts';
import { refuseUnreadableRecords } from '../../src/cluster/node/check-start.ts';
import { schemaVersion, schemaVersionWritten } from '../../src/model/schema-version.ts';
import { freePort } from '../support/ports.ts';
import { run, temporaryFolder } from '../support/process.ts';
import { type LocalNodeOptions, newDatabase, startNode, type TestDatabase } from './support/local-nodes.ts';
import { type Postgres, startPostgres } from './support/postgres.ts';
import { startProxy } from './support/tcp-proxy.ts';

let pair: Postgres;
const start = { lineage: 'd'.repeat(32), position: { lsn: 0, chain: firstChain } };

t.before(async () => {
  pair = await startPostgres(t);
});

async function newCluster(t: Test, schemaWritten = schemaVersion): Promise<TestDatabase> {
  const database = await newDatabase(t, pair);
  await createCluster(database.connection, { shards: [start], schemaWritten });
  return database;
}

const refused = async (
  t: Test,
  { text }: Pick<TestDatabase, 'text'>,
  message: string | RegExp,
  options: LocalNodeOptions = {},
) => {
  const starting = startNode(t, text, path.join(temporaryFolder(t), 'refused'), options);
  await t.rejects(starting, { name: 'ClusterSettingsError', message });
};

t.test('a node refuses a database without a cluster or with an unknown version', async (t) => {
  await refused(
    t,
    await newDatabase(t, pair),
    'The database has no cluster. Create it once: mapwright cluster init --cluster URL',
  );
  await refused(
    t,
    await newCluster(t, schemaVersion + 1),
    `The nodes of the cluster write records of schema version ${schemaVersion + 1}; this mapwright reads up to version ${schemaVersion}. Install the version that the other nodes run.`,
  );
  const other = await newCluster(t);
  await other.sql('UPDATE mw_cluster SET format = 2');
  await refused(
    t,
    other,
    "The cluster's tables have format 2; this mapwright knows format 1. Install the version that the other nodes run.",
  );
  const older = await newCluster(t);
  await older.sql('DROP TABLE mw_blob');
  await refused(t, older, /^The cluster was written by an older mapwright, .* mapwright export --all .* mapwright import/);
});

t.test('a node refuses to write records that other nodes may not read', async (t) => {
  refuseUnreadableRecords({ schemaWritten: 2 }, 1);
  refuseUnreadableRecords({ schemaWritten: 1 }, 1);
  t.throws(() => refuseUnreadableRecords({ schemaWritten: 1 }, 2), {
    name: 'ClusterSettingsError',
    message:
      "This mapwright writes records of version 2, and the cluster's nodes are only known to read version 1. First update all nodes to a version of mapwright that reads version 2 and still writes version 1, and run its command: mapwright cluster upgrade. Or stop all nodes, and run that command of this mapwright.",
  });
  const older = await newCluster(t, schemaVersionWritten - 1);
  const message = `This mapwright writes records of version ${schemaVersionWritten}, and the cluster's nodes are only known to read version ${schemaVersionWritten - 1}.`;
  const args = ['--data', path.join(temporaryFolder(t), 'a'), '--port', String(await freePort())];
  const start = ['serve', '--cluster', older.text, '--advertise', 'http://127.0.0.1:1', ...args];
  const { code, stderr } = await run(start);
  t.equal(code, 2);
  t.match(stderr, message);
  t.same(await older.sql('SELECT address FROM mw_node'), [], 'no entry is left');
  const upgrade = () => run(['cluster', 'upgrade', '--cluster', older.text]);
  const running = 'http://10.0.0.9:8070';
  await older.connection.query(
    `INSERT INTO mw_node (id, address, version, schema, role, lsns, options, seen)
    VALUES (gen_random_uuid(), $1, '0.0.1', $2, 'following', '{}', '', clock_timestamp() + interval '1 hour')`,
    [running, schemaVersion - 1],
  );
  t.match(await upgrade(), { code: 1, stderr: new RegExp(`${running} \\(mapwright 0\\.0\\.1\\)`) }, 'an older node runs');
  t.equal((await readCluster(older.connection)).schemaWritten, schemaVersion - 1);
  await older.sql(`DELETE FROM mw_node`);
  t.match(
    await upgrade(),
    { code: 0, stdout: new RegExp(`version ${schemaVersion} now; before it was ${schemaVersion - 1}`) },
    'no node runs',
  );
  t.match(await upgrade(), { code: 0, stdout: /Nothing to do/ });
  const node = await startNode(t, older.text, path.join(temporaryFolder(t), 'b'));
  await node.owned();
});

t.test('a node refuses a lease below one second', async (t) => {
  const message =
    'The lease is 500 ms, and must be at least 1000 ms: a shorter one ends during a short pause of the machine. The default is --lease 3s.';
  await refused(t, await newDatabase(t, pair), message, { leaseMs: 500 });
});

t.test('a node refuses an --advertise address at which another node answers', async (t) => {
  const database = await newCluster(t);
  const { url } = await startNode(t, database.text, path.join(temporaryFolder(t), 'a'));
  const message = `Another node of the cluster answers at ${url}. Give each node an address of its own with --advertise.`;
  await refused(t, database, message, { advertise: url });
  t.same(
    (await database.sql('SELECT address FROM mw_node')).map(({ address }) => address),
    [url],
    'its entry stays',
  );
  const args = ['--data', path.join(temporaryFolder(t), 'b'), '--port', String(await freePort()), '--advertise', url];
  const { code, stderr } = await run(['serve', '--cluster', database.text, ...args]);
  t.equal(code, 2);
  t.match(stderr, message);
});

t.test('a node refuses an --advertise address that no other node reaches', async (t) => {
  const database = await newCluster(t);
  const port = await freePort();
  const advertise = `http://127.0.0.2:${port}`;
  const alone = await startNode(t, database.text, path.join(temporaryFolder(t), 'alone'), { port, advertise });
  await alone.owned();
  await alone.close();
  const a = await startNode(t, database.text, path.join(temporaryFolder(t), 'a'));
  await refused(
    t,
    database,
    `No other node reaches this one at ${advertise}. The node at ${a.url} says: connect ECONNREFUSED 127.0.0.2:${port}. Give --advertise an address of this machine that the other nodes reach, and open its port in firewalls.`,
    { port, advertise },
  );
  t.same(
    (await database.sql(`SELECT address FROM mw_node WHERE role <> 'stopped'`)).map(({ address }) => address),
    [a.url],
    'no entry is left',
  );
  const proxy = await startProxy(t, port, { host: '127.0.0.2', port });
  proxy.fault = 'reset';
  const starting = startNode(t, database.text, path.join(temporaryFolder(t), 'late'), { port, advertise });
  await delay(2_000);
  proxy.fault = 'pass';
  const late = await starting;
  t.equal(late.node.role, 'following', 'a network that fails for a moment does not refuse a start');
});

t.test('a node serves clients and other nodes on separate ports', async (t) => {
  const database = await newCluster(t);
  const forPeers = await freePort();
  const advertise = `http://127.0.0.1:${forPeers}`;
  const a = await startNode(t, database.text, path.join(temporaryFolder(t), 'a'), { advertise });
  const { key } = await (await a.owned()).createKey('someone');
  const b = await startNode(t, database.text, path.join(temporaryFolder(t), 'b'));
  for (const url of [a.url, advertise, b.url]) {
    const response = await fetch(`${url}/v1/projects`, { headers: { authorization: `Bearer ${key}` } });
    t.equal(response.status, 200, url);
  }
  await a.close();
  await t.rejects(fetch(`${advertise}/healthz`), { cause: { code: 'ECONNREFUSED' } }, 'both ports are closed');
  const taken = await startProxy(t, 1);
  const args = ['--data', path.join(temporaryFolder(t), 'c'), '--port', '0', '--advertise', `http://127.0.0.1:${taken.port}`];
  const { code, stderr } = await run(['serve', '--cluster', database.text, ...args]);
  t.match(
    stderr,
    `This node cannot listen for other nodes on port ${taken.port} of 127.0.0.1, the port of --advertise: EADDRINUSE. Give --advertise another port, or that of --port.\n`,
  );
  t.equal(code, 1);
});

t.test('a node refuses options that differ from a running node and change responses', async (t) => {
  const database = await newCluster(t);
  const a = await startNode(t, database.text, path.join(temporaryFolder(t), 'a'), { rateLimit: '100/s' });
  await refused(
    t,
    database,
    `Options that change responses differ from those of the node ${a.url}: compression is false here and true there; lease is 4s here and 3s there; limits.urlBytesMax is 4096 here and 8192 there; quotas.projects is 5 here and none there; rateLimit is none here and 100/s there. Start all nodes with the same options.`,
    { compression: false, limits: { urlBytesMax: 4096 }, quotas: { projects: 5 }, leaseMs: 4_000 },
  );
  t.same(
    (await database.sql('SELECT address FROM mw_node')).map(({ address }) => address),
    [a.url],
    'no entry is left',
  );
  const same = await startNode(t, database.text, path.join(temporaryFolder(t), 'same'), { rateLimit: '100/s', cacheBytes: 1e6 });
  await same.close();
  await a.close();
  await startNode(t, database.text, path.join(temporaryFolder(t), 'later'), { compression: false });
});

t.test('a node refuses a missing database and the folder of a single machine', async (t) => {
  const { text } = await newCluster(t);
  const serve = (url: string, data: string) =>
    run(['serve', '--cluster', url, '--data', data, '--port', '0', '--advertise', 'http://127.0.0.1:8070']);
  const folder = temporaryFolder(t);
  const missing = await serve(text.replace(/[^/]+$/, 'missing'), path.join(folder, 'missing'));
  t.match(missing.stderr, /^The database refuses the connection: .*database "missing" does not exist/m);
  t.equal(missing.code, 2);
  const single = path.join(folder, 'single');
  fs.mkdirSync(single);
  fs.writeFileSync(path.join(single, 'format'), 'mapwright data folder, format 1\n');
  const { code, stderr } = await serve(text, single);
  t.match(stderr, 'single holds the data of one machine. A node of a cluster needs a new or empty folder');
  t.equal(code, 2);
});

t.test('a database user without privileges is an error with the grants it needs', async (t) => {
  await pair.primary.sql('CREATE USER visitor IN ROLE pg_monitor');
  const { text } = await newCluster(t);
  const empty = await newDatabase(t, pair);
  await empty.sql('REVOKE ALL ON SCHEMA public FROM PUBLIC');
  const advice =
    "Connect as the owner of the cluster's tables. To create a cluster, the user needs rights: GRANT USAGE, CREATE ON SCHEMA public TO ...";
  for (const [command, url, reason] of [
    ['status', text, 'permission denied for table mw_cluster'],
    ['init', empty.text, 'no schema has been selected to create in'],
  ] as const) {
    const { code, stderr } = await run(['cluster', command, '--cluster', url.replace('//postgres@', '//visitor@')]);
    t.equal(stderr, `The database refuses: ${reason}. ${advice}\n`);
    t.equal(code, 2);
  }
});
