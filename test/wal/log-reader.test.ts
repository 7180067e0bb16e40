/** Reading a log that is being written: sealed and unsealed segments, and deleted ones. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { CorruptError } from '../../src/lib/errors.ts';
import { nodeFiles } from '../../src/lib/files/files.ts';
import { listSegments } from '../../src/storage/wal/format/segment.ts';
import { LogReader } from '../../src/storage/wal/read/log-reader.ts';
import { accountIn, create, done, foldersIn, openWorld, project } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';

t.test('a log reader reads the records of every segment to its end', async (t) => {
  const home = temporaryFolder(t);
  const folder = foldersIn(home).journal;
  const { engine } = await openWorld(home);
  const accountId = await accountIn(engine);
  for (let i = 0; i < 6; i++) {
    await done(engine, create(project(accountId)));
    if (i === 2) await engine.journal.seal();
  }
  const { lineage, durableLsn } = engine.journal;
  const reader = new LogReader(nodeFiles, folder, lineage);
  const lsns = (from: number, to: number) => [...(reader.recordsFrom(from, to) ?? [])].map(([lsn]) => lsn);
  t.strictSame(lsns(1, durableLsn), [1, 2, 3, 4], 'up to the seal');
  t.strictSame(lsns(3, 3), [3]);
  t.strictSame(lsns(5, durableLsn), [5, 6, 7], 'in the one that is written');
  await done(engine, create(project(accountId)));
  t.strictSame(lsns(8, 8), [8], 'which has gone on since');
  t.strictSame(lsns(2, 6), [2, 3, 4], 'and back');
  t.throws(() => reader.recordsFrom(9, 9), CorruptError, 'one that was never written');
  t.equal(new LogReader(nodeFiles, folder, 'f'.repeat(32)).recordsFrom(1, 2), undefined, 'of another history');

  const files = { ...nodeFiles, open: (...args: Parameters<typeof nodeFiles.open>) => nodeFiles.open(...args) };
  files.open = (file, mode) => {
    fs.rmSync(file, { force: true });
    return nodeFiles.open(file, mode);
  };
  t.equal(new LogReader(files, folder, lineage).recordsFrom(1, 2), undefined, 'deleted between two looks');
  t.equal(new LogReader(nodeFiles, folder, lineage).recordsFrom(1, 2), undefined, 'deleted');
  await engine.close();
  const left = listSegments(nodeFiles, folder)[0]?.path ?? '';
  fs.truncateSync(left, 100);
  t.throws(() => new LogReader(nodeFiles, folder, lineage).recordsFrom(6, 6), CorruptError, path.basename(left));
});
