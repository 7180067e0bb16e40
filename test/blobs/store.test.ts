/** The store of blobs: what is written in which order, what holds a blob, what is deleted and listed. */
import t from 'tap';
import { Deferred } from '../../src/lib/async/deferred.ts';
import { BlobDamagedError, BlobTooLargeError, StoppedError } from '../../src/lib/errors.ts';
import { BlobStore } from '../../src/storage/blobs/blob-store.ts';
import { silent } from '../support/mapwright.ts';
import { bytesOf, digestOf, FOLDER, filesIn, open, openNew, pathOf, sample, store } from './harness.ts';

/** Waits until the work that can run has run. */
async function turns(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

t.test('a blob is written, synced, renamed, and its folder is synced before finish() resolves', async (t) => {
  const { store: blobs, operations, files } = openNew();
  const bytes = sample('a', 2500);
  const { digest, path, bytes: size, hold } = await store(blobs, bytes);
  t.equal(digest, digestOf(bytes));
  t.equal(path, pathOf(digest));
  t.equal(size, 2500);
  t.equal(hold.digest, digest);
  const temporary = operations[0]?.path ?? '';
  t.match(temporary, new RegExp(`^${FOLDER}/tmp/[0-9a-f]{16}-1$`));
  t.strictSame(
    operations.map((operation) => [operation.kind, operation.path]),
    [
      ['create', temporary],
      ['write', temporary],
      ['write', temporary],
      ['sync', temporary],
      ['rename', path],
      ['syncFolder', `${FOLDER}/${digest.slice(0, 2)}`],
    ],
  );
  t.strictSame(bytesOf(files, path), bytes);
  t.strictSame(filesIn(files), [path]);
});

t.test('a long upload is synced each MiB', async (t) => {
  const { store: blobs, operations } = openNew({ pieceBytes: 256 * 1024 });
  const upload = blobs.upload({ bytesMax: 4 * 1024 * 1024 });
  for (let i = 0; i < 12; i += 1) await upload.write(sample('long', 256 * 1024));
  await upload.finish();
  const kinds = operations.map(({ kind }) => kind).join(' ');
  const step = 'write write write write sync';
  t.equal(kinds, `create ${step} ${step} ${step} sync rename syncFolder`);
});

t.test('the folders are created and synced when the store opens, and synced again by the next process', async (t) => {
  const { files } = openNew();
  t.equal(files.list(FOLDER).length, 257);
  const synced: string[] = [];
  files.before = ({ kind, path }) => void synced.push(`${kind} ${path}`);
  open(files);
  t.strictSame(synced, [`syncFolder ${FOLDER}`, 'syncFolder /data']);
});

t.test('an upload of equal bytes runs the same steps and repairs a damaged blob', async (t) => {
  const { store: blobs, operations, files } = openNew();
  const bytes = sample('twice', 1500);
  const first = await store(blobs, bytes);
  const steps = operations.splice(0).map(({ kind }) => kind);
  const fd = files.open(first.path, 'r+');
  files.write(fd, Buffer.from('rot'), 10);
  files.close(fd);
  operations.length = 0;
  const second = await store(blobs, bytes);
  t.equal(second.digest, first.digest);
  t.strictSame(
    operations.map(({ kind }) => kind),
    steps,
  );
  t.strictSame(bytesOf(files, second.path), bytes);
  t.strictSame(filesIn(files), [second.path]);
});

t.test('two uploads of the same bytes at the same time give one blob', async (t) => {
  const { store: blobs, files } = openNew();
  const bytes = sample('both', 3000);
  const [one, other] = await Promise.all([store(blobs, bytes), store(blobs, bytes)]);
  t.equal(one.digest, other.digest);
  t.strictSame(filesIn(files), [one.path]);
  t.equal(blobs.uploads, 0);
});

t.test('an empty blob is a blob', async (t) => {
  const { store: blobs, files } = openNew();
  const { digest, bytes } = await blobs.upload({ bytesMax: 0 }).finish();
  t.equal(bytes, 0);
  t.equal(digest, digestOf(Buffer.alloc(0)));
  t.strictSame(filesIn(files), [pathOf(digest)]);
});

t.test('the last allowed byte is stored, one more is refused and nothing is left', async (t) => {
  const { store: blobs, files, worker } = openNew();
  t.equal((await store(blobs, sample('fits', 2000), 2000)).bytes, 2000);
  const upload = blobs.upload({ bytesMax: 2000 });
  await upload.write(sample('long', 1500));
  const refused = { name: 'BlobTooLargeError', bytesMax: 2000 };
  await t.rejects(upload.write(sample('long', 501)), refused);
  await t.rejects(upload.write(Buffer.alloc(1)), refused, 'later calls fail, too');
  await t.rejects(upload.finish(), BlobTooLargeError);
  await upload.abort();
  t.equal(filesIn(files).length, 1);
  t.equal(blobs.uploads, 0);
  t.equal(worker.idleCount, 2);
});

t.test('an aborted upload leaves nothing, at any moment', async (t) => {
  for (const bytes of [0, 500, 1500, 5000]) {
    const { store: blobs, files } = openNew();
    const upload = blobs.upload({ bytesMax: 10_000 });
    const writing = upload.write(sample('aborted', bytes)).catch(() => undefined);
    await upload.abort();
    await writing;
    await upload.abort();
    await t.rejects(upload.finish(), { message: 'the upload was aborted' });
    t.strictSame(filesIn(files), [], `${bytes} bytes`);
    t.equal(blobs.uploads, 0);
  }
});

t.test('abort after finish keeps the blob', async (t) => {
  const { store: blobs, files } = openNew();
  const upload = blobs.upload({ bytesMax: 10 });
  await upload.write(Buffer.from('kept'));
  const finishing = upload.finish();
  await upload.abort();
  const { path } = await finishing;
  await upload.abort();
  t.strictSame(filesIn(files), [path]);
});

t.test('an upload has at most one piece in its thread', async (t) => {
  const { store: blobs, worker } = openNew();
  const gate = new Deferred<void>();
  worker.gate = () => gate.promise;
  const upload = blobs.upload({ bytesMax: 100_000 });
  await upload.write(sample('x', 1000));
  let isReady = false;
  const second = upload.write(sample('y', 1000)).then(() => {
    isReady = true;
  });
  await turns();
  t.notOk(isReady, 'the second piece waits for the first');
  gate.resolve();
  await second;
  await upload.finish();
  t.strictSame(worker.ran, ['write', 'write', 'seal', 'name']);
});

t.test('a slow client keeps no thread busy', async (t) => {
  const { store: blobs, worker } = openNew();
  const slow = [1, 2, 3, 4].map(() => blobs.upload({ bytesMax: 100_000 }));
  for (const upload of slow) await upload.write(sample('slow', 1000));
  await store(blobs, sample('fast', 5000));
  t.equal(worker.ran.filter((kind) => kind === 'name').length, 1);
  for (const upload of slow) await upload.abort();
  t.equal(blobs.uploads, 0);
});

t.test('a blob is deleted when its last hold is released, not before', async (t) => {
  const { store: blobs, files } = openNew();
  const { digest, hold, path } = await store(blobs, sample('held', 100));
  const other = blobs.hold(digest);
  t.strictSame(await blobs.delete([digest]), []);
  hold.release();
  hold.release();
  t.strictSame(await blobs.delete([digest]), [], 'the second hold counts');
  t.strictSame(filesIn(files), [path]);
  other.release();
  t.strictSame(await blobs.delete([digest]), [digest]);
  t.strictSame(filesIn(files), []);
  t.strictSame(await blobs.delete([digest]), [digest], 'a missing one is gone');
});

t.test('a deletion is durable when it resolves', async (t) => {
  const { store: blobs, operations } = openNew();
  const { digest, hold, path } = await store(blobs, sample('gone', 100));
  hold.release();
  operations.length = 0;
  await blobs.delete([digest]);
  t.strictSame(
    operations.map((operation) => [operation.kind, operation.path]),
    [
      ['unlink', path],
      ['syncFolder', `${FOLDER}/${digest.slice(0, 2)}`],
    ],
  );
});

t.test('a hold that is taken while a deletion waits spares the blob', async (t) => {
  const { store: blobs, files, worker } = openNew();
  // More than one batch: those of the second wait.
  const digests: string[] = [];
  for (let i = 0; i < 70; i += 1) {
    const { digest, hold } = await store(blobs, Buffer.from(`blob ${i}`));
    hold.release();
    digests.push(digest);
  }
  const gate = new Deferred<void>();
  worker.gate = ({ kind }) => (kind === 'delete' ? gate.promise : undefined);
  const deleting = blobs.delete(digests);
  await turns();
  const last = digests[69] as string;
  // Held and released again: a record may refer to it now.
  blobs.hold(last).release();
  gate.resolve();
  const gone = await deleting;
  t.equal(gone.length, 69);
  t.notOk(gone.includes(last));
  t.strictSame(filesIn(files), [pathOf(last)]);
});

t.test('a hold that is taken while a deletion waits for another one spares the blob', async (t) => {
  const { store: blobs, files, worker } = openNew();
  const [first, second] = [await store(blobs, sample('first', 10)), await store(blobs, sample('second', 10))];
  for (const { hold } of [first, second]) hold.release();
  const gate = new Deferred<void>();
  worker.gate = ({ kind }) => (kind === 'delete' ? gate.promise : undefined);
  const deleting = [first, second].map(({ digest }) => blobs.delete([digest]));
  await turns();
  blobs.hold(second.digest).release();
  gate.resolve();
  t.strictSame(await Promise.all(deleting), [[first.digest], []]);
  t.strictSame(filesIn(files), [second.path]);
});

t.test('what is gone is said before an upload can store it again, batch by batch', async (t) => {
  const { store: blobs } = openNew();
  const digests: string[] = [];
  for (let i = 0; i < 70; i += 1) {
    const { digest, hold } = await store(blobs, Buffer.from(`blob ${i}`));
    hold.release();
    digests.push(digest);
  }
  const said: string[] = [];
  const deleting = blobs.delete(digests, (digest) => said.push(digest));
  const again = store(blobs, Buffer.from('blob 0')).then(({ digest, hold }) => {
    hold.release();
    said.push(`${digest} again`);
  });
  await Promise.all([deleting, again]);
  const [first = ''] = digests;
  t.ok(said.indexOf(first) < said.indexOf(`${first} again`) || !said.includes(first), 'or the upload came first');
  t.equal(said.length, 71);
});

t.test('an upload of equal bytes waits for a deletion in progress and stores the blob after it', async (t) => {
  const { store: blobs, files, worker } = openNew();
  const bytes = sample('again', 100);
  const { digest, hold, path } = await store(blobs, bytes);
  hold.release();
  const gate = new Deferred<void>();
  worker.gate = ({ kind }) => (kind === 'delete' ? gate.promise : undefined);
  const deleting = blobs.delete([digest]);
  await turns();
  const storing = store(blobs, bytes);
  await turns();
  t.equal(worker.ran.filter((kind) => kind === 'name').length, 1, 'it has no name yet');
  gate.resolve();
  t.strictSame(await deleting, [digest]);
  t.equal((await storing).path, path);
  t.strictSame(bytesOf(files, path), bytes);
});

t.test('deletions run one after the other', async (t) => {
  const { store: blobs } = openNew();
  const { digest, hold } = await store(blobs, sample('one', 10));
  hold.release();
  t.strictSame(await Promise.all([blobs.delete([digest]), blobs.delete([digest])]), [[digest], [digest]]);
});

t.test('a blob that cannot be deleted is logged and not gone', async (t) => {
  const { store: blobs, files, logged } = openNew();
  const { digest, hold, path } = await store(blobs, sample('stays', 10));
  const other = await store(blobs, sample('goes', 10));
  hold.release();
  other.hold.release();
  files.fail({ kind: 'unlink', name: digest, code: 'EACCES' });
  t.strictSame(await blobs.delete([digest, other.digest]), [other.digest]);
  t.match(logged, [['warn', { path, reason: `EACCES: permission denied, unlink '${path}'`, count: 1 }, 'cannot delete blobs']]);
});

t.test('an open blob is held, and is read although its record is gone', async (t) => {
  const { store: blobs } = openNew();
  const bytes = sample('read', 300);
  const { digest, hold } = await store(blobs, bytes);
  const opened = await blobs.openBlob(digest, 300);
  hold.release();
  t.strictSame(await blobs.delete([digest]), []);
  const into = Buffer.alloc(300);
  t.equal((await opened.handle.read(into, 0, 300, 0)).bytesRead, 300);
  t.strictSame(into, bytes);
  await opened.close();
  await opened.close();
  t.strictSame(await blobs.delete([digest]), [digest]);
});

t.test('a missing blob, and one of another size, is damaged and not held', async (t) => {
  const { store: blobs } = openNew();
  const { digest, path, hold } = await store(blobs, sample('short', 300));
  hold.release();
  const damaged = { name: 'BlobDamagedError', code: 'blob_damaged', digest, path };
  await t.rejects(blobs.openBlob(digest, 301), { ...damaged, message: /it has 300 bytes, its record has 301/ });
  t.strictSame(await blobs.delete([digest]), [digest], 'no hold is left');
  await t.rejects(blobs.openBlob(digest, 300), { ...damaged, message: /the file does not exist/ });
  await t.rejects(blobs.openBlob(digest, 300), BlobDamagedError);
  await t.rejects(blobs.openBlob('../../format', 1), RangeError, 'no path can be named');
});

t.test('a listing has all blobs in order, and the leftovers of uploads that do not run', async (t) => {
  const { store: blobs, files } = openNew();
  const stored: string[] = [];
  for (let i = 0; i < 300; i += 1) stored.push((await store(blobs, Buffer.from(`blob ${i}`))).digest);
  for (const name of ['0123456789abcdef-7', 'anything']) files.close(files.open(`${FOLDER}/tmp/${name}`, 'wx+'));
  // Other names are ignored, also a digest in the folder of another one.
  for (const path of [`${FOLDER}/00/notes`, `${FOLDER}/00/${'f'.repeat(64)}`]) files.close(files.open(path, 'wx+'));
  const running = blobs.upload({ bytesMax: 100_000 });
  await running.write(sample('running', 1000));
  const listing = await blobs.list();
  stored.sort();
  t.equal(listing.count, 300);
  t.strictSame(
    [...listing].map(({ digest }) => digest),
    stored,
  );
  t.match(listing.find(stored[17] as string), { digest: stored[17], bytes: /^[78]$/, changedMs: 0 });
  for (const digest of stored) t.equal(listing.find(digest)?.digest, digest);
  t.equal(listing.find('f'.repeat(64)), undefined);
  t.equal(listing.find('no digest'), undefined);
  t.strictSame(listing.leftovers, ['0123456789abcdef-7', 'anything']);
  t.strictSame(await blobs.clean(listing.leftovers), [...listing.leftovers]);
  t.strictSame((await blobs.list()).leftovers, []);
  await running.finish();
});

t.test('a store in memory stores, reads, holds, lists and deletes as one on a disk', async (t) => {
  const blobs = BlobStore.inMemory(silent);
  const bytes = sample('memory', 600_000);
  const { digest, hold } = await store(blobs, bytes);
  await store(blobs, sample('other', 10));
  t.equal(digest, digestOf(bytes));
  const opened = await blobs.openBlob(digest, bytes.byteLength);
  const into = Buffer.alloc(100);
  t.equal((await opened.handle.read(into, 0, 100, 599_950)).bytesRead, 50);
  t.strictSame(into.subarray(0, 50), bytes.subarray(599_950));
  await opened.close();
  await t.rejects(blobs.openBlob(digest, 1), BlobDamagedError);
  t.strictSame(await blobs.delete([digest]), []);
  const listing = await blobs.list();
  t.equal(listing.count, 2);
  t.match(listing.find(digest), { digest, bytes: 600_000 });
  hold.release();
  t.strictSame(await blobs.delete([digest]), [digest]);
  await t.rejects(blobs.openBlob(digest, bytes.byteLength), BlobDamagedError);
  const aborted = blobs.upload({ bytesMax: 5 });
  await t.rejects(aborted.write(bytes), BlobTooLargeError);
  await aborted.abort();
  t.equal((await blobs.list()).count, 1);
  await blobs.close();
});

t.test('a closed store discards what runs and refuses the rest', async (t) => {
  const { store: blobs, files, worker } = openNew();
  const { path, digest } = await store(blobs, sample('kept', 10));
  const running = blobs.upload({ bytesMax: 100_000 });
  await running.write(sample('running', 5000));
  const finishing = store(blobs, sample('last', 10));
  await turns();
  await blobs.close();
  t.ok(worker.isClosed);
  t.throws(() => blobs.upload({ bytesMax: 1 }), StoppedError);
  await t.rejects(blobs.delete([digest]), StoppedError);
  await t.rejects(blobs.list(), StoppedError);
  await t.rejects(running.finish());
  t.strictSame(filesIn(files), [path, (await finishing).path].sort());
});
