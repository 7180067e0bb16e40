// tier: normal, process: own
/** Files of projects in a cluster: their bytes are in the database before they are acknowledged, and every node serves them. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { Connection } from '../../src/cluster/database/database-connection.ts';
import { BlobRows, blobPuts } from '../../src/cluster/database/stored-blobs.ts';
import { OwnerBlobs } from '../../src/cluster/log/owner-blobs.ts';
import { verifyCluster } from '../../src/cluster/log/verify-cluster.ts';
import { leaveCluster } from '../../src/cluster/node/leave-cluster.ts';
import { moveIntoCluster } from '../../src/cluster/node/move-into-cluster.ts';
import { NotOwnerError } from '../../src/lib/errors.ts';
import { askServer } from '../../src/server/admin/control-socket.ts';
import { openServer } from '../../src/server/server.ts';
import { blobPath } from '../../src/storage/blobs/blob-path.ts';
import { png } from '../api/pictures.ts';
import { ask } from '../support/client.ts';
import { recordingLog } from '../support/engine.ts';
import { flip } from '../support/flip.ts';
import { run, temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';
import { until } from '../support/until.ts';
import { type LocalNode, newCluster, newDatabase, startNode } from './support/local-nodes.ts';
import { makeNodes } from './support/nodes.ts';
import { type Postgres, startPostgres } from './support/postgres.ts';

const options = { leaseMs: 60_000, versions: false };
let pair: Postgres;

t.before(async () => {
  pair = await startPostgres(t);
});

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
/** A picture of three rows in the database. */
const picture = (rest: string): Buffer => png(3, 2, rest.padEnd(2_200_000, '.'));

/** A cluster with an owner, `a`, and a project. */
async function started(t: Test) {
  const folder = temporaryFolder(t);
  const database = await newCluster(t, pair);
  let aheadMs = 0;
  const clock = (): number => Date.now() + aheadMs;
  const start = (name: string) => startNode(t, database.text, path.join(folder, name), { ...options, clock });
  const a = await start('a');
  const { key } = await (await a.owned()).createKey('acme');
  const { id } = (await ask({ url: a.url, key }, 'POST', '/api/v1/projects', { name: 'Harbour' })).json;
  const files = `/api/v1/projects/${id}/files`;
  const upload = async (node: Pick<LocalNode, 'url'>, bytes: Buffer, name = 'plan.png') => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'image/png' };
    const response = await fetch(`${node.url}${files}?name=${name}`, { method: 'POST', headers, body: new Uint8Array(bytes) });
    return { status: response.status, json: JSON.parse(await response.text()) };
  };
  const get = async (node: Pick<LocalNode, 'url'>, url: string) => {
    const response = await fetch(node.url + url);
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const cached = (node: LocalNode, bytes: Buffer): string => blobPath(path.join(node.data, 'blobs'), digestOf(bytes));
  /** Digests of the blobs in the database. */
  const stored = async (): Promise<unknown[]> =>
    (await database.sql('SELECT DISTINCT digest FROM mw_blob ORDER BY digest')).map(({ digest }) => digest);
  let changes = 0;
  /** Changes something, and makes a snapshot of it. */
  const snapshot = async (node: LocalNode): Promise<void> => {
    t.equal((await ask({ url: node.url, key }, 'PATCH', `/api/v1/projects/${id}`, { name: `Quay ${++changes}` })).status, 200);
    await askServer(node.data, 'snapshot', {});
  };
  /** Lets two snapshots pass what became garbage, and a day. */
  const collect = async (node: LocalNode): Promise<void> => {
    for (let i = 0; i < 2; i++) await snapshot(node);
    aheadMs += 25 * 3_600_000;
    await snapshot(node);
  };
  const ahead = (ms: number): void => {
    aheadMs += ms;
  };
  return { folder, database, start, a, key, files, upload, get, cached, stored, snapshot, collect, ahead };
}

t.test('a file that was uploaded through any node is served by all, and by the next owner', async (t) => {
  const { database, start, a, upload, get, cached } = await started(t);
  const b = await start('b');
  const bytes = picture('plan');
  const { status, json } = await upload(b, bytes);
  t.equal(status, 200, 'a follower forwards the upload');
  const rows = await database.sql('SELECT n, octet_length(bytes) AS bytes, digest FROM mw_blob ORDER BY n');
  t.match(rows, [
    { bytes: 1024 * 1024 },
    { bytes: 1024 * 1024 },
    { bytes: bytes.length - 2 * 1024 * 1024, digest: digestOf(bytes) },
  ]);
  for (const node of [a, b]) t.ok((await get(node, json.url)).bytes.equals(bytes));
  await a.close();
  await b.owned();
  t.notOk(fs.existsSync(cached(b, bytes)), 'the next owner has no copy yet');
  t.ok((await get(b, json.url)).bytes.equals(bytes));
  t.ok(fs.readFileSync(cached(b, bytes)).equals(bytes), 'now it has');
});

