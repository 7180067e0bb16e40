/**
 * Applies a record to the state. Live writes, the replay at startup and snapshots all use this code, so memory, log and snapshots cannot
 * disagree about the effect of a change. A record with too many members for one turn is applied to a separate state, in slices; the
 * result is then attached.
 */
import type { Account, Change, CollectionPath } from '../model/change.ts';
import { isBesideDocument } from '../model/resources.ts';
import type { Value } from '../model/value.ts';
import { type AccountState, accountAt, type State } from './state.ts';
import { StoredProject } from './stored-project.ts';
import { publishedWith } from './stored-publication.ts';
import { countCollection, countHead, countProject, countPublication } from './usage.ts';

/** @param lsn the record's LSN: the new version of everything that it changes */
export function applyRecord(state: State, lsn: number, changes: Iterable<Change>): void {
  for (const change of changes) applyChange(state, lsn, change);
  state.lsn = lsn;
}

/**
 * Attaches a new project to the state: the same result as applying its record, in one turn with little work per member.
 *
 * @param project the result of applying the record to a separate state
 * @param rest the other changes of the record
 */
export function attachProject(
  state: State,
  lsn: number,
  project: StoredProject,
  newestId: string,
  rest: readonly Change[],
): void {
  const account = accountOf(state, project.accountId);
  project.setVersion(lsn);
  account.projects.set(project.id, project);
  account.projectsVersion = lsn;
  account.version = lsn;
  countProject(account.usage, project, 1);
  state.files?.addProject(project, lsn);
  noteId(state, newestId);
  for (const change of rest) applyChange(state, lsn, change);
  state.lsn = lsn;
}

function applyChange(state: State, lsn: number, change: Change): void {
  switch (change.op) {
    case 'put-account':
      putAccount(state, lsn, change.account);
      return;
    case 'put-key':
      state.keys.set(change.key.id, change.key);
      state.keysVersion = lsn;
      return;
    case 'delete-key':
      state.keys.delete(change.keyId);
      state.keysVersion = lsn;
      return;
    case 'delete-account':
      deleteAccount(state, change.accountId, lsn);
      return;
    case 'put-response':
      accountOf(state, change.accountId).storedResponses.put(change.response, lsn);
      return;
    case 'start-run':
      state.runs.start(lsn, change.id);
      return;
    case 'put-project':
      noteId(state, change.value.id);
      putProject(state, change.accountId, change.value, lsn);
      return;
    case 'delete-project': {
      const account = accountOf(state, change.accountId);
      // A snapshot run reads a project on access: one that is only deleted need not be read.
      if (account.usage !== undefined) countProject(account.usage, account.projects.get(change.projectId), -1);
      forgetPublication(state, account, account.published.get(change.projectId), lsn);
      if (state.files !== undefined) {
        const project = account.projects.get(change.projectId);
        if (project !== undefined) state.files.removeProject(project, lsn);
      }
      account.projects.delete(change.projectId);
      account.projectsVersion = lsn;
      account.version = lsn;
      return;
    }
    case 'put-publication':
      putPublication(state, change, lsn);
      return;
    case 'delete-publication': {
      const project = publicProject(state, change, lsn);
      const account = accountOf(state, change.accountId);
      countPublication(account.usage, project.publication, -1);
      state.files?.replacePublication(project.publication, undefined, lsn);
      forgetPublication(state, account, project, lsn);
      project.publication = undefined;
      return;
    }
    case 'put': {
      const project = touch(state, change.path, lsn);
      const collection = project.ensureCollection(change.path.collection, change.path.parentId);
      const { usage } = accountOf(state, change.path.accountId);
      countCollection(usage, collection, -1);
      for (const value of change.values) {
        noteId(state, value.id);
        if (isBesideDocument(change.path.collection)) state.files?.replace(project, collection.get(value.id)?.value, value, lsn);
        collection.put(value, lsn);
      }
      countCollection(usage, collection, 1);
      return;
    }
    case 'delete':
      deleteMembers(state, touch(state, change.path, lsn), change, lsn);
      return;
    case 'order': {
      const { accountId, collection, parentId } = change.path;
      const ordered = touch(state, change.path, lsn).ensureCollection(collection, parentId);
      const { usage } = accountOf(state, accountId);
      countCollection(usage, ordered, -1);
      ordered.reorder(change.ids, lsn);
      countCollection(usage, ordered, 1);
    }
  }
}

