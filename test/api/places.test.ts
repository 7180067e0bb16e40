// tier: normal
/** Places of objects on OpenStreetMap artboards: as input, converted to pixels in the decision, and as output where they are asked for. */
import t from 'tap';
import { type Answer, type Mapwright, type Shown, startForRequests, startMapwright } from '../support/mapwright.ts';
import { berlin, park, ringToPixels, toPixels, tower } from './berlin.ts';

const towerAt = toPixels(berlin)(tower);
const parkAt = ringToPixels(berlin, park);

interface World {
  readonly project: string;
  readonly artboard: string;
  readonly objects: string;
}

async function make(mapwright: Mapwright, body: object = berlin): Promise<World> {
  const { shown } = await mapwright.post('/projects', { artboards: [body] });
  const [{ id }] = shown['artboards'] as [Shown];
  return {
    project: `/projects/${shown.id}`,
    artboard: `/projects/${shown.id}/artboards/${id}`,
    objects: objectsOf(shown.id, id),
  };
}

const objectsOf = (project: string, artboard: string): string => `/projects/${project}/artboards/${artboard}/objects`;
const pointers = ({ text }: Answer): string[] =>
  (JSON.parse(text) as { errors?: { pointer: string }[] }).errors?.map(({ pointer }) => pointer) ?? [];
const pixelsOf = ({ x, y, coords }: Shown): unknown => ({ x, y, coords });
const towerPixels = { ...towerAt, coords: [] };

t.test('POST and PATCH of an object store pixels of its places, and show none', async (t) => {
  const mapwright = await startForRequests(t);
  const { objects } = await make(mapwright);
  const { shown: spot } = await mapwright.post(objects, { type: 'spot', ...tower });
  t.strictSame(pixelsOf(spot), towerPixels);
  const { shown: poly, text } = await mapwright.post(objects, { type: 'poly', places: park });
  t.strictSame(pixelsOf(poly), { x: 0, y: 0, coords: parkAt });
  t.notMatch(text, /"(?:lat|lng|places)"/);
  const moved = { lat: 52.6, lng: 13.5 };
  const { shown: patched } = await mapwright.patch(`${objects}/${spot.id}`, moved);
  t.strictSame(pixelsOf(patched), { ...toPixels(berlin)(moved), coords: [] });
  t.strictSame((await mapwright.get(objects)).list, [patched, poly]);
});

t.test('collections of a project and of an artboard take places, for new and for present artboards', async (t) => {
  const mapwright = await startForRequests(t);
  const objects = [
    { type: 'spot', ...tower },
    { type: 'spot', x: 5 },
    { type: 'poly', places: park },
  ];
  const expected = [towerPixels, { x: 5, y: 0, coords: [] }, { x: 0, y: 0, coords: parkAt }];
  const shownObjects = (artboard: Shown): unknown => (artboard['objects'] as Shown[]).map(pixelsOf);
  const made = await mapwright.post('/projects', { artboards: [{ ...berlin, objects }, { name: 'plain' }] });
  const artboards = made.shown['artboards'] as [Shown, Shown];
  t.strictSame(shownObjects(artboards[0]), expected);
  const project = `/projects/${made.shown.id}`;
  t.strictSame(shownObjects((await mapwright.post(`${project}/artboards`, { ...berlin, objects })).shown), expected);
  // The artboard as it will be, here of another type than before.
  const onPlain = `${project}/artboards/${artboards[1].id}`;
  t.strictSame(shownObjects((await mapwright.patch(onPlain, { ...berlin, objects })).shown), expected);
  t.equal((await mapwright.patch(onPlain, { type: 'color', objects })).status, 400);
  const both = { artboards: artboards.map(({ id }) => ({ id, osm_zoom: 13, objects })) };
  const finer = toPixels({ ...berlin, osm_zoom: 13 })(tower);
  const { shown } = await mapwright.patch(project, both);
  for (const one of shown['artboards'] as Shown[])
    t.strictSame(pixelsOf((one['objects'] as [Shown])[0]), { ...finer, coords: [] }, 'with its new zoom');
});

