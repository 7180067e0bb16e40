/**
 * Estimates by how much changes let the state grow: the values they put, minus the values they replace and delete.
 */

import type { Change } from '../../model/change.ts';
import { memberBytes, weigh, weighKey } from '../../model/memory-estimate.ts';
import { weighResponse } from '../../model/stored-response.ts';
import type { Value } from '../../model/value.ts';
import type { State } from '../../store/state.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { type Publication, publishedWith, rulesBytes } from '../../store/stored-publication.ts';

/** Memory of a project's collections without their members, in bytes. */
const projectBytes = 1000;

/** Memory of a publication without its rules and files, and of a file that it shows, in bytes. */
const publicationMemory = 2000;
const shownFileMemory = 400;

/** By how many bytes of memory the state would grow; negative if it would shrink. Accounts and keys, which are few, count as 0. */
export function memoryGrowth(state: State, changes: readonly Change[]): number {
  let bytes = 0;
  for (const change of changes) {
    if (change.op === 'put-response') bytes += weighResponse(change.response);
    else if (change.op === 'put-project') {
      const present = state.accounts.get(change.accountId)?.projects.get(change.value.id);
      bytes += weigh(change.value) + (present === undefined ? projectBytes : -weigh(present.value));
    } else if (change.op === 'delete-project' || change.op === 'delete-account') {
      // A record that deletes a project or an account puts nothing, so the exact size is not needed.
      bytes -= projectBytes;
    } else if (change.op === 'put-publication') {
      const before = publicationOf(state, change);
      bytes += weighPublication(publishedWith(before, change.head, 0)) - weighPublication(before);
    } else if (change.op === 'delete-publication') bytes -= weighPublication(publicationOf(state, change));
    else if (change.op === 'put' || change.op === 'delete') {
      const project = state.accounts.get(change.path.accountId)?.projects.get(change.path.projectId);
      bytes += change.op === 'put' ? addedBy(project, change) : -removedBy(project, change);
    }
  }
  return bytes;
}

/** Memory of a publication: the rules, its versions without their maps, and the names of the files that these show. */
function weighPublication(publication: Publication | undefined): number {
  if (publication === undefined) return 0;
  const files = publication.versions.reduce((sum, version) => sum + version.files.length, 0);
  return publicationMemory + rulesBytes(publication) + files * shownFileMemory;
}

function publicationOf(state: State, { accountId, projectId }: { readonly accountId: string; readonly projectId: string }) {
  return state.accounts.get(accountId)?.projects.get(projectId)?.publication;
}

function addedBy(project: StoredProject | undefined, { path, values }: Change & { op: 'put' }): number {
  const collection = project?.collection(path.collection, path.parentId);
  let bytes = 0;
  for (const value of values) {
    const present = collection?.get(value.id);
    bytes += weigh(value) + (present === undefined ? memberBytes : -weigh(present.value));
    if (collection?.isIndexed === true) bytes += weighKey(value) - (present === undefined ? 0 : weighKey(present.value));
  }
  return bytes;
}

/** Bytes of members, and of the members that they hold. */
function removedBy(project: StoredProject | undefined, { path, ids }: Change & { op: 'delete' }): number {
  const collection = project?.collection(path.collection, path.parentId);
  if (project === undefined || collection === undefined) return 0;
  let bytes = 0;
  for (const id of ids) {
    const present = collection.get(id);
    if (present === undefined) continue;
    bytes += weighMember(present.value) + (collection.isIndexed ? weighKey(present.value) : 0);
    for (const { name } of collection.resource.collections) {
      for (const { value } of project.collection(name, id)?.capture() ?? []) bytes += weighMember(value);
    }
  }
  return bytes;
}

const weighMember = (value: Value): number => memberBytes + weigh(value);
