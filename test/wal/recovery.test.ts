/** Every row of the table in recover.ts: damage a folder, recover it, read it, append to it, read it again. */
import t, { type Test } from 'tap';
import { CorruptError } from '../../src/lib/errors.ts';
import { markFrame, sealFrame } from '../../src/storage/wal/format/frame.ts';
import { type SyncMode, segmentPath } from '../../src/storage/wal/format/segment.ts';
import { readSegment, type Segment } from '../../src/storage/wal/read/read-segment.ts';
import { recoverWal } from '../../src/storage/wal/recovery/recover-wal.ts';
import type { SimulatedDisk } from '../disk/simulated-disk.ts';
import { add, FOLDER, newDisk, open, recordsIn, segmentName, texts, turns } from './harness.ts';

const FIRST = segmentName(1);
const LAST = segmentName(5);

/** Records 1 to 4 in a sealed segment, 5 to 8 in the last one, a frame for each; then the process is killed. */
async function folder(sync: SyncMode): Promise<SimulatedDisk> {
  const files = newDisk();
  const { wal } = await open(files, { sync });
  for (const text of texts(1, 4)) await add(wal, text);
  await wal.seal();
  for (const text of texts(5, 8)) await add(wal, text);
  files.kill();
  await turns(2);
  files.revive();
  return files;
}

function segment(files: SimulatedDisk, lsn: number): Segment {
  return readSegment(files, { firstLsn: lsn, path: segmentPath(FOLDER, lsn) });
}

/** Inverts a byte of frame `index` of the segment that begins with `lsn`, `at` bytes into it. */
function spoil(files: SimulatedDisk, lsn: number, index: number, at: number): void {
  const frame = segment(files, lsn).frames.at(index);
  if (frame === undefined) throw new Error('no such frame');
  flip(files, segmentName(lsn), frame.offset + at);
}

function flip(files: SimulatedDisk, name: string, at: number): void {
  const bytes = files.raw(name);
  bytes[at] = (bytes[at] as number) ^ 0xff;
}

/** Takes the seal off the first segment. */
function unseal(files: SimulatedDisk): void {
  const seal = segment(files, 1).frames.at(-1);
  files.raw(FIRST).fill(0, seal?.offset ?? 0);
}

/** Makes the last segment as it was before its first frame. */
function blankLast(files: SimulatedDisk): void {
  files.raw(LAST).fill(0, 512);
}

/** Writes a frame with right checksums after the last one. */
function forge(files: SimulatedDisk, nextLsn: number, previousCrc?: number): void {
  const { frames, header, end } = segment(files, 5);
  const frame = markFrame(nextLsn, previousCrc ?? frames.at(-1)?.crc ?? 0, 0, header.salt);
  files.raw(LAST).set(frame.bytes, end.offset);
}

interface Row {
  readonly name: string;
  readonly sync?: SyncMode;
  readonly after?: number;
  readonly spoil: (files: SimulatedDisk) => void;
  /** How many records are left; or the refusal: its file and what it says. */
  readonly leaves: number | { readonly file: string; readonly says: RegExp };
  readonly torn?: boolean;
  readonly lineage?: 'kept' | 'new';
}

