/** A folder of blobs that is a cache: when an upload is acknowledged, what is loaded, verified, listed, checked and deleted. */
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { Deferred } from '../../src/lib/async/deferred.ts';
import { BlobDamagedError, BusyError, StalledError, StoppedError } from '../../src/lib/errors.ts';
import type { BlobOrigin } from '../../src/storage/blobs/blob-origin.ts';
import type { BlobName } from '../../src/storage/blobs/blob-source.ts';
import { bytesOf, digestOf, filesIn, openNew, pathOf, sample, store } from './harness.ts';

/** An origin in memory. */
class MemoryOrigin implements BlobOrigin {
  readonly blobs = new Map<string, Buffer>();
  readonly calls: string[] = [];
  /** Waited for by each put, before it stores anything. */
  gate: Promise<void> = Promise.resolve();
  failure: Error | undefined;

  async put({ digest }: BlobName, pieces: () => AsyncIterable<Uint8Array>): Promise<void> {
    this.calls.push('put');
    await this.gate;
    if (this.failure !== undefined) throw this.failure;
    const all: Uint8Array[] = [];
    for await (const piece of pieces()) all.push(piece);
    this.blobs.set(digest, Buffer.concat(all));
  }

  async *get(digest: string): AsyncGenerator<Uint8Array> {
    this.calls.push('get');
    if (this.failure !== undefined) throw this.failure;
    const bytes = this.blobs.get(digest) ?? Buffer.alloc(0);
    for (let at = 0; at < bytes.length; at += 700) yield bytes.subarray(at, at + 700);
  }

  async has({ digest, bytes }: BlobName): Promise<boolean> {
    return this.blobs.get(digest)?.length === bytes;
  }

  async list(prefix: string) {
    const found = [...this.blobs].filter(([digest]) => digest.startsWith(prefix)).sort();
    const digests = Buffer.from(found.map(([digest]) => digest).join(''), 'hex');
    return { digests, bytes: Float64Array.from(found, ([, { length }]) => length) };
  }

  async delete(digests: readonly string[]): Promise<readonly string[]> {
    this.calls.push('delete');
    if (this.failure !== undefined) throw this.failure;
    for (const digest of digests) this.blobs.delete(digest);
    return digests;
  }

  describe(digest: string): string {
    return `${digest} of the origin`;
  }
}

function opened(options: Parameters<typeof openNew>[0] = {}) {
  const origin = new MemoryOrigin();
  const left: string[] = [];
  return { origin, left, ...openNew({ origin, onLeft: (digest) => left.push(digest), ...options }) };
}

const bytes = sample('a', 2500);
const digest = digestOf(bytes);

t.test('an upload is finished when the origin has its bytes', async (t) => {
  const { store: blobs, origin } = opened();
  const gate = new Deferred<void>();
  origin.gate = gate.promise;
  let isFinished = false;
  const storing = store(blobs, bytes).then((stored) => {
    isFinished = true;
    return stored;
  });
  while (origin.calls.length === 0) await delay(1);
  await delay(10);
  t.notOk(isFinished);
  gate.resolve();
  const { hold } = await storing;
  t.ok(origin.blobs.get(digest)?.equals(bytes));
  t.strictSame(await blobs.delete([digest]), [], 'it is held');
  hold.release();
  await store(blobs, bytes);
  t.strictSame(origin.calls, ['put', 'put'], 'equal bytes take the same steps');
});

t.test('an upload whose bytes the origin refuses fails, is not held, and its bytes are reported as garbage', async (t) => {
  const { store: blobs, origin, left } = opened();
  origin.failure = new Error('refused');
  await t.rejects(store(blobs, bytes), { message: 'refused' });
  t.strictSame(left, [digest]);
  origin.failure = undefined;
  t.strictSame(await blobs.delete([digest]), [digest]);
});

t.test('an upload fails after the write timeout while the origin does not respond, and when the store closes', async (t) => {
  // The timers of the store do not keep the process.
  const kept = setInterval(() => undefined, 1_000);
  t.teardown(() => clearInterval(kept));
  const stall = { stallMs: 1_000_000, writeTimeoutMs: 50 };
  const { store: blobs, origin } = opened({ stall });
  origin.gate = new Promise(() => undefined);
  const error = (await store(blobs, bytes).catch((reason: unknown) => reason)) as StalledError;
  t.ok(error instanceof StalledError);
  t.equal(error.medium, 'database');
  const other = opened();
  other.origin.gate = new Promise(() => undefined);
  const storing = store(other.store, bytes);
  storing.catch(() => undefined);
  while (other.origin.calls.length === 0) await delay(1);
  await other.store.close();
  await t.rejects(storing, StoppedError);
});

t.test('a blob that the cache lacks is loaded once for all readers', async (t) => {
  const { store: blobs, origin, files } = opened();
  origin.blobs.set(digest, bytes);
  const readers = await Promise.all([1, 2, 3].map(() => blobs.read(digest, bytes.length)));
  for (const read of readers) t.ok(read.equals(bytes));
  t.ok((await blobs.read(digest, bytes.length)).equals(bytes));
  t.strictSame(origin.calls, ['get']);
  t.strictSame(filesIn(files), [pathOf(digest)]);
});

