/**
 * Strict writes (`?strict=true`): a write is refused if it would create a dangling reference. The decision depends only on the project and the
 * changes, and is made under the project's lock:
 *
 * | the reference dangles after the write, and                     | the write |
 * | -------------------------------------------------------------- | --------- |
 * | its member is new, or its value differs from the one before    | fails     |
 * | its value is the same, and this write deletes its target       | fails     |
 * | its value is the same, and it dangled before                   | passes    |
 *
 * In a list of references each value counts separately, regardless of its position before.
 * Only references that the write sets are looked up. The project is searched only if the write deletes a possible target. Addresses of files in
 * texts are references; in HTML each file counts separately, as in a list.
 */
import { fieldErrorsMax } from '../../../lib/field-error.ts';
import { idLength } from '../../../lib/text/ids.ts';
import { sliceElements } from '../../../model/bodies/check-body.ts';
import type { CollectionPath } from '../../../model/collection-path.ts';
import { everyNamedIn, everyReferenceIn, fileTextLength } from '../../../model/references/every-reference.ts';
import { slugOfPath } from '../../../model/references/file-references.ts';
import { type Naming, referencesIn } from '../../../model/references/references.ts';
import type { CollectionName } from '../../../model/resource.ts';
import type { Value } from '../../../model/value.ts';
import type { Collection } from '../../../store/collection.ts';
import { viewProject } from '../../../store/list/views.ts';
import type { Change } from '../../../store/operations/operations.ts';
import type { StoredProject } from '../../../store/stored-project.ts';
import { ChangedMembers, type PutPath } from './changed-members.ts';
import {
  type Dangling,
  danglingAt,
  holdingResource,
  isInvalid,
  note,
  referringTo,
  slugsOf,
  textPerMember,
  walkReferences,
} from './dangling-references.ts';

/** A reference that a write would leave dangling. */
export interface NewlyDangling extends Dangling {
  /** The collection from which the write deletes the target; `undefined` if the write sets the reference. */
  readonly deletedFrom: CollectionPath | undefined;
  /** Identifier of the deleted target; '' if the write sets the reference. */
  readonly deletedId: string;
}

/** A member that a write deletes, and the deletion that removes it: its own, or that of its artboard. */
interface Gone {
  readonly collection: CollectionName;
  readonly deletedFrom: CollectionPath;
  readonly deletedId: string;
}

/**
 * Finds the references that dangle because of the changes, up to {@link fieldErrorsMax}: those that the changes set, then those whose target they
 * delete, in the order of the project's document.
 *
 * @param project as it is now; `undefined` when the changes create it
 * @param publicUrl of the server: addresses of files may begin with it
 */
export function* newlyDangling(
  project: StoredProject | undefined,
  changes: readonly Change[],
  publicUrl?: string,
): Generator<void, readonly NewlyDangling[]> {
  const changed = new ChangedMembers(changes);
  const left = yield* setToNothing(project, changed, publicUrl);
  if (project !== undefined && changed.deleted.size > 0 && left.length < fieldErrorsMax) {
    yield* addOrphaned(project, changed, left, publicUrl);
  }
  return left.slice(0, fieldErrorsMax);
}

/** References that are new or changed and dangle after the changes. */
function* setToNothing(
  project: StoredProject | undefined,
  changed: ChangedMembers,
  publicUrl: string | undefined,
): Generator<void, NewlyDangling[]> {
  const set: NewlyDangling[] = [];
  const sought = new Map<CollectionName, Set<string>>();
  const progress = new Progress();
  let never = 0;
  for (const { path, value, from } of changed.put.values()) {
    const { collection, parentId } = path;
    const resource = holdingResource(collection);
    let before: ((naming: Naming) => boolean) | undefined;
    for (const naming of everyReferenceIn(resource, value, publicUrl)) {
      before ??= everyNamedIn(resource, valueBefore(project, from, value.id), publicUrl);
      if (progress.isDue(1)) yield;
      if (before(naming)) continue;
      // A list may hold a million texts that are not identifiers: only as many are kept as can be reported.
      if (isInvalid(naming) && ++never > fieldErrorsMax) continue;
      // The pointer is empty because the reference is in the request: errors point into the body.
      set.push({ pointer: '', collection, parentId, id: value.id, naming, deletedFrom: undefined, deletedId: '' });
      sought.set(naming.collection, (sought.get(naming.collection) ?? new Set()).add(naming.id));
    }
    if (progress.isDue(1 + fileTextLength(resource, value) / textPerMember)) yield;
  }
  const found = new Map<CollectionName, ReadonlySet<string>>();
  for (const [collection, ids] of sought) {
    const present = collection === 'files' ? filesAfter(project, changed, ids) : presentAfter(project, changed, collection, ids);
    found.set(collection, yield* present);
  }
  return set.filter(({ naming }) => found.get(naming.collection)?.has(naming.id) !== true);
}

const nothing: Value = { id: '' };

function valueBefore(project: StoredProject | undefined, { collection, parentId }: PutPath, id: string): Value {
  if (collection === 'projects') return project?.value ?? nothing;
  return project?.collection(collection, parentId)?.get(id)?.value ?? nothing;
}

