/** Artboards and shorthands for tests of the converter. */
import type { Conversion, ConvertError, ConvertOptions } from '../../src/web/convert/conversion.ts';
import { convert } from '../../src/web/convert/convert.ts';

/** A map of Vienna. */
export const vienna = { type: 'osm', width: 800, height: 600, osm_lat: 48.2, osm_lng: 16.37, osm_zoom: 12 } as const;
/** A map of the world, of 1024 pixels. */
export const world = { type: 'osm', width: 1024, height: 1024, osm_lat: 0, osm_lng: 0, osm_zoom: 2 } as const;
export const sheet = { ...vienna, type: 'color' } as const;

export const bytesOf = (file: string | object): Uint8Array =>
  new TextEncoder().encode(typeof file === 'string' ? file : JSON.stringify(file));

export const convertText = (file: string | object, options: Partial<ConvertOptions> = {}): Promise<Conversion> =>
  convert(bytesOf(file), { artboard: vienna, ...options });

/** The error that a conversion ends with, as `code: message`. */
export async function refusalOf(file: string | object | Uint8Array, options: Partial<ConvertOptions> = {}): Promise<string> {
  try {
    await convert(file instanceof Uint8Array ? file : bytesOf(file), { artboard: vienna, ...options });
    return 'converted';
  } catch (error) {
    const { name, code, message } = error as ConvertError;
    return name === 'ConvertError' ? `${code}: ${message}` : String((error as Error).stack);
  }
}

export const bodiesOf = ({ objects }: Conversion) => objects.map(({ body }) => body);

/** `name x,y` of spots, rounded to pixels. */
export const spotsOf = (conversion: Conversion): string[] =>
  bodiesOf(conversion).map(({ name, x, y }) => `${name} ${Math.round(Number(x))},${Math.round(Number(y))}`);

const cornersText = (corners: unknown): string =>
  (corners as { x: number; y: number }[]).map(({ x, y }) => `${Math.round(x)},${Math.round(y)}`).join(' ');

/** The corners of polygons, rounded to pixels. */
export const cornersOf = (conversion: Conversion): string[] => bodiesOf(conversion).map(({ coords }) => cornersText(coords));

/** The corners of an object and of its holes, rounded to pixels. */
export const ringsOf = ({ coords = [], holes = [] }: Readonly<Record<string, unknown>> = {}): string[] =>
  [coords, ...(holes as unknown[])].map(cornersText);

export const codesOf = ({ report }: Conversion): string[] =>
  report.notes.map(({ code, at }) => (at === '' ? code : `${code} at ${at}`));

export const feature = (geometry: object | null, properties: object | null = {}, more: object = {}) => ({
  type: 'Feature',
  properties,
  geometry,
  ...more,
});
export const collection = (...features: object[]) => ({ type: 'FeatureCollection', features });
export const point = (...coordinates: number[]) => ({ type: 'Point', coordinates });
export const polygon = (...coordinates: number[][][]) => ({ type: 'Polygon', coordinates });
