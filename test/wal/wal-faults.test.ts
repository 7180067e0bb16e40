/** The log on a full, slow or broken disk, and after the death of a thread. */
import path from 'node:path';
import t from 'tap';
import { Deferred } from '../../src/lib/async/deferred.ts';
import { BusyError, NoSpaceError, RecordTooLargeError, StoppedError } from '../../src/lib/errors.ts';
import { nodeFiles } from '../../src/lib/files/files.ts';
import { recordBytesMax, segmentBytesMin } from '../../src/storage/wal/format/segment.ts';
import { lateMs } from '../../src/storage/wal/write/segment-preallocator.ts';
import type { Wal } from '../../src/storage/wal/write/wal.ts';
import { WalThreads } from '../../src/storage/wal/write/wal-worker.ts';
import { determined } from '../crash/chance.ts';
import type { SimulatedDisk } from '../disk/simulated-disk.ts';
import { randomFrom } from '../support/random.ts';
import { add, FOLDER, newDisk, open, recordsIn, segmentName, texts, turns, until } from './harness.ts';
import { InlineWorker } from './inline-worker.ts';

const FIRST = segmentName(1);

/** Makes every spare fail from now on. */
function fill(files: SimulatedDisk): void {
  files.fail({ kind: 'write', name: 'spare.tmp', code: 'ENOSPC' });
}

/** Appends records of 100 kB until one is refused; returns the refusal and how many were taken. */
async function appendAll(wal: Wal): Promise<{ error: unknown; taken: number }> {
  for (let taken = 0; ; taken += 1) {
    try {
      await wal.durable(wal.append(Buffer.alloc(100_000, 'x')));
    } catch (error) {
      return { error, taken };
    }
  }
}

t.test('on a full disk accepted records are written, others are refused, and writes resume when space is free', async (t) => {
  const files = newDisk();
  const { wal, fatal } = await open(files);
  fill(files);
  const { error, taken } = await appendAll(wal);
  t.type(error, NoSpaceError);
  t.ok(taken >= 2 * 9, `${taken} records of 100 kB in the current segment and the spare`);
  t.equal(wal.nextLsn, taken + 1, 'a refusal takes no LSN');
  t.ok(wal.append(Buffer.from('small')) > 0, 'a small one still fits');
  await t.rejects(wal.seal(), NoSpaceError);
  t.notOk(files.list().includes('spare.tmp'), 'what was begun is removed');
  files.heal();
  await until(() => wal.stats.spare === 'ready');
  await add(wal, 'y'.repeat(100_000));
  t.equal(await wal.seal(), taken + 2);
  await wal.close();
  t.same(fatal, []);
  t.equal(recordsIn(files).length, taken + 2);
});