t.test('a file of the cache with another size is loaded again', async (t) => {
  const { store: blobs, origin, files } = opened();
  const { path, hold } = await store(blobs, bytes);
  hold.release();
  files.write(files.open(path, 'r+'), Buffer.from('more'), bytes.length);
  t.ok((await blobs.read(digest, bytes.length)).equals(bytes));
  t.ok(origin.calls.includes('get'));
  t.strictSame(bytesOf(files, path), bytes);
});

t.test('a file of the cache with other bytes is loaded again, small or large, before a byte of it is read', async (t) => {
  for (const right of [bytes, sample('large', 300_000)]) {
    const { store: blobs, origin, files } = opened();
    const { path, hold, digest } = await store(blobs, right);
    hold.release();
    const reads = [
      async () => await blobs.read(digest, right.length),
      async () => {
        const { handle, close } = await blobs.openBlob(digest, right.length);
        const into = Buffer.alloc(right.length);
        await handle.read(into, 0, right.length, 0);
        await close();
        return into;
      },
      async () => {
        await blobs.verify({ digest, bytes: right.length });
        return bytesOf(files, path);
      },
    ];
    for (const read of reads) {
      t.ok((await read()).equals(right));
      files.write(files.open(path, 'r+'), Buffer.from('#'), 1_000);
      t.ok((await read()).equals(right), `${right.length} bytes`);
      t.strictSame(bytesOf(files, path), right, 'the file is repaired');
    }
    t.equal(origin.calls.filter((call) => call === 'get').length, reads.length);
  }
});

t.test('a cache without room does not read what it lacks, and is not damaged', async (t) => {
  const { store: blobs, origin, files, logged } = opened();
  origin.blobs.set(digest, bytes);
  files.fail({ kind: 'write', code: 'EDQUOT' });
  await t.rejects(blobs.openBlob(digest, bytes.length), BusyError);
  t.strictSame(filesIn(files), []);
  files.heal();
  t.ok((await blobs.read(digest, bytes.length)).equals(bytes));
  t.strictSame(logged, []);
});

t.test('damaged or missing bytes of the origin are an error, and nothing of them stays in the cache', async (t) => {
  const { store: blobs, origin, files } = opened();
  const rotten = Buffer.from(bytes);
  rotten[1500] = 0;
  for (const [found, problem] of [
    [rotten, /its bytes have another digest/],
    [bytes.subarray(0, 1400), /it has 1400 bytes, its record has 2500/],
    [Buffer.alloc(0), /it has 0 bytes/],
  ] as const) {
    origin.blobs.set(digest, found);
    await t.rejects(blobs.openBlob(digest, bytes.length), BlobDamagedError);
    await t.rejects(blobs.openBlob(digest, bytes.length), { message: problem, path: `${digest} of the origin` });
    t.strictSame(filesIn(files), []);
  }
  origin.blobs.set(digest, bytes);
  t.ok((await blobs.read(digest, bytes.length)).equals(bytes));
});

t.test('an origin that does not respond is no damage', async (t) => {
  const { store: blobs, origin, files } = opened();
  origin.failure = new BusyError('away');
  await t.rejects(blobs.openBlob(digest, bytes.length), BusyError);
  t.strictSame(filesIn(files), []);
});

t.test('a blob is deleted from the origin first; what stays there stays in the cache', async (t) => {
  const { store: blobs, origin, files } = opened();
  (await store(blobs, bytes)).hold.release();
  origin.failure = new Error('away');
  await t.rejects(blobs.delete([digest]), { message: 'away' });
  t.strictSame(filesIn(files), [pathOf(digest)]);
  origin.failure = undefined;
  t.strictSame(await blobs.delete([digest]), [digest]);
  t.strictSame([filesIn(files), [...origin.blobs]], [[], []]);
});

t.test('a listing has the blobs of both, and 0 bytes for what only the cache has', async (t) => {
  const { store: blobs, origin } = opened();
  (await store(blobs, bytes)).hold.release();
  const other = sample('b', 10);
  (await store(blobs, other)).hold.release();
  const elsewhere = sample('c', 20);
  origin.blobs.delete(digestOf(other));
  origin.blobs.set(digestOf(elsewhere), elsewhere);
  const listing = await blobs.list('names');
  t.equal(listing.count, 3);
  t.strictSame(
    [bytes, other, elsewhere].map((each) => listing.find(digestOf(each))?.bytes),
    [bytes.length, 0, 20],
  );
});

t.test('a check stores again what only the cache has, and reports what is nowhere', async (t) => {
  const { store: blobs, origin, logged } = opened();
  (await store(blobs, bytes)).hold.release();
  await blobs.check(digest, bytes.length);
  t.strictSame(origin.calls, ['put']);
  origin.blobs.clear();
  await blobs.check(digest, bytes.length);
  t.ok(origin.blobs.get(digest)?.equals(bytes));
  t.ok(logged.some(([, , text]) => text === 'bytes of a file were missing: stored them again from the cache'));
  await t.rejects(blobs.check(digestOf(sample('b', 10)), 10), BlobDamagedError);
});

t.test('a blob is brought into the cache if it is not there, or if the copy is worthless', async (t) => {
  const { store: blobs, origin, files } = opened();
  origin.blobs.set(digest, bytes);
  const blob = { digest, bytes: bytes.length };
  t.equal(await blobs.bring(blob, false), true);
  t.equal(await blobs.bring(blob, false), false);
  files.write(files.open(pathOf(digest), 'r+'), Buffer.from('rot'), 100);
  t.equal(await blobs.bring(blob, true), true);
  t.strictSame(bytesOf(files, pathOf(digest)), bytes);
});
