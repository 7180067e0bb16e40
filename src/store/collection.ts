/**
 * A collection: the members of one kind in one project (or one artboard), in order, as a list of leaves.
 *
 * A member's position is its rank. A new member gets the next whole number, so creation order needs no extra work. A write of the whole
 * collection may insert members between others and gives them ranks between their neighbours. Page cursors refer to ranks: a rank stays
 * when other members are added, deleted or moved. While identifiers ascend with ranks (no reorder yet), a binary search finds a member;
 * after that, a map from identifier to rank does, built on first use.
 */
import { runToEnd } from '../lib/async/run-to-end.ts';
import { firstIndex } from '../lib/first-index.ts';
import { weighKey } from '../model/memory-estimate.ts';
import type { Resource } from '../model/resource.ts';
import { pack } from '../model/stored.ts';
import type { Value } from '../model/value.ts';
import { KeyIndex } from './key-index.ts';
import { type Leaf, type LeafKind, leafMembersMax } from './leaf.ts';
import { rankInOrder } from './list/rank.ts';
import type { CachedJson, Member } from './member.ts';
import { packMember } from './rows/member-rows.ts';

/** A page of a collection. */
interface Page {
  readonly members: readonly Member[];
  /** Whether more members follow. */
  readonly more: boolean;
}

/** The rank of a member that does not exist. */
const nowhere = Symbol('nowhere');

/** Position of a member: the leaf, and the index in that leaf. */
interface MemberPosition {
  readonly leaf: number;
  readonly at: number;
  readonly rank: number;
}

/** What a snapshot stores of a collection in addition to its leaves. */
export interface CollectionHead {
  /** LSN of the newest record that changed the collection or a member of it. */
  version: number;
  /** Number of times that all ranks were reassigned. */
  epoch: number;
  /** Rank of the next new member; never used before, not even by a deleted member. */
  nextRank: number;
  /** Whether identifiers ascend with ranks. */
  sorted: boolean;
}

/** Encoded size of a version in a row, in bytes. */
const versionBytes = (version: number): number => pack(version).byteLength;

/** The members of a collection at one moment. Costs a few words, for any number of members. */
export class Capture implements Iterable<Member> {
  readonly leaves: readonly Leaf[];
  /** Its members as a JSON array, while cached. */
  json: CachedJson<Buffer> | undefined;
  /** Requests for that JSON so far. `too long`: it cannot be made in one step, so it is not cached. */
  requested: 'never' | 'once' | 'too long' = 'never';

  constructor(leaves: readonly Leaf[]) {
    this.leaves = leaves;
  }

  *[Symbol.iterator](): Generator<Member, void> {
    for (const leaf of this.leaves) yield* leaf.members;
  }
}

export class Collection implements CollectionHead {
  readonly resource: Resource;
  version = 0;
  epoch = 0;
  nextRank = 0;
  sorted = true;
  #leaves: Leaf[] = [];
  /** Set since the list of leaves last changed: readers then share the list and its leaves. */
  #captured: Capture | undefined;
  #size = 0;
  /** Total bytes of the rows; maintained after the first request for it. */
  #rowBytes: number | undefined;
  #ranks: Map<string, number> | undefined;
  #keys: KeyIndex | undefined;
  /** The collection that this one was forked from, if its members may have keys. */
  #source: Collection | undefined;
  readonly #leafKind: LeafKind;

  constructor(resource: Resource, leafKind: LeafKind, head?: CollectionHead, leaves: Leaf[] = []) {
    this.resource = resource;
    this.#leafKind = leafKind;
    if (head !== undefined) {
      this.version = head.version;
      this.epoch = head.epoch;
      this.nextRank = head.nextRank;
      this.sorted = head.sorted;
    }
    this.#leaves = leaves;
    for (const leaf of leaves) this.#size += leaf.count;
  }

  get size(): number {
    return this.#size;
  }

  /** Bytes of its members' rows, as a snapshot stores them. Maintained after the first call, so later calls are free. */
  get rowBytes(): number {
    this.#rowBytes ??= this.#leaves.reduce((sum, leaf) => sum + leaf.rowBytes, 0);
    return this.#rowBytes;
  }

  get leaves(): readonly Leaf[] {
    return this.#leaves;
  }

  get(id: string): Member | undefined {
    const rank = this.#rankOf(id);
    return rank === nowhere ? undefined : this.#leaves[this.#leafWith(id, rank)]?.find(id, rank);
  }