t.test('an export carries the files of a cluster, and an import through a follower stores them', async (t) => {
  const { database, start, a, key, files, upload, get } = await started(t);
  const b = await start('b');
  const bytes = picture('plan');
  const { url } = (await upload(a, bytes)).json;
  const project = files.replace(/\/files$/, '');
  await ask({ url: a.url, key }, 'POST', `${project}/artboards`, { name: 'Ground floor', image_url: url });
  const exported = await ask({ url: b.url, key }, 'GET', `${project}/export?files=true`);
  t.equal(exported.status, 200);
  const imported = await ask({ url: b.url, key }, 'POST', '/api/v1/projects/import', exported.json);
  t.equal(imported.status, 200);
  const made = await ask({ url: a.url, key }, 'GET', `/api/v1/projects/${imported.json.id}`);
  const other = made.json.artboards[0].image_url;
  t.not(other, url, 'the import has an address of its own');
  t.equal((await ask({ url: a.url, key }, 'DELETE', project)).status, 204);
  t.equal((await get(a, url)).status, 404);
  await a.close();
  await b.owned();
  t.ok((await get(b, other)).bytes.equals(bytes), 'also from the next owner');
  t.strictSame((await verifyCluster(database.connection)).findings, []);
});

t.test('what was acknowledged before the owner was killed is in the database, and the next owner serves it', async (t) => {
  const database = await newCluster(t, pair);
  const [a, b] = await makeNodes(t, { cluster: database.text, count: 2, flags: ['--lease', '1s'] });
  if (a === undefined || b === undefined) return;
  await a.start();
  const key = await a.firstKey();
  await b.start();
  await b.answers('/readyz', 200);
  const { id } = (await ask({ url: a.url, key }, 'POST', '/api/v1/projects', { name: 'Harbour' })).json;
  const headers = { authorization: `Bearer ${key}` };
  const acknowledged: { readonly url: string; readonly bytes: Buffer }[] = [];
  let uploads = 0;
  const client = async (): Promise<void> => {
    while (a.isRunning) {
      const n = uploads++;
      const bytes = png(3, 2, `${n}`.padEnd(200_000 * (1 + (n % 9)), '.'));
      const body = new Uint8Array(bytes);
      const route = `/api/v1/projects/${id}/files?name=${n}.png`;
      const response = await fetch(a.url + route, { method: 'POST', headers, body }).catch(() => undefined);
      if (response?.status !== 200) continue;
      const { url } = (await response.json()) as { url: string };
      acknowledged.push({ url, bytes });
      const [row] = await database.sql("SELECT encode(sha256(string_agg(bytes, '' ORDER BY n)), 'hex') AS digest FROM mw_blob WHERE digest = $1", [digestOf(bytes)]); // biome-ignore format: one line
      t.equal(row?.['digest'], digestOf(bytes), `upload ${n}`);
    }
  };
  const clients = [client(), client(), client(), client()];
  await until('some files are acknowledged', () => acknowledged.length >= 20);
  await a.kill();
  await Promise.all(clients);
  await b.answers('/readyz/owner', 200);
  for (const { url, bytes } of acknowledged) {
    const response = await fetch(b.url + url);
    t.ok(Buffer.from(await response.arrayBuffer()).equals(bytes), `${url}: ${response.status}`);
  }
});

t.test('rows of deleted files, and of uploads without a record, are deleted once the snapshots have passed them', async (t) => {
  const { database, start, a, key, files, upload, stored, snapshot, collect, cached } = await started(t);
  const [kept, gone] = [picture('kept'), picture('gone')];
  await upload(a, kept);
  const { json } = await upload(a, gone);
  // As an owner leaves them that dies before it appends the record: all rows of a blob, and a part of one.
  const [whole, part] = ['a'.repeat(64), 'b'.repeat(64)];
  await database.sql('INSERT INTO mw_blob SELECT shard, $1, n, put, bytes FROM mw_blob WHERE digest = $2', [
    whole,
    digestOf(gone),
  ]);
  await database.sql('INSERT INTO mw_blob SELECT shard, $1, n, put, bytes FROM mw_blob WHERE digest = $2 AND n = 1', [part, digestOf(gone)]); // biome-ignore format: one line
  const b = await start('b');
  await a.close();
  await b.owned();
  t.equal((await ask({ url: b.url, key }, 'DELETE', `${files}/${json.id}`)).status, 204);
  await snapshot(b);
  t.strictSame(await stored(), [whole, part, digestOf(kept), digestOf(gone)].sort());
  // The collector works after the answer to a snapshot, so a day may have to pass again.
  await until('the garbage is gone', async () => {
    await collect(b);
    return (await stored()).length === 1;
  });
  t.strictSame(await stored(), [digestOf(kept)]);
  t.notOk(fs.existsSync(cached(b, gone)));
});

