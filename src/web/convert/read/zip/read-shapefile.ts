/** Reads a shapefile in an archive: its shapes in degrees, by its projection, and its table. */
import shapefile from 'shpjs';
import { ConvertError } from '../../conversion.ts';
import type { Notes } from '../../notes.ts';
import { chosenLayer, type Features } from '../json/json-features.ts';
import { isObject, type Json } from '../json/json-value.ts';
import type { Archive } from './zip-archive.ts';

/** @param wanted name of a layer, without its ending; default: the first one @throws {ConvertError} "unreadable" or "coordinates" */
export async function shapefileLayer(archive: Archive, wanted: string | undefined, notes: Notes): Promise<Features> {
  const { names } = archive;
  const layers = names.filter((name) => /\.shp$/i.test(name)).map((name) => name.slice(0, -4));
  const layer = chosenLayer(layers, wanted);
  const part = (ending: string): ArrayBuffer | undefined => {
    const found = names.find((name) => name.toLowerCase() === `${layer}.${ending}`.toLowerCase());
    return found === undefined ? undefined : (archive.read(found).slice().buffer as ArrayBuffer);
  };
  const files = { shp: part('shp'), dbf: part('dbf'), cpg: part('cpg'), prj: part('prj') };
  if (files.dbf === undefined)
    notes.add('columns', '', `The archive has no "${layer}.dbf": the shapes have no names and no values.`);
  if (files.prj === undefined)
    notes.add('projection', '', `The archive has no "${layer}.prj": the coordinates are taken for degrees.`);
  checkShapes(files.shp);
  checkTable(files.dbf);
  try {
    const given = Object.fromEntries(Object.entries(files).filter(([, file]) => file !== undefined));
    const made: unknown = await shapefile(given as never);
    const features = isObject(made) && Array.isArray(made['features']) ? made['features'] : [];
    return { features: features.map(trimmed), layers, layer };
  } catch (error) {
    const reason = String((error as Error)?.message ?? error).slice(0, 150);
    throw new ConvertError('unreadable', `The shapefile "${layer}" cannot be read: ${reason}. Export it as GeoJSON in degrees.`);
  }
}

/** Rings and lines of one shape. */
const partsMax = 10_000;
/** Bytes before the first record, and of the head of each. */
const [fileHead, recordHead] = [100, 8];

/** A record of a shape must have the parts and points that it counts: the library believes it. */
function checkShapes(file: ArrayBuffer | undefined): void {
  if (file === undefined || file.byteLength < fileHead) throw broken('.shp');
  const view = new DataView(file);
  for (let at = fileHead; at + recordHead <= file.byteLength; ) {
    const bytes = view.getInt32(at + 4) * 2;
    const start = at + recordHead;
    if (bytes < 4 || start + bytes > file.byteLength) throw broken('.shp');
    const type = view.getInt32(start, true) % 10;
    const hasParts = (type === 3 || type === 5) && bytes >= 44;
    const parts = hasParts ? view.getInt32(start + 36, true) : 0;
    const points = hasParts ? view.getInt32(start + 40, true) : type === 8 && bytes >= 40 ? view.getInt32(start + 36, true) : 0;
    if (parts < 0 || points < 0 || parts * 4 + points * 16 > bytes) throw broken('.shp');
    if (parts > partsMax)
      throw new ConvertError('too-large', `A shape of the shapefile has ${parts} parts, at most ${partsMax} are read. Split it.`);
    at = start + bytes;
  }
}

/** A table must be as long as its head says. */
function checkTable(file: ArrayBuffer | undefined): void {
  if (file === undefined) return;
  const view = new DataView(file);
  if (file.byteLength < 33) throw broken('.dbf');
  const [rows, head, width] = [view.getUint32(4, true), view.getUint16(8, true), view.getUint16(10, true)];
  if (head < 33 || width < 1 || head + rows * width > file.byteLength + 1) throw broken('.dbf');
}

const broken = (part: string): ConvertError =>
  new ConvertError('unreadable', `The ${part} of the shapefile is broken; perhaps it was cut off. Export it again.`);

/** Texts of a table have a fixed width. */
function trimmed(feature: unknown): unknown {
  if (!isObject(feature) || !isObject(feature['properties'])) return feature;
  const entries = Object.entries(feature['properties']).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : value,
  ]);
  return { ...feature, properties: Object.fromEntries(entries) as Json };
}
