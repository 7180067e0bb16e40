/**
 * A leaf of a server: made for reads, with bounded memory.
 *
 *                  a few reads of single members         more reads, a list, a change
 *     packed bytes ───────────────────────▶ bytes, a few members ───────────────▶ all members (and the bytes, until a change)
 *          ▲                                      │                                     │
 *          └────────────── not accessed for a while, and memory is short ◀──────────────┘
 *
 * Eviction of unchanged members is free, since their bytes are kept; changed members are encoded again. The MemoryPolicy decides whether
 * decoded members may stay. If it refuses, a read leaves the leaf packed, and a change is packed again when it is complete.
 */

import { memberBytes } from '../model/memory-estimate.ts';
import type { Resource } from '../model/resource.ts';
import { flat, IdIndex } from './indexes/id-index.ts';
import {
  decodedFrom,
  divided,
  indexOf,
  isFull,
  isTooLarge,
  type Leaf,
  type LeafKind,
  leafMembersMax,
  type RowReader,
  weighAll,
  weighEach,
} from './leaf.ts';
import { type Member, type PackedLeaf, uncacheable } from './member.ts';
import { checkedRows, memberOf, packMembers, repack, unpackLeaf, withOrigin } from './rows/member-rows.ts';
import { listHead, type PackedRows } from './rows/packed-rows.ts';

/** A leaf is decoded as a whole after single reads of this number of its members, or of this share. */
const hotMembersMax = { members: 4, share: 1 / 8 };
/** A leaf of up to this number of members is searched linearly. */
const linearSearchMax = 16;

/** Decides whether decoded data, which can be decoded again from bytes, may stay in memory. */
export interface MemoryPolicy {
  /**
   * Whether members decoded from `packedBytes` may stay in memory.
   *
   * @param decodedBytes their estimated size when decoded
   */
  keep(packedBytes: number, decodedBytes: number): boolean;
  /** A change had to decode this leaf over budget: it must be packed when the change is complete. */
  onOverBudget(leaf: Leaf): void;
  /** As {@link LeafKind.admitIndex}. */
  admitIndex?(bytes: number): void;
}

class LiveLeaf implements Leaf {
  readonly #resource: Resource;
  readonly #memoryPolicy: MemoryPolicy;
  /** All members, while decoded. */
  #members: Member[] | undefined;
  /** The same members as bytes, until a change. One of the two is always set. */
  #packed: PackedLeaf | undefined;
  /** Members of a packed leaf that were decoded one by one, and the positions of the rows. */
  #hotMembers: Map<string, Member> | undefined;
  #rows: PackedRows | undefined;
  /** Finds members by identifier; built on first use. */
  #idIndex: IdIndex | undefined;
  #lastId: string;
  /** Estimated size of the decoded members, in bytes; -1: unknown since a change. */
  #weight = 0;
  #accessed = false;
  /** The leaf must be packed when the current change is complete. */
  #mustPack = false;
  shared = false;

  constructor(resource: Resource, content: Member[] | PackedLeaf, memoryPolicy: MemoryPolicy) {
    this.#resource = resource;
    this.#memoryPolicy = memoryPolicy;
    if (Array.isArray(content)) {
      this.#members = content;
      this.#weight = -1;
      this.#accessed = true;
    } else this.#packed = content;
    this.#lastId = flat(Array.isArray(content) ? (content.at(-1)?.value.id ?? '') : content.lastId);
  }

  get count(): number {
    return this.#members?.length ?? (this.#packed as PackedLeaf).count;
  }

  /** A separate field, since every search in a large collection compares several of them. */
  get lastId(): string {
    return this.#lastId;
  }

  get lastRank(): number {
    return this.#members?.at(-1)?.rank ?? (this.#packed as PackedLeaf).lastRank;
  }

  get packed(): PackedLeaf | undefined {
    return this.#packed;
  }

  get decoded(): boolean {
    return this.#members !== undefined;
  }

