/**
 * Estimates by how much changes let the state grow: the values they put, minus the values they replace and delete.
 */

import type { Change } from '../../model/change.ts';
import { memberBytes, weigh, weighKey } from '../../model/memory-estimate.ts';
import { publishedVersionsMax } from '../../model/publication.ts';
import { weighResponse } from '../../model/stored-response.ts';
import type { Value } from '../../model/value.ts';
import type { State } from '../../store/state.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { type Publication, publicationBytes, rulesBytes } from '../../store/stored-publication.ts';

/** Memory of a project's collections without their members, in bytes. */
const projectBytes = 1000;

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
    } else if (change.op === 'put-publication') bytes += publicationGrowth(publicationOf(state, change), change);
    else if (change.op === 'delete-publication') bytes -= publicationBytes(publicationOf(state, change));
    else if (change.op === 'put' || change.op === 'delete') {
      const project = state.accounts.get(change.path.accountId)?.projects.get(change.path.projectId);
      bytes += change.op === 'put' ? addedBy(project, change) : -removedBy(project, change);
    }
  }
  return bytes;
}

/** Bytes by which a publication grows: those of its rules and of a new version, minus those of the oldest one that it replaces. */
export function publicationGrowth(
  before: Publication | undefined,
  { head, content }: Pick<Extract<Change, { op: 'put-publication' }>, 'head' | 'content'>,
): number {
  const grown = rulesBytes(head) + (content?.byteLength ?? 0);
  if (before?.slug !== head.slug) return grown - publicationBytes(before);
  const kept = publishedVersionsMax - (content === undefined ? 0 : 1);
  const dropped = before.versions.slice(0, Math.max(0, before.versions.length - kept));
  return grown - rulesBytes(before) - dropped.reduce((sum, { bytes }) => sum + bytes, 0);
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