const rows: Row[] = [
  { name: 'nothing is wrong', spoil: () => undefined, leaves: 8 },
  { name: 'a spare and a partial one are left over', spoil: (f) => f.put('spare', Buffer.alloc(9)), leaves: 8 },
  { name: 'the folder has other files', spoil: (f) => f.put('0000000000000009.SEGMENT', Buffer.alloc(9)), leaves: 8 },

  { name: 'the header of the last frame is bad', spoil: (f) => spoil(f, 5, -1, 9), leaves: 7, torn: true },
  { name: 'the payload of the last frame is bad', spoil: (f) => spoil(f, 5, -1, 70), leaves: 7, torn: true },
  {
    name: 'bytes without a frame follow the last one',
    spoil: (f) => f.raw(LAST).fill(7, 9_000, 9_100),
    leaves: 8,
    torn: true,
  },
  {
    name: 'the only frame of the last segment is torn',
    spoil: (f) => f.raw(LAST).fill(0, 1024) && spoil(f, 5, 0, 9),
    leaves: 4,
    torn: true,
  },
  { name: 'bytes are at the very end of the last segment', spoil: (f) => flip(f, LAST, 1024 * 1024 - 1), leaves: 8, torn: true },
  {
    name: 'a frame under another salt follows the last one',
    spoil: (f) => f.raw(LAST).set(markFrame(9, 0, 0, (segment(f, 5).header.salt ^ 1) >>> 0).bytes, 16_384),
    leaves: 8,
    torn: true,
  },

  {
    name: 'a frame follows a bad frame',
    spoil: (f) => spoil(f, 5, -2, 70),
    leaves: { file: LAST, says: /payload does not match/ },
  },
  {
    name: 'a frame follows a bad frame header',
    spoil: (f) => spoil(f, 5, 0, 9),
    leaves: { file: LAST, says: /no frame header/ },
  },
  {
    name: 'a frame follows a bad frame, synced each second',
    sync: 'interval',
    spoil: (f) => spoil(f, 5, -2, 70),
    leaves: 6,
    torn: true,
    lineage: 'new',
  },
  {
    name: 'a frame follows a bad frame header, never synced',
    sync: 'never',
    spoil: (f) => spoil(f, 5, 0, 9),
    leaves: 4,
    torn: true,
    lineage: 'new',
  },
  {
    name: 'the last frame skips an LSN',
    spoil: (f) => forge(f, 10),
    leaves: { file: LAST, says: /LSN 10 where 9 was expected/ },
  },
  {
    name: 'the last frame is of another chain',
    spoil: (f) => forge(f, 9, 1),
    leaves: { file: LAST, says: /00000001 as the CRC/ },
  },
  {
    name: 'the last frame is of another chain, never synced',
    sync: 'never',
    spoil: (f) => forge(f, 9, 1),
    leaves: { file: LAST, says: /00000001 as the CRC/ },
  },
  { name: 'the log was not closed, synced each second', sync: 'interval', spoil: () => undefined, leaves: 8, lineage: 'new' },

  {
    name: 'an unfinished rotation has no seal and a blank successor',
    spoil(f) {
      blankLast(f);
      unseal(f);
    },
    leaves: 4,
  },
  {
    name: 'an unfinished rotation has a torn seal',
    spoil(f) {
      blankLast(f);
      spoil(f, 1, -1, 3);
    },
    leaves: 4,
    torn: true,
  },
  {
    name: 'an unfinished rotation has a bad frame before the seal',
    spoil(f) {
      blankLast(f);
      unseal(f);
      spoil(f, 1, -1, 70);
    },
    leaves: { file: LAST, says: /records from 4 on were expected/ },
  },
  {
    name: 'an unfinished rotation has a bad frame before the seal, never synced',
    sync: 'never',
    spoil(f) {
      blankLast(f);
      unseal(f);
      spoil(f, 1, 1, 70);
    },
    leaves: { file: LAST, says: /records from 2 on were expected/ },
  },
  { name: 'a finished rotation has a blank successor', spoil: blankLast, leaves: 4 },
  {
    name: 'a finished rotation has a blank successor, never synced',
    sync: 'never',
    spoil: blankLast,
    leaves: 4,
    lineage: 'new',
  },

  {
    name: 'the successor of an unsealed segment has frames',
    spoil: unseal,
    leaves: { file: FIRST, says: /nothing where the seal was expected/ },
  },
  {
    name: 'the successor of an unsealed segment has bytes without a frame',
    spoil(f) {
      unseal(f);
      blankLast(f);
      flip(f, LAST, 700);
    },
    leaves: { file: FIRST, says: /nothing where the seal was expected/ },
  },
  {
    name: 'the successor of a torn seal has frames',
    spoil: (f) => spoil(f, 1, -1, 9),
    leaves: { file: FIRST, says: /where the seal was/ },
  },
  {
    name: 'the successor of a seal is missing',
    spoil: (f) => f.delete(LAST),
    leaves: { file: FIRST, says: /which does not exist/ },
  },
  {
    name: 'a seal names another successor',
    spoil(f) {
      const { frames, header } = segment(f, 1);
      const seal = frames.at(-1);
      f.raw(FIRST).set(sealFrame({ firstLsn: 5, salt: 1 }, seal?.previousCrc ?? 0, 0, header.salt).bytes, seal?.offset);
    },
    leaves: { file: LAST, says: /its salt is/ },
  },
  {
    name: 'a successor starts with a frame of another chain',
    spoil(f) {
      blankLast(f);
      f.raw(LAST).set(markFrame(5, 1, 0, segment(f, 5).header.salt).bytes, 512);
    },
    leaves: { file: LAST, says: /names 00000001 as the CRC/ },
  },
  {
    name: 'a successor has another name',
    spoil(f) {
      f.put(segmentName(6), f.raw(LAST));
      f.delete(LAST);
    },
    leaves: { file: segmentName(6), says: /LSN 5 where 6|records from 5 on were expected/ },
  },
  {
    name: 'records are missing above the snapshot',
    spoil: (f) => f.delete(FIRST),
    leaves: { file: LAST, says: /records from 1 on were expected/ },
  },
  { name: 'records are missing below the snapshot', after: 4, spoil: (f) => f.delete(FIRST), leaves: 8 },
  {
    name: 'the log ends below the snapshot',
    after: 9,
    spoil: () => undefined,
    leaves: { file: LAST, says: /ends with record 8, the snapshot with 9/ },
  },
  {
    name: 'a snapshot exists without segments',
    after: 4,
    spoil(f) {
      f.delete(FIRST);
      f.delete(LAST);
    },
    leaves: { file: FOLDER, says: /no segment exists/ },
  },

  {
    name: 'the header of the last segment is bad',
    spoil: (f) => flip(f, LAST, 20),
    leaves: { file: LAST, says: /CRC of the segment header/ },
  },
  {
    name: 'the header of a sealed segment is bad',
    spoil: (f) => flip(f, FIRST, 500),
    leaves: { file: FIRST, says: /CRC of the segment header/ },
  },
  { name: 'a segment has another magic number', spoil: (f) => flip(f, LAST, 0), leaves: { file: LAST, says: /magic/ } },
  {
    name: 'the last segment is shorter than it says',
    spoil: (f) => f.put(LAST, f.raw(LAST).subarray(0, 9_999)),
    leaves: { file: LAST, says: /9999 bytes/ },
  },
  { name: 'the last segment is empty', spoil: (f) => f.put(LAST, Buffer.alloc(0)), leaves: { file: LAST, says: /cut short/ } },
  {
    name: 'a segment is longer than it says',
    spoil: (f) => f.put(FIRST, Buffer.concat([f.raw(FIRST), Buffer.alloc(1)])),
    leaves: { file: FIRST, says: /1048577 bytes/ },
  },

  {
    name: 'a sealed segment has a bad frame',
    spoil: (f) => spoil(f, 1, 1, 70),
    leaves: { file: FIRST, says: /payload does not match/ },
  },
  {
    name: 'a sealed segment has a bad frame, never synced',
    sync: 'never',
    spoil: (f) => spoil(f, 1, 1, 70),
    leaves: { file: FIRST, says: /payload does not match/ },
  },
  { name: 'a sealed segment has a bad frame below the snapshot', after: 4, spoil: (f) => spoil(f, 1, 1, 70), leaves: 8 },
  {
    name: 'a sealed segment has a bad frame below the snapshot and a blank successor',
    after: 4,
    spoil(f) {
      spoil(f, 1, 1, 70);
      blankLast(f);
    },
    leaves: 4,
  },
  { name: 'a sealed segment has bytes after its seal', spoil: (f) => flip(f, FIRST, 900_000), leaves: 8 },
];