t.test('an operation of a batch converts with the artboard as operations before it leave it', async (t) => {
  const mapwright = await startForRequests(t);
  const { project, artboard } = await make(mapwright, { name: 'plain' });
  const at = artboard.slice(project.length);
  const batch = (operations: unknown[]) => mapwright.post(`${project}/batch`, { operations });
  const post = { method: 'POST', path: `${at}/objects`, body: { type: 'spot', ...tower } };
  const early = await batch([post, { method: 'PATCH', path: at, body: berlin }]);
  t.strictSame([early.status, pointers(early)], [400, ['/operations/0/body/lat']]);
  const { shown } = await batch([
    { method: 'PATCH', path: at, body: berlin },
    post,
    { method: 'PATCH', path: at, body: { osm_zoom: 13 } },
    post,
    { method: 'POST', path: '/artboards', as: 'new', body: berlin },
    { ...post, path: '/artboards/{new}/objects' },
  ]);
  const bodies = (shown['results'] as unknown as { body: Shown }[]).map(({ body }) => body);
  t.strictSame(pixelsOf(bodies[1] as Shown), towerPixels);
  t.strictSame(pixelsOf(bodies[3] as Shown), { ...toPixels({ ...berlin, osm_zoom: 13 })(tower), coords: [] });
  t.strictSame(pixelsOf(bodies[5] as Shown), towerPixels);
  const late = await batch([post, { method: 'PATCH', path: at, body: { type: 'image' } }, post]);
  t.strictSame([late.status, pointers(late)], [400, ['/operations/2/body/lat']]);
});

t.test('an import converts places with an artboard whose members follow its objects, in the order of the document', async (t) => {
  const mapwright = await startForRequests(t);
  const spots = Array.from({ length: 600 }, (_, i) =>
    i % 3 === 0
      ? { id: `spot-${i}`, type: 'spot', name: `${i}`, ...tower }
      : { id: `spot-${i}`, type: 'spot', name: `${i}`, x: i },
  );
  const [target] = spots;
  const link = { type: 'poly', name: 'last', places: park, click_action: 'change-artboard', click_action_artboard_id: 'board' };
  const project = {
    artboards: [{ objects: [...spots, link], id: 'board', ...berlin }],
    popups: [{ attachedTo: target?.id }],
  };
  const document = { format: 'mapwright-project', version: 1, project };
  const { status, shown } = await mapwright.post('/projects/import', document);
  t.equal(status, 200);
  const [{ objects, id }] = shown['artboards'] as [Shown];
  const made = objects as Shown[];
  t.strictSame(
    made.map(({ name }) => name),
    [...spots, link].map(({ name }) => name),
  );
  t.strictSame(pixelsOf(made[3] as Shown), towerPixels);
  t.strictSame(pixelsOf(made[4] as Shown), { x: 4, y: 0, coords: [] });
  t.match(made.at(-1), { coords: parkAt, click_action_artboard_id: id });
  t.match(shown['popups'], [{ attachedTo: made[0]?.id }]);
  const plain = {
    ...document,
    project: {
      artboards: [
        {
          objects: [
            { type: 'spot', x: 1 },
            { type: 'spot', ...tower },
          ],
        },
      ],
    },
  };
  const refused = await mapwright.post('/projects/import', plain);
  t.strictSame([refused.status, pointers(refused)], [400, ['/project/artboards/0/objects/1/lat']]);
});

t.test('pixels and places in one body are accepted if they agree, and the pixels are kept', async (t) => {
  const mapwright = await startForRequests(t);
  const { objects } = await make(mapwright);
  const x = towerAt.x + 0.009;
  t.strictSame(pixelsOf((await mapwright.post(objects, { type: 'spot', ...tower, x })).shown), { ...towerPixels, x });
  const coords = parkAt.map((pixel) => ({ x: pixel.x, y: pixel.y - 0.009 }));
  t.match((await mapwright.post(objects, { type: 'poly', places: park, coords })).shown, { coords });
  const elsewhere = toPixels(berlin)(tower).x + 256 * 2 ** 12;
  t.match((await mapwright.post(objects, { type: 'spot', ...tower, x: elsewhere })).shown, { x: elsewhere }, 'on another copy');
  const refused: [object, string][] = [
    [{ ...tower, x: towerAt.x + 0.011 }, '/lat'],
    [{ ...tower, y: towerAt.y - 0.011 }, '/lat'],
    [{ places: park, coords: coords.slice(1) }, '/places'],
    [{ places: park, coords: coords.map((pixel, i) => (i === 2 ? { ...pixel, x: 0 } : pixel)) }, '/places/2'],
  ];
  for (const [body, pointer] of refused) {
    const answer = await mapwright.post(objects, { type: 'spot', ...body });
    t.strictSame([answer.status, pointers(answer)], [400, [pointer]]);
  }
});

