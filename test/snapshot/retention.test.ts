// tier: normal
/** Which snapshots and segments are kept, what a start deletes, and when no snapshot is made. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { CorruptError } from '../../src/lib/errors.ts';
import { nodeFiles } from '../../src/lib/files/files.ts';
import { listSnapshots } from '../../src/storage/snapshot/snapshot-folder.ts';
import { accountIn, create, done, dump, foldersIn, openWorld, project, snapshotIn } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';
import { fill } from './sample.ts';

const listed = (folder: string) => listSnapshots(nodeFiles, foldersIn(folder).snapshots);
const segments = (folder: string) =>
  fs
    .readdirSync(foldersIn(folder).journal)
    .filter((name) => name.endsWith('.segment'))
    .map((name) => Number.parseInt(name, 16));
const spoil = (file: string) => {
  const bytes = fs.readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(200) ^ 1, 200);
  fs.writeFileSync(file, bytes);
};

t.test('the newest two snapshots are kept, and the segments after the older one', async (t) => {
  const folder = temporaryFolder(t);
  const { engine } = await openWorld(folder);
  const lsns: number[] = [];
  for (let i = 0; i < 4; i++) {
    await fill(engine, `${i}`);
    lsns.push((await engine.snapshot())?.lsn ?? 0);
    t.strictSame(listed(folder), lsns.slice(-2).reverse());
    const kept = lsns.at(-2) ?? 0;
    t.equal(Math.min(...segments(folder)), kept + 1, 'the log from the older one on is there');
  }
  t.equal(engine.snapshots.snapshotLsn, lsns.at(-1));
  t.equal(engine.snapshots.lagSegments, 0);
  const before = dump(engine.state);
  await engine.close();
  const again = await openWorld(folder);
  t.teardown(() => again.engine.close());
  t.equal(again.recovery.snapshotLsn, lsns.at(-1));
  t.equal(again.recovery.records, 0, 'nothing above it');
  t.equal(dump(again.engine.state), before);
});

t.test('no snapshot is made without a new record', async (t) => {
  const folder = temporaryFolder(t);
  const empty = await openWorld(folder);
  t.equal(await empty.engine.snapshot(), undefined, 'nothing was ever written');
  t.strictSame(listed(folder), []);
  await accountIn(empty.engine);
  const first = await empty.engine.snapshot();
  t.equal(first?.records, 1);
  t.equal(await empty.engine.snapshot(), undefined);
  await empty.engine.close();
  const { engine } = await openWorld(folder);
  t.equal(await engine.snapshot(), undefined, 'a start and a stop are no records');
  t.strictSame(listed(folder), [first?.lsn]);
  await engine.close();
});

t.test('concurrent requests for a snapshot get one that covers both', async (t) => {
  const { engine } = await openWorld(temporaryFolder(t));
  t.teardown(() => engine.close());
  await fill(engine, 'one');
  await Promise.all([engine.snapshot(), engine.snapshot()]);
  t.equal(engine.snapshots.snapshotLsn, engine.state.lsn);
  t.equal(engine.snapshots.failures, 0);
});

t.test('a start deletes what aborted snapshots and deletions left', async (t) => {
  const folder = temporaryFolder(t);
  const { engine } = await openWorld(folder);
  const { snapshots, journal } = foldersIn(folder);
  await fill(engine, 'one');
  const first = (await engine.snapshot())?.lsn ?? 0;
  const old = snapshotIn(snapshots, first);
  const keptAside = fs.readFileSync(old);
  const keptSegment = fs.readFileSync(path.join(journal, '0000000000000001.segment'));
  for (const name of ['two', 'three']) {
    await fill(engine, name);
    await engine.snapshot();
  }
  const before = dump(engine.state);
  await engine.close();
  t.notOk(fs.existsSync(old));
  // As after a crash during a snapshot, and after one before its deletions.
  fs.writeFileSync(`${snapshotIn(snapshots, 9999)}.tmp`, 'half a snapshot');
  fs.writeFileSync(old, keptAside);
  fs.writeFileSync(path.join(journal, '0000000000000001.segment'), keptSegment);
  const again = await openWorld(folder);
  t.teardown(() => again.engine.close());
  t.equal(dump(again.engine.state), before);
  t.equal(fs.readdirSync(snapshots).length, 2, 'two snapshots and nothing else');
  t.notOk(fs.existsSync(old));
  t.ok(Math.min(...segments(folder)) > 1);
});

t.test('a damaged newest snapshot is reported, quarantined and not used for the next one', async (t) => {
  const folder = temporaryFolder(t);
  const { snapshots } = foldersIn(folder);
  const first = await openWorld(folder);
  const lsns: number[] = [];
  for (const name of ['one', 'two']) {
    await fill(first.engine, name);
    lsns.push((await first.engine.snapshot())?.lsn ?? 0);
  }
  const [older, newer] = lsns as [number, number];
  await fill(first.engine, 'three');
  const before = dump(first.engine.state);
  await first.engine.close();
  const bad = snapshotIn(snapshots, newer);
  spoil(bad);
  const second = await openWorld(folder);
  t.equal(dump(second.engine.state), before);
  t.equal(second.recovery.snapshotLsn, older);
  t.strictSame(
    second.recovery.damaged.map(({ file }) => file),
    [bad],
  );
  t.ok(second.logged.some(([level, fields]) => level === 'error' && fields['file'] === bad));
  t.ok(fs.existsSync(`${bad}.damaged`));
  t.notOk(fs.existsSync(bad));
  await fill(second.engine, 'four');
  const report = await second.engine.snapshot();
  t.strictSame(listed(folder), [report?.lsn, older], 'the one before the newest is the sound one');
  await second.engine.close();
  // Now that one is damaged too: what is left must still be whole.
  spoil(snapshotIn(snapshots, report?.lsn ?? 0));
  const third = await openWorld(folder);
  t.teardown(() => third.engine.close());
  t.equal(third.recovery.snapshotLsn, older);
  t.equal(third.engine.state.lsn, report?.lsn);
});

t.test('a folder that is refused is not changed', async (t) => {
  const folder = temporaryFolder(t);
  const { snapshots, journal } = foldersIn(folder);
  const { engine } = await openWorld(folder);
  for (const name of ['one', 'two', 'three']) {
    await fill(engine, name);
    await engine.snapshot();
  }
  await engine.close();
  for (const lsn of listed(folder)) spoil(snapshotIn(snapshots, lsn));
  const names = () => [fs.readdirSync(snapshots), fs.readdirSync(journal)];
  const before = names();
  await t.rejects(openWorld(folder), CorruptError);
  t.strictSame(names(), before);
});

t.test('a failed snapshot is counted and logged, requests go on, and a later one succeeds', async (t) => {
  const folder = temporaryFolder(t);
  const { engine, logged } = await openWorld(folder);
  t.teardown(() => engine.close());
  const { snapshots } = foldersIn(folder);
  await fill(engine, 'one');
  // A file where the folder should be stops every snapshot, also one that runs as root.
  fs.rmdirSync(snapshots);
  fs.writeFileSync(snapshots, '');
  await t.rejects(engine.snapshot());
  t.equal(engine.snapshots.failures, 1);
  t.ok(logged.some(([level, , message]) => level === 'error' && message.includes('cannot write a snapshot')));
  await done(engine, create(project(await accountIn(engine)), { name: 'meanwhile' }));
  fs.unlinkSync(snapshots);
  t.equal((await engine.snapshot())?.lsn, engine.state.lsn);
});
