/** A stalled disk in the log: waits end after a timeout, and new writes are refused until the flush returns. */
import t from 'tap';
import { Deferred } from '../../src/lib/async/deferred.ts';
import { StalledError } from '../../src/lib/errors.ts';
import { largeName, segmentPath } from '../../src/storage/wal/format/segment.ts';
import { preallocateStepBytes, WriteThrottle } from '../../src/storage/wal/write/preallocate.ts';
import { StallWatch } from '../../src/storage/wal/write/stall-watch.ts';
import type { Wal } from '../../src/storage/wal/write/wal.ts';
import { WalThreads } from '../../src/storage/wal/write/wal-worker.ts';
import type { SimulatedDisk } from '../disk/simulated-disk.ts';
import { temporaryFolder } from '../support/process.ts';
import { add, FOLDER, newDisk, open, recordsIn, until } from './harness.ts';
import { InlineWorker, type WalJob } from './inline-worker.ts';

/** Holds all jobs of these kinds from now on. Returns what lets them go on. */
function hold(worker: InlineWorker, ...jobs: WalJob[]): () => void {
  const held = new Deferred<void>();
  worker.gate = (job) => (jobs.includes(job) ? held.promise : undefined);
  return () => {
    worker.gate = () => undefined;
    held.resolve();
  };
}

// The log's own timers keep no process alive, and no thread does here.
const alive = setInterval(() => undefined, 1000);
t.teardown(() => clearInterval(alive));

const stall = { stallMs: 60, writeTimeoutMs: 300 };

const large = 2_000_000;
const fill = async (into: Buffer): Promise<void> => void into.fill(1);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function opened(): Promise<{ wal: Wal; worker: InlineWorker; files: SimulatedDisk }> {
  const files = newDisk();
  const worker = new InlineWorker(files);
  const { wal } = await open(files, { worker, stall });
  await add(wal, 'before');
  return { wal, worker, files };
}

const lengthsIn = (files: SimulatedDisk): number[] => recordsIn(files).map(({ length }) => length);

t.test('a flush that takes too long is reported, and refuses new writes until it returns', async (t) => {
  const { wal, worker, files } = await opened();
  t.equal(wal.stats.stalled, undefined);
  const letGo = hold(worker, 'flush');
  const waits = wal.durable(wal.append(Buffer.from('slow'))) as Promise<void>;
  await until(() => wal.stats.stalled !== undefined);
  t.match(wal.stats.stalled, { segment: segmentPath(FOLDER, 1) });
  t.throws(() => wal.append(Buffer.from('refused')), StalledError);
  await t.rejects(
    wal.prepare(10_000_000, async () => undefined),
    StalledError,
  );
  t.equal(wal.nextLsn, 3, 'what is refused leaves nothing behind');
  await t.rejects(waits, { name: 'StalledError', isRefusal: false });
  letGo();
  await until(() => wal.durableLsn === 2);
  t.equal(wal.stats.stalled, undefined, 'in the same turn');
  await add(wal, 'after');
  await wal.close();
  t.strictSame(recordsIn(files), ['before', 'slow', 'after']);
});

t.test('a large record that waits for a stalled flusher is aborted, and the next one is written', async (t) => {
  const { wal, worker, files } = await opened();
  const letGo = hold(worker, 'flush');
  const made = [wal.prepare(large, fill), wal.prepare(large, fill)];
  for (const deposit of made) await t.rejects(deposit, { name: 'StalledError', isRefusal: true });
  letGo();
  await until(() => wal.stats.stalled === undefined);
  await wal.durable(wal.commitPrepared(await wal.prepare(large, fill)));
  await wal.close();
  t.strictSame(lengthsIn(files), ['before'.length, large]);
});

t.test('a large record whose writes stall is aborted and leaves no file', async (t) => {
  const { wal, worker, files } = await opened();
  const letGo = hold(worker, 'large', 'deletion');
  const made = [wal.prepare(large, fill), wal.prepare(large, fill)];
  for (const deposit of made) await t.rejects(deposit, { name: 'StalledError', isRefusal: true });
  t.match(wal.stats.stalled, { segment: `${FOLDER}/${largeName}` });
  t.throws(() => wal.append(Buffer.from('refused')), StalledError);
  await t.rejects(wal.prepare(large, fill), StalledError);
  letGo();
  await until(() => wal.stats.stalled === undefined);
  await add(wal, 'after');
  await wal.durable(wal.commitPrepared(await wal.prepare(large, fill)));
  await wal.close();
  t.strictSame(lengthsIn(files), ['before'.length, 'after'.length, large]);
  t.notOk(files.list().some((name) => name.startsWith(largeName)));
});

