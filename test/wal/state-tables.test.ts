/** The decision tables of the journal make sense, and its parts keep to their states. */
import t from 'tap';
import { Deferred } from '../../src/lib/async/deferred.ts';
import { NoSpaceError, StoppedError } from '../../src/lib/errors.ts';
import { InvariantError, invariant } from '../../src/lib/invariant.ts';
import { frameAlignBytes } from '../../src/storage/wal/format/frame.ts';
import { segmentBytesMin } from '../../src/storage/wal/format/segment.ts';
import { endDecisions, recoverWal } from '../../src/storage/wal/recovery/recover-wal.ts';
import { repairTail, tailRepairs, tailStates } from '../../src/storage/wal/recovery/repair-tail.ts';
import { Flusher, type FlusherStart, type Op, type Report } from '../../src/storage/wal/write/flusher.ts';
import { SegmentPreallocator } from '../../src/storage/wal/write/segment-preallocator.ts';
import { SpaceReservation } from '../../src/storage/wal/write/space-reservation.ts';
import type { FlusherEvents, WalWorker } from '../../src/storage/wal/write/wal-worker.ts';
import { add, FOLDER, newDisk, open, recordsIn, segmentName, turns } from './harness.ts';
import { InlineWorker } from './inline-worker.ts';

t.test('a broken invariant throws with its values', async (t) => {
  invariant(true, 'never shown');
  t.throws(
    () => invariant(false, 'byte {} is before byte {}', 5, 3),
    new InvariantError('broken invariant: byte 5 is before byte 3'),
  );
});

t.test('every segment end that recovery accepts has a repair', async (t) => {
  const kinds = Object.keys(tailRepairs) as (keyof typeof tailRepairs)[];
  for (const [position, ends] of Object.entries(endDecisions)) {
    for (const kind of kinds) {
      for (const [syncing, decision] of Object.entries(ends[kind])) {
        const cell = `${position} ${kind} ${syncing}`;
        if (kind === 'invalid') t.equal(decision, 'refuse', `${cell}: its checksums are right, so it is no torn write`);
        if (kind === 'torn' && position !== 'inner') t.equal(decision, 'cut', cell);
        if (kind === 'gap') t.equal(decision, syncing === 'unsynced' && position !== 'inner' ? 'cut' : 'refuse', cell);
        if (kind === 'open') t.equal(decision, position === 'inner' ? 'successor' : 'continue', cell);
        if (kind === 'torn' && position === 'inner') t.equal(decision, 'successor', cell);
        if (kind === 'sealed') t.equal(decision, position === 'last' ? 'successor' : 'continue', cell);
        if (decision === 'cut') t.equal(tailRepairs[kind], 'zero', `${cell}: what is cut is zeroed`);
        if (decision === 'continue') t.equal(tailRepairs[kind], 'keep', `${cell}: what ends well stays`);
      }
    }
  }
  t.equal(tailRepairs.invalid, 'refused');
  for (const [holds, states] of Object.entries(tailStates)) {
    for (const [header, state] of Object.entries(states)) {
      t.equal(state, holds === 'records' ? 'closed' : header === 'fits' ? 'open' : 'stale', `${holds} ${header}`);
    }
  }
});

t.test('the preallocator follows its state table', async (t) => {
  let attempt = new Deferred<boolean>();
  let changes = 0;
  const worker = { makeSpare: () => attempt.promise } as unknown as WalWorker;
  const fatal: Error[] = [];
  const spares = new SegmentPreallocator({ worker, onChange: () => changes++, onFatal: (error) => fatal.push(error) });
  const order = { folder: '', header: {} } as Parameters<typeof spares.order>[0];
  t.equal(spares.state, 'none');
  t.throws(() => spares.take(), InvariantError);
  spares.retry();
  t.equal(spares.state, 'none', 'nothing is ordered');
  spares.order(order);
  t.equal(spares.state, 'making');
  t.throws(() => spares.order(order), InvariantError);
  t.throws(() => spares.take(), InvariantError);
  attempt.reject(new Error('ENOSPC'));
  await turns(2);
  t.equal(spares.state, 'failed');
  t.ok(spares.isUnavailable);
  t.type(spares.unavailableError(), NoSpaceError);
  attempt = new Deferred<boolean>();
  spares.retry();
  t.equal(spares.state, 'making');
  t.ok(spares.failing, 'until it is made');
  attempt.resolve(true);
  await turns(2);
  t.equal(spares.state, 'ready');
  t.notOk(spares.failing);
  attempt = new Deferred<boolean>();
  spares.fail('the flusher could not open it');
  t.equal(spares.state, 'failed');
  spares.retry();
  attempt.resolve(true);
  await turns(2);
  t.equal(spares.take(), order);
  t.equal(spares.state, 'none');
  t.equal(changes, 4);
  await spares.stop();
  spares.order(order);
  t.equal(spares.state, 'none', 'nothing is made any more');
  t.throws(() => spares.take(), InvariantError);
  t.same(fatal, []);
});

