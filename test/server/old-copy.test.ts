// tier: normal
/**
 * An old copy of a data folder that is put back: its history continues, and what was written after the copy is distinguished from
 * what is written now, in entity tags and in event ids. A restart alone changes no tag and no id.
 */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { follow } from '../support/follower.ts';
import { type Mapwright, startMapwright } from '../support/mapwright.ts';
import { run, temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';

const tagOf = ({ headers }: { readonly headers: { readonly etag?: string | undefined } }): string => String(headers.etag);
const ifMatch = (tag: string) => ({ headers: { 'if-match': tag } });
const ifNoneMatch = (tag: string) => ({ headers: { 'if-none-match': tag } });
const placeOf = (tag: string): string => tag.replaceAll('"', '');

/** What was written before a folder was copied, and what is lost with what came after. */
interface Written {
  readonly at: string;
  readonly kept: string;
  readonly lost: string;
}

/** Writes, keeps a copy of the folder, writes on; then puts the copy back and writes something else in the same number of records. */
async function putBack(
  t: Test,
  mapwright: Mapwright,
  copy: () => void | Promise<void>,
  back: () => Promise<void>,
): Promise<Written> {
  const { id } = (await mapwright.post('/projects', { name: 'A' })).shown;
  const at = `/projects/${id}`;
  const kept = tagOf(await mapwright.get(at));
  await copy();
  const lost = tagOf(await mapwright.patch(at, { name: 'B' }));
  t.not(lost, kept);
  await back();
  t.equal((await mapwright.get(at, ifNoneMatch(kept))).status, 304, 'nothing was written since the copy was made');
  t.equal((await mapwright.get(at, ifNoneMatch(lost))).status, 200);
  t.match((await mapwright.patch(at, { name: 'C' })).shown, { name: 'C' });
  return { at, kept, lost };
}

async function areDistinguished(t: Test, mapwright: Mapwright, { at, kept, lost }: Written): Promise<void> {
  const now = tagOf(await mapwright.get(at));
  t.not(now, lost, 'another tag for another version');
  t.equal(now.split('-')[1], lost.split('-')[1], 'although it has the same number');
  const refused = await mapwright.patch(at, { name: 'over C, unseen' }, ifMatch(lost));
  t.match([refused.status, refused.problem.code], [412, 'precondition_failed']);
  t.equal((await mapwright.get(at, ifMatch(lost))).status, 412);
  const fresh = await mapwright.get(at, ifNoneMatch(lost));
  t.match([fresh.status, fresh.shown], [200, { name: 'C' }]);
  const reset = await follow(mapwright, '/events', { lastEventId: placeOf(lost) });
  t.match((await reset.next()).events, [{ name: 'reset', data: { reason: 'unknown', version: placeOf(now) } }]);
  reset.leave();
  const resumed = await follow(mapwright, '/events', { lastEventId: placeOf(kept) });
  t.match(await resumed.next(), { id: placeOf(now), events: [{ name: 'project.updated', data: { resource: { name: 'C' } } }] });
  resumed.leave();
  const written = await mapwright.patch(at, { name: 'D' }, ifMatch(now));
  t.equal(written.status, 200);
}

t.test('an old copy of a folder reuses no entity tag or event id of the lost writes', async (t) => {
  const mapwright = await startMapwright(t);
  const copied = path.join(temporaryFolder(t), 'copy');
  const written = await putBack(
    t,
    mapwright,
    async () => {
      await mapwright.close();
      fs.cpSync(mapwright.data, copied, { recursive: true, filter: (file) => !file.endsWith('.sock') });
      await mapwright.start();
    },
    async () => {
      await mapwright.close();
      fs.rmSync(mapwright.data, { recursive: true });
      fs.renameSync(copied, mapwright.data);
      await mapwright.start();
    },
  );
  await areDistinguished(t, mapwright, written);
});

t.test('a copy of a running server reuses no entity tag or event id of lost writes, also after snapshots', async (t) => {
  const mapwright = await startMapwright(t);
  const copied = path.join(temporaryFolder(t), 'copy');
  const written = await putBack(
    t,
    mapwright,
    () => {
      fs.mkdirSync(copied);
      for (const part of ['format', 'journal'])
        fs.cpSync(path.join(mapwright.data, part), path.join(copied, part), { recursive: true });
    },
    async () => {
      await mapwright.server.snapshot();
      await mapwright.close();
      fs.rmSync(mapwright.data, { recursive: true });
      fs.renameSync(copied, mapwright.data);
      await mapwright.start();
    },
  );
  t.ok(await mapwright.server.snapshot());
  t.ok(await mapwright.crash().then(() => mapwright.server));
  await areDistinguished(t, mapwright, written);
});

test.all('a restored backup reuses no entity tag or event id of the lost writes', async (t) => {
  // Made before the server, so that it is deleted after the server has stopped.
  const folder = temporaryFolder(t);
  const [backup, restored] = [path.join(folder, 'one.backup'), path.join(folder, 'restored')];
  const mapwright = await startMapwright(t);
  const { id } = (await mapwright.post('/projects', { name: 'A' })).shown;
  const at = `/projects/${id}`;
  await mapwright.server.backup(backup);
  const lost = tagOf(await mapwright.patch(at, { name: 'B' }));
  await mapwright.close();
  const { code, stderr } = await run(['restore', backup, '--data', restored]);
  t.equal(code, 0, stderr);
  mapwright.data = restored;
  await mapwright.start();
  t.match((await mapwright.patch(at, { name: 'C' })).shown, { name: 'C' });
  t.equal((await mapwright.patch(at, { name: 'D' }, ifMatch(lost))).status, 412);
  t.equal((await mapwright.get(at, ifNoneMatch(lost))).status, 200);
  const reset = await follow(mapwright, '/events', { lastEventId: placeOf(lost) });
  t.match((await reset.next()).events, [{ name: 'reset', data: { reason: 'unknown' } }]);
  reset.leave();
  const now = tagOf(await mapwright.get(at));
  await mapwright.restart();
  t.equal(tagOf(await mapwright.get(at)), now);
});

t.test('restarts change no entity tag and no event id', async (t) => {
  const mapwright = await startMapwright(t);
  const first = (await mapwright.post('/projects', { name: 'first' })).shown.id;
  const tags = [tagOf(await mapwright.get(`/projects/${first}`))];
  for (const how of ['restart', 'crash', 'restart'] as const) {
    await mapwright[how]();
    const before = tags.at(-1) as string;
    const followed = await follow(mapwright, '/events', { lastEventId: placeOf(before) });
    t.equal(
      (await mapwright.get(`/projects/${first}`, ifNoneMatch(tags[0] as string))).status,
      304,
      'what was read before is known',
    );
    const made = await mapwright.post('/projects', { name: how });
    t.match(await followed.next(), { id: placeOf(tagOf(made)), events: [{ name: 'project.created' }] }, 'nothing was missed');
    followed.leave();
    tags.push(tagOf(made));
  }
  const runs = tags.map((tag) => tag.slice(1).split('-')[0]);
  t.equal(new Set(runs).size, runs.length, 'each start that wrote something is a run of its own');
  const patched = await mapwright.patch(`/projects/${first}`, { name: 'changed' }, ifMatch(tags[0] as string));
  t.equal(patched.status, 200, 'by the tag that it got some runs ago');
});

test.all('a new run is recorded also if its first write is larger than a segment', async (t) => {
  const mapwright = await startMapwright(t);
  const popups = Array.from({ length: 700 }, (_, i) => ({ title: `${i}`, content: 'x'.repeat(1000) }));
  const { id } = (await mapwright.post('/projects', { popups })).shown;
  const operations = popups.map((body) => ({ method: 'POST', path: '/popups', body }));
  t.equal((await mapwright.post(`/projects/${id}/batch`, { operations })).status, 200);
  const runs = new Set<string | undefined>();
  const noteRun = (tag: string): number => runs.add(tag.slice(1).split('-')[0]).size;
  noteRun(tagOf(await mapwright.get(`/projects/${id}`)));
  await mapwright.restart();
  const large = await mapwright.post(`/projects/${id}/duplicate`, {});
  t.equal(noteRun(tagOf(large)), 2, 'a large record');
  await mapwright.restart();
  const both = [mapwright.post(`/projects/${id}/duplicate`, {}), mapwright.post('/projects', { name: 'small' })];
  const [first, second] = (await Promise.all(both)).map(tagOf) as [string, string];
  t.equal(noteRun(first), 3);
  t.equal(noteRun(second), 3, 'two records that both may have been the first are of one run');
  await mapwright.crash();
  const tags = await Promise.all(both.map(async (made) => tagOf(await mapwright.get(`/projects/${(await made).shown.id}`))));
  t.strictSame(tags, [first, second], 'and a replay gives the same tags');
});

t.test('a start without a write adds no record', async (t) => {
  const mapwright = await startMapwright(t);
  const { id } = (await mapwright.post('/projects', {})).shown;
  const last = mapwright.lastRecord();
  const tag = tagOf(await mapwright.get(`/projects/${id}`));
  for (let i = 0; i < 3; i++) await mapwright.restart();
  t.equal(mapwright.lastRecord(), last);
  t.equal(tagOf(await mapwright.get(`/projects/${id}`)), tag, 'and what there is has the tags of the run that wrote it');
});
