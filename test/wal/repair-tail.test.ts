/** What the repair of the tail writes: no bytes are trusted that may exist only in the page cache. */
import t from 'tap';
import {
  decodeSegmentHeader,
  encodeSegmentHeader,
  type SegmentHeader,
  type SyncMode,
  segmentBytesMin,
} from '../../src/storage/wal/format/segment.ts';
import { recoverWal } from '../../src/storage/wal/recovery/recover-wal.ts';
import { repairTail } from '../../src/storage/wal/recovery/repair-tail.ts';
import { nameOf, type Operation } from '../disk/disk.ts';
import type { SimulatedDisk } from '../disk/simulated-disk.ts';
import { systemError } from '../support/system-error.ts';
import { add, FOLDER, newDisk, open, recordsIn, segmentName, texts, turns } from './harness.ts';

const FIRST = segmentName(1);
const LAST = segmentName(4);

/** Records 1 to 3 sealed; 4 and 5 after them when `used`; then the process is killed. */
async function folder(sync: SyncMode, used: boolean): Promise<SimulatedDisk> {
  const files = newDisk();
  const { wal } = await open(files, { sync });
  for (const text of texts(1, 3)) await add(wal, text);
  await wal.seal();
  if (used) for (const text of texts(4, 5)) await add(wal, text);
  files.kill();
  await turns(3);
  files.revive();
  return files;
}

function settle(files: SimulatedDisk, sync: SyncMode = 'always'): string[] {
  const operations = files.record();
  repairTail(files, recoverWal(files, FOLDER, { after: 0 }), { sync, segmentBytes: segmentBytesMin });
  return operations.map(described).filter((op) => !op.includes('spare'));
}

function described(operation: Operation): string {
  const { kind, path } = operation;
  return `${kind} ${nameOf(path)}${kind === 'write' ? ` at ${operation.position}` : ''}`;
}

t.test('with sync always, a repair rewrites the last frame', async (t) => {
  const files = await folder('always', true);
  t.same(settle(files), ['syncFolder journal', `write ${LAST} at 1024`, `sync ${LAST}`]);
});

t.test('with sync never, a repair rewrites every frame', async (t) => {
  const files = await folder('never', true);
  t.same(settle(files, 'never'), ['syncFolder journal', `write ${LAST} at 512`, `sync ${LAST}`]);
});

t.test('a torn tail is copied, then zeroed', async (t) => {
  const files = await folder('always', true);
  files.raw(LAST).fill(7, 2000, 3000);
  t.same(settle(files), [
    `create ${LAST}.torn`,
    `write ${LAST}.torn at 0`,
    `sync ${LAST}.torn`,
    'syncFolder journal',
    `write ${LAST} at 1024`,
    `write ${LAST} at 1536`,
    `sync ${LAST}`,
  ]);
  t.same(files.raw(`${LAST}.torn`), Buffer.concat([Buffer.alloc(464), Buffer.alloc(1000, 7)]));
  t.ok(
    files
      .raw(LAST)
      .subarray(1536)
      .equals(Buffer.alloc(segmentBytesMin - 1536)),
  );
});

t.test('a failed copy of a torn tail changes nothing, and an earlier copy is kept', async (t) => {
  const files = await folder('always', true);
  files.put(`${LAST}.torn`, Buffer.from('earlier'));
  files.raw(LAST).fill(7, 2000, 3000);
  const full = files.copy();
  full.fail({ kind: 'write', name: `${LAST}.torn-2`, code: 'ENOSPC' });
  settle(full);
  settle(files);
  t.same(recordsIn(full), texts(1, 5));
  t.same(full.list(), [FIRST, LAST, `${LAST}.torn`, 'spare']);
  t.same(files.list(), [FIRST, LAST, `${LAST}.torn`, `${LAST}.torn-2`, 'spare']);
  t.equal(files.raw(`${LAST}.torn`).toString(), 'earlier');
});

t.test('a blank last segment is zeroed, and the seal before it is rewritten', async (t) => {
  const files = await folder('always', false);
  files.raw(LAST).fill(7, 600, 700);
  t.same(settle(files).slice(3), [
    'syncFolder journal',
    `write ${FIRST} at 2048`,
    `sync ${FIRST}`,
    `write ${LAST} at 512`,
    `sync ${LAST}`,
  ]);
});

t.test('the seal of an unfinished rotation is written after the new name and the frames are synced', async (t) => {
  const files = await folder('always', false);
  files.raw(FIRST).fill(0, 2048);
  t.same(settle(files), [
    'syncFolder journal',
    `write ${FIRST} at 1536`,
    `sync ${FIRST}`,
    `write ${FIRST} at 2048`,
    `sync ${FIRST}`,
    `write ${LAST} at 512`,
    `sync ${LAST}`,
  ]);
});

/** A spare as an earlier process would have left it, with changes. */
function spareOf(files: SimulatedDisk, changes: Partial<SegmentHeader> = {}, bytes = segmentBytesMin): Buffer {
  const { lineage } = recoverWal(files, FOLDER, { after: 0 });
  const header = { segmentBytes: segmentBytesMin, lineage: String(lineage), salt: 77, sync: 'always', createdMs: 0 } as const;
  const spare = Buffer.alloc(bytes);
  encodeSegmentHeader({ ...header, ...changes }).copy(spare);
  return spare;
}

