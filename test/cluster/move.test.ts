// tier: all, process: own
/** Into a cluster and out of it: `cluster init --from`, `cluster verify`, `cluster leave`. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { Connection } from '../../src/cluster/database/database-connection.ts';
import { rowBytesMax } from '../../src/cluster/database/tables.ts';
import { chainAfter, digestOf, firstChain } from '../../src/cluster/log/batches.ts';
import { verifyCluster } from '../../src/cluster/log/verify-cluster.ts';
import { leaveCluster } from '../../src/cluster/node/leave-cluster.ts';
import { moveIntoCluster } from '../../src/cluster/node/move-into-cluster.ts';
import { nodeFiles } from '../../src/lib/files/files.ts';
import { type MapwrightServer, openServer, type StartingServer } from '../../src/server/server.ts';
import { markMoved, readMoved } from '../../src/storage/recovery/marker.ts';
import { recordLengthBytes } from '../../src/storage/wal/format/frame.ts';
import { type Answer, ask } from '../support/client.ts';
import { recordingLog } from '../support/engine.ts';
import { Command, run, temporaryFolder } from '../support/process.ts';
import { sized } from '../support/tier.ts';
import { type LocalNode, newCluster, newDatabase, startNode, type TestDatabase } from './support/local-nodes.ts';
import { type Postgres, startPostgres } from './support/postgres.ts';

const { log } = recordingLog();
let pair: Postgres;

t.before(async () => {
  pair = await startPostgres(t);
});

interface Filled {
  readonly folder: string;
  readonly data: string;
  readonly key: string;
  /** Path of a project, and its entity tag. */
  readonly route: string;
  readonly etag: string;
  readonly server: MapwrightServer;
}

/** A server on one machine with a key, a project and a popup. */
async function filled(t: Test): Promise<Filled> {
  const folder = temporaryFolder(t);
  const data = path.join(folder, 'single');
  const server = await openServer({ data, log, snapshotPauseMs: 0 });
  const { url } = await server.listen(0);
  const { key } = await server.createKey('acme');
  const { json } = await ask({ url, key }, 'POST', '/api/v1/projects', { name: 'Vienna' });
  const route = `/api/v1/projects/${json.id}`;
  const { headers } = await ask({ url, key }, 'GET', route);
  return { folder, data, key, route, etag: String(headers.etag), server };
}

const get = async (url: string, { key, route }: Pick<Filled, 'key' | 'route'>): Promise<Answer> =>
  await ask({ url, key }, 'GET', route);

async function moved(t: Test): Promise<Filled & { readonly database: TestDatabase; readonly lsn: number }> {
  const database = await newDatabase(t, pair);
  const single = await filled(t);
  await single.server.close();
  const { lsn } = await moveIntoCluster(single.data, { ...database, log });
  return { ...single, database, lsn };
}

t.test('a folder moves into a cluster, with keys and entity tags, and out of it again', async (t) => {
  const database = await newDatabase(t, pair);
  const single = await filled(t);
  const from = { connection: database.connection, url: database.url, log };
  await t.rejects(moveIntoCluster(single.data, from), { message: /^The data folder .* is in use by .*Stop that process/ });
  await single.server.close();
  const { code, stdout, stderr } = await run(['cluster', 'init', '--cluster', database.text, '--from', single.data, '--json']);
  t.equal(code, 0, stderr);
  const { folder } = single;
  const { lineage, lsn, from: named } = JSON.parse(stdout);
  t.equal(named, single.data);

  const { node, url, owned } = await startNode(t, database.text, path.join(folder, 'node'));
  const server = await owned();
  t.equal(node.role, 'owner');
  t.equal((await get(url, single)).headers.etag, single.etag);
  await ask({ url, key: single.key }, 'PATCH', single.route, { name: 'Linz' });
  t.same((await server.keys()).length, 1);

  const into = path.join(folder, 'left');
  const made = await run(['cluster', 'leave', '--cluster', database.text, '--into', into, '--json']);
  t.equal(made.code, 0, made.stderr);
  const left = JSON.parse(made.stdout);
  t.match(left, { folder: into, lsn: lsn + 1, snapshot_lsn: lsn, running: [url], accounts: 1, projects: 1 });
  t.not(left.lineage, lineage);
  await t.rejects(leaveCluster(database.connection, into, log), {
    message: `${into} is not empty (format ...), so nothing was written. Choose a new folder: --into DIR.`,
  });
  const again = await openServer({ data: into, log });
  t.teardown(() => again.close());
  const listening = await again.listen(0);
  t.equal((await get(listening.url, single)).json.name, 'Linz');
  t.same(fs.readdirSync(single.folder).sort(), ['left', 'node', 'single'], 'no downloads are left behind');
});

