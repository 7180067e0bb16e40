/**
 * A collection: the members of one kind in one project (or one artboard), in their order, as a list of leaves.
 *
 * A member's place is its rank. New members get the next whole number, so creation order needs no thought; a whole-collection write
 * may put members between others and gives these ranks between theirs. Ranks are what a page's cursor holds on to: they stay when
 * other members come, go or move. While identifiers ascend with ranks (no one has reordered) a member is found by binary search;
 * after that, through a map from identifier to rank that is made when it is first needed.
 */
import { firstIndex } from '../lib/first-index.ts';
import type { Resource } from '../model/resource.ts';
import { pack } from '../model/stored.ts';
import type { Value } from '../model/value.ts';
import { type Keeper, Leaf, leafMembersMax } from './leaf.ts';
import type { Kept, Member } from './member.ts';
import { packMember } from './member-rows.ts';
import { rankInOrder } from './rank.ts';

/** A page of a collection. */
export interface Page {
  readonly members: readonly Member[];
  /** Whether more members follow. */
  readonly more: boolean;
}

/** No rank: there is no such member. */
const nowhere = Symbol('nowhere');

/** Where a member stands: in which leaf, and at which place in it. */
interface Place {
  readonly leaf: number;
  readonly at: number;
  readonly rank: number;
}

/** What a snapshot keeps of a collection beside its leaves. */
export interface CollectionHead {
  /** LSN of the newest record that changed the collection or a member of it. */
  version: number;
  /** Counts how often all ranks were made anew. */
  epoch: number;
  /** Rank of the next new member; never used before, also not by a member since deleted. */
  nextRank: number;
  /** Whether identifiers ascend with ranks. */
  sorted: boolean;
}

/** What a version takes in a row, in bytes. */
const versionBytes = (version: number): number => pack(version).byteLength;

/** The members of a collection at one moment. Costs a few words more than the reference to it, however many members there are. */
export class Capture implements Iterable<Member> {
  readonly leaves: readonly Leaf[];
  /** Its members as a JSON array, while the cache has it. */
  json: Kept<Buffer> | undefined;
  /** Whether somebody wanted that already, or that it is too long to be made in one go. */
  asked: 'never' | 'once' | 'in vain' = 'never';

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
  /** Given out since the list of leaves last changed: the list is a reader's as well then, and so is every leaf in it. */
  #captured: Capture | undefined;
  #size = 0;
  /** Bytes of all rows, from when somebody first wanted to know. */
  #rowBytes: number | undefined;
  #ranks: Map<string, number> | undefined;
  readonly #keeper: Keeper | undefined;

