// tier: normal
/** Projects whose record is larger than a log file: import, copy, change feed and recovery. Log files have 1 MiB here. */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { projectTooLarge } from '../../src/api/crud/handlers.ts';
import type { Api } from '../../src/api/declaration.ts';
import { nodeFiles } from '../../src/lib/files/files.ts';
import { listSegments, segmentBytesMin } from '../../src/storage/wal/format/segment.ts';
import { readSegment } from '../../src/storage/wal/read/read-segment.ts';
import { follow, lsnOf } from '../support/follower.ts';
import { type Mapwright, type Shown, startMapwright } from '../support/mapwright.ts';
import { test } from '../support/test.ts';

const mebibyte = 1024 * 1024;
const content = 'x'.repeat(2000);
const count = 1200;

/** A document of more than 2 MiB, in many members. */
const documentOf = (name: string, popups = count): string =>
  JSON.stringify({
    format: 'mapwright-project',
    version: 1,
    project: { name, popups: Array.from({ length: popups }, (_, i) => ({ title: `${name} ${i}`, content })) },
  });

const importOf = (mapwright: Mapwright, name: string, headers: Record<string, string> = {}) =>
  mapwright.post('/projects/import', documentOf(name), { headers });

/** Names of the projects, each with whether it is whole. */
async function whole(mapwright: Mapwright): Promise<string[]> {
  const projects = (await mapwright.get('/projects')).list as (Shown & { name: string; popups: Shown[] })[];
  return projects.map(({ name, popups }) => {
    const isWhole = popups.length === count && popups.every((popup, i) => popup['title'] === `${name.split(' ')[0]} ${i}`);
    return `${name}: ${isWhole || popups.length === 0 ? 'whole' : 'not whole'}`;
  });
}

const sizesOf = (mapwright: Mapwright): number[] =>
  listSegments(nodeFiles, path.join(mapwright.data, 'journal')).map((file) => readSegment(nodeFiles, file).header.segmentBytes);

const isLarge = (mapwright: Mapwright): boolean => sizesOf(mapwright).some((size) => size > 2 * mebibyte);

t.test('a large import and its copy are one record each and survive a kill', async (t) => {
  const mapwright = await startMapwright(t);
  const imported = await importOf(mapwright, 'big');
  t.equal(imported.status, 200, imported.text.slice(0, 300));
  t.ok(isLarge(mapwright), 'in a log file of its own size');
  const { id } = imported.shown;
  const copy = await mapwright.post(`/projects/${id}/duplicate`, { name: 'big copy' });
  t.equal(copy.status, 200);
  t.equal(
    copy.headers['etag'],
    (await mapwright.get(`/projects/${copy.shown.id}`)).headers['etag'],
    'its version is that of its record',
  );
  const [popup] = copy.shown['popups'] as Shown[];
  const version = (await mapwright.get(`/projects/${copy.shown.id}/popups/${popup?.id}`)).headers['etag'];
  t.equal(String(version).slice(1, 20), String(copy.headers['etag']).slice(1, 20), 'and of all that is in it');
  t.equal((await mapwright.post('/projects', { name: 'small' })).status, 200);
  t.strictSame(await whole(mapwright), ['big: whole', 'big copy: whole', 'small: whole']);
  const before = (await mapwright.get('/projects')).text;
  await mapwright.crash();
  t.equal((await mapwright.get('/projects')).text, before);
  t.equal((await mapwright.patch(`/projects/${id}`, { name: 'big again' })).status, 200);
  await mapwright.restart();
  t.strictSame(await whole(mapwright), ['big again: whole', 'big copy: whole', 'small: whole']);
});

