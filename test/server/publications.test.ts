/** Publications on disk: restarts, crashes, snapshots, backups, restores, the feed, damage and schema versions. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import t, { type Test } from 'tap';
import { nodeFiles } from '../../src/lib/files/files.ts';
import { type ChangeSet, decodeRecord, encodeRecord } from '../../src/model/record.ts';
import { snapshotName } from '../../src/storage/snapshot/format/snapshot-format.ts';
import { SnapshotReader } from '../../src/storage/snapshot/reader.ts';
import { listSnapshots } from '../../src/storage/snapshot/snapshot-folder.ts';
import { listSegments } from '../../src/storage/wal/format/segment.ts';
import { follow } from '../support/follower.ts';
import { type Mapwright, startMapwright } from '../support/mapwright.ts';
import { run, temporaryFolder } from '../support/process.ts';

interface Public {
  readonly status: number;
  readonly text: string;
  readonly etag: string | undefined;
}

function read({ port }: Mapwright, route: string): Promise<Public> {
  return new Promise((resolve, reject) => {
    http
      .get({ host: '127.0.0.1', port, path: route, agent: false }, (res) => {
        let text = '';
        res.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        res.on('end', () => {
          const named = text.replace(/"request_id":"[^"]*"/, '');
          resolve({ status: res.statusCode ?? 0, text: named, etag: res.headers.etag });
        });
      })
      .on('error', reject);
  });
}

/** All that a slug leads to, and what the server says about the publication. */
async function publicAt(mapwright: Mapwright, id: string, slug: unknown, files: readonly string[] = []): Promise<unknown[]> {
  const routes = [`/p/${slug}`, `/p/${slug}/map.json`, ...files.map((file) => `/p/${slug}/${file}`)];
  const seen: unknown[] = await Promise.all(routes.map((route) => read(mapwright, route)));
  const { status, text, headers } = await mapwright.ask('GET', `/v1/projects/${id}/publication`);
  const list = await mapwright.get('/publications');
  return [...seen, list.text, status, text, headers.etag];
}

const publish = async (mapwright: Mapwright, id: string) => (await mapwright.ask('PUT', `/v1/projects/${id}/publication`)).shown;

async function fileOf(mapwright: Mapwright, slug: unknown): Promise<string> {
  return JSON.parse((await read(mapwright, `/p/${slug}/map.json`)).text).map;
}

const partBytes = 500_000;

/** A project with some published versions: text that does not shrink, of this many bytes each. */
async function published(t: Test, bytes: readonly number[]) {
  const mapwright = await startMapwright(t);
  const { id } = (await mapwright.post('/projects', { name: 'Harbour', popups: [{}] })).shown;
  const popup = (await mapwright.get(`/projects/${id}/popups`)).list[0]?.id;
  const files: string[] = [];
  let slug: unknown;
  for (const size of bytes) {
    // A change must fit into a segment; a publication need not.
    for (let left = size; left > 0; left -= partBytes) {
      const content = randomBytes(Math.min(left, partBytes)).toString('base64');
      if (left === size) (await mapwright.patch(`/projects/${id}/popups/${popup}`, { content })).shown;
      else (await mapwright.post(`/projects/${id}/popups`, { content })).shown;
    }
    ({ slug } = await publish(mapwright, id));
    files.push(await fileOf(mapwright, slug));
  }
  return { mapwright, id, slug, files };
}

for (const [what, sizes] of [
  ['small maps', [100, 200, 300, 400]],
  ['maps larger than a segment, and a small one', [1_500_000, 1_400_000, 100]],
] as const) {
  t.test(`${what} survive restarts, crashes and snapshots, byte for byte`, async (t) => {
    const { mapwright, id, slug, files } = await published(t, sizes);
    const before = await publicAt(mapwright, id, slug, files);
    const same = async (when: string) => t.strictSame(await publicAt(mapwright, id, slug, files), before, when);
    await mapwright.restart();
    await same('after a restart');
    await mapwright.server.snapshot();
    await mapwright.restart();
    await same('from a snapshot');
    await mapwright.crash();
    await same('after a crash');
    // Other projects change: the next snapshots refer to the same chunks.
    for (const name of ['one', 'two', 'three']) {
      await mapwright.post('/projects', { name });
      await mapwright.server.snapshot();
    }
    await mapwright.crash();
    await same('from older files');
    const newest = listSnapshots(nodeFiles, path.join(mapwright.data, 'snapshots'))[0] as number;
    const reader = new SnapshotReader(nodeFiles, path.join(mapwright.data, 'snapshots', snapshotName(newest)));
    const maps = reader.projects.flatMap((project) => project.publication?.versions ?? []);
    t.equal(maps.length, Math.min(3, sizes.length));
    t.ok(
      maps.every(({ file }) => file < newest),
      'the maps were not written again',
    );
    reader.close();
    t.equal((await run(['verify', '--data', mapwright.data])).code, 0);
  });
}

