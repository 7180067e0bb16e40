/** The order of the writes and syncs of the log. */
import t from 'tap';
import { isZero } from '../../src/lib/bytes.ts';
import { recordBytesMax, segmentBytesMin, segmentPath } from '../../src/storage/wal/format/segment.ts';
import { readSegment, segmentRecords } from '../../src/storage/wal/read/read-segment.ts';
import { nameOf } from '../disk/disk.ts';
import { described, type SimulatedDisk } from '../disk/simulated-disk.ts';
import { add, FOLDER, newDisk, open, recordsIn, segmentName, texts, turns, until } from './harness.ts';

const FIRST = segmentName(1);

function frames(files: SimulatedDisk, lsn: number): string[] {
  const { frames } = readSegment(files, { firstLsn: lsn, path: segmentPath(FOLDER, lsn) });
  return frames.map((frame) => `${frame.type} ${frame.firstLsn}+${frame.count}`);
}

t.test('with sync always, a frame is synced before its acknowledgement and before the next write', async (t) => {
  const files = newDisk();
  const { wal } = await open(files);
  const operations = files.record();
  const acknowledged: number[] = [];
  files.before = (op) => {
    if (op.kind === 'sync' && nameOf(op.path) === FIRST) acknowledged.push(wal.durableLsn);
  };
  const writers = texts(1, 5).map(async (text) => {
    for (let i = 0; i < 4; i += 1) await add(wal, text);
  });
  await Promise.all(writers);
  const ops = operations.map(described);
  t.same(
    ops,
    ops.map((_, i) => (i % 2 === 0 ? `write ${FIRST}` : `sync ${FIRST}`)),
    'a write, a sync, a write, a sync',
  );
  t.ok(ops.length / 2 < 20, 'writers share frames');
  t.same(acknowledged[0], 0, 'not acknowledged while it is synced');
  const lsns = readSegment(files, { firstLsn: 1, path: segmentPath(FOLDER, 1) }).frames.map((frame) => frame.firstLsn - 1);
  t.same(acknowledged, lsns, 'at each sync, what was acknowledged is what stands in the frames before');
  await wal.close();
});

t.test('records of one turn of the event loop share a frame', async (t) => {
  const files = newDisk();
  const { wal } = await open(files);
  for (const text of texts(1, 100)) wal.append(Buffer.from(text));
  await wal.durable(100);
  t.same(frames(files, 1), ['batch 1+100']);
  await wal.close();
});

for (const sync of ['always', 'interval', 'never'] as const) {
  t.test(`a rotation writes and syncs in order (sync ${sync})`, async (t) => {
    const files = newDisk();
    const { wal } = await open(files, { sync });
    await add(wal, 'a');
    const operations = files.record();
    const sealing = wal.seal();
    await turns(1);
    await add(wal, 'b');
    await sealing;
    const second = segmentName(2);
    const ops = operations.map(described).filter((op) => !op.includes('spare') && !op.startsWith('syncFolder'));
    const folder = operations.map(described).indexOf('syncFolder journal');
    const rotation = [`rename ${second}`, `write ${FIRST}`, `sync ${FIRST}`, `write ${second}`];
    t.same(ops.slice(0, 5), sync === 'always' ? [...rotation, `sync ${second}`] : [`sync ${FIRST}`, ...rotation]);
    t.equal(operations.map(described)[folder - 1], `rename ${second}`, 'the folder is synced after the rename');
    t.equal(operations.map(described)[folder + 1], `write ${FIRST}`, 'and before the seal');
    t.same(wal.sealed, [{ firstLsn: 1, lastLsn: 1, bytes: segmentBytesMin, path: segmentPath(FOLDER, 1) }]);
    await wal.close();
  });
}

t.test('a batch that does not fit in a segment is split between two records', async (t) => {
  const files = newDisk();
  const { wal } = await open(files);
  const records = [1, 2, 3, 4].map((n) => String(n).repeat(200_000));
  await add(wal, records[0] as string);
  for (const record of records.slice(1)) wal.append(Buffer.from(record));
  wal.append(Buffer.from('5'.repeat(200_000)));
  wal.append(Buffer.from('6'.repeat(200_000)));
  await wal.durable(6);
  t.same(frames(files, 1), ['batch 1+1', 'batch 2+4', 'seal 6+0']);
  t.same(frames(files, 6), ['batch 6+1']);
  t.same(
    recordsIn(files).map((record) => record[0]),
    ['1', '2', '3', '4', '5', '6'],
  );
  await wal.close();
});

