/** Files that people import, one target per format: each is converted or refused with a remedy, and every object is one that the API accepts. */

import { unzipSync, zipSync } from 'fflate';
import { type Conversion, ConvertError, type ConvertOptions, type Format } from '../../../src/web/convert/conversion.ts';
import { convert } from '../../../src/web/convert/convert.ts';
import { importBatches } from '../../../src/web/convert/plan/import-batches.ts';
import { planImport } from '../../../src/web/convert/plan/plan-import.ts';
import { dbfOf, shpOf, xlsxFiles, zipOf } from '../../convert/archives.ts';
import type { Chance } from '../../support/random.ts';
import { mutateBytes } from '../mutate.ts';
import { must, refusal, type Target } from '../target.ts';

const map = { type: 'osm', width: 800, height: 600, osm_lat: 48.2, osm_lng: 16.37, osm_zoom: 12 } as const;
const sheet = { ...map, type: 'color' } as const;

const ring = '[[16.3,48.2],[16.4,48.2],[16.4,48.3],[16.3,48.2]]';
const svg = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

const seeds = {
  geojson: [
    `{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:4326"}},"features":[{"type":"Feature","id":1,"properties":{"name":"A","v":1.5},"geometry":{"type":"MultiPolygon","coordinates":[[${ring}],[${ring},${ring}]]}},{"type":"Feature","properties":null,"geometry":{"type":"LineString","coordinates":${ring}}}]}`,
    '{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[16.37,48.2,7]},{"type":"MultiPoint","coordinates":[[-179,89],[179,-89]]}]}',
    '{"type":"FeatureCollection","mapwright":{"version":1,"unit":"pixels"},"features":[{"type":"Feature","properties":{"type":"spot","name":"A","popup":{"title":"x"}},"geometry":{"type":"Point","coordinates":[1,2]}}]}',
  ],
  geojsonl: [
    '{"type":"Feature","properties":{"name":"A"},"geometry":{"type":"Point","coordinates":[16.37,48.2]}}\n{"type":"Point","coordinates":[16.3,48]}\n',
    '\u001e{"type":"Feature","properties":null,"geometry":null}\n\u001e{"type":"FeatureCollection","features":[]}\n',
  ],
  topojson: [
    '{"type":"Topology","transform":{"scale":[0.01,0.01],"translate":[16,48]},"objects":{"a":{"type":"GeometryCollection","geometries":[{"type":"Polygon","arcs":[[0]],"properties":{"name":"A"}},{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}]},"b":{"type":"LineString","arcs":[~0]}},"arcs":[[[0,0],[10,0],[0,10],[-10,-10]]]}'.replace(
      '~0',
      '-1',
    ),
  ],
  esrijson: [
    '{"geometryType":"esriGeometryPolygon","spatialReference":{"wkid":102100,"latestWkid":3857},"features":[{"attributes":{"NAME":"A"},"geometry":{"rings":[[[1822000,6139000],[1823000,6139000],[1823000,6140000],[1822000,6139000]]]}}]}',
    '{"attributes":{"a":1},"geometry":{"paths":[[[16,48],[17,48]]],"spatialReference":{"wkid":4326}}}',
  ],
  overpass: [
    '{"version":0.6,"elements":[{"type":"node","id":1,"lat":48.2,"lon":16.3},{"type":"node","id":2,"lat":48.3,"lon":16.3},{"type":"node","id":3,"lat":48.3,"lon":16.4,"tags":{"name":"A"}},{"type":"way","id":4,"nodes":[1,2,3,1],"tags":{"building":"yes"}},{"type":"way","id":5,"geometry":[{"lat":1,"lon":2},{"lat":2,"lon":2}]},{"type":"relation","id":6}]}',
  ],
  umap: [
    '{"type":"umap","properties":{"color":"Red"},"layers":[{"type":"FeatureCollection","_umap_options":{"name":"Food","color":"Crimson"},"features":[{"type":"Feature","properties":{"name":"A","_umap_options":{"color":"Lime"}},"geometry":{"type":"Point","coordinates":[16.37,48.2]}}]},{"_storage":{"name":"B"},"features":[]}]}',
  ],
  json: [
    '[{"name":"A","lat":48.2,"lng":16.37},{"name":"B","place":{"lat":1},"tags":["x"]}]',
    '{"name":"A","location":{"type":"Point","coordinates":[16.37,48.2]}}\n{"name":"B"}\n',
  ],
  wkt: [
    `POINT (16.37 48.2)\nSRID=4326;POLYGON ((16.3 48.2, 16.4 48.2, 16.4 48.3, 16.3 48.2))\nMULTIPOINT ((1 2), (3 4))`,
    'GEOMETRYCOLLECTION (POINT Z (1 2 3), LINESTRING EMPTY, MULTIPOLYGON (((1 2, 3 4, 5 0, 1 2))))',
  ],
  kml: [
    '<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Style id="s"><PolyStyle><color>80ff0000</color></PolyStyle></Style><Placemark id="p"><name>A &amp; B</name><description><![CDATA[<b>x</b>]]></description><styleUrl>#s</styleUrl><MultiGeometry><Point><coordinates>16.37,48.2,0</coordinates></Point><Polygon><outerBoundaryIs><LinearRing><coordinates>16.3,48.2 16.4,48.2 16.4,48.3 16.3,48.2</coordinates></LinearRing></outerBoundaryIs></Polygon></MultiGeometry></Placemark><NetworkLink/></Document></kml>',
  ],
  gpx: [
    '<gpx xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="48.2" lon="16.37"><name>A</name></wpt><rte><rtept lat="1" lon="2"/><rtept lat="3" lon="4"/></rte><trk><trkseg><trkpt lat="48.2" lon="16.3"><ele>1</ele><time>2024-01-01T00:00:00Z</time></trkpt><trkpt lat="48.3" lon="16.3"/></trkseg></trk></gpx>',
  ],
  svg: [
    `<svg ${svg} width="210mm" height="297mm" viewBox="0 0 210 297"><style>.a{fill:#123}</style><g transform="translate(1 2) rotate(30)"><rect class="a" width="9" height="8" rx="2"/><path id="p" d="M0 0C1 2 3 4 5 6S7 8 9 1Q1 2 3 4T5 6A1 2 30 0 1 9 9Z"/></g><circle r="4"/><text>x</text></svg>`,
    `<svg ${svg}><defs><g id="g"><ellipse rx="1%" ry="2em"/></g></defs><use xlink:href="#g" x="1"/><polyline points="0,0 1,1 2,0" style="fill:none;stroke:red"/><image href="http://example.org/x.png"/><script>1</script></svg>`,
  ],
  csv: [
    'name,lat,lng,v\n"A ""x""",48.2,16.37,1\nB,48.3,16.38,2\n',
    'Titel;Breite;Länge;Umsatz\nA;48,2;16,37;1.234,5\n"B\nC";48,3;16,38;x\n',
  ],
  ...{ kmz: [], xlsx: [], shapefile: [] },
} satisfies Readonly<Record<Format, readonly string[]>>;

