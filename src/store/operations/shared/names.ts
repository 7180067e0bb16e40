/** Words for accounts, projects and members, for people who read what a record changed. */
import { plural } from '../../../lib/text/plural.ts';
import type { CollectionPath } from '../../../model/collection-path.ts';
import { resourceOf } from '../../../model/resources.ts';
import type { Value } from '../../../model/value.ts';
import type { Collection } from '../../collection.ts';
import type { StoredProject } from '../../stored-project.ts';

/** Number of members whose names are shown. */
const namesMax = 3;
/** Characters of a name that are shown. */
const nameMax = 60;

export const projectWords = (id: string, project: StoredProject | undefined): string =>
  `project ${project === undefined ? id : quoted(nameOf(project.value))}`;

/** The old and the new name. */
export function renamed(before: Value, after: Value): string {
  const [old, now] = [quoted(nameOf(before)), quoted(nameOf(after))];
  return old === now ? old : `${old}, now ${now}`;
}

/** @param names quoted */
export function membersWords(path: CollectionPath, names: readonly string[]): string {
  const noun = nounOf(path);
  const shown = names.slice(0, namesMax).join(', ');
  return names.length === 1
    ? `${noun} ${shown}`
    : `${plural(names.length, noun)} (${shown}${names.length > namesMax ? ' ...' : ''})`;
}

/** The project, or the artboard in it. */
export function holderOf({ projectId, parentId }: CollectionPath, project: StoredProject | undefined): string {
  const own = projectWords(projectId, project);
  if (parentId === '') return own;
  const artboard = project?.collection('artboards', '')?.get(parentId)?.value;
  return `artboard ${artboard === undefined ? parentId : quoted(nameOf(artboard))} of ${own}`;
}

export const nounOf = ({ collection }: CollectionPath): string => resourceOf[collection].noun;

/** The name of a member, or its identifier if it has none. */
export function nameOf(value: Value): string {
  const name = value['title'] || value['name'];
  return typeof name === 'string' && name !== '' ? name : value.id;
}

/** Replaces control characters, which could move the cursor of a terminal. */
export function quoted(name: string): string {
  const text = name.replaceAll(/\p{C}/gu, '\ufffd');
  return `"${text.length > nameMax ? `${text.slice(0, nameMax)}…` : text}"`;
}

/** The quoted name of a member, or its identifier if it is not there. */
export function memberWords(collection: Collection | undefined, id: string): string {
  const value = collection?.get(id)?.value;
  return quoted(value === undefined ? id : nameOf(value));
}
