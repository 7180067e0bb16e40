/**
 * Finds dangling references: references to something that does not exist in their project. A search runs on request and covers the whole
 * project as it is at one moment, in three walks:
 *
 *     1  over members that may refer   collect the identifiers that they refer to
 *     2  over possible targets         remove the identifiers that exist
 *     3  over members that may refer   report references to the identifiers that are left
 *
 * An address of a file in a text is a reference, too; its identifier is the slug.
 *
 * Memory grows with the number of distinct identifiers referred to, not with the size of the project. Each walk yields regularly, and members
 * are decoded as for any reader.
 */
import { shownName } from '../../../lib/field-error.ts';
import { idLength } from '../../../lib/text/ids.ts';
import { sliceElements } from '../../../model/bodies/check-body.ts';
import { everyReferenceIn, fileTextLength } from '../../../model/references/every-reference.ts';
import { slugOfPath } from '../../../model/references/file-references.ts';
import type { Naming } from '../../../model/references/references.ts';
import type { CollectionName, Resource } from '../../../model/resource.ts';
import { collectionNames, projects, resourceOf } from '../../../model/resources.ts';
import type { Value } from '../../../model/value.ts';
import { findProjectWithFiles, type Versioned } from '../../../store/find.ts';
import { flat } from '../../../store/indexes/id-index.ts';
import { type View, viewProject } from '../../../store/list/views.ts';
import type { State } from '../../../store/state.ts';

/** Where a reference may be: in a member of a collection, or in the project's own members. */
export type Holding = CollectionName | 'projects';

export const holdingResource = (name: Holding): Resource => (name === 'projects' ? projects : resourceOf[name]);

/** The collection that a walk is in. */
interface Walked {
  readonly name: Holding;
  /** The artboard of `objects`, '' for all others. */
  readonly parentId: string;
  /** Its pointer in the project's document. */
  readonly pointer: string;
}

/** A dangling reference. */
export interface Dangling {
  /** Its JSON pointer in the project's document (RFC 6901). */
  readonly pointer: string;
  /** The collection of the member that has the reference; `projects` for the project itself. */
  readonly collection: Holding;
  /** The artboard of an object, '' for all others. */
  readonly parentId: string;
  readonly id: string;
  /** The target that it names. A text longer than any identifier is truncated. */
  readonly naming: Naming;
}

/** Makes a {@link Dangling} that keeps no other memory alive: neither the text of a whole leaf nor an overlong text in place of an identifier. */
export function danglingAt(walked: Walked, index: number, { id }: Value, naming: Naming): Dangling {
  const { name, parentId, pointer } = walked;
  return {
    pointer: `${name === 'projects' ? '' : `${pointer}/${index}`}${naming.pointer}`,
    collection: name,
    parentId: flat(parentId),
    id: flat(id),
    naming: { ...naming, id: flat(shownName(naming.id)) },
  };
}

/**
 * Finds up to `limit` dangling references of a project as it is at one moment: a query for `Reader.search`.
 *
 * @param publicUrl of the server: addresses of files may begin with it
 */
export function* findDangling(
  state: State,
  accountId: string,
  projectId: string,
  limit: number,
  publicUrl?: string,
): Generator<void, Versioned<readonly Dangling[]>> {
  const { value: project, version } = findProjectWithFiles(state, accountId, projectId);
  if (project === undefined) return { value: undefined, version };
  const files = project.collection('files', '')?.capture() ?? [];
  return { value: yield* danglingIn(viewProject(project, undefined), limit, files, publicUrl), version };
}

/** Finds up to `limit` dangling references of a project, in the order of its document. @param files of the project */
export function* danglingIn(
  project: View,
  limit: number,
  files: Iterable<{ readonly value: Value }> = [],
  publicUrl?: string,
): Generator<void, readonly Dangling[]> {
  const missing = new MissingTargets();
  const anything = () => true;
  yield* walkReferences(project, referringTo(anything), (value, _, { name }) => {
    for (const naming of everyReferenceIn(holdingResource(name), value, publicUrl)) missing.add(naming);
    return true;
  });
  const hasMissing = (name: CollectionName) => missing.anyIn(name);
  yield* walkReferences(project, new Set(collectionNames.filter(hasMissing)), (value, _, { name }) => {
    missing.remove(name as CollectionName, value.id);
    return true;
  });
  if (hasMissing('files')) for (const slug of slugsOf(files)) yield missing.remove('files', slug);
  const found: Dangling[] = [];
  yield* walkReferences(project, referringTo(hasMissing), (value, index, walked) => {
    for (const naming of everyReferenceIn(holdingResource(walked.name), value, publicUrl)) {
      if (missing.has(naming) && found.length < limit) found.push(danglingAt(walked, index, value, naming));
    }
    return found.length < limit;
  });
  return found;
}

