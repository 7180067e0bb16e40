/**
 * What the changes of a record put, delete and move. A batch may delete a member and create another one with its identifier: a member is known by its
 * place, too.
 */
import type { CollectionPath } from '../../../model/collection-path.ts';
import type { CollectionName } from '../../../model/resource.ts';
import type { Value } from '../../../model/value.ts';
import type { Change } from '../../../store/operations/operations.ts';
import type { Holding } from './dangling-references.ts';

/** Where a changed member is. */
export interface PutPath {
  readonly collection: Holding;
  readonly parentId: string;
}

/** A member that changes put. */
interface Put {
  readonly path: PutPath;
  readonly value: Value;
  /** Where it was before the changes, if they moved it. */
  readonly from: PutPath;
}

export class ChangedMembers {
  /** By place. */
  readonly put = new Map<string, Put>();
  /** By place: the collections from which members were deleted. */
  readonly deleted = new Map<string, { readonly path: CollectionPath; readonly id: string }>();
  /** Artboards that were deleted, with all that was on them, also if they were created again. */
  readonly #dropped = new Set<string>();
  /** By the place of a member before the changes: the place it has now. */
  readonly #moved = new Map<string, string>();
  /** By collection; made on first use. */
  #putIds: ReadonlyMap<Holding, ReadonlySet<string>> | undefined;

  constructor(changes: readonly Change[]) {
    for (const change of changes) {
      if (change.op === 'put') for (const value of change.values) this.#put(change.path, value);
      else if (change.op === 'put-project') this.#put({ collection: 'projects', parentId: '' }, change.value);
      else if (change.op === 'delete') for (const id of change.ids) this.#delete(change.path, id);
      else if (change.op === 'move') this.#move({ ...change.path, parentId: change.fromArtboard }, change.path, change.value);
    }
  }

  #put(path: PutPath, value: Value): void {
    const at = placeOf(path, value.id);
    this.put.set(at, { path, value, from: this.put.get(at)?.from ?? path });
  }

  #delete(path: CollectionPath, id: string): void {
    this.put.delete(placeOf(path, id));
    this.deleted.set(placeOf(path, id), { path, id });
    if (path.collection !== 'artboards') return;
    this.#dropped.add(id);
    for (const [at, { path }] of this.put) if (path.collection === 'objects' && path.parentId === id) this.put.delete(at);
  }

  #move(from: PutPath, path: PutPath, value: Value): void {
    const [before, after] = [placeOf(from, value.id), placeOf(path, value.id)];
    const origin = this.put.get(before)?.from ?? from;
    this.put.delete(before);
    this.put.set(after, { path, value, from: origin });
    this.#moved.delete(after);
    this.#moved.set(placeOf(origin, value.id), after);
  }

  /** The value of a member of the project after the changes; `undefined` if it is deleted. */
  valueAt(path: PutPath, value: Value): Value | undefined {
    const at = placeOf(path, value.id);
    const now = this.put.get(this.#moved.get(at) ?? at);
    if (now !== undefined) return now.value;
    const isGone =
      this.deleted.has(at) || this.#moved.has(at) || (path.collection === 'objects' && this.#dropped.has(path.parentId));
    return isGone ? undefined : value;
  }

  /** True if the changes put a member with an identifier into a collection, or one of its kind. */
  puts(collection: CollectionName, id: string): boolean {
    this.#putIds ??= groupedIds(this.put.values());
    return this.#putIds.get(collection)?.has(id) === true;
  }
}

const placeOf = ({ collection, parentId }: PutPath, id: string): string => `${collection}/${parentId}/${id}`;

function groupedIds(puts: Iterable<Put>): ReadonlyMap<Holding, ReadonlySet<string>> {
  const ids = new Map<Holding, Set<string>>();
  for (const { path, value } of puts) ids.set(path.collection, (ids.get(path.collection) ?? new Set()).add(value.id));
  return ids;
}
