/**
 * Decides the changes that bring a project back to the state of a version: one record. Identifiers, and the addresses of files, are those of
 * the version; the account and the time of creation stay.
 */
import { sameJson } from '../../lib/change/same-json.ts';
import type { CollectionName } from '../../model/resource.ts';
import { resourceOf } from '../../model/resources.ts';
import type { Value } from '../../model/value.ts';
import type { Change } from '../../store/operations/operations.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { ReplacedMembers } from '../write/change-builder.ts';
import type { VersionContent } from './version-content.ts';
import { collectionsOf, memberValueOf, projectValueOf } from './version-values.ts';

/** The members that a collection is to have, in this order. */
interface Wanted {
  readonly values: readonly Value[];
  readonly replaced: ReplacedMembers;
}

/** @param project as it is now */
export function* changesTo(content: VersionContent, project: StoredProject): Generator<void, Change[]> {
  const { accountId, id: projectId } = project;
  const changes: Change[] = [];
  const value = projectValueOf(content, project);
  if (!sameJson(project.value, value)) changes.push({ op: 'put-project', accountId, value, created: false });
  const wanted: Wanted[] = [];
  const want = (collection: CollectionName, parentId: string, values: readonly Value[]): void => {
    const path = { accountId, projectId, collection, parentId };
    const ids = new Set(values.map(({ id }) => id));
    const replaced = new ReplacedMembers(path, project.collection(collection, parentId), ids, changes);
    // All deletions come first: an object may have moved from one artboard to another, and who follows the changes by identifier keeps it.
    replaced.deleteOthers();
    wanted.push({ values, replaced });
  };
  for (const { collection, parentId, bodies } of collectionsOf(content)) {
    const values: Value[] = [];
    for (const body of bodies) {
      values.push(memberValueOf(resourceOf[collection], body));
      yield;
    }
    want(collection, parentId, values);
  }
  want('files', '', content.files);
  for (const { values, replaced } of wanted) {
    replaced.begin();
    for (const each of values) {
      replaced.put(each);
      yield;
    }
    replaced.end();
  }
  return changes;
}