t.test('a folder moves into the first of several shards, with its names and keys', async (t) => {
  const database = await newDatabase(t, pair);
  const { data, server, route } = await filled(t);
  const [key] = await server.keys();
  const naming = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{"name":"harbour"}' };
  await server.fetch(new Request(`http://maps.example${route}/publication`, naming), { account: 'acme' });
  await server.close();
  const args = ['--cluster', database.text, '--from', data, '--shards', '2', '--json'];
  const { code, stdout, stderr } = await run(['cluster', 'init', ...args]);
  t.equal(code, 0, stderr);
  t.match(JSON.parse(stdout), { shards: 2 });
  t.same(await database.sql('SELECT name, shard FROM mw_account'), [{ name: key?.account, shard: 0 }]);
  t.same(await database.sql('SELECT id, shard FROM mw_key'), [{ id: key?.id, shard: 0 }]);
  t.same(await database.sql('SELECT name, shard FROM mw_name'), [{ name: 'harbour', shard: 0 }]);
  t.match(await database.sql('SELECT shard, last_lsn FROM mw_log ORDER BY shard'), [{ shard: 0 }, { shard: 1, last_lsn: 0 }]);
  t.equal((await database.sql('SELECT DISTINCT lineage FROM mw_shard')).length, 2);
});

t.test('a folder of another shard with published maps moves into one shard only', async (t) => {
  const database = await newCluster(t, pair, 2);
  const folder = temporaryFolder(t);
  const nodes = await Promise.all(['a', 'b'].map((name) => startNode(t, database.text, path.join(folder, name))));
  while (!nodes.some(({ node }) => node.shard === 1)) await delay(20);
  const { node, url } = nodes.find(({ node }) => node.shard === 1) as LocalNode;
  const { key } = await (node.server as StartingServer).createKey('acme');
  const { json: project } = await ask({ url, key }, 'POST', '/v1/projects', { name: 'Graz' });
  const { json } = await ask({ url, key }, 'PUT', `/v1/projects/${project.id}/publication`, {});
  t.equal(json.slug[0], '1');
  for (const each of nodes) await each.close();
  const left = path.join(folder, 'left');
  await leaveCluster(database.connection, left, log, 1);
  const other = await newDatabase(t, pair);
  await t.rejects(moveIntoCluster(left, { ...other, log, shards: 2 }), {
    message: new RegExp(
      `^Addresses of 1 published map\\(s\\) or file\\(s\\) in .* name another shard than 0, such as /p/${json.slug}: `,
    ),
  });
  t.same(await other.sql("SELECT 1 FROM pg_tables WHERE tablename = 'mw_cluster'"), [], 'nothing is created');
  await moveIntoCluster(left, { ...other, log });
});

t.test('a moved folder is not served, and the error names the cluster with its data', async (t) => {
  const { folder, data, database, lsn } = await moved(t);
  const where = `The data of ${data} was moved into the cluster ${database.url.text} at `;
  await t.rejects(openServer({ data, log }), {
    message: new RegExp(`^${where}.*, up to record ${lsn}\\. Nodes serve it: mapwright serve --cluster URL`),
  });
  t.match(JSON.parse(fs.readFileSync(path.join(data, 'moved.json'), 'utf8')), {
    state: 'moved',
    cluster: database.url.text,
    lsn,
  });
  await t.rejects(moveIntoCluster(data, { ...database, log }), { message: new RegExp(`^${where}`) });
  await t.rejects(startNode(t, database.text, data), { message: new RegExp(`^${where}`) });
  const restored = path.join(folder, 'restored');
  const { code, stderr } = await run(['restore', '--from', data, '--data', restored]);
  t.equal(code, 0, stderr);
});

t.test('a move interrupted before its commit is completed only by the same command', async (t) => {
  const database = await newDatabase(t, pair);
  const other = await newDatabase(t, pair);
  const { folder, data, server, key, route, etag } = await filled(t);
  await server.close();
  const onMarked = () => {
    throw new Error('killed');
  };
  await t.rejects(moveIntoCluster(data, { ...database, log, onMarked }), { message: 'killed' });
  const says =
    /^The move of .* into the cluster .* began at .* and was not confirmed\. Run it again, which completes it: mapwright cluster init/;
  await t.rejects(openServer({ data, log }), { message: says });
  await t.rejects(moveIntoCluster(data, { ...other, log }), { message: says });
  const { lsn } = await moveIntoCluster(data, { ...database, log });
  const { url, owned } = await startNode(t, database.text, path.join(folder, 'node'));
  await owned();
  t.equal((await get(url, { key, route })).headers.etag, etag);
  t.ok(lsn > 0);
});

