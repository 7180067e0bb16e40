/** The rows of the list of a panel: the objects of an artboard in groups by category, each sorted in the language of the visitor. */
import type { MapArtboard, MapField, MapObject, PublicMap } from '../../drawing/map-document.ts';
import { shownValue } from '../details/field-format.ts';
import type { FieldValue, ShownMap } from '../shown-map.ts';
import type { Texts } from '../texts.ts';
import type { ListedObject, ListRow } from './object-list.ts';

/** Compares texts as people of a language sort them: "Room 9" comes before "Room 10". */
export const comparerOf = (languages: readonly string[]): ((a: string, b: string) => number) =>
  new Intl.Collator(languages, { numeric: true, sensitivity: 'base' }).compare;

/** The names of categories in the order of the panel: those of the settings, others by name, and '' for none. */
export function orderOfCategories(
  settings: PublicMap['categories'],
  used: readonly string[],
  compare: (a: string, b: string) => number,
): string[] {
  const known = new Set(settings.map(({ name }) => name));
  const others = used.filter((name) => !known.has(name) && name !== '').sort(compare);
  return [...known, ...others, ...(used.includes('') && !known.has('') ? [''] : [])];
}

/** A row, and the position of its object on the artboard. */
interface PlacedRow {
  readonly at: number;
  readonly category: string;
  readonly row: ListedObject;
}

interface RowSource {
  readonly shown: Pick<ShownMap, 'isListed' | 'titleOf' | 'fieldsOf'>;
  readonly texts: Texts;
  readonly languages: readonly string[];
  /** Of categories. */
  readonly order: readonly string[];
  compare(a: string, b: string): number;
}

/** All rows of an artboard. */
export function placedRows({ objects }: MapArtboard, source: RowSource): PlacedRow[] {
  const { shown, texts, languages, order, compare } = source;
  const ranks = new Map(order.map((name, rank) => [name, rank]));
  const noted = (object: MapObject): string => noteOf(shown.fieldsOf(object, 'list'), languages);
  const placed = objects.flatMap((object, at): PlacedRow[] => {
    if (!shown.isListed(object)) return [];
    const { id, category } = object;
    return [{ at, category, row: { id, name: shown.titleOf(object, at, texts), note: () => noted(object) } }];
  });
  const rankOf = ({ category }: PlacedRow): number => ranks.get(category) ?? order.length;
  return placed.sort((a, b) => rankOf(a) - rankOf(b) || compare(a.row.name, b.row.name));
}

/** The rows of objects that pass, below the names of their categories if there are some. @param labelOf how visitors read a category */
export function rowsOf(placed: readonly PlacedRow[], passing: Uint8Array, labelOf: (category: string) => string): ListRow[] {
  const rows: ListRow[] = [];
  const isGrouped = placed.some(({ category }) => category !== '');
  let before: string | undefined;
  for (const { at, category, row } of placed) {
    if (passing[at] !== 1) continue;
    if (isGrouped && category !== before) rows.push({ heading: labelOf(category), key: category });
    before = category;
    rows.push(row);
  }
  return rows;
}

/** The second line of a row. */
function noteOf(values: readonly FieldValue[], languages: readonly string[]): string {
  return values.flatMap(({ field, value }) => noted(field, value, languages) ?? []).join(' · ');
}

/** A number or a yes says nothing without the name of its field; a no is left out. */
function noted({ kind, label }: MapField, value: FieldValue['value'], languages: readonly string[]): string | undefined {
  if (kind === 'picture') return undefined;
  if (typeof value === 'boolean') return value ? label : undefined;
  const text = shownValue(kind, value, languages);
  return typeof value === 'number' ? `${label}: ${text}` : text;
}