t.test(
  'a live map keeps its rules and the names of created objects through restarts, crashes, snapshots and a restore',
  async (t) => {
    const mapwright = await startMapwright(t);
    const { id } = (await mapwright.post('/projects', { name: 'Harbour', artboards: [{ name: 'Quay' }] })).shown;
    const quay = (await mapwright.get(`/projects/${id}/artboards`)).list[0]?.id;
    const action = { type: 'create-spot', create_object_target_artboard_id: quay, create_object_name: 'Crane' };
    await mapwright.post(`/projects/${id}/actions`, {
      ...action,
      create_spot_x_custom_value: '7',
      create_spot_y_custom_value: '8',
    });
    const { slug, refresh } = await publish(mapwright, id);
    t.equal(refresh, 60);
    const result = async (): Promise<unknown> => {
      const { at, ...shown } = JSON.parse((await read(mapwright, `/p/${slug}/live.json`)).text);
      return shown;
    };
    const before = await result();
    t.match(before, { version: 1, created: [{ artboard_id: quay, object: { id: /^live-/, name: 'Crane', x: 7 } }] });
    const same = async (when: string) => t.strictSame(await result(), before, when);
    await mapwright.restart();
    await same('after a restart');
    await mapwright.crash();
    await same('after a crash');
    await mapwright.server.snapshot();
    await mapwright.crash();
    await same('from a snapshot');
    const backup = path.join(temporaryFolder(t), 'one.backup');
    await mapwright.server.backup(backup);
    const data = `${backup}-restored`;
    t.equal((await run(['restore', backup, '--data', data])).code, 0);
    await mapwright.close();
    fs.rmSync(mapwright.data, { recursive: true });
    fs.renameSync(data, mapwright.data);
    await mapwright.start();
    await same('from a backup');
  },
);

t.test('the list of publications never reuses an entity tag for other content', async (t) => {
  const mapwright = await startMapwright(t);
  const make = async (name: string) => (await mapwright.post('/projects', { name })).shown.id;
  const [one, two] = [await make('one'), await make('two')];
  const list = async () => {
    const { text, headers } = await mapwright.get('/publications');
    return [text, headers.etag] as const;
  };
  await publish(mapwright, one);
  await publish(mapwright, two);
  // The newest change is one of the account: the deletion is not, and no snapshot has its number.
  await mapwright.patch(`/projects/${two}`, { name: 'changed' });
  const [before, tag] = await list();
  await mapwright.delete(`/projects/${one}/publication`);
  await mapwright.server.snapshot();
  await mapwright.restart();
  const [after, other] = await list();
  t.not(after, before);
  t.not(other, tag);
  await mapwright.restart({ publish: false });
  t.equal((await list())[0], '[]', 'nothing is public with --no-publish');
  await mapwright.restart({ publish: true });
  t.strictSame(await list(), [after, other], 'and it stays stored');
});

t.test('a backup and its restore contain the publications', async (t) => {
  const { mapwright, id, slug, files } = await published(t, [100, 200]);
  const before = await publicAt(mapwright, id, slug, files);
  const folder = temporaryFolder(t);
  const backup = path.join(folder, 'one.backup');
  await mapwright.server.backup(backup);
  (await mapwright.delete(`/projects/${id}/publication`)).status;
  const gone = await read(mapwright, `/p/${slug}`);
  t.equal(gone.status, 404);
  const data = path.join(folder, 'restored');
  const restored = await run(['restore', backup, '--data', data]);
  t.equal(restored.code, 0, restored.stderr);
  t.match(restored.stdout, /made private later is public again/);
  await mapwright.close();
  fs.rmSync(mapwright.data, { recursive: true });
  fs.renameSync(data, mapwright.data);
  await mapwright.start();
  const after = await publicAt(mapwright, id, slug, files);
  // A restore begins another history, so the tags of the API differ; those of what is public name its bytes.
  t.strictSame(after.slice(0, -1), before.slice(0, -1));
  await mapwright.restart({ publish: false });
  t.equal((await read(mapwright, `/p/${slug}`)).status, 404, 'with --no-publish nothing is public');
  t.equal((await mapwright.delete(`/projects/${id}/publication`)).status, 204, 'and it can be made private');
  await mapwright.restart({ publish: true });
  t.equal((await read(mapwright, `/p/${slug}`)).status, 404);
});

t.test('the change feed announces publications, live and from the log', async (t) => {
  const mapwright = await startMapwright(t);
  const { id } = (await mapwright.post('/projects', { name: 'Harbour' })).shown;
  const live = await follow(mapwright, `/projects/${id}/events`);
  t.teardown(() => live.res.destroy());
  const tag = String((await mapwright.get(`/projects/${id}`)).headers.etag).slice(1, -1);
  const { slug, published, bytes } = await publish(mapwright, id);
  const event = { kind: 'publication', id, project_id: id };
  const created = await live.next();
  const resource = { slug, version: 1, published, bytes, origins: ['*'], refresh: 0 };
  t.match(created.events, [{ name: 'publication.created', data: { ...event, resource } }]);
  t.strictSame(created.events[0]?.data.resource, resource, 'and nothing else');
  await mapwright.ask('PUT', `/v1/projects/${id}/publication`, { body: { origins: [] } });
  t.match((await live.next()).events, [
    { name: 'publication.updated', data: { ...event, resource: { version: 1, origins: [] } } },
  ]);
  await mapwright.patch(`/projects/${id}`, { name: 'changed' });
  t.match((await live.next()).events, [{ name: 'project.updated' }]);
  await publish(mapwright, id);
  t.match((await live.next()).events, [{ name: 'publication.updated', data: { ...event, resource: { version: 2 } } }]);
  await mapwright.delete(`/projects/${id}/publication`);
  t.match((await live.next()).events, [{ name: 'publication.deleted', data: { ...event, resource: null } }]);
  const again = await follow(mapwright, `/projects/${id}/events`, { after: tag });
  t.teardown(() => again.res.destroy());
  const names: string[] = [];
  while (names.length < 5) names.push(...(await again.next()).events.map(({ name }) => name));
  t.strictSame(names, [
    ...['publication.created', 'publication.updated', 'project.updated'],
    ...['publication.updated', 'publication.deleted'],
  ]);
});

