/** What becomes of the bytes of uploads that are refused, and what they take of the account's quota meanwhile. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { UnusablePictureError } from '../../src/engine/files/store-file.ts';
import { keepVersion } from '../../src/engine/versions/versions.ts';
import { QuotaError } from '../../src/lib/errors.ts';
import { blobPath } from '../../src/storage/blobs/blob-path.ts';
import { png } from '../api/pictures.ts';
import { seed, sized } from '../support/tier.ts';
import { until } from '../support/until.ts';
import { BlobWorld, hourMs } from './blob-world.ts';

const refuse = () => {
  throw new UnusablePictureError('of another type');
};
/** It begins like a PNG, and is none. */
const broken = (size: number): Buffer => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(size, 'x')]);
const picture = (size: number, filler = 'x'): Buffer => png(1, 1, filler.repeat(size));

t.test('an upload that begins like no picture, or like one of another type, writes nothing', async (t) => {
  const world = await new BlobWorld(t).open();
  const begin = world.files.blobs.upload.bind(world.files.blobs);
  let written = 0;
  world.files.blobs.upload = (limits) => {
    const upload = begin(limits);
    const write = upload.write.bind(upload);
    upload.write = (bytes) => {
      written += bytes.byteLength;
      return write(bytes);
    };
    return upload;
  };
  await t.rejects(world.upload(Buffer.alloc(100_000, 'x')), UnusablePictureError);
  await t.rejects(world.upload(Buffer.alloc(0)), UnusablePictureError);
  await t.rejects(world.upload(picture(10), { refuse }), UnusablePictureError);
  t.equal(written, 0);
  await t.resolves(world.upload(picture(10)));
  t.ok(written > 0);
});

t.test('the bytes of a refused upload go when its request is over', async (t) => {
  const world = await new BlobWorld(t).open();
  await t.rejects(world.upload(broken(1000)), UnusablePictureError);
  await world.files.uploads.close();
  t.equal(world.blobCount, 0);
  t.equal(world.engine.state.files?.unreferenced().size, 0);
  t.equal(world.files.uploads.reservedBytes(world.accountId), 0);
});

t.test('refused and accepted uploads of equal bytes in any order keep the bytes of those that are accepted', async (t) => {
  const world = await new BlobWorld(t).open();
  let random = seed;
  const next = (below: number) => {
    random = (random * 48_271) % 2_147_483_647;
    return random % below;
  };
  for (let round = 0; round < sized({ sample: 20, all: 400 }); round++) {
    const bytes = picture(100 + round);
    const refused = async () => {
      const { blob } = await world.store(bytes);
      for (let turns = next(4); turns > 0; turns--) await new Promise(setImmediate);
      blob.hold.release();
      return undefined;
    };
    const isAnyAccepted = next(3) > 0;
    const uploads = Array.from({ length: 2 + next(3) }, (_, i) =>
      i === 0 && isAnyAccepted ? () => world.upload(bytes) : refused,
    );
    if (next(2) === 0) uploads.reverse();
    const [accepted] = (await Promise.all(uploads.map((upload) => upload()))).filter((each) => each !== undefined);
    await until('all requests are settled', () => world.files.uploads.reservedBytes(world.accountId) === 0);
    if (accepted === undefined) t.equal(world.blobCount, 0, `round ${round}: all are refused`);
    else {
      t.ok(world.has(accepted.digest), `round ${round}: one is accepted`);
      await world.files.blobs.verify({ digest: accepted.digest, bytes: bytes.byteLength });
      await world.delete(accepted.id);
      fs.rmSync(blobPath(path.join(world.folder, 'blobs'), accepted.digest));
    }
  }
});

t.test(
  'bytes that are refused while others are deleted go together, and those that a record refers to meanwhile stay',
  async (t) => {
    const world = await new BlobWorld(t).open();
    const { files, accountId } = world;
    const remove = files.blobs.delete.bind(files.blobs);
    const calls: string[][] = [];
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    files.blobs.delete = async (digests, onGone) => {
      calls.push([...digests]);
      await gate;
      return await remove(digests, onGone);
    };
    await world.refused(picture(10, 'a'));
    for (let i = 0; i < 20; i++) await world.refused(picture(20 + i));
    const { digest } = await world.upload(picture(25));
    go();
    await files.uploads.close();
    t.strictSame(
      calls.map(({ length }) => length),
      [1, 19],
    );
    t.strictSame([world.blobCount, world.has(digest), files.uploads.reservedBytes(accountId)], [1, true, 0]);
  },
);

t.test('a refused upload leaves bytes that a version, a snapshot or a backup may need', async (t) => {
  const world = await new BlobWorld(t).open();
  const { engine, files, accountId, projectId } = world;
  const again = async (bytes: Buffer) => {
    await world.refused(bytes);
    await files.uploads.close();
  };
  const kept = await world.upload(picture(10, 'v'));
  const request = { accountId, projectId, name: 'v', kind: 'named', by: '', json: () => ['{}'] } as const;
  await keepVersion(engine, files, request, { show: () => undefined });
  await world.delete(kept.id);
  await again(picture(10, 'v'));
  t.ok(world.has(kept.digest), 'a version has the file');
  const deleted = await world.upload(picture(10, 'd'));
  await world.delete(deleted.id);
  await again(picture(10, 'd'));
  t.ok(world.has(deleted.digest), 'a snapshot may have the file');
  // While one request holds the bytes, another one is accepted, and its file deleted: the log and its archive have the file.
  const first = await world.store(picture(10, 'l'));
  const logged = await world.upload(picture(10, 'l'));
  await world.delete(logged.id);
  first.blob.hold.release();
  await files.uploads.close();
  t.ok(world.has(logged.digest), 'the log has the file');
});