/** Seeds of archives; their files are changed, not the archive alone. */
const archives: Readonly<Partial<Record<Format, readonly Uint8Array[]>>> = {
  kmz: [zipOf({ 'doc.kml': seeds.kml[0] as string, 'files/a.png': 'x' })],
  xlsx: [
    zipOf(
      xlsxFiles({
        A: [
          ['name', 'lat', 'lng'],
          ['A', 48.2, 16.37],
        ],
        B: [['x']],
      }),
    ),
  ],
  shapefile: [
    zipOf({
      'a.shp': shpOf([
        [16.37, 48.2],
        [16.38, 48.2],
      ]),
      'a.dbf': dbfOf('NAME', [Buffer.from('A'), Buffer.from('B')]),
      'a.prj':
        'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]]',
    }),
  ],
};

const words: Readonly<Record<Format, readonly string[]>> = {
  geojson: [
    '"coordinates":',
    '[[[[',
    '1e999',
    '-1e308',
    'null',
    '"__proto__"',
    '\\ud800',
    '"type":"spot"',
    '"coords":[{"x":1}]',
    '180',
    '-90',
  ],
  geojsonl: ['\n', '\u001e', '{}', 'null', '"geometry":null'],
  topojson: ['"arcs":[', '-99', '1e999', '"objects":{}', 'null', '"transform":{}'],
  esrijson: ['"rings":[', '"wkid":31287', '"hasZ":true', '"NaN"', 'null', '"points":[[1,2]]'],
  overpass: ['"type":"way"', '"nodes":[1,1]', '"lat":null', '"geometry":[null]', '"members":[]'],
  umap: ['"layers":[null]', '"_umap_options":1', '"features":{}', '"color":{}'],
  json: ['[[[[', 'null', '{}', '"lat":"x"', '"__proto__":1', '\\ud800', '1e999'],
  wkt: ['EMPTY', '((((', 'SRID=31287;', '1e999', 'MULTIPOLYGON', ')', ',', '\n'],
  kml: [
    '<!DOCTYPE kml>',
    '<coordinates>',
    '1e999,1',
    '&#xD800;',
    '&lol;',
    ']]>',
    '<Placemark>',
    '<gx:Track xmlns:gx="http://www.google.com/kml/ext/2.2">',
  ],
  gpx: ['<!ENTITY', 'lat="91"', 'lon="NaN"', '<trkseg>', '&#0;', '</gpx>', '<trkpt lat="1" lon="1e309"/>'],
  svg: [
    '<use href="#g"/>',
    'transform="scale(1e300)"',
    'matrix(0 0 0 0 0 0)',
    'A0 0 0 0 0 1 1',
    'M1e999 0',
    'url(#p)',
    '<svg>',
    'width="0"',
    'NaN',
    '<!DOCTYPE svg>',
    '&#xD800;',
  ],
  kmz: ['<img src="files/a.png">', '<href>', '&amp;'],
  xlsx: ['t="s"', '<v>1e999</v>', 'r="ZZZ9"', '<f>', '<sheet/>', '<row>'],
  shapefile: ['\0\0\0\x05', '\xff\xff\xff\x7f', 'PROJCS["', '\0'],
  csv: ['"', '""', ';', '\t', '\r', '\xff\xfe', '91', '1e999', '\n\n', 'NaN', '\0', '\xef\xbb\xbf'],
};