t.test('only the owner stores and deletes rows, and a late deletion spares what was stored since', async (t) => {
  const { database, a, upload, stored } = await started(t);
  const bytes = picture('plan');
  const digest = digestOf(bytes);
  await upload(a, bytes);
  const connection = await Connection.open(database.url, 'test', 'standby');
  t.teardown(() => connection.close());
  const [row] = await database.sql('SELECT epoch, owner, timeline FROM mw_shard');
  const token = { epoch: Number(row?.['epoch']), owner: String(row?.['owner']) };
  const session = { shard: 0, token, timeline: String(row?.['timeline']), ended: undefined };
  const bulk = { connection: async () => connection };
  const own = new OwnerBlobs(session, bulk);
  const former = new OwnerBlobs({ ...session, token: { ...token, epoch: token.epoch - 1 } }, bulk);
  t.strictSame(await former.delete([digest]), [], 'not deleted');
  t.strictSame(await stored(), [digest]);
  const other = picture('other');
  const blob = { digest: digestOf(other), bytes: other.length };
  const pieces = async function* () {
    for (let at = 0; at < other.length; at += 1024 * 1024) yield other.subarray(at, at + 1024 * 1024);
  };
  const ended = { ...session, token: { ...token, epoch: token.epoch - 1 }, ended: undefined as Error | undefined };
  const putting = new OwnerBlobs(ended as typeof session, bulk).put(blob, pieces, new AbortController().signal);
  ended.ended = new NotOwnerError();
  await t.rejects(putting, NotOwnerError);
  t.strictSame(await stored(), [digest], 'not stored');

  const seen = await blobPuts(connection, 0, [digest]);
  t.equal(seen.length, 1);
  await upload(a, bytes);
  await new BlobRows(connection, 0, token).delete(seen);
  t.equal(await own.has({ digest, bytes: bytes.length }), true);
  t.strictSame(await own.delete([digest]), [digest]);
  t.strictSame(await stored(), []);
});

t.test('a file whose rows are damaged or missing is a 500 with an alarm, until its bytes are uploaded again', async (t) => {
  const { database, start, a, upload, get, cached } = await started(t);
  const [sound, rotten, cut] = [picture('sound'), picture('rotten'), picture('cut')];
  const urls: string[] = [];
  for (const bytes of [sound, rotten, cut]) urls.push((await upload(a, bytes)).json.url);
  // A running owner would store what is missing again, from its cache.
  await a.close();
  const flipRow = 'UPDATE mw_blob SET bytes = set_byte(bytes, 9, get_byte(bytes, 9) # 1) WHERE digest = $1 AND n = 1';
  await database.sql(flipRow, [digestOf(rotten)]);
  await database.sql('DELETE FROM mw_blob WHERE digest = $1 AND n = 1', [digestOf(cut)]);
  const { findings } = await verifyCluster(database.connection);
  t.strictSame(findings.map(({ where, problem }) => [where, problem.replace(/^.* are lost: /, '')]).sort(), [
    ['files', 'the bytes in the database have another digest'],
    ['files', `the database has ${1024 * 1024} of ${cut.length} bytes`],
  ]);
  const b = await start('b');
  const server = await b.owned();
  const statuses = async () => await Promise.all(urls.map(async (url) => (await get(b, url)).status));
  t.strictSame(await statuses(), [200, 500, 500]);
  t.notOk(fs.existsSync(cached(b, rotten)), 'wrong bytes are not in the cache');
  await until('the alarm', () => b.logged.some(([, fields]) => fields['alarm'] === 'blob_damaged'));
  t.match(await run(['cluster', 'verify', '--cluster', database.text]), { code: 3, stdout: /2 blobs|3 blobs/ });
  for (const bytes of [rotten, cut]) await upload(b, bytes);
  t.strictSame(await statuses(), [200, 200, 200]);
  t.strictSame((await verifyCluster(database.connection)).findings, []);
  t.ok(server);
});

