// tier: normal, process: shared
/** GeoJSON: geometries, placements, the antimeridian, and exported documents. */
import t from 'tap';
import {
  bodiesOf,
  codesOf,
  collection,
  convertText,
  cornersOf,
  feature,
  point,
  polygon,
  refusalOf,
  sheet,
  spotsOf,
  vienna,
  world,
} from './support.ts';

const square = [
  [16.3, 48.2],
  [16.4, 48.2],
  [16.4, 48.25],
  [16.3, 48.25],
  [16.3, 48.2],
];

t.test('each geometry becomes objects, and multi-geometries become several of one name', async (t) => {
  const hole = square.map(([x = 0, y = 0]) => [16.35 + (x - 16.35) / 2, 48.22 + (y - 48.22) / 2]);
  const conversion = await convertText(
    collection(
      feature(point(16.37, 48.2), { name: 'a' }),
      feature(
        {
          type: 'MultiPoint',
          coordinates: [
            [16.37, 48.2],
            [16.38, 48.2],
          ],
        },
        { name: 'b' },
      ),
      feature(polygon(square, hole), { name: 'c' }),
      feature({ type: 'MultiPolygon', coordinates: [[square], [square]] }, { name: 'd' }),
      feature(
        {
          type: 'LineString',
          coordinates: [
            [16.37, 48.2],
            [16.38, 48.2],
          ],
        },
        { name: 'e' },
      ),
      feature({ type: 'GeometryCollection', geometries: [point(16.37, 48.2), polygon(square)] }, { name: 'f' }),
      feature(null, { name: 'g' }),
    ),
  );
  t.same(
    bodiesOf(conversion).map(({ name, type }) => `${name} ${type}`),
    [...['a spot', 'b spot', 'b spot', 'c poly', 'd poly', 'd poly', 'e poly', 'f spot', 'f poly']],
  );
  t.same(codesOf(conversion), ['no-place at element 7, g', 'holes at element 3, c']);
  t.match(conversion.report, { read: 7, made: 9 });
});

t.test('places are pixels of the map, of a map centred on them, or fitted into another artboard', async (t) => {
  const two = collection(feature(point(16.3, 48.2), { name: 'a' }), feature(point(16.4, 48.2), { name: 'b' }));
  t.same(spotsOf(await convertText(two)), ['a 196,300', 'b 487,300']);
  t.same(spotsOf(await convertText(two, { artboard: sheet })), ['a 40,300', 'b 760,300']);
  const centred = await convertText(two, { artboard: { ...vienna, osm_lat: -30, osm_lng: 0, osm_zoom: 1 }, placement: 'centre' });
  t.same(spotsOf(centred), ['a 109,300', 'b 691,300'], 'at the greatest whole zoom that shows both');
  t.equal(Math.round((centred.artboard?.osm_lng ?? 0) * 1e6) / 1e6, 16.35);
});

t.test('a planar system of coordinates is fitted into a plain artboard, north up', async (t) => {
  const two = collection(feature(point(4000, 340_000), { name: 'south' }), feature(point(4000, 341_000), { name: 'north' }));
  t.same(spotsOf(await convertText(two, { artboard: sheet })), ['south 400,570', 'north 400,30']);
});

t.test('a ring across the antimeridian and a ring around a pole stay in one piece', async (t) => {
  const across = polygon([
    [170, 0],
    [-170, 0],
    [-170, 10],
    [170, 10],
    [170, 0],
  ]);
  const east = await convertText(feature(across), { artboard: { ...world, osm_lng: 179 } });
  t.same(cornersOf(east), ['486,512 543,512 543,483 486,483']);
  const zero = await convertText(feature(across), { artboard: world });
  const xs = cornersOf(zero)[0]
    ?.split(' ')
    .map((corner) => Number(corner.split(',')[0]));
  t.equal(Math.max(...(xs ?? [])) - Math.min(...(xs ?? [])), 56, 'on a map of Greenwich, too');

  const antarctica = polygon([
    [-180, -90],
    [-180, -80],
    [-60, -70],
    [60, -70],
    [180, -80],
    [180, -90],
    [-180, -90],
  ]);
  t.same(cornersOf(await convertText(feature(antarctica), { artboard: world })), [
    '0,1024 0,909 341,795 683,795 1024,909 1024,1024',
  ]);
  const arctic = polygon([
    [0, 70],
    [90, 70],
    [180, 70],
    [-90, 70],
    [0, 70],
  ]);
  const [corners = ''] = cornersOf(await convertText(feature(arctic), { artboard: world }));
  t.match(corners, / 1024,0 0,0$/, 'closed along the edge of the map');
});

