/** Reads a spreadsheet of Excel: the values of one sheet, as a CSV has them. */
import { default as readSheets } from 'read-excel-file/universal';
import { ConvertError, type GivenMapping } from '../../conversion.ts';
import type { Notes } from '../../notes.ts';
import { isBlank } from '../csv/csv-rows.ts';
import type { Takes } from '../csv/place-columns.ts';
import { readRows } from '../csv/read-csv.ts';
import type { FileData } from '../file-data.ts';
import { chosenLayer } from '../json/json-features.ts';
import type { Archive } from './archive.ts';

/**
 * @param bytes of the whole file @param layer name of a sheet; default: the first one that has cells
 * @throws {ConvertError} "unreadable"
 */
export async function readXlsx(
  bytes: Uint8Array,
  archive: Archive,
  layer: string | undefined,
  mapping: GivenMapping,
  takes: Takes,
  notes: Notes,
): Promise<FileData> {
  // The library unpacks the same files.
  archive.check(archive.names.filter((name) => /\.(?:xml|rels)$/.test(name)));
  const sheets = await readSheets(new Uint8Array(bytes).buffer).catch((error: Error) => {
    const reason = error.message.slice(0, 200);
    throw new ConvertError('unreadable', `The spreadsheet cannot be read: ${reason}. Save it again, or as CSV.`);
  });
  const names = sheets.map(({ sheet }) => sheet);
  const filled = sheets.find(({ data }) => data.length > 0) ?? sheets[0];
  const chosen = chosenLayer(names, layer ?? filled?.sheet);
  const rows = (sheets.find(({ sheet }) => sheet === chosen)?.data ?? [])
    .map((cells, i) => ({ number: i + 1, cells: cells.map(textOf) }))
    .filter(({ cells }) => !isBlank(cells));
  if (rows.length === 0) throw new ConvertError('unreadable', `The sheet "${chosen}" is empty. ${othersOf(names, chosen)}`);
  return { ...readRows(rows, 'point', mapping, takes, notes), layers: names, layer: chosen };
}

const othersOf = (names: readonly string[], chosen: string): string => {
  const others = names.filter((name) => name !== chosen).map((name) => `"${name}"`);
  return others.length === 0 ? '' : `Others are: ${others.join(', ')}.`;
};

/** The value of a cell, also of a formula. Days have no time. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (!(value instanceof Date)) return String(value);
  const text = Number.isNaN(value.getTime()) ? '' : value.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19);
}
