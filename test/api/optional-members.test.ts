/**
 * Members beyond the contract: a program that uses only the contract sees exactly the contract, and a value other than
 * the default is in every response until a PATCH writes the default.
 */
import t from 'tap';
import { everything } from '../support/everything.ts';
import { type Followed, follow } from '../support/follower.ts';
import { type Answer, type Mapwright, type Shown, startMapwright } from '../support/mapwright.ts';
import { Mirror } from '../support/mirror.ts';
import { contract, resourceNames } from './contract.ts';

const nowhere = '01890000-0000-7000-8000-000000000000';
const beyond = /"(?:object_ids|popup_id|match_\w+|otherwise|style_(?:label_text|icon|category)|interactive|key)":/;
const all = (mapwright: Mapwright) => everything((route) => mapwright.get(route));

/** The members of a resource of the contract. */
const contractNames = Object.fromEntries(
  resourceNames.map((name) => [name, Object.keys(contract[name]).filter((member) => contract[name][member]?.optional !== true)]),
);

interface Ids {
  readonly project: string;
  readonly artboard: string;
  /** Of two spots, the first of which is not interactive. */
  readonly spots: readonly [string, string];
  readonly popup: string;
  /** Of three actions: one on two objects and a popup, one on a popup, and one that is the contract's. */
  readonly actions: readonly [string, string, string];
}

const idsOf = (list: unknown) => (list as Shown[]).map(({ id }) => id);

/** A project with all members beyond the contract. */
async function filled(mapwright: Mapwright): Promise<Ids> {
  const { shown } = await mapwright.post('/projects', {
    artboards: [{ objects: [{ type: 'spot', interactive: false }, { type: 'spot' }] }],
    popups: [{ title: 'shown' }],
  });
  const [artboard] = shown['artboards'] as [Shown];
  const spots = idsOf(artboard['objects']) as [string, string];
  const [popup] = idsOf(shown['popups']) as [string];
  const bodies = [
    { type: 'modify-objects', object_ids: [...spots, nowhere], popup_id: popup },
    { type: 'modify-popup', popup_id: popup },
    { type: 'modify-object', object_id: spots[0] },
  ];
  const actions = [];
  for (const body of bodies) actions.push((await mapwright.post(`/projects/${shown.id}/actions`, body)).shown.id);
  return { project: shown.id, artboard: artboard.id, spots, popup, actions: actions as [string, string, string] };
}

/** Applies the events of so many records after a place in the feed. */
async function mirrored(followed: Followed, records: number): Promise<Mirror['projects']> {
  const mirror = new Mirror();
  for (let i = 0; i < records; i++) mirror.apply(await followed.next());
  return mirror.projects;
}

/** Publishes a project, and reads the map. */
async function publishedMap(mapwright: Mapwright, project: string): Promise<Answer> {
  const { shown } = await mapwright.ask('PUT', `/v1/projects/${project}/publication`, { body: {} });
  const { pathname } = new URL(String(shown['url']), 'http://maps.test');
  const { map } = JSON.parse((await mapwright.ask('GET', `${pathname}/map.json`, { key: '' })).text) as { map: string };
  return mapwright.ask('GET', `${pathname}/${map}`, { key: '' });
}

t.test('a program that uses only the contract sees exactly its members', async (t) => {
  const mapwright = await startMapwright(t);
  const feed = await (await follow(mapwright, '/events')).begun();
  const body = {
    artboards: [{ objects: [{ type: 'spot' }, { type: 'poly' }] }],
    ...{ popups: [{}], data_sources: [{}], variables: [{}], actions: [{}] },
  };
  const made = await mapwright.post('/projects', body);
  const at = `/projects/${made.shown.id}`;
  const [artboard] = made.shown['artboards'] as [Shown];
  const objects = `${at}/artboards/${artboard.id}/objects`;
  const [spot] = artboard['objects'] as [Shown];
  const [action] = made.shown['actions'] as [Shown];
  const operations = [
    { method: 'POST', path: '/actions', body: { name: 'one' } },
    { method: 'PATCH', path: `/artboards/${artboard.id}/objects/${spot.id}`, body: { x: 6 } },
  ];
  const responses = [
    made,
    await mapwright.post(objects, { type: 'spot' }),
    await mapwright.patch(`${objects}/${spot.id}`, { x: 5 }),
    await mapwright.patch(`${at}/actions/${action.id}`, { name: 'patched' }),
    await mapwright.patch(at, { actions: [{ id: action.id }, {}] }),
    await mapwright.post(`${at}/batch`, { operations }),
    await mapwright.post(`${at}/duplicate`, {}),
    await mapwright.get(`${at}/export`),
    await mapwright.post('/projects/import', JSON.parse((await mapwright.get(`${at}/export`)).text)),
    await mapwright.get(`${objects}?interactive=true&sort=interactive`),
    await mapwright.get(`${objects}?fields=interactive,x`),
    await mapwright.get(`${objects}/${spot.id}?fields=interactive`),
    await mapwright.get(`${at}/actions?fields=object_ids,popup_id`),
    await publishedMap(mapwright, made.shown.id),
  ];
  for (const { status, text } of responses) t.strictSame([status, beyond.exec(text)], [200, null], text.slice(0, 60));
  for (const [route, text] of await all(mapwright)) t.notMatch(text, beyond, route);
  const { shown } = await mapwright.get(at);
  t.strictSame(Object.keys(shown), contractNames['Project']);
  t.strictSame(Object.keys((shown['actions'] as Shown[])[0] as Shown), contractNames['Action']);
  for (const one of (await mapwright.get(objects)).list) t.strictSame(Object.keys(one), contractNames['Object']);
  t.strictSame((await mapwright.get(`${objects}/${spot.id}?fields=interactive`)).shown, { id: spot.id });
  const next = await feed.next();
  t.ok(next.events.length > 0);
  for (const { data } of next.events) t.notMatch(JSON.stringify(data), beyond);
});

