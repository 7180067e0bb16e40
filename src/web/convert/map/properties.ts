/** Columns that become properties of the objects. */
import { type FieldKind, type PropertyValue, propertyBounds } from '../../../lib/draw/public-map.ts';
import type { Body, Column, Mapping } from '../conversion.ts';
import type { Notes } from '../notes.ts';
import type { FileData, Item } from '../read/file-data.ts';
import { quoted, shortened } from '../short-text.ts';
import { numberReader } from './describe-columns.ts';
import { valueFor } from './field-kind.ts';

export interface PropertyReader {
  /** In the order of the file. */
  readonly names: readonly string[];
  of(item: Item): Body;
}

/** Columns that say something else of an object are properties only if visitors see them. Exported objects have their own properties. */
export function propertyColumns(data: FileData, mapping: Mapping): readonly string[] {
  if (data.items.some(({ members }) => members !== undefined)) return [];
  const { name, key, category, fields = [] } = mapping;
  const others = new Set([...placeColumns(data, mapping), name, key, category?.column]);
  const shown = new Set(fields.map(({ column }) => column));
  return data.columns.filter((column) => shown.has(column) || !others.has(column));
}

/** The columns of coordinates. */
export const placeColumns = ({ recognized = {} }: FileData, { latitude, longitude, x, y }: Mapping): readonly string[] =>
  [latitude, longitude, x, y, ...Object.values(recognized)].filter((column) => column !== undefined);

export function propertyReader(
  data: FileData,
  mapping: Mapping,
  columns: readonly Column[],
  notes: Notes,
): PropertyReader | undefined {
  const names = boundedNames(propertyColumns(data, mapping), mapping, notes);
  if (names.length === 0) return undefined;
  const kinds = new Map<string, FieldKind>(columns.map(({ name, fieldKind }) => [name, fieldKind]));
  for (const { column, kind } of mapping.fields ?? []) kinds.set(column, kind);
  const readers = names.map((name) => [name, kinds.get(name) ?? 'text', numberReader(data, name)] as const);
  return {
    names,
    of: ({ values, at }) => {
      const entries: [string, PropertyValue][] = [];
      for (const [name, kind, numberOf] of readers) {
        const text = values.get(name)?.trim() ?? '';
        if (text === '') continue;
        const isLong = text.length > propertyBounds.textLengthMax;
        entries.push([name, isLong ? shortened(text, propertyBounds.textLengthMax) : valueFor(kind, text, numberOf)]);
        const detail = `"${name}" has more than ${propertyBounds.textLengthMax} characters: it is cut.`;
        if (isLong) notes.leaveOut('properties', at, detail);
      }
      const { kept, left } = boundedProperties(entries);
      if (left.length > 0) notes.leaveOut('properties', at, `Its properties have more than 16 KiB. Left out: ${quoted(left)}.`);
      return kept;
    },
  };
}

/** The columns that fit, those that visitors see first. */
function boundedNames(names: readonly string[], { fields = [] }: Mapping, notes: Notes): readonly string[] {
  const unnameable = names.filter((name) => name === '' || name.length > propertyBounds.nameLengthMax);
  if (unnameable.length > 0) {
    const detail = `A property has a name of 1 to ${propertyBounds.nameLengthMax} characters. Left out: ${quoted(unnameable)}.`;
    notes.add('properties', '', detail);
  }
  const shown = new Set(fields.map(({ column }) => column));
  const named = names.filter((name) => !unnameable.includes(name));
  const byUse = [...named.filter((name) => shown.has(name)), ...named.filter((name) => !shown.has(name))];
  const left = byUse.slice(propertyBounds.most);
  if (left.length === 0) return named;
  notes.add('properties', '', `An object has at most ${propertyBounds.most} properties. Left out: ${quoted(left)}.`);
  const kept = new Set(byUse.slice(0, propertyBounds.most));
  return named.filter((name) => kept.has(name));
}

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** The first properties that fit into an object. A name such as `__proto__` is an ordinary one. */
export function boundedProperties(entries: readonly (readonly [string, unknown])[]): {
  readonly kept: Body;
  readonly left: readonly string[];
} {
  // A character has at most six bytes in JSON.
  const most = entries.reduce((sum, [name, value]) => sum + 6 * (name.length + String(value).length + 6), 2);
  if (most <= propertyBounds.bytesMax && entries.length <= propertyBounds.most)
    return { kept: Object.fromEntries(entries), left: [] };
  const kept: (readonly [string, unknown])[] = [];
  const left: string[] = [];
  let bytes = 2;
  for (const entry of entries) {
    // Quotation marks are in both texts; a colon and a comma follow.
    const more = bytesOf(entry[0]) + bytesOf(entry[1]) + 2;
    if (kept.length === propertyBounds.most || bytes + more > propertyBounds.bytesMax) left.push(entry[0]);
    else {
      kept.push(entry);
      bytes += more;
    }
  }
  return { kept: Object.fromEntries(kept), left };
}