t.test('a large publication in the feed is its description, without the bytes', async (t) => {
  const { mapwright, id, slug } = await published(t, [3_000_000]);
  const live = await follow(mapwright, '/events');
  t.teardown(() => live.res.destroy());
  const content = randomBytes(partBytes).toString('base64');
  (await mapwright.post(`/projects/${id}/popups`, { content })).shown;
  t.match((await live.next()).events, [{ name: 'popup.created' }]);
  await publish(mapwright, id);
  const { events } = await live.next();
  t.match(events, [{ name: 'publication.updated', data: { resource: { slug, version: 2 } } }]);
  t.ok(JSON.stringify(events).length < 1000);
});

t.test('the command log names each publication and withdrawal', async (t) => {
  const { mapwright, id } = await published(t, [100]);
  await mapwright.delete(`/projects/${id}/publication`);
  await mapwright.close();
  const logged = await run(['log', '--data', mapwright.data]);
  t.match(logged.stdout, /published project "Harbour": version 1 \(\d+ bytes\)/);
  t.match(logged.stdout, /unpublished project "Harbour"/);
});

t.test('a damaged publication is found, and a repair keeps its whole versions', async (t) => {
  const { mapwright, id, slug, files } = await published(t, [5_000, 6_000]);
  await mapwright.server.snapshot();
  await mapwright.close();
  const snapshots = path.join(mapwright.data, 'snapshots');
  const newest = listSnapshots(nodeFiles, snapshots)[0] as number;
  const file = path.join(snapshots, snapshotName(newest));
  const reader = new SnapshotReader(nodeFiles, file);
  const last = reader.projects[0]?.publication?.versions.at(-1);
  reader.close();
  const bytes = fs.readFileSync(file);
  const at = (last?.offset ?? 0) + 1000;
  bytes[at] = (bytes[at] as number) ^ 1;
  fs.writeFileSync(file, bytes);
  // Without the log the map cannot be replayed.
  const segments = listSegments(nodeFiles, path.join(mapwright.data, 'journal'));
  for (const { path: segment, firstLsn } of segments) if (firstLsn <= newest) fs.rmSync(segment);
  const verified = await run(['verify', '--data', mapwright.data]);
  t.equal(verified.code, 3);
  t.match(verified.stdout + verified.stderr, snapshotName(newest));
  const into = path.join(temporaryFolder(t), 'repaired');
  const repaired = await run(['repair', '--data', mapwright.data, '--to', into]);
  t.match(repaired.stdout + repaired.stderr, /1 of 2 published versions of project "Harbour"/);
  fs.rmSync(mapwright.data, { recursive: true });
  fs.renameSync(into, mapwright.data);
  await mapwright.start();
  t.match((await mapwright.ask('GET', `/v1/projects/${id}/publication`)).shown, { slug, version: 1, stale: true });
  t.equal((await read(mapwright, `/p/${slug}/${files[0]}`)).status, 200);
  t.equal((await read(mapwright, `/p/${slug}/${files[1]}`)).status, 404);
  t.match(await publish(mapwright, id), { slug, stale: false });
});

t.test('a publication record that contradicts its head is damage', (t) => {
  const head = {
    slug: `0${'k'.repeat(26)}`,
    origins: ['*'],
    projectVersion: 1,
    newest: { version: 1, digest: 'a'.repeat(64), published: '', jsonBytes: 1, bytes: 4 },
  };
  const set = (change: object): ChangeSet => ({
    time: 1,
    changes: [{ op: 'put-publication', accountId: 'a', projectId: 'p', head, content: Buffer.from('four'), ...change }] as never,
  });
  const decoded = (change: object) => () => decodeRecord(encodeRecord(set(change)));
  t.doesNotThrow(decoded({}));
  t.throws(decoded({ content: Buffer.from('three') }), /has 5 bytes, not 4/);
  t.throws(decoded({ head: { ...head, slug: '../../etc' } }), /slug/);
  t.throws(decoded({ head: { ...head, newest: { ...head.newest, digest: '../map' } } }), /digest/);
  t.throws(decoded({ head: { ...head, newest: { ...head.newest, bytes: 2 ** 30 } } }), /size/);
  t.end();
});
