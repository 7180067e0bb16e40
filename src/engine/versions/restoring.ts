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
  const wanted: Wanted[] = [];
  const want = (path: CollectionPath, values: readonly Value[]): void => {
    const ids = new Set(values.map(({ id }) => id));
    const present = Array.from(project.collection(path.collection, path.parentId)?.capture() ?? [], ({ value }) => value.id);
    const deleted = present.filter((id) => !ids.has(id));
    // All deletions come first: an object may have moved from one artboard to another, and who follows the changes by identifier keeps it.
    if (deleted.length > 0) changes.push({ op: 'delete', path, ids: deleted });
    wanted.push({ path, values, kept: present.filter((id) => ids.has(id)) });
  };
  for (const { collection, parentId, bodies } of collectionsOf(content)) {
    const values: Value[] = [];
    for (const body of bodies) {
      values.push(memberValueOf(resourceOf[collection], body));
      yield;
    }
    want(at(collection, parentId), values);
  }
  want(at('files', ''), content.files);
  for (const each of wanted) yield* put(each, project, changes);
  return changes;
}

/** The members that a collection is to have, in this order. */
interface Wanted {
  readonly path: CollectionPath;
  readonly values: readonly Value[];
  /** Identifiers of those that it has, in their present order. */
  readonly kept: readonly string[];
}

/** Changed and new members, then the order if it differs. */
function* put({ path, values, kept }: Wanted, project: StoredProject, changes: Change[]): Generator<void> {
  const collection = project.collection(path.collection, path.parentId);
  const [updated, added]: [Value[], Value[]] = [[], []];
  for (const value of values) {
    const present = collection?.get(value.id)?.value;
    if (present === undefined) added.push(value);
    else if (!sameValue(resourceOf[path.collection], present, value)) updated.push(value);
    yield;
  }
  if (updated.length > 0) changes.push({ op: 'put', path, values: updated, created: false });
  if (added.length > 0) changes.push({ op: 'put', path, values: added, created: true });
  const natural = [...kept, ...added.map(({ id }) => id)];
  if (values.some(({ id }, i) => id !== natural[i])) changes.push({ op: 'order', path, ids: values.map(({ id }) => id) });
}
