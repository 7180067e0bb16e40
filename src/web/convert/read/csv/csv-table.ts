/** The table in the rows of a file: its header, perhaps below titles, its columns, and how they write numbers. */
import { ConvertError } from '../../conversion.ts';
import type { Notes } from '../../notes.ts';
import { columnsMax } from '../file-data.ts';
import { type Decimal, evidenceOf, numberIn } from '../number-text.ts';
import { roleByName } from './column-words.ts';
import type { NumberedRow } from './csv-rows.ts';
import { isGeometry } from './geometry-text.ts';
import { degreesIn, pairIn } from './place-text.ts';

/** Rows that decide what a column is. */
const sampleMax = 1000;
/** Rows among which the header is. */
const headerMax = 60;
/** Share of the values that must be numbers in a column of numbers: some are missing, or have a remark. */
const most = 0.8;

export interface Table {
  readonly names: readonly string[];
  /** Without the header. */
  readonly rows: readonly NumberedRow[];
  readonly decimals: Map<string, Decimal>;
  /** The first texts of each column. */
  readonly sample: readonly (readonly string[])[];
}

/** How many cells say by their name where the places are; both coordinates count more than many others. */
export const knownPlaces = (cells: readonly string[]): number => {
  const roles = new Set(cells.map((cell) => roleByName(cell.trim())));
  return [
    ['latitude', 'longitude'],
    ['x', 'y'],
  ].filter((pair) => pair.every((role) => roles.has(role as never))).length;
};

/**
 * @param rows that are not blank
 * @param decimalUsual of columns without evidence
 */
export function tableOf(rows: readonly NumberedRow[], decimalUsual: Decimal, notes: Notes): Table {
  const { header, from } = headerIn(rows);
  const first = rows[from];
  if (first === undefined) throw new ConvertError('unreadable', 'The file has no rows.');
  const body = rows.slice(header === undefined ? from : from + 1);
  const width =
    header === undefined ? Math.max(...rows.slice(0, sampleMax).map(({ cells }) => cells.length)) : first.cells.length;
  if (width > columnsMax)
    throw new ConvertError(
      'columns',
      `The file has ${width} columns, at most ${columnsMax} can be imported. Keep those that the map shows.`,
    );
  noteSkipped(rows.slice(0, from), first, notes);
  noteBlank(rows, notes);
  const names = columnNames(header, width);
  for (const { number, cells } of body)
    if (cells.length < names.length || cells.slice(names.length).some((cell) => cell.trim() !== ''))
      notes.add('cells', `row ${number}`, `It has ${cells.length} cells, the header ${names.length}: check the quotation marks.`);
  const sample = names.map((_, i) => body.slice(0, sampleMax).map(({ cells }) => cells[i] ?? ''));
  const decimals = decimalsOf(sample, decimalUsual);
  return { names, rows: body, sample, decimals: new Map(names.map((name, i) => [name, decimals[i] ?? 'point'])) };
}

function noteSkipped(titles: readonly NumberedRow[], first: NumberedRow, notes: Notes): void {
  const [one] = titles;
  if (one === undefined) return;
  const which = titles.length === 1 ? `Row ${one.number} is` : `Rows ${one.number} to ${titles.at(-1)?.number} are`;
  notes.add('title', `row ${one.number}`, `${which} above the table, which begins in row ${first.number}: skipped.`);
}

/** Rows between others that have nothing are counted. */
function noteBlank(rows: readonly NumberedRow[], notes: Notes): void {
  const blank = (rows.at(-1)?.number ?? 0) - (rows[0]?.number ?? 0) + 1 - rows.length;
  if (blank > 0) notes.add('blank', '', `${blank === 1 ? 'One blank row is' : `${blank} blank rows are`} skipped.`);
}

/** Where the table begins, and its header; without one, each row is data. */
function headerIn(rows: readonly NumberedRow[]): { readonly header: readonly string[] | undefined; readonly from: number } {
  const first = rows.slice(0, headerMax);
  const known = first.findIndex(({ cells }) => knownPlaces(cells) > 0);
  if (known !== -1) return { header: first[known]?.cells, from: known };
  const filled = (cells: readonly string[]): number => cells.filter((cell) => cell.trim() !== '').length;
  const width = median(rows.slice(0, sampleMax).map(({ cells }) => filled(cells)));
  const from = Math.max(
    0,
    first.findIndex(({ cells }) => filled(cells) >= Math.max(2, width - 1) || filled(cells) >= width),
  );
  const candidate = rows[from]?.cells ?? [];
  return { header: isHeader(candidate, rows.slice(from + 1, from + 1 + sampleMax)) ? candidate : undefined, from };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

const isNumber = (text: string): boolean => numberIn(text, 'point') !== undefined || numberIn(text, 'comma') !== undefined;
/** A number or a place, which no header has. */
const isValue = (text: string): boolean =>
  isNumber(text) || degreesIn(text, 'point', 180) !== undefined || pairIn(text) !== undefined || isGeometry(text);

/** A fraction or a place: years and other whole numbers are in headers, too. */
const isPlaceOrFraction = (text: string): boolean => isValue(text) && !/^\d{1,9}$/.test(text.trim());

/** True if texts stand above columns of values, and no values; without such columns, true if no cell is a value. */
function isHeader(cells: readonly string[], below: readonly NumberedRow[]): boolean {
  const columns = cells.map((_, i) => below.map((row) => row.cells[i] ?? '').filter((text) => text.trim() !== ''));
  const ofValues = columns.map((texts) => texts.length > 0 && texts.filter(isValue).length >= texts.length * most);
  const above = cells.filter((_, i) => ofValues[i]);
  if (above.length === 0) return !cells.some(isValue);
  return above.some((cell) => cell.trim() !== '' && !isValue(cell)) && !above.some(isPlaceOrFraction);
}

/** A name for each column: the cells of the header, made different, or `Column 1`. */
function columnNames(header: readonly string[] | undefined, width: number): string[] {
  const names = new Set<string>();
  const counts = new Map<string, number>();
  for (let i = 0; i < width; i++) {
    const base = header?.[i]?.trim() || `Column ${i + 1}`;
    let name = base;
    while (names.has(name)) {
      const count = (counts.get(base) ?? 1) + 1;
      counts.set(base, count);
      name = `${base} (${count})`;
    }
    names.add(name);
  }
  return [...names];
}

/** How the numbers of each column are written. A column without evidence is like the others, or as usual. */
function decimalsOf(columns: readonly (readonly string[])[], usual: Decimal): Decimal[] {
  const found = columns.map((texts) => evidenceOf(texts));
  const points = found.reduce((sum, { point }) => sum + point, 0);
  const commas = found.reduce((sum, { comma }) => sum + comma, 0);
  const other: Decimal = commas > points ? 'comma' : points > commas ? 'point' : usual;
  return found.map(({ point, comma }) => (point === comma ? other : point > comma ? 'point' : 'comma'));
}