function putAccount(state: State, lsn: number, account: Account): void {
  const present = state.accounts.get(account.id);
  noteId(state, account.id);
  if (present === undefined) {
    state.accounts.set(account.id, accountAt(account, lsn));
    return;
  }
  state.accounts.rename(present, account.name);
  // Its usage is counted again when a limit next needs it.
  Object.assign(present, account, { limits: account.limits, usage: undefined, version: lsn });
}

function deleteAccount(state: State, id: string, lsn: number): void {
  const account = accountOf(state, id);
  for (const project of [...account.published.values()]) forgetPublication(state, account, project, lsn);
  if (state.files !== undefined) for (const [, project] of account.projects) state.files.removeProject(project, lsn);
  state.accounts.delete(account.id);
  for (const key of state.keys.values()) if (key.accountId === id) state.keys.delete(key.id);
  state.keysVersion = lsn;
}

function putProject(state: State, accountId: string, value: Value, lsn: number): void {
  const account = accountOf(state, accountId);
  let project = account.projects.get(value.id);
  if (project === undefined) {
    project = new StoredProject(value.id, account.id, state.leafKind, value);
    project.createdVersion = lsn;
    account.projects.set(value.id, project);
    account.projectsVersion = lsn;
  } else countHead(account.usage, project, -1);
  project.value = value;
  countHead(account.usage, project, 1);
  project.headVersion = lsn;
  project.version = lsn;
  account.version = lsn;
}

function deleteMembers(
  state: State,
  project: StoredProject,
  { path, ids }: Extract<Change, { op: 'delete' }>,
  lsn: number,
): void {
  const { usage } = accountOf(state, path.accountId);
  const members = project.ensureCollection(path.collection, path.parentId);
  countCollection(usage, members, -1);
  for (const id of ids) {
    if (isBesideDocument(path.collection)) state.files?.replace(project, members.get(id)?.value, undefined, lsn);
    members.delete(id, lsn);
    for (const held of members.resource.collections) {
      countCollection(usage, project.collection(held.name, id), -1);
      project.dropCollection(held.name, id);
    }
  }
  countCollection(usage, members, 1);
}

/** Publishing changes no version of the account or of the project: it is not part of them. */
function putPublication(state: State, change: Extract<Change, { op: 'put-publication' }>, lsn: number): void {
  const project = publicProject(state, change, lsn);
  const before = project.publication;
  const after = publishedWith(before, change.head, lsn);
  const account = accountOf(state, change.accountId);
  countPublication(account.usage, before, -1);
  if (before !== undefined && before.slug !== after.slug) forgetPublication(state, account, project, lsn);
  project.publication = after;
  state.files?.replacePublication(before, after, lsn);
  notePublication(state, account, project);
  account.publicationsVersion = lsn;
  countPublication(account.usage, after, 1);
}

/** The project of a change of its publication. */
function publicProject(state: State, change: { readonly accountId: string; readonly projectId: string }, lsn: number) {
  const project = accountOf(state, change.accountId).projects.get(change.projectId);
  if (project === undefined) throw new Error(`record ${lsn} publishes project ${change.projectId}, which does not exist`);
  return project;
}

/** Enters a project that is public into the indexes. */
export function notePublication(state: State, account: AccountState, project: StoredProject): void {
  if (project.publication === undefined) return;
  state.publications.set(project.publication.slug, project);
  account.published.set(project.id, project);
}

function forgetPublication(state: State, account: AccountState, project: StoredProject | undefined, lsn: number): void {
  if (project?.publication === undefined) return;
  state.publications.delete(project.publication.slug);
  state.publicationsVersion = lsn;
  account.published.delete(project.id);
  account.publicationsVersion = lsn;
}

/** The project that a change is in, with its version updated if the change is one of its document. */
function touch(state: State, path: CollectionPath, lsn: number): StoredProject {
  const account = accountOf(state, path.accountId);
  const project = account.projects.get(path.projectId);
  if (project === undefined) throw new Error(`record ${lsn} changes project ${path.projectId}, which does not exist`);
  account.version = lsn;
  if (!isBesideDocument(path.collection)) project.version = lsn;
  if (path.collection === 'objects') project.objectsVersion = lsn;
  return project;
}

function noteId(state: State, id: string): void {
  if (id > state.newestId) state.newestId = id;
}

function accountOf(state: State, id: string): AccountState {
  const account = state.accounts.get(id);
  if (account === undefined) throw new Error(`a record names account ${id}, which does not exist`);
  return account;
}
