/** Reads a spreadsheet of Excel: the values of one sheet, as a CSV has them. */
import { default as readSheets } from 'read-excel-file/universal';
import { ConvertError, type GivenMapping } from '../../conversion.ts';
import { Notes } from '../../notes.ts';
import { quoted } from '../../short-text.ts';
import { isBlank, type NumberedRow } from '../csv/csv-rows.ts';
import type { Takes } from '../csv/place-columns.ts';
import { readRows } from '../csv/read-csv.ts';
import { cellsMax, type FileData } from '../file-data.ts';
import { chosenLayer, noteOthers } from '../json/json-features.ts';
import type { Archive } from './zip-archive.ts';

/**
 * @param bytes of the whole file @param layer name of a sheet; default: the first one with places
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
  for (const name of archive.names) if (/^xl\/worksheets\/[^/]+\.xml$/.test(name)) checkCells(name, archive.read(name));
  const read = await readSheets(new Uint8Array(bytes).buffer).catch((error: Error) => {
    const reason = error.message.slice(0, 200);
    throw new ConvertError('unreadable', `The spreadsheet cannot be read: ${reason}. Save it again, or as CSV.`);
  });
  // A sheet without cells has no data.
  const sheets = read.map(({ sheet, data }) => ({ sheet, data: (data as typeof data | undefined) ?? [] }));
  const names = sheets.map(({ sheet }) => sheet);
  const rows = new Map(sheets.map(({ sheet, data }) => [sheet, rowsOf(data)]));
  const filled = names.filter((name) => rows.get(name)?.length);
  const hasPlaces = (name: string): boolean => {
    try {
      const first = (rows.get(name) ?? []).slice(0, rowsLooked);
      return readRows(first, 'point', mapping, takes, new Notes()).items.length > 0;
    } catch {
      return false;
    }
  };
  const usable = layer === undefined ? filled.filter(hasPlaces) : [];
  const chosen = chosenLayer(names, layer ?? usable[0] ?? filled[0] ?? names[0]);
  noteOthers(usable, chosen, notes);
  const others = names.filter((name) => name !== chosen);
  const advice = others.length === 0 ? '' : ` Other sheets are: ${quoted(others)}.`;
  const layers = { names, chosen };
  if (!filled.includes(chosen)) throw new ConvertError('unreadable', `The sheet "${chosen}" is empty.${advice}`, [], layers);
  try {
    return { ...readRows(rows.get(chosen) ?? [], 'point', mapping, takes, notes), layers: names, layer: chosen };
  } catch (error) {
    if (!(error instanceof ConvertError)) throw error;
    throw new ConvertError(error.code, `Sheet "${chosen}": ${error.message}${advice}`, error.columns, layers);
  }
}

const rowsOf = (data: readonly (readonly unknown[])[]): readonly NumberedRow[] =>
  data.map((cells, i) => ({ number: i + 1, cells: cells.map(textOf) })).filter(({ cells }) => !isBlank(cells));

/** Rows that say whether a sheet has places. */
const rowsLooked = 1100;
/** The library makes all cells, also the empty ones before others. @throws {ConvertError} for a sheet with cells that no spreadsheet has, or far apart */
function checkCells(name: string, bytes: Uint8Array): void {
  let [lastRow, lastColumn] = [0, 0];
  for (const [, element, attributes = ''] of new TextDecoder().decode(bytes).matchAll(/<(?:\w+:)?(c|row)\b([^<>]*)>/g)) {
    const address = /\sr\s*=\s*["']([^"']*)["']/.exec(attributes)?.[1];
    const isEmpty = attributes.endsWith('/');
    if (address === undefined && element === 'c')
      throw new ConvertError(
        'unreadable',
        `"${name}" of the spreadsheet has cells without addresses. Open it in a spreadsheet program and save it again, or as CSV.`,
      );
    if (address === undefined || isEmpty) continue;
    const [, letters, digits = ''] = /^([A-Z]{0,3})(\d{1,7})$/.exec(address) ?? [];
    if (letters === undefined)
      throw new ConvertError(
        'unreadable',
        `"${name}" of the spreadsheet has a cell "${address.slice(0, 20)}". Save it again, or as CSV.`,
      );
    const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
    [lastRow, lastColumn] = [Math.max(lastRow, Number(digits)), Math.max(lastColumn, column)];
  }
  if (lastRow * lastColumn > cellsMax)
    throw new ConvertError(
      'too-large',
      `"${name}" of the spreadsheet has cells up to row ${lastRow} and column ${lastColumn}. Delete those that are far from the table, or save it as CSV.`,
    );
}

/** The value of a cell, also of a formula. Days have no time. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (!(value instanceof Date)) return String(value);
  const text = Number.isNaN(value.getTime()) ? '' : value.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19);
}
