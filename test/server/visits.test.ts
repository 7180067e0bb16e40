// tier: normal
/** Visits in a data folder: what a stop, a snapshot, a crash and a repair keep. */
import path from 'node:path';
import t, { type Test } from 'tap';
import { startMapwright } from '../support/mapwright.ts';
import { run, temporaryFolder } from '../support/process.ts';

async function world(t: Test) {
  const mapwright = await startMapwright(t);
  const artboards = [{ objects: [{ type: 'spot', name: 'Bakery' }] }];
  const { id } = (await mapwright.post('/projects', { name: 'Mall', artboards })).shown;
  const at = `/v1/projects/${id}/publication`;
  const { slug } = (await mapwright.ask('PUT', at)).shown;
  const place = ((await mapwright.get(`/projects/${id}/artboards`)).list[0] as unknown as { objects: { id: string }[] })
    .objects[0];
  const visit = () => mapwright.ask('POST', `/p/${slug}/seen`, { body: { opened: true, places: [place?.id] }, key: '' });
  const visits = async () => {
    const { opened, places } = (await mapwright.ask('GET', `${at}/visits`)).shown as unknown as {
      opened: number;
      places: object[];
    };
    return [opened, ...places];
  };
  const counted = (count: number) => [count, { id: place?.id, name: 'Bakery', opened: count }];
  return { mapwright, id, at, visit, visits, counted };
}

t.test('a stop stores what was counted; a crash loses what was not stored yet', async (t) => {
  const { mapwright, visit, visits, counted } = await world(t);
  await visit();
  const before = mapwright.lastRecord();
  await mapwright.restart();
  t.equal(mapwright.lastRecord(), before + 1, 'one record');
  t.match(mapwright.records(before + 1), [{ changes: [{ op: 'put-visits', days: [{ opened: 1 }] }] }]);
  t.strictSame(await visits(), counted(1));
  await visit();
  t.strictSame(await visits(), counted(2), 'counted on top of what was stored');
  await mapwright.crash();
  t.strictSame(await visits(), counted(1), 'the last minute is lost, and no more');
  await visit();
  await visit();
  await mapwright.restart();
  t.strictSame(await visits(), counted(3));
});

t.test('snapshots keep visits, also when nothing or something else of the project changes', async (t) => {
  const { mapwright, id, at, visit, visits, counted } = await world(t);
  await visit();
  await mapwright.restart();
  for (const name of ['one', 'two', 'three']) {
    await mapwright.patch(`/projects/${id}`, { name });
    await mapwright.server.snapshot();
    await mapwright.crash();
    t.strictSame(await visits(), counted(1), name);
  }
  await visit();
  await mapwright.restart();
  await mapwright.server.snapshot();
  await mapwright.crash();
  t.strictSame(await visits(), counted(2));
  await mapwright.post('/projects', { name: 'another' });
  await mapwright.server.snapshot();
  await mapwright.crash();
  t.strictSame(await visits(), counted(2), 'in an older file');
  await mapwright.ask('DELETE', at);
  await mapwright.ask('PUT', at);
  await mapwright.server.snapshot();
  await mapwright.crash();
  t.match(await visits(), [0], 'deleted with the publication');
});

t.test('backups have visits', async (t) => {
  // Made before the server, so that it is deleted after the server has stopped.
  const folder = temporaryFolder(t);
  const { mapwright, visit, visits, counted } = await world(t);
  await visit();
  await mapwright.restart();
  const file = path.join(folder, 'a.backup');
  await mapwright.server.backup(file);
  await visit();
  await mapwright.close();
  const restored = path.join(folder, 'restored');
  t.equal((await run(['restore', file, '--data', restored])).code, 0);
  mapwright.data = restored;
  await mapwright.start();
  t.strictSame(await visits(), counted(1));
});
