/** A folder that replaces an opened one is detected, and no path in it is used. */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { type Files, nodeFiles } from '../../src/lib/files/files.ts';
import { assertSame, filesIn, OpenFolder } from '../../src/lib/files/open-folder.ts';
import { temporaryFolder } from '../support/process.ts';

const replaced = { message: /^The data folder \S+ was replaced or deleted/ };

function opened(t: Pick<Test, 'teardown'>) {
  const around = temporaryFolder(t);
  const [store, old] = [path.join(around, 'store'), path.join(around, 'old')];
  fs.mkdirSync(store);
  fs.writeFileSync(path.join(store, 'file'), 'kept');
  const folder = new OpenFolder(store);
  t.teardown(() => folder.close());
  return { around, store, old, folder };
}

const changes: Readonly<Record<string, (at: ReturnType<typeof opened>) => void>> = {
  'moved away': ({ store, old }) => fs.renameSync(store, old),
  deleted: ({ store }) => fs.rmSync(store, { recursive: true }),
  replaced: ({ store, old }) => {
    fs.renameSync(store, old);
    fs.mkdirSync(store);
  },
  'replaced by a file': ({ store, old }) => {
    fs.renameSync(store, old);
    fs.writeFileSync(store, '');
  },
  'deleted and created again': ({ store }) => {
    fs.rmSync(store, { recursive: true });
    fs.mkdirSync(store);
  },
  'replaced by a link': ({ store, old, around }) => {
    fs.renameSync(store, old);
    fs.symlinkSync(around, store);
  },
};

for (const [what, change] of Object.entries(changes)) {
  t.test(`a folder that was ${what} is detected as another one`, async (t) => {
    const at = opened(t);
    const { folder, store } = at;
    const found: Error[] = [];
    folder.onReplaced = (error) => void found.push(error);
    t.ok(folder.check());
    t.doesNotThrow(() => assertSame(folder.identity));
    change(at);
    t.notOk(folder.check());
    t.match(found, [replaced]);
    t.match(found[0]?.message, store);
    t.throws(() => assertSame(folder.identity), replaced);
  });
}

t.test('a folder reached through a link, or moved away and back, is the same', async (t) => {
  const { store, old, folder } = opened(t);
  fs.renameSync(store, old);
  fs.symlinkSync(old, store);
  t.ok(folder.check());
  fs.unlinkSync(store);
  fs.renameSync(old, store);
  t.ok(folder.check());
});

t.test('the error about a replaced folder names both folders and the remedy', async (t) => {
  const at = opened(t);
  const { ino } = fs.statSync(at.store);
  changes['replaced']?.(at);
  const text = (): string => {
    try {
      assertSame(at.folder.identity);
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };
  t.match(text(), `inode ${ino} (now ${at.old}); the path now leads to device`);
  t.match(text(), `inode ${fs.statSync(at.store).ino}. Nothing more is written.`);
  t.match(text(), 'Every write that was answered is in the folder that was opened. Start the server on');
  fs.rmSync(at.old, { recursive: true });
  t.match(text(), `inode ${ino} (deleted)`);
  t.match(text(), 'Restore a backup: npx mapwright restore --help');
  fs.rmdirSync(at.store);
  t.match(text(), 'the path now leads to nothing. Nothing more is written.');
});

t.test('no call by path reaches a replacing folder, and open descriptors keep working', async (t) => {
  const at = opened(t);
  const { folder, store } = at;
  const files = filesIn(nodeFiles, folder.identity);
  const file = path.join(store, 'file');
  const fd = files.open(file, 'r+');
  t.ok(files.isAt(file, fd));
  const folderFd = files.openFolder(store);
  changes['replaced']?.(at);
  fs.writeFileSync(file, 'another');
  const byPath: Partial<Record<keyof Files, () => unknown>> = {
    open: () => files.open(path.join(store, 'new'), 'wx+'),
    rename: () => files.rename(file, path.join(store, 'renamed')),
    unlink: () => files.unlink(file),
    makeFolder: () => files.makeFolder(path.join(store, 'folder')),
    list: () => files.list(store),
    isAt: () => files.isAt(file, fd),
    openFolder: () => files.openFolder(store),
    syncFolder: () => files.syncFolder(store),
  };
  for (const [name, call] of Object.entries(byPath)) t.throws(call, replaced, name);
  t.strictSame(fs.readdirSync(store), ['file']);
  t.equal(fs.readFileSync(file, 'utf8'), 'another');
  files.write(fd, Buffer.from('KEPT'), 0);
  files.sync(fd);
  t.equal(files.size(fd), 4);
  files.syncFolder(store, folderFd);
  for (const open of [fd, folderFd]) files.close(open);
  t.equal(fs.readFileSync(path.join(at.old, 'file'), 'utf8'), 'KEPT');
  t.equal(filesIn(nodeFiles, undefined), nodeFiles, 'without an identity nothing is compared');
});

t.test('a call that fails because the folder went after the check reports the folder', async (t) => {
  const at = opened(t);
  const { folder, store, old } = at;
  const late: Files = {
    ...nodeFiles,
    open: (file, mode) => {
      changes['moved away']?.(at);
      return nodeFiles.open(file, mode);
    },
  };
  t.throws(() => filesIn(late, folder.identity).open(path.join(store, 'new'), 'wx+'), replaced);
  fs.renameSync(old, store);
  t.throws(
    () => filesIn(nodeFiles, folder.identity).open(path.join(store, 'none'), 'r'),
    { code: 'ENOENT' },
    'another error stays',
  );
});
