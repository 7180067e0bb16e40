// tier: all, process: first
/** Every alarm: raised by its cause, logged once, shown as a metric, and cleared when the cause is gone. */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import type { Engine } from '../../src/engine/engine.ts';
import { createServer, type MapwrightServer, type ServerOptions } from '../../src/index.ts';
import type { Live } from '../../src/live/live.ts';
import { type AlarmName, Alarms, alarmTexts } from '../../src/server/telemetry/alarms.ts';
import { alarmConditions, type EngineAlarm } from '../../src/server/telemetry/engine-alarms.ts';
import type { Wal } from '../../src/storage/wal/write/wal.ts';
import { FileIndex } from '../../src/store/file-index.ts';
import type { StoredProject } from '../../src/store/stored-project.ts';
import { png } from '../api/pictures.ts';
import { ask } from '../support/client.ts';
import { sectionOf } from '../support/documents.ts';
import { foldersIn, recordingLog } from '../support/engine.ts';
import { parseExposition, sampleOf } from '../support/exposition.ts';
import { flip } from '../support/flip.ts';
import { temporaryFolder } from '../support/process.ts';

t.setTimeout(600_000);

const mebibyte = 1024 * 1024;

async function served(t: Pick<Test, 'teardown'>, options: Partial<ServerOptions> = {}) {
  const data = path.join(temporaryFolder(t), 'data');
  const { log, logged } = recordingLog();
  const server = await createServer({ data, log, segmentBytes: mebibyte, snapshotPauseMs: 0, ...options });
  t.teardown(() => server.close());
  const { url } = await server.listen(0);
  const { key } = await server.createKey('ann');
  const raised = async (): Promise<AlarmName[]> => {
    const families = parseExposition((await ask({ url }, 'GET', '/metrics')).text);
    return (Object.keys(alarmTexts) as AlarmName[]).filter((name) => sampleOf(families, 'mapwright_alarm', { name }) === 1);
  };
  /** Waits until an alarm is raised, or not any more. */
  const until = async (name: AlarmName, on: boolean): Promise<void> => {
    for (let i = 0; (await raised()).includes(name) !== on; i++) {
      if (i === 1600) throw new Error(`${name} is still ${on ? 'not ' : ''}raised`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  /** Lines of the log about an alarm. */
  const lines = (name: AlarmName) =>
    logged.filter(([, fields]) => fields['alarm'] === name).map(([level, , message]) => [level, message]);
  const expectedLines = (name: AlarmName) => [
    ['error', alarmTexts[name].raised],
    ['info', alarmTexts[name].cleared],
  ];
  return { server, data, at: { url, key }, raised, until, lines, expectedLines };
}

/** One project of so many bytes; again and again while the server is busy. */
async function write(at: { url: string; key: string }, bytes: number): Promise<number> {
  for (;;) {
    const { status } = await ask(at, 'POST', '/v1/projects', { popups: [{ content: 'x'.repeat(bytes) }] });
    if (status !== 503) return status;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const snapshotsIn = (data: string) => {
  const { snapshots } = foldersIn(data);
  return fs
    .readdirSync(snapshots)
    .filter((name) => name.endsWith('.snapshot'))
    .sort()
    .map((name) => path.join(snapshots, name));
};

/** A folder in place of a new file stands for a disk on which none can be created, also for root. */
function blockSpares(data: string): () => void {
  const name = path.join(foldersIn(data).journal, 'spare.tmp');
  fs.mkdirSync(name);
  return () => fs.rmdirSync(name);
}

function blockSnapshots(data: string): () => void {
  const { snapshots } = foldersIn(data);
  fs.renameSync(snapshots, `${snapshots}-away`);
  fs.writeFileSync(snapshots, '');
  return () => {
    fs.unlinkSync(snapshots);
    fs.renameSync(`${snapshots}-away`, snapshots);
  };
}

/** What a condition does not look at. */
const parts = { engine: {} as Engine, wal: {} as Wal, schedule: undefined, live: undefined };

/** Those of a node of a cluster: cluster/telemetry. */
const scenes: Record<EngineAlarm, (t: Test) => Promise<void>> = {
  async disk_full(t) {
    const { server, data, at, until, lines, expectedLines } = await served(t);
    const free = blockSpares(data);
    await server.snapshot();
    await until('disk_full', true);
    free();
    await until('disk_full', false);
    t.equal(await write(at, 100_000), 200);
    t.strictSame(lines('disk_full'), expectedLines('disk_full'));
  },

  async flush_stalled(t) {
    // With a disk that does not answer: server/stall.
    let stalled: Wal['stats']['stalled'] = { ms: 5400, medium: 'disk', segment: 'x.segment' };
    const wal = {
      get stats() {
        return { stalled };
      },
    };
    const { flush_stalled: cause } = alarmConditions({ ...parts, wal: wal as Wal });
    t.strictSame(cause(), { stalledS: 5, segment: 'x.segment' });
    stalled = { ...stalled, medium: 'database' };
    t.equal(cause(), undefined, 'the disk is not blamed for a database');
    stalled = undefined;
    t.equal(cause(), undefined);
  },

  async data_source_failing(t) {
    const hourMs = 3_600_000;
    const name = { accountId: 'acc', projectId: 'p1', sourceId: 's1' };
    const failing = [{ name, code: 'refused', since: Date.now() - hourMs - 1000 }];
    const live = { sources: { stats: { failing } } } as unknown as Live;
    const { data_source_failing: cause } = alarmConditions({ ...parts, live });
    t.match(cause(), { ...name, code: 'refused', dataSources: 1 });
    failing[0] = { name, code: 'refused', since: Date.now() - hourMs / 2 };
    t.equal(cause(), undefined, 'not before an hour');
  },

  async deleted_bytes_high(t) {
    const gibibyte = 1024 * mebibyte;
    const files = new FileIndex(1);
    const { deleted_bytes_high: cause } = alarmConditions({ ...parts, engine: { state: { files } } as unknown as Engine });
    files.foundUnreferenced('a'.repeat(64), 1, { bytes: gibibyte / 2, accountId: 'ann' });
    t.equal(cause(), undefined, 'not below a gibibyte');
    files.foundUnreferenced('b'.repeat(64), 1, { bytes: gibibyte, accountId: 'bob' });
    t.match(cause(), { accountId: 'bob', accountBytes: gibibyte, bytes: 1.5 * gibibyte, usedBytes: 0 });
    const file = { id: 'file', url: '', digest: 'c'.repeat(64), bytes: 2 * gibibyte };
    files.replace({ accountId: 'ann' } as StoredProject, undefined, file, 2);
    t.equal(cause(), undefined, 'more bytes are in use');
  },

  async segment_late(t) {
    // Late spare segments and their reports are tested in wal/wal-faults: no disk stalls here.
    const stats = { spareIsLate: true };
    const { segment_late: cause } = alarmConditions({ ...parts, wal: { stats } as Wal });
    t.not(cause(), undefined);
    stats.spareIsLate = false;
    t.equal(cause(), undefined);
  },

  async memory_full(t) {
    const { until, at, lines, expectedLines } = await served(t, { memoryBytes: 1 + usedNow() + 25 * mebibyte });
    const made: string[] = [];
    let status = 200;
    for (let i = 0; i < 500 && status !== 507; i++) {
      const popups = Array.from({ length: 2000 }, (_, j) => ({ title: `${i} ${j}` }));
      const answer = await ask(at, 'POST', '/v1/projects', { popups });
      ({ status } = answer);
      if (status === 200) made.push(answer.json.id);
    }
    t.equal(status, 507);
    await until('memory_full', true);
    for (const id of made) t.equal((await ask(at, 'DELETE', `/v1/projects/${id}`)).status, 204);
    await until('memory_full', false);
    t.equal(await write(at, 1000), 200);
    t.strictSame(lines('memory_full'), expectedLines('memory_full'));
  },

  async snapshot_failing(t) {
    const { server, data, at, until, lines, expectedLines } = await served(t);
    const free = blockSnapshots(data);
    for (let i = 0; i < 6; i++) await t.rejects(server.snapshot());
    await until('snapshot_failing', true);
    t.equal(await write(at, 1000), 200, 'nothing else notices');
    free();
    await until('snapshot_failing', false);
    t.strictSame(lines('snapshot_failing'), expectedLines('snapshot_failing'), 'once for six failures');
  },

  async cleanup_failing(t) {
    const { server, data, at, until, lines, expectedLines } = await served(t);
    const stuck = path.join(foldersIn(data).snapshots, '0000000000000001.snapshot');
    for (let i = 0; i < 3; i++) {
      // A folder that is not empty, in the place of an old file: it cannot be deleted as one.
      if (i === 2) fs.mkdirSync(path.join(stuck, 'in'), { recursive: true });
      await write(at, 1000);
      t.ok(await server.snapshot(), 'the snapshot succeeds');
    }
    await until('cleanup_failing', true);
    t.equal(snapshotsIn(data).length, 3);
    fs.rmdirSync(path.join(stuck, 'in'));
    fs.rmdirSync(stuck);
    await until('cleanup_failing', false);
    t.strictSame(lines('cleanup_failing'), expectedLines('cleanup_failing'));
    const undeleted = [{ file: 'old.backup', error: 'EPERM' }];
    const engine = { snapshots: { stats: { undeleted: [] } } } as unknown as Engine;
    const schedule = { undeleted } as unknown as NonNullable<Parameters<typeof alarmConditions>[0]['schedule']>;
    t.strictSame(alarmConditions({ ...parts, engine }).cleanup_failing(), undefined);
    t.strictSame(
      alarmConditions({ ...parts, engine, schedule }).cleanup_failing(),
      { ...undeleted[0], files: 1 },
      'of backups, too',
    );
  },

  async snapshot_lagging(t) {
    const { server, data, at, raised, until, lines, expectedLines } = await served(t, { snapshotBytes: mebibyte });
    const free = blockSnapshots(data);
    for (let i = 0; i < 6; i++) t.equal(await write(at, 900_000), 200);
    t.notOk((await raised()).includes('snapshot_lagging'), 'a few segments raise no alarm');
    for (let i = 0; i < 6; i++) t.equal(await write(at, 900_000), 200);
    await until('snapshot_lagging', true);
    free();
    await server.snapshot();
    await until('snapshot_lagging', false);
    t.strictSame(lines('snapshot_lagging'), expectedLines('snapshot_lagging'));
  },

  async snapshot_damaged(t) {
    const { server, data, at, raised, until, lines, expectedLines } = await served(t);
    for (let i = 0; i < 2; i++) {
      await write(at, 1000);
      await server.snapshot();
    }
    const files = snapshotsIn(data);
    t.equal(files.length, 2);
    for (const file of files) flip(file, 200);
    await write(at, 1000);
    await t.rejects(server.snapshot());
    await until('snapshot_damaged', true);
    t.ok((await raised()).includes('snapshot_failing'));
    t.strictSame(snapshotsIn(data), files, 'nothing was deleted');
    flip(files[0] as string, 200);
    await server.snapshot();
    await until('snapshot_damaged', false);
    t.strictSame(lines('snapshot_damaged'), expectedLines('snapshot_damaged'));
  },

  async blob_damaged(t) {
    const { data, at, until, lines, expectedLines } = await served(t);
    const { url, key } = at;
    const headers = { authorization: `Bearer ${key}` };
    const { id } = (await ask(at, 'POST', '/v1/projects', {})).json;
    const upload = async () =>
      (await fetch(`${url}/v1/projects/${id}/files?name=a.png`, { method: 'POST', headers, body: png() })).json();
    const file = (await upload()) as { url: string };
    const digest = (await fetch(url + file.url)).headers.get('etag')?.slice(1, -1) as string;
    fs.rmSync(path.join(data, 'blobs', digest.slice(0, 2), digest));
    t.equal((await fetch(url + file.url)).status, 500);
    await until('blob_damaged', true);
    await upload();
    await until('blob_damaged', false);
    t.equal((await fetch(url + file.url)).status, 200);
    t.strictSame(lines('blob_damaged'), expectedLines('blob_damaged'));
  },

  async backup_failing(t) {
    const dir = path.join(temporaryFolder(t), 'backups');
    const { at, until, lines, expectedLines } = await served(t, { backup: { dir, everyMs: 1000, keep: 2, later: true } });
    await write(at, 1000);
    await until('backup_failing', true);
    t.match((await ask(at, 'GET', '/metrics')).text, /^mapwright_backup_failures_total [1-9]/m);
    t.match((await ask(at, 'GET', '/metrics')).text, /^mapwright_backup_last_success_timestamp_seconds 0$/m);
    fs.mkdirSync(dir);
    await until('backup_failing', false);
    t.match((await ask(at, 'GET', '/metrics')).text, /^mapwright_backup_last_success_timestamp_seconds [1-9]/m);
    t.ok(fs.readdirSync(dir).some((name) => name.endsWith('.backup')));
    t.strictSame(lines('backup_failing'), expectedLines('backup_failing'));
  },

  async log_damaged(t) {
    const { server, data, at, until, lines, expectedLines } = await served(t);
    const free = blockSnapshots(data);
    await write(at, 1000);
    await t.rejects(server.snapshot());
    const [segment] = fs.readdirSync(foldersIn(data).journal).filter((name) => name.endsWith('.segment'));
    const file = path.join(foldersIn(data).journal, segment as string);
    flip(file, 600);
    await t.rejects(server.snapshot());
    await until('log_damaged', true);
    t.equal(await write(at, 1000), 200, 'the server still has everything');
    flip(file, 600);
    free();
    await server.snapshot();
    await until('log_damaged', false);
    t.strictSame(lines('log_damaged'), expectedLines('log_damaged'));
  },
};

function usedNow(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

for (const [name, scene] of Object.entries(scenes))
  t.test(`the alarm ${name} is raised and logged once, and cleared when its cause is gone`, scene);

t.test('snapshot_damaged is raised for a snapshot that was damaged before the start, until a new one exists', async (t) => {
  const { server, data, at } = await served(t);
  await write(at, 1000);
  await server.snapshot();
  await server.close();
  flip(snapshotsIn(data)[0] as string, 200);
  const { log, logged } = recordingLog();
  const again: MapwrightServer = await createServer({ data, log, segmentBytes: mebibyte });
  t.teardown(() => again.close());
  const { url } = await again.listen(0);
  const value = async () =>
    sampleOf(parseExposition((await ask({ url }, 'GET', '/metrics')).text), 'mapwright_alarm', { name: 'snapshot_damaged' });
  t.equal(await value(), 1);
  await again.snapshot();
  t.equal(await value(), 0);
  t.equal(logged.filter(([, fields]) => fields['alarm'] === 'snapshot_damaged').length, 2);
});

t.test('alarms are evaluated once a second without a request, and a repeated cause is one log line', async (t) => {
  const { log, logged } = recordingLog();
  let cause: Record<string, unknown> | undefined;
  const nothing = () => undefined;
  const causes = Object.fromEntries(Object.keys(alarmTexts).map((name) => [name, nothing])) as Record<AlarmName, () => undefined>;
  const alarms = new Alarms({ ...causes, disk_full: () => cause }, log);
  t.teardown(() => alarms.close());
  cause = { reason: 'made up' };
  while (logged.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  for (let i = 0; i < 5; i++) alarms.check();
  t.match(logged, [['error', { alarm: 'disk_full', reason: 'made up' }, alarmTexts.disk_full.raised]]);
  t.equal(logged.length, 1);
  cause = undefined;
  while (logged.length === 1) await new Promise((resolve) => setTimeout(resolve, 20));
  for (let i = 0; i < 5; i++) alarms.check();
  t.equal(logged.length, 2);
  alarms.close();
  cause = { reason: 'again' };
  await new Promise((resolve) => setTimeout(resolve, 1500));
  t.equal(logged.length, 2, 'a closed server looks no more');
});

t.test('docs/operations.md lists exactly the alarms of the server', async (t) => {
  const rows = sectionOf('docs/operations.md', 'Alarms').matchAll(/^\| `(\w+)` \|/gm);
  t.strictSame(Array.from(rows, ([, name]) => name).sort(), Object.keys(alarmTexts).sort());
});
