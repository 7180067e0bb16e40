/** What settling does to the disk: nothing it finds is trusted that may stand in the page cache only. */
import t from 'tap';
import { type SyncMode, segmentBytesMin } from '../../src/wal/format/segment.ts';
import { recoverWal } from '../../src/wal/recovery/recover-wal.ts';
import { repairTail } from '../../src/wal/recovery/repair-tail.ts';
import { add, FOLDER, open, recordsIn, segmentName, texts, turns } from './harness.ts';
import { errno, type FileOp, MemoryFiles } from './memory-files.ts';

const FIRST = segmentName(1);
const LAST = segmentName(4);

/** Records 1 to 3 sealed; 4 and 5 after them when `used`; then the process is killed. */
async function folder(sync: SyncMode, used: boolean): Promise<MemoryFiles> {
  const files = new MemoryFiles();
  const { wal } = await open(files, { sync });
  for (const text of texts(1, 3)) await add(wal, text);
  await wal.seal();
  if (used) for (const text of texts(4, 5)) await add(wal, text);
  files.kill();
  await turns(3);
  files.revive();
  return files;
}

function settle(files: MemoryFiles, sync: SyncMode = 'always'): string[] {
  files.ops = [];
  repairTail(files, recoverWal(files, FOLDER, { after: 0 }), { sync, segmentBytes: segmentBytesMin });
  return files.ops.map(told).filter((op) => !op.includes('spare'));
}

function told(op: FileOp): string {
  return `${op.kind} ${op.name}${op.position === undefined ? '' : ` at ${op.position}`}`;
}

t.test('always: the last frame is written again', async (t) => {
  const files = await folder('always', true);
  t.same(settle(files), ['syncFolder .', `write ${LAST} at 1024`, `sync ${LAST}`]);
});

t.test('never: every frame is', async (t) => {
  const files = await folder('never', true);
  t.same(settle(files, 'never'), ['syncFolder .', `write ${LAST} at 512`, `sync ${LAST}`]);
});

t.test('a torn tail is copied, then zeroed', async (t) => {
  const files = await folder('always', true);
  files.bytes(LAST).fill(7, 2000, 3000);
  t.same(settle(files), [
    `open ${LAST}.torn`,
    `write ${LAST}.torn at 0`,
    `sync ${LAST}.torn`,
    'syncFolder .',
    `write ${LAST} at 1024`,
    `write ${LAST} at 1536`,
    `sync ${LAST}`,
  ]);
  t.same(files.bytes(`${LAST}.torn`), Buffer.concat([Buffer.alloc(464), Buffer.alloc(1000, 7)]));
  t.ok(
    files
      .bytes(LAST)
      .subarray(1536)
      .equals(Buffer.alloc(segmentBytesMin - 1536)),
  );
});

t.test('a copy that fails changes nothing; an earlier one stays', async (t) => {
  const files = await folder('always', true);
  files.put(`${LAST}.torn`, Buffer.from('earlier'));
  files.bytes(LAST).fill(7, 2000, 3000);
  const full = files.copy();
  full.before = (op) => {
    if (op.kind === 'write' && op.name.includes('.torn')) throw errno('ENOSPC');
  };
  settle(full);
  settle(files);
  t.same(recordsIn(full), texts(1, 5));
  t.same(full.list(), [FIRST, LAST, `${LAST}.torn`]);
  t.same(files.list(), [FIRST, LAST, `${LAST}.torn`, `${LAST}.torn-2`]);
  t.equal(files.bytes(`${LAST}.torn`).toString(), 'earlier');
});

t.test('a last segment without records: the seal before it is written again, and it is zeroed', async (t) => {
  const files = await folder('always', false);
  files.bytes(LAST).fill(7, 600, 700);
  t.same(settle(files).slice(3), [
    'syncFolder .',
    `write ${FIRST} at 2048`,
    `sync ${FIRST}`,
    `write ${LAST} at 512`,
    `sync ${LAST}`,
  ]);
});

t.test(
  'an unfinished rotation: the name of the new segment and the frames are synced, and only then the seal is written',
  async (t) => {
    const files = await folder('always', false);
    files.bytes(FIRST).fill(0, 2048);
    t.same(settle(files), [
      'syncFolder .',
      `write ${FIRST} at 1536`,
      `sync ${FIRST}`,
      `write ${FIRST} at 2048`,
      `sync ${FIRST}`,
      `write ${LAST} at 512`,
      `sync ${LAST}`,
    ]);
  },
);

t.test('a new folder', async (t) => {
  const files = new MemoryFiles();
  repairTail(files, recoverWal(files, FOLDER, { after: 0 }), { sync: 'always', segmentBytes: segmentBytesMin });
  t.same(files.ops.map(told), [
    'makeFolder journal',
    'syncFolder .',
    'open spare.tmp',
    'write spare.tmp at 0',
    'sync spare.tmp',
    'write spare.tmp at 0',
    'sync spare.tmp',
    'rename spare',
    'syncFolder .',
    `rename ${FIRST}`,
    'syncFolder .',
  ]);
});

for (const [name, at] of [
  ['a frame', LAST],
  ['a seal', FIRST],
] as const) {
  t.test(`after a failed sync of ${name} the page cache shows what the disk does not hold`, async (t) => {
    const files = new MemoryFiles();
    const first = await open(files);
    for (const text of texts(1, 3)) await add(first.wal, text);
    if (at === LAST) await first.wal.seal();
    files.before = (op) => {
      if (op.kind === 'sync' && op.name === at) throw errno('EIO');
    };
    await (at === LAST ? add(first.wal, 'record 4') : first.wal.seal()).catch(() => undefined);
    await turns(3);
    files.revive();
    const second = await open(files);
    t.equal(second.records.length, at === LAST ? 4 : 3, 'it is read, so it is shown');
    await add(second.wal, 'one more');
    const shown = recordsIn(files);
    files.kill();
    await turns(3);
    files.losePower(() => 0);
    t.same(recordsIn(files), shown, 'and survives');
  });
}
