/** Folders and files on the disk: creation, deletion, holes, and what is not a regular file. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { deleteFiles, nodeFiles, openRegular, readText } from '../../src/lib/files/files.ts';
import { temporaryFolder } from '../support/process.ts';
import { systemError } from '../support/system-error.ts';

t.test('makeFolder creates a folder with its parents, and an existing folder is kept', async (t) => {
  const folder = path.join(temporaryFolder(t), 'a', 'b', 'c');
  nodeFiles.makeFolder(folder);
  nodeFiles.makeFolder(folder);
  t.equal(fs.statSync(folder).mode & 0o777, 0o700);
});

t.test('makeFolder fails below a file', async (t) => {
  const file = path.join(temporaryFolder(t), 'file');
  fs.writeFileSync(file, '');
  t.throws(() => nodeFiles.makeFolder(path.join(file, 'a')), { code: /EEXIST|ENOTDIR/ });
  if (fs.existsSync('/proc/self')) t.throws(() => nodeFiles.makeFolder('/proc/there/is/none'), { code: 'ENOENT' });
});

t.test('deleteFiles deletes every file that it can and reports the others with their paths', async (t) => {
  const folder = temporaryFolder(t);
  const paths = ['a', 'full', 'gone', 'z'].map((name) => path.join(folder, name));
  const [a, full, gone, z] = paths as [string, string, string, string];
  for (const file of [a, z]) fs.writeFileSync(file, '');
  fs.mkdirSync(path.join(full, 'in'), { recursive: true });
  const { deleted, undeleted } = deleteFiles(nodeFiles, paths);
  t.strictSame(deleted, [a, gone, z]);
  t.match(undeleted, [{ path: full, reason: /EISDIR|EPERM/ }]);
  t.strictSame(fs.readdirSync(folder), ['full']);
  const failing = deleteFiles(
    {
      ...nodeFiles,
      syncFolder: () => {
        throw systemError('EIO', 'fsync');
      },
    },
    [a],
  );
  t.strictSame(failing, { deleted: [a], undeleted: [{ path: folder, reason: 'EIO: i/o error, fsync' }] });
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