t.test('a byte of the cache that changes is repaired from the database before it is served', async (t) => {
  const { database, a, upload, get, cached, snapshot } = await started(t);
  for (const bytes of [png(3, 2, 'small'.padEnd(5_000)), picture('large')]) {
    const { url } = (await upload(a, bytes)).json;
    for (let round = 0; round < 2; round++) {
      flip(cached(a, bytes), 950);
      t.ok((await get(a, url)).bytes.equals(bytes), `${bytes.length} bytes, round ${round}`);
      t.ok(fs.readFileSync(cached(a, bytes)).equals(bytes));
    }
    flip(cached(a, bytes), 950);
    await until('a snapshot has repaired it', async () => {
      await snapshot(a);
      return fs.readFileSync(cached(a, bytes)).equals(bytes);
    });
  }
  t.notOk(a.logged.some(([, fields]) => fields['alarm'] === 'blob_damaged'));
  t.strictSame((await verifyCluster(database.connection)).findings, []);
});

t.test('damaged rows are read once in ten seconds, and the alarm ends when they are right again', async (t) => {
  const { database, start, a, upload, get, ahead } = await started(t);
  const bytes = picture('rotten');
  const { url } = (await upload(a, bytes)).json;
  await a.close();
  const flipRow = 'UPDATE mw_blob SET bytes = set_byte(bytes, 9, get_byte(bytes, 9) # 1) WHERE digest = $1 AND n = 1';
  await database.sql(flipRow, [digestOf(bytes)]);
  const b = await start('b');
  const server = await b.owned();
  t.ok(server);
  t.equal((await get(b, url)).status, 500);
  await until('the alarm', () => b.logged.some(([, fields]) => fields['alarm'] === 'blob_damaged'));
  t.equal((await get(b, url)).status, 500);
  await database.sql(flipRow, [digestOf(bytes)]);
  t.equal((await get(b, url)).status, 500, 'it was read a moment ago');
  ahead(11_000);
  t.ok((await get(b, url)).bytes.equals(bytes));
  await until('the end of the alarm', () => b.logged.filter(([, fields]) => fields['alarm'] === 'blob_damaged').length === 2);
});

test.all('a backup of an owner that has no copies contains the bytes of all files, also of a damaged copy', async (t) => {
  const { folder, start, a, upload, cached } = await started(t);
  const [one, two] = [picture('one'), picture('two')];
  for (const bytes of [one, two]) await upload(a, bytes);
  const b = await start('b');
  await a.close();
  await b.owned();
  const target = path.join(folder, 'one.backup');
  await askServer(b.data, 'backup', { target });
  fs.writeFileSync(cached(b, one), Buffer.alloc(one.length));
  const again = path.join(folder, 'two.backup');
  t.match(await askServer(b.data, 'backup', { target: again }), { lostBlobs: [] });
  for (const backup of [target, again]) {
    const data = path.join(folder, `${path.basename(backup)}-restored`);
    t.equal((await run(['restore', backup, '--data', data])).code, 0);
    for (const bytes of [one, two]) t.ok(fs.readFileSync(blobPath(path.join(data, 'blobs'), digestOf(bytes))).equals(bytes));
  }
});

test.all('files go with their data out of a cluster, and into another one; a fork keeps them', async (t) => {
  const { log } = recordingLog();
  const { folder, database, a, key, upload, get } = await started(t);
  const [sound, lost] = [picture('sound'), picture('lost')];
  const { url } = (await upload(a, sound)).json;
  await upload(a, lost, 'lost.png');
  const into = path.join(folder, 'left');
  t.strictSame((await leaveCluster(database.connection, into, log)).lostBlobs, []);
  const single = await openServer({ data: into, log });
  const listening = await single.listen(0);
  t.ok((await get(listening, url)).bytes.equals(sound));
  await single.close();

  fs.rmSync(blobPath(path.join(into, 'blobs'), digestOf(lost)));
  const other = await newDatabase(t, pair);
  const moved = await moveIntoCluster(into, { ...other, log });
  t.match(moved.lostBlobs, [{ name: 'lost.png', problem: 'the file does not exist' }]);
  const c = await startNode(t, other.text, path.join(folder, 'c'), options);
  await c.owned();
  t.ok((await get(c, url)).bytes.equals(sound));
  await c.close();

  await database.sql('DELETE FROM mw_blob WHERE digest = $1', [digestOf(lost)]);
  const partly = await run(['cluster', 'leave', '--cluster', database.text, '--into', path.join(folder, 'partly')]);
  t.equal(partly.code, 3);
  t.match(partly.stdout, /the bytes of the file "lost.png" of project .* are lost: .*\(table mw_blob, shard 0/s);

  await a.close();
  await database.sql("UPDATE mw_shard SET halted = 'records are lost'");
  t.equal((await run(['cluster', 'fork', '--cluster', database.text, '--yes'])).code, 0);
  const next = await startNode(t, database.text, path.join(folder, 'next'), options);
  await next.owned();
  t.ok((await get(next, url)).bytes.equals(sound));
  t.equal((await ask({ url: next.url, key }, 'GET', '/api/v1/projects')).status, 200);
});
