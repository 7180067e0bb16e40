/** Reads well-known text: one geometry after the other, each perhaps with `SRID=4326;`. */
import GeoJSON from 'ol/format/GeoJSON.js';
import WKT from 'ol/format/WKT.js';
import { ConvertError } from '../conversion.ts';
import type { Notes } from '../notes.ts';
import type { Slices } from '../slices.ts';
import type { FileData, Item } from './file-data.ts';
import { shapesOf } from './geometry-shapes.ts';
import { badParts, otherSystem } from './read-geojson.ts';

/** EPSG codes of longitude and latitude on ellipsoids that are equal to within a metre. */
const degreesCodes = new Set(['4326', '4258', '4269', '4979']);
const geometriesMax = 100_000;

export async function readWkt(text: string, notes: Notes, slices: Slices): Promise<FileData> {
  const items: Item[] = [];
  let done = 0;
  for (const part of geometriesOf(text)) {
    const at = `element ${items.length + 1}`;
    if (items.length === geometriesMax)
      throw new ConvertError('too-large', `The file has more than ${geometriesMax} geometries. Split it.`);
    items.push({ at, shapes: shapesOfWkt(part, at, notes), values: new Map() });
    done += part.length;
    await slices.next(done / text.length);
  }
  return { unit: 'degrees', items, columns: [], read: items.length };
}

/** Cuts at line ends, commas and semicolons outside parentheses. */
function* geometriesOf(text: string): Generator<string> {
  let depth = 0;
  let from = 0;
  const separator = /[()\n;,]/g;
  for (let match = separator.exec(text); match !== null; match = separator.exec(text)) {
    if (match[0] === '(') depth++;
    else if (match[0] === ')') depth--;
    else if (depth <= 0 && !/^\s*SRID=\d+\s*$/i.test(text.slice(from, Math.min(match.index, from + 40)))) {
      const part = text.slice(from, match.index);
      if (part.trim() !== '') yield part;
      from = match.index + 1;
    }
  }
  if (text.slice(from).trim() !== '') yield text.slice(from);
}

/** The shapes of one geometry; what cannot be read is noted. @throws {ConvertError} "coordinates" if its SRID names another system */
export function shapesOfWkt(whole: string, at: string, notes: Notes): Item['shapes'] {
  const code = /^\s*SRID=(\d+)\s*;/i.exec(whole)?.[1];
  if (code !== undefined && code !== '0' && !degreesCodes.has(code)) throw otherSystem(`${at} has SRID=${code}`);
  const part = whole.replace(/^\s*SRID=\d+\s*;/i, '');
  try {
    const geometry = new GeoJSON().writeGeometryObject(new WKT().readGeometry(part.trim()));
    const { shapes = [], bad = 1 } = shapesOf(geometry) ?? {};
    if (bad > 0) notes.leaveOut('bad-geometry', at, badParts(bad));
    else if (shapes.length === 0) notes.leaveOut('no-place', at, 'It has no coordinates.');
    return shapes;
  } catch (error) {
    const isDeep = error instanceof RangeError;
    const reason = isDeep ? 'its parts are nested too deeply.' : error instanceof Error ? error.message.slice(0, 120) : '';
    notes.leaveOut('bad-geometry', at, `"${part.trim().slice(0, 40)}" is no geometry in well-known text: ${reason}`);
    return [];
  }
}
