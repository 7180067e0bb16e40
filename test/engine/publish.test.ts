// process: own
/** Publishing in the engine: how large a map may be before compression, and the order of its bytes and its record. */
import t, { type Test } from 'tap';
import { publishProject, unpublishProject } from '../../src/engine/projects/publish-project.ts';
import { Deferred } from '../../src/lib/async/deferred.ts';
import { nodeFiles } from '../../src/lib/files/files.ts';
import { publicationJsonBytesMax } from '../../src/model/publication.ts';
import type { BlobJob, BlobJobResult, JobKind } from '../../src/storage/blobs/blob-files.ts';
import { BlobMemory } from '../../src/storage/blobs/blob-memory.ts';
import { loggedFiles } from '../../src/storage/snapshot/files/logged-files.ts';
import { neededBlobs } from '../../src/storage/snapshot/files/needed-blobs.ts';
import { listSegments } from '../../src/storage/wal/format/segment.ts';
import { readSegment } from '../../src/storage/wal/read/read-segment.ts';
import { newestVersion, type Publication } from '../../src/store/stored-publication.ts';
import { accountIn, create, done, foldersIn, openWorld, project, projectIn, publishing } from '../support/engine.ts';
import { workersOfTier } from '../support/in-thread.ts';
import { temporaryFolder } from '../support/process.ts';
import { until } from '../support/until.ts';

/** Blobs in memory whose name is given when the test says so. */
class SlowNames extends BlobMemory {
  gate: Deferred<void> | undefined;
  isNaming = false;

  override async upload<K extends JobKind>(thread: number, job: BlobJob<K>): Promise<BlobJobResult<K>> {
    if (job.kind === 'name') {
      this.isNaming = true;
      await this.gate?.promise;
    }
    return await super.upload(thread, job);
  }
}

async function world(t: Test) {
  const folder = temporaryFolder(t);
  const blobs = new SlowNames();
  const { engine, stored: files } = await openWorld(folder, { workers: { ...workersOfTier(), blobs } });
  t.teardown(() => engine.close());
  const accountId = await accountIn(engine);
  const projectId = await done(engine, create(project(accountId)));
  const request = { ...publishing, accountId, projectId, json: () => ['{"name":"map"}'] };
  const publication = () => projectIn(engine, accountId, projectId).publication;
  return { folder, blobs, engine, files, request, publication };
}

t.test('a map of more than 64 MiB before compression is refused, however small it is compressed', async (t) => {
  t.equal(publicationJsonBytesMax, 64 * 1024 * 1024);
  const { engine, request: small } = await world(t);
  const part = Buffer.alloc(1024 * 1024, 'a');
  let last = Buffer.from('a');
  function* json() {
    for (let bytes = 0; bytes < publicationJsonBytesMax; bytes += part.length) yield part;
    yield last;
  }
  const request = { ...small, json };
  await t.rejects(publishProject(engine, request), { message: /more than 64 MiB before compression/ });
  t.equal(engine.state.publications.size, 0, 'nothing was changed');
  last = Buffer.alloc(0);
  t.match(await publishProject(engine, request), { outcome: 'done' }, 'as large as allowed');
});

t.test('the record of a publication is appended when its map is durable under its name', async (t) => {
  const { blobs, engine, request } = await world(t);
  blobs.gate = new Deferred();
  const { nextLsn } = engine.journal;
  const publishingNow = publishProject(engine, request);
  await until('the map gets its name', async () => blobs.isNaming);
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  t.equal(engine.journal.nextLsn, nextLsn, 'no record yet');
  blobs.gate.resolve();
  t.match(await publishingNow, { outcome: 'done' });
  t.equal(engine.journal.nextLsn, nextLsn + 1);
});

t.test('the bytes of a map are held from their upload until its record is applied', async (t) => {
  const { engine, files, request, publication } = await world(t);
  const newest = () => newestVersion(publication() as Publication);
  await publishProject(engine, request);
  const { blob, bytes } = newest();
  await unpublishProject(engine, request);
  t.notOk(engine.state.files?.isReferenced(blob));
  const append = engine.journal.append.bind(engine.journal);
  let deleting: Promise<string[]> | undefined;
  engine.journal.append = (record) => {
    deleting ??= files.blobs.delete([blob]);
    return append(record);
  };
  await publishProject(engine, request);
  t.equal(newest().blob, blob, 'equal bytes have one name');
  t.strictSame(await deleting, []);
  t.equal((await files.blobs.read(blob, bytes)).byteLength, bytes);
});

t.test('the log names the blobs of the maps that its records publish', async (t) => {
  const { folder, engine, request, publication } = await world(t);
  await publishProject(engine, request);
  const { blob, bytes } = newestVersion(publication() as Publication);
  const needed = new Map<string, { readonly bytes: number; readonly kind: string }>();
  for (const file of listSegments(nodeFiles, foldersIn(folder).journal))
    for (const [digest, each] of neededBlobs(loggedFiles(readSegment(nodeFiles, file)))) needed.set(digest, each);
  t.match([...needed], [[blob, { bytes, kind: 'published map', name: '1' }]]);
});
