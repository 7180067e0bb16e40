/** How much an account grows by a record, as quotas count it. Bytes are compared as if replaced rows kept their versions. */
import type { Quotas } from '../../../model/account-limits.ts';
import type { CollectionPath } from '../../../model/collection-path.ts';
import type { Resource } from '../../../model/resource.ts';
import { files, resourceOf, versions } from '../../../model/resources.ts';
import type { Value } from '../../../model/value.ts';
import type { Collection } from '../../collection.ts';
import type { Member } from '../../member.ts';
import { packMember } from '../../rows/member-rows.ts';
import type { AccountState } from '../../state.ts';
import type { StoredProject } from '../../stored-project.ts';
import { collectionBytes, fileBytes, headBytes, quotaOf } from '../../usage.ts';

const none = Number.POSITIVE_INFINITY;

export class QuotaGrowth {
  readonly lsn: number;
  projects = 0;
  bytes = 0;
  readonly #account: AccountState;
  readonly #bounds: Quotas<number>;
  readonly #heads = new Map<string, number>();
  readonly #collections = new Map<string, CollectionGrowth>();

  /** @param bounds what no quota of them depends on is not counted */
  constructor(account: AccountState, lsn: number, bounds: Quotas<number>) {
    this.#account = account;
    this.lsn = lsn;
    this.#bounds = bounds;
  }

  projectAt(id: string): StoredProject | undefined {
    return this.#account.projects.get(id);
  }

  /** A new project, or the new content of a project's own members. */
  putHead(value: Value): void {
    const present = this.projectAt(value.id);
    const before = this.#heads.get(value.id);
    if (present === undefined && before === undefined) this.projects++;
    const head = this.#withBytes ? headBytes(value) : 0;
    this.bytes += head - (before ?? (present === undefined || !this.#withBytes ? 0 : headBytes(present.value)));
    this.#heads.set(value.id, head);
  }

  /** The record puts nothing, so the members of the project need not be counted. */
  deleteProject(): void {
    this.projects--;
  }

  /** The growth of a collection; `undefined` if no quota depends on it. */
  at(path: CollectionPath): CollectionGrowth | undefined {
    if (this.#bounds[quotaOf(resourceOf[path.collection])] === none && !this.#withBytes) return undefined;
    const name = `${path.projectId}/${path.collection}/${path.parentId}`;
    const present = this.#collections.get(name);
    if (present !== undefined) return present;
    const made = new CollectionGrowth(this.projectAt(path.projectId), path, this.lsn, this.#withBytes);
    this.#collections.set(name, made);
    return made;
  }

  total(): Quotas<number> {
    const total = { projects: this.projects, members: 0, bytes: this.bytes, versions: 0 };
    for (const growth of this.#collections.values()) {
      total[quotaOf(growth.resource)] += growth.members;
      total.bytes += growth.bytes;
    }
    return total;
  }

  get #withBytes(): boolean {
    return this.#bounds.bytes !== none;
  }
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
