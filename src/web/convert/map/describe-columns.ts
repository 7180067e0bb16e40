/** Describes the columns of a file for the dialog: kind, range and role, and the first rows. */
import type { Column, GivenMapping, Mapping } from '../conversion.ts';
import { roleByName } from '../read/csv-header.ts';
import type { FileData } from '../read/file-data.ts';
import { numberIn } from '../read/number-text.ts';
import type { Slices } from '../slices.ts';

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

function describe(data: FileData, name: string): Pick<Column, 'kind' | 'distinct' | 'least' | 'most'> {
  const distinct = new Set<string>();
  const numberOf = numberReader(data, name);
  let areNumbers = true;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const { values } of data.items) {
    const text = values.get(name)?.trim();
    if (text === undefined || text === '') continue;
    if (distinct.size < distinctMax) distinct.add(text);
    if (!areNumbers && distinct.size === distinctMax) break;
    if (!areNumbers) continue;
    const number = numberOf(text);
    if (number === undefined) areNumbers = false;
    else [least, most] = [Math.min(least, number), Math.max(most, number)];
  }
  if (distinct.size === 0) return { kind: 'empty', distinct: 0 };
  return areNumbers ? { kind: 'number', distinct: distinct.size, least, most } : { kind: 'text', distinct: distinct.size };
}

export const firstRows = (data: FileData): string[][] =>
  data.items.slice(0, rowsShown).map(({ values }) => data.columns.map((name) => (values.get(name) ?? '').slice(0, cellMax)));

/** The given mapping with the recognized columns of places and of the name, and the popups that KML and GPX describe. */
export function completeMapping(
  { color, ...given }: GivenMapping,
  data: FileData,
  columns: readonly Column[],
  describes: boolean,
): Mapping {
  const name = given.name ?? columns.find(({ role }) => role === 'name')?.name;
  const hasOwnPopup = given.popupTitle !== undefined || given.popupContent !== undefined;
  const description = columns.find((column) => column.name === 'description' || column.name === 'desc');
  const isDescribed = describes && !hasOwnPopup && description !== undefined;
  const kind = columns.find((column) => column.name === color?.column)?.kind;
  return {
    ...data.recognized,
    ...(name === undefined ? {} : { name }),
    ...(isDescribed ? { popupContent: `{${description.name}}`, ...(name === undefined ? {} : { popupTitle: `{${name}}` }) } : {}),
    ...given,
    ...(color === undefined ? {} : { color: { ...color, by: color.by ?? (kind === 'number' ? 'value' : 'category') } }),
  };
}