t.test('a large record after one whose file deletion stalls is aborted', async (t) => {
  const { wal, worker, files } = await opened();
  const first = await wal.prepare(large, fill);
  const letGo = hold(worker, 'large', 'deletion');
  wal.abort(first);
  await t.rejects(wal.prepare(large, fill), { name: 'StalledError', isRefusal: true });
  letGo();
  await until(() => wal.stats.stalled === undefined);
  await wal.durable(wal.commitPrepared(await wal.prepare(large, fill)));
  await wal.close();
  t.strictSame(lengthsIn(files), ['before'.length, large]);
});

t.test('a large record that is written slowly is not reported as stalled', async (t) => {
  const { wal, worker } = await opened();
  const letGo = hold(worker, 'large', 'deletion');
  const making = wal.prepare(large, fill);
  await until(() => worker.throttle !== undefined);
  for (let i = 0; i < 20; i++) {
    await sleep(stall.stallMs / 6);
    t.equal(wal.stats.stalled, undefined);
    worker.throttle?.wait();
  }
  letGo();
  wal.abort(await making);
  await wal.close();
});

t.test('the thread that writes a large record counts its steps', async (t) => {
  const worker = new WalThreads();
  const throttle = new WriteThrottle();
  const header = { segmentBytes: large, lineage: '0'.repeat(32), salt: 1, sync: 'always', createdMs: 0, large: true } as const;
  await worker.makeLarge({ folder: temporaryFolder(t), header, record: new SharedArrayBuffer(large / 2) }, throttle);
  t.equal(throttle.steps, Math.ceil(large / preallocateStepBytes));
  await worker.close();
});

t.test('the stall of a large record ends with its next step', async (t) => {
  const { wal, worker } = await opened();
  const letGo = hold(worker, 'large', 'deletion');
  await t.rejects(wal.prepare(large, fill), StalledError);
  worker.throttle?.wait();
  t.equal(wal.stats.stalled, undefined, 'in the same turn');
  await add(wal, 'after');
  letGo();
  await wal.close();
});

t.test('a large record that is encoded or waits is not reported as a disk stall', async (t) => {
  const { wal } = await opened();
  const first = await wal.prepare(large, fill);
  const next = wal.prepare(large, async (into) => {
    await sleep(3 * stall.stallMs);
    t.equal(wal.stats.stalled, undefined, 'encoded');
    into.fill(2);
  });
  await sleep(3 * stall.stallMs);
  t.equal(wal.stats.stalled, undefined, 'its turn has not come');
  await wal.durable(wal.commitPrepared(first));
  await wal.durable(wal.commitPrepared(await next));
  await wal.close();
});

t.test('the stall watch does not run without an operation in progress', async (t) => {
  let looks = 0;
  let op: unknown = 1;
  const ops = [() => undefined, () => op];
  const watch = new StallWatch({ ...stall, ops, isAwaited: () => false, onTick: () => void looks++ });
  watch.start();
  await until(() => watch.stalledMs !== undefined);
  op = undefined;
  const before = looks;
  await sleep(2 * stall.stallMs);
  t.equal(looks, before + 1);
});

t.test('the stall watch names the thread that is stalled, also while another one works', async (t) => {
  // Another op at each look: that thread goes on.
  const ops = [() => ({}), () => 'held'];
  const watch = new StallWatch({ ...stall, ops, isAwaited: () => false, onTick: () => undefined });
  watch.start();
  await until(() => watch.stalled !== undefined);
  t.equal(watch.stalled?.thread, 1);
  watch.stop();
});

t.test('each wait for durability has its own timeout', async (t) => {
  const { wal, worker } = await opened();
  const letGo = hold(worker, 'flush');
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
  letGo();
  await last;
  t.strictSame(order, ['first is late', 'last is durable']);
  await wal.close();
});

t.test('a suspended process is not reported as a disk stall', async (t) => {
  const { wal, worker } = await opened();
  const letGo = hold(worker, 'flush');
  const waits = wal.durable(wal.append(Buffer.from('slow')));
  await new Promise((resolve) => setTimeout(resolve, 20));
  // As when the process is stopped: no timer runs, and time passes.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * stall.writeTimeoutMs);
  await new Promise((resolve) => setTimeout(resolve, 1));
  t.equal(wal.stats.stalled, undefined);
  letGo();
  await waits;
  await wal.close();
});
