// tier: normal, process: shared
/** The files in data/examples/files, which other programs wrote, on a map and on a plain artboard. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import type { Conversion, ConvertOptions } from '../../src/web/convert/conversion.ts';
import { convert } from '../../src/web/convert/convert.ts';
import { projectRoot } from '../support/project.ts';
import { sheet, vienna } from './support.ts';

const folder = path.join(projectRoot(import.meta.dirname), 'data/examples/files');
const convertFile = (file: string, options: Partial<ConvertOptions> = {}): Promise<Conversion> =>
  convert(fs.readFileSync(path.join(folder, file)), { artboard: vienna, placement: 'centre', ...options });

type Pixel = { readonly x: number; readonly y: number };

const isInside = ({ x, y }: Pixel): boolean => x >= 0 && y >= 0 && x <= vienna.width && y <= vienna.height;

/** Objects of which a corner or the centre is outside of the artboard. */
const outside = ({ objects }: Conversion): string[] =>
  objects
    .filter(({ body }) => !((body['coords'] as Pixel[] | undefined) ?? [body as unknown as Pixel]).every(isInside))
    .map(({ at }) => at);

t.test('countries of Natural Earth become polygons, coloured by area', async (t) => {
  const conversion = await convertFile('countries.geojson', {
    mapping: { color: { column: 'area_km2', by: 'value', palette: 'blues' } },
  });
  t.equal(conversion.format, 'geojson');
  t.match(conversion.report, { read: 177, made: 284 });
  t.equal(conversion.legend?.length, 5);
  t.same(outside(await convertFile('countries.geojson', { artboard: sheet })), []);
  t.same(
    conversion.report.notes.filter(({ leftOut }) => leftOut).map(({ at }) => at),
    ['element 96, North Korea'],
  );
});

t.test('a CSV with German numbers becomes 200 shops, all inside of a map that is centred on them', async (t) => {
  const mapping = {
    key: 'Nummer',
    color: { column: 'Umsatz', by: 'value', palette: 'viridis' },
    radius: { column: 'Umsatz' },
  } as const;
  const conversion = await convertFile('filialen.csv', { mapping });
  t.match(conversion.report, { read: 200, made: 200, notes: [] });
  t.same(outside(conversion), []);
  t.match(
    conversion.columns.find(({ name }) => name === 'Umsatz'),
    { kind: 'number', most: 1_593_557.25 },
  );
  t.match(conversion.objects[2]?.body, { name: 'Filiale Vienna', key: 'F-1003' });
  t.match(conversion.mapping, { latitude: 'Breitengrad', longitude: 'Längengrad', name: 'Bezeichnung' });
  t.equal(conversion.legend?.length, 5);
});

t.test('a KML of GDAL becomes six states of 19 polygons', async (t) => {
  for (const artboard of [vienna, sheet]) {
    const conversion = await convertFile('new-england.kml', { artboard });
    t.match(conversion.report, { read: 6, made: 19, notes: [] });
    t.same(new Set(conversion.objects.map(({ body }) => body['name'])).size, 6);
    t.same(outside(conversion), []);
    t.same(
      conversion.columns.map(({ name }) => name),
      ['name', 'id', 'fips', 'admitted'],
    );
  }
});

t.test('a GPX of GPSBabel becomes a route and its cities', async (t) => {
  const conversion = await convertFile('danube.gpx');
  const types = conversion.objects.map(({ body }) => body['type']);
  t.same([types.filter((type) => type === 'poly').length, types.filter((type) => type === 'spot').length], [1, 18]);
  t.same(outside(conversion), []);
  t.equal(conversion.popups.length, 18);
  t.equal(conversion.objects.find(({ body }) => body['type'] === 'poly')?.body['name'], 'Route', 'the file has no name for it');
  t.equal(conversion.hasLines, true);
});

t.test('a floor plan of Inkscape becomes rooms with their names, which take the place of its labels', async (t) => {
  const conversion = await convertFile('floor-plan.svg', { artboard: sheet, placement: 'fit' });
  t.same(outside(conversion), []);
  const rooms = conversion.objects.slice(0, 6).map(({ body }) => body['name']);
  t.same(rooms, ['Reception', 'Meeting room', 'Library', 'Kitchen', 'Open office', 'Rotunda']);
  t.same(conversion.report.notes, []);
  t.equal((conversion.objects[4]?.body['holes'] as unknown[] | undefined)?.length, 1, 'the court of the open office');
  const labels = conversion.objects.filter(({ body }) => body['label'] === 'always').map(({ body }) => body['name']);
  t.same(labels, ['Reception', 'Library', 'Rotunda'], 'as it has texts for them');
  t.equal(conversion.hasLines, false, 'its lines have widths');
  t.equal(conversion.background, undefined, 'nothing remains');
});
