// tier: normal
/** Records larger than a segment: each gets a segment of its own, and other writes continue. */
import t from 'tap';
import { BusyError, NoSpaceError, StoppedError } from '../../src/lib/errors.ts';
import { listSegments, segmentBytesMin } from '../../src/storage/wal/format/segment.ts';
import type { Lsn, PreparedRecord } from '../../src/storage/wal/journal.ts';
import { readSegment } from '../../src/storage/wal/read/read-segment.ts';
import { verifyJournal } from '../../src/storage/wal/read/verify-wal.ts';
import { makeLarge } from '../../src/storage/wal/write/large-record.ts';
import type { Wal } from '../../src/storage/wal/write/wal.ts';
import { nameOf } from '../disk/disk.ts';
import { randomFrom } from '../support/random.ts';
import { systemError } from '../support/system-error.ts';
import { add, FOLDER, newDisk, open, recordsIn, segmentName, texts, turns, until } from './harness.ts';
import { InlineWorker } from './inline-worker.ts';

const SIZE = 3 * segmentBytesMin + 777;
const large = (letter: string, size = SIZE): string => letter.repeat(size);

/** Deposits a record of text. */
function deposit(wal: Wal, text: string): Promise<PreparedRecord> {
  return wal.prepare(text.length, async (into) => {
    into.write(text, 'latin1');
  });
}

async function addLarge(wal: Wal, text: string): Promise<Lsn> {
  const lsn = wal.commitPrepared(await deposit(wal, text));
  await wal.durable(lsn);
  return lsn;
}

/** Records as what can be compared quickly. */
const short = (records: readonly string[]): string[] =>
  records.map((text) => (text.length > 100 ? `${text[0]} × ${text.length}` : text));

t.test('the segment of a large record has its own size, and the next one the usual size', async (t) => {
  const files = newDisk();
  const { wal } = await open(files);
  await add(wal, 'a');
  await addLarge(wal, large('b'));
  await add(wal, 'c'.repeat(1000));
  await wal.close();
  const sizes = listSegments(files, FOLDER).map((file) => readSegment(files, file).header);
  t.same(
    sizes.map(({ segmentBytes, large }) => [segmentBytes > SIZE && segmentBytes < SIZE + 4096, large === true]),
    [
      [false, false],
      [true, true],
      [false, false],
    ],
  );
  t.equal(sizes[2]?.segmentBytes, segmentBytesMin);
});

t.test('small records are durable while a large one is written, and are accepted while it waits', async (t) => {
  const files = newDisk();
  const { wal, fatal } = await open(files);
  const making = deposit(wal, large('b'));
  for (const text of texts(1, 3)) await add(wal, text);
  const made = await making;
  const before = wal.append(Buffer.from('before'));
  const lsn = wal.commitPrepared(made);
  const after = wal.append(Buffer.from('after'));
  t.same([before, lsn, after], [4, 5, 6]);
  t.throws(() => wal.commitPrepared(made), BusyError, 'not twice');
  await wal.durable(before);
  t.ok(wal.durableLsn >= 4);
  await wal.durable(lsn);
  t.ok(wal.durableLsn >= 5);
  await wal.durable(after);
  t.equal(wal.durableLsn, 6);
  await wal.close();
  t.same(short(recordsIn(files)), [...texts(1, 3), 'before', `b × ${SIZE}`, 'after']);
  t.same(fatal, []);
});

t.test('records accepted after a large record fit in the spare segment', async (t) => {
  const files = newDisk();
  const { wal, fatal } = await open(files);
  const lsn = wal.commitPrepared(await deposit(wal, large('b')));
  let taken = 0;
  try {
    for (;;) {
      wal.append(Buffer.alloc(100_000, 'x'));
      taken++;
    }
  } catch (error) {
    t.type(error, BusyError);
  }
  t.equal(taken, 10, 'a segment of 1 MiB');
  await wal.durable(lsn + taken);
  await wal.close();
  t.same(fatal, []);
  t.equal(recordsIn(files).length, 1 + taken);
});

t.test('a large record is refused as busy until the spare segment has no reservation', async (t) => {
  const files = newDisk();
  const { wal } = await open(files);
  const made = await deposit(wal, large('b'));
  await add(wal, large('a', 600_000));
  for (let i = 0; i < 8; i++) wal.append(Buffer.alloc(85_000, 'x'));
  t.throws(() => wal.commitPrepared(made), BusyError, 'records are counted on the spare');
  await wal.durable(9);
  await until(() => wal.stats.spare === 'ready');
  t.equal(wal.commitPrepared(made), 10);
  await wal.durable(10);
  await wal.close();
  t.equal(recordsIn(files).length, 10);
});