t.test('a frame is padded with zeros, not with older bytes', async (t) => {
  const files = newDisk();
  const { wal } = await open(files);
  await add(wal, 'x'.repeat(5_000));
  await add(wal, 'y');
  const { frames, end } = readSegment(files, { firstLsn: 1, path: segmentPath(FOLDER, 1) });
  const small = frames[1];
  t.ok(isZero(files.bytes(FIRST), (small?.offset ?? 0) + 64 + 5, end.offset));
  await wal.close();
});

t.test('the largest record fills a segment up to its seal', async (t) => {
  const files = newDisk();
  const { wal } = await open(files);
  const largest = Buffer.alloc(recordBytesMax(segmentBytesMin), 'x');
  for (let i = 0; i < 3; i += 1) {
    await until(() => wal.stats.spare === 'ready');
    wal.append(largest);
    await wal.durable(i + 1);
  }
  await wal.close();
  t.same(frames(files, 1), ['batch 1+1', 'seal 2+0']);
  t.same(frames(files, 3), ['batch 3+1'], 'there is no room for a mark');
  const segment = readSegment(files, { firstLsn: 2, path: segmentPath(FOLDER, 2) });
  t.equal(segment.end.offset, segmentBytesMin);
  t.ok([...segmentRecords(segment)].every(([, record]) => record.equals(largest)));
  t.equal((await open(files)).records.length, 3);
});

t.test('an idle log writes one mark after its last batch', async (t) => {
  const files = newDisk();
  const { wal } = await open(files);
  await add(wal, 'a');
  await until(() => frames(files, 1).length > 1);
  t.same(frames(files, 1), ['batch 1+1', 'mark 2+0']);
  t.equal(await add(wal, 'b'), 2, 'it takes no LSN');
  await wal.close();
  t.same(frames(files, 1), ['batch 1+1', 'mark 2+0', 'batch 2+1', 'mark 3+0']);
  t.same(recordsIn(files), ['a', 'b']);
});

t.test('opening and closing the log writes no record and no segment', async (t) => {
  const files = newDisk();
  for (let i = 0; i < 3; i += 1) {
    const { wal } = await open(files);
    await wal.close();
    t.same(frames(files, 1), []);
  }
  t.same(files.list(), [FIRST, 'spare']);
});

t.test('with sync interval, a write is acknowledged before its sync, and an idle log is not synced', async (t) => {
  const files = newDisk();
  const { wal } = await open(files, { sync: 'interval' });
  const operations = files.record();
  await add(wal, 'a');
  await add(wal, 'b');
  t.same(operations.map(described), [`write ${FIRST}`, `write ${FIRST}`]);
  await until(() => operations.length > 2);
  t.same(operations.map(described).slice(2), [`sync ${FIRST}`]);
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  t.equal(operations.length, 3);
  await wal.close();
  t.same(frames(files, 1), ['batch 1+1', 'batch 2+1', 'mark 3+0']);
});

t.test('with sync never, the log is synced at close, before its mark', async (t) => {
  const files = newDisk();
  const { wal } = await open(files, { sync: 'never' });
  const operations = files.record();
  await add(wal, 'a');
  await wal.close();
  t.same(operations.map(described), [`write ${FIRST}`, `sync ${FIRST}`, `write ${FIRST}`, `sync ${FIRST}`]);
});

t.test('trim deletes the oldest segments first and continues after one that cannot be deleted', async (t) => {
  const files = newDisk();
  const { wal, fatal } = await open(files);
  for (const text of texts(1, 4)) {
    await add(wal, text);
    await wal.seal();
  }
  await until(() => wal.stats.spare === 'ready');
  const operations = files.record();
  files.fail({ kind: 'unlink', name: segmentName(2), code: 'EPERM' });
  t.same(await wal.trim(3), [
    { path: segmentPath(FOLDER, 2), reason: `EPERM: operation not permitted, unlink '${segmentPath(FOLDER, 2)}'` },
  ]);
  t.same(operations.map(described), [`unlink ${FIRST}`, `unlink ${segmentName(3)}`, 'syncFolder journal']);
  t.same(
    wal.sealed.map((segment) => segment.firstLsn),
    [2, 4],
  );
  files.heal();
  t.same(await wal.trim(3), []);
  t.same(operations.map(described).slice(3), [`unlink ${segmentName(2)}`, 'syncFolder journal']);
  await add(wal, 'e');
  t.same([fatal, wal.stats.segments], [[], 2]);
  await wal.close();
  t.same(recordsIn(files, 3), ['record 4', 'e']);
});
