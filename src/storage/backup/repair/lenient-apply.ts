/**
 * Applies records to an incomplete state. A record holds whole values, so it can be applied even if values around it are missing.
 * A missing account or project that a record presupposes is replaced by a placeholder, and the loss is reported.
 */
import { applyRecord } from '../../../store/apply.ts';
import { type Change, operationOf } from '../../../store/operations/operations.ts';
import { projectIn } from '../../../store/operations/shared/changed-parts.ts';
import { type AccountState, accountAt, type State } from '../../../store/state.ts';
import { addMissingArtboards, placeholderProject } from './placeholders.ts';
import type { Loss } from './repair-report.ts';

export function applyLeniently(state: State, lsn: number, changes: readonly Change[], losses: Loss[]): void {
  for (const change of changes) {
    // A missing account counts as deleted.
    if (change.op === 'delete-account' && !state.accounts.has(change.accountId)) continue;
    addPlaceholders(state, lsn, change, losses);
    applyRecord(state, lsn, fitted(state, change));
  }
  for (const change of changes) {
    const isPut = change.op === 'move' || (change.op === 'put' && change.path.collection === 'objects');
    const project = isPut ? projectIn(state, change.path) : undefined;
    if (project !== undefined) addMissingArtboards(project, lsn);
  }
  state.lsn = lsn;
}

function addPlaceholders(state: State, lsn: number, change: Change, losses: Loss[]): void {
  const { needs, placeOf } = operationOf(change);
  const { accountId, projectId } = placeOf(change);
  if (needs === 'nothing' || accountId === undefined) return;
  const account = state.accounts.get(accountId) ?? addPlaceholderAccount(state, lsn, accountId, losses);
  if (needs === 'account' || projectId === undefined || account.projects.has(projectId)) return;
  const words = `project ${projectId}: only changes from record ${lsn} on are left`;
  losses.push({ kind: 'project', accountId, projectId, words });
  applyRecord(state, lsn, [{ op: 'put-project', accountId, value: placeholderProject(accountId, projectId) }]);
}

function addPlaceholderAccount(state: State, lsn: number, id: string, losses: Loss[]): AccountState {
  const account = accountAt({ id, name: `lost ${id}`, created: '' }, lsn);
  state.accounts.set(id, account);
  losses.push({ kind: 'accounts', ids: [id], words: `the name of account ${id}` });
  return account;
}

/** A change without what does not exist any more. */
function fitted(state: State, change: Change): Change[] {
  if (change.op === 'order') return [fitOrder(state, change)];
  if (change.op !== 'place' && change.op !== 'move') return [change];
  const present = projectIn(state, change.path)?.collection(change.path.collection, change.path.parentId);
  const isThere = change.before !== null && present?.get(change.before) !== undefined;
  const fit = isThere ? change : { ...change, before: null };
  return fit.op === 'move' || present?.get(fit.id) !== undefined ? [fit] : [];
}

/** Fits an order to the members that exist. The order names every member: others had been deleted, and missing ones stay lost. */
function fitOrder(state: State, change: Extract<Change, { op: 'order' }>): Change {
  const { path, ids } = change;
  const present = projectIn(state, path)?.ensureCollection(path.collection, path.parentId);
  const named = new Set(ids);
  for (const { value } of [...(present?.capture() ?? [])]) if (!named.has(value.id)) present?.delete(value.id, state.lsn);
  return { ...change, ids: [...named].filter((id) => present?.get(id) !== undefined) };
}
