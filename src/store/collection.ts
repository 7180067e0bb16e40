/**
 * A collection: the members of one kind in one project (or one artboard), in order, as a list of leaves.
 *
 * A member's position is its rank. A new member gets the next whole number, so creation order needs no extra work. A write of the whole
 * collection may insert members between others and gives them ranks between their neighbours. Page cursors refer to ranks: a rank stays
 * when other members are added, deleted or moved. While identifiers ascend with ranks (no reorder yet), a binary search finds a member;
 * after that, an index from identifier to rank does, built before the first place or on first use.
 */
import { runToEnd } from '../lib/async/run-to-end.ts';
import { weighKey } from '../model/memory-estimate.ts';
import type { Resource } from '../model/resource.ts';
import { pack } from '../model/stored.ts';
import type { Value } from '../model/value.ts';
import { KeyIndex } from './indexes/key-index.ts';
import { LayeredMap } from './indexes/layered-map.ts';
import { type Leaf, type LeafKind, leafMembersMax } from './leaf.ts';
import { type Capture, LeafList, type MemberPosition, type Page } from './leaf-list.ts';
import { rankInOrder } from './list/rank.ts';
import { rankBetween, spreadAround, spreadBefore } from './list/spread.ts';
import type { Member } from './member.ts';
import { packMember } from './rows/member-rows.ts';

/** Memory of one member in an index of ranks, in bytes: an entry of a map, and the identifier. */
const rankBytes = 100;
/** The rank of a member that does not exist. */
const nowhere = Symbol('nowhere');

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

export class Collection implements CollectionHead {
  readonly resource: Resource;
  version = 0;
  epoch = 0;
  nextRank = 0;
  sorted = true;
  #list: LeafList;
  #size = 0;
  /** Total bytes of the rows; maintained after the first request for it. */
  #rowBytes: number | undefined;
  #ranks: LayeredMap<number> | undefined;
  #keys: KeyIndex | undefined;
  /** The collection that this one was forked from. */
  #source: Collection | undefined;
  readonly #leafKind: LeafKind;

  constructor(resource: Resource, leafKind: LeafKind, head?: CollectionHead, leaves: Leaf[] | LeafList = []) {
    this.resource = resource;
    this.#leafKind = leafKind;
    if (head !== undefined) ({ version: this.version, epoch: this.epoch, nextRank: this.nextRank, sorted: this.sorted } = head);
    this.#list = Array.isArray(leaves) ? new LeafList(leaves) : leaves;
    for (const leaf of this.leaves) this.#size += leaf.count;
  }

  get size(): number {
    return this.#size;
  }

  /** Bytes of its members' rows, as a snapshot stores them. Maintained after the first call, so later calls are free. */
  get rowBytes(): number {
    this.#rowBytes ??= this.leaves.reduce((sum, leaf) => sum + leaf.rowBytes, 0);
    return this.#rowBytes;
  }

  get leaves(): readonly Leaf[] {
    return this.#list.leaves;
  }

