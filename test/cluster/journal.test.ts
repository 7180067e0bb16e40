// tier: normal, process: own
/** The log of a shard's owner on a real pair of databases: the tests of every journal, and the copies of followers. */
import { randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { BulkStore } from '../../src/cluster/database/bulk-store.ts';
import { checkSettings } from '../../src/cluster/database/check-settings.ts';
import { createCluster, readCluster } from '../../src/cluster/database/create-cluster.ts';
import { Connection } from '../../src/cluster/database/database-connection.ts';
import { parseDatabaseUrl } from '../../src/cluster/database/database-url.ts';
import { free, reserve } from '../../src/cluster/database/directory.ts';
import { check } from '../../src/cluster/database/owner-statements.ts';
import { chainAfter, firstChain } from '../../src/cluster/log/batches.ts';
import { ClaimSession } from '../../src/cluster/log/claim-session.ts';
import { ClusterWorker } from '../../src/cluster/log/cluster-worker.ts';
import { Follower } from '../../src/cluster/log/follower.ts';
import { OwnerSession } from '../../src/cluster/log/owner-session.ts';
import { SnapshotUploader } from '../../src/cluster/log/upload-snapshot.ts';
import { nodeFiles } from '../../src/lib/files/files.ts';
import { recordLengthBytes } from '../../src/storage/wal/format/frame.ts';
import { segmentBytesMin } from '../../src/storage/wal/format/segment.ts';
import { recoverWal } from '../../src/storage/wal/recovery/recover-wal.ts';
import { repairTail } from '../../src/storage/wal/recovery/repair-tail.ts';
import { openWal, type Wal } from '../../src/storage/wal/write/wal.ts';
import { WalThreads } from '../../src/storage/wal/write/wal-worker.ts';
import { decodeRecord, encodeRecord } from '../../src/store/operations/record.ts';
import { recordingLog, snapshotIn } from '../support/engine.ts';
import { conformance, type Home } from '../wal/conformance.ts';
import { readersOf } from '../wal/harness.ts';
import { type Postgres, startPostgres } from './support/postgres.ts';

const shards = 20;
const leaseMs = 3_000;
const { log } = recordingLog();

let pair: Postgres;
let nextShard = 0;
const lineage = randomBytes(16).toString('hex');

t.before(async () => {
  pair = await startPostgres(t);
  const connection = await Connection.open(parseDatabaseUrl(pair.urls), 'test', 'standby');
  await checkSettings(connection);
  const start = { lineage, position: { lsn: 0, chain: firstChain } };
  await createCluster(connection, { shards: Array.from({ length: shards }, () => start), schemaWritten: 1 });
  connection.close();
});

interface Owned {
  readonly wal: Wal;
  readonly session: OwnerSession;
  /** Closes the log and gives the shard away. */
  leave(): Promise<void>;
}

/** A process that owns a shard: claim, catch up, open. */
async function own(shard: number, folder: string): Promise<Owned> {
  const url = parseDatabaseUrl(pair.urls);
  const bulk = new BulkStore(url, 'standby');
  const claim = new ClaimSession({
    url,
    durability: 'standby',
    shards: [shard],
    leaseMs,
    address: '',
    log,
    onObserved: () => undefined,
  });
  const won = await claim.won;
  if (won === undefined) throw new Error('the claim was closed');
  const follower = await follow(shard, folder, bulk);
  const end = await follower.catchUp();
  await follower.close();
  const { newest } = await check(await bulk.connection(), shard, end);
  const session = new OwnerSession({
    ...{ url, durability: 'standby', shard, leaseMs, log, acknowledged: newest, onEnded: () => undefined },
    ...{ token: won.token, timeline: won.timeline },
  });
  const plan = recoverWal(nodeFiles, path.join(folder, 'journal'), { after: 0 });
  const tail = repairTail(nodeFiles, plan, { sync: 'interval', segmentBytes: segmentBytesMin, lineage, isCache: true });
  const wal = await openWal(tail, {
    onFatal: (error) => {
      throw error;
    },
    worker: new ClusterWorker(session, bulk, new WalThreads()),
    gate: () => session.gate(),
  });
  const leave = async (): Promise<void> => {
    await wal.close();
    await session.release();
    await session.close();
    await bulk.close();
  };
  return { wal, session, leave };
}

function follow(shard: number, folder: string, bulk: BulkStore, snapshotMinutes = 60): Promise<Follower> {
  const folders = { path: folder, journal: path.join(folder, 'journal'), snapshots: path.join(folder, 'snapshots') };
  return Follower.open({
    ...{ folders, shard, lineage, bulk, log, segmentBytes: segmentBytesMin, snapshotBytes: 1e9, snapshotMinutes },
    snapshotPauseMs: 0,
    onFailed: (error) => {
      throw error;
    },
  });
}

function home(t: Test): Home {
  const shard = nextShard++;
  const folder = t.testdir();
  let owned: Owned | undefined;
  t.teardown(() => owned?.leave());
  return {
    async open() {
      await owned?.leave();
      owned = await own(shard, folder);
      return owned.wal;
    },
    ...readersOf(nodeFiles, path.join(folder, 'journal')),
  };
}

t.test('the journal of a cluster passes the tests of every journal', async (t) => {
  conformance(t, home);
});

t.test('a follower has every acknowledged record, small and large', async (t) => {
  const shard = nextShard++;
  const { wal, leave } = await own(shard, t.testdir());
  const records = [Buffer.from('first'), Buffer.alloc(3_000_000, 'large'), Buffer.from('last')];
  for (const record of records) {
    if (record.byteLength <= wal.recordBytesMax) wal.append(record);
    else wal.commitPrepared(await wal.prepare(record.byteLength, async (into) => void record.copy(into)));
  }
  await wal.durable(3);
  const folder = path.join(t.testdirName, randomUUID());
  const bulk = new BulkStore(parseDatabaseUrl(pair.url), 'standby');
  const follower = await follow(shard, folder, bulk);
  t.equal((await follower.catchUp()).lsn, 3);
  await follower.close();
  t.same(await readersOf(nodeFiles, path.join(folder, 'journal')).records(), records);
  await leave();
  t.same((await readCluster(await bulk.connection())).shards, shards);
  await bulk.close();
});

t.test('a follower detects a record that a failover removed, also below its snapshot', async (t) => {
  const shard = nextShard++;
  const { wal, leave } = await own(shard, t.testdir());
  for (const time of [1, 2]) await wal.durable(wal.append(recordOf(time)));
  await leave();
  const folder = path.join(t.testdirName, randomUUID());
  const snapshots = path.join(folder, 'snapshots');
  const bulk = new BulkStore(parseDatabaseUrl(pair.url), 'standby');
  const follower = await follow(shard, folder, bulk, 0.0001);
  t.equal((await follower.catchUp()).lsn, 2);
  while (!fs.readdirSync(snapshots).some((name) => name.endsWith('.snapshot'))) await delay(20);
  await follower.close();
  const other = packed(recordOf(3));
  const connection = await bulk.connection();
  const [row] = await connection.query<{ chain: string }>(
    "SELECT encode(chain, 'hex') AS chain FROM mw_log WHERE shard = $1 AND last_lsn = 1",
    [shard],
  );
  await connection.query("UPDATE mw_log SET payload = $2, chain = decode($3, 'hex') WHERE shard = $1 AND last_lsn = 2", [
    ...[shard, other, chainAfter(row?.chain ?? '', other)],
  ]);
  const again = await follow(shard, folder, bulk);
  t.equal((await again.catchUp()).lsn, 2);
  await again.close();
  const copied = await readersOf(nodeFiles, path.join(folder, 'journal')).records();
  t.same(
    copied.map((record) => decodeRecord(record).time),
    [1, 3],
  );
  t.ok(fs.readdirSync(folder).some((name) => name.startsWith('set-aside')));
  await bulk.close();
});

t.test('a WARNING is attributed to its own write while another one is queued', async (t) => {
  const connection = await Connection.open(parseDatabaseUrl(pair.urls), 'test', 'standby');
  const warning = connection.write("DO $$ BEGIN RAISE WARNING 'x'; PERFORM pg_sleep(0.3); END $$", []);
  await delay(100);
  const sound = connection.write('SELECT 1', []);
  t.match((await warning).answer, { warned: true });
  t.match((await sound).answer, { warned: false, rows: 1 });
  connection.close();
});

t.test('parts of large records are deleted with their row, and old abandoned parts are deleted', async (t) => {
  const shard = nextShard++;
  const { wal, session, leave } = await own(shard, t.testdir());
  const name = 'x'.repeat(3_000_000);
  const large = encodeRecord({ time: 1, changes: [{ op: 'put-account', account: { id: 'a', name, created: '' } }] });
  await wal.durable(wal.commitPrepared(await wal.prepare(large.byteLength, async (into) => void large.copy(into))));
  const folder = path.join(t.testdirName, randomUUID());
  const snapshots = path.join(folder, 'snapshots');
  const bulk = new BulkStore(parseDatabaseUrl(pair.url), 'standby');
  const connection = await bulk.connection();
  const follower = await follow(shard, folder, bulk, 0.0001);
  const uploader = new SnapshotUploader(bulk, shard, snapshots, 0);
  const old = { abandoned: randomUUID(), pending: randomUUID(), foreign: randomUUID() };
  const recent = randomUUID();
  const put = (id: string, of: number, seconds: number) =>
    connection.query(
      `INSERT INTO mw_part (deposit, n, bytes, shard, at) VALUES ($1, 0, 'x', $2, clock_timestamp() - make_interval(secs => $3))`,
      [id, of, seconds],
    );
  await put(old.abandoned, shard, 4_000);
  await put(old.pending, shard, 4_000);
  await put(old.foreign, shard + 1, 4_000);
  await put(recent, shard, 10);
  const deposits = async () => {
    const rows = await connection.query<{ deposit: string }>('SELECT DISTINCT deposit FROM mw_part WHERE shard IN ($1, $1 + 1)', [
      shard,
    ]);
    return new Set(rows.map(({ deposit }) => deposit));
  };
  const upload = async (lsn: number) => {
    await wal.durable(wal.append(recordOf(lsn)));
    t.equal((await follower.catchUp()).lsn, lsn);
    while (!fs.existsSync(snapshotIn(snapshots, lsn))) await delay(20);
    await uploader.upload(
      lsn,
      () => session.token,
      () => [old.pending],
    );
  };
  const [row] = await connection.query<{ deposit: string }>('SELECT deposit FROM mw_log WHERE shard = $1 AND last_lsn = 1', [
    shard,
  ]);
  const ofRow = row?.deposit ?? '';
  t.ok((await deposits()).has(ofRow));
  await upload(2);
  t.same(await deposits(), new Set([ofRow, old.pending, old.foreign, recent]), 'the row of the large record is still kept');
  await upload(3);
  t.same(await deposits(), new Set([old.pending, old.foreign, recent]));
  await follower.close();
  await leave();
  await bulk.close();
});

t.test('a stored snapshot refers to complete files only, and the next upload stores lost ones', async (t) => {
  const shard = nextShard++;
  const { wal, session, leave } = await own(shard, t.testdir());
  const folder = path.join(t.testdirName, randomUUID());
  const bulk = new BulkStore(parseDatabaseUrl(pair.url), 'standby');
  const connection = await bulk.connection();
  const follower = await follow(shard, folder, bulk, 0.0001);
  const snapshots = path.join(folder, 'snapshots');
  const uploader = new SnapshotUploader(bulk, shard, snapshots, 0);
  const upload = () =>
    uploader.upload(
      1,
      () => session.token,
      () => [],
    );
  await wal.durable(wal.append(recordOf(1)));
  await follower.catchUp();
  while (!fs.existsSync(snapshotIn(snapshots, 1))) await delay(20);
  t.ok((await upload()) > 0);
  const [stored] = await connection.query<{ files: unknown[] }>('SELECT files FROM mw_snapshot WHERE shard = $1', [shard]);
  t.equal(stored?.files.length, 1, 'a file is listed once');
  // What a failover or a late statement takes back.
  for (const table of ['mw_file', 'mw_snapshot']) await connection.query(`DELETE FROM ${table} WHERE shard = $1`, [shard]);
  await t.rejects(upload(), { message: 'the database has lost a file of the snapshot of record 1' });
  t.same(await connection.query('SELECT 1 FROM mw_snapshot WHERE shard = $1', [shard]), []);
  t.ok((await upload()) > 0);
  t.equal((await connection.query('SELECT 1 FROM mw_snapshot WHERE shard = $1', [shard])).length, 1);
  await follower.close();
  await leave();
  await bulk.close();
});

t.test('a late deletion of a name keeps a newer reservation', async (t) => {
  const shard = nextShard++;
  const { session, leave } = await own(shard, t.testdir());
  const connection = await Connection.open(parseDatabaseUrl(pair.url), 'test', 'standby');
  const reserveIt = () => reserve(connection, 'account', shard, session.token, 'acme');
  const there = async () => await connection.query("SELECT shard FROM mw_account WHERE name = 'acme'");
  await reserveIt();
  await free(connection, 'account', shard, session.token, ['acme']);
  t.same(await there(), []);
  await reserveIt();
  const query: Connection['query'] = (...args) => connection.query(...args);
  const write: Connection['write'] = async (...args) => {
    await reserveIt();
    return await connection.write(...args);
  };
  await free({ query, write } as Connection, 'account', shard, session.token, ['acme']);
  t.same(await there(), [{ shard }]);
  connection.close();
  await leave();
});

const recordOf = (time: number): Buffer => encodeRecord({ time, changes: [] });

/** A payload of one record. */
function packed(record: Buffer): Buffer {
  const length = Buffer.alloc(recordLengthBytes);
  length.writeUInt32LE(record.byteLength);
  return Buffer.concat([length, record]);
}
