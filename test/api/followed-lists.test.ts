/** Actions that follow a list over HTTP: in an evaluation, in public, with their references. */
import t from 'tap';
import { type Mapwright, type Shown, startForRequests } from '../support/mapwright.ts';
import { until } from '../support/until.ts';

interface Floor {
  readonly id: string;
  readonly artboard: string;
  /** With the keys "K-A" and "K-B" and the badges 11 and 12. */
  readonly rooms: readonly [string, string];
  readonly sensor: string;
  readonly list: string;
  readonly key: string;
}

/** Two rooms, and a list whose items have `key` and `badge`. */
async function floor(mapwright: Mapwright): Promise<Floor> {
  const id = (await mapwright.post('/projects', { name: 'Floor' })).shown.id;
  const make = async (path: string, body: object): Promise<string> =>
    (await mapwright.post(`/projects/${id}${path}`, body)).shown.id;
  const artboard = await make('/artboards', { name: 'First floor' });
  const room = (name: string, badge: number): Promise<string> =>
    make(`/artboards/${artboard}/objects`, { name, type: 'spot', color: '#000000', key: `K-${name}`, properties: { badge } });
  const rooms = [await room('A', 11), await room('B', 12)] as const;
  const sensor = await make('/data-sources', { name: 'Sensor' });
  const list = await make('/variables', { name: 'Rooms', type: 'iterator', data_source_id: sensor });
  const node = (key: string) => ({ nodes: [{ id: 'a', key }], node_id: 'a' });
  const item = (name: string) => ({ name, type: 'primitive-from-iterator', iterator_id: list, data_path: node(name) });
  const key = await make('/variables', item('key'));
  await make('/variables', item('badge'));
  await make('/variables', item('icon'));
  await mapwright.ask('PUT', `/v1/projects/${id}/data-sources/${sensor}/response`, {
    body: [
      { key: 'K-A', badge: 11, icon: 'maki:toilet' },
      { key: 'gone', badge: 99, icon: '' },
    ],
  });
  return { id, artboard, rooms, sensor, list, key };
}

const variableNamed = async (mapwright: Mapwright, { id }: Floor, name: string): Promise<string> =>
  (await mapwright.get(`/projects/${id}/variables`)).list.find((each) => each['name'] === name)?.id as string;

const custom = (value: string) => ({ type: 'custom', value });

async function publish(mapwright: Mapwright, { id }: Floor): Promise<Shown> {
  return (await mapwright.ask('PUT', `/v1/projects/${id}/publication`, { body: {} })).shown;
}

/** The map and its live result as visitors get them, as texts. */
async function publicTexts(mapwright: Mapwright, { slug }: Shown): Promise<{ readonly map: string; readonly live: string }> {
  const read = async (file: string): Promise<string> =>
    (await fetch(`http://127.0.0.1:${mapwright.port}/p/${slug}/${file}`)).text();
  const { map } = JSON.parse(await read('map.json')) as { map: string };
  return { map: await read(map), live: await read('live.json') };
}

t.test('a list changes objects, gives them popups, and says what found no partner', async (t) => {
  const mapwright = await startForRequests(t);
  const made = await floor(mapwright);
  const add = async (body: object): Promise<string> =>
    (await mapwright.post(`/projects/${made.id}/actions`, { match_variable_id: made.key, ...body })).shown.id;
  const colour = await add({
    ...{ type: 'modify-objects', style_color: custom('#ff0000'), style_label_text: custom('{badge}') },
    otherwise: { style_color: custom('#999999') },
  });
  const popup = await add({ type: 'modify-popup', popup_title: 'Badge {badge}', create_popup: true });
  const { shown } = await mapwright.ask('POST', `/v1/projects/${made.id}/evaluate`);
  const [a, b] = made.rooms;
  t.strictSame(shown['objects'], { [a]: { color: '#ff0000', label_text: '11' }, [b]: { color: '#999999' } });
  t.match(shown['created_popups'], [{ action_id: popup, object_id: a, popup: { attachedTo: a, title: 'Badge 11' } }]);
  const without = { items: { of: 2, count: 1, first: [{ item: 1, value: 'gone' }] }, objects: { of: 2, count: 1, first: [b] } };
  t.strictSame(shown['unmatched'], [
    { action_id: colour, ...without },
    { action_id: popup, ...without },
  ]);
  t.strictSame(shown['problems'], []);
});

