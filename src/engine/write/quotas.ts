/**
 * Quotas: how many projects, members, bytes and versions an account may hold. A change that would exceed a quota fails, in the turn in which it is
 * committed. A change that does not grow passes, even if the account is over its quota because the limit was lowered.
 */
import { type Quota, QuotaError } from '../../lib/errors.ts';
import type { AccountLimits, Limit, Quotas } from '../../model/account-limits.ts';
import { BlobReferences } from '../../store/blob-references.ts';
import { blobsIn } from '../../store/blobs-of.ts';
import { type Change, operationOf } from '../../store/operations/operations.ts';
import { QuotaGrowth } from '../../store/operations/shared/quota-growth.ts';
import type { AccountState, State } from '../../store/state.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { countIn, countRowBytes, rowBytesIn, rowBytesOf, type Usage } from '../../store/usage.ts';

/** The limits of an account; infinite for no limit. */
export type Bounds = Quotas<number>;

const none = Number.POSITIVE_INFINITY;
export const unbounded: Bounds = { projects: none, members: none, bytes: none, versions: none };

/** Throws {@link QuotaError} if the changes would exceed a quota of their account. */
export function refuseBeyondQuota(state: State, changes: readonly Change[], defaults: Bounds): void {
  const account = accountChanged(state, changes);
  if (account === undefined) return;
  const bounds = boundsOf(account.limits, defaults);
  const isFree = bounds.projects === none && bounds.members === none && bounds.bytes === none;
  if (isFree && (bounds.versions === none || !changes.some(isOfVersions))) return;
  refuseGrowth(state, account, quotaGrowth(state, account, changes, bounds), bounds);
}

/** As {@link refuseBeyondQuota}, for a detached project, whose collections know their sizes. */
export function refuseProject(state: State, account: AccountState, project: StoredProject, defaults: Bounds): void {
  const bounds = boundsOf(account.limits, defaults);
  const bytes = bounds.bytes === none ? 0 : rowBytesOf(project) + newBlobBytes(state, account, project);
  refuseGrowth(state, account, { projects: 1, members: countIn([project]).members, bytes, versions: 0 }, bounds);
}

/** Bytes of what a project refers to and its account does not. */
function newBlobBytes(state: State, account: AccountState, project: StoredProject): number {
  const present = blobsOf(state, account);
  const added = new BlobReferences();
  for (const blob of blobsIn(project)) if (!present.has(blob.digest)) added.add(blob);
  return added.bytes;
}

const isOfVersions = (change: Change): boolean => 'path' in change && change.path.collection === 'versions';

/** Throws {@link QuotaError} if the account may have no other version: before one is made. */
export function refuseVersion(state: State, account: AccountState, defaults: Bounds): void {
  refuseGrowth(state, account, { projects: 0, members: 0, bytes: 0, versions: 1 }, boundsOf(account.limits, defaults));
}

function refuseGrowth(state: State, account: AccountState, growth: Quotas<number>, bounds: Bounds): void {
  const refuse = (quota: Quota, used: () => number): void => {
    if (growth[quota] <= 0 || bounds[quota] === none) return;
    if (used() + growth[quota] > bounds[quota]) throw new QuotaError(quota, bounds[quota], used(), growth[quota]);
  };
  refuse('projects', () => account.projects.size);
  refuse('members', () => usageOf(account, false).members);
  refuse('bytes', () => bytesOf(state, account));
  refuse('versions', () => usageOf(account, false).versions);
}

/** The limits of an account, or of a server, given the defaults. */
export function boundsOf(limits: Partial<Quotas<Limit>> | undefined, defaults: Bounds): Bounds {
  const bound = (limit: Limit = 'default', otherwise: number) =>
    limit === 'default' ? otherwise : limit === 'none' ? none : limit;
  return {
    projects: bound(limits?.projects, defaults.projects),
    members: bound(limits?.members, defaults.members),
    bytes: bound(limits?.bytes, defaults.bytes),
    versions: bound(limits?.versions, defaults.versions),
  };
}

/** The effective limits of an account: its own, or the server's defaults where none is set. */
export function limitsInForce(set: AccountLimits, rateLimit: string, quotas: Bounds): AccountLimits {
  const { projects, members, bytes, versions } = boundsOf(set, quotas);
  const limit = (most: number): Limit => (Number.isFinite(most) ? most : 'none');
  const rate = set.rate === 'default' ? rateLimit : set.rate;
  return { rate, projects: limit(projects), members: limit(members), bytes: limit(bytes), versions: limit(versions) };
}

/** The usage of an account. It is computed by the first call and maintained from then on. */
export function usageOf(account: AccountState, withBytes: boolean): Usage {
  account.usage ??= { ...countIn(account.projects.values()), rowBytes: undefined };
  if (withBytes) account.usage.rowBytes ??= rowBytesIn(account.projects.values());
  return account.usage;
}

/** The bytes of an account: of its rows, and of all that its files, versions and published maps refer to, equal bytes once. */
export function bytesOf(state: State, account: AccountState): number {
  return (usageOf(account, true).rowBytes as number) + blobsOf(state, account).bytes;
}

/** The blobs of an account. */
const blobsOf = ({ files }: State, account: AccountState): BlobReferences => files?.ofAccount(account) ?? new BlobReferences();

/**
 * Counts the bytes of an account in slices. It encodes members that were changed since the last start; {@link bytesOf} need not encode them
 * again.
 */
export function* countBytes(state: State, account: AccountState): Generator<void, number> {
  let bytes = blobsOf(state, account).bytes;
  for (const project of account.projects.after('')) bytes += yield* countRowBytes(project);
  return bytes;
}

/** The account that a record changes; `undefined` if it changes none. */
function accountChanged(state: State, [first]: readonly Change[]): AccountState | undefined {
  const { accountId } = first === undefined ? {} : operationOf(first).placeOf(first);
  return accountId === undefined ? undefined : state.accounts.get(accountId);
}

/** How much an account grows by a record; negative if it shrinks. */
export function quotaGrowth(state: State, account: AccountState, changes: readonly Change[], bounds: Bounds): Quotas<number> {
  const growth = new QuotaGrowth(account, () => blobsOf(state, account), state.lsn + 1, bounds);
  for (const change of changes) operationOf(change).quotaGrowth?.(growth, change);
  return growth.total();
}
