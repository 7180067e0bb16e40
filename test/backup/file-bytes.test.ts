/** The bytes of files in backups, byte by byte and call by call, on a disk in memory. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import t from 'tap';
import { CorruptError } from '../../src/lib/errors.ts';
import { ProgressCounter } from '../../src/lib/threads/progress-counter.ts';
import { readHistory } from '../../src/storage/backup/backup-history.ts';
import { jobs } from '../../src/storage/backup/jobs.ts';
import { checkBackup, planRestore, restoreBackup, restorePoint } from '../../src/storage/backup/restore-backup.ts';
import { blobPath } from '../../src/storage/blobs/blob-path.ts';
import { restore } from '../../src/storage/recovery/recover-folder.ts';
import { verifyFolder } from '../../src/storage/recovery/verify-folder.ts';
import { filesOf, neededBlobs } from '../../src/storage/snapshot/files/needed-blobs.ts';
import type { BlobFolders } from '../../src/storage/snapshot/run/blob-keeper.ts';
import { nameOf } from '../disk/disk.ts';
import { described, SimulatedDisk } from '../disk/simulated-disk.ts';
import { accountIn, create, done, dump, foldersIn, member, openWorld, project } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';
import { targetIn } from './world.ts';

t.setTimeout(600_000);

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const contents = ['first', 'second'].map((text) => Buffer.from(`the bytes of the ${text}`));
/** More than one piece. */
const large = Buffer.alloc(1024 * 1024 + 7, 'large');

/** A folder with a project that has files of these bytes. */
async function world(pictures: readonly Buffer[]) {
  const folder = temporaryFolder(t);
  const { engine } = await openWorld(folder);
  const ann = await accountIn(engine);
  const id = await done(engine, create(project(ann), { name: 'Harbour' }));
  for (const [i, bytes] of pictures.entries()) {
    const url = `/f/0${String(i).repeat(26)}/${i}.png`;
    const fixed = { type: 'image/png', bytes: bytes.byteLength, width: 1, height: 1, url, created: '', digest: digestOf(bytes) };
    const target = member(ann, id, 'files');
    await done(engine, { action: 'create', target, body: { name: `${i}.png` }, fieldErrors: [], fixed });
  }
  const { lineage } = engine.journal;
  const to = await engine.journal.seal();
  const whole = dump(engine.state);
  await engine.close();
  const image = SimulatedDisk.of(folder);
  image.makeFolder('/backups');
  for (const bytes of pictures) image.put(blobPath('/blobs', digestOf(bytes)), bytes);
  const write = (files: SimulatedDisk, blobs: BlobFolders): string => {
    const file = '/backups/one.backup';
    const { journal: journalFolder, snapshots: snapshotFolder } = foldersIn(folder);
    const target = { path: file, temporary: `${file}.tmp` };
    jobs.write(files, { journalFolder, snapshotFolder, from: 0, to, lineage, pauseMs: 0, target, madeAt: 0, blobs });
    return file;
  };
  const archive = (files: SimulatedDisk): void => {
    const { journal: journalFolder } = foldersIn(folder);
    jobs.keepLog(files, { journalFolder, folder: '/backups', above: 0, to, pauseMs: 0, blobs: beside });
  };
  return { folder, image, lineage, whole, write, archive };
}

const contained: BlobFolders = { from: '/blobs' };
const beside: BlobFolders = { from: '/blobs', beside: { folder: '/backups/blobs', writer: 'writer' } };

t.test('any changed byte of a backup is noticed, and never restored', async (t) => {
  const { image, write } = await world(contents);
  const file = write(image, contained);
  const whole = image.bytes(file);
  let lost = 0;
  for (let at = 0; at < whole.byteLength; at++) {
    const files = new SimulatedDisk();
    const spoilt = Buffer.from(whole);
    spoilt.writeUInt8(spoilt.readUInt8(at) ^ 4, at);
    files.put(file, spoilt);
    try {
      checkBackup(files, file, new ProgressCounter());
      const { lostBlobs } = restoreBackup(files, file, targetIn('/new'));
      if (lostBlobs.length !== 1) throw new Error(`a change at ${at} goes unnoticed`);
      lost++;
      for (const bytes of contents) {
        const restored = blobPath('/new/blobs', digestOf(bytes));
        const isLost = lostBlobs.some(({ digest }) => digest === digestOf(bytes));
        if (isLost ? files.has(restored) : !files.bytes(restored).equals(bytes))
          throw new Error(`wrong bytes after a change at ${at}`);
      }
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
    }
    if (files.openCount > 0) throw new Error('a file was left open');
  }
  t.ok(lost >= (contents[0] as Buffer).byteLength * 2, `${lost} changes cost one file each, and nothing else`);
});