t.test('in public a list matches by keys and properties that visitors never get', async (t) => {
  const mapwright = await startForRequests(t);
  const made = await floor(mapwright);
  const badge = await variableNamed(mapwright, made, 'badge');
  const icon = await variableNamed(mapwright, made, 'icon');
  const [a, b] = made.rooms;
  for (const body of [
    { match_variable_id: made.key, style_color: custom('#ff0000'), otherwise: { style_color: custom('#999999') } },
    {
      match_variable_id: badge,
      match_by: 'property',
      match_property: 'badge',
      style_icon: { type: 'variable', variable_id: icon },
    },
  ])
    await mapwright.post(`/projects/${made.id}/actions`, { type: 'modify-objects', ...body });
  await mapwright.post(`/projects/${made.id}/actions`, {
    ...{ type: 'modify-popup', match_variable_id: made.key, create_popup: true, popup_title: 'Here' },
  });
  const published = await publish(mapwright, made);
  const { map, live } = await publicTexts(mapwright, published);
  const result = JSON.parse(live);
  t.strictSame(result.objects, { [a]: { color: '#ff0000', icon: 'maki:toilet' }, [b]: { color: '#999999' } });
  t.match(result.icons, { 'maki:toilet': { path: String, size: Number } }, 'an icon that only the result names');
  t.strictSame(result.created_popups, [{ object_id: a, popup: { id: `live-${a}-popup`, attachedTo: a, title: 'Here' } }]);
  for (const text of [map, live])
    for (const word of ['K-A', 'K-B', 'gone', 'badge', 'unmatched', 'match_', '99,']) t.notOk(text.includes(word), `no ${word}`);
});

t.test('a change of a key that a list matches by changes what is public', async (t) => {
  const mapwright = await startForRequests(t);
  const made = await floor(mapwright);
  const body = { type: 'modify-objects', match_variable_id: made.key, style_color: custom('#ff0000') };
  await mapwright.post(`/projects/${made.id}/actions`, body);
  const published = await publish(mapwright, made);
  const at = `/projects/${made.id}`;
  await mapwright.patch(`${at}/artboards/${made.artboard}/objects/${made.rooms[1]}`, { key: 'gone' });
  t.match((await mapwright.get(`${at}/publication`)).shown, { stale: true, changed: true });
  t.notMatch(JSON.parse((await publicTexts(mapwright, published)).live).objects, { [made.rooms[1]]: {} });
  await publish(mapwright, made);
  await until('the new key counts', async () =>
    Object.hasOwn(JSON.parse((await publicTexts(mapwright, published)).live).objects, made.rooms[1]),
  );
});

t.test('values to match by that are too many are a 413, and nothing is published', async (t) => {
  const mapwright = await startForRequests(t);
  const made = await floor(mapwright);
  const at = `/projects/${made.id}`;
  const objects = Array.from({ length: 5000 }, (_, i) => ({ type: 'spot', key: `${i}-`.padEnd(200, String(i)) }));
  for (let i = 0; i < 5; i++) await mapwright.post(`${at}/artboards`, { objects });
  const match = { match_variable_id: made.key, style_color: custom('#ff0000') };
  const action = (await mapwright.post(`${at}/actions`, { type: 'modify-objects', ...match })).shown.id;
  const { problem } = await mapwright.ask('PUT', `/v1${at}/publication`, { body: {} });
  t.match(problem, { status: 413, detail: /keys and properties that actions match by has more than 4 MiB/ });
  t.equal((await mapwright.get(`${at}/publication`)).status, 404);
  await mapwright.patch(`${at}/actions/${action}`, { match_artboard_id: made.artboard });
  t.match(await publish(mapwright, made), { version: 1 }, 'with fewer in reach it is published');
});

t.test('the variable and the artboard of a list are references', async (t) => {
  const mapwright = await startForRequests(t);
  const made = await floor(mapwright);
  const at = `/projects/${made.id}`;
  const body = { type: 'modify-objects', match_variable_id: made.key, match_artboard_id: made.artboard };
  const action = (await mapwright.post(`${at}/actions`, body)).shown.id;
  const copy = (await mapwright.post(`${at}/duplicate`, {})).shown;
  const [copied] = copy['actions'] as [Shown];
  t.equal(copied['match_artboard_id'], (copy['artboards'] as [Shown])[0].id, 'a copy names its own');
  t.ok((copy['variables'] as Shown[]).some(({ id }) => id === copied['match_variable_id'] && id !== made.key));
  const batch = await mapwright.post(`${at}/batch`, {
    operations: [
      { method: 'POST', path: '/variables', body: { name: 'New' }, as: 'new' },
      { method: 'POST', path: '/actions', body: { ...body, match_variable_id: '{new}' } },
    ],
  });
  const [variable, made2] = (batch.shown['results'] as { body: Shown }[]).map((each) => each.body);
  t.equal(made2?.['match_variable_id'], variable?.id, 'a batch gives the identifier of a name');
  await mapwright.ask('DELETE', `/v1${at}/artboards/${made.artboard}`);
  await mapwright.ask('DELETE', `/v1${at}/variables/${made.key}`);
  const { list } = await mapwright.get(`${at}/problems`);
  const named = list.filter(({ resource }) => (resource as Shown | undefined)?.id === action).map(({ pointer }) => pointer);
  t.strictSame(
    named.map(String).sort(),
    ['match_artboard_id', 'match_variable_id'].map((name) => `/actions/0/${name}`),
  );
});