  /**
   * Decodes the leaf that {@link put} and {@link delete} need for this identifier, or for a new member. So damage is reported before
   * the write is decided, not after its record is in the log.
   */
  prepare(id?: string): void {
    if (id !== undefined) {
      this.#find(id);
      return;
    }
    if (!this.sorted) this.#rankOf('');
    const last = this.#leaves.at(-1);
    if (last !== undefined && !last.full) last.decode();
  }

  /** Whether it maintains an index of keys. */
  get isIndexed(): boolean {
    return this.#keys !== undefined;
  }

  /** Prepares {@link idOfKey}, in slices. The collection must not change meanwhile. Throws MemoryFullError with nothing changed. */
  *indexKeys(): Generator<void> {
    yield* this.#source?.indexKeys() ?? [];
    if (this.#keys !== undefined) return;
    const keys = new KeyIndex();
    for (const leaf of this.#leaves) {
      const { members } = leaf;
      this.#leafKind.admitIndex?.(members.reduce((sum, { value }) => sum + weighKey(value), 0));
      for (const { value } of members) keys.replace(undefined, value);
      yield;
    }
    this.#keys = keys;
  }

  /** The identifier of the member with a key; `undefined` if there is none. */
  idOfKey(key: string): string | undefined {
    return this.#keyIndex().idOf(key);
  }

  /** Replaces a member in place, or appends it. */
  put(value: Value, version: number): void {
    this.version = version;
    // New members usually come last and need no search.
    const place = this.sorted && value.id > (this.#leaves.at(-1)?.lastId ?? '') ? undefined : this.#find(value.id);
    if (place === undefined) {
      this.#append({ value, version, rank: this.nextRank++, json: undefined });
    } else {
      const member: Member = { value, version, rank: place.rank, json: undefined };
      this.#countRows(member, place);
      this.#keys?.replace(this.#leaves[place.leaf]?.members[place.at]?.value, value);
      const leaf = this.#writable(place.leaf);
      leaf.splice(place.at, 1, member);
      const cut = leaf.cut();
      if (cut.length > 1) this.#leavesToChange().splice(place.leaf, 1, ...cut);
    }
  }

  delete(id: string, version: number): void {
    const place = this.#find(id);
    if (place === undefined) return;
    this.version = version;
    this.#countRows(undefined, place);
    this.#keys?.replace(this.#leaves[place.leaf]?.members[place.at]?.value, undefined);
    const leaf = this.#writable(place.leaf);
    leaf.splice(place.at, 1);
    if (leaf.count === 0) this.#leavesToChange().splice(place.leaf, 1);
    this.#size--;
    this.#ranks?.delete(id);
  }

  /** Sets a new order; `ids` names every member exactly once. Members that keep their relative order keep their ranks. */
  reorder(ids: readonly string[], version: number): void {
    const present = new Map<string, Member>();
    for (const member of this.capture()) present.set(member.value.id, member);
    const members = ids.map((id) => {
      const member = present.get(id);
      present.delete(id); // a duplicate is then missing
      return member;
    });
    if (present.size > 0 || members.includes(undefined)) throw new Error('An order must name every member exactly once');
    const ordered = members as Member[];
    const { ranks, renumbered } = rankInOrder(
      ordered.map(({ rank }) => rank),
      this.nextRank,
    );
    if (renumbered) this.epoch++;
    this.version = version;
    const before = this.#leaves.find((leaf) => !leaf.decoded) ?? this.#leaves[0];
    this.#leaves = [];
    this.#captured = undefined;
    this.#ranks = undefined;
    this.#rowBytes = undefined;
    this.sorted = ids.every((id, i) => i === 0 || id > (ids[i - 1] as string));
    for (let i = 0; i < ordered.length; i += leafMembersMax) {
      const slice = ordered.slice(i, i + leafMembersMax).map((member, j) => {
        const rank = ranks[i + j] as number;
        return rank === member.rank ? member : { ...member, rank, json: undefined };
      });
      const leaf = before?.replacement(slice) ?? this.#leafKind.make(this.resource, slice);
      this.#leaves.push(...leaf.cut());
    }
    this.nextRank = Math.max(this.nextRank, Math.floor(ranks.at(-1) ?? -1) + 1);
  }

  /** Sets the version of the collection and all members; only before they are visible to requests. */
  setVersion(version: number): void {
    if (this.#rowBytes !== undefined) this.#rowBytes += this.#size * (versionBytes(version) - versionBytes(this.version));
    this.version = version;
    for (const leaf of this.#leaves) for (const member of leaf.members) (member as { version: number }).version = version;
  }

  /** All members as of now. Later changes do not show in it. */
  capture(): Capture {
    if (this.#captured !== undefined) return this.#captured;
    for (const leaf of this.#leaves) leaf.shared = true;
    this.#captured = new Capture(this.#leaves);
    return this.#captured;
  }

  /** A copy that changes independently of this one. Leaves are copied on change, so a fork is cheap. */
  fork(): Collection {
    const captured = this.capture();
    const fork = new Collection(this.resource, this.#leafKind, this, this.#leaves);
    fork.#captured = captured;
    if (this.resource.isKeyed) {
      fork.#source = this;
      fork.#keys = new KeyIndex(() => this.#keyIndex());
    }
    return fork;
  }

  /** Up to `limit` members with ranks above `after`. */
  page(after: number, limit: number): Page {
    const members: Member[] = [];
    for (let i = this.#leafAt((leaf) => leaf.lastRank > after); i < this.#leaves.length; i++) {
      for (const member of (this.#leaves[i] as Leaf).members) {
        if (member.rank <= after) continue;
        if (members.length === limit) return { members, more: true };
        members.push(member);
      }
    }
    return { members, more: false };
  }

  /** Call before a member is put or deleted: replaces the bytes of the row at `place` with those of `put`. */
  #countRows(put: Member | undefined, place: MemberPosition | undefined): void {
    if (this.#rowBytes === undefined) return;
    const bytes = (member: Member | undefined) => (member === undefined ? 0 : packMember(this.resource, member).byteLength);
    this.#rowBytes += bytes(put) - bytes(place && this.#leaves[place.leaf]?.members[place.at]);
  }

  #keyIndex(): KeyIndex {
    if (this.#keys === undefined) runToEnd(this.indexKeys());
    return this.#keys as KeyIndex;
  }

  #append(member: Member): void {
    this.#keys?.replace(undefined, member.value);
    this.#countRows(member, undefined);
    const id = member.value.id;
    const last = this.#leaves.at(-1);
    if (last !== undefined && this.sorted && id <= last.lastId) this.sorted = false;
    this.#ranks?.set(id, member.rank);
    this.#size++;
    if (last === undefined || last.full) this.#leavesToChange().push(this.#leafKind.make(this.resource, [member]));
    else this.#writable(this.#leaves.length - 1).splice(last.count, 0, member);
  }

  #writable(at: number): Leaf {
    const leaf = (this.#leaves[at] as Leaf).writable();
    if (leaf !== this.#leaves[at]) this.#leavesToChange()[at] = leaf;
    return leaf;
  }

  /** The list of leaves, copied first if a reader shares it. */
  #leavesToChange(): Leaf[] {
    if (this.#captured !== undefined) {
      this.#captured = undefined;
      this.#leaves = this.#leaves.slice();
    }
    return this.#leaves;
  }

  /** The position of a member, with its leaf ready for a change. */
  #find(id: string): MemberPosition | undefined {
    const rank = this.#rankOf(id);
    if (rank === nowhere) return undefined;
    const leaf = this.#leafWith(id, rank);
    if (leaf === this.#leaves.length) return undefined;
    const place = (this.#leaves[leaf] as Leaf).place(id, rank);
    return place && { leaf, ...place };
  }

  /** The rank of a member, `nowhere` if it does not exist; `undefined` if its identifier gives its position. */
  #rankOf(id: string): number | undefined | typeof nowhere {
    if (this.sorted) return undefined;
    this.#ranks ??= new Map([...this.capture()].map(({ value, rank }) => [value.id, rank]));
    return this.#ranks.get(id) ?? nowhere;
  }

  /** The only leaf that can contain the member. */
  #leafWith(id: string, rank: number | undefined): number {
    // Most collections are small, and an identifier from a request path is a substring of a longer text, which V8 compares slowly.
    if (this.#leaves.length === 1) return 0;
    return this.#leafAt(rank === undefined ? (leaf) => leaf.lastId >= id : (leaf) => leaf.lastRank >= rank);
  }

  #leafAt(reaches: (leaf: Leaf) => boolean): number {
    return firstIndex(this.#leaves.length, (i) => reaches(this.#leaves[i] as Leaf));
  }
}
