/**
 * Dangling references: members that name what is not, or no longer, in their project. They are looked for when somebody asks, in the
 * whole project as it is at one moment:
 *
 *     1  over what may refer     what is named is noted
 *     2  over what may be named  what is there is struck off
 *     3  over what may refer     what names something that is left is told
 *
 * What is noted takes memory by the number of things that are named, however many there are in the project. Each walk pauses now and then,
 * and members are decoded as for any reader.
 */
import { shownName } from '../../lib/field-error.ts';
import { idLength } from '../../lib/text/ids.ts';
import { sliceElements } from '../../model/check-body.ts';
import { type Naming, referencesIn } from '../../model/references.ts';
import { type ApiVersion, type CollectionName, type Representation, representationOf } from '../../model/resource.ts';
import { collectionNames, resourceOf } from '../../model/resources.ts';
import type { Value } from '../../model/value.ts';
import { findProject, type Versioned } from '../../store/find.ts';
import { flat } from '../../store/id-index.ts';
import { type View, viewProject } from '../../store/list/views.ts';
import type { State } from '../../store/state.ts';

/** A collection of a project, while its members are gone through. */
export interface Walked {
  readonly name: CollectionName;
  /** The artboard of `objects`, '' for all others. */
  readonly parentId: string;
  /** Pointer to it in the document of the project. */
  readonly pointer: string;
}

/** A reference that points at nothing. */
export interface Dangling {
  /** Where it stands in the document of the project (RFC 6901). */
  readonly pointer: string;
  /** What refers: a member of that collection. */
  readonly collection: CollectionName;
  /** The artboard of an object, '' for all others. */
  readonly parentId: string;
  readonly id: string;
  /** What it names; what is longer than any identifier is cut. */
  readonly naming: Naming;
}

/** Keeps nothing but what is told of it: not the text of a whole leaf, or what somebody put where an identifier belongs. */
export function danglingAt(walked: Walked, index: number, { id }: Value, naming: Naming): Dangling {
  const { name, parentId, pointer } = walked;
  return {
    pointer: `${pointer}/${index}${naming.pointer}`,
    collection: name,
    parentId: flat(parentId),
    id: flat(id),
    naming: { ...naming, id: flat(shownName(naming.id)) },
  };
}

/** Up to `limit` dangling references of a project as it is at one moment: a query for `Reader.search`. */
export function* findDangling(
  state: State,
  accountId: string,
  projectId: string,
  limit: number,
  compat: ApiVersion,
): Generator<void, Versioned<readonly Dangling[]>> {
  const { value: project, version } = findProject(state, accountId, projectId);
  return { value: project && (yield* danglingIn(viewProject(project, undefined), limit, compat)), version };
}

/** Up to `limit` dangling references of a project, in the order of its document by one of the originals. */
export function* danglingIn(project: View, limit: number, compat: ApiVersion): Generator<void, readonly Dangling[]> {
  const sought = new Sought();
  const anything = () => true;
  yield* walkReferences(project, referringTo(compat, anything), (value, _, { name }) => {
    for (const naming of referencesIn(representationIn(compat, name), value)) sought.add(naming);
    return true;
  });
  const seeks = (name: CollectionName) => sought.seeks(name);
  yield* walkReferences(project, new Set(collectionNames.filter(seeks)), (value, _, { name }) => {
    sought.strike(name, value.id);
    return true;
  });
  const found: Dangling[] = [];
  yield* walkReferences(project, referringTo(compat, seeks), (value, index, walked) => {
    for (const naming of referencesIn(representationIn(compat, walked.name), value)) {
      if (sought.has(naming) && found.length < limit) found.push(danglingAt(walked, index, value, naming));
    }
    return found.length < limit;
  });
  return found;
}

/** Collections whose members may refer to something in one of those. */
export function referringTo(compat: ApiVersion, targeted: (name: CollectionName) => boolean): ReadonlySet<CollectionName> {
  const refers = (name: CollectionName) =>
    representationIn(compat, name).references.some(({ collection }) => targeted(collection));
  return new Set(collectionNames.filter(refers));
}

/** What the members of a collection are by one of the originals. */
export const representationIn = (compat: ApiVersion, name: CollectionName): Representation =>
  representationOf(resourceOf[name], compat);

/** Told of a member, with its place in its collection; false ends the walk. */
type Visit = (value: Value, index: number, walked: Walked) => boolean;

/** Goes through the wanted collections of a project, in the order of its document, with a pause now and then. */
export function* walkReferences(project: View, wanted: ReadonlySet<CollectionName>, visit: Visit): Generator<void> {
  yield* walkHeld(project, '', '', wanted, visit, { members: 0 });
}

/** @returns whether to go on */
function* walkHeld(
  { resource, held }: View,
  pointer: string,
  parentId: string,
  wanted: ReadonlySet<CollectionName>,
  visit: Visit,
  progress: { members: number },
): Generator<void, boolean> {
  for (const { name, resource: element } of resource.collections) {
    const inner = element.collections.some((below) => wanted.has(below.name));
    if (!wanted.has(name) && !inner) continue;
    const walked: Walked = { name, parentId, pointer: `${pointer}/${name}` };
    let index = 0;
    for (const member of held.get(name) ?? []) {
      if (wanted.has(name) && !visit(member.value, index, walked)) return false;
      if (inner) {
        const at = `${walked.pointer}/${index}`;
        if (!(yield* walkHeld(member, at, member.value.id, wanted, visit, progress))) return false;
      }
      index++;
      if (++progress.members % sliceElements === 0) yield;
    }
  }
  return true;
}

/** Adds an identifier without the text that it is a part of. */
export function note(ids: Set<string>, id: string): void {
  if (!ids.has(id)) ids.add(flat(id));
}

/** Identifiers that are looked for, each in a collection. */
class Sought {
  readonly #ids = new Map<CollectionName, Set<string>>();
  /** Collections in which something is sought that can be no identifier. */
  readonly #never = new Set<CollectionName>();

  add({ collection, id }: Naming): void {
    if (id.length !== idLength) {
      this.#never.add(collection);
      return;
    }
    let ids = this.#ids.get(collection);
    if (ids === undefined) {
      ids = new Set();
      this.#ids.set(collection, ids);
    }
    note(ids, id);
  }

  /** It is there. */
  strike(collection: CollectionName, id: string): void {
    this.#ids.get(collection)?.delete(id);
  }

  has({ collection, id }: Naming): boolean {
    return id.length !== idLength || this.#ids.get(collection)?.has(id) === true;
  }

  /** Whether anything is sought there. */
  seeks(collection: CollectionName): boolean {
    return this.#never.has(collection) || (this.#ids.get(collection)?.size ?? 0) > 0;
  }
}
