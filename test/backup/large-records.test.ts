// tier: normal
/** Backups and points in time on either side of a record that is larger than a log file. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { nodeFiles } from '../../src/lib/files/files.ts';
import { readHistory } from '../../src/storage/backup/backup-history.ts';
import { planRestore, restorePoint } from '../../src/storage/backup/restore-backup.ts';
import { restore } from '../../src/storage/recovery/recover-folder.ts';
import { listSegments, readSegmentHeader } from '../../src/storage/wal/format/segment.ts';
import { foldersIn } from '../support/engine.ts';
import { startMapwright } from '../support/mapwright.ts';
import { temporaryFolder } from '../support/process.ts';
import { targetIn } from './world.ts';

const popups = Array.from({ length: 1000 }, (_, i) => ({ title: String(i), content: 'x'.repeat(2000) }));
const document = JSON.stringify({ format: 'mapwright-project', version: 1, project: { name: 'big', popups } });

t.test('a large record is restored to points before, at and after it, from log and backups', async (t) => {
  const home = temporaryFolder(t);
  const backups = path.join(home, 'backups');
  fs.mkdirSync(backups);
  const mapwright = await startMapwright(t);
  const { data, server } = mapwright;
  await mapwright.post('/projects', { name: 'before' });
  await server.backup(backups);
  t.equal((await mapwright.post('/projects/import', document)).status, 200);
  await mapwright.post('/projects', { name: 'behind'.repeat(200) });
  const sizes = listSegments(nodeFiles, foldersIn(data).journal).map((file) => readSegmentHeader(nodeFiles, file.path));
  t.ok(sizes.some(({ large, segmentBytes }) => large === true && segmentBytes > 1024 * 1024));
  const after = mapwright.lastRecord();
  await server.snapshot();
  await server.backup(backups);
  await mapwright.close();
  for (const folders of [[data], [data, backups], [backups]]) {
    for (let lsn = after - 2; lsn <= after; lsn++) {
      // Backups alone lead to the records that they were made at.
      if (folders.length === 1 && folders[0] === backups && lsn === after - 1) continue;
      const made = path.join(home, `${folders.length}-${path.basename(folders[0] as string)}-${lsn}`);
      const history = readHistory(nodeFiles, folders);
      restorePoint(nodeFiles, history, planRestore(nodeFiles, history, { lsn }), targetIn(made));
      const { state } = restore(nodeFiles, foldersIn(made)).restored;
      const [account] = state.accounts.values();
      const found = [...(account?.projects.values() ?? [])];
      t.equal(found.length, lsn - after + 3, `record ${lsn}, from ${folders.length} folders`);
      const big = found.find(({ value }) => value['name'] === 'big')?.collection('popups', '');
      t.equal(big?.size ?? 0, lsn > after - 2 ? popups.length : 0);
      t.equal(big?.capture().leaves.at(-1)?.members.at(-1)?.value['title'], lsn > after - 2 ? '999' : undefined);
    }
  }
});
