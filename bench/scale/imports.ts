/** Imports of large files by the converter: a drawing of 13,000 shapes, a table of 80,000 rows, and 2 MB of roads. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as converting from '../../src/web/convert/convert.ts';
import { rowOfOurs, said } from '../lib/rows.ts';
import type { Bench, Context, Row } from '../row.ts';

const sizes = { full: { shapes: 13_000, rows: 80_000, roads: 1400 }, tiny: { shapes: 20, rows: 20, roads: 2 } };

/** Rooms with curves, in groups with transforms, drawn by classes of a style sheet. */
export function drawingOf(shapes: number): string {
  const classes = Array.from(
    { length: 50 },
    (_, i) => `.c${i}{fill:hsl(${i * 7},50%,70%);stroke:#333;stroke-width:${1 + (i % 3)}}`,
  );
  const shape = (i: number): string => {
    const corners = Array.from({ length: 12 }, (_, k) => `l${5 + (k % 5)} ${k % 2 === 0 ? 3 : -3}c1 2 3 4 5 1`).join('');
    return `<path id="room-${i}" class="c${i % 50}" d="M${(i % 130) * 60} ${Math.floor(i / 130) * 40}${corners}v20H${(i % 130) * 60}Z"/>`;
  };
  const groups = Array.from({ length: Math.ceil(shapes / 100) }, (_, g) => {
    const inside = Array.from({ length: Math.min(100, shapes - g * 100) }, (__, k) => shape(g * 100 + k)).join('');
    return `<g id="floor-${g}" transform="translate(${g % 7} ${g % 5}) scale(0.9)">${inside}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8000 4200"><style>${classes.join('')}</style>${groups.join('')}</svg>`;
}

/** Shops with a category, numbers and texts. */
export function tableOf(rows: number): string {
  const row = (i: number): string =>
    `Shop ${i};Street ${i % 900} no. ${i % 70};${['Food', 'Books', 'Toys', 'Shoes'][i % 4]};${i % 5000},${i % 10};48,${100_000 + (i % 200_000)};16,${200_000 + (i % 300_000)};"Open ""daily"", ${i % 12}"`;
  return `name;address;kind;sales;lat;lng;hours\n${Array.from({ length: rows }, (_, i) => row(i)).join('\n')}\n`;
}

/** The corners of a road, in degrees. */
const roadOf = (i: number): [number, number][] =>
  Array.from({ length: 60 }, (_, k): [number, number] => [16 + (i % 40) / 40 + k / 9000, 48 + i / 3000 + Math.sin(k / 9) / 900]);

export function roadsAsKml(roads: number): string {
  const road = (i: number): string =>
    `<Placemark><name>Road ${i}</name><styleUrl>#s${i % 3}</styleUrl><ExtendedData><Data name="class"><value>${i % 4}</value></Data></ExtendedData><LineString><coordinates>${roadOf(
      i,
    )
      .map((position) => `${position.join()},0`)
      .join(' ')}</coordinates></LineString></Placemark>`;
  const styles = [0, 1, 2].map(
    (i) => `<Style id="s${i}"><LineStyle><color>ff00${i}0ff</color><width>${i + 1}</width></LineStyle></Style>`,
  );
  return `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${styles.join('')}${Array.from({ length: roads }, (_, i) => road(i)).join('')}</Document></kml>`;
}

export function roadsAsGeoJson(roads: number): string {
  const features = Array.from({ length: roads }, (_, i) => ({
    type: 'Feature',
    properties: { name: `Road ${i}`, class: i % 4 },
    geometry: { type: 'LineString', coordinates: roadOf(i) },
  }));
  return JSON.stringify({ type: 'FeatureCollection', features });
}

async function run(context: Context): Promise<Row[]> {
  const file = path.join(context.program, 'src', 'web', 'convert', 'convert.js');
  const { convert }: typeof converting = await import(pathToFileURL(file).href);
  const { shapes, rows: rowCount, roads } = context.tiny ? sizes.tiny : sizes.full;
  const files = [
    [`import of an SVG of ${shapes} shapes`, drawingOf(shapes), shapes],
    [`import of a CSV of ${rowCount} rows`, tableOf(rowCount), rowCount],
    ['import of 2 MB of roads as KML', roadsAsKml(roads), roads],
    ['import of 2 MB of roads as GeoJSON', roadsAsGeoJson(roads), roads],
  ] as const;
  const rows: Row[] = [];
  for (const [what, text, objects] of files) {
    const bytes = new TextEncoder().encode(text);
    const times: number[] = [];
    for (let round = 0; round < context.rounds; round++) {
      const started = performance.now();
      const { length } = (await convert(bytes, {})).objects;
      times.push(performance.now() - started);
      assert.equal(length, objects);
    }
    const row = rowOfOurs(what, 'ms', times, `${Math.round(bytes.length / 10_000) / 100} MB`);
    context.say(said(row));
    rows.push(row);
  }
  return rows;
}

export const imports: Bench = {
  name: 'imports',
  about: 'converts large files: a drawing of 13,000 shapes, a table of 80,000 rows, 2 MB of roads',
  run,
};
