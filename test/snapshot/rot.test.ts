// tier: normal
/**
 * A snapshot that is damaged while the server runs: the next one is built from the previous snapshot and the log, and never copies damage;
 * if these are damaged, it fails, deletes nothing, and succeeds once the files are whole again.
 */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { CorruptError } from '../../src/lib/errors.ts';
import { restore } from '../../src/storage/recovery/recover-folder.ts';
import { runSnapshot } from '../../src/storage/snapshot/run/snapshot-run.ts';
import { described, SimulatedDisk } from '../disk/simulated-disk.ts';
import { dump, foldersIn, openWorld, snapshotIn } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';
import { fill, flipped } from './sample.ts';

t.setTimeout(600_000);

const lineage = '00112233445566778899aabbccddeeff';

/** Two snapshots and sealed records above them; the next request for a snapshot. */
async function withTwoSnapshots(t: Parameters<typeof temporaryFolder>[0]) {
  const folder = temporaryFolder(t);
  const { engine } = await openWorld(folder);
  t.teardown(() => engine.close());
  for (const name of ['one', 'four']) {
    await fill(engine, name);
    await engine.snapshot();
  }
  await fill(engine, 'seven');
  const to = await engine.journal.seal();
  const image = SimulatedDisk.of(folder);
  const [older, newer] = image.named('.snapshot') as [string, string];
  const { journal: journalFolder, snapshots: snapshotFolder } = foldersIn(folder);
  const request = { journalFolder, snapshotFolder, from: engine.snapshots.snapshotLsn, to, lineage, pauseMs: 0 };
  return { engine, folder, image, older, newer, request, whole: dump(engine.state) };
}

const names = (image: SimulatedDisk) => image.paths();

t.test('a missing newest snapshot counts as damaged', async (t) => {
  const { image, newer, older, request, whole } = await withTwoSnapshots(t);
  image.delete(newer);
  const { damaged } = runSnapshot(image, request);
  t.match(damaged, [{ file: newer, found: /does not exist any more/ }]);
  t.equal(image.named('.snapshot').length, 2);
  t.ok(image.has(older));
  t.equal(dump(restore(image, foldersIn(path.dirname(request.journalFolder))).restored.state), whole);
});

t.test('nothing is changed if the newest snapshot and the data before it are damaged', async (t) => {
  const { image, older, newer, request } = await withTwoSnapshots(t);
  const rotten = flipped(image, newer, 300);
  const cases: [what: string, files: SimulatedDisk][] = [
    ['the older one has rotted too', flipped(rotten, older, 300)],
    ['the older one is of another log', rotten.copy()],
    ['the log between them is gone', rotten.copy()],
    ['the log between them has rotted', flipped(rotten, rotten.named('.segment')[0] as string, 700)],
  ];
  const [, foreign, gap] = cases.map(([, files]) => files) as [SimulatedDisk, SimulatedDisk, SimulatedDisk];
  const strangers = await withTwoSnapshots(t);
  foreign.put(older, strangers.image.bytes(strangers.older));
  gap.delete(gap.named('.segment')[0] as string);
  for (const [what, files] of cases) {
    const before = names(files);
    t.throws(
      () => runSnapshot(files, request),
      { name: 'CorruptError', file: newer, found: /no other snapshot with its log is intact/ },
      what,
    );
    t.strictSame(names(files), before, what);
    t.equal(files.openCount, 0);
  }
});

t.test('after a stop at any call of a snapshot, a restart has everything, and the next snapshot succeeds', async (t) => {
  const { image, newer, request, whole } = await withTwoSnapshots(t);
  const rotten = flipped(image, newer, 300);
  const calls: string[] = [];
  const trial = rotten.copy();
  trial.before = (operation) => calls.push(described(operation));
  runSnapshot(trial, request);
  t.match(calls.join(), /rename \S+damaged,syncFolder snapshots,rename \S+snapshot,syncFolder snapshots$/, 'set aside first');
  for (const [at, call] of calls.entries()) {
    const broken = rotten.copy();
    broken.fail({ nth: at + 1, code: 'EIO' });
    t.throws(() => runSnapshot(broken, request), { code: 'EIO' }, call);
    broken.heal();
    const folders = foldersIn(path.dirname(request.journalFolder));
    t.equal(dump(restore(broken, folders).restored.state), whole, `${call}: a restart`);
    if (!broken.has(snapshotIn(request.snapshotFolder, request.to))) {
      runSnapshot(broken, request);
      t.equal(dump(restore(broken, folders).restored.state), whole, `${call}: the next snapshot`);
    }
  }
});

test.all('a running server logs and counts a damaged snapshot, and replaces it', async (t) => {
  const folder = temporaryFolder(t);
  const { engine, logged } = await openWorld(folder);
  t.teardown(() => engine.close());
  const { snapshots, journal } = foldersIn(folder);
  for (const name of ['one', 'two']) {
    await fill(engine, name);
    await engine.snapshot();
  }
  const file = (lsn: number) => snapshotIn(snapshots, lsn);
  const rot = (lsn: number) => {
    const bytes = fs.readFileSync(file(lsn));
    bytes.writeUInt8(bytes.readUInt8(200) ^ 1, 200);
    fs.writeFileSync(file(lsn), bytes);
  };
  const newest = engine.snapshots.snapshotLsn;
  rot(newest);
  await fill(engine, 'three');
  const report = await engine.snapshot();
  t.match(report, { lsn: engine.state.lsn, damaged: [{ file: file(newest) }] });
  t.ok(logged.some(([level, fields]) => level === 'error' && fields['file'] === file(newest)));
  t.ok(fs.existsSync(`${file(newest)}.damaged`));
  t.equal(engine.snapshots.stats.damage, undefined, 'a sound one is in its place');
  const [before, kept] = fs
    .readdirSync(snapshots)
    .filter((name) => name.endsWith('.snapshot'))
    .map((name) => Number.parseInt(name, 16)) as [number, number];
  t.equal(kept, report?.lsn);

  const sound = fs.readFileSync(file(before));
  rot(before);
  rot(kept);
  await fill(engine, 'four');
  const files = () => [fs.readdirSync(snapshots), fs.readdirSync(journal).filter((name) => !name.startsWith('spare'))];
  await engine.journal.seal();
  const left = files();
  for (let i = 1; i <= 2; i++) {
    await t.rejects(engine.snapshot(), CorruptError);
    t.match(engine.snapshots.stats, { failures: i, damage: { file: file(kept) }, failure: { name: 'CorruptError' } });
  }
  t.strictSame(files(), left, 'nothing was deleted');
  fs.writeFileSync(file(before), sound);
  t.match(await engine.snapshot(), { lsn: engine.state.lsn, damaged: [{ file: file(kept) }] });
  t.match(engine.snapshots.stats, { failures: 2, damage: undefined, failure: undefined });
  const held = dump(engine.state);
  await engine.close();
  const again = await openWorld(folder);
  t.teardown(() => again.engine.close());
  t.strictSame(again.recovery.damaged, []);
  t.equal(dump(again.engine.state), held);
});