for (const used of [true, false]) {
  const tail = used ? 'records in the last segment' : 'a blank last segment';
  t.test(`a spare segment that fits becomes the next segment, after ${tail}`, async (t) => {
    const files = await folder('always', used);
    files.put('spare', spareOf(files));
    const operations = files.record();
    const plan = recoverWal(files, FOLDER, { after: 0 });
    const { spare } = repairTail(files, plan, { sync: 'always', segmentBytes: segmentBytesMin });
    t.same(
      operations.map(described).filter((op) => op.includes('spare')),
      [`write spare at ${segmentBytesMin - 512}`, 'write spare at 0', 'sync spare'],
    );
    t.not(spare?.salt, 77, 'a copy of the folder may use that');
    t.match(decodeSegmentHeader(files.raw('spare'), 'spare'), { ...spare });
    const { wal } = await open(files);
    await add(wal, 'next');
    await wal.seal();
    await add(wal, 'last');
    await wal.close();
    t.same(recordsIn(files), [...texts(1, used ? 5 : 3), 'next', 'last']);
    const salts = files
      .list()
      .filter((name) => name !== 'spare')
      .map((name) => files.raw(name).readUInt32LE(32));
    t.equal(new Set(salts).size, salts.length);
  });

  const headers: Readonly<Record<string, (spare: Buffer, files: SimulatedDisk) => void>> = {
    'for another sync mode': (spare, files) => spareOf(files, { sync: 'never' }).copy(spare),
    'of another history': (spare, files) => spareOf(files, { lineage: 'f'.repeat(32) }).copy(spare),
    'with the salt of the last segment': (spare, files) => spareOf(files, { salt: files.raw(LAST).readUInt32LE(32) }).copy(spare),
    'whose header is torn': (spare) => void spare.fill(0, 20, 512),
  };
  for (const [name, change] of Object.entries(headers)) {
    t.test(`the header of a spare segment ${name} is replaced, after ${tail}`, async (t) => {
      const files = await folder('always', used);
      const spare = spareOf(files);
      change(spare, files);
      files.put('spare', spare);
      const { wal, tail } = await open(files);
      const { lineage, sync } = tail;
      t.match(tail.spare, { lineage, sync, segmentBytes: segmentBytesMin });
      t.not(tail.spare?.salt, tail.segment.salt);
      await add(wal, 'next');
      await wal.close();
      t.same(recordsIn(files), [...texts(1, used ? 5 : 3), 'next']);
    });
  }

  const others: Readonly<Record<string, (files: SimulatedDisk) => Buffer>> = {
    'of another size': (files) => spareOf(files, {}, 2 * segmentBytesMin),
    'with a byte in it': (files) => {
      const spare = spareOf(files);
      spare[spare.length - 1] = 1;
      return spare;
    },
    'cut short': (files) => spareOf(files).subarray(0, -1),
    'whose end cannot be written': (files) => {
      files.before = (operation) => {
        const isEnd = operation.kind === 'write' && operation.position === segmentBytesMin - 512;
        if (isEnd && nameOf(operation.path) === 'spare') throw systemError('EFBIG');
      };
      return spareOf(files);
    },
    'with holes': (files) => {
      files.allocated = () => segmentBytesMin - 512;
      return spareOf(files);
    },
  };
  for (const [name, spare] of Object.entries(others)) {
    t.test(`a spare segment ${name} is created again, after ${tail}`, async (t) => {
      const files = await folder('always', used);
      files.put('spare', spare(files));
      const { wal } = await open(files);
      t.notOk(files.raw('spare').equals(spare(files)));
      await add(wal, 'next');
      await wal.close();
      t.same(recordsIn(files), [...texts(1, used ? 5 : 3), 'next']);
    });
  }
}

t.test('a new folder gets a spare segment, which becomes its first segment', async (t) => {
  const files = newDisk();
  const operations = files.record();
  repairTail(files, recoverWal(files, FOLDER, { after: 0 }), { sync: 'always', segmentBytes: segmentBytesMin });
  t.same(operations.map(described), [
    'makeFolder journal',
    'syncFolder data',
    'create spare.tmp',
    'write spare.tmp at 0',
    'sync spare.tmp',
    'write spare.tmp at 0',
    'sync spare.tmp',
    'rename spare',
    'syncFolder journal',
    `rename ${FIRST}`,
    'syncFolder journal',
  ]);
});

for (const [name, at] of [
  ['a frame', LAST],
  ['a seal', FIRST],
] as const) {
  t.test(`a restart after a failed sync of ${name} rewrites what only the page cache has`, async (t) => {
    const files = newDisk();
    const first = await open(files);
    for (const text of texts(1, 3)) await add(first.wal, text);
    if (at === LAST) await first.wal.seal();
    files.fail({ kind: 'sync', name: at, code: 'EIO' });
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
