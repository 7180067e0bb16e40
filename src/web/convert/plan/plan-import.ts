/** Pairs a conversion with the objects that an artboard already has, by their keys. */
import type { Body, Conversion, ConvertedPopup } from '../conversion.ts';

export interface ExistingObject {
  readonly id: string;
  readonly key?: string;
  readonly name: string;
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
}

/** @param missing of objects with a key that the file no longer has; objects without key are never removed */
export function planImport(
  { objects, popups }: Pick<Conversion, 'objects' | 'popups'>,
  existing: readonly ExistingObject[],
  missing: 'keep' | 'delete',
): ImportPlan {
  const byKey = new Map(existing.flatMap(({ id, key }) => (key ? [[key, id] as const] : [])));
  const popupsOf = new Map<number, Body[]>();
  for (const { object, body } of popups) popupsOf.set(object, [...(popupsOf.get(object) ?? []), body]);
  const create: PlannedObject[] = [];
  const update: (PlannedObject & { id: string })[] = [];
  const found = new Set<string>();
  for (const [i, { body, styles }] of objects.entries()) {
    const id = byKey.get(String(body['key'] ?? ''));
    const bodies = popupsOf.get(i) ?? [];
    if (id === undefined) create.push({ body, popups: bodies });
    else {
      found.add(id);
      update.push({ id, body: without(body, styles), popups: bodies });
    }
  }
  const remove = missing === 'keep' ? [] : existing.filter(({ id, key }) => key && !found.has(id));
  return { create, update, remove: remove.map(({ id, name }) => ({ id, name })) };
}

const without = (body: Body, names: readonly string[]): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
