/** Disks that are full, fail or do not respond under uploads: each operation of an upload fails once. */
import t from 'tap';
import { Deferred } from '../../src/lib/async/deferred.ts';
import { NoSpaceError, StalledError, StoppedError } from '../../src/lib/errors.ts';
import { Disk } from '../disk/disk.ts';
import { SimulatedDisk } from '../disk/simulated-disk.ts';
import { bytesOf, filesIn, open, openNew, sample, store } from './harness.ts';

/** The operations of {@link store} with 3,000 bytes: two pieces. */
const steps = ['create', 'write', 'write', 'sync', 'rename', 'syncFolder'] as const;

/** Uploads 3,000 bytes on a disk whose operation of this number fails. */
async function failing(at: number, code: string) {
  const opened = openNew();
  const kind = steps[at] as (typeof steps)[number];
  opened.files.fail({ kind, nth: steps.slice(0, at + 1).filter((step) => step === kind).length, code });
  const error: Error | undefined = await store(opened.store, sample('failing', 3000)).then(
    () => undefined,
    (error) => error,
  );
  // What is left is deleted after the error was reported.
  while (opened.store.uploads > 0) await new Promise((resolve) => setImmediate(resolve));
  opened.files.heal();
  return { ...opened, error };
}

t.test('a disk without room for the folders prevents no start, and uploads begin when it has room', async (t) => {
  const files = new SimulatedDisk(new Disk());
  files.fail({ kind: 'makeFolder', name: '1f', code: 'ENOSPC' });
  const { store: blobs } = open(files);
  t.throws(() => blobs.upload({ bytesMax: 1 }), NoSpaceError);
  t.equal((await blobs.list()).count, 0);
  files.heal();
  const { path } = await store(blobs, sample('late', 3000));
  t.strictSame(bytesOf(files, path), sample('late', 3000));
});

for (const code of ['ENOSPC', 'EDQUOT']) {
  for (const [at, step] of steps.slice(0, -1).entries()) {
    t.test(`${code} in operation ${at}, a ${step}, fails the upload only, and leaves nothing`, async (t) => {
      const { store: blobs, error, files, fatal } = await failing(at, code);
      t.type(error, NoSpaceError);
      t.match(error?.message, new RegExp(`^cannot store the upload: ${code}: (no space|disk quota)`));
      t.strictSame(filesIn(files), []);
      t.strictSame(fatal, []);
      const { path } = await store(blobs, sample('failing', 3000));
      t.strictSame(bytesOf(files, path), sample('failing', 3000));
    });
  }
}

for (const [at, step] of steps.entries()) {
  const isFinal = step === 'write' || step.startsWith('sync');
  const outcome = isFinal ? 'stops the store' : 'fails the upload only';
  t.test(`EIO in operation ${at}, a ${step}, ${outcome}`, async (t) => {
    const { store: blobs, error, files, fatal } = await failing(at, 'EIO');
    t.match(error?.message, /EIO/);
    t.equal(filesIn(files).filter((path) => path.includes('/tmp/')).length, 0);
    if (!isFinal) {
      t.strictSame(fatal, []);
      await store(blobs, sample('failing', 3000));
      return;
    }
    t.type(error, StoppedError);
    t.equal(fatal.length, 1);
    t.throws(() => blobs.upload({ bytesMax: 1 }), StoppedError);
    await t.rejects(blobs.list(), StoppedError);
    await blobs.close();
  });
}

t.test('no space in the sync of a folder stops the store: whether its names are durable is unknown', async (t) => {
  const { error, fatal } = await failing(steps.length - 1, 'ENOSPC');
  t.type(error, StoppedError);
  t.equal(fatal.length, 1);
});

t.test('a failed sync ends the uploads that run, and no sync is repeated', async (t) => {
  const { store: blobs, files, fatal } = openNew();
  const other = blobs.upload({ bytesMax: 100_000 });
  await other.write(sample('other', 1000));
  const syncs = files.fail({ kind: 'sync', code: 'EIO' });
  await t.rejects(store(blobs, sample('first', 1000)), StoppedError);
  await t.rejects(other.finish(), StoppedError);
  t.equal(syncs.count, 1);
  t.equal(fatal.length, 1);
  await blobs.close();
  t.strictSame(filesIn(files), []);
});

t.test('a deletion whose folder cannot be synced stops the store', async (t) => {
  const { store: blobs, files, fatal } = openNew();
  const { digest, hold } = await store(blobs, sample('gone', 10));
  hold.release();
  files.fail({ kind: 'syncFolder', code: 'EIO' });
  await t.rejects(blobs.delete([digest]), StoppedError);
  t.equal(fatal.length, 1);
});

t.test('a file that an aborted upload cannot delete is a leftover of the next listing', async (t) => {
  const { store: blobs, files } = openNew();
  files.fail({ kind: 'unlink', code: 'EACCES' });
  const upload = blobs.upload({ bytesMax: 100_000 });
  await upload.write(sample('aborted', 1000));
  await upload.abort();
  files.heal();
  const { leftovers } = await blobs.list();
  t.equal(leftovers.length, 1);
  await blobs.clean(leftovers);
  t.strictSame(filesIn(files), []);
});

const stall = { stallMs: 60, writeTimeoutMs: 120 };

t.test('an upload on a disk that does not respond ends after a time, and new ones are refused until it responds', async (t) => {
  // The store's own timers keep no process alive.
  const alive = setInterval(() => undefined, 1000);
  t.teardown(() => clearInterval(alive));
  const { store: blobs, files, worker } = openNew({ stall });
  const gate = new Deferred<void>();
  worker.gate = ({ kind }) => (kind === 'seal' ? gate.promise : undefined);
  const bytes = sample('late', 500);
  await t.rejects(store(blobs, bytes), StalledError);
  t.throws(() => blobs.upload({ bytesMax: 1 }), { name: 'StalledError', isRefusal: true });
  t.type(blobs.stalledMs, 'number');
  gate.resolve();
  while (blobs.uploads > 0) await new Promise((resolve) => setImmediate(resolve));
  t.equal(blobs.stalledMs, undefined);
  const [late] = [...(await blobs.list())];
  t.equal(filesIn(files).filter((path) => path.includes('/tmp/')).length, 0);
  t.strictSame(await blobs.delete([late?.digest ?? '']), [late?.digest], 'the late blob is not held');
  const { hold } = await store(blobs, bytes);
  hold.release();
});

t.test('a write that waits for a disk ends after a time, and nothing is left when the disk responds', async (t) => {
  const alive = setInterval(() => undefined, 1000);
  t.teardown(() => clearInterval(alive));
  const { store: blobs, files, worker } = openNew({ stall });
  const gate = new Deferred<void>();
  worker.gate = ({ kind }) => (kind === 'write' ? gate.promise : undefined);
  const upload = blobs.upload({ bytesMax: 100_000 });
  await upload.write(sample('late', 1000));
  await t.rejects(upload.write(sample('late', 1000)), StalledError);
  await t.rejects(upload.finish(), StalledError);
  gate.resolve();
  await upload.abort();
  t.strictSame(filesIn(files), []);
});
