/**
 * Applies records to a state with holes. A record holds images of what was, whole, so each can be taken whatever is missing around it;
 * what it presupposes and is not there is made up, under a name that says so, and told.
 */
import type { Change, CollectionPath } from '../model/change.ts';
import { applyRecord } from '../store/apply.ts';
import type { Project } from '../store/project.ts';
import { type AccountState, newAccount, type State } from '../store/state.ts';
import type { Loss } from './losses.ts';
import { keepObjects, unnamedProject } from './stand-ins.ts';

export function applyAnyway(state: State, lsn: number, changes: readonly Change[], losses: Loss[]): void {
  for (const change of changes) {
    // An account that is not there is as good as deleted.
    if (change.op === 'delete-account' && !state.accounts.has(change.accountId)) continue;
    if (isInAccount(change)) prepare(state, lsn, change, losses);
    applyRecord(state, lsn, [change.op === 'order' ? fitting(state, change) : change]);
  }
  for (const change of changes) {
    const project = change.op === 'put' && change.path.collection === 'objects' ? projectIn(state, change.path) : undefined;
    if (project !== undefined) keepObjects(project, lsn);
  }
  state.lsn = lsn;
}

/** A change of what an account holds. */
type InAccount = Exclude<Change, { op: 'put-account' | 'put-key' | 'delete-account' | 'start-run' }>;

function isInAccount(change: Change): change is InAccount {
  const { op } = change;
  return op !== 'put-account' && op !== 'put-key' && op !== 'delete-account' && op !== 'start-run';
}

function prepare(state: State, lsn: number, change: InAccount, losses: Loss[]): void {
  const accountId = 'path' in change ? change.path.accountId : change.accountId;
  const account = state.accounts.get(accountId) ?? lostAccount(state, lsn, accountId, losses);
  if (!('path' in change)) return;
  const { projectId } = change.path;
  if (account.projects.has(projectId)) return;
  const words = `project ${projectId}, of which only what was written from record ${lsn} on is there`;
  losses.push({ kind: 'project', accountId, projectId, words });
  applyRecord(state, lsn, [{ op: 'put-project', accountId, value: unnamedProject(accountId, projectId) }]);
}

function lostAccount(state: State, lsn: number, id: string, losses: Loss[]): AccountState {
  const account = newAccount({ id, name: `lost ${id}`, created: '' }, { version: lsn, projectsVersion: lsn });
  state.accounts.set(id, account);
  losses.push({ kind: 'accounts', ids: [id], words: `the name of account ${id}` });
  return account;
}

/** An order of what is there. One names every member: what it does not name had been deleted, and what is not there stays lost. */
function fitting(state: State, change: Extract<Change, { op: 'order' }>): Change {
  const { path, ids } = change;
  const present = projectIn(state, path)?.ensureCollection(path.collection, path.parentId);
  const named = new Set(ids);
  for (const { value } of [...(present?.capture() ?? [])]) if (!named.has(value.id)) present?.delete(value.id, state.lsn);
  return { ...change, ids: [...named].filter((id) => present?.get(id) !== undefined) };
}

const projectIn = (state: State, { accountId, projectId }: CollectionPath): Project | undefined =>
  state.accounts.get(accountId)?.projects.get(projectId);
