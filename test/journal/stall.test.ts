/** A disk that does not answer, as the log sees it: waits end in time, new writes are refused, and all of it ends with the flush. */
import t from 'tap';
import type { Op } from '../../src/journal/flusher.ts';
import { openWal } from '../../src/journal/open-wal.ts';
import { recoverWal } from '../../src/journal/recover.ts';
import { segmentBytesMin, segmentPath } from '../../src/journal/segment.ts';
import { settleWal } from '../../src/journal/settle.ts';
import type { Wal } from '../../src/journal/wal.ts';
import { StalledError } from '../../src/lib/errors.ts';
import { add, FOLDER, recordsIn, until } from './harness.ts';
import { InlineCrew } from './inline-crew.ts';
import { MemoryFiles } from './memory-files.ts';

/** Its flusher does nothing while it is held. */
class HeldCrew extends InlineCrew {
  isHeld = false;
  #held: Op | undefined;

  override send(op: Op): void {
    if (this.isHeld) this.#held = op;
    else super.send(op);
  }

  letGo(): void {
    this.isHeld = false;
    if (this.#held !== undefined) super.send(this.#held);
  }
}

// The log's own timers keep no process alive, and no thread does here.
const alive = setInterval(() => undefined, 1000);
t.teardown(() => clearInterval(alive));

const stall = { stallMs: 60, writeTimeoutMs: 300 };

async function opened(): Promise<{ wal: Wal; crew: HeldCrew; files: MemoryFiles }> {
  const files = new MemoryFiles();
  const crew = new HeldCrew(files);
  const tail = settleWal(files, recoverWal(files, FOLDER, { after: 0 }), { sync: 'always', segmentBytes: segmentBytesMin });
  const wal = await openWal(tail, { onFatal: () => undefined, crew, stall });
  await add(wal, 'before');
  return { wal, crew, files };
}

t.test('a flush that takes too long is reported, refuses new writes, and is over when it returns', async (t) => {
  const { wal, crew, files } = await opened();
  t.equal(wal.stats.stalled, undefined);
  crew.isHeld = true;
  const waits = wal.durable(wal.append(Buffer.from('slow'))) as Promise<void>;
  await until(() => wal.stats.stalled !== undefined);
  t.match(wal.stats.stalled, { segment: segmentPath(FOLDER, 1) });
  t.throws(() => wal.append(Buffer.from('refused')), StalledError);
  await t.rejects(
    wal.deposit(10_000_000, async () => undefined),
    StalledError,
  );
  t.equal(wal.nextLsn, 3, 'what is refused leaves nothing behind');
  await t.rejects(waits, { name: 'StalledError', isRefusal: false });
  crew.letGo();
  await until(() => wal.durableLsn === 2);
  t.equal(wal.stats.stalled, undefined, 'in the same turn');
  await add(wal, 'after');
  await wal.close();
  t.strictSame(recordsIn(files), ['before', 'slow', 'after']);
});

t.test('a large record that waits for the flusher is given up, and the next one is made', async (t) => {
  const { wal, crew, files } = await opened();
  crew.isHeld = true;
  const fill = async (into: Buffer): Promise<void> => void into.fill(1);
  const made = [wal.deposit(2_000_000, fill), wal.deposit(2_000_000, fill)];
  for (const deposit of made) await t.rejects(deposit, { name: 'StalledError', isRefusal: true });
  crew.letGo();
  await until(() => wal.stats.stalled === undefined);
  const deposit = await wal.deposit(2_000_000, fill);
  await wal.durable(wal.appendDeposit(deposit));
  await wal.close();
  t.strictSame(
    recordsIn(files).map(({ length }) => length),
    ['before'.length, 2_000_000],
  );
});

t.test('each waits for its own time', async (t) => {
  const { wal, crew } = await opened();
  crew.isHeld = true;
  const lsn = wal.append(Buffer.from('slow'));
  const order: string[] = [];
  const wait = (name: string): Promise<void> =>
    (wal.durable(lsn) as Promise<void>).then(
      () => void order.push(`${name} is durable`),
      () => void order.push(`${name} is late`),
    );
  const first = wait('first');
  await until(() => wal.stats.stalled !== undefined);
  const last = wait('last');
  await first;
  crew.letGo();
  await last;
  t.strictSame(order, ['first is late', 'last is durable']);
  await wal.close();
});

t.test('a process that was suspended blames no disk', async (t) => {
  const { wal, crew } = await opened();
  crew.isHeld = true;
  const waits = wal.durable(wal.append(Buffer.from('slow')));
  await new Promise((resolve) => setTimeout(resolve, 20));
  // As when the process is stopped: no timer runs, and time passes.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * stall.writeTimeoutMs);
  await new Promise((resolve) => setTimeout(resolve, 1));
  t.equal(wal.stats.stalled, undefined);
  crew.letGo();
  await waits;
  await wal.close();
});
