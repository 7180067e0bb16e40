// tier: normal, process: shared
/** JSON of other programs: TopoJSON, EsriJSON, uMap, and what people write by hand. */
import t from 'tap';
import { codesOf, convertText, refusalOf, ringsOf, vienna } from './support.ts';

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