t.test('a move interrupted after its commit is confirmed by the same command', async (t) => {
  const { data, database, lsn } = await moved(t);
  const [row] = await database.sql('SELECT lineage FROM mw_shard');
  const lineage = String(row?.['lineage']);
  const time = new Date().toISOString();
  markMoved(nodeFiles, data, { state: 'moving', cluster: database.url.text, lineage, lsn, time });
  t.match(await moveIntoCluster(data, { ...database, log }), { lineage, lsn, bytes: 0 });
  t.match(JSON.parse(fs.readFileSync(path.join(data, 'moved.json'), 'utf8')), { state: 'moved' });
});

t.test('a move killed at any moment is completed by the same command', async (t) => {
  const rounds = sized({ sample: 6, all: 15 });
  const [firstMs, spanMs] = [100, 600];
  const database = await newDatabase(t, pair);
  const single = await filled(t);
  await single.server.close();
  const move = ['cluster', 'init', '--cluster', database.text, '--from', single.data];
  const noteOf = () => readMoved(nodeFiles, single.data)?.state ?? 'not marked';
  for (let round = 0; round < rounds && noteOf() !== 'moved'; round++) {
    const command = new Command(move);
    await Promise.race([delay(firstMs + (spanMs * round) / rounds), command.ended]);
    await command.end('SIGKILL');
    const [row] = await database.sql("SELECT to_regclass('mw_shard') IS NOT NULL AS created");
    // The commit of a killed command may still be under way, so nothing is certain without a cluster.
    const note = noteOf();
    t.comment(`killed in round ${round}: ${note}, ${row?.['created'] === true ? 'a cluster' : 'no cluster'}`);
    if (row?.['created'] === true) t.not(note, 'not marked', 'the folder of a cluster that has its data is marked');
  }
  if (noteOf() !== 'moved') {
    const { code, stderr } = await run(move);
    t.equal(code, 0, stderr);
  }
  const { url, owned } = await startNode(t, database.text, path.join(single.folder, 'node'));
  await owned();
  t.equal((await get(url, single)).headers.etag, single.etag);
});

t.test('cluster init --from refuses a database with a cluster, and folders without data', async (t) => {
  const { database } = await moved(t);
  const single = await filled(t);
  await single.server.close();
  await t.rejects(moveIntoCluster(single.data, { ...database, log }), {
    name: 'ClusterSettingsError',
    message: `The database has a cluster already, so nothing of ${single.data} was moved. Name an empty database with --cluster.`,
  });
  await (await openServer({ data: single.data, log })).close();
  const none = path.join(single.folder, 'none');
  await t.rejects(moveIntoCluster(none, { ...database, log }), {
    message: `${none} holds no mapwright data. Name a data folder with --from, or leave --from out for an empty cluster.`,
  });
  await (await openServer({ data: none, log })).close();
  await t.rejects(moveIntoCluster(none, { ...(await newDatabase(t, pair)), log }), {
    message: `${none} holds no records. Leave out --from, and an empty cluster is created.`,
  });
});