/** The slugs in the addresses of files. */
export function* slugsOf(files: Iterable<{ readonly value: Value }>): Generator<string, void> {
  for (const { value } of files) yield slugOfPath(value['url'] as string);
}

/** What may refer to a member of a targeted collection. */
export function referringTo(targeted: (name: CollectionName) => boolean): ReadonlySet<Holding> {
  const refers = (name: Holding) => {
    const { references, fileMembers } = holdingResource(name);
    return references.some(({ collection }) => targeted(collection)) || (fileMembers.length > 0 && targeted('files'));
  };
  return new Set((['projects', ...collectionNames] as const).filter(refers));
}

/** Called with each member and its index in its collection; `false` ends the walk. */
type Visit = (value: Value, index: number, walked: Walked) => boolean;

/** Characters of texts that take as long to search as a member, also in the first search of a process, before the code is optimised. */
export const textPerMember = 8;

/** Visits the members of some collections of a project, and the project itself, in the order of its document. Yields regularly. */
export function* walkReferences(project: View, names: ReadonlySet<Holding>, visit: Visit): Generator<void> {
  if (names.has('projects') && !visit(project.value, 0, { name: 'projects', parentId: '', pointer: '' })) return;
  yield* walkHeld(project, '', '', names, visit, { work: 0 });
}

/** @returns whether to continue */
function* walkHeld(
  { resource, held }: View,
  pointer: string,
  parentId: string,
  names: ReadonlySet<Holding>,
  visit: Visit,
  progress: { work: number },
): Generator<void, boolean> {
  for (const { name, resource: element } of resource.collections) {
    const inner = element.collections.some((below) => names.has(below.name));
    if (!names.has(name) && !inner) continue;
    const walked: Walked = { name, parentId, pointer: `${pointer}/${name}` };
    let index = 0;
    for (const member of held.get(name) ?? []) {
      if (names.has(name) && !visit(member.value, index, walked)) return false;
      if (inner) {
        const at = `${walked.pointer}/${index}`;
        if (!(yield* walkHeld(member, at, member.value.id, names, visit, progress))) return false;
      }
      index++;
      progress.work += 1 + fileTextLength(element, member.value) / textPerMember;
      if (progress.work < sliceElements) continue;
      progress.work = 0;
      yield;
    }
  }
  return true;
}

/** Adds an identifier without keeping the text that it is a slice of. */
export function note(ids: Set<string>, id: string): void {
  if (!ids.has(id)) ids.add(flat(id));
}

/** Whether the text of a reference cannot be an identifier. An address of a file always has a slug. */
export const isInvalid = ({ collection, id }: Pick<Naming, 'collection' | 'id'>): boolean =>
  collection !== 'files' && id.length !== idLength;

/** Identifiers that members refer to, by collection, minus those that exist. */
class MissingTargets {
  readonly #ids = new Map<CollectionName, Set<string>>();
  /** Collections that members refer to with a text that cannot be an identifier. */
  readonly #withInvalid = new Set<CollectionName>();

  add({ collection, id }: Naming): void {
    if (isInvalid({ collection, id })) {
      this.#withInvalid.add(collection);
      return;
    }
    let ids = this.#ids.get(collection);
    if (ids === undefined) {
      ids = new Set();
      this.#ids.set(collection, ids);
    }
    note(ids, id);
  }

  /** Removes an identifier: it exists. */
  remove(collection: CollectionName, id: string): void {
    this.#ids.get(collection)?.delete(id);
  }

  has({ collection, id }: Naming): boolean {
    return isInvalid({ collection, id }) || this.#ids.get(collection)?.has(id) === true;
  }

  /** Whether identifiers of that collection are left. */
  anyIn(collection: CollectionName): boolean {
    return this.#withInvalid.has(collection) || (this.#ids.get(collection)?.size ?? 0) > 0;
  }
}
