/**
 * Quotas: how many projects, members, bytes and versions an account may hold. A change that would exceed a quota fails, in the turn in which it is
 * committed. A change that does not grow passes, even if the account is over its quota because the limit was lowered.
 */
import { type Quota, QuotaError } from '../../lib/errors.ts';
import type { AccountLimits, Limit, Quotas } from '../../model/account-limits.ts';
import { type Change, operationOf } from '../../store/operations/operations.ts';
import { QuotaGrowth } from '../../store/operations/shared/quota-growth.ts';
import type { AccountState, State } from '../../store/state.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { bytesIn, countIn, projectBytes, type Usage } from '../../store/usage.ts';

/** The limits of an account; infinite for no limit. */
export type Bounds = Quotas<number>;

const none = Number.POSITIVE_INFINITY;
export const unbounded: Bounds = { projects: none, members: none, bytes: none, versions: none };

/** Projects whose bytes are counted per slice. */
const sliceProjects = 16;

/** Throws {@link QuotaError} if the changes would exceed a quota of their account. */
export function refuseBeyondQuota(state: State, changes: readonly Change[], defaults: Bounds): void {
  const account = accountChanged(state, changes);
  if (account === undefined) return;
  const bounds = boundsOf(account.limits, defaults);
  const isFree = bounds.projects === none && bounds.members === none && bounds.bytes === none;
  if (isFree && (bounds.versions === none || !changes.some(isOfVersions))) return;
  refuseGrowth(account, quotaGrowth(account, changes, state.lsn + 1, bounds), bounds);
}

/** As {@link refuseBeyondQuota}, for a detached project, whose collections know their sizes. */
export function refuseProject(account: AccountState, project: StoredProject, defaults: Bounds): void {
  const bounds = boundsOf(account.limits, defaults);
  const bytes = bounds.bytes === none ? 0 : projectBytes(project);
  refuseGrowth(account, { projects: 1, members: countIn([project]).members, bytes, versions: 0 }, bounds);
}

const isOfVersions = (change: Change): boolean => 'path' in change && change.path.collection === 'versions';

/** Throws {@link QuotaError} if the account may have no other version: before one is made. */
export function refuseVersion(account: AccountState, defaults: Bounds): void {
  refuseGrowth(account, { projects: 0, members: 0, bytes: 0, versions: 1 }, boundsOf(account.limits, defaults));
}

function refuseGrowth(account: AccountState, growth: Quotas<number>, bounds: Bounds): void {
  const refuse = (quota: Quota, used: () => number): void => {
    if (growth[quota] <= 0 || bounds[quota] === none) return;
    if (used() + growth[quota] > bounds[quota]) throw new QuotaError(quota, bounds[quota], used(), growth[quota]);
  };
  refuse('projects', () => account.projects.size);
  refuse('members', () => usageOf(account, false).members);
  refuse('bytes', () => usageOf(account, true).bytes as number);
  refuse('versions', () => usageOf(account, false).versions);
}

/** The limits of an account, given the server's defaults. */
export function boundsOf(limits: AccountLimits | undefined, defaults: Bounds): Bounds {
  const bound = (limit: Limit = 'default', otherwise: number) =>
    limit === 'default' ? otherwise : limit === 'none' ? none : limit;
  return {
    projects: bound(limits?.projects, defaults.projects),
    members: bound(limits?.members, defaults.members),
    bytes: bound(limits?.bytes, defaults.bytes),
    versions: bound(limits?.versions, defaults.versions),
  };
}

/** The usage of an account. It is computed by the first call and maintained from then on. */
export function usageOf(account: AccountState, withBytes: boolean): Usage {
  account.usage ??= { ...countIn(account.projects.values()), bytes: undefined };
  if (withBytes) account.usage.bytes ??= bytesIn(account.projects.values());
  return account.usage;
}

/**
 * Counts the bytes of an account in slices. It encodes members that were changed since the last start; {@link usageOf} need not encode them
 * again.
 */
export function* countBytes(account: AccountState): Generator<void, number> {
  let projects = 0;
  let bytes = 0;
  for (const project of account.projects.after('')) {
    bytes += projectBytes(project);
    if (++projects % sliceProjects === 0) yield;
  }
  return bytes;
}

/** The account that a record changes; `undefined` if it changes none. */
function accountChanged(state: State, [first]: readonly Change[]): AccountState | undefined {
  const { accountId } = first === undefined ? {} : operationOf(first).placeOf(first);
  return accountId === undefined ? undefined : state.accounts.get(accountId);
}

/** How much an account grows by a record; negative if it shrinks. */
export function quotaGrowth(account: AccountState, changes: readonly Change[], lsn: number, bounds: Bounds): Quotas<number> {
  const growth = new QuotaGrowth(account, lsn, bounds);
  for (const change of changes) operationOf(change).quotaGrowth?.(growth, change);
  return growth.total();
}