t.test('uploads that run reserve bytes of the quota, and refused ones give them back', async (t) => {
  const world = await new BlobWorld(t, { quotas: { bytes: 10_000 } }).open();
  const { files, accountId } = world;
  await t.rejects(world.upload(picture(10), { announcedBytes: 10_001 }), QuotaError, 'a size that does not fit');
  let begun = 0;
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  async function* slowly(bytes: Buffer) {
    yield bytes.subarray(0, 3000);
    begun++;
    await gate;
    yield bytes.subarray(3000);
  }
  const all = Array.from({ length: 8 }, (_, i) => world.store(slowly(broken(4000 + i))));
  const ended = Promise.allSettled(all);
  await until('three uploads have their first bytes', () => begun === 3);
  t.equal(files.uploads.reservedBytes(accountId), 9000);
  go();
  const outcomes = (await ended).map((each) => (each.status === 'rejected' ? (each.reason as Error).name : 'stored'));
  t.equal(outcomes.filter((name) => name === 'QuotaError').length >= 6, true, outcomes.join());
  await until('nothing is left', () => world.blobCount === 0 && files.uploads.reservedBytes(accountId) === 0);
  await t.resolves(world.upload(picture(5000)), 'the quota has all bytes back');
});

t.test('the quota has the bytes of a refused upload back when they are deleted', async (t) => {
  const world = await new BlobWorld(t).open();
  const { files, accountId } = world;
  const remove = files.blobs.delete.bind(files.blobs);
  let reserved = 0;
  files.blobs.delete = (digests, onGone) => {
    reserved = files.uploads.reservedBytes(accountId);
    return remove(digests, onGone);
  };
  const bytes = broken(1000);
  await t.rejects(world.upload(bytes), UnusablePictureError);
  await files.uploads.close();
  t.strictSame([reserved, files.uploads.reservedBytes(accountId)], [bytes.byteLength, 0]);
});

t.test('deleted bytes count for their account until they leave the disk', async (t) => {
  const world = await new BlobWorld(t, { quotas: { bytes: 10_000 } }).open();
  const unreferenced = () => world.engine.state.files?.unreferencedBytes().get(world.accountId) ?? 0;
  for (const filler of ['a', 'b']) await world.delete((await world.upload(picture(6000, filler))).id);
  t.ok(unreferenced() > 12_000);
  await t.rejects(world.upload(picture(10)), { name: 'QuotaError', quota: 'deleted_bytes' });
  await world.days(3);
  t.equal(unreferenced(), 0);
  await t.resolves(world.upload(picture(10)));
});

t.test('an upload repairs a damaged file of an account whose quota is used up', async (t) => {
  const world = await new BlobWorld(t, { quotas: { bytes: 10_000 } }).open();
  const bytes = picture(6000);
  const { digest } = await world.upload(bytes);
  const announced = { announcedBytes: bytes.byteLength };
  await t.rejects(world.upload(bytes, announced), QuotaError);
  fs.rmSync(blobPath(path.join(world.folder, 'blobs'), digest));
  world.files.collector.noteDamage({ digest, found: 'it is missing' });
  await world.upload(bytes, announced).catch(() => undefined);
  t.ok(world.has(digest));
  t.strictSame([...world.files.collector.stillDamaged()], []);
});

t.test('the day of a blob that nothing refers to goes on after a restart, and is its account\u2019s', async (t) => {
  const world = await new BlobWorld(t).open();
  const { id, digest } = await world.upload(picture(1000));
  await world.delete(id);
  for (let hours = 0; hours < 24; hours += 6) {
    await world.snapshot();
    await world.snapshot();
    t.ok(world.has(digest), `after ${hours} hours`);
    world.pass(6 * hourMs + 1);
    await world.open();
    await world.files.collector.collect(0);
    t.ok((world.engine.state.files?.unreferencedBytes().get(world.accountId) ?? 0) > 1000, 'its account is known');
  }
  await world.snapshot();
  await world.snapshot();
  t.notOk(world.has(digest), 'a server that restarts every six hours deletes it');
});

t.test('deleted bytes count for their account from the first request after a restart', async (t) => {
  const world = await new BlobWorld(t, { quotas: { bytes: 10_000 } }).open();
  for (const filler of ['a', 'b']) await world.delete((await world.upload(picture(6000, filler))).id);
  await world.open();
  await t.rejects(world.upload(picture(10)), { name: 'QuotaError', quota: 'deleted_bytes' });
  for (const digest of world.engine.state.files?.unreferenced().keys() ?? [])
    fs.rmSync(blobPath(path.join(world.folder, 'blobs'), digest));
  await world.files.collector.collect(0);
  t.equal(world.engine.state.files?.unreferenced().size, 0, 'what is not on the disk does not count');
  await t.resolves(world.upload(picture(10)));
});

t.test('a list of deleted bytes that is damaged begins their day again', async (t) => {
  const world = await new BlobWorld(t).open();
  const { id, digest } = await world.upload(picture(1000));
  await world.delete(id);
  await world.snapshot();
  await world.close();
  fs.writeFileSync(path.join(world.folder, 'blobs', 'unreferenced'), `${digest} 1e9 -5 x\n\0\0\n${'f'.repeat(64)} 1 2 ghost\n`);
  world.pass(25 * hourMs);
  await world.open();
  await world.snapshot();
  await world.snapshot();
  t.ok(world.has(digest));
  t.strictSame([...(world.engine.state.files?.unreferenced().keys() ?? [])], [digest], 'what is not on the disk is not listed');
  await world.days(3);
  t.notOk(world.has(digest));
});