/** The subset of the slugs that files of the project have after the changes. */
function* filesAfter(
  project: StoredProject | undefined,
  changed: ChangedMembers,
  slugs: ReadonlySet<string>,
): Generator<void, ReadonlySet<string>> {
  const found = new Set<string>();
  const progress = new Progress();
  for (const member of project?.collection('files', '')?.capture() ?? []) {
    if (changed.valueAt({ collection: 'files', parentId: '' }, member.value) === undefined) continue;
    for (const slug of slugsOf([member])) if (slugs.has(slug)) found.add(slug);
    if (found.size === slugs.size) break;
    if (progress.isDue(1)) yield;
  }
  return found;
}

/** Says when work in small parts has to let other requests run. */
class Progress {
  #work = 0;

  isDue(work: number): boolean {
    this.#work += work;
    if (this.#work < sliceElements) return false;
    this.#work = 0;
    return true;
  }
}

/** The subset of the identifiers that members of that collection have after the changes. */
function* presentAfter(
  project: StoredProject | undefined,
  changed: ChangedMembers,
  name: CollectionName,
  ids: ReadonlySet<string>,
): Generator<void, ReadonlySet<string>> {
  const found = new Set<string>();
  for (const id of ids) if (changed.puts(name, id)) found.add(id);
  for (const { name: present, parentId, collection } of project?.collections() ?? []) {
    if (present !== name) continue;
    for (const id of yield* among(collection, ids))
      if (!found.has(id) && changed.valueAt({ collection: name, parentId }, { id }) !== undefined) found.add(id);
  }
  return found;
}

/** The subset of the identifiers that exist in a collection. Looks up each identifier or visits each member, whichever are fewer. */
function* among(collection: Collection, ids: ReadonlySet<string>): Generator<void, string[]> {
  const found: string[] = [];
  if (ids.size > collection.size) {
    for (const { members } of collection.leaves) {
      for (const { value } of members) if (ids.has(value.id)) found.push(value.id);
      yield;
    }
    return found;
  }
  let looked = 0;
  for (const id of ids) {
    if (collection.get(id) !== undefined) found.push(id);
    if (++looked % sliceElements === 0) yield;
  }
  // There may be many small collections.
  yield;
  return found;
}

/** Adds references that the changes do not set and whose target they delete. */
function* addOrphaned(
  project: StoredProject,
  changed: ChangedMembers,
  left: NewlyDangling[],
  publicUrl: string | undefined,
): Generator<void> {
  const gone = yield* goneWith(project, changed);
  const kinds = new Set<CollectionName>(Array.from(gone.values(), ({ collection }) => collection));
  const referring = referringTo((name) => kinds.has(name));
  if (referring.size === 0) return;
  yield* walkReferences(viewProject(project, undefined), referring, (value, index, walked) => {
    const now = changed.valueAt({ collection: walked.name, parentId: walked.parentId }, value);
    // The referring member is deleted as well, itself or with its artboard.
    if (now === undefined) return true;
    const resource = holdingResource(walked.name);
    const before = now === value ? undefined : everyNamedIn(resource, value, publicUrl);
    for (const naming of everyReferenceIn(resource, now, publicUrl)) {
      const target = gone.get(naming.id);
      // A reference that the changes set is in the list already.
      if (target?.collection !== naming.collection || before?.(naming) === false) continue;
      if (left.length >= fieldErrorsMax) break;
      const { deletedFrom, deletedId } = target;
      left.push({ ...danglingAt(walked, index, value, naming), deletedFrom, deletedId });
    }
    return left.length < fieldErrorsMax;
  });
}

/**
 * Everything that the changes delete, by the text that a reference has: the members they name, the objects on deleted artboards that references
 * name, and the slugs of files.
 */
function* goneWith(project: StoredProject, changed: ChangedMembers): Generator<void, ReadonlyMap<string, Gone>> {
  const gone = new Map<string, Gone>();
  const artboards: Collection[] = [];
  let artboardsFrom: CollectionPath | undefined;
  for (const { path, id } of changed.deleted.values()) {
    const target: Gone = { collection: path.collection, deletedFrom: path, deletedId: id };
    // The batch may create it again.
    if (!changed.puts(path.collection, id)) gone.set(id, target);
    if (path.collection === 'files') {
      const url = project.collection('files', '')?.get(id)?.value['url'];
      if (typeof url === 'string') gone.set(slugOfPath(url), target);
    }
    if (path.collection !== 'artboards') continue;
    const held = project.collection('objects', id);
    if (held !== undefined) artboards.push(held);
    artboardsFrom = path;
  }
  if (artboardsFrom === undefined || artboards.length === 0) return gone;
  const referred = yield* objectsReferredTo(project);
  for (const objects of artboards) {
    for (const id of yield* among(objects, referred))
      if (!changed.puts('objects', id)) gone.set(id, { collection: 'objects', deletedFrom: artboardsFrom, deletedId: id });
  }
  return gone;
}

function* objectsReferredTo(project: StoredProject): Generator<void, ReadonlySet<string>> {
  const ids = new Set<string>();
  const referring = referringTo((name) => name === 'objects');
  yield* walkReferences(viewProject(project, undefined), referring, (value, _, { name }) => {
    for (const { collection, id } of referencesIn(holdingResource(name), value)) {
      if (collection === 'objects' && id.length === idLength) note(ids, id);
    }
    return true;
  });
  return ids;
}
