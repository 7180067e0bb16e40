// tier: normal, process: shared
/** JSON of other programs: TopoJSON, EsriJSON, uMap, and what people write by hand. */
import t from 'tap';
import {
  bodiesOf,
  codesOf,
  collection,
  convertText,
  feature,
  point,
  polygon,
  refusalOf,
  ringsOf,
  spotsOf,
  vienna,
} from './support.ts';

const topology = (objects: object, arcs: number[][][] = []) => ({ type: 'Topology', objects, arcs });

/** Corners of a ring of EsriJSON that goes clockwise, of this size around a place. */
const square = (x: number, y: number, half: number): number[][] => [
  [x - half, y - half],
  [x - half, y + half],
  [x + half, y + half],
  [x + half, y - half],
  [x - half, y - half],
];

t.test('TopoJSON that repeats its arcs without an end is refused before its corners are made', async (t) => {
  const arc = Array.from({ length: 1000 }, (_, i) => [16 + i / 1e5, 48 + (i % 7) / 1e5]);
  const repeated = {
    type: 'GeometryCollection',
    geometries: [{ type: 'LineString', arcs: Array.from({ length: 2001 }, () => 0) }],
  };
  t.match(
    await refusalOf(topology({ a: repeated }, [arc])),
    /^too-large: The geometries of the TopoJSON have more than 2000000 corners/,
  );
  t.equal(await refusalOf(topology({ a: { type: 'LineString', arcs: [0, -1] } }, [arc])), 'converted');
});

t.test('holes of EsriJSON are in the smallest outer ring around them, and too many are refused', async (t) => {
  const esri = (rings: readonly number[][][]) => ({
    ...{ geometryType: 'esriGeometryPolygon', spatialReference: { wkid: 4326 } },
    features: [{ attributes: { name: 'a' }, geometry: { rings } }],
  });
  const hole = (x: number, y: number, half: number) => square(x, y, half).reverse();
  const nested = await convertText(
    esri([
      square(16.37, 48.2, 0.05),
      hole(16.37, 48.2, 0.04),
      hole(16.37, 48.2, 0.01),
      square(16.37, 48.2, 0.02),
      hole(17, 48, 0.01),
    ]),
    { artboard: vienna },
  );
  t.same(
    nested.objects.map(({ body }) => ringsOf(body).length),
    [2, 2, 1],
    'a hole that is nowhere is an area',
  );
  t.same(codesOf(nested), []);
  const around = Array.from({ length: 20_000 }, (_, i) =>
    (i % 2 === 0 ? square : hole)(16.37, 48.2, i % 2 === 0 ? 0.1 + i / 1e6 : 0.01),
  );
  t.match(await refusalOf(esri(around)), /^too-large: The polygons of the file have too many rings/);
  t.match(await refusalOf(esri(around.slice(0, 2000))), /^converted/);
});

t.test('of several layers, the first one with geometries is read, and a note names the others', async (t) => {
  const place = { type: 'Point', coordinates: [16.37, 48.2] };
  const objects = {
    none: { type: 'GeometryCollection', geometries: [] },
    a: place,
    b: { type: 'GeometryCollection', geometries: [place] },
  };
  const first = await convertText(topology(objects));
  t.equal(first.layer, 'a');
  t.match(first.report.notes, [{ code: 'layers', detail: 'Layer "a" was read; others are: "b" (--layer).', leftOut: true }]);
  t.same(codesOf(await convertText(topology(objects), { layer: 'b' })), []);
});

const place = point(16.37, 48.2);

t.test(
  'GeoJSON without its type, with another spelling, as a list of geometries or with commas after lines is read',
  async (t) => {
    const one = feature(place, { name: 'a' });
    const read = async (file: string | object, format: string, names: string[]) => {
      const conversion = await convertText(file);
      t.same(
        [conversion.format, ...spotsOf(conversion)],
        [format, ...names.map((name) => `${name} 400,300`)],
        JSON.stringify(file),
      );
      t.same(codesOf(conversion), []);
    };
    await read({ features: [one] }, 'geojson', ['a']);
    await read({ features: [{ geometry: place, properties: { name: 'a' } }], name: 'x' }, 'geojson', ['a']);
    await read({ type: 'featureCollection', features: [one] }, 'geojson', ['a']);
    await read({ type: 'feature', geometry: place, properties: { name: 'a' } }, 'geojson', ['a']);
    await read([one, collection(one)], 'geojson', ['a', 'a']);
    await read([place], 'geojson', ['element 1']);
    await read(`${JSON.stringify(one)},\n${JSON.stringify(one)},\n`, 'geojsonl', ['a', 'a']);
  },
);

