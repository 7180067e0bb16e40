/** The deletion of blobs that nothing refers to, with a clock; and blobs that are missing. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { addFile, TooManyFilesError } from '../../src/engine/files/store-file.ts';
import { filesMax } from '../../src/engine/files/stored-picture.ts';
import { publishProject, unpublishProject } from '../../src/engine/projects/publish-project.ts';
import { type FileAddress, fileAddress } from '../../src/model/references/file-references.ts';
import { blobPath } from '../../src/storage/blobs/blob-path.ts';
import { png } from '../api/pictures.ts';
import { membersIn, publishing } from '../support/engine.ts';
import { until } from '../support/until.ts';
import { BlobWorld, hourMs } from './blob-world.ts';

t.test('a blob without references is kept until the second snapshot and for a day, and then deleted', async (t) => {
  const world = await new BlobWorld(t).open();
  const { id, digest } = await world.upload(png());
  await world.snapshot();
  await world.delete(id);
  world.pass(48 * hourMs);
  await world.snapshot();
  t.ok(world.has(digest), 'the snapshot before refers to it');
  await world.snapshot();
  await world.snapshot();
  t.ok(world.has(digest), 'the day begins when no snapshot refers to it');
  world.pass(23 * hourMs);
  await world.snapshot();
  t.ok(world.has(digest));
  world.pass(hourMs);
  await world.snapshot();
  t.notOk(world.has(digest));

  const other = await world.upload(png(9, 9));
  await world.snapshot();
  await world.delete(other.id);
  await world.snapshot();
  world.pass(25 * hourMs);
  await world.open();
  await world.files.collector.collect(0);
  t.ok(world.has(other.digest), 'a day later the snapshot before still refers to it');
  await world.snapshot();
  t.notOk(world.has(other.digest));
});

t.test('a file that only a published map shows is kept, and goes when the project is made private', async (t) => {
  const world = await new BlobWorld(t).open();
  const { id, digest } = await world.upload(png());
  const { accountId, projectId } = world;
  const [value] = membersIn(world.engine, accountId, projectId, 'files');
  const { slug } = fileAddress(String(value?.['url'])) as FileAddress;
  const request = { ...publishing, accountId, projectId, json: () => ['{"name":"map"}'] };
  function* shows() {
    yield;
    return new Set([slug]);
  }
  t.match(await publishProject(world.engine, { ...request, shows }), { outcome: 'done' });
  const blobs = [...(world.engine.state.files?.referenced() ?? [])].map((blob) => blob.digest);
  t.equal(blobs.length, 2, 'the map and the picture');
  await world.delete(id);
  await world.days(3);
  await world.open();
  await world.days(3);
  t.strictSame(blobs.map((blob) => world.has(blob)), [true, true]); // biome-ignore format: one line
  await unpublishProject(world.engine, request);
  await world.days(4);
  t.strictSame([...blobs, digest].map((blob) => world.has(blob)), [false, false, false]); // biome-ignore format: one line
});

t.test('a blob that was referred to in between is kept for another day', async (t) => {
  const world = await new BlobWorld(t).open();
  const first = await world.upload(png());
  await world.delete(first.id);
  for (let i = 0; i < 3; i++) await world.snapshot();
  world.pass(23 * hourMs);
  const second = await world.upload(png());
  await world.delete(second.id);
  world.pass(2 * hourMs);
  for (let i = 0; i < 3; i++) await world.snapshot();
  t.ok(world.has(first.digest));
  world.pass(24 * hourMs);
  await world.snapshot();
  t.notOk(world.has(first.digest));
});

t.test('a blob that a record refers to again while others are deleted stays', async (t) => {
  const world = await new BlobWorld(t).open();
  const { files } = world;
  // More than one call deletes, and before the last blob.
  for (let i = 0; i < 1024; i++)
    world.engine.state.files?.foundUnreferenced(createHash('sha256').update(`${i}`).digest('hex'), 0);
  const { id, digest } = await world.upload(png());
  await world.delete(id);
  for (let i = 0; i < 2; i++) await world.snapshot();
  world.pass(25 * hourMs);
  const remove = files.blobs.delete.bind(files.blobs);
  const calls: number[] = [];
  files.blobs.delete = async (digests, onGone) => {
    const gone = await remove(digests, onGone);
    if (calls.push([...digests].length) === 1) await world.upload(png());
    return gone;
  };
  await world.snapshot();
  t.strictSame(calls.slice(0, 2), [1024, 0]);
  t.ok(world.has(digest));
});

t.test('a blob that another file refers to, or that is held, stays', async (t) => {
  const world = await new BlobWorld(t).open();
  const [kept, copy] = [await world.upload(png()), await world.upload(png())];
  const held = await world.upload(png(9, 9));
  await world.delete(copy.id);
  await world.delete(held.id);
  const hold = world.files.blobs.hold(held.digest);
  for (let i = 0; i < 3; i++) await world.snapshot();
  world.pass(25 * hourMs);
  await world.snapshot();
  t.ok(world.has(kept.digest));
  t.ok(world.has(held.digest));
  hold.release();
  await world.snapshot();
  t.notOk(world.has(held.digest), 'released, it goes with the next snapshot');
  t.ok(world.has(kept.digest));
});

t.test('a blob stays while log that waits for the archive needs it', async (t) => {
  const world = await new BlobWorld(t).open();
  const { id, digest } = await world.upload(png());
  const hold = world.engine.snapshots.hold(world.engine.state.lsn, { snapshot: false });
  await world.delete(id);
  await world.days(5);
  t.ok(world.has(digest));
  hold.move(world.engine.state.lsn);
  await world.days(2);
  t.notOk(world.has(digest));
});

t.test('a project has 10,000 files at most, also when several uploads end at the same time', async (t) => {
  const world = await new BlobWorld(t).open();
  const { accountId, projectId, engine } = world;
  const stored = await world.store(png());
  const add = () => addFile(engine, world.request(), stored, { show: () => undefined });
  for (let count = 0; count < filesMax - 500; count += 500) await Promise.all(Array.from({ length: 500 }, add));
  const last = await Promise.allSettled(Array.from({ length: 510 }, add));
  t.equal(last.filter(({ status }) => status === 'fulfilled').length, 500);
  await t.rejects(world.upload(png()), TooManyFilesError);
  t.equal(membersIn(engine, accountId, projectId, 'files').length, filesMax);
});

t.test('what crashed uploads left is deleted at a start', async (t) => {
  const world = await new BlobWorld(t).open();
  const left = path.join(world.folder, 'blobs', 'tmp', '0123456789abcdef-1');
  fs.writeFileSync(left, 'part of a picture');
  await world.open();
  await until('the leftover is deleted', () => !fs.existsSync(left));
  t.strictSame(
    world.logged.filter(([level]) => level !== 'info'),
    [],
  );
});

t.test('a start notes blobs that are missing, until they are stored again or not referred to', async (t) => {
  const world = await new BlobWorld(t).open();
  const [lost, cut, kept] = [await world.upload(png()), await world.upload(png(9, 9)), await world.upload(png(5, 5))];
  const blobs = path.join(world.folder, 'blobs');
  fs.rmSync(blobPath(blobs, lost.digest));
  fs.rmSync(blobPath(blobs, cut.digest));
  await world.open();
  await world.files.collector.collect(0);
  const damaged = () => [...world.files.collector.stillDamaged()].map(({ digest }) => digest).sort();
  t.strictSame(damaged(), [lost.digest, cut.digest].sort());
  t.ok(world.has(kept.digest));
  await world.upload(png());
  t.strictSame(damaged(), [cut.digest]);
  await world.delete(cut.id);
  t.strictSame(damaged(), []);
});

t.test('an engine that is closed during the check logs nothing', async (t) => {
  const world = await new BlobWorld(t).open();
  await world.open();
  await world.engine.close();
  t.strictSame(
    world.logged.filter(([level]) => level !== 'info'),
    [],
  );
});
