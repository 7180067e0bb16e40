/** The contract of `Files`, over each file system; and what only a real one has: modes, holes, pipes and devices. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { deleteFiles, type Files, nodeFiles, openRegular, readText, removeIfThere } from '../../src/lib/files/files.ts';
import { filesIn, OpenFolder } from '../../src/lib/files/open-folder.ts';
import { Disk } from '../disk/disk.ts';
import { SimulatedDisk } from '../disk/simulated-disk.ts';
import { temporaryFolder } from '../support/process.ts';

/** A file system, and a folder of it that exists and is empty. */
type Place = readonly [files: Files, folder: string];

const fileSystems: Readonly<Record<string, (t: Test) => Place>> = {
  'the real file system': (t) => [nodeFiles, temporaryFolder(t)],
  'a folder that is kept open': (t) => {
    const folder = temporaryFolder(t);
    const open = new OpenFolder(folder);
    t.teardown(() => open.close());
    return [filesIn(nodeFiles, open.identity), folder];
  },
  'a simulated disk': () => {
    const state = new Disk();
    return [new SimulatedDisk(state), state.root];
  },
};

function create(files: Files, file: string, text: string): void {
  const fd = files.open(file, 'wx+');
  files.write(fd, Buffer.from(text), 0);
  files.close(fd);
}

function text(files: Files, file: string): string {
  const fd = files.open(file, 'r');
  const bytes = Buffer.alloc(files.size(fd));
  files.read(fd, bytes, 0);
  files.close(fd);
  return bytes.toString();
}

/** @param place a new one for each test */
function contract(t: Test, place: (t: Test) => Place): void {
  t.test('open finds or creates a regular file, and a descriptor ends when it is closed', async (t) => {
    const [files, folder] = place(t);
    const file = path.join(folder, 'file');
    for (const mode of ['r', 'r+'] as const)
      t.throws(() => files.open(file, mode), { code: 'ENOENT', syscall: 'open', path: file });
    t.throws(() => files.open(path.join(folder, 'none', 'file'), 'wx+'), { code: 'ENOENT' });
    const fd = files.open(file, 'wx+');
    t.throws(() => files.open(file, 'wx+'), { code: 'EEXIST' });
    files.close(fd);
    t.throws(() => files.size(fd), { code: 'EBADF' });
    t.throws(() => files.open(folder, 'r'), { name: 'CorruptError', file: folder, message: /it is a folder, not a file/ });
    const reading = files.open(file, 'r');
    t.throws(() => files.write(reading, Buffer.from('x'), 0), { code: 'EBADF' }, 'it is open for reading');
    files.close(reading);
  });

  t.test('a write is read at once through each descriptor, and gaps are zeros', async (t) => {
    const [files, folder] = place(t);
    const file = path.join(folder, 'file');
    const fd = files.open(file, 'wx+');
    const other = files.open(file, 'r');
    files.write(fd, Buffer.from('abcd'), 2);
    files.write(fd, Buffer.from('X'), 3);
    t.equal(files.size(other), 6);
    const bytes = Buffer.alloc(10, '.');
    t.equal(files.read(other, bytes, 0), 6);
    t.equal(bytes.toString(), '\0\0aXcd....');
    t.equal(files.read(other, bytes.subarray(0, 2), 4), 2);
    t.equal(bytes.toString(), 'cdaXcd....');
    t.equal(files.read(other, bytes, 6), 0, 'the end');
    files.sync(fd);
    t.ok(files.allocated(fd) > 0);
    for (const open of [fd, other]) files.close(open);
  });

  t.test('a lock excludes other descriptors until its own is closed', async (t) => {
    const [files, folder] = place(t);
    const file = path.join(folder, 'file');
    const fd = files.open(file, 'wx+');
    const other = files.open(file, 'r+');
    t.equal(files.lock(fd), true);
    t.equal(files.lock(other), process.platform === 'win32');
    files.close(fd);
    t.equal(files.lock(other), true);
    files.close(other);
  });

  t.test('rename replaces a file, and open descriptors keep theirs', async (t) => {
    const [files, folder] = place(t);
    const [one, two] = [path.join(folder, 'one'), path.join(folder, 'two')];
    create(files, one, 'first');
    create(files, two, 'second');
    const replaced = files.open(two, 'r');
    const moved = files.open(one, 'r');
    t.ok(files.isAt(two, replaced));
    files.rename(one, two);
    t.strictSame(files.list(folder), ['two']);
    t.equal(text(files, two), 'first');
    t.ok(files.isAt(two, moved));
    t.notOk(files.isAt(two, replaced));
    t.equal(files.read(replaced, Buffer.alloc(10), 0), 'second'.length);
    for (const open of [replaced, moved]) files.close(open);
    t.throws(() => files.rename(one, two), { code: 'ENOENT' });
    t.throws(() => files.rename(two, path.join(folder, 'none', 'two')), { code: 'ENOENT' });
    t.equal(text(files, two), 'first');
  });

  t.test('rename moves a folder with what is in it', async (t) => {
    const [files, folder] = place(t);
    files.makeFolder(path.join(folder, 'old', 'inner'));
    create(files, path.join(folder, 'old', 'inner', 'file'), 'kept');
    files.rename(path.join(folder, 'old'), path.join(folder, 'new'));
    t.equal(text(files, path.join(folder, 'new', 'inner', 'file')), 'kept');
    t.strictSame(files.list(folder), ['new']);
  });

  t.test('a clone has the bytes of its source and its own from then on', async (t) => {
    const [files, folder] = place(t);
    const [from, to] = [path.join(folder, 'from'), path.join(folder, 'to')];
    create(files, from, 'first');
    if (files.clone?.(from, to) !== true) {
      t.notOk(files.list(folder).includes('to'), 'not supported, and nothing is left');
      return;
    }
    const fd = files.open(to, 'r+');
    files.write(fd, Buffer.from('F'), 0);
    files.close(fd);
    t.strictSame([text(files, from), text(files, to)], ['first', 'First']);
  });

  t.test('unlink removes a name, and open descriptors keep the file', async (t) => {
    const [files, folder] = place(t);
    const file = path.join(folder, 'file');
    t.throws(() => files.unlink(file), { code: 'ENOENT' });
    create(files, file, 'kept');
    const fd = files.open(file, 'r+');
    files.unlink(file);
    files.syncFolder(folder);
    t.notOk(files.isAt(file, fd));
    files.write(fd, Buffer.from('K'), 0);
    files.sync(fd);
    t.equal(files.size(fd), 'kept'.length);
    files.close(fd);
    t.strictSame(files.list(folder), []);
    removeIfThere(files, file);
  });

  t.test('makeFolder creates a folder with its parents, keeps one that exists, and fails below a file', async (t) => {
    const [files, folder] = place(t);
    const inner = path.join(folder, 'a', 'b', 'c');
    files.makeFolder(inner);
    create(files, path.join(inner, 'file'), 'kept');
    files.makeFolder(inner);
    t.strictSame(files.list(inner), ['file']);
    for (const below of ['file', 'file/a']) {
      t.throws(() => files.makeFolder(path.join(inner, below)), { code: /EEXIST|ENOTDIR/ }, below);
    }
    t.equal(text(files, path.join(inner, 'file')), 'kept');
  });

  t.test('list sorts names, and stat knows regular files only', async (t) => {
    const [files, folder] = place(t);
    t.strictSame(files.list(path.join(folder, 'none')), []);
    for (const name of ['b', 'a', 'B']) create(files, path.join(folder, name), name);
    files.makeFolder(path.join(folder, 'folder'));
    t.strictSame(files.list(folder), ['B', 'a', 'b', 'folder']);
    t.throws(() => files.list(path.join(folder, 'a')), { code: 'ENOTDIR' });
    t.match(files.stat(path.join(folder, 'a')), { bytes: 1, changedMs: Number });
    for (const name of ['folder', 'none']) t.equal(files.stat(path.join(folder, name)), undefined, name);
  });

  t.test('a folder is synced by its path or through a descriptor', async (t) => {
    const [files, folder] = place(t);
    const fd = files.openFolder(folder);
    files.syncFolder(folder, fd);
    files.syncFolder(folder);
    files.close(fd);
    const none = path.join(folder, 'none');
    t.throws(() => files.openFolder(none), { code: 'ENOENT' });
    t.throws(() => files.syncFolder(none), { code: 'ENOENT' });
  });

  t.test('deleteFiles deletes each file that it can, and reports the others with their paths', async (t) => {
    const [files, folder] = place(t);
    const paths = ['a', 'full', 'gone', 'z'].map((name) => path.join(folder, name));
    const [a, full, gone, z] = paths as [string, string, string, string];
    for (const file of [a, z]) create(files, file, '');
    files.makeFolder(path.join(full, 'in'));
    const { deleted, undeleted } = deleteFiles(files, paths);
    t.strictSame(deleted, [a, gone, z]);
    t.match(undeleted, [{ path: full, reason: /EISDIR|EPERM/ }]);
    t.strictSame(files.list(folder), ['full']);
  });
}