t.test('cluster verify locates each kind of damage, and cluster leave refuses it', async (t) => {
  const { folder, database, key, route, lsn } = await moved(t);
  const { url, owned, close } = await startNode(t, database.text, path.join(folder, 'node'));
  await owned();
  for (const name of ['Linz', 'Graz', 'Wels']) await ask({ url, key }, 'PATCH', route, { name });
  await close();
  const { connection, sql } = database;
  const sound = await verifyCluster(connection);
  t.match(sound, {
    shards: [{ shard: 0, from_lsn: lsn + 1, lsn: lsn + 3, rows: 4, snapshots: [lsn], halted: '' }],
    findings: [],
  });

  const into = path.join(folder, 'left');
  const damaged = async (change: string, back: string, where: 'log' | 'snapshot', at: number, problem: RegExp | string) => {
    const kept = await sql(change);
    const { findings } = await verifyCluster(connection);
    t.match(findings[0], { shard: 0, where, lsn: at, problem });
    await t.rejects(leaveCluster(connection, into, log), change);
    t.notOk(fs.existsSync(into), 'no folder is left behind');
    await sql(back, Object.values(kept[0] ?? {}));
    t.same((await verifyCluster(connection)).findings, []);
  };
  const row = `WHERE last_lsn = ${lsn + 2}`;
  await damaged(
    `UPDATE mw_log SET payload = set_byte(payload, 9, get_byte(payload, 9) # 1) ${row}`,
    `UPDATE mw_log SET payload = set_byte(payload, 9, get_byte(payload, 9) # 1) ${row}`,
    ...(['log', lsn + 2, 'its chain does not follow from the row before it and its payload'] as const),
  );
  await damaged(
    `UPDATE mw_log SET payload = substr(payload, 1, length(payload) - 1) ${row} RETURNING (SELECT payload FROM mw_log ${row})`,
    `UPDATE mw_log SET payload = $1 ${row}`,
    ...(['log', lsn + 2, /its chain does not follow/] as const),
  );
  await damaged(
    `UPDATE mw_log SET last_lsn = last_lsn + 100 ${row}`,
    `UPDATE mw_log SET last_lsn = last_lsn - 100 WHERE last_lsn = ${lsn + 102}`,
    ...(['log', lsn + 3, `records ${lsn + 2} to ${lsn + 2} are missing before it`] as const),
  );
  await damaged(
    'DELETE FROM mw_file WHERE n = 0 RETURNING shard, digest, n, bytes',
    'INSERT INTO mw_file VALUES ($1, $2, $3, $4)',
    ...(['snapshot', lsn, /^its file .*\.snapshot has 0 of \d+ bytes$/] as const),
  );
  const flip = 'UPDATE mw_file SET bytes = set_byte(bytes, 200, get_byte(bytes, 200) # 1)';
  await damaged(flip, flip, 'snapshot', lsn, /^its file .*\.snapshot has another SHA-256 than its name, /);

  await sql(`DELETE FROM mw_log ${row}`);
  const { code, stdout, stderr } = await run(['cluster', 'verify', '--cluster', database.text, '--json']);
  t.equal(code, 3, stderr);
  t.match(JSON.parse(stdout).findings, [
    { where: 'log', lsn: lsn + 3, problem: `records ${lsn + 2} to ${lsn + 2} are missing before it` },
  ]);
  const shown = await run(['cluster', 'leave', '--cluster', database.text, '--into', into]);
  t.equal(shown.code, 3);
  t.match(
    shown.stderr,
    `The log of the cluster is damaged at record ${lsn + 3}: records ${lsn + 2} to ${lsn + 2} are missing before it.`,
  );
});

t.test('cluster verify finds a large record with missing parts', async (t) => {
  const { database, lsn } = await moved(t);
  const { connection, sql } = database;
  const record = Buffer.alloc(rowBytesMax + 5, 'x');
  record.writeUInt32LE(record.byteLength - recordLengthBytes);
  const payload = digestOf(record);
  const deposit = randomUUID();
  const chain = Buffer.from(chainAfter(firstChain, payload), 'hex');
  for (const [n, bytes] of [record.subarray(0, rowBytesMax), record.subarray(rowBytesMax)].entries())
    await sql('INSERT INTO mw_part VALUES ($1, $2, $3, 0)', [deposit, n, bytes]);
  await sql('INSERT INTO mw_log (shard, first_lsn, last_lsn, epoch, chain, deposit, payload) VALUES (0, $1, $1, 0, $2, $3, $4)', [
    ...[lsn + 1, chain, deposit, payload],
  ]);
  // Its parts are complete, but it is no record.
  t.match((await verifyCluster(connection)).findings, [
    { where: 'log', lsn: lsn + 1, problem: /cannot be applied to the state/ },
  ]);
  await sql('DELETE FROM mw_part WHERE n = 1');
  const problem = `its deposit ${deposit} has ${rowBytesMax} bytes with another SHA-256 than the payload states`;
  t.same((await verifyCluster(connection)).findings, [{ shard: 0, where: 'log', lsn: lsn + 1, problem }]);
});

t.test('a move needs a standby, and an acknowledged commit', async (t) => {
  const database = await newDatabase(t, pair);
  const { data, server } = await filled(t);
  await server.close();
  await pair.standby.stop();
  await t.rejects(moveIntoCluster(data, { ...database, log }), {
    message:
      'No synchronous standby is connected, so the database cannot confirm the move. Start the standby, then run the command again.',
  });
  await (await openServer({ data, log })).close();
  await pair.standby.start();
  await pair.synchronized();
  // The connection is lost while the commit is under way.
  const onMarked = () => database.connection.close();
  await t.rejects(moveIntoCluster(data, { ...database, log, onMarked }), {
    message:
      /^The database did not confirm the new cluster \(.*\)\. Run the command again: it says whether the cluster is there\.$/,
  });
  const connection = await Connection.open(database.url, 'test', 'standby');
  t.teardown(() => connection.close());
  t.match(await moveIntoCluster(data, { connection, url: database.url, log }), { folder: data });
});
