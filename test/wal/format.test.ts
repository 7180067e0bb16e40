/** The bytes of a segment: an example, and invalid ones. */
import { crc32 } from 'node:zlib';
import t from 'tap';
import { isZero, readUint53, writeUint53 } from '../../src/lib/bytes.ts';
import { CorruptError, FolderError } from '../../src/lib/errors.ts';
import { formatRevision } from '../../src/storage/wal/format/format-revision.ts';
import { frameBytes, isFrameHeader, markFrame, readFrameHeader, writeFrameHeader } from '../../src/storage/wal/format/frame.ts';
import {
  encodeSegmentHeader,
  listSegments,
  type SegmentHeader,
  segmentBytesMin,
  segmentPath,
} from '../../src/storage/wal/format/segment.ts';
import { readSegment, type Segment, segmentRecords } from '../../src/storage/wal/read/read-segment.ts';
import { replay } from '../../src/storage/wal/read/replay.ts';
import { recoverWal } from '../../src/storage/wal/recovery/recover-wal.ts';
import type { SimulatedDisk } from '../disk/simulated-disk.ts';
import { add, FOLDER, newDisk, open, segmentName, texts } from './harness.ts';

const HEADER: SegmentHeader = {
  segmentBytes: segmentBytesMin,
  lineage: '000102030405060708090a0b0c0d0e0f',
  salt: 0xdeadbeef,
  sync: 'interval',
  createdMs: 1_700_000_000_000,
};

/** A file with these bytes after the header. */
function fileOf(...parts: Buffer[]): SimulatedDisk {
  const bytes = Buffer.alloc(segmentBytesMin);
  Buffer.concat([encodeSegmentHeader(HEADER), ...parts]).copy(bytes);
  const files = newDisk();
  files.put(segmentName(1), bytes);
  return files;
}

function read(files: SimulatedDisk): Segment {
  return readSegment(files, { firstLsn: 1, path: segmentPath(FOLDER, 1) });
}

/** A batch with right checksums around any payload. */
function batch(
  payload: Buffer,
  fields: { firstLsn?: number; count?: number; previousCrc?: number } = {},
): { bytes: Buffer; crc: number } {
  const bytes = Buffer.alloc(frameBytes(payload.byteLength));
  payload.copy(bytes, 64);
  const defaults = { type: 'batch', firstLsn: 1, count: 1, previousCrc: 0, timeMs: 1 } as const;
  const crc = writeFrameHeader(
    bytes,
    { ...defaults, ...fields, payloadBytes: payload.byteLength, payloadCrc: crc32(payload) },
    HEADER.salt,
  );
  return { bytes, crc };
}

t.test('a segment has exactly the documented bytes', async (t) => {
  const first = batch(Buffer.from('\x02\0\0\0hi\x00\0\0\0', 'latin1'), { count: 2 });
  t.equal(
    first.bytes.toString('hex', 0, 74),
    // magic, type, LSN, records, bytes
    `6d774631${'01000000'}${'0100000000000000'}${'02000000'}${'0a000000'}` +
      // CRC of the payload, of the frame before, time, nothing, CRC of the frame, payload
      `${hexOf(crc32(first.bytes.subarray(64, 74)))}${'00000000'}${'000000000000f03f'}${'00'.repeat(20)}${hexOf(first.crc)}020000006869${'00000000'}`,
  );
  const segment = read(fileOf(first.bytes, markFrame(3, first.crc, 2, HEADER.salt).bytes));
  t.same(segment.header, { ...HEADER, revision: formatRevision });
  t.same(
    [...segmentRecords(segment)].map(([lsn, record]) => [lsn, record.toString()]),
    [
      [1, 'hi'],
      [2, ''],
    ],
  );
  t.same(
    segment.frames.map((frame) => [frame.type, frame.offset, frame.bytes, frame.timeMs]),
    [
      ['batch', 512, 512, 1],
      ['mark', 1024, 512, 2],
    ],
  );
  t.same([segment.end, segment.nextLsn], [{ kind: 'open', offset: 1536 }, 3]);
});

function hexOf(crc: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(crc);
  return bytes.toString('hex');
}

t.test('a frame is invalid under another salt', async (t) => {
  const { bytes } = markFrame(1, 0, 0, 1);
  t.ok(isFrameHeader(bytes, 0, 1));
  t.notOk(isFrameHeader(bytes, 0, 2));
});