t.test('places that have no pixels are refused with a pointer, and nothing is changed', async (t) => {
  const mapwright = await startForRequests(t);
  const { objects } = await make(mapwright);
  const { objects: plain } = await make(mapwright, { type: 'image' });
  const { objects: far } = await make(mapwright, { ...berlin, osm_zoom: 1e308 });
  const { objects: large } = await make(mapwright, { ...berlin, osm_zoom: 1015.99 });
  const { objects: polar } = await make(mapwright, { ...berlin, osm_lat: 91 });
  const refused: [string, object, string[]][] = [
    [objects, { lat: 1 }, ['/lng']],
    [objects, { lng: 1 }, ['/lat']],
    [plain, { lng: 1 }, ['/lat']],
    [objects, { lat: 91, lng: 0 }, ['/lat']],
    [objects, { lat: -85.06, lng: -181 }, ['/lat', '/lng']],
    [objects, { lat: '1', lng: null }, ['/lat', '/lng']],
    [objects, { places: [{ lat: 1, lng: 2 }, { lat: 1 }] }, ['/places/1/lng']],
    [objects, { places: [{ lat: 1, lng: 2, x: 1 }] }, ['/places/0/x']],
    [objects, { places: [{ lat: 1, lng: 200 }] }, ['/places/0/lng']],
    [objects, { places: {} }, ['/places']],
    [objects, { places: Array.from({ length: 50_001 }, () => tower) }, ['/places']],
    [plain, tower, ['/lat']],
    [plain, { places: [] }, ['/places']],
    [far, tower, ['/lat']],
    [far, { places: park }, ['/places']],
    [polar, tower, ['/lat']],
  ];
  for (const [at, body, expected] of refused) {
    const before = mapwright.lastRecord();
    for (const answer of [
      await mapwright.post(at, { type: 'spot', ...body }),
      await mapwright.post(at.replace('/objects', '').replace(/\/artboards\/.*/, '/batch'), {
        operations: [{ method: 'POST', path: at.replace(/^\/projects\/[^/]*/, ''), body: { type: 'spot', ...body } }],
      }),
    ]) {
      t.equal(answer.status, 400);
      t.strictSame(
        pointers(answer).map((pointer) => pointer.replace('/operations/0/body', '')),
        expected,
        answer.text,
      );
    }
    t.equal(mapwright.lastRecord(), before);
  }
  const tooLarge = '{"type":"spot","lat":1e999,"lng":1}';
  t.equal((await mapwright.ask('POST', `/v1${objects}`, { body: tooLarge })).status, 400);
  t.equal((await mapwright.post(large, { type: 'spot', ...tower })).status, 200, 'finite pixels are accepted however large');
});