const oddValues = [
  '',
  '1e999',
  '-1e308',
  '-0',
  '91',
  '-181',
  'NaN',
  '""',
  'null',
  '1e-320',
  '9'.repeat(30),
  '#1',
  '<b>',
  '\ud83d',
];

/** Changes numbers and quoted texts: the file stays well-formed more often than with other bytes. */
function mutateValues(input: Buffer, random: Chance): Buffer {
  let text = input.toString('latin1');
  for (let left = 1 + random.below(4); left > 0; left--) {
    const values = [...text.matchAll(/-?\d[\d.]*|(?<==)"[^"]*"/g)];
    const value = values.length === 0 ? undefined : random.pick(values);
    if (value === undefined) break;
    const odd = random.once(3) ? random.pick(values)[0] : random.pick(oddValues);
    const put = value[0].startsWith('"') ? `"${odd.replaceAll('"', '')}"` : odd;
    text = text.slice(0, value.index) + put + text.slice(value.index + value[0].length);
  }
  return Buffer.from(text, 'latin1');
}

/** Changes one file of an archive; sometimes the archive itself. */
function mutateArchive(input: Buffer, random: Chance, format: Format): Buffer {
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(input);
  } catch {
    return mutateBytes(input, random, words[format], input);
  }
  const names = Object.keys(files);
  if (names.length === 0 || random.once(6)) return mutateBytes(input, random, words[format], input);
  const name = random.pick(names);
  const file = Buffer.from(files[name] as Uint8Array);
  const changed = random.once(2) ? mutateBytes(file, random, words[format], file) : mutateValues(file, random);
  return Buffer.from(zipSync({ ...files, [name]: changed }));
}