t.test('a refused record starts a new attempt for a spare segment immediately', async (t) => {
  const files = newDisk();
  const { wal } = await open(files);
  fill(files);
  await appendAll(wal);
  await until(() => wal.stats.spare === 'failed');
  const tries = files.fail({ kind: 'write', name: 'spare.tmp', code: 'ENOSPC' });
  const start = performance.now();
  while (tries.count < 3) {
    t.throws(() => wal.append(Buffer.alloc(100_000)), NoSpaceError);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  t.ok(performance.now() - start > 500, 'but not at every one');
  await wal.close();
});

t.test('a start on a full disk serves reads, and writes resume when space is free', async (t) => {
  const files = newDisk();
  const first = await open(files);
  await add(first.wal, 'a');
  await first.wal.close();
  files.unlink(`${FOLDER}/spare`);
  fill(files);
  const { wal, records } = await open(files);
  t.same(records, ['a']);
  t.throws(() => wal.append(Buffer.from('b')), NoSpaceError);
  await t.rejects(wal.seal(), NoSpaceError);
  files.heal();
  await until(() => wal.stats.spare === 'ready');
  await add(wal, 'b');
  await wal.close();
  t.same(recordsIn(files), ['a', 'b']);
});

t.test('a start on a full disk writes to the existing spare segment', async (t) => {
  const files = newDisk();
  const first = await open(files);
  await add(first.wal, 'a');
  await first.wal.close();
  fill(files);
  const { wal } = await open(files);
  await add(wal, 'b');
  await wal.close();
  t.same(recordsIn(files), ['a', 'b']);
});

t.test('a log on a full disk can be opened and closed repeatedly', async (t) => {
  const files = newDisk();
  const first = await open(files);
  await add(first.wal, 'a');
  await first.wal.close();
  for (let i = 0; i < 2; i += 1) {
    fill(files);
    const { wal } = await open(files);
    await wal.close();
  }
  t.same(recordsIn(files), ['a']);
});

t.test('without file descriptors accepted records are written, and others are refused until some are free', async (t) => {
  const files = newDisk();
  const { wal, fatal } = await open(files);
  files.fail({ kind: ['create', 'open', 'openFolder'], code: 'EMFILE' });
  const { error, taken } = await appendAll(wal);
  t.type(error, NoSpaceError);
  t.ok(taken >= 2 * 9, `${taken} records of 100 kB in the current segment and the spare`);
  await until(() => wal.stats.spare === 'failed');
  files.heal();
  await until(() => wal.stats.spare === 'ready');
  await add(wal, 'y'.repeat(100_000));
  await wal.close();
  t.same(fatal, []);
  t.equal(recordsIn(files).length, taken + 1);
});

t.test('a spare segment that cannot be opened is not used', async (t) => {
  const files = newDisk();
  const { wal, fatal } = await open(files);
  files.fail({ kind: 'open', mode: 'r+', code: 'EMFILE' });
  const { taken } = await appendAll(wal);
  t.ok(taken >= 2 * 9, `${taken} records of 100 kB`);
  await until(() => wal.stats.spare === 'failed');
  t.throws(() => wal.append(Buffer.alloc(200_000)), NoSpaceError);
  files.heal();
  await until(() => wal.stats.spare === 'ready');
  await add(wal, 'y'.repeat(100_000));
  await wal.close();
  t.same(fatal, []);
  t.equal(recordsIn(files).length, taken + 1);
});

/** As {@link until}, where the clock stands still. */
async function soon(holds: () => boolean): Promise<void> {
  while (!holds()) await turns(1);
}

t.test('a start and a seal wait at most a minute for a spare segment', (t) =>
  determined(1, async (clock) => {
    const files = newDisk();
    const first = await open(files);
    await add(first.wal, 'a');
    await first.wal.close();
    files.unlink(`${FOLDER}/spare`);

    const worker = new InlineWorker(files);
    let answer = new Deferred<void>();
    worker.gate = (job) => (job === 'spare' ? answer.promise : undefined);
    let isOpen = false;
    const opening = open(files, { worker }).finally(() => {
      isOpen = true;
    });
    clock.advance(lateMs - 1);
    await turns(50);
    t.notOk(isOpen, 'it waits for as long as a slow disk may need');
    clock.advance(1);
    const { wal: started, fatal } = await opening;
    t.ok(started.stats.spareIsLate);
    t.throws(
      () => started.append(Buffer.from('b')),
      new BusyError('the next segment is not ready after 60 s: the disk may have stopped responding'),
    );
    await t.rejects(started.seal(), BusyError);

    answer.resolve();
    await soon(() => started.stats.spare === 'ready');
    t.notOk(started.stats.spareIsLate);
    await add(started, 'b');

    answer = new Deferred<void>();
    await soon(() => started.stats.spare === 'ready');
    t.equal(await started.seal(), 2, 'the one that was ready already');
    await add(started, 'c');
    const seal = t.rejects(started.seal(), BusyError);
    await turns(50);
    clock.advance(lateMs);
    await seal;
    await add(started, 'd');
    await started.close();
    t.same(recordsIn(files), ['a', 'b', 'c', 'd'], 'closing waits for it no longer either');
    t.same(fatal, []);
  }),
);

t.test('records are refused as busy while the spare segment is late, and a seal waits for it', async (t) => {
  const files = newDisk();
  const worker = new InlineWorker(files);
  const { wal, fatal } = await open(files, { worker });
  const held = new Deferred<void>();
  worker.gate = (job) => (job === 'spare' ? held.promise : undefined);
  const { error, taken } = await appendAll(wal);
  t.type(error, BusyError);
  const sealed = wal.seal();
  await turns(5);
  t.equal(wal.sealed.length, 1, 'it waits');
  held.resolve();
  t.equal(await sealed, taken);
  await wal.close();
  t.same(fatal, []);
});

t.test('a record above the limit and one above the queue are refused', async (t) => {
  const files = newDisk();
  const { wal } = await open(files);
  const largest = recordBytesMax(segmentBytesMin);
  t.throws(() => wal.append(Buffer.alloc(largest + 1)), RecordTooLargeError);
  t.equal(wal.append(Buffer.alloc(largest)), 1);
  t.throws(() => wal.append(Buffer.alloc(10)), BusyError, 'the queue is full');
  t.equal(wal.nextLsn, 2);
  await wal.durable(1);
  t.equal(await add(wal, 'next'), 2);
  await wal.close();
});

const FAULTS = [
  { title: 'the write of a frame', kind: 'write', name: FIRST },
  { title: 'the sync of a frame', kind: 'sync', name: FIRST },
  { title: 'the rename of the spare', kind: 'rename', name: segmentName(3) },
  { title: 'the sync of the folder in a rotation', kind: 'syncFolder', name: 'journal' },
] as const;

for (const { title, ...fault } of FAULTS) {
  t.test(`an error of ${title} stops the log`, async (t) => {
    const files = newDisk();
    const { wal, fatal } = await open(files);
    await add(wal, 'a');
    await until(() => wal.stats.spare === 'ready');
    const struck = files.fail({ ...fault, code: 'EIO', nth: 1 });
    const lsn = wal.append(Buffer.from('b'));
    const sealing = wal.seal();
    const waits = wal.durable(lsn);
    await t.rejects(sealing, StoppedError);
    if (fault.kind === 'write' || fault.kind === 'sync') await t.rejects(waits as Promise<void>, StoppedError);
    t.equal(fatal.length, 1, 'reported once');
    t.match(fatal[0], { code: 'EIO' });
    t.throws(() => wal.append(Buffer.from('c')), StoppedError);
    await t.rejects(wal.trim(1), StoppedError);
    await t.rejects(wal.close(), StoppedError);
    await turns(5);
    t.equal(struck.count, 1, 'it was not tried again');
    files.revive();
    const again = await open(files);
    t.same(again.records.slice(0, 1), ['a'], 'a restart has what was acknowledged');
    await add(again.wal, 'd');
    await again.wal.close();
    t.same(recordsIn(files), [...again.records, 'd']);
  });
}

for (const busy of [false, true]) {
  t.test(`the log stops if the flusher thread dies ${busy ? 'at work' : 'while idle'}`, async (t) => {
    const folder = path.join(t.testdir(), 'journal');
    const worker = new WalThreads();
    const { wal, fatal } = await open(nodeFiles, { folder, worker });
    for (const text of texts(1, 3)) await add(wal, text);
    const waits = busy ? wal.durable(wal.append(Buffer.from('lost?'))) : undefined;
    await worker.flusher.threads[0]?.terminate();
    if (waits !== undefined) await waits.catch((error: unknown) => t.type(error, StoppedError));
    await until(() => fatal.length > 0);
    t.throws(() => wal.append(Buffer.from('c')), StoppedError);
    await t.rejects(wal.close(), StoppedError);
    t.equal(fatal.length, 1);
    t.equal(worker.flusher.threads.length, 0, 'no other thread takes its place');
    const again = await open(nodeFiles, { folder, worker: new WalThreads() });
    t.ok(again.wal.nextLsn >= 4);
    await again.wal.close();
  });
}

t.test('a spare segment is created again after its thread died', async (t) => {
  const worker = new WalThreads();
  const { wal, fatal } = await open(nodeFiles, { folder: path.join(t.testdir(), 'journal'), worker });
  await add(wal, 'a');
  await worker.spares.threads[0]?.terminate();
  await wal.seal();
  await add(wal, 'b');
  await until(() => wal.stats.spare === 'ready');
  await worker.spares.threads[0]?.terminate();
  await wal.seal();
  await wal.close();
  t.same(fatal, []);
});

t.test('a log whose segment vanishes before its start is refused', async (t) => {
  const files = newDisk();
  const worker = new InlineWorker(files);
  const start = worker.start.bind(worker);
  worker.start = (...args) => {
    files.delete(FIRST);
    start(...args);
  };
  const fatal: Error[] = [];
  await t.rejects(open(files, { worker, fatal }), StoppedError);
  t.match(fatal, [{ code: 'ENOENT' }]);
});

t.test('every accepted record fits, for any sizes and late spare segments', async (t) => {
  const random = randomFrom(7);
  const files = newDisk();
  const worker = new InlineWorker(files);
  let ready = Promise.resolve();
  worker.gate = (job) => (job === 'spare' ? ready : undefined);
  const { wal, fatal } = await open(files, { worker, sync: 'never' });
  const counts = { taken: 0, busy: 0 };
  const sizes: number[] = [];
  for (let round = 0; round < 600; round += 1) {
    if (random(4) === 0) ready = turns(random(20));
    for (let i = random(30); i > 0; i -= 1) {
      const size = random(3) === 0 ? random(recordBytesMax(segmentBytesMin)) : random(2_000);
      try {
        wal.append(Buffer.alloc(size, 97 + (sizes.length % 26)));
        sizes.push(size);
        counts.taken += 1;
      } catch (error) {
        if (!(error instanceof BusyError)) throw error;
        counts.busy += 1;
      }
    }
    if (random(10) === 0) void wal.seal().catch(() => undefined);
    if (random(20) === 0 && wal.sealed.length > 8) await wal.trim(wal.sealed.at(-4)?.lastLsn ?? 0);
    await turns(random(4));
  }
  await wal.close();
  t.same(fatal, []);
  t.ok(counts.taken > 1_000 && counts.busy > 100, JSON.stringify(counts));
  const after = (wal.sealed[0]?.firstLsn ?? 1) - 1;
  t.same(
    recordsIn(files, after).map(({ length }) => length),
    sizes.slice(after),
  );
});
