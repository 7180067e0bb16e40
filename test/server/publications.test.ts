/** Publications on disk: restarts, crashes, snapshots, backups, restores, the feed, damage and schema versions. */
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { isDigest } from '../../src/storage/blobs/blob-path.ts';
import { type ChangeSet, decodeRecord, encodeRecord } from '../../src/store/operations/record.ts';
import { flip } from '../support/flip.ts';
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
    // Other projects change.
    for (const name of ['one', 'two', 'three']) {
      await mapwright.post('/projects', { name });
      await mapwright.server.snapshot();
    }
    await mapwright.crash();
    await same('from older files');
    const verified = await run(['verify', '--data', mapwright.data, '--json']);
    t.equal(verified.code, 0);
    const blobs = Math.min(3, sizes.length) + 1;
    t.equal(JSON.parse(verified.stdout).blobs, blobs, 'the blobs of the maps that are kept, and of their pages, which are equal');
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

/** The file of the blob of a map, by its public name. */
function blobOf(mapwright: Mapwright, map: string): string {
  for (const name of fs.readdirSync(path.join(mapwright.data, 'blobs'), { recursive: true, encoding: 'utf8' })) {
    const file = path.join(mapwright.data, 'blobs', name);
    if (!isDigest(path.basename(name))) continue;
    const json = gunzipSync(fs.readFileSync(file));
    if (`${createHash('sha256').update(json).digest('hex')}.json` === map) return file;
  }
  throw new Error(`no blob has the map ${map}`);
}

const alarms = async (mapwright: Mapwright): Promise<string> => {
  const { text } = await mapwright.ask('GET', '/metrics');
  return /mapwright_alarm\{[^}]*blob_damaged[^}]*\} (\d)/.exec(text)?.[1] ?? 'no metric';
};

for (const [what, sizes, damage] of [
  ['other bytes', [5_000, 6_000], (file: string) => flip(file, 100)],
  ['other bytes that is too large for memory', [5_000, 1_500_000], (file: string) => flip(file, 1_000_000)],
  ['no file', [5_000, 6_000], (file: string) => fs.rmSync(file)],
] as const) {
  t.test(
    `a map with ${what} on disk is a 500 and an alarm; verify and repair name it, and publishing again ends it`,
    async (t) => {
      const { mapwright, id, slug, files } = await published(t, sizes);
      await mapwright.close();
      damage(blobOf(mapwright, String(files[1])));
      await mapwright.start();
      t.equal((await read(mapwright, `/p/${slug}/${files[1]}`)).status, 500);
      t.equal((await read(mapwright, `/p/${slug}/${files[0]}`)).status, 200, 'the version before is served');
      t.equal((await read(mapwright, `/p/${slug}/map.json`)).status, 200);
      t.equal(await alarms(mapwright), '1');
      await mapwright.close();
      const verified = await run(['verify', '--data', mapwright.data]);
      t.equal(verified.code, 3);
      t.match(verified.stdout + verified.stderr, `the bytes of the published map "2" of project ${id}`);
      const into = path.join(temporaryFolder(t), 'repaired');
      const repaired = await run(['repair', '--data', mapwright.data, '--to', into]);
      t.match(repaired.stdout + repaired.stderr, `the bytes of the published map "2" of project ${id}`);
      fs.rmSync(mapwright.data, { recursive: true });
      fs.renameSync(into, mapwright.data);
      await mapwright.start();
      t.equal((await read(mapwright, `/p/${slug}/${files[1]}`)).status, 500);
      t.match(await publish(mapwright, id), { slug, version: 2, stale: false }, 'the project has not changed');
      t.equal((await read(mapwright, `/p/${slug}/${files[1]}`)).status, 200);
      t.equal(await alarms(mapwright), '0');
    },
  );
}

t.test('a publication record that contradicts its head is damage', (t) => {
  const head = {
    slug: `0${'k'.repeat(26)}`,
    origins: ['*'],
    projectVersion: 1,
    newest: {
      ...{ version: 1, digest: 'a'.repeat(64), published: '', jsonBytes: 1, bytes: 4, blob: 'b'.repeat(64) },
      files: [{ slug: `0${'m'.repeat(26)}`, digest: 'c'.repeat(64), bytes: 5, type: 'image/png' }],
    },
  };
  const set = (change: object): ChangeSet => ({
    time: 1,
    changes: [{ op: 'put-publication', accountId: 'a', projectId: 'p', head, created: true, ...change }] as never,
  });
  const decoded = (change: object) => () => decodeRecord(encodeRecord(set(change)));
  t.doesNotThrow(decoded({}));
  t.throws(decoded({ created: 1 }), /whether a publication is new/);
  t.throws(decoded({ head: { ...head, slug: '../../etc' } }), /slug/);
  t.throws(decoded({ head: { ...head, newest: { ...head.newest, digest: '../map' } } }), /digest/);
  t.throws(decoded({ head: { ...head, newest: { ...head.newest, bytes: 2 ** 30 } } }), /size/);
  t.throws(decoded({ head: { ...head, newest: { ...head.newest, blob: '../../etc' } } }), /blob/);
  const shown = (file: object) =>
    decoded({ head: { ...head, newest: { ...head.newest, files: [{ ...head.newest.files[0], ...file }] } } });
  t.throws(shown({ digest: '../map' }), /digest/);
  t.throws(shown({ slug: 'x' }), /slug/);
  t.end();
});
