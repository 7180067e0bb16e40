/** The threads of the store of blobs, on files of the system. */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { FolderReplacedError } from '../../src/lib/errors.ts';
import { nodeFiles } from '../../src/lib/files/files.ts';
import { OpenFolder } from '../../src/lib/files/open-folder.ts';
import { BlobStore } from '../../src/storage/blobs/blob-store.ts';
import { BlobThreads } from '../../src/storage/blobs/blob-threads.ts';
import { recordingLog } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';
import { sized } from '../support/tier.ts';
import { digestOf, sample, store } from './harness.ts';

function opened(t: Test) {
  const root = temporaryFolder(t);
  const folder = path.join(root, 'store', 'blobs');
  fs.mkdirSync(path.dirname(folder));
  const openFolder = new OpenFolder(path.dirname(folder));
  const { log } = recordingLog();
  const fatal: Error[] = [];
  const worker = new BlobThreads(folder, log, openFolder);
  const blobs = BlobStore.open(nodeFiles, folder, { log, worker, onFatal: (error) => fatal.push(error) });
  t.teardown(async () => {
    await blobs.close();
    openFolder.close();
  });
  return { blobs, worker, folder, root, fatal };
}

t.test('many uploads at the same time, each in pieces, are stored by two threads', async (t) => {
  const { blobs, folder } = opened(t);
  const bytes = Array.from({ length: 20 }, (_, i) => sample(`upload ${i}`, 300_000 + i));
  const stored = await Promise.all(bytes.map((each) => store(blobs, each, 1_000_000)));
  for (const [i, { digest, path: file }] of stored.entries()) {
    t.equal(digest, digestOf(bytes[i] as Buffer));
    t.ok(fs.readFileSync(file).equals(bytes[i] as Buffer));
  }
  t.strictSame(fs.readdirSync(path.join(folder, 'tmp')), []);
  const { digest } = stored[3] as { digest: string };
  const opening = await blobs.openBlob(digest, 300_003);
  const into = Buffer.alloc(300_003);
  t.equal((await opening.handle.read(into, 0, into.byteLength, 0)).bytesRead, 300_003);
  t.ok(into.equals(bytes[3] as Buffer));
  await opening.close();
});

t.test('blobs are listed in a thread, with sizes and times or without', async (t) => {
  const { blobs, folder } = opened(t);
  const count = sized({ sample: 2_000, all: 100_000 });
  const digests = Array.from({ length: count }, (_, i) => digestOf(Buffer.from(String(i))));
  for (const digest of digests) fs.writeFileSync(path.join(folder, digest.slice(0, 2), digest), 'blob');
  fs.writeFileSync(path.join(folder, 'tmp', 'left'), '');
  fs.symlinkSync('/etc/passwd', path.join(folder, '00', '0'.repeat(64)));
  const before = Date.now() - 3_600_000;
  const listing = await blobs.list();
  t.equal(listing.count, count, 'a link is not a blob');
  t.strictSame(listing.leftovers, ['left']);
  digests.sort();
  t.strictSame(
    [...listing].map(({ digest }) => digest),
    digests,
  );
  const one = listing.find(digests[99] as string);
  t.equal(one?.bytes, 4);
  t.ok((one?.changedMs ?? 0) > before && (one?.changedMs ?? 0) < Date.now() + 60_000);
  const names = await blobs.list('names');
  t.equal(names.count, count + 1, 'without a look at the files');
  t.strictSame(names.find(digests[99] as string), { digest: digests[99], bytes: Number.NaN, changedMs: Number.NaN });
  t.equal((await blobs.delete(digests)).length, count);
  t.equal((await blobs.list()).count, 0);
});

t.test(
  'damage is found when a blob is opened, also in a small one that was read before, and a blob that is stored again is read again',
  async (t) => {
    const { blobs } = opened(t);
    const bytes = sample('often', 100);
    const { digest, path: file, hold } = await store(blobs, bytes);
    hold.release();
    const isRead = async () => {
      const { handle, close } = await blobs.openBlob(digest, 100);
      const into = Buffer.alloc(100);
      const { bytesRead } = await handle.read(into, 0, 100, 0);
      await close();
      return { bytes: into.subarray(0, bytesRead), isFromMemory: handle.fd === -1 };
    };
    await isRead();
    t.strictSame(await isRead(), { bytes, isFromMemory: true });
    t.equal((await blobs.delete([digest])).length, 1, 'it is not held');
    await t.rejects(isRead(), { code: 'blob_damaged', message: /does not exist/ });
    await store(blobs, bytes);
    t.strictSame((await isRead()).bytes, bytes);
    fs.truncateSync(file, 99);
    await t.rejects(isRead(), { code: 'blob_damaged', message: /it has 99 bytes/ });
    await t.rejects(blobs.openBlob(digest, 101), { code: 'blob_damaged', message: /it has 99 bytes, its record has 101/ });
    fs.writeFileSync(file, Buffer.alloc(100));
    await t.rejects(isRead(), { code: 'blob_damaged', message: /its bytes have another digest/ });
    fs.rmSync(file);
    fs.mkdirSync(file);
    await t.rejects(blobs.openBlob(digest, fs.statSync(file).size), { code: 'blob_damaged', message: /not a file/ });
  },
);

t.test('nothing is written to, or read from, a folder that replaced the opened one', async (t) => {
  const { blobs, root, fatal } = opened(t);
  const { digest } = await store(blobs, sample('before', 100));
  const running = blobs.upload({ bytesMax: 1_000_000 });
  await running.write(sample('running', 300_000));
  fs.renameSync(path.join(root, 'store'), path.join(root, 'old'));
  fs.cpSync(path.join(root, 'old'), path.join(root, 'store'), { recursive: true });
  const replaced = { code: 'folder_replaced' };
  await t.rejects(running.finish(), replaced);
  await t.rejects(blobs.openBlob(digest, 100), FolderReplacedError);
  await t.rejects(store(blobs, sample('after', 100)), replaced);
  await t.rejects(blobs.list(), replaced);
  t.strictSame(fatal, [], 'the one who watches the folder stops the program');
});

t.test('an upload whose thread died fails, and the next one gets a new thread', async (t) => {
  const { blobs, folder, worker } = opened(t);
  const dying = blobs.upload({ bytesMax: 10_000_000 });
  await dying.write(sample('dying', 300_000));
  await dying.write(sample('dying', 300_000));
  for (const { threads } of worker.uploads) for (const thread of threads) await thread.terminate();
  await t.rejects(dying.finish());
  await dying.abort();
  await store(blobs, sample('next', 300_000));
  t.strictSame(fs.readdirSync(path.join(folder, 'tmp')), []);
});
