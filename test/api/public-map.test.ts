// tier: normal
/** Members of maps for visitors: what is stored, filtered, refused and published, and what `/problems` says of them. */
import t, { type Test } from 'tap';
import { mapProblems } from '../../src/api/publish/map-problems.ts';
import { projects } from '../../src/model/resources.ts';
import { type ProjectSettings, publicSettings } from '../../src/model/settings/settings.ts';
import { type Answer, type Mapwright, type Shown, startForRequests } from '../support/mapwright.ts';

const square = [
  { x: 0, y: 0 },
  { x: 100, y: 0 },
  { x: 100, y: 100 },
  { x: 0, y: 100 },
];
const hole = square.map(({ x, y }) => ({ x: 40 + x / 10, y: 40 + y / 10 }));

/** All members beyond their defaults. */
const place = {
  type: 'poly',
  coords: square,
  category: 'Food',
  properties: { Phone: '+43 1', seats: 12, open: true, staff: 'private 7' },
  icon: 'maki:cafe',
  label: 'always',
  label_size: 20,
  holes: [hole],
};
const line = { type: 'poly', coords: square.slice(0, 2), closed: false, arrow: 'both' };

async function make(mapwright: Mapwright, objects: unknown, settings: object = {}, artboard: object = {}) {
  const { shown } = await mapwright.post('/projects', { settings, artboards: [{ ...artboard, objects }] });
  const [board] = shown['artboards'] as [Shown];
  const at = `/projects/${shown.id}`;
  return {
    at,
    id: shown.id,
    artboard: board.id,
    objects: `${at}/artboards/${board.id}/objects`,
    made: board['objects'] as Shown[],
  };
}

/** The map that a visitor loads. */
async function published(mapwright: Mapwright, at: string): Promise<{ readonly text: string; readonly map: Shown }> {
  const { shown } = await mapwright.ask('PUT', `/v1${at}/publication`, { body: {} });
  const { pathname } = new URL(String(shown['url']), 'http://maps.test');
  const { map } = JSON.parse((await mapwright.ask('GET', `${pathname}/map.json`, { key: '' })).text) as { map: string };
  const { text } = await mapwright.ask('GET', `${pathname}/${map}`, { key: '' });
  return { text, map: JSON.parse(text) as Shown };
}

const errorsOf = ({ problem }: Answer) => (problem.errors ?? []).map(({ pointer, detail }) => `${pointer} ${detail}`);

t.test('lists filter by the words of a place, and neither filter nor sort by its data', async (t) => {
  const mapwright = await startForRequests(t);
  const { objects } = await make(mapwright, [place, { ...line, name: 'way' }, { type: 'spot', name: 'spot' }]);
  const found = async (query: string) => (await mapwright.get(`${objects}?${query}`)).list.length;
  t.strictSame(
    [await found('category=Food'), await found('category='), await found('icon=maki:cafe'), await found('label=always')],
    [1, 2, 1, 1],
  );
  t.strictSame([await found('closed=false'), await found('closed=true'), await found('arrow=both')], [1, 2, 1]);
  for (const query of ['properties=x', 'holes=x', 'sort=properties', 'sort=holes'])
    t.equal((await mapwright.get(`${objects}?${query}`)).status, 400, query);
  const listed = (await mapwright.get(`${objects}?fields=name,properties`)).list;
  t.strictSame(listed[0]?.['properties'], place.properties);
});

t.test('names that every object has are ordinary names of properties', async (t) => {
  const mapwright = await startForRequests(t);
  const body = '{"type":"spot","properties":{"constructor":"a","hasOwnProperty":"b","toString":1}}';
  const { objects } = await make(mapwright, []);
  const json = { 'content-type': 'application/json' };
  const { shown } = await mapwright.ask('POST', `/v1${objects}`, { body, headers: json });
  const text = async () => (await mapwright.get(`${objects}/${shown.id}`)).text;
  t.match(await text(), '"properties":{"constructor":"a","hasOwnProperty":"b","toString":1}');
  const headers = { 'content-type': 'application/merge-patch+json' };
  const patch = { properties: { toString: 'c', hasOwnProperty: null } };
  t.equal((await mapwright.ask('PATCH', `/v1${objects}/${shown.id}`, { headers, body: JSON.stringify(patch) })).status, 200);
  t.match(await text(), '"properties":{"constructor":"a","toString":"c"}', 'a merge patch merges properties');
  const refused = await mapwright.ask('PATCH', `/v1${objects}/${shown.id}`, {
    headers: json,
    body: '{"properties":{"__proto__":1}}',
  });
  t.strictSame(refused.pointers, ['/properties/__proto__'], 'no document may have this name');
});

