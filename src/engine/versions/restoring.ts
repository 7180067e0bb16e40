/**
 * Decides the changes that bring a project back to the state of a version: one record. Identifiers, and the addresses of files, are those of
 * the version; the account and the time of creation stay. This alone may use an identifier again.
 */
import type { CollectionPath } from '../../model/collection-path.ts';
import { type CollectionName, sameValue } from '../../model/resource.ts';
import { projects, resourceOf } from '../../model/resources.ts';
import type { Value } from '../../model/value.ts';
import type { Change } from '../../store/operations/operations.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import type { VersionContent } from './version-content.ts';
import { collectionsOf, memberValueOf, projectValueOf } from './version-values.ts';

/** @param project as it is now */
export function* changesTo(content: VersionContent, project: StoredProject): Generator<void, Change[]> {
  const { accountId, id: projectId } = project;
  const changes: Change[] = [];
  const value = projectValueOf(content, project);
  if (!sameValue(projects, project.value, value)) changes.push({ op: 'put-project', accountId, value, created: false });
  const at = (collection: CollectionName, parentId: string): CollectionPath => ({ accountId, projectId, collection, parentId });
  for (const { collection, parentId, bodies } of collectionsOf(content)) {
    const values: Value[] = [];
    for (const body of bodies) {
      values.push(memberValueOf(resourceOf[collection], body));
      yield;
    }
    yield* replace(project, at(collection, parentId), values, changes);
  }
  yield* replace(project, at('files', ''), content.files, changes);
  return changes;
}

/** Replaces a collection: deletions first, then changed and new members, then the order if it differs. */
function* replace(project: StoredProject, path: CollectionPath, values: readonly Value[], changes: Change[]): Generator<void> {
  const collection = project.collection(path.collection, path.parentId);
  const before = collection === undefined ? [] : Array.from(collection.capture(), ({ value }) => value.id);
  const wanted = new Set(values.map(({ id }) => id));
  const deleted = before.filter((id) => !wanted.has(id));
  if (deleted.length > 0) changes.push({ op: 'delete', path, ids: deleted });
  const [updated, added]: [Value[], Value[]] = [[], []];
  for (const value of values) {
    const present = collection?.get(value.id)?.value;
    if (present === undefined) added.push(value);
    else if (!sameValue(resourceOf[path.collection], present, value)) updated.push(value);
    yield;
  }
  if (updated.length > 0) changes.push({ op: 'put', path, values: updated, created: false });
  if (added.length > 0) changes.push({ op: 'put', path, values: added, created: true });
  const natural = [...before.filter((id) => wanted.has(id)), ...added.map(({ id }) => id)];
  if (values.some(({ id }, i) => id !== natural[i])) changes.push({ op: 'order', path, ids: values.map(({ id }) => id) });
}
