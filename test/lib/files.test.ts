/** Folders on the disk: made with what leads to them, and refused where none can be. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { nodeFiles } from '../../src/lib/files.ts';
import { temporaryFolder } from '../support/process.ts';

t.test('a folder and its parents; nothing when it is there', async (t) => {
  const folder = path.join(temporaryFolder(t), 'a', 'b', 'c');
  nodeFiles.makeFolder(folder);
  nodeFiles.makeFolder(folder);
  t.equal(fs.statSync(folder).mode & 0o777, 0o700);
});

t.test('an error where none can be made', async (t) => {
  const file = path.join(temporaryFolder(t), 'file');
  fs.writeFileSync(file, '');
  t.throws(() => nodeFiles.makeFolder(path.join(file, 'a')), { code: /EEXIST|ENOTDIR/ });
  if (fs.existsSync('/proc/self')) t.throws(() => nodeFiles.makeFolder('/proc/there/is/none'), { code: 'ENOENT' });
});