t.test('bad members are refused with their pointers', async (t) => {
  const mapwright = await startForRequests(t);
  const { at, objects } = await make(mapwright, []);
  const many = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`p${i}`, i]));
  const ring = Array.from({ length: 25_001 }, (_, i) => ({ x: i, y: i % 7 }));
  const cases: readonly (readonly [object, RegExp])[] = [
    [{ category: 'c'.repeat(101) }, /^\/category must have at most 100 characters, not 101$/],
    [{ properties: { a: null } }, /^\/properties\/a must be a string or a number or true or false, not null$/],
    [{ properties: { a: { b: 1 } } }, /^\/properties\/a must be a string or a number or true or false, not an object$/],
    [{ properties: { a: [1] } }, /^\/properties\/a must be .* not an array$/],
    [{ properties: { a: 'x'.repeat(4097) } }, /^\/properties\/a must have at most 4096 characters, not 4097$/],
    [{ properties: { '': 1 } }, /^\/properties\/ is no name of a property/],
    [{ properties: { ['n'.repeat(101)]: 1 } }, /is no name of a property: it must have 1 to 100 characters$/],
    [{ properties: many }, /^\/properties must have at most 64 members$/],
    [
      { properties: { a: 'ü'.repeat(4000), b: 'ü'.repeat(4000), c: 'ü'.repeat(400) } },
      /^\/properties must have at most 16384 bytes/,
    ],
    [{ properties: [] }, /^\/properties must be a JSON object, not an array$/],
    [{ label: 'sometimes' }, /^\/label must be one of "auto", "always", "never"/],
    [{ label_size: 5 }, /^\/label_size must be at least 6$/],
    [{ label_size: 97 }, /^\/label_size must be at most 96$/],
    [{ closed: 'no' }, /^\/closed must be true or false, not a string$/],
    [{ arrow: 'start' }, /^\/arrow must be one of/],
    [{ holes: [[{ x: 1 }]] }, /^\/holes\/0\/0\/y is required: a vertex has exactly x and y$/],
    [{ holes: Array.from({ length: 101 }, () => hole) }, /^\/holes must have at most 100 elements$/],
    [{ coords: ring, holes: [ring] }, /^\/holes brings the corners of the polygon to 50002: at most 50000 may be in one/],
    [{ hole_places: [[{ lat: 1, lng: 1 }]] }, /^\/hole_places needs an artboard of type "osm"/],
  ];
  for (const [body, expected] of cases) {
    const refused = await mapwright.post(objects, { type: 'poly', coords: square, ...body });
    t.equal(refused.status, 400, JSON.stringify(body).slice(0, 60));
    t.match(errorsOf(refused)[0], expected);
  }
  t.equal(
    (await mapwright.post(objects, { type: 'poly', coords: [{ x: 1, y: 1 }], closed: false })).status,
    200,
    'a line of one point is stored',
  );
  t.equal((await mapwright.post(objects, { type: 'spot', properties: { huge: 1e308 } })).shown['properties'] !== undefined, true);
  const map = (publicMap: unknown) => mapwright.patch(at, { settings: { public_map: publicMap } });
  const settings: readonly (readonly [unknown, RegExp])[] = [
    [5, /^\/settings\/public_map must be a JSON object, not a number$/],
    [
      { colour: 'red' },
      /^\/settings\/public_map\/colour is not a member here: public_map has description, categories, fields, start, lang, header, indexed, stale_minutes$/,
    ],
    [
      { categories: Array.from({ length: 10_000 }, (_, i) => ({ name: `c${i}` })) },
      /^\/settings\/public_map\/categories must have at most 200 elements$/,
    ],
    [{ categories: [{ name: '' }] }, /^\/settings\/public_map\/categories\/0\/name must not be empty$/],
    [
      { categories: [{ name: 'a', size: 1 }] },
      /^\/settings\/public_map\/categories\/0\/size is not a member here: a category has name, label, color, icon, hidden$/,
    ],
    [{ categories: [{ name: 'a' }, { name: 'a' }] }, /^\/settings\/public_map\/categories has the name "a" twice$/],
    [{ fields: [{ name: 'a', kind: 'colour' }] }, /^\/settings\/public_map\/fields\/0\/kind must be one of "text", "number"/],
    [{ fields: [{ name: 'a', show: ['map'] }] }, /^\/settings\/public_map\/fields\/0\/show\/0 must be one of "popup", "list"/],
    [{ fields: [{ label: 'a' }] }, /^\/settings\/public_map\/fields\/0\/name is required: a field has name, label, kind, show$/],
    [{ start: { lat: 48 } }, /^\/settings\/public_map\/start must have either lat and lng, or x and y, or none of them$/],
    [{ lang: 'deutsch!' }, /^\/settings\/public_map\/lang /],
    [{ indexed: 'yes' }, /^\/settings\/public_map\/indexed must be true or false/],
    [{ header: { text: '' } }, /header\/text is not a member here: a header has title, logo, accent, links$/],
    [{ header: { links: [{ label: 'a' }] } }, /links\/0\/url is required: a link has label, url$/],
    [{ header: { links: Array(9).fill({ label: 'a', url: '/' }) } }, /header\/links must have at most 8 elements$/],
    [{ stale_minutes: 0 }, /^\/settings\/public_map\/stale_minutes must be at least 1$/],
    [{ stale_minutes: 10_081 }, /^\/settings\/public_map\/stale_minutes must be at most 10080$/],
    [{ stale_minutes: 1.5 }, /^\/settings\/public_map\/stale_minutes must be a whole number, not 1\.5$/],
    [{ stale_minutes: '5' }, /^\/settings\/public_map\/stale_minutes must be a whole number, not a string$/],
    [{ start: { lat: 99, lng: 0 } }, /^\/settings\/public_map\/start\/lat must be at most 85\.0511$/],
  ];
  for (const [body, expected] of settings) {
    const refused = await map(body);
    t.equal(refused.status, 400, JSON.stringify(body).slice(0, 60));
    t.match(errorsOf(refused)[0], expected);
  }
  t.equal((await map({ categories: [{ name: '__proto__' }], fields: [{ name: '__proto__' }] })).status, 200);
});