for (const row of rows) {
  const outcome = typeof row.leaves === 'number' ? `keeps ${row.leaves} records` : 'refuses the log';
  t.test(`recovery ${outcome}: ${row.name}`, async (t) => {
    const files = await folder(row.sync ?? 'always');
    const lineage = segment(files, 5).header.lineage;
    row.spoil(files);
    if (typeof row.leaves === 'number') await recovers(t, files, { ...row, leaves: row.leaves }, lineage);
    else refuses(t, files, row, row.leaves);
  });
}

async function recovers(t: Test, files: SimulatedDisk, row: Row & { readonly leaves: number }, lineage: string): Promise<void> {
  const after = row.after ?? 0;
  const left = texts(after + 1, row.leaves);
  const options = { after, sync: row.sync ?? 'always' };
  t.same(recordsIn(files, after), left, 'reading alone');
  const first = await open(files, options);
  t.same(first.records, left, 'recovered');
  t.equal(first.wal.nextLsn, row.leaves + 1);
  t.equal(first.plan.cut !== undefined, row.torn ?? false, 'cut');
  t.equal(
    files.list().some((name) => name.includes('.torn')),
    row.torn ?? false,
    'a copy of what was cut',
  );
  t.equal(first.wal.lineage === lineage, row.lineage !== 'new', 'lineage');
  files.kill();
  await turns(2);
  files.revive();
  const second = await open(files, options);
  t.same(second.records, left, 'recovered again');
  await add(second.wal, 'one more');
  await second.wal.close();
  const third = await open(files, options);
  t.same(third.records, [...left, 'one more'], 'appended');
  t.equal(third.plan.cut, undefined, 'nothing is torn any more');
  t.equal(third.wal.lineage, second.wal.lineage, 'closed in order: the lineage goes on');
  await third.wal.close();
}

