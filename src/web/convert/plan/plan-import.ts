/** Pairs a conversion with the objects that an artboard already has, by their keys. */
import { isPlain } from '../../../lib/change/value-parts.ts';
import type { Body, Conversion, ConvertedPopup, Note } from '../conversion.ts';
import { boundedProperties } from '../map/properties.ts';
import { quoted } from '../short-text.ts';

export interface ExistingObject {
  readonly id: string;
  readonly key?: string;
  readonly name: string;
  readonly category?: unknown;
  readonly properties?: unknown;
}

export interface PlannedObject {
  readonly body: Body;
  readonly popups: readonly ConvertedPopup['body'][];
}

export interface ImportPlan {
  readonly create: readonly PlannedObject[];
  /** Without members that only style a new object. */
  readonly update: readonly (PlannedObject & { readonly id: string })[];
  readonly remove: readonly { readonly id: string; readonly name: string }[];
  /** Properties of existing objects for which there is no room. */
  readonly notes: readonly Note[];
}

/** Members of a conversion that the plan needs. */
type Planned = Pick<Conversion, 'objects' | 'popups'> & Partial<Pick<Conversion, 'properties' | 'keysLeftOut'>>;

/**
 * @param missing of objects with a key that the file no longer has; objects without key are never removed, and of a file without objects none
 */
export function planImport(
  { objects, popups, properties = [], keysLeftOut = [] }: Planned,
  existing: readonly ExistingObject[],
  missing: 'keep' | 'delete',
): ImportPlan {
  const byKey = new Map(existing.flatMap((object) => (object.key ? [[object.key, object] as const] : [])));
  const popupsOf = new Map<number, Body[]>();
  for (const { object, body } of popups) popupsOf.set(object, [...(popupsOf.get(object) ?? []), body]);
  const create: PlannedObject[] = [];
  const update: (PlannedObject & { id: string })[] = [];
  const found = new Set(keysLeftOut.flatMap((key) => byKey.get(key)?.id ?? []));
  const notes: Note[] = [];
  const ofFile = new Set(properties);
  for (const [i, { body, styles, looks = [], at }] of objects.entries()) {
    const former = byKey.get(String(body['key'] ?? ''));
    const bodies = popupsOf.get(i) ?? [];
    if (former === undefined) create.push({ body, popups: bodies });
    else {
      const { id } = former;
      found.add(id);
      const isInCategory = (former.category ?? '') === body['category'];
      const changed = without(body, isInCategory ? [...styles, ...looks] : styles);
      const { members, note } = withProperties(changed, former, ofFile, at);
      if (note !== undefined) notes.push(note);
      update.push({ id, body: members, popups: bodies });
    }
  }
  const isKeyed = objects.some(({ body }) => body['key'] !== undefined);
  if (isKeyed && existing.length > 0 && byKey.size === 0)
    notes.push({ code: 'no-key', at: '', detail: withoutKeys, leftOut: false });
  const remove = missing === 'keep' || objects.length === 0 ? [] : existing.filter(({ id, key }) => key && !found.has(id));
  return { create, update, remove: remove.map(({ id, name }) => ({ id, name })), notes };
}

const withoutKeys = 'The objects of the artboard have no keys: none was found again, and all of the file are new.';

/** A body with the properties of an object that the file does not have: a PATCH replaces all of them. */
function withProperties(
  body: Body,
  { properties }: ExistingObject,
  ofFile: ReadonlySet<string>,
  at: string,
): { readonly members: Body; readonly note?: Note } {
  const others = Object.entries(isPlain(properties) ? properties : {}).filter(([name]) => !ofFile.has(name));
  const given = body['properties'];
  // An exported object has all of its properties.
  if (!isPlain(given) || ofFile.size === 0 || others.length === 0) return { members: body };
  const { kept, left } = boundedProperties([...Object.entries(given), ...others]);
  const members = { ...body, properties: kept };
  if (left.length === 0) return { members };
  const detail = `The object has no room for its former properties and those of the file. Left out: ${quoted(left)}.`;
  return { members, note: { code: 'properties', at, detail, leftOut: true } };
}

const without = (body: Body, names: readonly string[]): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