t.test('a frame with a valid checksum and an invalid meaning is refused', async (t) => {
  const cases: [string, Buffer, RegExp][] = [
    ['a length beyond the payload', batch(Buffer.from([9, 0, 0, 0, 1])).bytes, /does not hold 1 records/],
    ['a length cut short', batch(Buffer.from([0, 0])).bytes, /does not hold 1 records/],
    ['more records than there are', batch(Buffer.alloc(4), { count: 2 }).bytes, /does not hold 2 records/],
    ['fewer records than there are', batch(Buffer.alloc(8)).bytes, /does not hold 1 records/],
    ['a length of 4 GiB', batch(Buffer.from([255, 255, 255, 255])).bytes, /does not hold 1 records/],
    ['no records', batch(Buffer.alloc(0), { count: 0 }).bytes, /with a record count of 0/],
    ['4 billion records', batch(Buffer.alloc(4), { count: 0xffffffff }).bytes, /does not hold/],
    ['LSN 0', batch(Buffer.alloc(4), { firstLsn: 0 }).bytes, /out of range/],
    ['an LSN too large to count', batch(Buffer.alloc(4), { firstLsn: Number.MAX_SAFE_INTEGER }).bytes, /out of range/],
  ];
  for (const [name, bytes, found] of cases) {
    const { end } = read(fileOf(bytes));
    t.match(end, { kind: 'invalid', offset: 512, found }, name);
    t.throws(() => recoverWal(fileOf(bytes), FOLDER, { after: 0 }), CorruptError, name);
  }
  const huge = Buffer.alloc(512);
  writeFrameHeader(
    huge,
    { type: 'batch', firstLsn: 1, count: 1, payloadBytes: 0xffffffff, payloadCrc: 0, previousCrc: 0, timeMs: 0 },
    HEADER.salt,
  );
  t.match(read(fileOf(huge)).end, { kind: 'invalid', found: /beyond the end/ });
  t.type(readFrameHeader(huge, 0), 'string');
});

t.test('a batch in the space of the seal is refused', async (t) => {
  const payload = Buffer.alloc(segmentBytesMin - 512 - 64);
  payload.writeUInt32LE(payload.byteLength - 4);
  t.match(read(fileOf(batch(payload).bytes)).end, { kind: 'invalid', found: /reserved for the seal/ });
});

t.test('a segment header with a valid checksum and invalid members is refused', async (t) => {
  const spoil = (change: (header: Buffer) => void): SimulatedDisk => {
    const files = fileOf();
    const bytes = files.raw(segmentName(1));
    change(bytes);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, 508)), 508);
    return files;
  };
  t.throws(() => read(spoil((header) => header.writeUInt32LE(2, 8))), FolderError, 'another version');
  for (const size of [0, 1, 512, segmentBytesMin + 1, 0xffffffff]) {
    t.throws(() => read(spoil((header) => header.writeUInt32LE(size, 12))), CorruptError, `${size} bytes`);
  }
  t.throws(() => read(spoil((header) => header.writeUInt8(3, 36))), CorruptError, 'a fourth way to sync');
});

t.test('segments and torn copies are recognised by their file names', async (t) => {
  t.equal(segmentPath('/j', 255), '/j/00000000000000ff.segment');
  const files = newDisk();
  for (const name of [
    '00000000000000ff.segment',
    '000000000000000a.segment',
    'spare',
    '1.segment',
    '00000000000000FF.segment.torn',
  ]) {
    files.put(name, Buffer.alloc(0));
  }
  t.same(
    listSegments(files, FOLDER).map((file) => file.firstLsn),
    [10, 255],
  );
  for (const name of ['ffffffffffffffff.segment', '0000000000000000.segment']) {
    const bad = newDisk();
    bad.put(name, Buffer.alloc(0));
    t.throws(() => listSegments(bad, FOLDER), CorruptError);
  }
});

t.test('numbers above 32 bits are written and read exactly', async (t) => {
  const bytes = Buffer.alloc(8);
  for (const value of [0, 1, 2 ** 32 - 1, 2 ** 32, 2 ** 40 + 7, Number.MAX_SAFE_INTEGER]) {
    writeUint53(bytes, value, 0);
    t.equal(readUint53(bytes, 0), value);
    t.equal(bytes.readBigUInt64LE(), BigInt(value));
  }
  t.equal(readUint53(Buffer.alloc(8, 255), 0), undefined);
});

t.test('isZero checks every byte', async (t) => {
  const bytes = Buffer.alloc(200_000);
  t.ok(isZero(bytes));
  for (const at of [0, 65_535, 65_536, 199_999]) {
    bytes[at] = 1;
    t.notOk(isZero(bytes), String(at));
    bytes[at] = 0;
  }
  bytes[10] = 1;
  t.ok(isZero(bytes, 11));
});

t.test('replay refuses segments that are unsealed, missing or damaged', async (t) => {
  const files = newDisk();
  const { wal } = await open(files);
  for (const text of texts(1, 6)) {
    await add(wal, text);
    if (wal.nextLsn % 2 === 1) await wal.seal();
  }
  const run = (from: number, to: number): string[] => {
    const records: string[] = [];
    replay(files, FOLDER, from, to, (lsn, record) => records.push(`${lsn} ${record.toString()}`));
    return records;
  };
  t.same(run(2, 5), ['2 record 2', '3 record 3', '4 record 4', '5 record 5']);
  t.same(run(3, 2), []);
  t.throws(() => run(5, 7), CorruptError, 'beyond what is sealed');
  t.throws(() => run(0, 1), CorruptError, 'before the first');
  const middle = files.raw(segmentName(3));
  middle[580] = (middle[580] as number) ^ 1;
  t.throws(() => run(1, 6), CorruptError, 'damaged');
  t.same(run(5, 6).length, 2, 'what is not asked for is not read');
  files.delete(segmentName(3));
  t.throws(() => run(1, 6), CorruptError, 'gone');
  await wal.close();
});
