/** Reads features: of GeoJSON, of other JSON documents, and of the documents that `export.geojson` makes, member by member. */
import { contentOf } from '../../../lib/html/content-of.ts';
import { ConvertError, type TargetArtboard } from '../conversion.ts';
import type { Notes } from '../notes.ts';
import { shortened } from '../short-text.ts';
import type { Slices } from '../slices.ts';
import { ColumnNames, type FileData, type Item, jsonOf, type Position, type Values } from './file-data.ts';
import { shapesOf } from './geometry-shapes.ts';
import { hasUmapStyle, isStyle, styleOf } from './json/geojson-style.ts';
import type { Features } from './json/json-features.ts';
import { flatMembers, isObject, type Json } from './json/json-value.ts';

/** Features of one document. */
const featuresMax = 100_000;

/** Columns with a text about each feature. */
const descriptions = ['description', 'desc', 'Description'] as const;

/** @param isTarget whether the objects go to an equal artboard: then the pixels of an export apply, otherwise its places */
export async function readFeatures(
  { features, document = {}, ...found }: Features,
  isTarget: (artboard: TargetArtboard) => boolean,
  notes: Notes,
  slices: Slices,
): Promise<FileData> {
  if (features.length > featuresMax)
    throw new ConvertError(
      'too-large',
      `The file has ${features.length} features, at most ${featuresMax} can be imported. Split it.`,
    );
  const own = isObject(document['mapwright']) ? document['mapwright'] : undefined;
  if (own === undefined) refuseOtherSystem(document['crs']);
  const artboard = own && artboardIn(own['artboard']);
  const keepsPixels = own === undefined || (artboard !== undefined && isTarget(artboard));
  const columns = new ColumnNames(notes);
  const items: Item[] = [];
  for (const [i, feature] of features.entries()) {
    const item = itemOf(feature, i + 1, own !== undefined, columns, notes);
    items.push(keepsPixels ? item : withoutPixels(item, feature as Json));
    await slices.next(i / features.length);
  }
  const unit = own?.['unit'] === 'pixels' ? 'pixels' : 'degrees';
  const names = columns.list();
  const description = own === undefined ? descriptions.find((name) => names.includes(name)) : undefined;
  return {
    ...{ unit, items, columns: names, read: features.length },
    ...found,
    ...(description === undefined ? {} : { description }),
    ...(artboard === undefined ? {} : { artboard }),
  };
}

/** The artboard that an exported document names; `undefined` if it cannot be one. */
function artboardIn(value: unknown): TargetArtboard | undefined {
  if (!isObject(value)) return undefined;
  const { type, width, height, osm_lat, osm_lng, osm_zoom } = value as unknown as TargetArtboard;
  const area = { width, height, osm_lat, osm_lng, osm_zoom };
  if (!Object.values(area).every((number) => Number.isFinite(number))) return undefined;
  return type === 'osm' || type === 'color' || type === 'image' ? { type, ...area } : undefined;
}

/** GeoJSON of 2008 may name a coordinate system. */
function refuseOtherSystem(crs: unknown): void {
  if (!isObject(crs) || !isObject(crs['properties'])) return;
  const name = String(crs['properties']['name'] ?? crs['properties']['code'] ?? 'unknown').slice(0, 100);
  if (/CRS:?:?84|^(?:.*EPSG:(?:[\d.]*:)?)?(?:4326|4258|4979|4269)$/i.test(name)) return;
  throw otherSystem(`its member "crs" is "${name}"`);
}

export const otherSystem = (reason: string): ConvertError =>
  new ConvertError(
    'coordinates',
    `The coordinates are in another system: ${reason}. Export the file in degrees (WGS 84, EPSG:4326) and import that.`,
  );

function itemOf(feature: unknown, element: number, isOwn: boolean, columns: ColumnNames, notes: Notes): Item {
  const json: Json = isObject(feature) ? feature : {};
  const properties: Json = isObject(json['properties']) ? json['properties'] : {};
  const isExported = isOwn && (properties['type'] === 'spot' || properties['type'] === 'poly');
  const { popup, popups, ...members } = properties;
  const values = columns.valuesOf(isExported ? members : columnsOf(properties));
  const id = json['id'];
  if ((typeof id === 'string' || typeof id === 'number') && !values.has('id')) {
    for (const [name, value] of columns.valuesOf({ id })) values.set(name, value);
  }
  const at = nameAt(element, values);
  const base = { at, values, shapes: [] };
  if (isExported) {
    const exported = { ...closedOf(members, json['geometry']), ...members };
    const shapes = exportedShapes(json['geometry'], exported);
    if (shapes.length === 0 && hasNoPixels(exported, json['geometry'])) {
      notes.leaveOut('bad-geometry', at, 'Its geometry cannot be read.');
      return base;
    }
    const bodies = [popup, ...(Array.isArray(popups) ? popups : [])].filter(isObject);
    jsonOf(bodies);
    return { ...base, shapes, members: exported, popups: bodies };
  }
  if (!isObject(json['geometry'])) {
    notes.leaveOut('no-place', at, 'It has no geometry.');
    return base;
  }
  const style = styleOf(properties, /Point$/.test(String(json['geometry']['type'])));
  const contents = isOwn ? new Map<string, string>() : contentsOf(values, hasUmapStyle(properties), at, notes);
  return {
    ...{ ...base, shapes: shapesIn(json['geometry'], at, notes) },
    ...(style === undefined ? {} : { style }),
    ...(contents.size === 0 ? {} : { contents }),
  };
}