t.test('a backup has its name only when the files beside it are durable', async (t) => {
  const { image, write } = await world([...contents, large]);
  const calls: string[] = [];
  image.before = (operation) => calls.push(described(operation));
  write(image, beside);
  const named = calls.indexOf('rename one.backup');
  t.ok(named > 0);
  for (const bytes of [...contents, large]) {
    const digest = digestOf(bytes);
    const synced = calls.lastIndexOf(`sync writer-${digest}`);
    const renamed = calls.indexOf(`rename ${digest}`);
    const folder = calls.indexOf(`syncFolder ${digest.slice(0, 2)}`);
    t.ok(synced >= 0 && synced < renamed && renamed < folder && folder < named, `${synced} ${renamed} ${folder} ${named}`);
  }
  t.ok(calls.indexOf('syncFolder blobs') < named);
});

t.test('a restored folder gets its journal only when its files are durable', async (t) => {
  const { image, write } = await world([...contents, large]);
  for (const blobs of [contained, beside]) {
    const files = image.copy();
    const file = write(files, blobs);
    const calls: string[] = [];
    files.before = (operation) => calls.push(described(operation));
    restoreBackup(files, file, targetIn('/new'));
    const named = calls.indexOf('rename blobs');
    t.ok(named > 0 && named < calls.indexOf('rename journal'));
    for (const bytes of [...contents, large]) {
      t.ok(files.bytes(blobPath('/new/blobs', digestOf(bytes))).equals(bytes));
      const synced = calls.indexOf(`sync ${digestOf(bytes)}`);
      const folder = calls.indexOf(`syncFolder ${digestOf(bytes).slice(0, 2)}`);
      t.ok(synced >= 0 && synced < folder && folder < named);
    }
  }
});

for (const code of ['ENOSPC', 'EIO']) {
  t.test(`a backup or a restore that fails at any call with ${code} leaves nothing that seems complete`, async (t) => {
    const { image, write, whole } = await world([...contents, large]);
    for (const blobs of [contained, beside]) {
      for (let fails = 0; ; fails++) {
        const files = image.copy();
        files.fail({ nth: fails + 1, code });
        try {
          restoreBackup(files, write(files, blobs), targetIn('/new'));
          t.ok(fails > 20, `${fails} calls`);
          break;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== code) throw error;
        }
        files.heal();
        if (files.openCount > 0) throw new Error('a file was left open');
        if (code === 'ENOSPC') {
          if (files.named('.tmp').some((name) => path.dirname(name) === '/backups')) throw new Error('a .tmp stays');
          if (files.list('/backups/blobs/tmp').length > 0) throw new Error('a copy stays');
        }
        for (const backup of files.named('.backup')) {
          const { lostBlobs } = restoreBackup(files, backup, targetIn('/again'));
          if (lostBlobs.length > 0) throw new Error(`call ${fails}: a backup without its files`);
        }
        if (!files.list('/new').includes('journal')) continue;
        const folders = { ...foldersIn('/new'), blobs: '/new/blobs' };
        if (verifyFolder(files, folders, false).findings.length > 0) throw new Error(`call ${fails}: a folder without its files`);
        if (dump(restore(files, folders).restored.state) !== whole) throw new Error(`call ${fails}: a folder that is not whole`);
      }
    }
  });
}

t.test('a file that is there already is made durable, and one of another size is copied again', async (t) => {
  const { image, write } = await world(contents);
  const [first, second] = contents.map((bytes) => blobPath('/backups/blobs', digestOf(bytes))) as [string, string];
  image.put(first, contents[0] as Buffer);
  image.put(second, Buffer.from('cut'));
  const calls: string[] = [];
  image.before = (operation) => calls.push(described(operation));
  const file = write(image, beside);
  t.notOk(calls.includes(`rename ${path.basename(first)}`));
  const synced = calls.indexOf(`syncFolder ${path.basename(path.dirname(first))}`);
  t.ok(synced >= 0 && synced < calls.indexOf('rename one.backup'), 'its name may not have been durable');
  t.ok(image.bytes(second).equals(contents[1] as Buffer));
  t.strictSame(restoreBackup(image, file, targetIn('/new')).lostBlobs, []);
  const { restored } = restore(image, foldersIn('/new'));
  t.equal(neededBlobs(filesOf(restored.state)).size, 2);
});

t.test('a backup reads copies beside it again, from any digest on, and replaces damaged ones', async (t) => {
  const { image, write } = await world([...contents, large]);
  image.delete(write(image, beside));
  const digests = [...contents, large].map(digestOf).sort();
  for (const [i, from] of digests.entries()) {
    const files = image.copy();
    for (const digest of digests) {
      const path = blobPath('/backups/blobs', digest);
      files.put(path, Buffer.alloc(files.bytes(path).byteLength));
    }
    const read: string[] = [];
    files.before = ({ kind, path: file }) => {
      if (kind === 'rename' && digests.includes(nameOf(file))) read.push(nameOf(file));
    };
    write(files, { from: '/blobs', beside: { folder: '/backups/blobs', writer: 'writer', reread: { from, bytes: 1 } } });
    t.strictSame(read, [from], 'as many as have so many bytes');
    read.length = 0;
    const reread = { from, bytes: large.byteLength * 2 };
    files.delete('/backups/one.backup');
    write(files, { from: '/blobs', beside: { folder: '/backups/blobs', writer: 'writer', reread } });
    t.strictSame(read, [...digests.slice(i + 1), ...digests.slice(0, i)], 'in a circle, each once');
    t.strictSame(restoreBackup(files, '/backups/one.backup', targetIn('/new')).lostBlobs, []);
  }
});

