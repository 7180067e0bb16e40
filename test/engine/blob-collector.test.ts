/** The deletion of blobs that nothing refers to, and the count of references. */
import t from 'tap';
import { BlobCollector } from '../../src/engine/files/blob-collector.ts';
import { FileIndex } from '../../src/store/file-index.ts';
import type { StoredProject } from '../../src/store/stored-project.ts';
import { openNew, sample, store } from '../blobs/harness.ts';
import { silent } from '../support/mapwright.ts';

const dayMs = 24 * 60 * 60 * 1000;
const project = {} as StoredProject;

function world(options = {}) {
  const { store: blobs, files } = openNew();
  const index = new FileIndex(1);
  let now = 0;
  const collector = new BlobCollector(index, blobs, { log: silent, clock: () => now, ...options });
  const collect = async (lsn: number) => {
    await collector.collect(lsn);
    now += dayMs;
    await collector.collect(lsn);
  };
  const later = (ms: number): void => {
    now += ms;
  };
  const isThere = (path: string): boolean => files.stat(path) !== undefined;
  const damage = (path: string): void => void files.raw(path).write('x');
  /** Remembers the bytes of a file; writes them again when it is called. */
  const repair = (path: string): (() => void) => {
    const bytes = Buffer.from(files.bytes(path));
    return () => files.put(path, bytes);
  };
  return { blobs, index, collector, collect, isThere, later, damage, repair };
}

const file = (digest: string, bytes: number) => ({ id: 'file', url: '', digest, bytes });
const version = (digest: string, files: readonly string[]) => ({ id: 'version', digest, bytes: 1, files });

t.test('a version refers to the blobs of its files, and each reference counts', async (t) => {
  const { blobs, index, collect, isThere } = world();
  const { digest, bytes, path, hold } = await store(blobs, sample('a', 100));
  hold.release();
  const own = version('f'.repeat(64), [`${digest} ${bytes}`]);
  index.replace(project, undefined, file(digest, bytes), 2);
  index.replace(project, undefined, own, 3);
  index.replace(project, file(digest, bytes), undefined, 4);
  await collect(9);
  t.ok(isThere(path), 'the version needs it');
  t.strictSame([...index.referenced()].map((blob) => blob.digest).sort(), [digest, own.digest].sort());
  index.replace(project, own, undefined, 10);
  await collect(9);
  t.ok(isThere(path), 'a snapshot has the version');
  await collect(10);
  t.notOk(isThere(path));
});

t.test('a comparison that failed at the start is repeated before the next deletion', async (t) => {
  const { blobs, collector, collect, isThere } = world();
  const { path, hold } = await store(blobs, sample('a', 100));
  hold.release();
  const list = blobs.list.bind(blobs);
  blobs.list = async () => {
    throw new Error('the database is away');
  };
  await collector.check(1, 0);
  let comparisons = 0;
  blobs.list = (kind) => {
    if (kind === 'names') comparisons++;
    return list(kind);
  };
  await collect(1);
  t.notOk(isThere(path));
  t.equal(comparisons, 1, 'and not again, once it was made');
});

t.test('all work waits for the comparison after the start, and none begins when it is closed before', async (t) => {
  const { blobs, collector, isThere } = world();
  const { path, hold } = await store(blobs, sample('a', 100));
  hold.release();
  let lists = 0;
  const list = blobs.list.bind(blobs);
  blobs.list = (kind) => {
    lists++;
    return list(kind);
  };
  const checked = collector.check(1, 3_600_000);
  const collected = collector.collect(1);
  await collector.close();
  await Promise.all([checked, collected]);
  t.equal(lists, 0);
  t.ok(isThere(path));
});

t.test('after each snapshot some blobs are read again, all of them in turn', async (t) => {
  const { blobs, index, collector, damage } = world({ scrubBytes: 150 });
  const paths: string[] = [];
  for (const seed of ['a', 'b', 'c', 'd', 'e']) {
    const { digest, bytes, path, hold } = await store(blobs, sample(seed, 100));
    hold.release();
    index.replace(project, undefined, file(digest, bytes), 2);
    paths.push(path);
  }
  const damagedAt = async () => {
    await collector.collect(2);
    return [...collector.stillDamaged()].map(({ found }) => paths.findIndex((path) => found.includes(path)));
  };
  damage(paths[0] as string);
  damage(paths[4] as string);
  t.strictSame(await damagedAt(), [0]);
  damage(paths[1] as string);
  t.strictSame(await damagedAt(), [0], 'the third and the fourth');
  t.strictSame(await damagedAt(), [0, 4]);
  t.strictSame(await damagedAt(), [0, 4, 1], 'and again from the first one');
});

t.test('a damaged blob is refused until its bytes are right again, which its reader or the scrub notices', async (t) => {
  const { blobs, index, collector, later, damage, repair } = world();
  const { digest, bytes, path, hold } = await store(blobs, sample('a', 100));
  hold.release();
  index.replace(project, undefined, file(digest, bytes), 2);
  const refused = () => collector.refuseDamaged({ digest, bytes });
  const right = repair(path);
  damage(path);
  await refused();
  t.notOk(collector.isDamaged(digest), 'nobody has looked at all of its bytes');
  await collector.collect(2);
  await t.rejects(refused(), { name: 'BlobDamagedError' });
  right();
  await t.rejects(refused(), { name: 'BlobDamagedError' }, 'it is not read for each request');
  later(10_000);
  await refused();
  t.strictSame([...collector.stillDamaged()], []);
  damage(path);
  await collector.collect(2);
  t.ok(collector.isDamaged(digest));
  right();
  await collector.collect(2);
  t.notOk(collector.isDamaged(digest), 'the scrub found it right');
});
