/**
 * Decides the changes that bring a project back to the state of a version: one record. Identifiers, and the addresses of files, are those of
 * the version; the account and the time of creation stay. This alone may use an identifier again.
 */
import { sliceElements } from '../../model/bodies/check-body.ts';
import type { Change, CollectionPath } from '../../model/change.ts';
import type { CollectionName, Resource } from '../../model/resource.ts';
import { sameValue } from '../../model/resource.ts';
import { projects, resourceOf } from '../../model/resources.ts';
import type { Body, Value } from '../../model/value.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import type { VersionContent } from './version-content.ts';

/** @param project as it is now */
export function* changesTo({ project: document, files }: VersionContent, project: StoredProject): Generator<void, Change[]> {
  const { accountId, id: projectId } = project;
  const changes: Change[] = [];
  const { user_id, created } = project.value;
  const value = projects.create(projectId, { user_id, created }, document);
  if (!sameValue(projects, project.value, value)) changes.push({ op: 'put-project', accountId, value, created: false });
  const at = (collection: CollectionName, parentId = ''): CollectionPath => ({ accountId, projectId, collection, parentId });
  for (const { name } of projects.collections) {
    const bodies = document[name] as readonly Body[];
    yield* replace(project, at(name), valuesOf(resourceOf[name], bodies), changes);
    if (name !== 'artboards') continue;
    for (const { id, objects } of bodies) {
      const values = valuesOf(resourceOf.objects, objects as readonly Body[]);
      yield* replace(project, at('objects', id as string), values, changes);
    }
  }
  yield* replace(project, at('files'), files, changes);
  return changes;
}

const valuesOf = (resource: Resource, bodies: readonly Body[]): Value[] =>
  bodies.map((body) => resource.create(body['id'] as string, body, body));

/** Replaces a collection: deletions first, then changed and new members, then the order if it differs. */
function* replace(project: StoredProject, path: CollectionPath, values: readonly Value[], changes: Change[]): Generator<void> {
  const collection = project.collection(path.collection, path.parentId);
  const before = collection === undefined ? [] : Array.from(collection.capture(), ({ value }) => value.id);
  const wanted = new Set(values.map(({ id }) => id));
  const deleted = before.filter((id) => !wanted.has(id));
  if (deleted.length > 0) changes.push({ op: 'delete', path, ids: deleted });
  const [updated, added]: [Value[], Value[]] = [[], []];
  let count = 0;
  for (const value of values) {
    const present = collection?.get(value.id)?.value;
    if (present === undefined) added.push(value);
    else if (!sameValue(resourceOf[path.collection], present, value)) updated.push(value);
    if (++count % sliceElements === 0) yield;
  }
  if (updated.length > 0) changes.push({ op: 'put', path, values: updated, created: false });
  if (added.length > 0) changes.push({ op: 'put', path, values: added, created: true });
  const natural = [...before.filter((id) => wanted.has(id)), ...added.map(({ id }) => id)];
  if (values.some(({ id }, i) => id !== natural[i])) changes.push({ op: 'order', path, ids: values.map(({ id }) => id) });
}
