/** Cells that are geometries: well-known text, or GeoJSON. */
import type { Notes } from '../../notes.ts';
import type { Item } from '../file-data.ts';
import { shapesIn } from '../read-geojson.ts';
import { shapesOfWkt } from '../read-wkt.ts';

const wkt = /^\s*(?:SRID=\d+\s*;\s*)?(?:(?:MULTI)?(?:POINT|LINESTRING|POLYGON)|GEOMETRYCOLLECTION)\s*(?:Z|M|ZM)?\s*(?:\(|EMPTY)/i;
const geoJson = /^\s*\{[\s\S]{0,200}?"(?:type|coordinates|geometry|geometries)"\s*:/;

/** True for a text that begins like a geometry. */
export const isGeometry = (text: string): boolean => wkt.test(text) || geoJson.test(text);

/** The shapes of a cell; what cannot be read is noted. */
export function shapesOfText(text: string, at: string, notes: Notes): Item['shapes'] {
  if (!text.trimStart().startsWith('{')) return shapesOfWkt(text, at, notes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    notes.leaveOut('bad-geometry', at, 'Its geometry is not valid JSON.');
    return [];
  }
  const { type, geometry } = value as { readonly type?: unknown; readonly geometry?: unknown };
  return shapesIn(type === 'Feature' ? geometry : value, at, notes);
}
