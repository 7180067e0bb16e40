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
  ringsOf,
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
    [...['c poly', 'd poly', 'd poly', 'f poly', 'e poly', 'a spot', 'b spot', 'b spot', 'f spot']],
    'areas, then lines, then spots, each in the order of the file',
  );
  t.same(codesOf(conversion), ['no-place at element 7, g']);
  t.match(conversion.report, { read: 7, made: 9 });
  const [withHole, simple, , , line] = bodiesOf(conversion);
  t.same(ringsOf(withHole), ['196,300 487,300 487,81 196,81', '269,256 415,256 415,147 269,147'], 'the hole is kept');
  t.match(simple, { closed: true, holes: [] });
  t.match(line, { closed: false, holes: [], stroke_color: '#3b82f6', stroke_width: 2, pin: false });
  t.same(ringsOf(line), ['400,300 429,300']);
});

t.test('holes without an area are left out with a note, and those beyond a hundred are filled, the smallest first', async (t) => {
  const side = (x: number, y: number, size: number) => [
    [x, y],
    [x + size, y],
    [x + size, y + size],
    [x, y + size],
    [x, y],
  ];
  const holes = Array.from({ length: 102 }, (_, i) => side(1 + i * 2, 1, i < 2 ? 0.5 : 1));
  const flat = [
    [1, 9],
    [2, 9],
    [1, 9],
  ];
  const conversion = await convertText(
    collection(feature(polygon(side(0, 0, 300), ...holes), { name: 'a' }), feature(polygon(side(0, 0, 9), flat), { name: 'b' })),
    { artboard: sheet, placement: 'pixels' },
  );
  t.same(codesOf(conversion), ['bad-geometry at element 2, b', 'holes at element 1, a']);
  t.match(conversion.report.notes[1], { leftOut: true, detail: /102 holes.* at most 100: the smallest 2 are filled/ });
  const [many, none] = bodiesOf(conversion);
  t.equal(ringsOf(many).length, 101);
  t.equal(ringsOf(many)[1], '5,1 6,1 6,2 5,2');
  t.match(none, { holes: [] });
});

t.test('a hole and a line stay in one piece across the antimeridian, and a line is not led around a pole', async (t) => {
  const box = (west: number, east: number, south: number, north: number) => [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const [ring, hole] = ringsOf(
    bodiesOf(await convertText(feature(polygon(box(160, -160, 0, 20), box(170, 175, 5, 10))), { artboard: world }))[0],
  );
  const xs = (text = '') => text.split(' ').map((corner) => Number(corner.split(',')[0]));
  t.ok(Math.min(...xs(hole)) > Math.min(...xs(ring)) && Math.max(...xs(hole)) < Math.max(...xs(ring)), `${ring} ${hole}`);
  const around = [
    [100, 10],
    [-170, 20],
    [-60, 30],
  ];
  const [line] = ringsOf(
    bodiesOf(await convertText(feature({ type: 'LineString', coordinates: around }), { artboard: world }))[0],
  );
  const [first = 0, second = 0, third = 0] = xs(line);
  t.equal(xs(line).length, 3, 'no corners along the edge of the map');
  t.same([Math.round(((second - first) / 1024) * 360), Math.round(((third - second) / 1024) * 360)], [90, 110]);
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

/** The members that an export leaves out while they have their defaults. */
const usual = {
  ...{ x: 0, y: 0, coords: [], interactive: true, category: '', properties: {}, icon: '' },
  ...{ label: 'auto', label_size: 13, closed: true, arrow: 'none', holes: [] },
};

t.test('an exported document keeps holes, lines, data and its own order, also on another artboard', async (t) => {
  const square = [
    [16.3, 48.2],
    [16.4, 48.2],
    [16.4, 48.25],
    [16.3, 48.25],
    [16.3, 48.2],
  ];
  const hole = [
    [16.32, 48.21],
    [16.34, 48.21],
    [16.34, 48.22],
    [16.32, 48.21],
  ];
  const line = { type: 'LineString', coordinates: [square[0], square[1]] };
  const data = { category: 'Food', properties: { seats: 40, open: true }, icon: 'maki:cafe', label: 'always', label_size: 20 };
  const document = {
    ...collection(
      feature(point(16.37, 48.2), { name: 'spot', type: 'spot', ...data }),
      feature(line, { name: 'line', type: 'poly', arrow: 'end', stroke_width: 7 }),
      feature(polygon(square, hole), { name: 'area', type: 'poly' }),
    ),
    mapwright: { version: 1, unit: 'degrees', artboard: { ...vienna, osm_lng: 20 } },
  };
  const conversion = await convertText(document, { lineWidth: 0 });
  const [spot, way, area] = bodiesOf(conversion);
  t.same(codesOf(conversion), []);
  t.equal(conversion.hasLines, false, 'the width of new lines does not apply');
  t.match(spot, { name: 'spot', ...data });
  t.match(way, { name: 'line', type: 'poly', closed: false, arrow: 'end', stroke_width: 7, holes: [] });
  t.same(ringsOf(way), ['196,300 487,300']);
  t.match(area, { name: 'area', closed: true });
  t.same(ringsOf(area), ['196,300 487,300 487,81 196,81', '254,256 313,256 313,213']);
  const elsewhere = await convertText(document, { artboard: sheet });
  t.same(
    bodiesOf(elsewhere).map((body) => ringsOf(body).length),
    [1, 1, 2],
  );
  t.match(bodiesOf(elsewhere)[1], { closed: false });
  const colored = await convertText(document, { mapping: { color: { column: 'name', by: 'category' } } });
  t.same(
    bodiesOf(colored).map(({ color, stroke_color }) => [color === undefined, stroke_color === undefined]),
    [
      [false, true],
      [true, false],
      [false, true],
    ],
    'the colour of a line is that of its outline',
  );
});

t.test('an exported line whose pixels do not follow from its places keeps them', async (t) => {
  const coords = [
    { x: 1e9, y: 3 },
    { x: 2e9, y: 4 },
  ];
  const line = {
    type: 'LineString',
    coordinates: [
      [16.3, 48.2],
      [16.4, 48.2],
    ],
  };
  const document = {
    ...collection(feature(line, { name: 'far', type: 'poly', coords })),
    mapwright: { version: 1, unit: 'degrees', artboard: vienna },
  };
  t.match(bodiesOf(await convertText(document)), [{ coords, closed: false }]);
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
      { ...usual, ...members, x: 400, y: 300 },
      unit,
    );
    t.same(poly, {
      ...usual,
      name: 'Line',
      type: 'poly',
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
  t.match(await refusalOf({ type: 'Topology' }), /^unreadable: The file has no layers/);
  t.match(await refusalOf({ name: 'x' }), /^unreadable: The file is JSON with the members "name": none of GeoJSON, TopoJSON/);
  t.match(await refusalOf('[1,2]'), /^unreadable/);
  t.same(codesOf(await convertText(collection())), ['empty']);
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