t.test('an exported document is read member by member', async (t) => {
  const members = { name: 'Opera', type: 'spot', radius: 12.5, blend_mode: 'screen', color: '#123456', interactive: false };
  const document = (unit: string) => ({
    ...collection(
      feature(unit === 'degrees' ? point(16.37, 48.2) : point(400, 300), {
        ...members,
        popup: { title: 'Opera', content: '<b>x</b>' },
      }),
      feature(null, {
        name: 'Line',
        type: 'poly',
        coords: [
          { x: 1, y: 2 },
          { x: 3, y: 4 },
        ],
      }),
    ),
    mapwright: { version: 1, unit, artboard: {} },
  });
  for (const [unit, artboard] of [
    ['degrees', vienna],
    ['pixels', sheet],
  ] as const) {
    const conversion = await convertText(document(unit), { artboard });
    const [spot, poly] = bodiesOf(conversion);
    t.same(
      { ...spot, x: Math.round(Number(spot?.['x'])), y: Math.round(Number(spot?.['y'])) },
      { ...members, x: 400, y: 300, coords: [] },
      unit,
    );
    t.same(poly, {
      name: 'Line',
      type: 'poly',
      ...{ x: 0, y: 0, interactive: true },
      coords: [
        { x: 1, y: 2 },
        { x: 3, y: 4 },
      ],
    });
    t.same(conversion.popups, [{ object: 0, body: { title: 'Opera', content: '<b>x</b>' } }]);
    t.same(conversion.report.notes, []);
  }
});

t.test('an exported object whose place was damaged is left out with a note, not moved to the corner', async (t) => {
  const spot = { type: 'spot', key: 'a', popup: { title: 'x' } };
  const rings = [
    [
      [16.37, 91],
      [16.38, 48],
      [16.39, 48],
      [16.37, 91],
    ],
    [
      ['16', 48],
      [17, 48],
      [17, 49],
    ],
  ] as number[][][];
  const document = {
    ...collection(
      feature(point(16.37, 91), spot),
      feature(null, spot),
      feature({ type: 'Point', coordinates: ['x', null] }, spot),
      ...rings.map((ring) => feature(polygon(ring), { type: 'poly' })),
      feature(point(16.37, 48.2), { ...spot, name: 'sound' }),
    ),
    mapwright: { version: 1, unit: 'degrees', artboard: vienna },
  };
  const conversion = await convertText(document);
  t.same(spotsOf(conversion), ['sound 400,300']);
  t.same(conversion.popups, [{ object: 0, body: { title: 'x' } }]);
  t.same(codesOf(conversion), [
    ...['bad-geometry at element 2', 'bad-geometry at element 3', 'bad-geometry at element 5'],
    ...['latitude at element 1', 'latitude at element 4'],
  ]);
});

t.test('JSON that is no GeoJSON is refused with the reason', async (t) => {
  t.match(
    await refusalOf('{"type":"FeatureCollection","features":[{"ty'),
    /^unreadable: The file is not valid JSON; perhaps it was cut off/,
  );
  t.match(await refusalOf({ type: 'Topology' }), /^unreadable: The file is TopoJSON/);
  t.match(await refusalOf({ name: 'x' }), /^unreadable: .* type "undefined"/);
  t.match(await refusalOf('[1,2]'), /^unreadable/);
  t.match(await refusalOf(collection()), /^unreadable: The file has no rows or elements/);
});

t.test('pixels of an exported object apply on the same map, and its place on another', async (t) => {
  const members = { name: 'far', type: 'spot', x: 1_048_976, y: 300 };
  const document = {
    ...collection(feature(point(16.37, 48.2), members)),
    mapwright: { version: 1, unit: 'degrees', artboard: vienna },
  };
  t.match(bodiesOf(await convertText(document)), [{ x: 1_048_976, y: 300 }]);
  const moved = await convertText(document, { artboard: { ...vienna, osm_lng: 16.38 } });
  t.same(spotsOf(moved), ['far 371,300']);
});
