/** Reads a shapefile in an archive: its shapes in degrees, by its projection, and its table. */
import shapefile from 'shpjs';
import { ConvertError } from '../../conversion.ts';
import type { Notes } from '../../notes.ts';
import { decoderOf, remedy } from '../decode-text.ts';
import { chosenLayer, type Features, noteOthers } from '../json/json-features.ts';
import { isObject, type Json } from '../json/json-value.ts';
import { checkProjection } from './projections.ts';
import type { Archive } from './zip-archive.ts';

/**
 * @param wanted name of a layer, without its ending; default: the first one @param encoding of its table, if it is known
 * @throws {ConvertError} "unreadable" or "coordinates"
 */
export async function shapefileLayer(
  archive: Archive,
  wanted: string | undefined,
  encoding: string | undefined,
  notes: Notes,
): Promise<Features> {
  const { names } = archive;
  const layers = names.filter((name) => /\.shp$/i.test(name)).map((name) => name.slice(0, -4));
  const layer = chosenLayer(layers, wanted);
  if (wanted === undefined) noteOthers(layers, layer, notes);
  const part = (ending: string): ArrayBuffer | undefined => {
    const found = names.find((name) => name.toLowerCase() === `${layer}.${ending}`.toLowerCase());
    return found === undefined ? undefined : (archive.read(found).slice().buffer as ArrayBuffer);
  };
  const files = { shp: part('shp'), dbf: withShortHead(part('dbf')), cpg: part('cpg'), prj: part('prj') };
  if (files.dbf === undefined)
    notes.add('columns', '', `The archive has no "${layer}.dbf": the shapes have no names and no values.`);
  if (files.prj === undefined)
    notes.add('projection', '', `The archive has no "${layer}.prj": the coordinates are taken for degrees.`);
  if (files.prj !== undefined) checkProjection(new TextDecoder().decode(files.prj), notes);
  checkShapes(files.shp);
  checkTable(files.dbf);
  try {
    const cpg = files.dbf && encodingOf(files.dbf, files.cpg, encoding, notes);
    const given = Object.fromEntries(Object.entries({ ...files, cpg }).filter(([, file]) => file !== undefined));
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

/** A table whose rows begin right after its columns, where the library looks for them: some programs leave bytes between. */
function withShortHead(file: ArrayBuffer | undefined): ArrayBuffer | undefined {
  if (file === undefined || file.byteLength < 33) return file;
  const view = new DataView(file);
  const head = view.getUint16(8, true);
  let end = 32;
  while (end < head && end < file.byteLength && view.getUint8(end) !== 13) end += 32;
  if (end + 1 >= head || head > file.byteLength) return file;
  view.setUint16(8, end + 1, true);
  const bytes = new Uint8Array(file);
  bytes.copyWithin(end + 1, head);
  return file.slice(0, file.byteLength - (head - end - 1));
}

const broken = (part: string): ConvertError =>
  new ConvertError('unreadable', `The ${part} of the shapefile is broken; perhaps it was cut off. Export it again.`);

/** A feature with the values of its row. */
function trimmed(feature: unknown): unknown {
  if (!isObject(feature) || !isObject(feature['properties'])) return feature;
  const entries = Object.entries(feature['properties']).map(([name, value]) => [name, cellOf(value)]);
  return { ...feature, properties: Object.fromEntries(entries) as Json };
}

/** The library makes a date of each day, of this time zone, and numbers of cells without one. */
function cellOf(value: unknown): unknown {
  if (value instanceof Date) {
    const two = (part: number): string => String(part).padStart(2, '0');
    const day = `${value.getFullYear()}-${two(value.getMonth() + 1)}-${two(value.getDate())}`;
    return Number.isNaN(value.getTime()) ? undefined : day;
  }
  if (Number.isNaN(value)) return undefined;
  return typeof value === 'string' ? value.trim() : value;
}

/** Encodings by the byte of a table that names one; most programs write that of Windows in the west, also for other texts. */
const encodings: Readonly<Record<number, string>> = {
  38: 'ibm866',
  101: 'ibm866',
  19: 'shift_jis',
  123: 'shift_jis',
  77: 'gbk',
  122: 'gbk',
  78: 'euc-kr',
  121: 'euc-kr',
  79: 'big5',
  120: 'big5',
  200: 'windows-1250',
  201: 'windows-1251',
  202: 'windows-1254',
  203: 'windows-1253',
};

/** The encoding of a table: the given one, that of its .cpg, or a guess. A text in UTF-8 may be cut within a character. */
function encodingOf(table: ArrayBuffer, cpg: ArrayBuffer | undefined, given: string | undefined, notes: Notes): string {
  const named = cpg && new TextDecoder().decode(cpg).trim();
  const label = named?.replace(/^8859-?(?=\d)/, 'iso8859-').replace(/^(?:oem )?(?=\d)/i, 'cp');
  const known = (decoderOf(given) ?? decoderOf(label))?.encoding;
  if (known !== undefined) return known;
  const view = new DataView(table);
  const text = new TextDecoder().decode(new Uint8Array(table, view.getUint16(8, true)));
  const [wrong, right] = [/\ufffd/g, /[^\p{ASCII}\ufffd]/gu].map((pattern) => text.match(pattern)?.length ?? 0) as [
    number,
    number,
  ];
  const guess = wrong <= right ? 'utf-8' : (encodings[view.getUint8(29)] ?? 'windows-1252');
  if (wrong > right) notes.add('encoding', '', `The texts of the table were read as ${guess}. ${remedy}`);
  return guess;
}
