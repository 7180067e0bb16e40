/** Restores to every record, from data folders, backups and logs. */
import path from 'node:path';
import t from 'tap';
import { CorruptError, FolderError } from '../../src/lib/errors.ts';
import { ProgressCounter } from '../../src/lib/threads/progress-counter.ts';
import { readHistory } from '../../src/storage/backup/backup-history.ts';
import { backupName } from '../../src/storage/backup/backup-names.ts';
import { jobs } from '../../src/storage/backup/jobs.ts';
import type { RecoveryTarget } from '../../src/storage/backup/recovery-target.ts';
import { checkBackup, planRestore, restoreBackup, restorePoint } from '../../src/storage/backup/restore-backup.ts';
import { restore } from '../../src/storage/recovery/recover-folder.ts';
import { readSnapshotHeader } from '../../src/storage/snapshot/format/read-header.ts';
import type { SimulatedDisk } from '../disk/simulated-disk.ts';
import { flipped } from '../snapshot/sample.ts';
import { dump, foldersIn } from '../support/engine.ts';
import { test } from '../support/test.ts';
import { type LongHistory, longHistory, stateAt, targetIn } from './world.ts';

t.setTimeout(600_000);

const lineageOf = (image: SimulatedDisk) => readSnapshotHeader(image, image.named('.snapshot')[0] as string).lineage;

/** Writes a backup of the first `to` records, made at that time, into an image. */
function backUp({ folder, snapshots }: LongHistory, image: SimulatedDisk, dir: string, to: number, madeAt: number): string {
  const file = path.join(dir, backupName(madeAt, to));
  const { journal, snapshots: snapshotFolder } = foldersIn(folder);
  const from = snapshots.filter((lsn) => lsn <= to).at(-1) ?? 0;
  const target = { path: file, temporary: `${file}.tmp` };
  const lineage = lineageOf(image);
  jobs.write(image, { journalFolder: journal, snapshotFolder, from, to, lineage, pauseMs: 0, target, madeAt });
  return file;
}

function restoredState(image: SimulatedDisk, folder: string): { state: string; lineage: string | undefined } {
  const { restored, plan } = restore(image, foldersIn(folder));
  return { state: dump(restored.state), lineage: plan.lineage };
}

/** Restores to a point in a copy of the image; what a server would then have. */
function at(image: SimulatedDisk, folders: readonly string[], point: RecoveryTarget | undefined, lineage?: string) {
  const files = image.copy();
  const history = readHistory(files, folders);
  const result = restorePoint(files, history, planRestore(files, history, point, lineage), targetIn('/new'));
  return { ...result, ...restoredState(files, '/new') };
}

const world = await longHistory(t);
const { image, folder, records, lastLsn, snapshots } = world;
const [first, second] = snapshots as [number, number];
const timeOf = (lsn: number) => records.get(lsn)?.time as number;

test.all('a restored backup contains every record up to its point in time', async (t) => {
  for (const to of [first, second]) {
    const files = image.copy();
    const file = backUp(world, files, '/backups', to, timeOf(to));
    t.match(readSnapshotHeader(files, file), { lsn: to, newestTime: timeOf(to), madeAt: timeOf(to) });
    checkBackup(files, file, new ProgressCounter());
    const built = restoreBackup(files, file, targetIn('/new'));
    const { state, lineage } = restoredState(files, '/new');
    t.equal(state, dump(stateAt(world, to)));
    t.equal(built.lsn, to);
    t.equal(lineage, built.lineage);
    t.not(lineage, lineageOf(image), 'a history of its own');
    t.equal(files.openCount, 0);
  }
});

t.test('a data folder is restored to every record of its log', async (t) => {
  for (let lsn = 1; lsn <= lastLsn; lsn++) {
    const { state, nextTime } = at(image, [folder], { lsn });
    if (state !== dump(stateAt(world, lsn))) throw new Error(`record ${lsn}`);
    if (nextTime !== (lsn < lastLsn ? timeOf(lsn + 1) : undefined)) throw new Error(`the record after ${lsn}`);
  }
  t.equal(at(image, [folder], undefined).lsn, lastLsn, 'and all of it');
});

t.test('a folder without its oldest log is restored to every record since its older snapshot', async (t) => {
  const files = image.copy();
  for (const file of files.named('.segment')) {
    if (Number.parseInt(path.basename(file), 16) <= first) files.delete(file);
  }
  for (const lsn of [first, first + 1, second - 1, second, lastLsn]) {
    const { state, baseLsn } = at(files, [folder], { lsn });
    t.equal(state, dump(stateAt(world, lsn)), `record ${lsn}`);
    t.equal(baseLsn, lsn >= second ? second : first, 'from the newest snapshot before it');
  }
  t.throws(() => at(files, [folder], { lsn: first - 1 }), FolderError);
  t.throws(() => at(files, [folder], { lsn: first - 1 }), { message: `records ${first} to ${lastLsn}` });
  t.throws(() => at(files, [folder], { lsn: lastLsn + 1 }), { message: `Record ${lastLsn + 1} is not reachable` });
});

