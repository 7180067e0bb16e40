/** A disk that is full of the log itself: what is sealed is folded and deleted, and the log goes on. */
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import type { Engine } from '../../src/engine/engine.ts';
import { NoSpaceError } from '../../src/lib/errors.ts';
import { type Files, nodeFiles } from '../../src/lib/files.ts';
import { fold } from '../../src/snapshot/fold.ts';
import { listSnapshots } from '../../src/snapshot/folder.ts';
import { InlineCrew } from '../journal/inline-crew.ts';
import { accountIn, create, done, dump, foldersIn, openWorld, project, update } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';

/** Opens an engine on a disk with room for so many files of the log, the next one included. */
function openOnSmallDisk(folder: string, room: number, snapshotBytes?: number) {
  const { journal } = foldersIn(folder);
  const files: Files = {
    ...nodeFiles,
    open(file, mode) {
      if (mode === 'wx+' && file.endsWith('spare.tmp') && fs.readdirSync(journal).length >= room)
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      return nodeFiles.open(file, mode);
    },
  };
  const crew = {
    fold: async ({ request }: { request: Parameters<typeof fold>[1] }) => fold(files, request),
    close: async () => undefined,
  };
  return openWorld(folder, {
    files,
    crews: { journal: new InlineCrew(files), fold: crew },
    ...(snapshotBytes !== undefined && { snapshotBytes }),
  });
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

t.test('a snapshot folds what is sealed, which makes room, and then the rest', async (t) => {
  const folder = temporaryFolder(t);
  const { engine } = await openOnSmallDisk(folder, 4);
  const accountId = await accountIn(engine);
  const id = await done(engine, create(project(accountId)));
  t.ok(await fillLog(engine, accountId, id), 'the disk is full');
  t.ok(engine.journal.sealed.length > 1);
  const report = await engine.snapshot();
  t.equal(report?.lsn, engine.state.lsn, 'everything is in it');
  t.equal(engine.folding.failures, 0);
  t.equal(listSnapshots(nodeFiles, foldersIn(folder).snapshots).length, 2, 'two whole copies, as ever');
  t.equal(engine.journal.noSpace, undefined);
  await done(engine, update(project(accountId, id), { name: 'after' }));
  const before = dump(engine.state);
  await engine.close();
  const again = await openWorld(folder);
  t.teardown(() => again.engine.close());
  t.equal(dump(again.engine.state), before);
});

t.test('it does so by itself, long before a fold is due', async (t) => {
  const { engine } = await openOnSmallDisk(temporaryFolder(t), 4);
  t.teardown(() => engine.close());
  const accountId = await accountIn(engine);
  const id = await done(engine, create(project(accountId)));
  for (let round = 0; round < 2; round++) {
    t.ok(await fillLog(engine, accountId, id), 'the disk is full');
    while (engine.journal.noSpace !== undefined) await delay(20);
    await done(engine, update(project(accountId, id), { name: 'after' }));
  }
  t.equal(engine.folding.failures, 0);
});

t.test('where there is nothing to fold, it is refused as before', async (t) => {
  const { engine } = await openOnSmallDisk(temporaryFolder(t), 1);
  t.teardown(() => engine.close());
  await accountIn(engine);
  await t.rejects(engine.snapshot(), NoSpaceError);
});
