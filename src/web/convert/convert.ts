/**
 * Converts a file into objects of an artboard: read, place, simplify, map. Pure, for browsers and for Node; see README.md.
 */
import { type Conversion, ConvertError, type ConvertOptions, type Format } from './conversion.ts';
import { buildObjects } from './map/build-objects.ts';
import { completeMapping, describeColumns, firstRows } from './map/describe-columns.ts';
import { Notes } from './notes.ts';
import { placeItems } from './place/place-items.ts';
import { decodeText } from './read/decode-text.ts';
import type { FileData } from './read/file-data.ts';
import { readCsv } from './read/read-csv.ts';
import { readGeoJson } from './read/read-geojson.ts';
import { recognizeFormat, refuseBinary } from './read/recognize-format.ts';
import { Slices } from './slices.ts';

/**
 * @param bytes of the file; they are not changed
 * @throws {ConvertError} if nothing can be imported, and on an abort
 */
export async function convert(bytes: Uint8Array, options: ConvertOptions): Promise<Conversion> {
  const notes = new Notes();
  const slices = new Slices(options);
  await slices.stage(0, 0.5);
  refuseBinary(bytes);
  const text = decodeText(bytes, notes).replace(/^\ufeff/, '');
  const format = options.format ?? recognizeFormat(text);
  const data = await read(format, text, options, notes, slices);
  if (data.items.length === 0)
    throw new ConvertError('unreadable', 'The file has no rows or elements that could become objects.');
  await slices.stage(0.5, 0.8);
  const { items, areSwapped, artboard } = await placeItems(data, options, notes, slices);
  await slices.stage(0.8, 1);
  const columns = describeColumns(data);
  const mapping = completeMapping(options.mapping ?? {}, data, columns, format === 'kml' || format === 'gpx');
  const { objects, popups, legend } = await buildObjects(items, data, mapping, notes, slices);
  options.onProgress?.(1);
  return {
    format,
    objects,
    popups,
    columns,
    rows: firstRows(data),
    mapping,
    ...(artboard === undefined ? {} : { artboard }),
    ...(data.background === undefined ? {} : { background: data.background }),
    ...(legend === undefined ? {} : { legend }),
    report: {
      read: data.read,
      made: objects.length,
      notes: notes.list(),
      ...(areSwapped ? { warning: 'swapped-axes' as const } : {}),
    },
  };
}

function read(format: Format, text: string, options: ConvertOptions, notes: Notes, slices: Slices): Promise<FileData> {
  switch (format) {
    case 'csv':
      return readCsv(text.replace(/\r\n?/g, '\n'), options.mapping ?? {}, options.artboard.type === 'osm', notes, slices);
    case 'geojson':
      return readGeoJson(text, notes, slices);
    default:
      throw new ConvertError('unreadable', `The format ${format} is not supported.`);
  }
}