t.test('backups with logs are restored to every record, and the data folder supplies the newest', async (t) => {
  const files = image.copy();
  backUp(world, files, '/backups', first, timeOf(first));
  backUp(world, files, '/backups', second, timeOf(second));
  const { journal } = foldersIn(folder);
  jobs.keepLog(files, { journalFolder: journal, folder: '/backups', above: first, to: second, pauseMs: 0 });
  for (let lsn = first; lsn <= second; lsn++) {
    if (at(files, ['/backups'], { lsn }).state !== dump(stateAt(world, lsn))) throw new Error(`record ${lsn}`);
  }
  t.throws(() => at(files, ['/backups'], { lsn: second + 1 }), { message: /--log DIR/ });
  for (const lsn of [first + 2, second + 1, lastLsn]) {
    t.equal(at(files, ['/backups', folder], { lsn }).state, dump(stateAt(world, lsn)), `record ${lsn}, with the own log`);
  }
  // The data folder's snapshots are of no use any more; its log is.
  for (const file of files.named('.snapshot')) files.put(file, Buffer.alloc(100));
  t.equal(at(files, ['/backups', folder], { lsn: lastLsn }).state, dump(stateAt(world, lastLsn)));
});

t.test('a restore to a time ends before the first later record, also after clock jumps', async (t) => {
  let now = Date.UTC(2026, 4, 1);
  let asked = 0;
  const minute = 60_000;
  // Forward by minutes, back by two hours now and then, once forward by a year and back.
  const jumping = () => {
    asked++;
    if (asked % 3 === 0) return now - 120 * minute;
    if (asked % 7 === 0) return now + 365 * 24 * 60 * minute;
    now += minute;
    return now;
  };
  const jumped = await longHistory(t, { clock: jumping });
  const times = [...jumped.records.values()].map(({ time }) => time);
  t.ok(
    times.some((time, i) => i > 0 && time < (times[i - 1] as number)),
    'it went back',
  );
  const points = [...new Set(times.flatMap((time) => [time - 1, time, time + 1]))].sort((a, b) => a - b);
  let before = 0;
  for (const timeMs of points) {
    const after = times.findIndex((time) => time > timeMs);
    const wanted = after < 0 ? jumped.lastLsn : after;
    if (wanted === 0) {
      t.throws(() => at(jumped.image, [jumped.folder], { timeMs }), FolderError, 'before anything was there');
      continue;
    }
    const { lsn, state } = at(jumped.image, [jumped.folder], { timeMs });
    if (lsn !== wanted) throw new Error(`${timeMs}: record ${lsn}, not ${wanted}`);
    if (lsn !== before && state !== dump(stateAt(jumped, wanted))) throw new Error(`${timeMs}: another state`);
    before = lsn;
  }
  t.ok(before > 1);
});

t.test('a restore to a time after the last backup needs the log', async (t) => {
  const files = image.copy();
  backUp(world, files, '/backups', second, timeOf(second) + 5);
  t.equal(at(files, ['/backups'], { timeMs: timeOf(second) + 5 }).lsn, second, 'the backup says what was up to its own time');
  t.throws(() => at(files, ['/backups'], { timeMs: timeOf(second) + 6 }), { message: /not reachable[\s\S]*--log DIR/ });
  t.throws(() => at(files, ['/backups'], { timeMs: timeOf(second) - 1 }), { message: /not reachable/ });
  t.equal(
    at(files, ['/backups', folder], { timeMs: timeOf(second) + 6 }).state,
    at(files, [folder], { timeMs: timeOf(second) + 6 }).state,
  );
});

t.test('a restore skips damaged snapshots and reports a damaged log', async (t) => {
  const files = flipped(image, image.named('.snapshot')[1] as string, 300);
  const { state, baseLsn } = at(files, [folder], { lsn: lastLsn });
  t.equal(state, dump(stateAt(world, lastLsn)));
  t.equal(baseLsn, first);
  const segment = files.named('.segment').at(-1) as string;
  const both = flipped(files, segment, 600);
  t.throws(() => at(both, [folder], { lsn: lastLsn }), { message: /Damage found:[\s\S]*at byte 512/ });
  t.equal(at(both, [folder], { lsn: second }).state, dump(stateAt(world, second)), 'what is before the damage can be reached');
  const file = backUp(world, image.copy(), '/backups', second, 0);
  const backup = image.copy();
  backUp(world, backup, '/backups', second, 0);
  for (let offset = 0; offset < backup.bytes(file).byteLength; offset += 7) {
    const spoilt = flipped(backup, file, offset);
    try {
      checkBackup(spoilt, file, new ProgressCounter());
      throw new Error(`a flip at ${offset} goes unnoticed`);
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
    }
    if (spoilt.openCount > 0) throw new Error('a file was left open');
  }
});

t.test('a restore from two histories requires --lineage', async (t) => {
  const files = image.copy();
  const file = backUp(world, files, '/backups', second, timeOf(second));
  restoreBackup(files, file, targetIn('/new'));
  const forked = readSnapshotHeader(files, files.named('.snapshot').find((name) => name.startsWith('/new')) as string);
  const copy = path.join('/backups', backupName(timeOf(second) + 1000, second));
  files.put(copy, files.bytes(files.named('.snapshot').find((name) => name.startsWith('/new')) as string));
  t.throws(() => at(files, ['/backups'], { lsn: second }), { message: /Several histories.*\n.*--lineage/ });
  t.equal(at(files, ['/backups'], { lsn: second }, forked.lineage.slice(0, 8)).state, dump(stateAt(world, second)));
  t.throws(() => readHistory(files, ['/elsewhere']), { message: /neither a data folder nor a backup folder/ });
});