  get rowBytes(): number {
    const rows = this.#packed?.bytes() ?? packMembers(this.#resource, this.members);
    return rows.byteLength - listHead(this.count).byteLength;
  }

  get decodedBytes(): number {
    if (this.#weight < 0) this.#weight = this.#members === undefined ? 0 : weighAll(this.#resource, this.#members);
    return this.#weight;
  }

  get full(): boolean {
    return isFull(this.count, () => (this.#members === undefined ? decodedFrom(this.#packedBytes) : this.decodedBytes));
  }

  decode(): number {
    return this.#decodeAndKeep().length;
  }

  /** Changes are never made in bytes. */
  patchedRows(): undefined {
    return undefined;
  }

  get members(): readonly Member[] {
    this.#accessed = true;
    return this.#members ?? this.#decode();
  }

  /** Decodes only this member of a packed leaf. */
  find(id: string, rank?: number): Member | undefined {
    this.#accessed = true;
    if (this.#members !== undefined) return this.#members[this.#indexIn(this.#members, id)];
    return this.#hotMembers?.get(id) ?? this.#findPacked(id, rank);
  }

  /** Decodes only this member of a packed leaf. */
  at(place: number, reader: RowReader): Member {
    this.#accessed = true;
    if (this.#members !== undefined) return this.#members[place] as Member;
    const packed = this.#packed as PackedLeaf;
    if (!this.#isRarelyRead(packed)) return this.#decode()[place] as Member;
    return withOrigin(packed, () => {
      reader.rows ??= this.#rows ?? checkedRows(packed);
      return this.#hotMembers?.get(reader.rows.id(place)) ?? this.#decodeRow(reader.rows, place);
    });
  }

  place(id: string): { readonly at: number; readonly rank: number } | undefined {
    const { members } = this;
    const at = this.#members === undefined ? indexOf(members, id) : this.#indexIn(members, id);
    const member = members[at];
    return member && { at, rank: member.rank };
  }

  writable(): LiveLeaf {
    if (!this.shared) return this;
    const copy = this.replacement(this.members.slice());
    copy.#weight = this.#members === undefined ? -1 : this.#weight;
    return copy;
  }

  replacement(members: Member[]): LiveLeaf {
    const made = new LiveLeaf(this.#resource, members, this.#memoryPolicy);
    if (this.#members === undefined || this.#mustPack) made.#requestPack();
    return made;
  }

  cut(): Leaf[] {
    if (this.#members === undefined && !isTooLarge(decodedFrom(this.#packedBytes))) return [this];
    const { members } = this;
    if (this.#weight < 0) this.#weight = weighEach(this.#resource, members);
    if (members.length === 1 || !isTooLarge(this.#weight)) return [this];
    return divided(this.#resource, members).map((part) => this.replacement(part));
  }

  splice(at: number, remove: number, ...add: Member[]): void {
    const [only] = add;
    const members = this.#decodeAndKeep();
    const inPlace = add.length === 1 && remove === 1 && only?.value.id === members[at]?.value.id;
    const atEnd = add.length === 1 && remove === 0 && at === members.length && at < leafMembersMax;
    const removed = members.splice(at, remove, ...add);
    if (atEnd) this.#idIndex?.add((only as Member).value.id);
    else if (add.length === 0 && remove === 1) this.#idIndex?.remove(at);
    else if (!inPlace) this.#idIndex = undefined;
    if (!inPlace) this.#lastId = members.at(-1)?.value.id ?? '';
    this.#packed = undefined;
    if (this.#weight < 0) return;
    for (const member of add) this.#weight += this.#weigh(member);
    for (const member of removed) this.#weight -= this.#weigh(member);
    // The sampled estimate of the rest is too low now: estimate again.
    if (this.#weight < members.length * memberBytes) this.#weight = -1;
  }

  pack(): void {
    const members = this.#members;
    if (this.#packed === undefined) {
      const last = members?.at(-1);
      if (members === undefined || last === undefined) return;
      this.#packed = repack(this.#resource, members, last);
    }
    this.#members = undefined;
    this.#idIndex = undefined;
    this.#hotMembers = undefined;
    this.#rows = undefined;
    this.#weight = 0;
    this.#mustPack = false;
  }

  wasAccessed(): boolean {
    const accessed = this.#accessed;
    this.#accessed = false;
    return accessed;
  }

  /** One member of a packed leaf. */
  #findPacked(id: string, rank: number | undefined): Member | undefined {
    const packed = this.#packed as PackedLeaf;
    if (!this.#isRarelyRead(packed)) {
      const members = this.#decode();
      return members[indexOf(members, id)];
    }
    return withOrigin(packed, () => {
      const rows = this.#rows ?? checkedRows(packed);
      const at = rows.indexOf(id, rank);
      return at === undefined ? undefined : this.#decodeRow(rows, at);
    });
  }

  /** Whether only few members were decoded one by one, so that the next one is decoded alone, too. */
  #isRarelyRead({ count }: PackedLeaf): boolean {
    const found = this.#hotMembers?.size ?? 0;
    return count > hotMembersMax.members && found < Math.max(hotMembersMax.members, count * hotMembersMax.share);
  }

  #decodeRow(rows: PackedRows, at: number): Member {
    const member = memberOf(this.#resource, rows.row(at));
    const bytes = this.#weigh(member) + (this.#rows === undefined ? rows.heldBytes : 0);
    if (this.#memoryPolicy.keep(rows.rowBytes(at), bytes)) {
      this.#rows = rows;
      this.#hotMembers ??= new Map();
      this.#hotMembers.set(member.value.id, member);
      this.#weight += bytes;
    } else member.json = uncacheable;
    return member;
  }

  /** The members of a packed leaf; they stay in memory if the policy allows it. */
  #decode(): Member[] {
    const packed = this.#packed as PackedLeaf;
    const members = unpackLeaf(this.#resource, packed);
    // A member that was decoded before stays the same object and keeps its cached JSON.
    if (this.#hotMembers !== undefined)
      for (let i = 0; i < members.length; i++) {
        const known = this.#hotMembers.get((members[i] as Member).value.id);
        if (known !== undefined) members[i] = known;
      }
    // The sampled members may be smaller than the others: decoded size is at least the packed size.
    const bytes = Math.max(weighAll(this.#resource, members), packed.bytes().byteLength);
    if (this.#memoryPolicy.keep(packed.bytes().byteLength, bytes)) this.#hold(members, bytes);
    else for (const member of members) member.json ??= uncacheable;
    return members;
  }

  /** The members, kept in memory in any case. */
  #decodeAndKeep(): Member[] {
    this.#accessed = true;
    if (this.#members !== undefined) return this.#members;
    const members = this.#decode();
    if (this.#members === undefined) {
      this.#requestPack();
      this.#hold(members, -1);
    }
    return members;
  }

  #requestPack(): void {
    this.#mustPack = true;
    this.#memoryPolicy.onOverBudget(this);
  }

  get #packedBytes(): number {
    return (this.#packed as PackedLeaf).bytes().byteLength;
  }

  #weigh({ value }: Member): number {
    return this.#resource.weighMember(value);
  }

  #indexIn(members: readonly Member[], id: string): number {
    if (members.length <= linearSearchMax) return indexOf(members, id);
    this.#idIndex ??= new IdIndex(members.length, leafMembersMax, (i) => (members[i] as Member).value.id);
    return this.#idIndex.indexOf(id);
  }

  #hold(members: Member[], bytes: number): void {
    this.#members = members;
    this.#weight = bytes;
    this.#hotMembers = undefined;
    this.#rows = undefined;
  }
}

/** The kind of leaf for a state that requests read. */
export const liveLeaves = (policy: MemoryPolicy): LeafKind => ({
  admitIndex: (bytes) => policy.admitIndex?.(bytes),
  make: (resource, content) => new LiveLeaf(resource, content, policy),
});