  /** @param keeper whether members that are decoded may stay so; without one they may */
  constructor(resource: Resource, head?: CollectionHead, leaves: Leaf[] = [], keeper?: Keeper) {
    this.resource = resource;
    this.#keeper = keeper;
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

  /** Bytes of the rows of its members, as a snapshot holds them. From the first look on it is kept, so that another one costs nothing. */
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
   * Decodes what {@link put} and {@link delete} look into for the member of that identifier, or for a new one. Damage in there is then
   * told before anything is decided, and not when a record is in the log already.
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

  /** Puts a member in the place it has, or at the end. */
  put(value: Value, version: number): void {
    this.version = version;
    // What is new comes last, mostly, and need not be looked for.
    const place = this.sorted && value.id > (this.#leaves.at(-1)?.lastId ?? '') ? undefined : this.#find(value.id);
    if (place === undefined) {
      this.#append({ value, version, rank: this.nextRank++, json: undefined });
    } else {
      const member: Member = { value, version, rank: place.rank, json: undefined };
      this.#countRows(member, place);
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
    const leaf = this.#writable(place.leaf);
    leaf.splice(place.at, 1);
    if (leaf.count === 0) this.#leavesToChange().splice(place.leaf, 1);
    this.#size--;
    this.#ranks?.delete(id);
  }

  /** Gives the whole collection a new order; `ids` names every member once. Members that keep their relative order keep their ranks. */
  reorder(ids: readonly string[], version: number): void {
    const present = new Map<string, Member>();
    for (const member of this.capture()) present.set(member.value.id, member);
    const members = ids.map((id) => {
      const member = present.get(id);
      present.delete(id); // named twice, it is not there the second time
      return member;
    });
    if (present.size > 0 || members.includes(undefined)) throw new Error('an order names every member once');
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
      const leaf = before?.replacement(slice) ?? new Leaf(this.resource, slice, this.#keeper);
      this.#leaves.push(...leaf.cut());
    }
    this.nextRank = Math.max(this.nextRank, Math.floor(ranks.at(-1) ?? -1) + 1);
  }

  /** Gives the collection and all members another version; only while nobody has seen them, so that they are as they were put. */
  stamp(version: number): void {
    if (this.#rowBytes !== undefined) this.#rowBytes += this.#size * (versionBytes(version) - versionBytes(this.version));
    this.version = version;
    for (const leaf of this.#leaves) for (const member of leaf.members) (member as { version: number }).version = version;
  }

  /** All members as they are now: what comes after does not show in it, however long it takes to go through. */
  capture(): Capture {
    if (this.#captured !== undefined) return this.#captured;
    for (const leaf of this.#leaves) leaf.shared = true;
    this.#captured = new Capture(this.#leaves);
    return this.#captured;
  }

  /** A collection of the same members, which changes without this one. Costs nothing for the members: a leaf is copied when it is changed. */
  fork(): Collection {
    const captured = this.capture();
    const fork = new Collection(this.resource, this, this.#leaves, this.#keeper);
    fork.#captured = captured;
    return fork;
  }

  /** Up to `limit` members whose rank is above `after`. */
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

  /** Before a member is put, or goes: the bytes of its row take the place of those of the one that stands there. */
  #countRows(put: Member | undefined, place: Place | undefined): void {
    if (this.#rowBytes === undefined) return;
    const bytes = (member: Member | undefined) => (member === undefined ? 0 : packMember(this.resource, member).byteLength);
    this.#rowBytes += bytes(put) - bytes(place && this.#leaves[place.leaf]?.members[place.at]);
  }

  #append(member: Member): void {
    this.#countRows(member, undefined);
    const id = member.value.id;
    const last = this.#leaves.at(-1);
    if (last !== undefined && this.sorted && id <= last.lastId) this.sorted = false;
    this.#ranks?.set(id, member.rank);
    this.#size++;
    if (last === undefined || last.full) this.#leavesToChange().push(new Leaf(this.resource, [member], this.#keeper));
    else this.#writable(this.#leaves.length - 1).splice(last.count, 0, member);
  }

  #writable(at: number): Leaf {
    const leaf = (this.#leaves[at] as Leaf).writable();
    if (leaf !== this.#leaves[at]) this.#leavesToChange()[at] = leaf;
    return leaf;
  }

  /** The list of leaves, or a copy of it when a reader holds it. */
  #leavesToChange(): Leaf[] {
    if (this.#captured !== undefined) {
      this.#captured = undefined;
      this.#leaves = this.#leaves.slice();
    }
    return this.#leaves;
  }

  /** Where a member stands, with its leaf ready to be changed. */
  #find(id: string): Place | undefined {
    const rank = this.#rankOf(id);
    if (rank === nowhere) return undefined;
    const leaf = this.#leafWith(id, rank);
    if (leaf === this.#leaves.length) return undefined;
    const place = (this.#leaves[leaf] as Leaf).place(id, rank);
    return place && { leaf, ...place };
  }

  /** The rank of a member where identifiers do not tell its place, or that there is no such member. */
  #rankOf(id: string): number | undefined | typeof nowhere {
    if (this.sorted) return undefined;
    this.#ranks ??= new Map([...this.capture()].map(({ value, rank }) => [value.id, rank]));
    return this.#ranks.get(id) ?? nowhere;
  }

  /** The only leaf that it may stand in. */
  #leafWith(id: string, rank: number | undefined): number {
    // Most collections are small, and what the path of a request gives is part of a longer text, which V8 takes its time to compare.
    if (this.#leaves.length === 1) return 0;
    return this.#leafAt(rank === undefined ? (leaf) => leaf.lastId >= id : (leaf) => leaf.lastRank >= rank);
  }

  #leafAt(reaches: (leaf: Leaf) => boolean): number {
    return firstIndex(this.#leaves.length, (i) => reaches(this.#leaves[i] as Leaf));
  }
}
