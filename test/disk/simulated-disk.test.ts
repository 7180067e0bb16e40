/** What the simulated disk keeps after a crash, and how it fails. As a file system it is tested with the others in `lib/files`. */
import t from 'tap';
import { Disk } from './disk.ts';
import { SimulatedDisk } from './simulated-disk.ts';

/** A disk with the file `/data/old`, whose bytes and name are durable, open for writing. */
function withFile() {
  const disk = new SimulatedDisk(new Disk());
  disk.put('old', Buffer.alloc(1024, 'a'));
  return { disk, fd: disk.open('/data/old', 'r+') };
}

const letters = (disk: SimulatedDisk): string =>
  disk
    .bytes('old')
    .toString()
    .replace(/(.)\1*/g, '$1');

t.test('a power cut takes back what was not synced, or keeps sectors and names of it', async (t) => {
  for (const [keeps, expected, names] of [
    [0, 'ab', ['old']],
    [0.99, 'abc', ['new', 'old']],
  ] as const) {
    const { disk, fd } = withFile();
    disk.write(fd, Buffer.alloc(512, 'b'), 512);
    disk.sync(fd);
    disk.write(fd, Buffer.alloc(512, 'c'), 1024);
    disk.open('/data/new', 'wx+');
    t.equal(letters(disk), 'abc');
    disk.losePower(() => keeps);
    t.equal(letters(disk).replaceAll('\0', ''), expected);
    t.strictSame(disk.list(), names);
    t.equal(disk.openCount, 0);
  }
});

t.test('what a failed sync left is read until the power is cut, also if the next sync succeeds', async (t) => {
  const { disk, fd } = withFile();
  disk.write(fd, Buffer.alloc(512, 'b'), 0);
  disk.fail({ kind: 'sync', code: 'EIO', nth: 1 });
  t.throws(() => disk.sync(fd), { code: 'EIO' });
  disk.sync(fd);
  t.equal(letters(disk), 'ba');
  disk.losePower(() => 0.99);
  t.equal(letters(disk), 'a');
});

t.test('a process that is killed can do nothing more, and the next one finds the page cache', async (t) => {
  const { disk, fd } = withFile();
  disk.write(fd, Buffer.alloc(512, 'b'), 0);
  disk.kill();
  for (const call of [() => disk.write(fd, Buffer.alloc(1), 0), () => disk.list(), () => disk.sync(fd)])
    t.throws(call, { code: 'EIO' });
  disk.revive();
  t.equal(letters(disk), 'ba');
  t.throws(() => disk.size(fd), { code: 'EBADF' });
});

t.test('copies of a disk share no change, and damage is durable', async (t) => {
  const { disk, fd } = withFile();
  const copy = disk.copy();
  const before = disk.bytes('old');
  disk.write(fd, Buffer.alloc(512, 'b'), 0);
  disk.raw('old').fill('d', 512);
  t.strictSame([letters(disk), letters(copy), before.includes('b')], ['bd', 'a', false]);
  disk.losePower(() => 0);
  t.equal(letters(disk), 'bd');
});

t.test('a small disk has room for its bytes', async (t) => {
  const { disk, fd } = withFile();
  disk.limit(1500);
  disk.write(fd, Buffer.alloc(400), 1024);
  t.throws(() => disk.write(fd, Buffer.alloc(400), 1424), { code: 'ENOSPC' });
  disk.write(fd, Buffer.alloc(400), 0);
  t.equal(disk.size(fd), 1424);
});
