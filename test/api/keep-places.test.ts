// tier: normal
/** `keep_places`: a change of an artboard on a map that moves its objects, so that they stay where they are on Earth. */
import t from 'tap';
import { follow } from '../support/follower.ts';
import { type Answer, type Mapwright, type Shown, startForRequests, startMapwright } from '../support/mapwright.ts';
import { berlin, type MapArea, type Place, park, toPixels, tower } from './berlin.ts';

async function make(mapwright: Mapwright, artboard: object = berlin) {
  const objects = [{ type: 'spot', radius: 7, ...tower }, { type: 'poly', places: park }, { type: 'poly' }];
  const { shown } = await mapwright.post('/projects', { artboards: [{ ...artboard, objects }] });
  const [{ id }] = shown['artboards'] as [Shown];
  return { project: `/projects/${shown.id}`, at: `/projects/${shown.id}/artboards/${id}`, below: `/artboards/${id}` };
}

const placesAt = async (mapwright: Mapwright, at: string): Promise<Place[]> =>
  (await mapwright.get(`${at}/objects?places=true`)).list
    .slice(0, 2)
    .flatMap(({ lat, lng, places }) => (places === undefined ? [{ lat, lng }] : places) as Place[]);

const isNear = (a: readonly Place[], b: readonly Place[]): boolean =>
  a.length === b.length &&
  a.every(({ lat, lng }, i) => Math.abs(lat - (b[i] as Place).lat) < 1e-9 && Math.abs(lng - (b[i] as Place).lng) < 1e-9);

const pointers = ({ text }: Answer): string[] =>
  (JSON.parse(text) as { errors?: { pointer: string }[] }).errors?.map(({ pointer }) => pointer) ?? [];

t.test('a PATCH with keep_places moves the objects in one record, and one without moves none', async (t) => {
  const mapwright = await startMapwright(t);
  const { at } = await make(mapwright);
  const changes: Partial<MapArea>[] = [
    { osm_zoom: 13.5 },
    { osm_lat: -33.86, osm_lng: 151.2 },
    { width: 1024, height: 10 },
    { osm_lng: -170, osm_zoom: 1 },
    { ...berlin },
  ];
  const before = await placesAt(mapwright, at);
  const first = (await mapwright.get(`${at}/objects`)).list;
  for (const change of changes) {
    const records = mapwright.lastRecord();
    const { shown } = await mapwright.patch(`${at}?keep_places=true`, change);
    t.equal(mapwright.lastRecord(), records + 1, 'one record');
    t.match(shown, change);
    t.ok(isNear(await placesAt(mapwright, at), before), JSON.stringify(change));
    t.equal((shown['objects'] as [Shown])[0]['radius'], 7);
    t.match((shown['objects'] as Shown[])[2], { x: 0, y: 0, coords: [] }, 'an object without pixels has none');
    t.strictSame((await mapwright.get(`${at}/objects`)).list, shown['objects']);
  }
  const { text } = await mapwright.get(`${at}/objects`);
  const last = JSON.parse(text) as Shown[];
  t.ok(Math.abs(Number(last[0]?.['x']) - Number(first[0]?.['x'])) < 1e-6, 'and back');
  await mapwright.crash();
  t.equal((await mapwright.get(`${at}/objects`)).text, text);
  await mapwright.patch(at, { osm_zoom: 5 });
  await mapwright.patch(`${at}?keep_places=false`, { osm_zoom: 6 });
  t.equal((await mapwright.get(`${at}/objects`)).text, text);
});

t.test('the feed has the artboard and each object that moved', async (t) => {
  const mapwright = await startMapwright(t);
  const { at } = await make(mapwright);
  const feed = await (await follow(mapwright, '/events')).begun();
  await mapwright.patch(`${at}?keep_places=true`, { name: 'renamed' });
  const renamed = await feed.next();
  t.strictSame(
    renamed.events.map(({ name }) => name),
    ['artboard.updated'],
    'nothing moves if the area stays',
  );
  await mapwright.patch(`${at}?keep_places=true`, { osm_zoom: 13 });
  const moved = await feed.next();
  t.strictSame(
    moved.events.map(({ name }) => name),
    ['artboard.updated', 'object.updated', 'object.updated'],
  );
});