const publicMap = {
  description: 'Cafés',
  categories: [
    { name: 'Food', color: '#ff0000', icon: 'temaki:elevator' },
    { name: '__proto__', hidden: true },
  ],
  fields: [{ name: 'Phone', kind: 'telephone', show: ['popup', 'list'] }, { name: '__proto__' }],
  stale_minutes: 30,
  lang: 'de',
  indexed: true,
  header: { title: 'Town', logo: '/logo.png', accent: 'navy', links: [{ label: 'Imprint', url: 'https://a.example' }] },
};

t.test('a published map has the properties that a field names, and the icons that it uses', async (t) => {
  const mapwright = await startForRequests(t);
  const hidden = { type: 'spot', properties: { staff: 'private 8' }, icon: 'maki:no-such-icon' };
  const made = await make(mapwright, [place, hidden, { type: 'spot', icon: 'https://maps.example/pin.png' }], {
    public_map: publicMap,
  });
  const { text, map } = await published(mapwright, made.at);
  t.notMatch(text, /private|staff|seats/);
  const [artboard] = map['artboards'] as [Shown];
  const [shown, other] = artboard['objects'] as [Shown, Shown];
  t.strictSame(shown['properties'], { Phone: '+43 1' });
  t.notOk('properties' in other, 'none of its properties is public');
  t.strictSame((map['settings'] as Shown)['public_map'], publicMap);
  const icons = map['icons'] as Record<string, { path: string; size: number }>;
  t.strictSame(
    Object.keys(icons),
    ['maki:cafe', 'temaki:elevator'],
    'those of objects and of categories; none for an unknown one',
  );
  t.match(icons['maki:cafe'], { path: /^m/i, size: 15 });
  t.equal((await mapwright.get(`${made.at}/publication/draft`)).text, text, 'the draft is what a PUT publishes');
  const { shown: again } = await mapwright.get(`${made.at}/publication`);
  t.equal(again['changed'], false);
  await mapwright.patch(made.at, { settings: { public_map: { fields: [] } } });
  const without = await published(mapwright, made.at);
  t.notMatch(without.text, /properties|Phone|\+43/);
});