t.test('records of JSON are rows of a table, as a list or one per line', async (t) => {
  const records = [
    { name: 'A', lat: 48.2, lng: 16.37 },
    { name: 'B', lat: 48.2, lng: 16.37, open: true, tags: ['x', 'y'] },
  ];
  for (const file of [records, records.map((each) => JSON.stringify(each)).join('\n')]) {
    const conversion = await convertText(file);
    t.same([conversion.format, ...spotsOf(conversion)], ['json', 'A 400,300', 'B 400,300']);
    t.same(codesOf(conversion), []);
    t.match(bodiesOf(conversion)[1], { properties: { open: true, tags: 'x, y' } });
    t.same(
      conversion.objects.map(({ at }) => at),
      ['row 1', 'row 2'],
    );
  }
  t.same(spotsOf(await convertText([{ title: 'A', place: { lat: 48.2, lon: 16.37 } }])), ['A 400,300']);
  t.same(spotsOf(await convertText([{ type: 'shop', name: 'A', location: place }])), ['A 400,300']);
  t.match(await refusalOf([{ a: 1 }, { b: 2 }]), /^columns: /);
  t.match(
    await refusalOf([...Array(30_000)].map((_, i) => ({ [`c${i % 1000}`]: 1 }))),
    /^too-large: The file has 30000 records with 1000/,
  );
});

t.test('JSON that Python writes and answers with an error are refused with the reason', async (t) => {
  t.match(
    await refusalOf('{"type":"Point",\n"coordinates":[NaN,1]}'),
    /^unreadable: The file is not valid JSON: "NaN" in line 2 is no value of JSON, .*Write null/,
  );
  t.match(
    await refusalOf({ error: { code: 400, message: 'Invalid query.' } }),
    /^unreadable: .* error of a service: "Invalid query."/,
  );
  t.match(await refusalOf({ error: { code: 400 } }), /^unreadable: The file is JSON with the members "error"/);
});

t.test('layers of ArcGIS are read in their system, with their names', async (t) => {
  const layer = (name: string, geometry: object) => ({
    layerDefinition: { name },
    featureSet: { features: [{ geometry, attributes: { name } }] },
  });
  const mercator = { x: 1_822_300.08, y: 6140192, spatialReference: { wkid: 102_100 } };
  const file = { layers: [layer('A', mercator), layer('B', { x: 16.37, y: 48.2, spatialReference: { wkid: 4326 } })] };
  const conversion = await convertText(file);
  t.same([conversion.format, ...spotsOf(conversion)], ['esrijson', 'A 400,300', 'B 400,300']);
  t.same(
    conversion.categories.map(({ name }) => name),
    ['A', 'B'],
  );
});

t.test('a system of degrees by its code, and colours of other spellings', async (t) => {
  const crs = (code: number) => ({ ...collection(feature(place)), crs: { type: 'EPSG', properties: { code } } });
  t.equal(await refusalOf(crs(4326)), 'converted');
  t.match(await refusalOf(crs(31287)), /^coordinates: /);
  const ring = polygon(square(16.37, 48.2, 0.01));
  const styled = await convertText(
    collection(
      feature(place, { 'marker-color': '7e7e7e' }),
      feature(ring, { style: { color: '#ff0000', weight: 3, fillColor: 'blue', fillOpacity: 0.5, opacity: 0.8 } }),
      feature(ring, { style: { era: 'gothic' } }),
    ),
  );
  t.match(
    bodiesOf(styled).find(({ color }) => color === '#7e7e7e'),
    { type: 'spot' },
  );
  t.match(bodiesOf(styled)[0], { color: '#0000ff', stroke_color: '#ff0000', stroke_width: 3, opacity: 0.5, stroke_opacity: 0.8 });
  t.same(
    styled.columns.map(({ name }) => name),
    ['style.era'],
  );
});

t.test('layers of uMap without data are named, and the old style of a feature wins over its layer', async (t) => {
  const layer = (options: object, ...features: object[]) => ({ ...collection(...features), _umap_options: options });
  const remote = layer({ name: 'Far', remoteData: { url: 'https://example.com/a.json' } });
  const near = layer({ name: 'Near', color: 'green' }, feature(place, { name: 'a', _storage_options: { color: 'red' } }));
  const conversion = await convertText({ type: 'umap', properties: {}, layers: [remote, near] });
  t.match(bodiesOf(conversion), [{ name: 'a', color: '#ff0000' }]);
  t.match(conversion.report.notes, [{ code: 'layers', detail: /layer "Far" is elsewhere: .* https:\/\/example.com\/a.json$/ }]);
});
