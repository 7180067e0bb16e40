/** The rows of the table: which objects, in which order. */
import type { Members, Resource } from '../kinds/resource-kinds.ts';

/** A column of the table: what a cell shows of an object, and what a text in it changes. */
export interface Column {
  /** Differs from those of other columns. */
  readonly key: string;
  readonly label: string;
  /** True if visitors never see it. */
  readonly isPrivate: boolean;
  readonly textOf: (object: Resource) => string;
  /** The members that change when a cell gets a text. */
  readonly changes: (object: Resource, text: string) => Members;
}

export interface Sorting {
  readonly key: string;
  readonly isDescending: boolean;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** The identifiers of the objects that have a text in any column. Those without a value in the sorted column are last, in both directions. */
export function rowsOf(
  objects: Iterable<Resource>,
  columns: readonly Column[],
  { query, sorting }: { readonly query: string; readonly sorting: Sorting | undefined },
): readonly string[] {
  const wanted = query.trim().toLocaleLowerCase();
  const found = [...objects].filter(
    (object) => wanted === '' || columns.some(({ textOf }) => textOf(object).toLocaleLowerCase().includes(wanted)),
  );
  const column = columns.find(({ key }) => key === sorting?.key);
  if (column === undefined || sorting === undefined) return found.map(({ id }) => id);
  const sign = sorting.isDescending ? -1 : 1;
  return found
    .map(({ id }, at) => ({ id, text: column.textOf(found[at] as Resource) }))
    .sort((a, b) => (a.text === '' || b.text === '' ? compareEmpty(a.text, b.text) : sign * compare(a.text, b.text)))
    .map(({ id }) => id);
}

const compareEmpty = (a: string, b: string): number => Number(a === '') - Number(b === '');

/** Numbers by their value, also negative ones and fractions, and texts as people expect. */
function compare(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)];
  return Number.isNaN(x) || Number.isNaN(y) ? collator.compare(a, b) : x - y;
}