t.test('?places=true adds places to one object and to lists, and is the only difference', async (t) => {
  const mapwright = await startForRequests(t);
  const { objects, artboard } = await make(mapwright);
  const spot = (await mapwright.post(objects, { type: 'spot', name: 'a', ...tower })).shown;
  const poly = (await mapwright.post(objects, { type: 'poly', name: 'b', places: park })).shown;
  const plain = (await mapwright.get(objects)).list;
  const { list } = await mapwright.get(`${objects}?places=true`);
  t.strictSame(
    list.map(({ lat: _lat, lng: _lng, places: _places, ...stored }) => stored),
    plain,
  );
  const near = (a: unknown, b: number) => Math.abs(Number(a) - b) < 1e-9;
  t.ok(near(list[0]?.['lat'], tower.lat) && near(list[0]?.['lng'], tower.lng));
  t.notOk('places' in (list[0] as Shown), 'an object without corners has no places');
  const places = list[1]?.['places'] as typeof park;
  t.ok(places.length === 3 && park.every(({ lat, lng }, i) => near(places[i]?.lat, lat) && near(places[i]?.lng, lng)));
  for (const [i, { id }] of [spot, poly].entries())
    t.strictSame((await mapwright.get(`${objects}/${id}?places=true`)).shown, list[i]);
  const some = (await mapwright.get(`${objects}?places=true&fields=name,lat,places&sort=-name&limit=1`)).list;
  t.strictSame(some, [{ id: poly.id, name: 'b', lat: list[1]?.['lat'], places }]);
  t.strictSame(Object.keys((await mapwright.get(`${objects}/${spot.id}?places=true&fields=lng`)).shown), ['id', 'lng']);
  t.strictSame((await mapwright.get(`${objects}?places=false`)).list, plain);
  for (const one of list) t.equal((await mapwright.patch(`${objects}/${one.id}`, one)).status, 200, 'it can be sent back');
  t.strictSame((await mapwright.get(objects)).list, plain, 'unchanged');
  for (const query of [
    'fields=lat',
    'places=1',
    'places=true&sort=lat',
    'lat=1',
    'places=true&lng=1',
    'places=true&fields=place',
  ])
    t.equal((await mapwright.get(`${objects}?${query}`)).status, 400, query);
  t.equal((await mapwright.get(`${artboard}?places=true`)).status, 400);
  await mapwright.patch(artboard, { type: 'image' });
  t.strictSame((await mapwright.get(`${objects}?places=true`)).list, plain, 'another artboard has none');
});

t.test('a pixel beyond the edge of the map, and an artboard without finite pixels, have no places', async (t) => {
  const mapwright = await startForRequests(t);
  const { objects, artboard } = await make(mapwright, { ...berlin, osm_lat: 0, osm_zoom: 1 });
  await mapwright.post(objects, {
    type: 'poly',
    y: -1,
    coords: [
      { x: 0, y: 300 },
      { x: 0, y: 560 },
    ],
  });
  await mapwright.post(objects, { type: 'spot', y: 300, x: 400 + 256 });
  const [poly, spot] = (await mapwright.get(`${objects}?places=true`)).list as [Shown, Shown];
  t.notOk('lat' in poly || 'lng' in poly || 'places' in poly);
  t.match(spot, { lat: 0, lng: berlin.osm_lng - 180 });
  await mapwright.patch(artboard, { osm_lat: 91 });
  t.notMatch((await mapwright.get(`${objects}?places=true`)).text, /"l(?:at|ng)"/);
});

t.test('the tag of places changes with the object and with its artboard, and a write compares both', async (t) => {
  const mapwright = await startForRequests(t);
  const { objects, artboard } = await make(mapwright);
  const { id } = (await mapwright.post(objects, { type: 'spot', ...tower })).shown;
  const at = `${objects}/${id}`;
  const tag = async (query: string, path = at) => String((await mapwright.get(`${path}?${query}`)).headers.etag);
  const write = async (etag: string) =>
    (await mapwright.patch(at, { name: 'changed' }, { headers: { 'If-Match': etag } })).status;
  const [plain, placed, list] = [await tag('fields=x'), await tag('places=true'), await tag('places=true', objects)];
  t.equal((await mapwright.get(`${at}?places=true`, { headers: { 'If-None-Match': placed } })).status, 304);
  await mapwright.patch(artboard, { osm_zoom: 13 });
  t.equal(await tag('fields=x'), plain, 'the object itself has not changed');
  t.not(await tag('places=true'), placed);
  t.not(await tag('places=true', objects), list);
  t.equal((await mapwright.get(`${at}?places=true`, { headers: { 'If-None-Match': placed } })).status, 200);
  t.equal(await write(placed), 412);
  t.equal(await write(await tag('places=true&fields=lat')), 200);
  t.equal(await write(plain), 412);
  t.equal(await write(await tag('fields=x')), 200);
  const create = async (etag: string) =>
    (await mapwright.post(objects, { type: 'spot' }, { headers: { 'If-Match': etag } })).status;
  t.strictSame([await create(list), await create(await tag('places=true', objects))], [412, 200]);
});

t.test('pixels that were converted survive a crash', async (t) => {
  const mapwright = await startMapwright(t);
  const { objects } = await make(mapwright);
  await mapwright.post(objects, { type: 'spot', ...tower });
  await mapwright.post(objects, { type: 'poly', places: park });
  const { text } = await mapwright.get(objects);
  await mapwright.crash();
  t.equal((await mapwright.get(objects)).text, text);
});