t.test('a spare segment found at a start is used like a new one, and replaced if it is unusable', async (t) => {
  let made = 0;
  const worker = { makeSpare: () => Promise.resolve(++made > 0) } as unknown as WalWorker;
  const spares = new SegmentPreallocator({ worker, onChange: () => undefined, onFatal: (error) => t.fail(String(error)) });
  const order = { folder: '', header: {} } as Parameters<typeof spares.order>[0];
  spares.found(order);
  t.equal(spares.state, 'ready');
  t.throws(() => spares.found(order), InvariantError);
  spares.fail('the flusher could not open it');
  spares.retry();
  await turns(2);
  t.strictSame([spares.state, made], ['ready', 1]);
  t.equal(spares.take(), order);
  await spares.stop();
});

/** Reports one sector more than the flusher has written. */
class WrongWorker extends InlineWorker {
  isWrong = false;

  override start(start: FlusherStart, halves: readonly SharedArrayBuffer[], events: FlusherEvents): void {
    const report = (right: Report) => events.report(this.isWrong ? { ...right, offset: right.offset + frameAlignBytes } : right);
    super.start(start, halves, { ...events, report });
  }
}

t.test('a broken invariant stops the log without an acknowledgement', async (t) => {
  const files = newDisk();
  const worker = new WrongWorker(files);
  const { wal, fatal } = await open(files, { worker });
  await add(wal, 'a');
  worker.isWrong = true;
  await t.rejects(add(wal, 'b'), StoppedError);
  t.type(fatal[0], InvariantError);
  t.equal(fatal.length, 1);
  t.throws(() => wal.append(Buffer.from('c')), StoppedError);
  await t.rejects(wal.close(), StoppedError);
  t.same(recordsIn(files), ['a', 'b'], 'what was written is there after a restart');
});

t.test('a space reservation refuses to release or use unreserved bytes', async (t) => {
  const room = new SpaceReservation(4096);
  t.ok(room.reserve(1, 1024));
  t.throws(() => room.release(1, 2048), InvariantError);
  const used = new SpaceReservation(4096);
  t.ok(used.reserve(1, 4096));
  t.throws(() => used.use(512), InvariantError, 'these bytes are reserved');
  t.throws(() => new SpaceReservation(4096).rotate(), InvariantError, 'there is no spare');
  t.throws(() => new SpaceReservation(4096).sealBefore(1), InvariantError, 'there is no spare');
  const early = new SpaceReservation(4096);
  early.addSpare(4096);
  t.throws(() => early.addSpare(4096), InvariantError);
  t.ok(early.reserve(1, 512));
  t.throws(() => early.rotate(), InvariantError, 'a record still waits for the segment that ends');
});

t.test('the flusher refuses operations that would break the log', async (t) => {
  const refuses = (op: Op, rule: RegExp) => {
    const files = newDisk();
    const tail = repairTail(files, recoverWal(files, FOLDER, { after: 0 }), { sync: 'always', segmentBytes: segmentBytesMin });
    const flusher = new Flusher(files, tail, [new SharedArrayBuffer(2 * segmentBytesMin)]);
    const before = Buffer.from(files.bytes(segmentName(1)));
    t.throws(() => flusher.perform(op), { name: 'InvariantError', message: rule });
    t.ok(before.equals(files.bytes(segmentName(1))), 'nothing was written');
  };
  refuses({ kind: 'flush', half: 0, start: 0, bytes: 0, count: 0 }, /a flush has records/);
  refuses({ kind: 'flush', half: 0, start: segmentBytesMin, bytes: 2 * segmentBytesMin, count: 1 }, /within its half/);
  refuses({ kind: 'flush', half: 0, start: 0, bytes: segmentBytesMin, count: 1 }, /ends at/);
  refuses({ kind: 'rotate', salt: 1, segmentBytes: segmentBytesMin, to: 'spare' }, /keeps its records/);
});