t.test('a seal during a waiting large record covers the record', async (t) => {
  const files = newDisk();
  const { wal } = await open(files);
  await add(wal, 'a');
  wal.commitPrepared(await deposit(wal, large('b')));
  t.equal(await wal.seal(), 2);
  await add(wal, 'c');
  t.equal(await wal.seal(), 3);
  await wal.trim(2);
  t.same(
    listSegments(files, FOLDER).map(({ firstLsn }) => firstLsn),
    [3, 4],
    'and it goes like any other',
  );
  await wal.close();
});

t.test('an aborted large record leaves no file', async (t) => {
  const files = newDisk();
  const { wal } = await open(files);
  const made = await deposit(wal, large('b'));
  t.ok(files.list().includes('large'));
  wal.abort(made);
  wal.abort(made);
  await until(() => !files.list().includes('large'));
  t.equal(await addLarge(wal, large('c')), 1);
  await wal.close();
});

t.test('a large record is refused on a full disk, small ones go on, and it works once space is free', async (t) => {
  const files = newDisk();
  const { wal, fatal } = await open(files);
  const writes = files.fail({ kind: 'write', name: 'large.tmp', code: 'ENOSPC', nth: 3 });
  await t.rejects(deposit(wal, large('b')), NoSpaceError);
  t.equal(writes.count, 3);
  t.notOk(
    files.list().some((name) => name.startsWith('large')),
    'what was begun is removed',
  );
  await add(wal, 'a');
  t.equal(wal.stats.spare, 'ready');
  files.heal();
  t.equal(await addLarge(wal, large('b')), 2);
  await wal.close();
  t.same(fatal, []);
  t.same(short(recordsIn(files)), ['a', `b × ${SIZE}`]);
});

t.test('a large record is refused if its file cannot be opened', async (t) => {
  const files = newDisk();
  const { wal, fatal } = await open(files);
  files.fail({ kind: 'open', mode: 'r+', code: 'EMFILE' });
  await t.rejects(deposit(wal, large('b')), NoSpaceError);
  t.notOk(files.list().includes('large'));
  files.heal();
  t.equal(await addLarge(wal, large('b')), 1);
  await wal.close();
  t.same(fatal, []);
});

t.test('a large record is refused without a spare segment, like a small one', async (t) => {
  const files = newDisk();
  const { wal } = await open(files);
  const made = await deposit(wal, large('b'));
  files.fail({ kind: 'write', name: 'spare.tmp', code: 'ENOSPC' });
  await add(wal, 'a');
  await wal.seal();
  await until(() => wal.stats.spare === 'failed');
  t.throws(() => wal.commitPrepared(made), NoSpaceError);
  await add(wal, 'b');
  files.heal();
  await until(() => wal.stats.spare === 'ready');
  t.equal(wal.commitPrepared(made), 3);
  await wal.close();
  t.same(short(recordsIn(files)), ['a', 'b', `b × ${SIZE}`]);
});

for (const { title, ...fault } of [
  { title: 'the rename to its segment', kind: 'rename', name: segmentName(2) },
  { title: 'the sync of its frame', kind: 'sync', name: segmentName(2) },
] as const) {
  t.test(`an error of ${title} stops the log, and a restart has the acknowledged records`, async (t) => {
    const files = newDisk();
    const { wal, fatal } = await open(files);
    await add(wal, 'a');
    const made = await deposit(wal, large('b'));
    files.fail({ ...fault, code: 'EIO' });
    const lsn = wal.commitPrepared(made);
    const next = deposit(wal, large('c'));
    await t.rejects(wal.durable(lsn) as Promise<void>, StoppedError);
    await t.rejects(next, StoppedError, 'and nobody waits for ever');
    t.match(fatal, [{ code: 'EIO' }]);
    files.revive();
    const again = await open(files);
    t.equal(again.records[0], 'a');
    await add(again.wal, 'd');
    await again.wal.close();
    t.same(recordsIn(files), [...again.records, 'd']);
  });
}

