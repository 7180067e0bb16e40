/** Completes a mapping: columns that are recognized, a category and fields that are suggested, kinds and places of fields. */
import type { FieldKind } from '../../../lib/draw/public-map.ts';
import { escapeHtml } from '../../../lib/html/escape-html.ts';
import type { CategoryMapping, Column, FieldMapping, GivenMapping, Mapping } from '../conversion.ts';
import type { FileData } from '../read/file-data.ts';
import { choicesMax, styleNames, usualPlaces } from './field-kind.ts';
import { placeColumns, propertyColumns } from './properties.ts';

/** Columns that visitors see if all are wanted: a longer list tells them nothing. */
const fieldsMax = 12;
/** Names of columns that are categories more often than others. */
const categoryName =
  /^(?:[ck]ategor|type?\b|tipo|typ\b|art\b|kind|gr[ou]+p|branche|sparte|sector|[ck]lass|klasse|genre|rubri[kc]|th[eè]m)|(?:kategorie|category|art|typ|type|gruppe|group)$/i;

/** The given mapping with the recognized columns of places and of the name, and popups of what the file says about its elements. */
export function completeMapping(given: GivenMapping, data: FileData, columns: readonly Column[]): Mapping {
  const { color, category: givenCategory, fields: givenFields, ...others } = given;
  const kept = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)) as Mapping;
  const name = kept.name ?? columns.find(({ role }) => role === 'name')?.name;
  const hasOwnPopup = kept.popupTitle !== undefined || kept.popupContent !== undefined;
  const description = hasOwnPopup ? undefined : columns.find((column) => column.name === data.description);
  const columnOf = (column: string) => columns.find((each) => each.name === column);
  const mapping: Mapping = {
    ...data.recognized,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined
      ? {}
      : { popupContent: `{${description.name}}`, ...(name === undefined ? {} : { popupTitle: `{${name}}` }) }),
    ...kept,
    ...(color === undefined
      ? {}
      : { color: { ...color, by: color.by ?? (columnOf(color.column)?.kind === 'number' ? 'value' : 'category') } }),
  };
  const category = categoryOf(givenCategory, columns, data, mapping);
  const fields =
    givenFields === 'all' ? suggestedFields(columns, data, { ...mapping, ...(category && { category }) }) : givenFields;
  return {
    ...mapping,
    ...(category === undefined ? {} : { category }),
    ...(fields === undefined || fields.length === 0 ? {} : { fields: completeFields(fields, columnOf) }),
  };
}

function categoryOf(
  given: GivenMapping['category'],
  columns: readonly Column[],
  data: FileData,
  mapping: Mapping,
): CategoryMapping | undefined {
  if (typeof given === 'object') return given;
  if (given === 'none') return undefined;
  const column = data.category ?? (given === 'auto' ? suggestedCategory(columns, data, mapping) : undefined);
  return column === undefined ? undefined : { column };
}

/** The first field of each column, with its kind and its places. */
function completeFields(
  fields: Exclude<GivenMapping['fields'], 'all' | undefined>,
  columnOf: (name: string) => Column | undefined,
): readonly FieldMapping[] {
  const found = new Map<string, FieldMapping>();
  for (const field of fields) {
    const kind = field.kind ?? columnOf(field.column)?.fieldKind ?? 'text';
    const { column, show = usualPlaces(kind), label } = field;
    if (!found.has(column)) found.set(column, { column, ...(label === undefined ? {} : { label }), kind, show });
  }
  return [...found.values()];
}

/** Columns that people may want to show: those that become properties. A drawing and an export have names of parts, and members. */
function candidates(columns: readonly Column[], data: FileData, mapping: Mapping): readonly Column[] {
  if (data.size !== undefined) return [];
  const used = new Set([...placeColumns(data, mapping), mapping.name]);
  const names = new Set(propertyColumns(data, mapping).filter((name) => !used.has(name) && !styleNames.test(name)));
  return columns.filter(({ name, kind }) => names.has(name) && kind !== 'empty');
}

/** A column of few texts that rows share; one with a name of categories before others. A file with its own colours keeps them. */
function suggestedCategory(columns: readonly Column[], data: FileData, mapping: Mapping): string | undefined {
  if (data.items.some(({ style }) => style !== undefined)) return undefined;
  const texts = candidates(columns, data, mapping).filter(({ kind, fieldKind }) => kind === 'text' && isWord(fieldKind));
  const isShared = ({ distinct }: Column): boolean => distinct >= 2 && distinct <= choicesMax && distinct < data.items.length;
  const named = texts.find((column) => categoryName.test(column.name.trim()) && isShared(column));
  return (named ?? texts.find(({ fieldKind }) => fieldKind === 'choice'))?.name;
}

const isWord = (kind: FieldKind): boolean => kind === 'choice' || kind === 'text';

const isShown = ({ popupContent }: Mapping, column: string | undefined): boolean =>
  column !== undefined && popupContent?.includes(`{${column}}`) === true;

/** True if the column has only addresses that the description links to or shows, as My Maps repeats its pictures. */
const isLinked = (column: string, { items, description }: FileData, mapping: Mapping): boolean =>
  isShown(mapping, description) &&
  items.every(({ values, contents }) => {
    const shown = contents?.get(description ?? '') ?? '';
    const isIn = (word: string): boolean => /^https?:/.test(word) && shown.includes(escapeHtml(word));
    return values.get(column)?.trim().split(/\s+/).every(isIn) ?? true;
  });

/** Columns that are not in the name or the popup already. */
const suggestedFields = (columns: readonly Column[], data: FileData, mapping: Mapping) =>
  candidates(columns, data, mapping)
    .filter(({ name, role }) => role !== 'name' && !isShown(mapping, name) && !isLinked(name, data, mapping))
    .slice(0, fieldsMax)
    .map(({ name }) => ({ column: name }));
