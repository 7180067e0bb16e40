/** Commands for the categories of a project: each is one step of the history, with the objects that follow. */

import type { DiffBuilder } from '../../../lib/change/diff-builder.ts';
import { isPlain } from '../../../lib/change/value-parts.ts';
import { allObjects } from '../document/all-objects.ts';
import { settingsOf } from '../document/whole-project.ts';
import { withHover } from '../editor/looks.ts';
import type { ProjectDocument } from '../editor/project-document.ts';
import { categoriesIn, colourMember, type MapCategory } from '../kinds/map-categories.ts';
import { publicMapOf, withPublicMap } from '../kinds/public-map-settings.ts';
import type { Members, Resource } from '../kinds/resource-kinds.ts';

/** How many objects each category has. */
export function categoryCounts({ store }: ProjectDocument): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { category } of allObjects(store)) {
    const name = String(category ?? '');
    if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

const objectsIn = ({ store }: ProjectDocument, category: string): readonly Resource[] =>
  [...allObjects(store)].filter((object) => object['category'] === category);

/** Writes the list of categories. */
function putCategories({ store }: ProjectDocument, edit: DiffBuilder, categories: readonly Members[]): void {
  const settings = settingsOf(store);
  edit.put(store.id, { settings: withPublicMap(settings, { ...publicMapOf(settings), categories }) });
}

/** The categories in the settings. */
const listOf = ({ store }: ProjectDocument): readonly Members[] => categoriesIn(settingsOf(store)).filter(isPlain);

/** A category that only objects name, as the settings will have it. */
const listed = ({ name, color }: MapCategory): Members => ({ name, color });

const isGiven = ([, value]: [string, unknown]): boolean => value !== '' && value !== false && value !== undefined;

/**
 * Changes members of a category. Objects that look like it get its new colour and icon.
 *
 * @param members of the category in the settings; '' and false remove one
 */
export async function changeCategory(document: ProjectDocument, category: MapCategory, members: Members): Promise<void> {
  const edit = document.edits.begin();
  const list = listOf(document);
  const isOf = ({ name }: Members): boolean => name === category.name;
  const all = list.some(isOf) ? list : [...list, listed(category)];
  const changed = all.map((each) =>
    isOf(each) ? Object.fromEntries(Object.entries({ ...each, ...members }).filter(isGiven)) : each,
  );
  putCategories(document, edit, changed);
  for (const object of objectsIn(document, category.name)) {
    const colour = colourMember(object);
    const follows: Members = {
      ...(typeof members['color'] === 'string' && object[colour] === category.color ? { [colour]: members['color'] } : {}),
      ...(typeof members['icon'] === 'string' && (object['icon'] ?? '') === category.icon ? { icon: members['icon'] } : {}),
    };
    edit.put(object.id, withHover(object, follows));
  }
  await document.edits.run(edit);
}

/** Puts the categories in an order. @param names of all of them */
export async function orderCategories(document: ProjectDocument, names: readonly string[]): Promise<void> {
  const stored = new Map(listOf(document).map((each) => [each['name'], each]));
  const known = new Map(document.looks.categories.value.map((category) => [category.name, category]));
  const list = names.map((name) => stored.get(name) ?? listed(known.get(name) as MapCategory));
  const edit = document.edits.begin();
  putCategories(document, edit, list);
  await document.edits.run(edit);
}

/** Gives all objects of a category another one, and removes it. Without another one, they have none. */
export async function mergeCategory(document: ProjectDocument, name: string, into: string): Promise<void> {
  const edit = document.edits.begin();
  const others = listOf(document).filter((each) => each['name'] !== name);
  putCategories(document, edit, others);
  for (const object of objectsIn(document, name)) edit.put(object.id, document.looks.withCategory(object, into));
  await document.edits.run(edit);
}