for (const [name, place] of Object.entries(fileSystems)) {
  t.test(name, async (t) => contract(t, place));
}

t.test('deleteFiles reports a folder that cannot be synced', async (t) => {
  const disk = new SimulatedDisk();
  disk.put('/folder/a', Buffer.alloc(0));
  disk.fail({ kind: 'syncFolder', code: 'EIO' });
  const undeleted = [{ path: '/folder', reason: "EIO: i/o error, syncFolder '/folder'" }];
  t.strictSame(deleteFiles(disk, ['/folder/a']), { deleted: ['/folder/a'], undeleted });
});

t.test('folders are private, and one in which nothing can be created is an error', async (t) => {
  const folder = path.join(temporaryFolder(t), 'a', 'b');
  nodeFiles.makeFolder(folder);
  t.equal(fs.statSync(folder).mode & 0o777, 0o700);
  if (fs.existsSync('/proc/self')) t.throws(() => nodeFiles.makeFolder('/proc/there/is/none'), { code: 'ENOENT' });
});

t.test('a named pipe, folder or device in place of a file is refused without waiting', (t) => {
  const folder = temporaryFolder(t);
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const [file, kind] of [
    [pipe, 'a named pipe'],
    [folder, 'a folder'],
    ['/dev/null', 'a device'],
  ] as const) {
    const refusal = { message: `corrupt: ${file} at byte 0: it is ${kind}, not a file` };
    for (const open of [() => openRegular(file), () => nodeFiles.open(file, 'r'), () => readText(file)]) t.throws(open, refusal);
  }
  t.throws(() => nodeFiles.open(pipe, 'r+'), { message: /it is a named pipe, not a file/ });
  t.end();
});

t.test('a hole in a file allocates no space', (t) => {
  const file = path.join(temporaryFolder(t), 'file');
  const bytes = 1024 * 1024;
  const fd = nodeFiles.open(file, 'wx+');
  nodeFiles.write(fd, Buffer.alloc(1), bytes - 1);
  t.equal(nodeFiles.size(fd), bytes);
  t.ok(nodeFiles.allocated(fd) < bytes);
  nodeFiles.write(fd, Buffer.alloc(bytes, 1), 0);
  nodeFiles.sync(fd);
  t.ok(nodeFiles.allocated(fd) >= bytes);
  nodeFiles.close(fd);
  t.end();
});