test.all('concurrent large imports all succeed beside small writes of another account', async (t) => {
  const mapwright = await startMapwright(t);
  const bob = await mapwright.newKey('bob');
  let made = 0;
  let open = true;
  const small = (async () => {
    while (open) {
      const { status } = await mapwright.post('/projects', {}, { key: bob });
      if (status === 200) made++;
      else t.equal(status, 503, 'at worst the next log file is not ready yet');
    }
  })();
  const answers = await Promise.all(['a', 'b', 'c'].map((name) => importOf(mapwright, name)));
  open = false;
  await small;
  t.strictSame(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  t.strictSame((await whole(mapwright)).sort(), ['a: whole', 'b: whole', 'c: whole']);
  t.ok(made > 0);
  await mapwright.crash();
  t.strictSame((await whole(mapwright)).sort(), ['a: whole', 'b: whole', 'c: whole']);
  t.equal((await mapwright.get('/projects?fields=id', { key: bob })).list.length, made, 'and whatever was answered');
});

test.all('a repeated large import with an Idempotency-Key takes effect once, also after a kill', async (t) => {
  const mapwright = await startMapwright(t);
  const headers = { 'idempotency-key': 'import-1' };
  const first = await importOf(mapwright, 'big', headers);
  t.equal(first.status, 200, first.text.slice(0, 300));
  t.equal((await importOf(mapwright, 'big', headers)).text, first.text);
  await mapwright.crash();
  const again = await importOf(mapwright, 'big', headers);
  t.equal(again.text, first.text);
  t.strictSame(await whole(mapwright), ['big: whole']);
});

t.test('a large import beyond the quota of its account is refused and writes nothing', async (t) => {
  const mapwright = await startMapwright(t, { quotas: { members: 2 * count + 1, bytes: 5 * mebibyte + 512 * 1024 } });
  t.equal((await importOf(mapwright, 'one')).status, 200);
  const { id } = (await importOf(mapwright, 'two')).shown;
  const refused = await importOf(mapwright, 'three');
  t.equal(refused.status, 403, refused.text.slice(0, 300));
  t.notOk(fs.existsSync(path.join(mapwright.data, 'journal/large')), 'and nothing was written for it');
  t.equal((await mapwright.post(`/projects/${id}/popups`, { title: 'the last' })).status, 200);
  t.equal((await mapwright.post(`/projects/${id}/popups`, { title: 'one more' })).status, 403);
  t.equal((await mapwright.delete(`/projects/${id}`)).status, 204);
  t.equal((await importOf(mapwright, 'three')).status, 200, 'it is counted as it was put');
});

/** The events of an imported project for a subscriber: one record, every member once, in order. */
function sameAsMade(t: Test, events: readonly { name: string; data: { resource: Shown } }[], made: Shown): void {
  t.equal(events[0]?.name, 'project.created');
  t.strictSame(
    events.slice(1).map(({ data }) => data.resource.id),
    (made['popups'] as Shown[]).map(({ id }) => id),
  );
}

test.all('subscribers get a large import once, live and from the log', async (t) => {
  const mapwright = await startMapwright(t);
  const { id } = (await mapwright.post('/projects', { name: 'p' })).shown;
  const live = await (await follow(mapwright, '/events')).begun();
  const beginning = live.id;
  const elsewhere = await (await follow(mapwright, `/projects/${id}/events`)).begun();
  await mapwright.patch(`/projects/${id}`, { name: 'before' });
  const making = importOf(mapwright, 'big');
  for (let i = 0; i < 5; i++) await mapwright.patch(`/projects/${id}`, { name: `meanwhile ${i}` });
  const made = (await making).shown;
  await mapwright.patch(`/projects/${id}`, { name: 'after' });
  const resumed = await follow(mapwright, '/events', { lastEventId: beginning });
  for (const [who, followed] of Object.entries({ live, resumed })) {
    const lsns: number[] = [];
    let large = 0;
    while (large === 0 || followed.id === '' || lsns.length < 8) {
      const record = await followed.next();
      lsns.push(lsnOf(record.id));
      if (record.events.length === 1) continue;
      large++;
      sameAsMade(t, record.events, made);
    }
    t.equal(large, 1, `${who}: once`);
    t.strictSame(
      lsns,
      lsns.map((_, i) => (lsns[0] as number) + i),
      `${who}: no gap, no repeat`,
    );
  }
  await mapwright.patch(`/projects/${id}`, { name: 'live again' });
  for (const followed of [live, resumed]) t.equal((await followed.next()).events[0]?.data.resource.name, 'live again');
  const heard: string[] = [];
  while (heard.at(-1) !== 'live again') heard.push((await elsewhere.next()).events[0]?.data.resource.name);
  t.equal(heard.length, 8, 'who follows another project hears of that alone');
  for (const followed of [live, resumed, elsewhere]) followed.leave();
});

test.all('a snapshot contains a large project and replaces its log file', async (t) => {
  const mapwright = await startMapwright(t);
  await importOf(mapwright, 'big');
  await mapwright.server.snapshot();
  await mapwright.post('/projects', { name: 'small' });
  await mapwright.server.snapshot();
  t.notOk(isLarge(mapwright), 'its log file is gone');
  await mapwright.crash();
  t.strictSame(await whole(mapwright), ['big: whole', 'small: whole']);
  t.ok(sizesOf(mapwright).every((size) => size === segmentBytesMin));
});

t.test('a large import without room for its log file gets 507, and small writes go on', async (t) => {
  const mapwright = await startMapwright(t);
  // In the way of the file that is written first, as a full disk would be.
  const inTheWay = path.join(mapwright.data, 'journal/large.tmp');
  fs.mkdirSync(inTheWay);
  const refused = await importOf(mapwright, 'big');
  t.equal(refused.status, 507, refused.text.slice(0, 300));
  t.equal((await mapwright.post('/projects', { name: 'small' })).status, 200);
  t.strictSame(await whole(mapwright), ['small: whole']);
  fs.rmdirSync(inTheWay);
  t.equal((await importOf(mapwright, 'big')).status, 200);
  t.strictSame((await whole(mapwright)).sort(), ['big: whole', 'small: whole']);
});

t.test('a project too large for any log file is refused with the limit of the journal', (t) => {
  const api = { engine: { journal: { preparedBytesMax: 16 * mebibyte - 512 } } } as unknown as Api;
  t.match(projectTooLarge(api, 'no copy was made').message, /larger than 16 MiB as stored.*: no copy was made\.$/);
  t.end();
});
