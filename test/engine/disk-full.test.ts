/** A disk that the log has filled: a snapshot replaces sealed segments, and the log continues. */
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import type { Engine } from '../../src/engine/engine.ts';
import { NoSpaceError } from '../../src/lib/errors.ts';
import { listSnapshots } from '../../src/storage/snapshot/snapshot-folder.ts';
import { SimulatedDisk } from '../disk/simulated-disk.ts';
import { accountIn, create, done, dump, foldersIn, openWorld, project, snapshotIn, update } from '../support/engine.ts';

const mebibyte = 1024 * 1024;

const folder = '/data';
const { journal, snapshots } = foldersIn(folder);

/** A disk of so many bytes, and an engine on it. @param full the error of a write beyond them */
async function openOnSmallDisk(bytesMax: number, full = 'ENOSPC') {
  const files = new SimulatedDisk();
  files.limit(bytesMax, full);
  return { files, ...(await openWorld(folder, { files })) };
}

/** Changes one project again and again, so that there is much log and little state, until there is no room. */
async function fillLog(engine: Engine, accountId: string, id: string): Promise<unknown> {
  for (let i = 0; i < 1000; i++) {
    try {
      await done(engine, update(project(accountId, id), { name: `${i} ${'x'.repeat(100_000)}` }));
    } catch (error) {
      if (error instanceof NoSpaceError) return error;
      // The next segment is still being made.
      await delay(5);
    }
  }
  return undefined;
}

t.test('a snapshot on a full disk covers the sealed segments first, and with the space they free the rest', async (t) => {
  const { files, engine } = await openOnSmallDisk(4.5 * mebibyte);
  const accountId = await accountIn(engine);
  const id = await done(engine, create(project(accountId)));
  t.ok(await fillLog(engine, accountId, id), 'the disk is full');
  t.ok(engine.journal.sealed.length > 1);
  const report = await engine.snapshot();
  t.equal(report?.lsn, engine.state.lsn, 'everything is in it');
  t.equal(engine.snapshots.failures, 0);
  t.equal(listSnapshots(files, snapshots).length, 2, 'two whole copies, as ever');
  t.equal(engine.journal.noSpace, undefined);
  await done(engine, update(project(accountId, id), { name: 'after' }));
  const before = dump(engine.state);
  await engine.close();
  const again = await openWorld(folder, { files });
  t.teardown(() => again.engine.close());
  t.equal(dump(again.engine.state), before);
});

t.test('a full disk starts a snapshot before the next one is due, and writes resume', async (t) => {
  const { engine } = await openOnSmallDisk(4.5 * mebibyte);
  t.teardown(() => engine.close());
  const accountId = await accountIn(engine);
  const id = await done(engine, create(project(accountId)));
  for (let round = 0; round < 2; round++) {
    t.ok(await fillLog(engine, accountId, id), 'the disk is full');
    while (engine.journal.noSpace !== undefined) await delay(20);
    await done(engine, update(project(accountId, id), { name: 'after' }));
  }
  t.equal(engine.snapshots.failures, 0);
});

t.test('a snapshot on a full disk is refused with NoSpaceError if no segment is sealed', async (t) => {
  const { engine } = await openOnSmallDisk(1.5 * mebibyte);
  t.teardown(() => engine.close());
  await accountIn(engine);
  await t.rejects(engine.snapshot(), NoSpaceError);
});

for (const full of ['ENOSPC', 'EDQUOT']) {
  t.test(
    `with room for one snapshot (${full}), the newest is verified and its log deleted before the next is written`,
    async (t) => {
      const { files, engine, logged } = await openOnSmallDisk(4 * mebibyte + 150_000, full);
      const accountId = await accountIn(engine);
      const id = await done(engine, create(project(accountId)));
      for (let round = 0; round < 3; round++) {
        t.ok(await fillLog(engine, accountId, id), 'the disk is full');
        const report = await engine.snapshot();
        t.equal(report?.lsn, engine.state.lsn, 'everything is in it');
        t.equal(engine.snapshots.failures, 0);
        while (engine.journal.noSpace !== undefined) await delay(20);
        t.equal(listSnapshots(files, snapshots).length, 2, 'two whole copies again');
      }
      const said = 'the newest was read back and is sound';
      t.ok(logged.some(([level, , message]) => level === 'warn' && message.includes(said)));
      await done(engine, update(project(accountId, id), { name: 'after' }));
      const before = dump(engine.state);
      await engine.close();
      const again = await openWorld(folder, { files });
      t.teardown(() => again.engine.close());
      t.equal(dump(again.engine.state), before);
    },
  );
}

t.test('a full disk deletes no log if the newest snapshot is damaged', async (t) => {
  const { files, engine } = await openOnSmallDisk(4 * mebibyte + 150_000);
  t.teardown(() => engine.close());
  const accountId = await accountIn(engine);
  const id = await done(engine, create(project(accountId)));
  const names = () => [...files.list(journal), ...files.list(snapshots)];
  await done(engine, update(project(accountId, id), { name: 'x'.repeat(100_000) }));
  await engine.snapshot();
  let full = await fillLog(engine, accountId, id);
  // The disk that is full starts a snapshot: one that has read the newest back before it is damaged may still delete log.
  while (engine.snapshots.stats.running) {
    await delay(5);
    full = await fillLog(engine, accountId, id);
  }
  t.ok(full, 'the disk is full');
  const [newest] = listSnapshots(files, snapshots).map((lsn) => snapshotIn(snapshots, lsn));
  const bytes = files.raw(newest as string);
  bytes.writeUInt8(bytes.readUInt8(50_000) ^ 1, 50_000);
  const before = names();
  await t.rejects(engine.snapshot());
  t.same(names(), before);
});
