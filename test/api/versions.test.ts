// tier: normal
/** Versions of a project: kept, compared, restored; made automatically after a pause; forgotten by age. */
import t from 'tap';
import { expired } from '../../src/engine/versions/retention.ts';
import { type Mapwright, type Shown, startMapwright } from '../support/mapwright.ts';
import { until } from '../support/until.ts';

const minuteMs = 60_000;

const send = (mapwright: Mapwright, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  mapwright.ask(method, `/v1${path}`, { ...(body !== undefined && { body }), headers } as never);

/** Status of a public address. */
const statusOf = async ({ port }: Mapwright, url: string): Promise<number> =>
  (await fetch(`http://127.0.0.1:${port}${url}`)).status;

async function make(mapwright: Mapwright) {
  const { shown } = await mapwright.post('/projects', {
    name: 'Office',
    artboards: [
      {
        name: 'Ground floor',
        objects: [
          { type: 'spot', name: 'a' },
          { type: 'spot', name: 'b' },
        ],
      },
      { name: 'First floor' },
    ],
    popups: [{ title: 'Reception' }],
    data_sources: [{ name: 'Sensors', url: 'https://example.com', headers: [{ name: 'Authorization', value: 'secret' }] }],
  });
  return { at: `/projects/${shown.id}`, shown };
}

const text = async (mapwright: Mapwright, path: string): Promise<string> => (await mapwright.get(path)).text;
const kinds = async (mapwright: Mapwright, at: string): Promise<unknown[]> =>
  ((await mapwright.get(`${at}/versions`)).list as Shown[]).map(({ kind }) => kind);

/** The versions of a project, once it has so many: automatic ones are stored after the answer. */
async function atLeast(mapwright: Mapwright, at: string, count: number): Promise<Shown[]> {
  let list: Shown[] = [];
  await until(`${count} versions`, async () => {
    list = (await mapwright.get(`${at}/versions`)).list as Shown[];
    return list.length >= count;
  });
  return list;
}

t.test('a restore that breaks a condition or a quota changes nothing', async (t) => {
  const mapwright = await startMapwright(t, { quotas: { members: 12 } } as never);
  const { at, shown: project } = await make(mapwright);
  const { shown: version } = await mapwright.post(`${at}/versions`, {});
  const tag = String((await mapwright.get(at)).headers['etag']);
  await mapwright.patch(at, { name: 'Other' });
  const stale = await send(mapwright, 'POST', `${at}/versions/${version.id}/restore`, {}, { 'if-match': tag });
  t.equal(stale.status, 412);
  const [ground] = project['artboards'] as [Shown];
  await send(mapwright, 'DELETE', `${at}/artboards/${ground.id}`);
  const { shown: other } = await mapwright.post('/projects', {});
  while ((await mapwright.post(`/projects/${other.id}/popups`, {})).status === 200);
  const now = await text(mapwright, at);
  t.equal((await mapwright.post(`${at}/versions/${version.id}/restore`, {})).status, 403);
  t.equal(await text(mapwright, at), now);
  t.strictSame(await kinds(mapwright, at), ['named'], 'no state before was kept');
  t.equal((await mapwright.post(`${at}/versions/01a213c0-f153-700d-82c6-a71b9628273c/restore`, {})).status, 404);
});

t.test('a comparison names what was created, changed and deleted', async (t) => {
  const mapwright = await startMapwright(t);
  const { at, shown: project } = await make(mapwright);
  const [ground] = project['artboards'] as [Shown];
  const [a, b] = ground['objects'] as [Shown, Shown];
  const { shown: version } = await mapwright.post(`${at}/versions`, {});
  const objects = `${at}/artboards/${ground.id}/objects`;
  await mapwright.patch(`${objects}/${a.id}`, { name: 'new name' });
  await send(mapwright, 'DELETE', `${objects}/${b.id}`);
  const { shown: popup } = await mapwright.post(`${at}/popups`, { name: 'P' });
  const { shown: found } = await mapwright.get(`${at}/versions/${version.id}/changes`);
  t.strictSame(found['counts'], { created: 1, changed: 1, deleted: 1 });
  t.strictSame(found['changes'], [
    { kind: 'object', id: a.id, name: 'new name', change: 'changed', members: { name: { before: 'a', after: 'new name' } } },
    { kind: 'popup', id: popup.id, name: 'P', change: 'created' },
    { kind: 'object', id: b.id, name: 'b', change: 'deleted' },
  ]);
  const { shown: same } = await mapwright.get(`${at}/versions/${version.id}/changes?against=${version.id}`);
  t.strictSame(same['counts'], { created: 0, changed: 0, deleted: 0 });
});

t.test('a comparison names objects that moved to another artboard', async (t) => {
  const mapwright = await startMapwright(t);
  const { at, shown } = await make(mapwright);
  type Artboard = Shown & { readonly objects: readonly [Shown] };
  const [ground, first] = shown['artboards'] as readonly [Artboard, Artboard];
  const [desk] = ground.objects;
  const { shown: version } = await mapwright.post(`${at}/versions`, { name: 'before' });
  const moved = await mapwright.post(`${at}/batch`, {
    operations: [{ method: 'PATCH', path: `/artboards/${ground.id}/objects/${desk.id}`, to_artboard: first.id }],
  });
  t.equal(moved.status, 200);
  const { shown: found } = await mapwright.get(`${at}/versions/${version.id}/changes?against=now`);
  t.match(found, { counts: { created: 0, changed: 1, deleted: 0 } });
  t.strictSame(found['changes'], [
    {
      ...{ kind: 'object', id: desk.id, name: 'a', change: 'changed' },
      members: { artboard_id: { before: ground.id, after: first.id } },
    },
  ]);
});

t.test('all versions of a project go in one change, and what is public stays', async (t) => {
  const mapwright = await startMapwright(t);
  const { at } = await make(mapwright);
  const { shown: published } = await send(mapwright, 'PUT', `${at}/publication`, {});
  for (let i = 0; i < 3; i++) await mapwright.post(`${at}/versions`, { name: `${i}` });
  const { at: other } = await make(mapwright);
  await mapwright.post(`${other}/versions`, {});
  const records = mapwright.lastRecord();
  t.equal((await send(mapwright, 'DELETE', `${at}/versions`)).status, 204);
  t.equal(mapwright.lastRecord(), records + 1);
  t.strictSame(await kinds(mapwright, at), []);
  t.strictSame(await kinds(mapwright, other), ['named'], 'those of another project stay');
  t.equal(await statusOf(mapwright, `/p/${published['slug']}/map.json`), 200);
  t.equal((await send(mapwright, 'DELETE', `${at}/versions`)).status, 204, 'also when there is none');
  t.equal((await send(mapwright, 'DELETE', `/projects/${'0'.repeat(36)}/versions`)).status, 404);
  await mapwright.crash();
  t.strictSame(await kinds(mapwright, at), []);
});

t.test('the state before a batch is kept on request', async (t) => {
  const mapwright = await startMapwright(t, { versions: true });
  const { at } = await make(mapwright);
  const before = await text(mapwright, at);
  const operations = [{ method: 'POST', path: '/popups', body: {} }];
  t.equal((await mapwright.post(`${at}/batch`, { operations, keep_version: 'yes' })).status, 400);
  t.equal((await mapwright.post(`${at}/batch`, { operations, keep_version: true })).status, 200);
  const list = await atLeast(mapwright, at, 1);
  t.match(list, [{ kind: 'automatic' }]);
  t.equal(await text(mapwright, `${at}/versions/${list[0]?.id}`), before);
});

t.test('the state before the first change after ten minutes is kept', async (t) => {
  let now = Date.now();
  const mapwright = await startMapwright(t, { clock: () => now, versions: true });
  const { at } = await make(mapwright);
  await mapwright.patch(at, { name: 'work' });
  now += 9 * minuteMs;
  await mapwright.patch(at, { name: 'more work' });
  t.strictSame(await kinds(mapwright, at), []);
  now += 11 * minuteMs;
  const before = await text(mapwright, at);
  await mapwright.patch(at, { name: 'after lunch' });
  await mapwright.patch(at, { name: 'and on' });
  const list = await atLeast(mapwright, at, 1);
  t.match(list, [{ kind: 'automatic', name: '' }]);
  t.equal(await text(mapwright, `${at}/versions/${list[0]?.id}`), before);
});

t.test('the state before a request that replaces a whole collection is kept', async (t) => {
  const mapwright = await startMapwright(t, { versions: true });
  const { at, shown: project } = await make(mapwright);
  const [ground] = project['artboards'] as [Shown];
  const before = [await text(mapwright, at)];
  const newest = async (count: number): Promise<Shown> => {
    const list = await atLeast(mapwright, at, count);
    t.equal(list.length, count);
    return list[0] as Shown;
  };
  await mapwright.patch(at, { popups: [] });
  t.equal(await text(mapwright, `${at}/versions/${(await newest(1)).id}`), before[0]);
  await mapwright.patch(`${at}/artboards/${ground.id}`, { name: 'no collection' });
  before.push(await text(mapwright, at));
  const operations = [
    { method: 'PATCH', path: '/', body: { name: 'Batch' } },
    { method: 'PATCH', path: `/artboards/${ground.id}`, body: { objects: [{ type: 'spot' }] } },
  ];
  t.equal((await mapwright.post(`${at}/batch`, { operations })).status, 200);
  t.equal(await text(mapwright, `${at}/versions/${(await newest(2)).id}`), before[1]);
});

t.test('a version shows the label of the key that made it, or whose change began', async (t) => {
  let now = Date.now();
  const mapwright = await startMapwright(t, { clock: () => now, versions: true });
  const { at } = await make(mapwright);
  const key = (await mapwright.server.createKey('ann', { label: 'Office of Ann' })).key;
  const as = (method: string, path: string, body: object) => mapwright.ask(method, `/v1${at}${path}`, { key, body });
  const { id, key_label } = (await as('POST', '/versions', { name: 'x' })).shown;
  t.equal(key_label, 'Office of Ann');
  now += 1000;
  await as('POST', `/versions/${id}/restore`, {});
  now += 11 * minuteMs;
  await as('PATCH', '', { name: 'after lunch' });
  now += 11 * minuteMs;
  await as('POST', '/batch', { operations: [{ method: 'PATCH', path: '/', body: { name: 'evening' } }] });
  const list = await atLeast(mapwright, at, 4);
  t.strictSame(
    list.map(({ kind, key_label }) => [kind, key_label]),
    [
      ['automatic', 'Office of Ann'],
      ['automatic', 'Office of Ann'],
      ['before-restore', 'Office of Ann'],
      ['named', 'Office of Ann'],
    ],
  );
  t.equal((await mapwright.post(`${at}/versions`, {})).shown['key_label'], '', 'a key without a label');
});

t.test('old versions get fewer, named ones stay', async (t) => {
  const now = Date.parse('2026-11-25T12:00:00Z');
  const aged = (id: string, hours: number, kind = 'automatic') =>
    ({ id, kind, created: new Date(now - hours * 3_600_000).toISOString() }) as Parameters<typeof expired>[0][number];
  t.strictSame(expired([aged('a', 0.1), aged('b', 0.2), aged('c', 0.9)], now), [], 'all of the last hour');
  t.strictSame(expired([aged('a', 2.1), aged('b', 2.5), aged('c', 3.5)], now), ['a'], 'one an hour of the last day');
  t.strictSame(expired([aged('a', 49), aged('b', 50), aged('c', 80)], now), ['a'], 'one a day of the last month');
  t.strictSame(expired([aged('a', 24 * 400)], now), ['a'], 'none after a year');
  t.strictSame(expired([aged('a', 24 * 400, 'named'), aged('b', 24 * 20, 'before-restore')], now), []);
  t.strictSame(expired([aged('a', 24 * 400, 'before-restore')], now), ['a']);
  const published = Array.from({ length: 53 }, (_, i) => aged(`p${i}`, 24 * (500 - i), 'published'));
  t.strictSame(expired(published, now), ['p0', 'p1'], 'the published one and 50 before');
});

t.test('publishing keeps the state that became public, once for each map', async (t) => {
  const mapwright = await startMapwright(t, { versions: true });
  const at = `/projects/${(await mapwright.post('/projects', { name: 'Public' })).shown.id}`;
  const publish = async (body = {}) => t.equal((await send(mapwright, 'PUT', `${at}/publication`, body)).status, 200);
  const kinds = async () => (await mapwright.get(`${at}/versions`)).list.map(({ kind }) => kind);
  await publish();
  t.strictSame(await kinds(), ['published']);
  await publish();
  await publish({ origins: [] });
  await mapwright.patch(at, { thumb: 'https://example.com/a.png' });
  await publish();
  t.strictSame(await kinds(), ['published'], 'the map is the same');
  await mapwright.patch(at, { name: 'Later' });
  await publish();
  t.strictSame(await kinds(), ['published', 'published']);
  const [, first] = (await mapwright.get(`${at}/versions`)).list;
  t.equal((await mapwright.get(`${at}/versions/${first?.id}`)).shown['name'], 'Public');
});