/** HTML of the descriptions, which become plain text as values. */
function contentsOf(values: Map<string, string>, isUmap: boolean, at: string, notes: Notes): Map<string, string> {
  const contents = new Map<string, string>();
  for (const name of descriptions) {
    const { text, html, isCut } = contentOf(values.get(name) ?? '', isUmap ? 'umap' : 'none');
    if (isCut) notes.add('description', at, 'Its description is longer than a popup may be: the end is left out.');
    if (html === text) continue;
    values.set(name, text);
    contents.set(name, html);
  }
  return contents;
}

/** Properties by names of columns. Styles are none. */
function columnsOf(properties: Json): Json {
  const own = Object.entries(properties).filter(([name, value]) => !isStyle(name, value));
  return Object.fromEntries(flatMembers(Object.fromEntries(own), () => false));
}

/** On another artboard, the pixels of an exported object are elsewhere: its geometry applies, if it has one. */
function withoutPixels(item: Item, { geometry }: Json): Item {
  if (item.members === undefined || !isObject(geometry)) return item;
  const names = item.members['type'] === 'spot' ? ['x', 'y'] : ['coords', 'holes'];
  const members = Object.fromEntries(Object.entries(item.members).filter(([name]) => !names.includes(name)));
  return { ...item, members, shapes: exportedShapes(geometry, members) };
}

/** Whether an exported object whose geometry is no shape has no pixels either. A polygon without corners has no geometry. */
const hasNoPixels = (members: Json, geometry: unknown): boolean =>
  members['type'] === 'spot' ? members['x'] === undefined : isObject(geometry) && members['coords'] === undefined;

/** An exported line says by its geometry alone that it is one. */
const closedOf = ({ type }: Json, geometry: unknown): Json =>
  type === 'poly' && isObject(geometry) && geometry['type'] === 'LineString' ? { closed: false } : {};

/** The shape of an exported object, to the last corner; none where its members have the pixels themselves. */
function exportedShapes(geometry: unknown, members: Json): Item['shapes'] {
  if (!isObject(geometry) || members[members['type'] === 'spot' ? 'x' : 'coords'] !== undefined) return [];
  const isPosition = (value: unknown): value is Position =>
    Array.isArray(value) && Number.isFinite(value[0]) && Number.isFinite(value[1]);
  const { coordinates } = geometry;
  if (geometry['type'] === 'Point' && isPosition(coordinates)) return [{ kind: 'point', at: coordinates }];
  const isPath = (value: unknown): value is Position[] => Array.isArray(value) && value.length >= 2 && value.every(isPosition);
  if (geometry['type'] === 'LineString') return isPath(coordinates) ? [{ kind: 'line', line: coordinates }] : [];
  if (geometry['type'] !== 'Polygon' || !Array.isArray(coordinates) || !coordinates.every(isPath)) return [];
  const [ring, ...holes] = coordinates.map((each) => each.slice(0, -1));
  return ring === undefined ? [] : [{ kind: 'ring', ring, holes }];
}

/** `element 3, Room A` */
export function nameAt(element: number, values: Values): string {
  const name = ['name', 'Name', 'NAME', 'title', 'id'].map((column) => values.get(column)).find(Boolean);
  return name === undefined ? `element ${element}` : `element ${element}, ${name.length > 60 ? `${shortened(name, 60)}…` : name}`;
}

/** @param geometry as in GeoJSON */
export function shapesIn(geometry: unknown, at: string, notes: Notes): Item['shapes'] {
  const { shapes, bad } = shapesOf(geometry) ?? {};
  if (shapes === undefined) notes.leaveOut('bad-geometry', at, 'Its geometry cannot be read.');
  else if (bad !== undefined && bad > 0) notes.leaveOut('bad-geometry', at, badParts(bad));
  else if (shapes.length === 0) notes.leaveOut('no-place', at, 'Its geometry has no coordinates.');
  return shapes ?? [];
}

/** @param count of parts that cannot be used */
export const badParts = (count: number): string =>
  `${count === 1 ? 'A part of its geometry has' : `${count} parts of its geometry have`} too few corners, or coordinates that are no numbers.`;
