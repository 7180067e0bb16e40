/** Describes the columns of a file for the dialog: kind, range and role, and the first rows. */
import type { Column } from '../conversion.ts';
import { nameColumn, roleByName } from '../read/csv/column-words.ts';
import type { FileData } from '../read/file-data.ts';
import { numberIn } from '../read/number-text.ts';
import type { Slices } from '../slices.ts';
import { kindOf, styleNames } from './field-kind.ts';

const distinctMax = 1000;
const rowsShown = 20;
/** Characters of a cell in the table of the first rows. */
const cellMax = 200;

/** The numbers of a column, as the file writes them. */
export const numberReader = (data: FileData, column: string): ((text: string | undefined) => number | undefined) => {
  const decimal = data.decimals?.get(column) ?? 'point';
  return (text) => (text === undefined ? undefined : numberIn(text, decimal));
};

export async function describeColumns(data: FileData, slices: Slices): Promise<Column[]> {
  const { latitude, longitude } = data.recognized ?? {};
  const described: Described[] = [];
  for (const [i, name] of data.columns.entries()) {
    described.push({ name, ...describe(data, name) });
    await slices.next(i / data.columns.length);
  }
  const named = nameColumn(data.columns) ?? tellingColumn(described, data);
  return described.map(({ filled: _, letters: __, ...column }) => {
    const { name } = column;
    if (name === latitude) return { ...column, role: 'latitude' };
    if (name === longitude) return { ...column, role: 'longitude' };
    if (name === named) return { ...column, role: 'name' };
    return roleByName(name) === 'address' ? { ...column, role: 'address' } : column;
  });
}

interface Described extends Column {
  /** Values that are not empty. */
  readonly filled: number;
  /** The share of letters in the different values, and their characters on average. */
  readonly letters: { readonly share: number; readonly length: number };
}

/** Characters of a name, on average: longer texts are descriptions. */
const nameLengthMax = 60;

/** Where no column is called a name: the first of short texts with mostly letters that differ in all rows, an address after others. */
function tellingColumn(columns: readonly Described[], data: FileData): string | undefined {
  if (data.size !== undefined) return undefined;
  const telling = columns.filter(({ name, kind, fieldKind, distinct, filled, letters }) => {
    const isDifferent = distinct === Math.min(filled, distinctMax) && filled >= data.items.length * 0.9;
    const isText = kind === 'text' && (fieldKind === 'text' || fieldKind === 'choice');
    return (
      isText &&
      isDifferent &&
      letters.share >= 0.6 &&
      letters.length <= nameLengthMax &&
      name !== data.description &&
      !styleNames.test(name)
    );
  });
  return (telling.find(({ name }) => roleByName(name) !== 'address') ?? telling[0])?.name;
}

function describe(data: FileData, name: string): Omit<Described, 'name'> {
  const distinct = new Set<string>();
  const numberOf = numberReader(data, name);
  let areNumbers = true;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  let filled = 0;
  for (const { values } of data.items) {
    const text = values.get(name)?.trim();
    if (text === undefined || text === '') continue;
    filled++;
    if (distinct.size < distinctMax) distinct.add(text);
    if (!areNumbers) continue;
    const number = numberOf(text);
    if (number === undefined) areNumbers = false;
    else [least, most] = [Math.min(least, number), Math.max(most, number)];
  }
  const described = { distinct: distinct.size, filled, letters: lettersOf(distinct) };
  if (distinct.size === 0) return { ...described, kind: 'empty', fieldKind: 'text' };
  const fieldKind = kindOf(distinct, filled, name, numberOf);
  return areNumbers ? { ...described, fieldKind, kind: 'number', least, most } : { ...described, fieldKind, kind: 'text' };
}

function lettersOf(texts: ReadonlySet<string>): Described['letters'] {
  const characters = [...texts].reduce((sum, { length }) => sum + length, 0);
  const letters = [...texts].reduce((sum, text) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0);
  return { share: letters / Math.max(1, characters), length: characters / Math.max(1, texts.size) };
}

export const firstRows = (data: FileData): string[][] =>
  data.items.slice(0, rowsShown).map(({ values }) => data.columns.map((name) => (values.get(name) ?? '').slice(0, cellMax)));
