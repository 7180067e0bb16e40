/** Reading a log that is being written: sealed and unsealed segments, and deleted ones. */
import path from 'node:path';
import t from 'tap';
import { CorruptError } from '../../src/lib/errors.ts';
import { listSegments } from '../../src/storage/wal/format/segment.ts';
import { LogReader } from '../../src/storage/wal/read/log-reader.ts';
import { SimulatedDisk } from '../disk/simulated-disk.ts';
import { accountIn, create, done, foldersIn, openWorld, project } from '../support/engine.ts';

t.test('a log reader reads the records of every segment to its end', async (t) => {
  const home = '/data';
  const folder = foldersIn(home).journal;
  const files = new SimulatedDisk();
  const { engine } = await openWorld(home, { files });
  const accountId = await accountIn(engine);
  for (let i = 0; i < 6; i++) {
    await done(engine, create(project(accountId)));
    if (i === 2) await engine.journal.seal();
  }
  const { lineage, durableLsn } = engine.journal;
  const reader = new LogReader(files, folder, lineage);
  const lsns = (from: number, to: number) => [...(reader.recordsFrom(from, to) ?? [])].map(([lsn]) => lsn);
  t.strictSame(lsns(1, durableLsn), [1, 2, 3, 4], 'up to the seal');
  t.strictSame(lsns(3, 3), [3]);
  t.strictSame(lsns(5, durableLsn), [5, 6, 7], 'in the one that is written');
  await done(engine, create(project(accountId)));
  t.strictSame(lsns(8, 8), [8], 'which has gone on since');
  t.strictSame(lsns(2, 6), [2, 3, 4], 'and back');
  t.throws(() => reader.recordsFrom(9, 9), CorruptError, 'one that was never written');
  t.equal(new LogReader(files, folder, 'f'.repeat(32)).recordsFrom(1, 2), undefined, 'of another history');

  files.beforeRead = ({ kind, path }) => {
    if (kind === 'open') files.delete(path);
  };
  t.equal(new LogReader(files, folder, lineage).recordsFrom(1, 2), undefined, 'deleted between two looks');
  files.heal();
  t.equal(new LogReader(files, folder, lineage).recordsFrom(1, 2), undefined, 'deleted');
  await engine.close();
  const left = listSegments(files, folder)[0]?.path ?? '';
  files.put(left, files.bytes(left).subarray(0, 100));
  t.throws(() => new LogReader(files, folder, lineage).recordsFrom(6, 6), CorruptError, path.basename(left));
});
