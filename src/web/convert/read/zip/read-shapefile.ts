/** Reads a shapefile in an archive: its shapes in degrees, by its projection, and its table. */
import shapefile from 'shpjs';
import { ConvertError } from '../../conversion.ts';
import type { Notes } from '../../notes.ts';
import { chosenLayer, type Features } from '../json/json-features.ts';
import { isObject, type Json } from '../json/json-value.ts';
import type { Archive } from './archive.ts';

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

/** Texts of a table have a fixed width. */
function trimmed(feature: unknown): unknown {
  if (!isObject(feature) || !isObject(feature['properties'])) return feature;
  const entries = Object.entries(feature['properties']).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : value,
  ]);
  return { ...feature, properties: Object.fromEntries(entries) as Json };
}