t.test('a map without the new members is what it was', async (t) => {
  const mapwright = await startForRequests(t);
  const made = await make(mapwright, [{ type: 'spot', key: 'k' }], { editor: { secret: 1 } });
  const { map } = await published(mapwright, made.at);
  t.strictSame(Object.keys(map), ['id', 'created', 'name', 'artboards', 'popups']);
});

t.test('problems names unknown icons and an artboard that the start does not have', async (t) => {
  const mapwright = await startForRequests(t);
  const nowhere = '01890000-0000-7000-8000-000000000000';
  const settings = { public_map: { categories: [{ name: 'a', icon: 'maki:toilets' }], start: { artboard_id: nowhere } } };
  const { at, made } = await make(mapwright, [{ type: 'spot' }, { type: 'spot', icon: 'temaki:nothing-like-it' }], settings);
  const found = (await mapwright.get(`${at}/problems`)).json as Record<string, unknown>[];
  t.match(found, [
    { pointer: '/settings/public_map/start/artboard_id', member: 'settings', refers_to: { kind: 'artboard', id: nowhere } },
    {
      pointer: '/settings/public_map/categories/0/icon',
      refers_to: { kind: 'icon', id: 'maki:toilets' },
      detail: 'did you mean "maki:toilet"',
    },
    {
      pointer: '/artboards/0/objects/1/icon',
      member: 'icon',
      resource: { kind: 'object', id: made[1]?.id },
      refers_to: { kind: 'icon' },
    },
  ]);
  t.equal(found.length, 3);
  t.equal(((await mapwright.get(`${at}/problems?limit=2`)).json as unknown[]).length, 2);
  const strict = await mapwright.patch(`${at}?strict=true`, { settings: { public_map: { start: { artboard_id: nowhere } } } });
  t.equal(strict.status, 200, 'it was dangling before');
});

t.test('a polygon gets no more corners by a later request than by one', async (t) => {
  const mapwright = await startForRequests(t);
  const ring = (length: number) => Array.from({ length }, (_, i) => ({ x: i, y: i % 7 }));
  const osm = { type: 'osm', osm_lat: 48.2, osm_lng: 16.37, osm_zoom: 14 };
  const { objects, at, artboard } = await make(mapwright, [{ type: 'poly', coords: ring(30_000) }], {}, osm);
  const [object] = (await mapwright.get(objects)).list as [Shown];
  const one = `${objects}/${object.id}`;
  const expected = /brings the corners of the polygon to 50001: at most 50000 may be in one, with those of its holes/;
  const refused = await mapwright.patch(one, { holes: [ring(20_001)] });
  t.match([refused.status, errorsOf(refused)[0]], [400, expected]);
  t.equal((await mapwright.patch(one, { holes: [ring(20_000)] })).status, 200);
  t.strictSame((await mapwright.patch(one, { coords: ring(30_001) })).pointers, ['/coords']);
  const whole = await mapwright.patch(`${at}/artboards/${artboard}`, { objects: [{ id: object.id, coords: ring(30_001) }] });
  t.strictSame(whole.pointers, ['/objects/0/coords']);
  const places = (length: number) => Array.from({ length }, (_, i) => ({ lat: 48 + i / 1e6, lng: 16 + (i % 7) / 1e6 }));
  const both = { type: 'poly', places: places(30_000), hole_places: [places(20_001)] };
  t.strictSame((await mapwright.post(objects, both)).pointers, ['/holes']);
});

