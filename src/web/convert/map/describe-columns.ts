/** Describes the columns of a file for the dialog: kind, range and role, and the first rows. */
import type { Column } from '../conversion.ts';
import { roleByName } from '../read/csv-header.ts';
import type { FileData } from '../read/file-data.ts';
import { numberIn } from '../read/number-text.ts';
import type { Slices } from '../slices.ts';
import { kindOf } from './field-kind.ts';

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
  const described: Column[] = [];
  let hasName = false;
  for (const [i, name] of data.columns.entries()) {
    let role = name === latitude ? 'latitude' : name === longitude ? 'longitude' : undefined;
    const named = role ?? roleByName(name);
    if (role === undefined && (named === 'address' || (named === 'name' && !hasName))) role = named;
    if (role === 'name') hasName = true;
    described.push({
      ...{ name, ...describe(data, name) },
      ...(role === undefined ? {} : { role: role as NonNullable<Column['role']> }),
    });
    await slices.next(i / data.columns.length);
  }
  return described;
}

function describe(data: FileData, name: string): Pick<Column, 'kind' | 'distinct' | 'least' | 'most' | 'fieldKind'> {
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
    if (!areNumbers && distinct.size === distinctMax) break;
    if (!areNumbers) continue;
    const number = numberOf(text);
    if (number === undefined) areNumbers = false;
    else [least, most] = [Math.min(least, number), Math.max(most, number)];
  }
  if (distinct.size === 0) return { kind: 'empty', distinct: 0, fieldKind: 'text' };
  const described = { distinct: distinct.size, fieldKind: kindOf(distinct, filled, name, numberOf) };
  return areNumbers ? { ...described, kind: 'number', least, most } : { ...described, kind: 'text' };
}

export const firstRows = (data: FileData): string[][] =>
  data.items.slice(0, rowsShown).map(({ values }) => data.columns.map((name) => (values.get(name) ?? '').slice(0, cellMax)));