t.test('events contain members beyond the contract, live and from the log', async (t) => {
  const mapwright = await startMapwright(t);
  const live = await (await follow(mapwright, '/events')).begun();
  const start = live.id;
  const { project, artboard, spots, actions } = await filled(mapwright);
  await mapwright.patch(`/projects/${project}/artboards/${artboard}/objects/${spots[1]}`, { interactive: false });
  await mapwright.patch(`/projects/${project}/actions/${actions[0]}`, { name: 'patched' });
  const { list, text } = await mapwright.get('/projects');
  t.match(text, beyond);
  t.strictSame(await mirrored(live, 6), list, 'live');
  t.strictSame(await mirrored(await follow(mapwright, '/events', { after: start }), 6), list, 'from the log');
});

t.test('lists of references take names of results', async (t) => {
  const mapwright = await startMapwright(t);
  const { project, artboard } = await filled(mapwright);
  const spot = { method: 'POST', path: `/artboards/${artboard}/objects`, body: { type: 'spot' } };
  const batch = (...operations: object[]) => mapwright.post(`/projects/${project}/batch?strict=true`, { operations });
  const object_ids = ['{a}', '', '{b}', '{a}'];
  const made = await batch(
    { ...spot, as: 'a' },
    { ...spot, as: 'b' },
    { method: 'POST', path: '/popups', body: {}, as: 'p' },
    { method: 'POST', path: '/actions', body: { type: 'modify-objects', object_ids, popup_id: '{p}' } },
    { method: 'PATCH', path: '/', body: { actions: [{ object_ids: ['{b}'] }] } },
  );
  t.equal(made.status, 200, made.text);
  const [a, b, p, action] = (made.json as { results: { body: Shown }[] }).results.map(({ body }) => body) as Shown[];
  t.match(action, { object_ids: [a?.id, '', b?.id, a?.id], popup_id: p?.id });
  t.match((await mapwright.get(`/projects/${project}`)).json, { actions: [{ object_ids: [b?.id] }] });
  const wrong = await batch({ ...spot, as: 'a' }, { method: 'POST', path: '/actions', body: { object_ids: ['{a}', '{c}'] } });
  t.strictSame([wrong.status, wrong.pointers], [400, ['/operations/1/body/object_ids/1']]);
  t.match(wrong.problem.detail, '"{c}", but no earlier operation has this "as"');
});

t.test('concurrent PATCHes of different members of one action are all kept', async (t) => {
  const mapwright = await startMapwright(t);
  const { project, actions, spots, popup } = await filled(mapwright);
  const at = `/projects/${project}/actions/${actions[2]}`;
  const bodies = [{ object_ids: [...spots] }, { popup_id: popup }, { name: 'named' }, { type: 'modify-objects' }];
  for (const { status } of await Promise.all(bodies.map((body) => mapwright.patch(at, body)))) t.equal(status, 200);
  const { text } = await mapwright.get(at);
  t.match(JSON.parse(text), Object.assign({}, ...bodies));
  await mapwright.crash();
  t.equal((await mapwright.get(at)).text, text);
});

t.test('a strict write with 90,000 dangling references reports the first 100', async (t) => {
  const mapwright = await startMapwright(t, { segmentBytes: 16 * 1024 * 1024 });
  const { project, actions } = await filled(mapwright);
  const at = `/projects/${project}/actions/${actions[2]}`;
  const object_ids = Array.from({ length: 90_000 }, (_, i) => String(i));
  const refused = await mapwright.patch(`${at}?strict=true`, { object_ids });
  t.equal(refused.status, 400);
  t.strictSame(
    refused.pointers,
    Array.from({ length: 100 }, (_, i) => `/object_ids/${i}`),
  );
  t.equal((await mapwright.patch(at, { object_ids })).status, 200);
  t.equal((await mapwright.get(`/projects/${project}/problems`)).list.length, 1000);
  const same = await mapwright.patch(`${at}?strict=true`, { object_ids: object_ids.toReversed(), name: 'turned' });
  t.equal(same.status, 200, 'none of it is new');
  const twice = { object_ids: Array.from({ length: 90_000 }, () => nowhere) };
  t.equal((await mapwright.patch(`${at}?strict=true`, twice)).problem.errors?.length, 100);
});