t.test('close waits for an appended large record and aborts one that is not appended', async (t) => {
  const files = newDisk();
  const { wal } = await open(files);
  const lsn = wal.commitPrepared(await deposit(wal, large('b')));
  const next = deposit(wal, large('c'));
  const durable = wal.durable(lsn);
  const refused = t.rejects(next, StoppedError);
  await wal.close();
  await durable;
  await refused;
  await t.rejects(
    wal.prepare(SIZE, async () => undefined),
    StoppedError,
  );
  t.same(short(recordsIn(files)), [`b × ${SIZE}`]);
  const again = await open(files);
  t.notOk(
    files.list().some((name) => name.startsWith('large')),
    'a restart removes what was left',
  );
  await again.wal.close();
});

t.test('a crash before its frame drops a large record completely, and its segment is replaced', async (t) => {
  const files = newDisk();
  const { wal } = await open(files);
  await add(wal, 'a');
  const made = await deposit(wal, large('b'));
  let struck = false;
  files.before = (op) => {
    struck ||= op.kind === 'write' && nameOf(op.path) === segmentName(2);
    if (struck) throw systemError('EIO');
  };
  await t.rejects(wal.durable(wal.commitPrepared(made)) as Promise<void>, StoppedError);
  files.revive();
  t.same(recordsIn(files), ['a']);
  t.same(verifyJournal(files, FOLDER), []);
  const again = await open(files);
  t.equal(again.plan.cut, undefined, 'nothing was torn');
  t.same(again.records, ['a']);
  await add(again.wal, 'c');
  const sizes = listSegments(files, FOLDER).map((file) => readSegment(files, file).header.segmentBytes);
  t.same(sizes, [segmentBytesMin, segmentBytesMin]);
  await again.wal.close();
  t.same(recordsIn(files), ['a', 'c']);
});

t.test('a large record with a wrong bit is torn', async (t) => {
  const files = newDisk();
  const { wal } = await open(files);
  await addLarge(wal, large('b'));
  const bytes = files.raw(segmentName(1));
  bytes[segmentBytesMin] = (bytes[segmentBytesMin] as number) ^ 1;
  t.same(recordsIn(files), []);
});

t.test('accepted small and large records are recovered in any order, also with late spare segments', async (t) => {
  const random = randomFrom(11);
  const files = newDisk();
  const worker = new InlineWorker(files);
  let begin = Promise.resolve();
  worker.gate = (job) => (job === 'large' ? begin : undefined);
  const { wal, fatal } = await open(files, { worker });
  const sizes: number[] = [];
  const counts = { large: 0, busy: 0, withdrawn: 0 };
  const one = async (): Promise<void> => {
    const size = segmentBytesMin + random(segmentBytesMin);
    const made = await wal.prepare(size, async (into) => {
      into.fill('z');
    });
    for (;;) {
      try {
        const lsn = wal.commitPrepared(made);
        sizes[lsn - 1] = size;
        counts.large++;
        await wal.durable(lsn);
        if (wal.durableLsn < lsn) t.fail('durable too early');
        return;
      } catch (error) {
        if (!(error instanceof BusyError)) throw error;
        counts.busy++;
        if (random(8) === 0) {
          counts.withdrawn++;
          wal.abort(made);
          return;
        }
        await turns(3);
      }
    }
  };
  const all: Promise<void>[] = [];
  for (let round = 0; round < 300; round++) {
    if (random(4) === 0) begin = turns(random(10));
    if (random(6) === 0) all.push(one());
    for (let i = random(20); i > 0; i--) {
      const size = random(5) === 0 ? random(300_000) : random(2_000);
      try {
        sizes[wal.append(Buffer.alloc(size, 'x')) - 1] = size;
      } catch (error) {
        if (!(error instanceof BusyError)) throw error;
      }
    }
    if (random(12) === 0) void wal.seal().catch(() => undefined);
    await turns(random(5));
  }
  await Promise.all(all);
  await wal.close();
  t.same(fatal, []);
  t.ok(counts.large > 20 && counts.busy > 0, JSON.stringify(counts));
  t.same(
    recordsIn(files).map(({ length }) => length),
    sizes,
  );
  t.same(verifyJournal(files, FOLDER), []);
});

t.test('an aborted preallocation leaves no file', (t) => {
  const files = newDisk();
  files.makeFolder(FOLDER);
  const header = { segmentBytes: 4096, lineage: '0'.repeat(32), salt: 1, sync: 'always', createdMs: 0, large: true } as const;
  t.equal(
    makeLarge(files, { folder: FOLDER, header, record: new SharedArrayBuffer(2000) }, () => false),
    undefined,
  );
  t.same(files.list(), []);
  t.end();
});
