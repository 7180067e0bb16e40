/** Commands for the categories of a project: each is one step of the history, with the objects that follow. */

import type { DiffBuilder } from '../../../lib/change/diff-builder.ts';
import { isPlain } from '../../../lib/change/value-parts.ts';
import { withHover } from '../editor/looks.ts';
import type { ProjectDocument } from '../editor/project-document.ts';
import { categoriesIn, colourMember, type MapCategory } from '../kinds/map-categories.ts';
import { publicMapOf, withPublicMap } from '../kinds/public-map-settings.ts';
import type { Members, Resource } from '../kinds/resource-kinds.ts';

/** How many objects each category has. */
export function categoryCounts({ store }: ProjectDocument): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { ref, value } of store.all()) {
    const name = ref.kind === 'object' ? String(value['category'] ?? '') : '';
    if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function* objectsIn({ store }: ProjectDocument, category: string): Generator<Resource> {
  for (const artboardId of store.ids({ kind: 'artboard' }))
    for (const object of store.members({ kind: 'object', artboardId })) if (object['category'] === category) yield object;
}

/** Writes the list of categories. */
function putCategories({ store }: ProjectDocument, edit: DiffBuilder, categories: readonly unknown[]): void {
  const settings = store.shown(store.id)?.['settings'];
  edit.put(store.id, { settings: withPublicMap(settings, { ...publicMapOf(settings), categories }) });
}

/** The list in the settings, with a category that only objects have at its end. */
function listWith({ store }: ProjectDocument, category: MapCategory): readonly Members[] {
  const list = categoriesIn(store.shown(store.id)?.['settings']).filter(isPlain);
  return list.some(({ name }) => name === category.name) ? list : [...list, { name: category.name, color: category.color }];
}

const isGiven = ([, value]: [string, unknown]): boolean => value !== '' && value !== false && value !== undefined;

/**
 * Changes members of a category. Objects that look like it get its new colour and icon.
 *
 * @param members of the category in the settings; '' and false remove one
 */
export async function changeCategory(document: ProjectDocument, category: MapCategory, members: Members): Promise<void> {
  const edit = document.edits.begin();
  putCategories(
    document,
    edit,
    listWith(document, category).map((each) =>
      each['name'] === category.name ? Object.fromEntries(Object.entries({ ...each, ...members }).filter(isGiven)) : each,
    ),
  );
  for (const object of objectsIn(document, category.name)) {
    const colour = colourMember(object);
    const changed: Members = {
      ...(typeof members['color'] === 'string' && object[colour] === category.color ? { [colour]: members['color'] } : {}),
      ...(typeof members['icon'] === 'string' && (object['icon'] ?? '') === category.icon ? { icon: members['icon'] } : {}),
    };
    edit.put(object.id, withHover(object, changed));
  }
  await document.edits.run(edit);
}

/** Puts the categories in an order. @param names of all of them */
export async function orderCategories(document: ProjectDocument, names: readonly string[]): Promise<void> {
  const known = new Map(document.looks.categories.value.map((category) => [category.name, category]));
  const list = names.flatMap((name) =>
    listWith(document, known.get(name) as MapCategory).filter((each) => each['name'] === name),
  );
  const edit = document.edits.begin();
  putCategories(document, edit, list);
  await document.edits.run(edit);
}

/** Gives all objects of a category another one, and removes it. Without another one, they have none. */
export async function mergeCategory(document: ProjectDocument, name: string, into: string): Promise<void> {
  const edit = document.edits.begin();
  const list = categoriesIn(document.store.shown(document.store.id)?.['settings']);
  putCategories(
    document,
    edit,
    list.filter((each) => !isPlain(each) || each['name'] !== name),
  );
  for (const object of objectsIn(document, name)) edit.put(object.id, document.looks.withCategory(object, into));
  await document.edits.run(edit);
}
