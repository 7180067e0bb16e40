/** How much an account grows by a record, as quotas count it. Bytes are compared as if replaced rows kept their versions. */
import type { Quotas } from '../../../model/account-limits.ts';
import { type CollectionPath, collectionKey } from '../../../model/collection-path.ts';
import type { Resource } from '../../../model/resource.ts';
import { isBesideDocument, resourceOf } from '../../../model/resources.ts';
import type { Value } from '../../../model/value.ts';
import type { BlobReferences } from '../../blob-references.ts';
import { type Blob, blobsOf, blobsOfMaps } from '../../blobs-of.ts';
import type { Collection } from '../../collection.ts';
import type { Member } from '../../member.ts';
import { packMember } from '../../rows/member-rows.ts';
import type { AccountState } from '../../state.ts';
import type { StoredProject } from '../../stored-project.ts';
import { type Publication, rulesBytes } from '../../stored-publication.ts';
import { headBytes, quotaOf } from '../../usage.ts';

const none = Number.POSITIVE_INFINITY;

export class QuotaGrowth {
  readonly lsn: number;
  projects = 0;
  #rowBytes = 0;
  readonly #account: AccountState;
  /** Those of the account before the record. */
  readonly #blobs: () => BlobReferences;
  readonly #bounds: Quotas<number>;
  readonly #added = new AddedBlobs();
  readonly #heads = new Map<string, number>();
  readonly #collections = new Map<string, CollectionGrowth>();

  /** @param bounds what no quota of them depends on is not counted */
  constructor(account: AccountState, blobs: () => BlobReferences, lsn: number, bounds: Quotas<number>) {
    this.#account = account;
    this.#blobs = blobs;
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
    this.#rowBytes += head - (before ?? (present === undefined || !this.#withBytes ? 0 : headBytes(present.value)));
    this.#heads.set(value.id, head);
  }

  replacePublication(before: Publication | undefined, after: Publication | undefined): void {
    this.#rowBytes += rulesBytes(after) - rulesBytes(before);
    this.#added.replace(blobsOfMaps(before), blobsOfMaps(after));
  }

  /** The record puts nothing, so the members of the project need not be counted. */
  deleteProject(): void {
    this.projects--;
  }

  /** The growth of a collection; `undefined` if no quota depends on it. */
  at(path: CollectionPath): CollectionGrowth | undefined {
    if (this.#bounds[quotaOf(resourceOf[path.collection])] === none && !this.#withBytes) return undefined;
    const name = collectionKey(path);
    const present = this.#collections.get(name);
    if (present !== undefined) return present;
    const made = new CollectionGrowth(this.projectAt(path.projectId), path, this.lsn, this.#withBytes ? this.#added : undefined);
    this.#collections.set(name, made);
    return made;
  }

  total(): Quotas<number> {
    const blobBytes = this.#added.isEmpty ? 0 : this.#added.growthOf(this.#blobs());
    const total = { projects: this.projects, members: 0, bytes: this.#rowBytes + blobBytes, versions: 0 };
    for (const growth of this.#collections.values()) {
      total[quotaOf(growth.resource)] += growth.members;
      total.bytes += growth.rowBytes;
    }
    return total;
  }

  get #withBytes(): boolean {
    return this.#bounds.bytes !== none;
  }
}

/** References to blobs that a record adds and removes. */
class AddedBlobs {
  readonly #added = new Map<string, { readonly references: number; readonly bytes: number }>();

  get isEmpty(): boolean {
    return this.#added.size === 0;
  }

  replace(before: readonly Blob[], after: readonly Blob[]): void {
    for (const blob of before) this.#add(blob, -1);
    for (const blob of after) this.#add(blob, 1);
  }

  /** Bytes by which the blobs of an account grow. */
  growthOf(blobs: BlobReferences): number {
    return blobs.growthBy(this.#added);
  }

  #add({ digest, bytes }: Blob, times: 1 | -1): void {
    this.#added.set(digest, { references: (this.#added.get(digest)?.references ?? 0) + times, bytes });
  }
}

/** A member after the changes so far. */
interface Row {
  readonly version: number;
  readonly rank: number;
  readonly bytes: number;
  /** What it refers to. */
  readonly blobs: readonly Blob[];
}

/** The growth of one collection by a record. */
class CollectionGrowth {
  members = 0;
  rowBytes = 0;
  readonly #collection: Collection | undefined;
  readonly resource: Resource;
  readonly #lsn: number;
  readonly #added: AddedBlobs | undefined;
  readonly #hasBlobs: boolean;
  /** Members that the changes so far put; `undefined` for those that they deleted. */
  readonly #rows = new Map<string, Row | undefined>();
  #nextRank: number;
  /** True if nothing of what was there before the record is left. */
  #isDropped = false;

  /** @param added notes what its members refer to; `undefined` if bytes are not counted */
  constructor(project: StoredProject | undefined, { collection, parentId }: CollectionPath, lsn: number, added?: AddedBlobs) {
    this.#collection = project?.collection(collection, parentId);
    this.resource = resourceOf[collection];
    this.#lsn = lsn;
    this.#added = added;
    this.#hasBlobs = isBesideDocument(collection);
    this.#nextRank = this.#collection?.nextRank ?? 0;
  }

  put(value: Value): void {
    const before = this.#row(value.id);
    const { version, rank } = before ?? { version: this.#lsn, rank: this.#nextRank++ };
    const after = this.#rowOf({ value, version, rank, json: undefined });
    if (before === undefined) this.members++;
    this.#replace(before, after);
    this.#rows.set(value.id, after);
  }

  delete(id: string): void {
    const before = this.#row(id);
    if (before === undefined) return;
    this.members--;
    this.#replace(before, undefined);
    this.#rows.set(id, undefined);
  }

  /** The collection is deleted, with the members that the record put into it. No member of a dropped collection refers to blobs. */
  drop(): void {
    this.#isDropped = true;
    this.#rows.clear();
    this.#nextRank = 0;
    this.members = -(this.#collection?.size ?? 0);
    this.rowBytes = this.#added !== undefined && this.#collection !== undefined ? -this.#collection.rowBytes : 0;
  }

  #replace(before: Row | undefined, after: Row | undefined): void {
    this.rowBytes += (after?.bytes ?? 0) - (before?.bytes ?? 0);
    if (this.#hasBlobs) this.#added?.replace(before?.blobs ?? [], after?.blobs ?? []);
  }

  #row(id: string): Row | undefined {
    if (this.#rows.has(id) || this.#isDropped) return this.#rows.get(id);
    const member = this.#collection?.get(id);
    return member && this.#rowOf(member);
  }

  #rowOf(member: Member): Row {
    const { version, rank, value } = member;
    if (this.#added === undefined) return { version, rank, bytes: 0, blobs: [] };
    return { version, rank, bytes: packMember(this.resource, member).byteLength, blobs: this.#hasBlobs ? blobsOf(value) : [] };
  }
}
