/** Bytes are compared with their digest before they are read: how often, for whom, and what happens to a damaged blob. */
import t from 'tap';
import { Deferred } from '../../src/lib/async/deferred.ts';
import { BlobDamagedError } from '../../src/lib/errors.ts';
import type { BlobStore } from '../../src/storage/blobs/blob-store.ts';
import type { SimulatedDisk } from '../disk/simulated-disk.ts';
import { openNew, pathOf, sample, store } from './harness.ts';

const largeBytes = 300_000;

/** Stores a large blob without a hold. */
async function stored(blobs: BlobStore, name: string): Promise<string> {
  const { digest, hold } = await store(blobs, sample(name, largeBytes));
  hold.release();
  return digest;
}

async function readOnce(blobs: BlobStore, digest: string, accountId = 'a'): Promise<void> {
  await (await blobs.openBlob(digest, largeBytes, accountId)).close();
}

/** Changes one byte of a blob in place. */
function overwrite(files: SimulatedDisk, digest: string, at: number): void {
  const fd = files.open(pathOf(digest), 'r+');
  files.write(fd, Buffer.from('#'), at);
  files.close(fd);
}

const comparisons = (ran: readonly string[]): number => ran.filter((kind) => kind === 'verify').length;

t.test('a large blob is compared once, also for many readers, until its file changes', async (t) => {
  const { store: blobs, worker, files } = openNew();
  const digest = await stored(blobs, 'many');
  await Promise.all(Array.from({ length: 20 }, () => readOnce(blobs, digest)));
  await readOnce(blobs, digest);
  t.equal(comparisons(worker.ran), 1);
  overwrite(files, digest, 200_000);
  await t.rejects(readOnce(blobs, digest), { name: 'BlobDamagedError', digest, path: pathOf(digest), message: /digest/ });
  t.equal(comparisons(worker.ran), 2);
  await t.rejects(blobs.read(digest, largeBytes), BlobDamagedError, 'nor as a whole');
  await stored(blobs, 'many');
  await readOnce(blobs, digest);
});

t.test('the file that is compared is the one that is read, also if it is replaced meanwhile', async (t) => {
  const { store: blobs, worker, files } = openNew();
  const digest = await stored(blobs, 'replaced');
  const gate = new Deferred<void>();
  const begun = new Deferred<void>();
  worker.gate = ({ kind }) => {
    if (kind !== 'verify') return undefined;
    begun.resolve();
    return gate.promise;
  };
  const reading = readOnce(blobs, digest);
  await begun.promise;
  // The name leads to other bytes now; the file that is open stays right.
  const other = `${pathOf(digest)}-other`;
  const fd = files.open(other, 'wx+');
  files.write(fd, Buffer.alloc(largeBytes, 1), 0);
  files.close(fd);
  files.rename(other, pathOf(digest));
  gate.resolve();
  await t.rejects(reading, BlobDamagedError);
});

t.test('blobs of one account that were never read delay another account by one of them', async (t) => {
  const { store: blobs, worker } = openNew();
  const hostile = await Promise.all(Array.from({ length: 10 }, (_, i) => stored(blobs, `hostile ${i}`)));
  const own = await stored(blobs, 'own');
  const order: string[] = [];
  worker.gate = (job) => {
    if (job.kind === 'verify') order.push(job.digest === own ? 'own' : 'hostile');
    return undefined;
  };
  await Promise.all([...hostile.map((digest) => readOnce(blobs, digest, 'hostile')), readOnce(blobs, own, 'other')]);
  t.ok(order.indexOf('own') <= 2, order.join());
  t.equal(order.length, 11);
});

t.test('a disk that cannot read a blob is damage of this blob', async (t) => {
  for (const bytes of [300, largeBytes]) {
    const { store: blobs, files, fatal } = openNew();
    const { digest } = await store(blobs, sample('unreadable', bytes));
    for (const [name, isDamage] of [
      ['EIO', true],
      ['EBADMSG', true],
      ['EMFILE', false],
    ] as const) {
      files.fail({ kind: 'read', code: name });
      const error = await blobs.openBlob(digest, bytes).catch((reason: unknown) => reason);
      t.equal(error instanceof BlobDamagedError, isDamage, `${name}, ${bytes} bytes`);
    }
    files.heal();
    await (await blobs.openBlob(digest, bytes)).close();
    t.strictSame(fatal, []);
  }
});
