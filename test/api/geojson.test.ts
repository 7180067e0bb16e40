// tier: normal
/** The export of an artboard as GeoJSON: what it has, and that the pixels of all objects follow from it. */
import t from 'tap';
import fc from '../support/fast-check.ts';
import { type Mapwright, type Shown, startForRequests } from '../support/mapwright.ts';
import { ringToPixels, toPixels } from './berlin.ts';

const berlin = { name: 'Berlin', type: 'osm', width: 800, height: 600, osm_lat: 52.52, osm_lng: 13.405, osm_zoom: 12 };

interface Pixel {
  readonly x: number;
  readonly y: number;
}

interface Feature {
  readonly type: string;
  readonly id: string;
  readonly geometry: { readonly type: string; readonly coordinates: unknown } | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

interface Document {
  readonly type: string;
  readonly mapwright: { readonly version: number; readonly unit: string; readonly artboard: Readonly<Record<string, unknown>> };
  readonly features: readonly Feature[];
}

async function make(mapwright: Mapwright, artboard: object, objects: readonly object[]) {
  const { shown } = await mapwright.post('/projects', { artboards: [{ ...artboard, objects }] });
  const [made] = shown['artboards'] as [Shown];
  const project = `/projects/${shown.id}`;
  return { project, at: `${project}/artboards/${made.id}`, objects: made['objects'] as Shown[] };
}

async function exported(mapwright: Mapwright, at: string): Promise<Document> {
  const { status, text } = await mapwright.get(`${at}/export.geojson`);
  if (status !== 200) throw new Error(text);
  return JSON.parse(text) as Document;
}

/** The members of an object as a feature says them. */
function pixelsIn({ geometry, properties }: Feature, { unit, artboard }: Document['mapwright']) {
  const area = artboard as unknown as Parameters<typeof toPixels>[0];
  const place = ([lng = 0, lat = 0]: number[]) => ({ lat, lng });
  const pixel = ([x = 0, y = 0]: number[]) => ({ x, y });
  const isDegrees = unit === 'degrees';
  let found: { x?: number; y?: number; coords?: readonly Pixel[] } = {};
  if (geometry?.type === 'Point') {
    const position = geometry.coordinates as number[];
    found = isDegrees ? (properties['x'] === undefined ? toPixels(area)(place(position)) : {}) : pixel(position);
  } else if (geometry !== null) {
    const [ring = []] = geometry.coordinates as number[][][];
    const corners = ring.slice(0, -1);
    found = { coords: isDegrees ? ringToPixels(area, corners.map(place)) : corners.map(pixel) };
  }
  const { x = 0, y = 0, coords = [] } = { ...found, ...(properties as typeof found) };
  return { x, y, coords };
}

t.test('an export has all members of the artboard, of its objects and of their popups', async (t) => {
  const mapwright = await startForRequests(t);
  const objects = [
    { type: 'spot', name: 'tower', lat: 52.5208, lng: 13.4094, key: '17' },
    {
      type: 'poly',
      name: 'park',
      coords: [
        { x: 1, y: 2 },
        { x: 3, y: 4 },
        { x: 5, y: 0 },
      ],
    },
    {
      type: 'poly',
      name: 'line',
      x: 3,
      coords: [
        { x: 1, y: 2 },
        { x: 3, y: 4 },
      ],
    },
  ];
  const { project, at, objects: made } = await make(mapwright, berlin, objects);
  const [tower, park, line] = made as [Shown, Shown, Shown];
  for (const title of ['first', 'second']) await mapwright.post(`${project}/popups`, { title, attachedTo: tower.id });
  const answer = await mapwright.get(`${at}/export.geojson`);
  t.match(answer.headers, {
    'content-type': 'application/geo+json',
    'content-disposition': 'attachment; filename="Berlin.geojson"',
    etag: (await mapwright.get(project)).headers.etag,
  });
  const document = JSON.parse(answer.text) as Document;
  const { id: _, objects: __, ...members } = (await mapwright.get(at)).shown;
  t.strictSame(document.mapwright, { version: 1, unit: 'degrees', artboard: members });
  t.strictSame(
    document.features.map(({ id }) => id),
    [tower.id, park.id, line.id],
  );
  const [spot, poly, thin] = document.features as [Feature, Feature, Feature];
  const [lng = 0, lat = 0] = (spot.geometry?.coordinates ?? []) as number[];
  t.equal(spot.geometry?.type, 'Point');
  t.ok(Math.abs(lat - 52.5208) < 1e-9 && Math.abs(lng - 13.4094) < 1e-9);
  const { popup, popups, ...properties } = spot.properties;
  const { id: ___, x: _x, y: _y, coords: _coords, ...stored } = tower;
  t.strictSame(properties, stored);
  t.match(popup, { title: 'first', maxWidth: 500 });
  t.match(popups, [{ title: 'second' }]);
  t.notOk('id' in (popup as object) || 'attachedTo' in (popup as object));
  t.equal(poly.geometry?.type, 'Polygon');
  const [ring = []] = (poly.geometry?.coordinates ?? []) as number[][][];
  t.ok(ring.length === 4 && String(ring[0]) === String(ring[3]), 'the ring is closed');
  t.strictSame([thin.geometry, thin.properties['x'], thin.properties['coords']], [null, 3, line['coords']]);
  t.equal(
    (await mapwright.get(`${at}/export.geojson`, { headers: { 'If-None-Match': String(answer.headers.etag) } })).status,
    304,
  );
  t.equal((await mapwright.get(`${project}/artboards/${tower.id}/export.geojson`)).status, 404);
});

t.test('coordinates are pixels, and marked so, on other artboards and without finite pixels', async (t) => {
  const mapwright = await startForRequests(t);
  const coords = [
    { x: 1, y: 2 },
    { x: 3, y: 4 },
    { x: 5, y: 0 },
  ];
  for (const artboard of [{ name: 'con' }, { type: 'image' }, { ...berlin, osm_lat: 90 }]) {
    const { at } = await make(mapwright, artboard, [
      { type: 'spot', x: 7.5, y: -2 },
      { type: 'poly', coords },
    ]);
    const { mapwright: head, features } = await exported(mapwright, at);
    t.equal(head.unit, 'pixels');
    t.strictSame(
      features.map(({ geometry }) => geometry?.coordinates),
      [[7.5, -2], [[...coords, coords[0]].map((c) => [c?.x, c?.y])]],
    );
  }
  const { at } = await make(mapwright, {}, []);
  t.strictSame((await exported(mapwright, at)).features, []);
});

t.test('the pixels of all objects follow from the export', async (t) => {
  const mapwright = await startForRequests(t);
  const number = fc.oneof(fc.double({ min: -2000, max: 2000, noNaN: true }), fc.integer({ min: -5, max: 900 }), fc.constant(0));
  const pixel = fc.record({ x: number, y: number });
  const object = fc.record({
    type: fc.constantFrom('spot', 'poly'),
    x: number,
    y: number,
    coords: fc.array(pixel, { maxLength: 5 }),
  });
  const artboard = fc.record({
    type: fc.constantFrom('osm', 'osm', 'color'),
    osm_lat: fc.double({ min: -85, max: 85, noNaN: true }),
    osm_lng: fc.double({ min: -180, max: 180, noNaN: true }),
    osm_zoom: fc.double({ min: 1, max: 19, noNaN: true }),
  });
  await fc.assert(
    fc.asyncProperty(artboard, fc.array(object, { maxLength: 6 }), async (artboard, objects) => {
      const { at, objects: made } = await make(mapwright, artboard, objects);
      const document = await exported(mapwright, at);
      return document.features.every((feature, i) => {
        const { x, y, coords } = pixelsIn(feature, document.mapwright);
        const stored = made[i] as unknown as Pixel & { readonly coords: readonly Pixel[] };
        const isNear = (a: Pixel, b: Pixel) => Math.abs(a.x - b.x) <= 0.001 && Math.abs(a.y - b.y) <= 0.001;
        return (
          isNear({ x, y }, stored) &&
          coords.length === stored.coords.length &&
          coords.every((corner, j) => isNear(corner, stored.coords[j] as Pixel))
        );
      });
    }),
    { numRuns: 50 },
  );
  t.pass();
});
