/** The parts of a state that a change is about. */
import type { CollectionPath } from '../../../model/collection-path.ts';
import { isBesideDocument } from '../../../model/resources.ts';
import type { Collection } from '../../collection.ts';
import type { AccountState, State } from '../../state.ts';
import type { StoredProject } from '../../stored-project.ts';
import type { ProjectPlace } from './record-items.ts';

export function accountOf(state: State, id: string): AccountState {
  const account = state.accounts.get(id);
  if (account === undefined) throw new Error(`a record names account ${id}, which does not exist`);
  return account;
}

export const projectIn = (state: State, { accountId, projectId }: ProjectPlace): StoredProject | undefined =>
  state.accounts.get(accountId)?.projects.get(projectId);

export const collectionIn = (state: State, path: CollectionPath): Collection | undefined =>
  projectIn(state, path)?.collection(path.collection, path.parentId);

/** The project that a change is in, with its version updated if the change is one of its document. */
export function touch(state: State, path: CollectionPath, lsn: number): StoredProject {
  const account = accountOf(state, path.accountId);
  const project = account.projects.get(path.projectId);
  if (project === undefined) throw new Error(`record ${lsn} changes project ${path.projectId}, which does not exist`);
  account.version = lsn;
  if (!isBesideDocument(path.collection)) project.version = lsn;
  if (path.collection === 'objects') project.objectsVersion = lsn;
  return project;
}

export function noteId(state: State, id: string): void {
  if (id > state.newestId) state.newestId = id;
}