  get(id: string): Member | undefined {
    const rank = this.#rankOf(id);
    return rank === nowhere ? undefined : this.leaves[this.#leafWith(id, rank)]?.find(id, rank);
  }

  /**
   * Decodes the leaf that {@link put} and {@link delete} need for this identifier, or for a new member. So damage is reported before
   * the write is decided, not after its record is in the log.
   */
  prepare(id?: string): void {
    if (id !== undefined) return void this.#find(id);
    if (!this.sorted) this.#rankOf('');
    const last = this.leaves.at(-1);
    if (last !== undefined && !last.full) last.decode();
  }

  /** Whether it maintains an index of keys. */
  get isIndexed(): boolean {
    return this.#keys !== undefined;
  }

  /**
   * Prepares the search for members, in slices. The collection must not change meanwhile. Throws MemoryFullError with nothing changed.
   *
   * @param isPlacing whether the members may be out of the order of their identifiers soon
   */
  *indexRanks(isPlacing = !this.sorted): Generator<void> {
    if (!isPlacing) return;
    yield* this.#source?.indexRanks(isPlacing) ?? [];
    if (this.#ranks !== undefined) return;
    const ranks = new LayeredMap<number>();
    for (const leaf of this.leaves) {
      this.#leafKind.admitIndex?.(rankBytes * leaf.count);
      for (const { value, rank } of leaf.members) ranks.set(value.id, rank);
      yield;
    }
    this.#ranks = ranks;
  }

  /** Prepares {@link idOfKey}, in slices. The collection must not change meanwhile. Throws MemoryFullError with nothing changed. */
  *indexKeys(): Generator<void> {
    if (this.resource.isKeyed) yield* this.#source?.indexKeys() ?? [];
    if (this.#keys !== undefined) return;
    const keys = new KeyIndex();
    for (const leaf of this.leaves) {
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
    const place = this.sorted && value.id > (this.leaves.at(-1)?.lastId ?? '') ? undefined : this.#find(value.id);
    if (place === undefined) {
      this.#append({ value, version, rank: this.nextRank++, json: undefined });
    } else {
      const member: Member = { value, version, rank: place.rank, json: undefined };
      this.#countRows(member, place);
      this.#keys?.replace(this.#list.memberAt(place)?.value, value);
      this.#list.writable(place.leaf).splice(place.at, 1, member);
      this.#list.cut(place.leaf);
    }
  }

  delete(id: string, version: number): void {
    const place = this.#find(id);
    if (place === undefined) return;
    this.version = version;
    this.#countRows(undefined, place);
    this.#keys?.replace(this.#list.memberAt(place)?.value, undefined);
    this.#list.remove(place);
    this.#size--;
    this.#ranks?.delete(id);
  }

  /** True if a member is directly before another one, or the last one. @param before as for {@link place} */
  comesBefore(id: string, before: string | null): boolean {
    const at = this.#find(id);
    return at !== undefined && (this.#list.after(at)?.value.id ?? null) === before;
  }

  /** Decodes the leaves that {@link place} needs, as {@link prepare} does. */
  preparePlace(id: string, before: string | null): void {
    this.#find(id);
    const to = before === null ? undefined : this.#find(before);
    if (before === null) this.leaves.at(-1)?.decode();
    const below = to && this.#list.before(to);
    if (to === undefined || below === undefined || rankBetween(below.rank, to.rank) !== undefined) return;
    const spread = spreadAround(this.leaves, to.leaf);
    for (const leaf of this.leaves.slice(spread.from, spread.to)) leaf.decode();
  }

  /**
   * Moves a member directly before another one, or to the end. Throws if one of them is missing.
   *
   * @param before an identifier; `null` for the end
   */
  place(id: string, before: string | null, version: number): void {
    const from = this.#find(id);
    const member = this.#list.memberAt(from);
    if (from === undefined || member === undefined) throw new Error(`there is no member ${id} to be placed`);
    this.version = version;
    if (before === id || (this.#list.after(from)?.value.id ?? null) === before) return;
    const rank = this.#rankBefore(before);
    const placed: Member = { ...member, rank, json: undefined };
    this.#countRows(placed, from);
    this.#list.remove(from);
    this.#insert(placed);
  }

  /** A rank between a member and the one before it, or after all. If there is none, the members around get other ranks. */
  #rankBefore(before: string | null): number {
    if (before === null) return this.nextRank++;
    const to = this.#find(before);
    if (to === undefined) throw new Error(`there is no member ${before} to place another one before`);
    const below = this.#list.before(to);
    return below === undefined ? to.rank - 1 : (rankBetween(below.rank, to.rank) ?? this.#spreadBefore(to));
  }

  /** Gives the members around a position other ranks. @returns one that is free, directly before it */
  #spreadBefore(position: MemberPosition): number {
    const { from, next, free } = spreadBefore(this.leaves, position);
    this.epoch++;
    for (const [i, leaf] of next.entries()) {
      if (this.#rowBytes !== undefined) this.#rowBytes += leaf.rowBytes - (this.leaves[from + i] as Leaf).rowBytes;
      for (const { value, rank } of leaf.members) this.#ranks?.set(value.id, rank);
      this.#list.replaceAt(from + i, leaf);
    }
    return free;
  }

  /** Puts a member, which is counted already, where its rank is. */
  #insert(member: Member): void {
    const { id } = member.value;
    const [below, above] = this.#list.insert(member, this.#leafKind.make, this.resource);
    this.sorted &&= (below === undefined || below.value.id < id) && (above === undefined || above.value.id > id);
    this.#ranks?.set(id, member.rank);
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
    const before = this.leaves.find((leaf) => !leaf.decoded) ?? this.leaves[0];
    const leaves: Leaf[] = [];
    this.#ranks = undefined;
    this.#rowBytes = undefined;
    this.sorted = ids.every((id, i) => i === 0 || id > (ids[i - 1] as string));
    for (let i = 0; i < ordered.length; i += leafMembersMax) {
      const slice = ordered.slice(i, i + leafMembersMax).map((member, j) => {
        const rank = ranks[i + j] as number;
        return rank === member.rank ? member : { ...member, rank, json: undefined };
      });
      const leaf = before?.replacement(slice) ?? this.#leafKind.make(this.resource, slice);
      leaves.push(...leaf.cut());
    }
    this.#list.replace(leaves);
    this.nextRank = Math.max(this.nextRank, Math.floor(ranks.at(-1) ?? -1) + 1);
  }

  /** Sets the version of the collection and all members; only before they are visible to requests. */
  setVersion(version: number): void {
    if (this.#rowBytes !== undefined) this.#rowBytes += this.#size * (versionBytes(version) - versionBytes(this.version));
    this.version = version;
    for (const leaf of this.leaves) for (const member of leaf.members) (member as { version: number }).version = version;
  }

  /** All members as of now. Later changes do not show in it. */
  capture(): Capture {
    return this.#list.capture();
  }

  /** A copy that changes independently of this one. Leaves are copied on change, so a fork is cheap. */
  fork(): Collection {
    const fork = new Collection(this.resource, this.#leafKind, this, this.#list.fork());
    fork.#source = this;
    if (!this.sorted || this.#ranks !== undefined) fork.#ranks = new LayeredMap(() => this.#rankIndex());
    if (this.resource.isKeyed) fork.#keys = new KeyIndex(() => this.#keyIndex());
    return fork;
  }

  /** Up to `limit` members with ranks above `after`. */
  page(after: number, limit: number): Page {
    return this.#list.page(after, limit);
  }

  /** Call before a member is put or deleted: replaces the bytes of the row at `place` with those of `put`. */
  #countRows(put: Member | undefined, place: MemberPosition | undefined): void {
    if (this.#rowBytes === undefined) return;
    const bytes = (member: Member | undefined) => (member === undefined ? 0 : packMember(this.resource, member).byteLength);
    this.#rowBytes += bytes(put) - bytes(this.#list.memberAt(place));
  }

  #rankIndex(): LayeredMap<number> {
    if (this.#ranks === undefined) runToEnd(this.indexRanks(true));
    return this.#ranks as LayeredMap<number>;
  }

  #keyIndex(): KeyIndex {
    if (this.#keys === undefined) runToEnd(this.indexKeys());
    return this.#keys as KeyIndex;
  }

  #append(member: Member): void {
    this.#keys?.replace(undefined, member.value);
    this.#countRows(member, undefined);
    const id = member.value.id;
    const last = this.leaves.at(-1);
    if (last !== undefined && this.sorted && id <= last.lastId) this.sorted = false;
    this.#ranks?.set(id, member.rank);
    this.#size++;
    if (last === undefined || last.full) this.#list.push(this.#leafKind.make(this.resource, [member]));
    else this.#list.writable(this.leaves.length - 1).splice(last.count, 0, member);
  }

  /** The position of a member, with its leaf ready for a change. */
  #find(id: string): MemberPosition | undefined {
    const rank = this.#rankOf(id);
    if (rank === nowhere) return undefined;
    const leaf = this.#leafWith(id, rank);
    if (leaf === this.leaves.length) return undefined;
    const place = (this.leaves[leaf] as Leaf).place(id, rank);
    return place && { leaf, ...place };
  }

  /** The rank of a member, `nowhere` if it does not exist; `undefined` if its identifier gives its position. */
  #rankOf(id: string): number | undefined | typeof nowhere {
    if (this.sorted) return undefined;
    return this.#rankIndex().get(id) ?? nowhere;
  }

  /** The only leaf that can contain the member. */
  #leafWith(id: string, rank: number | undefined): number {
    // Most collections are small, and an identifier from a request path is a substring of a longer text, which V8 compares slowly.
    if (this.leaves.length === 1) return 0;
    return this.#list.first(rank === undefined ? (leaf) => leaf.lastId >= id : (leaf) => leaf.lastRank >= rank);
  }
}