t.test('holes follow places: as they are sent, shown, kept and exported', async (t) => {
  const mapwright = await startForRequests(t);
  const osm = { type: 'osm', osm_lat: 48.2, osm_lng: 16.37, osm_zoom: 14, width: 800, height: 600 };
  const { at, artboard, objects } = await make(mapwright, [], {}, osm);
  const ring = (side: number) => [
    { lat: 48.2, lng: 16.37 },
    { lat: 48.2, lng: 16.37 + side },
    { lat: 48.2 + side, lng: 16.37 + side },
  ];
  const created = (await mapwright.post(objects, { type: 'poly', places: ring(0.01), hole_places: [ring(0.002)] })).shown;
  const [inner] = created['holes'] as [{ x: number; y: number }[]];
  t.equal(inner.length, 3);
  const near = (some: unknown, others: readonly { lat: number; lng: number }[]) =>
    (some as typeof others).every(
      ({ lat, lng }, i) => Math.abs(lat - (others[i]?.lat ?? 0)) < 1e-6 && Math.abs(lng - (others[i]?.lng ?? 0)) < 1e-6,
    );
  const placed = async () => (await mapwright.get(`${objects}/${created.id}?places=true`)).shown;
  t.ok(near(((await placed())['hole_places'] as unknown[])[0], ring(0.002)));
  const patched = await mapwright.patch(`${objects}/${created.id}`, { hole_places: [ring(0.004)] });
  t.equal(patched.status, 200);
  await mapwright.patch(`${at}/artboards/${artboard}?keep_places=true`, { osm_zoom: 15, osm_lng: 16.4 });
  t.ok(near(((await placed())['hole_places'] as unknown[])[0], ring(0.004)), 'they stay where they are on Earth');
  const twice = await mapwright.patch(`${objects}/${created.id}`, { hole_places: [ring(0.004)], holes: [] });
  t.match(errorsOf(twice)[0], /^\/hole_places and holes are two forms of the same/);
  await mapwright.post(objects, { type: 'poly', places: ring(0.01).slice(0, 2), closed: false, properties: { a: 1 } });
  await mapwright.post(objects, { type: 'poly', places: ring(0.01), hole_places: [ring(0.004), ring(0.002).slice(0, 2)] });
  const document = (await mapwright.get(`${at}/artboards/${artboard}/export.geojson`)).json as {
    features: { geometry: { type: string; coordinates: unknown[][] }; properties: Record<string, unknown> }[];
  };
  const [area, way, worn] = document.features;
  t.equal(area?.geometry.type, 'Polygon');
  t.strictSame(
    area?.geometry.coordinates.map((each) => each.length),
    [4, 4],
    'the hole is an inner ring',
  );
  t.notOk('holes' in (area?.properties ?? {}));
  t.equal(way?.geometry.type, 'LineString');
  t.strictSame(way?.properties['properties'], { a: 1 });
  t.notOk('closed' in (way?.properties ?? {}));
  t.equal(worn?.geometry.coordinates.length, 2, 'a hole of two corners is no ring, and the others are');
  t.strictSame((worn?.properties['holes'] as unknown[] | undefined)?.length, 2);
});

t.test('pictures in properties and in icons are files of the project: copies have their own', async (t: Test) => {
  const mapwright = await startForRequests(t);
  const { at, objects } = await make(mapwright, []);
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const file = await mapwright.ask('POST', `/v1${at}/files?name=a.png`, { body: png, headers: { 'content-type': 'image/png' } });
  const url = String(file.shown['url']);
  await mapwright.post(objects, { type: 'spot', icon: url, properties: { photo: url, note: `see ${url}` } });
  const settings = { public_map: { categories: [{ name: 'a', icon: url }], fields: [{ name: 'photo', kind: 'picture' }] } };
  await mapwright.patch(at, { settings });
  const copy = (await mapwright.post(`${at}/duplicate`, {})).shown;
  const own = (text: string) => [...text.matchAll(/"(\/f\/[^"]+)"/g)].map(([, path]) => path);
  const named = new Set(own((await mapwright.get(`/projects/${copy.id}`)).text));
  t.equal(named.size, 1, 'all three name one file');
  t.notOk(named.has(url), 'which is the own one of the copy');
  t.strictSame((await mapwright.get(`/projects/${copy.id}/problems`)).json, []);
  const { map } = await published(mapwright, at);
  t.match(JSON.stringify(map), url);
  await mapwright.delete(`${at}/files/${file.shown.id}`);
  const problems = (await mapwright.get(`${at}/problems`)).json as { pointer: string }[];
  const pointers = problems.map(({ pointer }) => pointer).sort();
  t.strictSame(pointers, ['/artboards/0/objects/0/icon', '/artboards/0/objects/0/properties', '/settings']);
});

t.test('a public_map from before it was checked is not published, and problems say why', async (t) => {
  const settings = { public_map: { categories: [{ name: '' }] }, labels: 'all' } as unknown as ProjectSettings;
  t.strictSame(publicSettings(settings), { labels: 'all' });
  const value = projects.create('p', {}, { settings: settings as Record<string, unknown> });
  const search = mapProblems({ resource: projects, value, member: undefined, held: new Map() }, 10, []);
  const { value: found } = search.next();
  t.match(found, [
    {
      ...{ pointer: '/settings/public_map', member: 'settings', refersTo: { kind: 'public_map', id: '' } },
      detail: 'does not fit, so it is not published: /categories/0/name must not be empty',
    },
  ]);
});
