/** Reads a CSV, or the rows of a spreadsheet: one place or geometry per row. */
import { ConvertError, type GivenMapping } from '../../conversion.ts';
import type { Notes } from '../../notes.ts';
import type { Slices } from '../../slices.ts';
import type { FileData, Item, Values } from '../file-data.ts';
import type { Decimal } from '../number-text.ts';
import { roleByName } from './column-words.ts';
import { csvRows, delimiterOf, type NumberedRow, namedDelimiter } from './csv-rows.ts';
import { knownPlaces, tableOf } from './csv-table.ts';
import { placesIn, type Takes } from './place-columns.ts';

/** Rows of one file. More are no map that a person can read, nor one that a page can show. */
export const rowsMax = 100_000;
/** Rows that are read at most: titles, the header, and one that is too many. */
const rowsRead = rowsMax + 100;

export async function readCsv(
  whole: string,
  mapping: GivenMapping,
  takes: Takes,
  notes: Notes,
  slices: Slices,
): Promise<FileData> {
  const text = whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole;
  const named = namedDelimiter(text);
  const delimiter = named ?? delimiterOf(text, knownPlaces);
  const rows = await csvRows(text, delimiter, rowsRead, notes, slices);
  // Some programs put each row into quotation marks, as one cell.
  const isPacked = text.startsWith('"') && rows.every(({ cells }) => cells.length === 1);
  const inner = isPacked ? rows.map(({ cells }) => cells[0]).join('\n') : '';
  if (isPacked && inner.length < text.trim().length) return await readCsv(inner, mapping, takes, notes, slices);
  return readRows(named === undefined ? rows : rows.slice(1), delimiter === ';' ? 'comma' : 'point', mapping, takes, notes);
}

/** @param rows that are not blank @param decimal of columns without evidence */
export function readRows(
  rows: readonly NumberedRow[],
  decimal: Decimal,
  mapping: GivenMapping,
  takes: Takes,
  notes: Notes,
): FileData {
  const { names, rows: body, decimals, ...table } = tableOf(rows, decimal, notes);
  if (body.length > rowsMax)
    throw new ConvertError(
      'too-large',
      `The file has more than ${rowsMax} rows. Split it, or keep only the rows that the map shows.`,
    );
  const places = placesIn({ names, rows: body, decimals, ...table }, mapping, takes, notes);
  const columns = [...new Set(Object.values(places.recognized))].map((name) => `"${name}"`).join(' and ');
  for (const name of names)
    if (roleByName(name) === 'address')
      notes.add('address', '', `Places come from ${columns}. "${name}" is kept as text: no address is looked up.`);
  const indexOf = new Map(names.map((name, i) => [name, i]));
  const items = body.map(({ number, cells }): Item => {
    const at = `row ${number}`;
    const values: Values = { get: (name) => cells[indexOf.get(name) ?? -1] };
    return { at, row: number, values, shapes: places.shapesOf(cells, at, notes) };
  });
  return { unit: places.unit, items, columns: names, decimals, read: body.length, recognized: places.recognized };
}