t.test('an operation of a batch keeps places with the artboard and the objects before it', async (t) => {
  const mapwright = await startMapwright(t);
  const { project, at, below } = await make(mapwright);
  const batch = (operations: object[]) => mapwright.post(`${project}/batch`, { operations });
  const records = mapwright.lastRecord();
  const answer = await batch([
    { method: 'PATCH', path: below, body: { osm_zoom: 13 }, keep_places: true },
    { method: 'POST', path: `${below}/objects`, body: { type: 'spot', ...tower } },
    { method: 'PATCH', path: below, body: { osm_zoom: 14, osm_lat: 52.5 }, keep_places: true },
  ]);
  t.equal(answer.status, 200);
  t.equal(mapwright.lastRecord(), records + 1);
  const { list } = await mapwright.get(`${at}/objects?places=true`);
  t.ok(isNear([list[0], list[3]] as unknown as Place[], [tower, tower]));
  const expected = toPixels({ ...berlin, osm_zoom: 14, osm_lat: 52.5 })(tower);
  t.ok(Math.abs(Number(list[3]?.['x']) - expected.x) < 1e-6 && Math.abs(Number(list[3]?.['y']) - expected.y) < 1e-6);
  for (const [operation, pointer] of [
    [{ method: 'PATCH', path: '/', body: {}, keep_places: true }, '/operations/0/keep_places'],
    [{ method: 'POST', path: '/artboards', body: {}, keep_places: true }, '/operations/0/keep_places'],
    [{ method: 'PATCH', path: below, body: {}, keep_places: 'yes' }, '/operations/0/keep_places'],
    [{ method: 'PATCH', path: below, body: { type: 'color' }, keep_places: true }, '/operations/0/body/type'],
  ] as const) {
    const refused = await batch([operation]);
    t.strictSame([refused.status, pointers(refused)], [400, [pointer]]);
  }
  t.equal((await batch([{ method: 'PATCH', path: '/', body: {}, keep_places: false }])).status, 200);
});

t.test('keep_places is refused with a pointer where places cannot be kept, and nothing is changed', async (t) => {
  const mapwright = await startForRequests(t);
  const { at } = await make(mapwright);
  const { shown } = await mapwright.post('/projects', { artboards: [{}, { ...berlin, osm_lat: 89 }] });
  const [plain, polar] = (shown['artboards'] as [Shown, Shown]).map(({ id }) => `/projects/${shown.id}/artboards/${id}`);
  const refused: [string, object, string[]][] = [
    [at, { osm_zoom: 13, objects: [] }, ['/objects']],
    [at, { type: 'image' }, ['/type']],
    [plain as string, berlin, ['/type']],
    [at, { osm_zoom: 1e308 }, ['/osm_zoom']],
    [at, { osm_zoom: 1014 }, ['/osm_zoom']],
    [at, { osm_lat: 86 }, ['/osm_lat']],
    [at, { osm_lng: -181 }, ['/osm_lng']],
    [polar as string, { osm_lat: 1 }, ['/osm_lat']],
    [at, { osm_zoom: 0.5 }, ['/osm_zoom']],
  ];
  const far = { type: 'spot', x: 1e300, y: 0 };
  await mapwright.post(`${at}/objects`, far);
  for (const [path, body, expected] of refused) {
    const records = mapwright.lastRecord();
    const answer = await mapwright.patch(`${path}?keep_places=true`, body);
    t.strictSame([answer.status, pointers(answer)], [400, expected], answer.text);
    t.equal(mapwright.lastRecord(), records);
  }
  t.equal((await mapwright.patch(`${at}?keep_places=1`, {})).status, 400);
  t.equal((await mapwright.post(`${at}/objects?keep_places=true`, { type: 'spot' })).status, 400);
});
