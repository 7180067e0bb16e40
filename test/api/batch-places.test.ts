// tier: normal
/** Operations of a batch that choose identifiers, place members, and move objects to other artboards. */
import t from 'tap';
import { follow } from '../support/follower.ts';
import { type Answer, type Mapwright, type Shown, startForRequests, startMapwright } from '../support/mapwright.ts';
import { Mirror } from '../support/mirror.ts';

type Operation = Readonly<Record<string, unknown>>;

/** An identifier of a client: a UUIDv7 of now, or of so many milliseconds later. */
let made = 0;
const idAt = (ms = 0): string => {
  const time = (Date.now() + ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(++made).padStart(12, '0')}`;
};

interface Plan {
  readonly at: string;
  readonly boards: readonly [string, string];
  readonly spots: readonly [string, string, string];
}

const send = (mapwright: Mapwright, { at }: Pick<Plan, 'at'>, ...operations: Operation[]): Promise<Answer> =>
  mapwright.post(`${at}/batch`, { operations });
const bodiesOf = (answer: Answer): Shown[] => (answer.json as { results: { body: Shown }[] }).results.map(({ body }) => body);
const idsIn = async (mapwright: Mapwright, path: string): Promise<string[]> =>
  (await mapwright.get(path)).list.map(({ id }) => id);

/** A project of two floors on Earth, the first with three spots. */
async function plan(mapwright: Mapwright): Promise<Plan> {
  const map = { type: 'osm', osm_lat: 48.2, osm_lng: 16.4, osm_zoom: 15, width: 800, height: 600 };
  const objects = ['a', 'b', 'c'].map((name, at) => ({ type: 'spot', name, x: 10 * at, y: 5, key: `key ${name}` }));
  const { shown } = await mapwright.post('/projects', {
    artboards: [
      { ...map, objects },
      { ...map, osm_zoom: 16 },
    ],
  });
  const [first, second] = shown['artboards'] as [Shown & { objects: Shown[] }, Shown];
  const [a, b, c] = first.objects.map(({ id }) => id) as [string, string, string];
  return { at: `/projects/${shown.id}`, boards: [first.id, second.id], spots: [a, b, c] };
}

t.test('an identifier that is malformed, ahead, taken or misplaced is refused with its pointer', async (t) => {
  const mapwright = await startForRequests(t);
  const map = await plan(mapwright);
  const before = (await mapwright.get(map.at)).text;
  const popup = (id: unknown) => ({ method: 'POST', path: '/popups', body: {}, id });
  const good = idAt();
  for (const id of [
    '',
    'x',
    good.toUpperCase(),
    good.replace('-7000-8000', '-4000-8000'),
    `{${good}}`,
    good.replace('-7000-8000', '-7000-c000'),
    idAt(6 * 60_000),
  ]) {
    const { status, problem } = await send(mapwright, map, popup(id));
    t.strictSame([status, problem.errors?.[0]?.pointer], [400, '/operations/0/id'], id);
  }
  const inside = { method: 'POST', path: '/artboards', body: { objects: [{ type: 'spot', id: 5 }] } };
  t.equal((await send(mapwright, map, inside)).problem.errors?.[0]?.pointer, '/operations/0/body/objects/0/id');
  const misplaced = { method: 'PATCH', path: '/', body: {}, id: good };
  t.equal((await send(mapwright, map, misplaced)).problem.errors?.[0]?.pointer, '/operations/0/id');
  const projectId = map.at.slice('/projects/'.length);
  for (const taken of [map.spots[0], map.boards[0], projectId]) {
    const { status, problem, json } = await send(mapwright, map, popup(taken));
    t.strictSame(
      [status, problem.code, problem.errors?.[0]?.pointer, (json as { index: number }).index],
      [409, 'identifier_in_use', '/operations/0/id', 0],
    );
  }
  const twice = await send(mapwright, map, popup(good), popup(good));
  t.strictSame([twice.status, (twice.json as { index: number }).index], [409, 1], 'by an earlier operation');
  const same = idAt();
  const both = {
    method: 'POST',
    path: '/artboards',
    body: {
      objects: [
        { type: 'spot', id: same },
        { type: 'spot', id: same },
      ],
    },
  };
  t.equal((await send(mapwright, map, both)).problem.errors?.[0]?.pointer, '/operations/0/body/objects/1/id');
  t.equal((await mapwright.get(map.at)).text, before, 'nothing was changed');
});

t.test('a member is created and placed before another one, or last', async (t) => {
  const mapwright = await startForRequests(t);
  const map = await plan(mapwright);
  const [a, b, c] = map.spots;
  const objects = `/artboards/${map.boards[0]}/objects`;
  const spot = { method: 'POST', path: objects, body: { type: 'spot' } };
  const [first] = bodiesOf(await send(mapwright, map, { ...spot, before: a })) as [Shown];
  t.strictSame(await idsIn(mapwright, map.at + objects), [first.id, a, b, c]);
  await send(mapwright, map, { method: 'PATCH', path: `${objects}/${c}`, before: a });
  t.strictSame(await idsIn(mapwright, map.at + objects), [first.id, c, a, b]);
  const records = mapwright.lastRecord();
  const same = await send(mapwright, map, { method: 'PATCH', path: `${objects}/${c}`, before: a, body: {} });
  t.strictSame([same.status, mapwright.lastRecord()], [200, records], 'there already: no record');
  await send(mapwright, map, { method: 'PATCH', path: `${objects}/${first.id}`, before: null, body: {} });
  t.strictSame(await idsIn(mapwright, map.at + objects), [c, a, b, first.id]);
  const named = [
    { ...spot, as: 'new' },
    { method: 'PATCH', path: `${objects}/${b}`, before: '{new}', body: {} },
  ];
  const [created] = bodiesOf(await send(mapwright, map, ...named)) as [Shown];
  t.strictSame(await idsIn(mapwright, map.at + objects), [c, a, first.id, b, created.id], 'by the name of a result');
  for (const before of [map.boards[0], idAt(), ''] as const) {
    const { status, problem } = await send(mapwright, map, { method: 'PATCH', path: `${objects}/${a}`, before, body: {} });
    t.strictSame(
      [status, problem.code, problem.errors?.[0]?.pointer],
      [409, 'not_in_collection', '/operations/0/before'],
      before,
    );
  }
  for (const wrong of [
    { method: 'PATCH', path: '/', before: null, body: {} },
    { method: 'DELETE', path: `${objects}/${a}`, before: null },
    { method: 'PATCH', path: `${objects}/${a}`, before: a, body: {} },
    { method: 'PATCH', path: `${objects}/${a}`, before: 5, body: {} },
  ]) {
    const { status, problem } = await send(mapwright, map, wrong);
    t.strictSame([status, problem.errors?.[0]?.pointer], [400, '/operations/0/before'], JSON.stringify(wrong));
  }
});

t.test('an object moves to another artboard with its identifier, popups and changes', async (t) => {
  const mapwright = await startForRequests(t);
  const map = await plan(mapwright);
  const [from, to] = map.boards.map((id) => `/artboards/${id}/objects`) as [string, string];
  const [a, b, c] = map.spots;
  const popup = (await mapwright.post(`${map.at}/popups`, { attachedTo: a })).shown;
  const feed = await (await follow(mapwright, `${map.at}/events`)).begun();
  const [moved] = bodiesOf(
    await send(mapwright, map, { method: 'PATCH', path: `${from}/${a}`, to_artboard: map.boards[1], body: { name: 'moved' } }),
  ) as [Shown];
  t.match(moved, { id: a, name: 'moved', x: 0, key: 'key a' });
  t.equal((await mapwright.get(`${map.at}${from}/${a}`)).status, 404);
  const shown = await mapwright.get(`${map.at}${to}/${a}`);
  t.strictSame(shown.shown, moved);
  t.equal((await mapwright.get(`${map.at}/popups/${popup.id}`)).shown['attachedTo'], a);
  t.strictSame((await mapwright.get(`${map.at}/problems`)).list, []);
  const { events } = await feed.next();
  t.equal(events.length, 1);
  t.match(events[0], {
    name: 'object.moved',
    data: { id: a, artboard_id: map.boards[1], from_artboard_id: map.boards[0], before: null, resource: moved },
  });
  await send(mapwright, map, { method: 'PATCH', path: `${from}/${b}`, to_artboard: map.boards[1], before: a, body: {} });
  t.strictSame(await idsIn(mapwright, map.at + to), [b, a]);
  t.strictSame(await idsIn(mapwright, map.at + from), [c]);
  await send(
    mapwright,
    map,
    { method: 'PATCH', path: `${to}/${a}`, body: { x: 7 } },
    { method: 'PATCH', path: `${to}/${a}`, to_artboard: map.boards[0], before: c, body: {} },
    { method: 'PATCH', path: `${from}/${a}`, body: { y: 8 } },
    { method: 'PATCH', path: `${from}/${a}`, to_artboard: map.boards[1], body: {} },
    { method: 'PATCH', path: `${to}/${a}`, body: { radius: 9 } },
  );
  t.match(
    (await mapwright.get(`${map.at}${to}/${a}`)).shown,
    { x: 7, y: 8, radius: 9, name: 'moved' },
    'there and back in one batch',
  );
});

t.test('a move keeps places on Earth, and refuses what cannot be moved', async (t) => {
  const mapwright = await startForRequests(t);
  const map = await plan(mapwright);
  const [from, to] = map.boards.map((id) => `/artboards/${id}/objects`) as [string, string];
  const [a, b, c] = map.spots;
  const placeOf = async (path: string): Promise<number[]> =>
    ['lat', 'lng'].map((name) => Number((JSON.parse(path) as Record<string, number>)[name]?.toFixed(9)));
  const before = await placeOf((await mapwright.get(`${map.at}${from}/${a}?places=true`)).text);
  const move = { method: 'PATCH', path: `${from}/${a}`, to_artboard: map.boards[1], body: {} };
  await send(mapwright, map, { ...move, keep_places: true });
  t.strictSame(await placeOf((await mapwright.get(`${map.at}${to}/${a}?places=true`)).text), before);
  const plain = (await mapwright.post(`${map.at}/artboards`, {})).shown;
  await mapwright.post(`${map.at}${to}`, { type: 'spot', key: 'key b' });
  const pointerOf = async (operation: Operation) => {
    const { status, problem } = await send(mapwright, map, operation);
    return [status, problem.errors?.[0]?.pointer];
  };
  const other = { ...move, path: `${from}/${b}` };
  t.strictSame(await pointerOf({ ...other, to_artboard: plain.id, keep_places: true }), [400, '/operations/0/keep_places']);
  t.strictSame(await pointerOf(other), [400, '/operations/0/to_artboard'], 'its key is taken there');
  t.strictSame(await pointerOf({ ...other, body: { key: 'key b' } }), [400, '/operations/0/body/key']);
  t.strictSame(await pointerOf({ ...other, to_artboard: idAt() }), [400, '/operations/0/to_artboard']);
  t.strictSame(
    await pointerOf({ ...other, body: { key: '' }, before: c }),
    [409, '/operations/0/before'],
    'it is no object of the new artboard',
  );
  t.strictSame(await pointerOf({ method: 'PATCH', path: '/', to_artboard: plain.id, body: {} }), [
    400,
    '/operations/0/to_artboard',
  ]);
  t.equal((await send(mapwright, map, { ...other, body: { key: 'free' } })).status, 200);
});

t.test('a batch deletes a resource and creates another one with its identifier', async (t) => {
  const mapwright = await startMapwright(t);
  const map = await plan(mapwright);
  const [first, second] = map.boards;
  const [a, b, c] = map.spots;
  const feed = await (await follow(mapwright, '/events')).begun();
  const mirror = new Mirror();
  await mirror.read(mapwright);
  const spot = (id: string, board: string, name: string) => ({
    method: 'POST',
    path: `/artboards/${board}/objects`,
    id,
    body: { type: 'spot', name },
  });
  const answer = await send(
    mapwright,
    map,
    { method: 'PATCH', path: `/artboards/${first}/objects/${a}`, body: { name: 'lost with its artboard' } },
    { method: 'PATCH', path: `/artboards/${first}/objects/${c}`, body: { name: 'lost, too' } },
    { method: 'DELETE', path: `/artboards/${first}` },
    spot(a, second, 'elsewhere'),
    { method: 'POST', path: '/artboards', id: first, body: { name: 'again' } },
    spot(b, first, 'back'),
    { method: 'DELETE', path: `/artboards/${first}/objects/${b}` },
    { method: 'POST', path: '/popups', id: b, body: { title: 'of another kind' } },
    spot(c, first, 'in its place'),
  );
  t.equal(answer.status, 200, answer.text);
  const shown = (await mapwright.get(map.at)).shown;
  mirror.apply(await feed.next());
  t.strictSame(mirror.projects, (await mapwright.get('/projects')).json);
  t.match((await mapwright.get(`${map.at}/artboards/${second}/objects/${a}`)).shown, { name: 'elsewhere' });
  t.strictSame(await idsIn(mapwright, `${map.at}/artboards/${first}/objects`), [c]);
  t.match((await mapwright.get(`${map.at}/artboards/${first}/objects/${c}`)).shown, { name: 'in its place' });
  await mapwright.restart();
  t.strictSame((await mapwright.get(map.at)).shown, shown, 'also after a restart');
});

t.test('a quota counts what a batch deletes and creates again', async (t) => {
  const mapwright = await startForRequests(t);
  const map = await plan(mapwright);
  await mapwright.server.setLimits('ann', { members: 6 });
  const [first] = map.boards;
  const gone = { method: 'DELETE', path: `/artboards/${first}` };
  const again = (more: number) => {
    const objects = [...map.spots, ...Array.from({ length: more }, () => idAt())].map((id) => ({ type: 'spot', id }));
    return send(mapwright, map, gone, { method: 'POST', path: '/artboards', id: first, body: { objects } });
  };
  t.equal((await again(2)).status, 403);
  t.equal((await again(1)).status, 200);
  t.equal((await mapwright.post(`${map.at}/popups`, {})).status, 403);
});

t.test('identifiers of the server come after those of clients, also after a crash and a clock that goes back', async (t) => {
  let behindMs = 0;
  const mapwright = await startMapwright(t, { clock: () => Date.now() - behindMs });
  const map = await plan(mapwright);
  const ahead = idAt(299_000);
  t.equal((await send(mapwright, map, { method: 'POST', path: '/popups', id: ahead, body: {} })).status, 200);
  behindMs = 2 * 60 * 60_000;
  await mapwright.crash();
  const later = (await mapwright.post(`${map.at}/popups`, {})).shown.id;
  t.ok(later > ahead, later);
  t.strictSame(await idsIn(mapwright, `${map.at}/popups`), [ahead, later]);
});

t.test('a restore brings an object back to its former artboard, for a replica too', async (t) => {
  const mapwright = await startMapwright(t);
  const map = await plan(mapwright);
  const [first, second] = map.boards;
  const [a] = map.spots;
  const before = (await mapwright.get(map.at)).text;
  const version = (await mapwright.post(`${map.at}/versions`, {})).shown;
  await send(mapwright, map, { method: 'PATCH', path: `/artboards/${first}/objects/${a}`, to_artboard: second, body: {} });
  const mirror = new Mirror();
  await mirror.read(mapwright);
  const feed = await (await follow(mapwright, '/events')).begun();
  await mapwright.post(`${map.at}/versions/${version.id}/restore`, {});
  t.equal((await mapwright.get(map.at)).text, before);
  const names: string[] = [];
  while (!names.includes('object.created')) {
    const record = await feed.next();
    names.push(...record.events.map(({ name }) => name).filter((name) => name.startsWith('object.')));
    mirror.apply(record);
  }
  t.strictSame(
    names.slice(0, 2),
    ['object.deleted', 'object.created'],
    'deleted first: who knows members by identifier keeps it',
  );
  t.strictSame(mirror.projects, (await mapwright.get('/projects')).json);
});

t.test('a strict batch knows what was deleted, created again and moved', async (t) => {
  const mapwright = await startForRequests(t);
  const map = await plan(mapwright);
  const [first, second] = map.boards;
  const [a] = map.spots;
  await mapwright.post(`${map.at}/popups`, { attachedTo: a });
  const strict = (...operations: Operation[]) => mapwright.post(`${map.at}/batch?strict=true`, { operations });
  const gone = { method: 'DELETE', path: `/artboards/${first}/objects/${a}` };
  t.equal((await strict(gone)).status, 400);
  const again = { method: 'POST', path: `/artboards/${first}/objects`, id: a, body: { type: 'spot' } };
  t.equal((await strict(gone, again)).status, 200);
  const moved = { method: 'PATCH', path: `/artboards/${first}/objects/${a}`, to_artboard: second, body: {} };
  t.equal((await strict(moved, { method: 'DELETE', path: `/artboards/${first}` })).status, 200, 'it was not on it any more');
  t.equal((await strict({ method: 'DELETE', path: `/artboards/${second}` })).status, 400);
});