function refuses(t: Test, files: SimulatedDisk, row: Row, refusal: { readonly file: string; readonly says: RegExp }): void {
  const before = files.list().map((name) => [name, Buffer.from(files.raw(name))]);
  const operations = files.record();
  for (const time of ['once', 'again']) {
    const error = caught(() => recoverWal(files, FOLDER, { after: row.after ?? 0 }));
    if (!(error instanceof CorruptError)) return void t.fail(`refused ${time}`, { error });
    t.match(error.message, refusal.says);
    t.ok(error.file.endsWith(refusal.file), error.file);
  }
  t.same(operations, [], 'nothing was touched');
  t.same(
    files.list().map((name) => [name, files.raw(name)]),
    before,
  );
}

function caught(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

t.test('recovery of a new folder creates a segment and a spare', async (t) => {
  const files = newDisk();
  const { wal, records, plan } = await open(files);
  t.same([records, plan.last, wal.nextLsn, wal.durableLsn], [[], undefined, 1, 0]);
  t.match(wal.lineage, /^[0-9a-f]{32}$/);
  t.same(files.list(), [FIRST, 'spare']);
  await wal.close();
});

t.test('a log that starts after a snapshot continues its LSN and lineage', async (t) => {
  const files = newDisk();
  const lineage = '00112233445566778899aabbccddeeff';
  const { wal } = await open(files, { after: 41, fresh: true, lineage });
  t.equal(await add(wal, 'a'), 42);
  t.equal(wal.lineage, lineage);
  await wal.close();
  const again = await open(files, { after: 41 });
  t.same(again.records, ['a']);
  t.equal(again.wal.lineage, lineage);
  await again.wal.close();
});

t.test('a blank last segment keeps covered records, so an older snapshot can still be used', async (t) => {
  const files = await folder('always');
  blankLast(files);
  const { wal, records } = await open(files, { after: 4 });
  t.same(records, []);
  await add(wal, 'a');
  await wal.close();
  t.same(recordsIn(files), [...texts(1, 4), 'a']);
});

t.test('another sync mode or segment size starts a new segment', async (t) => {
  const files = await folder('always');
  blankLast(files);
  const { wal, tail } = await open(files, { sync: 'never', segmentBytes: 2 * 1024 * 1024 });
  t.equal(tail.segment.state, 'stale');
  const { header } = segment(files, 5);
  t.same(
    [header.sync, header.segmentBytes, header.salt],
    ['never', 2 * 1024 * 1024, tail.segment.salt],
    'under the salt that the seal names',
  );
  t.same(files.list(), [FIRST, LAST, 'spare']);
  await add(wal, 'a');
  await wal.close();
  t.same(recordsIn(files), [...texts(1, 4), 'a']);
});
