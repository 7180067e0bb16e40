/** The columns of a list of records, and which rows name which objects. Pure. */
import { isPlain } from '../../../lib/change/value-parts.ts';
import { numberIn } from '../../../live/evaluate/values/number-form.ts';
import type { Members, Resource } from '../kinds/resource-kinds.ts';
import { valueAt } from '../live/path-keys.ts';
import type { ListMatch, MatchWay } from './list-plan.ts';

export interface ListColumn {
  /** Its keys in a row, joined by dots. */
  readonly name: string;
  readonly isNumber: boolean;
  /** True for numbers without fractions. */
  readonly isWhole: boolean;
  /** The range of its numbers. */
  readonly least: number;
  readonly most: number;
  /** Different values, as texts, in their order; numbers are compared as numbers. No more than {@link valuesMax}. */
  readonly values: readonly string[];
}

/** Different values of a column that are kept. */
export const valuesMax = 24;
/** Columns that are offered, and levels of objects in a row. */
const [columnsMax, depthMax] = [60, 4];
/** Rows in which columns are looked for. */
const rowsRead = 1000;

/** The text of a value that can name something; `undefined` for an empty one and for structures. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value !== '')
    ? String(value)
    : undefined;

export const keysOfColumn = (name: string): string[] => name.split('.');

export const cellOf = (row: unknown, column: string): unknown => valueAt(row, keysOfColumn(column));

export function columnsOfRows(rows: readonly Members[]): ListColumn[] {
  const names = new Set<string>();
  const add = (value: unknown, keys: readonly string[]): void => {
    if (names.size >= columnsMax) return;
    if (isPlain(value) && keys.length < depthMax) {
      for (const [key, inner] of Object.entries(value)) if (key !== '' && !/[.{}]/.test(key)) add(inner, [...keys, key]);
    } else if (keys.length > 0 && textOf(value) !== undefined) names.add(keys.join('.'));
  };
  for (const row of rows.slice(0, rowsRead)) add(row, []);
  return [...names].map((name) => columnOf(rows, name));
}

function columnOf(rows: readonly Members[], name: string): ListColumn {
  const values = rows.map((row) => cellOf(row, name)).filter((value) => textOf(value) !== undefined);
  const numbers = values.map((value) => (typeof value === 'boolean' ? undefined : numberIn(value)));
  const isNumber = values.length > 0 && numbers.every((value) => value !== undefined);
  const found = isNumber ? (numbers as number[]) : [0];
  const least = found.reduce((a, b) => Math.min(a, b));
  const most = found.reduce((a, b) => Math.max(a, b));
  return {
    name,
    isNumber,
    isWhole: found.every(Number.isInteger),
    least,
    most,
    values: differentIn(values).slice(0, valuesMax),
  };
}

/** The different ones of some values, as texts. Expressions compare `1` and `1.0` as numbers: of both, one colour would never be seen. */
function differentIn(values: readonly unknown[]): string[] {
  const found = new Map<number | string, string>();
  for (const text of values.map(String)) {
    const key = numberIn(text) ?? text;
    if (!found.has(key)) found.set(key, text);
  }
  return [...found.values()];
}

/** The text of an object by which a way to match finds it; '' for none. */
export function textOfObject(object: Members, { by, property }: Pick<ListMatch, 'by' | 'property'>): string {
  const { properties } = object;
  const value = by === 'property' ? (isPlain(properties) ? properties[property] : undefined) : object[by];
  return textOf(value) ?? '';
}

/** An object with its artboard. */
export interface PlacedObject {
  readonly object: Resource;
  readonly artboardId: string;
}

/** The names of the properties that objects have. */
export const propertyNames = (all: readonly PlacedObject[]): Set<string> =>
  new Set(all.flatMap(({ object }) => Object.keys(isPlain(object['properties']) ? object['properties'] : {})));

export interface RowMatches {
  /** Rows that name an object. */
  readonly matched: number;
  /** Positions and texts of rows that name none. */
  readonly rows: readonly { readonly row: number; readonly text: string }[];
  /** Objects in reach that no row names; also those without a text. */
  readonly objects: readonly Resource[];
  /** How many of these have a text. */
  readonly unnamed: number;
}

const isInReach =
  ({ artboardId, category }: Pick<ListMatch, 'artboardId' | 'category'>) =>
  (each: PlacedObject): boolean =>
    (artboardId === '' || each.artboardId === artboardId) && (category === '' || each.object['category'] === category);

export function matchRows(rows: readonly Members[], all: readonly PlacedObject[], match: ListMatch): RowMatches {
  const objects = all.filter(isInReach(match)).map(({ object }) => object);
  const texts = new Set(objects.map((object) => textOfObject(object, match)));
  const lost = rows.map((row, at) => ({ row: at, text: textOf(cellOf(row, match.column)) ?? '' }));
  const missing = lost.filter(({ text }) => text === '' || !texts.has(text));
  const named = new Set(lost.map(({ text }) => text).filter((text) => text !== ''));
  const left = objects.filter((object) => !named.has(textOfObject(object, match)));
  const unnamed = left.filter((object) => textOfObject(object, match) !== '').length;
  return { matched: rows.length - missing.length, rows: missing, objects: left, unnamed };
}

/** Rows that are compared when a match is guessed. */
const guessedRows = 500;

/** The column and the way by which most rows find objects; the first column and names if none does. */
export function guessMatch(rows: readonly Members[], columns: readonly ListColumn[], all: readonly PlacedObject[]): ListMatch {
  const some = rows.slice(0, guessedRows);
  const ways: readonly { readonly by: MatchWay; readonly property: string }[] = [
    { by: 'key', property: '' },
    { by: 'name', property: '' },
    ...[...propertyNames(all)].map((property) => ({ by: 'property' as const, property })),
  ];
  let best: ListMatch = { column: columns[0]?.name ?? '', by: 'name', property: '', artboardId: '', category: '' };
  let most = 0;
  for (const way of ways) {
    const texts = new Set(all.map(({ object }) => textOfObject(object, way)));
    texts.delete('');
    for (const { name } of columns) {
      const found = new Set(some.map((row) => textOf(cellOf(row, name)) ?? '').filter((text) => texts.has(text)));
      if (found.size <= most) continue;
      most = found.size;
      best = { ...best, ...way, column: name };
    }
  }
  return best;
}
