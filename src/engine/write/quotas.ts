/**
 * Quotas: how many projects, members, bytes and versions an account may hold. A change that would exceed a quota fails, in the turn in which it is
 * committed. A change that does not grow passes, even if the account is over its quota because the limit was lowered.
 */
import { type Quota, QuotaError } from '../../lib/errors.ts';
import type { AccountLimits, Limit, Quotas } from '../../model/account-limits.ts';
import type { Change, CollectionPath } from '../../model/change.ts';
import type { Resource } from '../../model/resource.ts';
import { files, resourceOf, versions } from '../../model/resources.ts';
import type { Value } from '../../model/value.ts';
import type { Collection } from '../../store/collection.ts';
import type { Member } from '../../store/member.ts';
import { packMember } from '../../store/rows/member-rows.ts';
import type { AccountState, State } from '../../store/state.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { publicationBytes, publishedWith } from '../../store/stored-publication.ts';
import { bytesIn, collectionBytes, countIn, fileBytes, headBytes, projectBytes, quotaOf, type Usage } from '../../store/usage.ts';

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

const isOfVersions = (change: Change): boolean =>
  (change.op === 'put' || change.op === 'delete') && change.path.collection === 'versions';

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

/** The account that a record changes; `undefined` if quotas do not count its changes. */
function accountChanged(state: State, changes: readonly Change[]): AccountState | undefined {
  const [first] = changes;
  if (first === undefined || first.op === 'put-account' || first.op === 'put-key' || first.op === 'start-run') return undefined;
  return state.accounts.get('path' in first ? first.path.accountId : first.accountId);
}

/** How much an account grows by a record; negative if it shrinks. Bytes are compared as if replaced rows kept their versions. */
export function quotaGrowth(account: AccountState, changes: readonly Change[], lsn: number, bounds: Bounds): Quotas<number> {
  const withBytes = bounds.bytes !== none;
  const heads = new Map<string, number>();
  const growths = new Map<string, CollectionGrowth>();
  const at = (path: CollectionPath): CollectionGrowth => {
    const name = `${path.projectId}/${path.collection}/${path.parentId}`;
    const present = growths.get(name);
    if (present !== undefined) return present;
    const made = new CollectionGrowth(account.projects.get(path.projectId), path, lsn, withBytes);
    growths.set(name, made);
    return made;
  };
  let projects = 0;
  let bytes = 0;
  for (const change of changes) {
    if (change.op === 'put-project') {
      const { id } = change.value;
      const present = account.projects.get(id);
      if (present === undefined && !heads.has(id)) projects++;
      if (!withBytes) continue;
      const head = headBytes(change.value);
      bytes += head - (heads.get(id) ?? (present === undefined ? 0 : headBytes(present.value)));
      heads.set(id, head);
    } else if (change.op === 'delete-project') {
      // A record that deletes a project puts nothing, so the project's members need not be counted.
      projects--;
    } else if (change.op === 'put-publication') {
      const before = account.projects.get(change.projectId)?.publication;
      bytes += publicationBytes(publishedWith(before, change.head, lsn)) - publicationBytes(before);
    } else if (change.op === 'delete-publication') {
      bytes -= publicationBytes(account.projects.get(change.projectId)?.publication);
    } else if (bounds.members === none && !withBytes && (bounds.versions === none || !isOfVersions(change))) {
      // No quota depends on members.
    } else if (change.op === 'put') for (const value of change.values) at(change.path).put(value);
    else if (change.op === 'delete') {
      for (const id of change.ids) {
        at(change.path).delete(id);
        for (const { name } of resourceOf[change.path.collection].collections)
          at({ ...change.path, collection: name, parentId: id }).drop();
      }
    }
  }
  const grown = { members: 0, versions: 0 };
  for (const growth of growths.values()) {
    grown[quotaOf(growth.resource)] += growth.members;
    bytes += growth.bytes;
  }
  return { projects, ...grown, bytes };
}

/** A member after the changes so far. */
interface Row {
  readonly version: number;
  readonly rank: number;
  readonly bytes: number;
}

/** The growth of one collection by a record. */
class CollectionGrowth {
  members = 0;
  bytes = 0;
  readonly #collection: Collection | undefined;
  readonly resource: Resource;
  readonly #lsn: number;
  readonly #withBytes: boolean;
  /** Members that the changes so far put; `undefined` for those that they deleted. */
  readonly #rows = new Map<string, Row | undefined>();
  #nextRank: number;

  constructor(project: StoredProject | undefined, { collection, parentId }: CollectionPath, lsn: number, withBytes: boolean) {
    this.#collection = project?.collection(collection, parentId);
    this.resource = resourceOf[collection];
    this.#lsn = lsn;
    this.#withBytes = withBytes;
    this.#nextRank = this.#collection?.nextRank ?? 0;
  }

  put(value: Value): void {
    const before = this.#row(value.id);
    const { version, rank } = before ?? { version: this.#lsn, rank: this.#nextRank++ };
    const bytes = this.#bytes({ value, version, rank, json: undefined });
    if (before === undefined) this.members++;
    this.bytes += bytes - (before?.bytes ?? 0);
    this.#rows.set(value.id, { version, rank, bytes });
  }

  delete(id: string): void {
    const before = this.#row(id);
    if (before === undefined) return;
    this.members--;
    this.bytes -= before.bytes;
    this.#rows.set(id, undefined);
  }

  /** The collection is deleted, with the members that the record put into it. */
  drop(): void {
    this.members = -(this.#collection?.size ?? 0);
    this.bytes = this.#withBytes && this.#collection !== undefined ? -collectionBytes(this.#collection) : 0;
  }

  #row(id: string): Row | undefined {
    if (this.#rows.has(id)) return this.#rows.get(id);
    const member = this.#collection?.get(id);
    return member && { version: member.version, rank: member.rank, bytes: this.#bytes(member) };
  }

  #bytes(member: Member): number {
    if (!this.#withBytes) return 0;
    const ofFile = this.resource === files || this.resource === versions ? fileBytes(member.value) : 0;
    return packMember(this.resource, member).byteLength + ofFile;
  }
}