/** 200 inputs of each format in `test:all`, which tries a third. */
const inputs = 600;

function fileTarget(format: Format): Target {
  return {
    name: `file-${format}`,
    inputs,
    seeds: [...seeds[format].map((text) => Buffer.from(text)), ...(archives[format] ?? []).map((bytes) => Buffer.from(bytes))],
    words: words[format],
    outcomes: ['converted', 'refused: ConvertError'],
    mutate: (input, random) =>
      archives[format] !== undefined
        ? mutateArchive(input, random, format)
        : random.once(2)
          ? mutateBytes(input, random, words[format], input)
          : mutateValues(input, random),
    async run(input) {
      try {
        const outcomes = [
          await outcomeOf(input, { artboard: map, mapping: { popupContent: '{name}' } }),
          await outcomeOf(input, { artboard: sheet, placement: 'fit' }),
          await outcomeOf(input, { artboard: map, placement: 'centre', swapAxes: true }),
        ];
        return outcomes.join(' ').slice(0, 120);
      } catch (error) {
        return refusal(error, ConvertError);
      }
    },
  };
}

async function outcomeOf(input: Buffer, options: ConvertOptions): Promise<string> {
  let conversion: Conversion;
  try {
    conversion = await convert(input, options);
  } catch (error) {
    return refusal(error, ConvertError);
  }
  check(conversion);
  const codes = new Set(conversion.report.notes.map(({ code }) => code));
  return `converted: ${Math.min(conversion.objects.length, 3)} ${[...codes].sort().join(' ')}`;
}

function check(conversion: Conversion): void {
  const { objects, report, background = '', popups } = conversion;
  must(report.made === objects.length, 'the report counts other objects');
  must(
    report.notes.every(({ detail }) => detail.length > 0 && detail.length < 2000),
    'a note without a sentence',
  );
  must(!/<script|\son\w+\s*=|href="(?!#|data:image)/i.test(background), 'the background runs or loads something');
  for (const batch of importBatches(planImport(conversion, [], 'keep'), 'X'))
    must(JSON.stringify(batch).length < 5 * 1024 * 1024, 'a batch is larger than a request');
  for (const { body, at } of objects) {
    must(at.length > 0 && at.length < 200, 'an object without a place in the file');
    // Members of exported objects are checked by the API.
    if (conversion.format === 'geojson' && 'popup' in body) continue;
    must(typeof body['name'] !== 'string' || !/\p{Surrogate}/u.test(body['name']), 'half a character in a name');
    must(body['type'] === 'spot' || body['type'] === 'poly', 'an object of no type');
  }
  must(!/:(?:null|undefined|NaN)/.test(JSON.stringify(objects.filter(({ row }) => row !== undefined))), 'a number that is none');
  const isNumber = (value: unknown): boolean => typeof value !== 'number' || Number.isFinite(value);
  for (const { body } of objects) {
    must(Object.values(body).every(isNumber), 'a number that is not finite');
    const coords = body['coords'];
    if (Array.isArray(coords))
      must(
        coords.every((corner) => Object.values(corner ?? {}).every(isNumber)),
        'a corner that is not finite',
      );
  }
  must(
    popups.every(({ object }) => objects[object] !== undefined),
    'a popup of no object',
  );
}

const formats = Object.keys(seeds) as readonly Format[];

export const fileTargets: Readonly<Record<string, () => Target>> = Object.fromEntries(
  formats.map((format) => [`file-${format}`, () => fileTarget(format)]),
);