t.test('archived log has its name only when its files are beside it', async (t) => {
  const { image, archive } = await world(contents);
  const calls: string[] = [];
  image.before = (operation) => calls.push(described(operation));
  archive(image);
  const named = calls.findIndex((call) => /^rename .*\.segment$/.test(call));
  for (const bytes of contents) {
    t.ok(image.bytes(blobPath('/backups/blobs', digestOf(bytes))).equals(bytes));
    const folder = calls.indexOf(`syncFolder ${digestOf(bytes).slice(0, 2)}`);
    t.ok(folder >= 0 && folder < named);
  }
});

t.test('pruning keeps the files of backups and of archived log, and all of them in doubt', async (t) => {
  const { image, lineage, write, archive } = await world(contents);
  const left = (prepare: (files: SimulatedDisk) => void): number => {
    const files = image.copy();
    for (const bytes of contents) files.put(blobPath('/backups/blobs', digestOf(bytes)), bytes);
    prepare(files);
    jobs.retain(files, { folder: '/backups', lineage, now: 0, keep: 1 });
    return contents.filter((bytes) => files.has(blobPath('/backups/blobs', digestOf(bytes)))).length;
  };
  t.equal(
    left(() => undefined),
    0,
    'nothing needs them',
  );
  t.equal(
    left((files) => void write(files, contained)),
    0,
    'a backup that contains them does not need them',
  );
  t.equal(
    left((files) => void write(files, beside)),
    2,
    'a backup lists them',
  );
  t.equal(left(archive), 2, 'archived log adds them');
  t.equal(
    left((files) => files.put('/backups/other.backup', Buffer.from('damaged'))),
    2,
    'a backup cannot be read',
  );
  const foreign = '/backups/2026-01-01T00-00-00Z-7.backup.01234567.tmp';
  t.equal(
    left((files) => files.put(foreign, Buffer.alloc(0))),
    2,
    'another server writes a backup',
  );
});

t.test('a restore from a folder in use begins again when a server deleted what it reads, and names what is lost', async (t) => {
  const { folder, image } = await world(contents);
  const [first, second] = contents.map((bytes) => blobPath(path.join(folder, 'blobs'), digestOf(bytes))) as [string, string];
  const restoring = (prepare: (files: SimulatedDisk, segments: string[]) => void) => {
    const files = image.copy();
    for (const bytes of contents) files.put(blobPath(path.join(folder, 'blobs'), digestOf(bytes)), bytes);
    prepare(files, files.named('.segment'));
    const history = readHistory(files, [folder]);
    return { files, restore: () => restorePoint(files, history, planRestore(files, history, undefined), targetIn('/new')) };
  };
  t.strictSame(restoring(() => undefined).restore().lostBlobs, []);
  const lost = restoring((files) => void files.delete(first));
  t.match(lost.restore().lostBlobs, [{ name: '0.png' }]);
  const changed = restoring((files, segments) => {
    files.before = ({ kind, path: file }) => {
      if (kind === 'create' && nameOf(file) === path.basename(second))
        for (const gone of [...segments, second]) files.delete(gone);
    };
  });
  t.throws(() => changed.restore(), { message: /^The snapshots changed during the restore/ });
  t.notOk(changed.files.list('/new').includes('journal'), 'the folder is not complete');
});

t.test('verify finds every file whose bytes are missing, cut or changed', async (t) => {
  const { folder, image } = await world(contents);
  const folders = { ...foldersIn(folder), blobs: '/blobs' };
  const [first] = contents as [Buffer];
  const path = blobPath('/blobs', digestOf(first));
  t.match(verifyFolder(image, folders, false), { blobs: 2, lost: 0, findings: [] });
  const damages: [string, Buffer | undefined][] = [
    ['the file does not exist', undefined],
    [`the file has 3 bytes, its record says ${first.byteLength}`, Buffer.from('cut')],
    ['the bytes do not have the digest', Buffer.alloc(first.byteLength)],
  ];
  for (const inUse of [false, true]) {
    for (const [problem, bytes] of damages) {
      const files = image.copy();
      if (bytes === undefined) files.delete(path);
      else files.put(path, bytes);
      const { findings, lost } = verifyFolder(files, folders, inUse);
      t.equal(lost, 1);
      t.match(findings, [{ file: path, problem: `the bytes of the file "0.png" of project ` }]);
      t.match(findings[0]?.problem, problem);
    }
  }
});
