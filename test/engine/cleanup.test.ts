// tier: normal
/** The cleanup after a snapshot, if some files cannot be deleted. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import type { Engine } from '../../src/engine/engine.ts';
import { verifyFolder } from '../../src/storage/recovery/verify-folder.ts';
import { segmentPath } from '../../src/storage/wal/format/segment.ts';
import { LogReader } from '../../src/storage/wal/read/log-reader.ts';
import { SimulatedDisk } from '../disk/simulated-disk.ts';
import { fill } from '../snapshot/sample.ts';
import { dump, foldersIn, openWorld, snapshotIn } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';
import { systemError } from '../support/system-error.ts';
import { test } from '../support/test.ts';

/** Waits until nothing is left that is not needed. */
async function cleaned({ snapshots }: Engine): Promise<void> {
  for (let i = 0; snapshots.stats.undeleted.length > 0; i++) {
    if (i === 400) throw new Error(JSON.stringify(snapshots.stats.undeleted));
    await delay(50);
  }
}

t.test('undeletable files do not fail a snapshot or keep other files, and are deleted once that is possible', async (t) => {
  const folder = '/data';
  const { journal, snapshots } = foldersIn(folder);
  const files = new SimulatedDisk();
  const first = await openWorld(folder, { files });
  await fill(first.engine, 'one');
  const oldest = (await first.engine.snapshot())?.lsn ?? 0;
  const stuck = [snapshotIn(snapshots, oldest), segmentPath(journal, 1)];
  // As with `chattr +i`.
  files.before = ({ kind, path }) => {
    if (kind === 'unlink' && stuck.includes(path)) throw systemError('EPERM', 'unlink', path);
  };
  for (const name of ['two', 'three', 'four']) {
    await fill(first.engine, name);
    t.ok(await first.engine.snapshot());
  }
  const { snapshots: scheduler, journal: log } = first.engine;
  t.equal(scheduler.failures, 0);
  t.equal(scheduler.stats.failure, undefined);
  t.strictSame(
    scheduler.stats.undeleted.map((left) => left.path),
    stuck,
  );
  t.match(scheduler.stats.undeleted[0]?.reason, /EPERM.*unlink/);
  t.equal(files.list(snapshots).length, 3, 'the newest two, and the one that cannot go');
  const kept = log.sealed.map(({ firstLsn }) => firstLsn);
  t.equal(kept[0], 1);
  t.ok((kept[1] ?? 0) > oldest + 1, 'the segments after the one that cannot go are gone');
  const before = dump(first.engine.state);
  const reader = new LogReader(files, journal, log.lineage);
  t.ok(reader.recordsFrom(1, 1), 'a reader of the log finds what is there');
  t.equal(reader.recordsFrom(oldest + 1, oldest + 1), undefined, 'and what is not is gone, and no damage');
  await first.engine.close();

  const { findings, restores } = verifyFolder(files, foldersIn(folder), false);
  t.strictSame(findings, [], 'a gap below the snapshots is no damage');
  t.equal(restores?.lsn, first.engine.state.lsn);
  const second = await openWorld(folder, { files });
  t.teardown(() => second.engine.close());
  t.equal(dump(second.engine.state), before, 'nor does a start refuse it');
  t.strictSame(
    second.engine.snapshots.stats.undeleted.map((left) => left.path),
    stuck,
  );
  files.heal();
  await cleaned(second.engine);
  for (const file of stuck) t.notOk(files.has(file), 'deleted without a snapshot or a restart');
});

t.test('a start succeeds although files of a killed snapshot run and a prepared segment cannot be deleted', async (t) => {
  const folder = temporaryFolder(t);
  const { journal, snapshots } = foldersIn(folder);
  const first = await openWorld(folder);
  await fill(first.engine, 'one');
  await first.engine.snapshot();
  const before = dump(first.engine.state);
  await first.engine.close();
  const left = `${snapshotIn(snapshots, 9999)}.tmp`;
  fs.rmSync(path.join(journal, 'spare'));
  for (const name of [left, path.join(journal, 'spare.tmp')]) fs.mkdirSync(path.join(name, 'in'), { recursive: true });
  const second = await openWorld(folder);
  t.teardown(() => second.engine.close());
  t.equal(dump(second.engine.state), before);
  t.match(second.engine.snapshots.stats.undeleted, [{ path: left, reason: /./ }]);
  t.match(second.engine.journal.noSpace, /spare\.tmp/, 'the segment that cannot be made says why');
  for (const name of [left, path.join(journal, 'spare.tmp')]) fs.rmSync(name, { recursive: true });
  await cleaned(second.engine);
  await fill(second.engine, 'two');
  t.ok(await second.engine.snapshot());
});

for (const which of ['older', 'newer'] as const) {
  const declare = which === 'older' ? test.all : t.test;
  declare(`a folder in place of the ${which} snapshot is quarantined as damage, and a new snapshot replaces it`, async (t) => {
    const folder = temporaryFolder(t);
    const { snapshots } = foldersIn(folder);
    const first = await openWorld(folder);
    const lsns = { older: 0, newer: 0 };
    for (const name of ['older', 'newer'] as const) {
      await fill(first.engine, name);
      lsns[name] = (await first.engine.snapshot())?.lsn ?? 0;
    }
    const before = dump(first.engine.state);
    await first.engine.close();
    const file = snapshotIn(snapshots, lsns[which]);
    fs.rmSync(file);
    fs.mkdirSync(path.join(file, 'in'), { recursive: true });
    const { engine } = await openWorld(folder);
    t.teardown(() => engine.close());
    t.equal(dump(engine.state), before);
    await fill(engine, 'more');
    t.ok(await engine.snapshot());
    t.ok(fs.existsSync(`${file}.damaged`));
    t.strictSame(engine.snapshots.stats.undeleted, []);
  });
}
