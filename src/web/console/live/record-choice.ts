/** A value in a list of records: the record and the column that it is in, and what identifies the record in any order. Pure. */
import { isPlain } from '../../../lib/change/value-parts.ts';
import { numberIn } from '../../../live/evaluate/values/number-form.ts';
import type { Members } from '../kinds/resource-kinds.ts';
import { valueAt } from './path-keys.ts';

/** Where a value in a list of records is. */
export interface RecordPlace {
  /** The keys of the list, from the root. */
  readonly list: readonly string[];
  /** Position of the record in the list. */
  readonly row: number;
  /** The keys of the value, from its record. */
  readonly column: readonly string[];
  readonly records: readonly Members[];
}

/** A value by which a record is found. */
export interface Identity {
  readonly key: string;
  readonly value: string | number;
}

/** The keys of an array have the form of an index; of such a name, a path does not know which of both it is. */
const indexForm = /^\d+$/;

/** A moment is different in each record, and in each response. */
const momentForm = /^\d{4}-\d\d-\d\d[T ]\d\d:/;

/** Names of numbers that identify something. All other ones are measured. */
const numberNames = /(?:id|key|no|nr|number|code)$/i;

export const isRecords = (value: unknown): value is readonly Members[] =>
  Array.isArray(value) && value.length > 0 && value.every(isPlain);

/** The innermost list of records that a value is in; `undefined` if it is in none. @param keys of the value, from the root */
export function recordAt(root: unknown, keys: readonly string[]): RecordPlace | undefined {
  for (let at = keys.length - 2; at >= 0; at--) {
    const list = keys.slice(0, at);
    const records = valueAt(root, list);
    if (isRecords(records)) return { list, row: Number(keys[at]), column: keys.slice(at + 1), records };
  }
  return undefined;
}

/** True if filters can choose the record: they hold for the last array of a path, and a name that is no index. */
function isFilterable({ records, row, column }: RecordPlace): boolean {
  const passed = column.map((_, at) => valueAt(records[row], column.slice(0, at)));
  return !indexForm.test(column[0] ?? '') && !passed.some((value) => Array.isArray(value));
}

/** True if all records have a value in a column that is not empty, and no two the same. Filters compare as numbers what looks like them. */
function isUnique(records: readonly Members[], key: string): boolean {
  const seen = new Set<unknown>();
  return records.every((record) => {
    const value = Object.hasOwn(record, key) ? record[key] : undefined;
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '') return false;
    const compared = numberIn(value) ?? value;
    return !seen.has(compared) && seen.add(compared);
  });
}

/**
 * The column that identifies the record: `id`, `key`, `name`, the first text, the first number that is named like an identifier, of those
 * whose values are all different. `undefined` if there is none: only its position leads to the record.
 */
export function identityOf(place: RecordPlace): Identity | undefined {
  const { records, row, column } = place;
  const record = records[row];
  if (record === undefined || !isFilterable(place)) return undefined;
  const names = Object.keys(record).filter((name) => name !== '' && !name.includes('.') && !indexForm.test(name));
  const named = ['id', 'key', 'name'].flatMap((wanted) => names.filter((name) => name.toLowerCase() === wanted));
  const texts = names.filter((name) => typeof record[name] === 'string' && !momentForm.test(record[name] as string));
  const numbers = names.filter((name) => typeof record[name] === 'number' && numberNames.test(name));
  const candidates = [...new Set([...named, ...texts, ...numbers])].filter((name) => isUnique(records, name));
  // A value that is found by itself never changes.
  const key = candidates.find((name) => column.length > 1 || name !== column[0]) ?? candidates[0];
  return key === undefined ? undefined : { key, value: record[key] as string | number };
}
