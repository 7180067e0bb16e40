/**
 * A leaf: up to {@link leafMembersMax} adjacent members of one collection. It is the unit of decoding, of copy-on-write under a reader,
 * and of snapshots: a snapshot writes only changed leaves. So costs depend on what is accessed, not on what is stored.
 *
 *                  a few reads of single members         more reads, a list, a change
 *     packed bytes ───────────────────────▶ bytes, a few members ───────────────▶ all members (and the bytes, until a change)
 *          ▲                                      │                                     │
 *          └────────────── not accessed for a while, and memory is short ◀──────────────┘
 *
 * Eviction of unchanged members is free, since their bytes are kept; changed members are encoded again. The MemoryPolicy decides whether
 * decoded members may stay. If it refuses, a read leaves the leaf packed, and a change is packed again when it is complete.
 *
 * Without a policy (in a snapshot), members are accessed only to change them: the bytes are patched, and the other rows stay as they are.
 *
 * Members are immutable and in ascending rank order. A leaf given to a reader is `shared`, and its content never changes again: the
 * collection replaces it by a copy first. Decoding and eviction do not count as changes.
 */

import { memberBytes } from '../model/memory-estimate.ts';
import type { Resource } from '../model/resource.ts';
import { flat, IdIndex } from './id-index.ts';
import { type Member, type PackedLeaf, uncacheable } from './member.ts';
import { checkedRows, memberOf, packMembers, repack, unpackLeaf, withOrigin } from './rows/member-rows.ts';
import { listHead, type PackedRows } from './rows/packed-rows.ts';
import { PatchedRows } from './rows/patched-rows.ts';

/** Maximum number of members in a leaf. */
export const leafMembersMax = 256;
/**
 * A leaf of this estimated decoded size gets no more members; at twice the size it is split. In bytes. So the cost of a read or a change
 * is bounded, for members of any size.
 */
const leafBytesMax = 1024 * 1024;
/** Typical ratio of decoded to packed bytes. */
const decodedPerPacked = 5;
/** A leaf is decoded as a whole after single reads of this number of its members, or of this share. */
const hotMembersMax = { members: 4, share: 1 / 8 };
/** A leaf of up to this number of members is searched linearly. */
const linearSearchMax = 16;
/** Number of members sampled to estimate the size of a leaf. */
const samples = 4;

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
}

/** The state of a caller that reads single members of one leaf. */
export interface RowReader {
  rows: PackedRows | undefined;
}

export class Leaf {
  readonly #resource: Resource;
  readonly #memoryPolicy: MemoryPolicy | undefined;
  /** All members, while decoded. */
  #members: Member[] | undefined;
  /** The same members as bytes, until a change. */
  #packed: PackedLeaf | undefined;
  /** The bytes with changes applied, without a policy. One of these three is always set. */
  #patched: PatchedRows | undefined;
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

  /** @param memoryPolicy without one, decoded members stay in memory */
  constructor(resource: Resource, content: Member[] | PackedLeaf, memoryPolicy?: MemoryPolicy) {
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
    return this.#members?.length ?? this.#patched?.count ?? (this.#packed as PackedLeaf).count;
  }

  /** The identifier of its last member; a separate field, since every search in a large collection compares several of them. */
  get lastId(): string {
    return this.#lastId;
  }

  get lastRank(): number {
    return this.#members?.at(-1)?.rank ?? this.#patched?.lastRank ?? (this.#packed as PackedLeaf).lastRank;
  }

  /** Its bytes (those of the previous snapshot, if it was there), while no member has changed since. */
  get packed(): PackedLeaf | undefined {
    return this.#packed;
  }

  /** Whether all members are decoded. */
  get decoded(): boolean {
    return this.#members !== undefined;
  }

  /** Total size of its members' rows, in bytes; independent of how members are divided into leaves. */
  get rowBytes(): number {
    const rows = this.#packed?.bytes() ?? this.patchedRows() ?? packMembers(this.#resource, this.members);
    return rows.byteLength - listHead(this.count).byteLength;
  }

  /** Estimated memory of its decoded members, without the packed bytes; in bytes. */
  get decodedBytes(): number {
    if (this.#weight < 0) this.#weight = this.#members === undefined ? 0 : weighAll(this.#resource, this.#members);
    return this.#weight;
  }

  /** Whether new members must go into another leaf. */
  get full(): boolean {
    if (this.count >= leafMembersMax) return true;
    return (this.#members === undefined ? this.#packedBytes * decodedPerPacked : this.decodedBytes) >= leafBytesMax;
  }

  /** Decodes the leaf and keeps its members in memory. Returns their number; throws if they are damaged. */
  decode(): number {
    return this.#decodeAndKeep().length;
  }

  /** Its current rows, if they were changed without decoding. */
  patchedRows(): Buffer | undefined {
    return this.#packed === undefined ? this.#patched?.pack() : undefined;
  }

  /** The members, read-only. */
  get members(): readonly Member[] {
    this.#accessed = true;
    return this.#members ?? this.#decode();
  }

  /**
   * One member, read-only. Decodes only this member of a packed leaf. Throws if it is damaged.
   *
   * @param rank the member's rank, in a collection that is not sorted by identifier
   */
  find(id: string, rank?: number): Member | undefined {
    this.#accessed = true;
    if (this.#packed === undefined) this.#decodeAndKeep();
    if (this.#members !== undefined) return this.#members[this.#indexIn(this.#members, id)];
    return this.#hotMembers?.get(id) ?? this.#findPacked(id, rank);
  }

  /**
   * The member at an index, read-only. Decodes only this member of a packed leaf. Throws if it is damaged.
   *
   * @param reader keeps the row positions between calls
   */
  at(place: number, reader: RowReader): Member {
    this.#accessed = true;
    if (this.#packed === undefined) this.#decodeAndKeep();
    if (this.#members !== undefined) return this.#members[place] as Member;
    const packed = this.#packed as PackedLeaf;
    if (!this.#isRarelyRead(packed)) return this.#decode()[place] as Member;
    return withOrigin(packed, () => {
      reader.rows ??= this.#rows ?? checkedRows(packed);
      return this.#hotMembers?.get(reader.rows.id(place)) ?? this.#decodeRow(reader.rows, place);
    });
  }

  /**
   * The index and rank of a member, for a change. Throws if any member of the leaf is damaged.
   *
   * @param rank as for {@link find}
   */
  place(id: string, rank?: number): { readonly at: number; readonly rank: number } | undefined {
    if (this.#members === undefined && this.#memoryPolicy === undefined) return this.#patchable().place(id, rank);
    const { members } = this;
    const at = this.#members === undefined ? indexOf(members, id) : this.#indexIn(members, id);
    const member = members[at];
    return member && { at, rank: member.rank };
  }

  /** The leaf to change: this one, or a copy if a reader shares it. */
  writable(): Leaf {
    if (!this.shared) return this;
    const copy = this.replacement(this.members.slice());
    copy.#weight = this.#members === undefined ? -1 : this.#weight;
    return copy;
  }

  /** A leaf with other members that replaces this one. */
  replacement(members: Member[]): Leaf {
    const made = new Leaf(this.#resource, members, this.#memoryPolicy);
    if (this.#members === undefined || this.#mustPack) made.#requestPack();
    return made;
  }

  /** This leaf, or several replacements if its members are too large for one. */
  cut(): Leaf[] {
    if (this.#members === undefined && this.#packedBytes * decodedPerPacked <= 2 * leafBytesMax) return [this];
    const { members } = this;
    if (this.#weight < 0) this.#weight = members.reduce((sum, member) => sum + this.#weigh(member), 0);
    if (this.#weight <= 2 * leafBytesMax || members.length === 1) return [this];
    const cut: Leaf[] = [];
    let from = 0;
    let bytes = 0;
    for (let i = 0; i < members.length; i++) {
      const next = this.#weigh(members[i] as Member);
      if (i > from && bytes + next > leafBytesMax) {
        cut.push(this.replacement(members.slice(from, i)));
        from = i;
        bytes = 0;
      }
      bytes += next;
    }
    return [...cut, this.replacement(members.slice(from))];
  }

  /** Only on what {@link writable} returned. */
  splice(at: number, remove: number, ...add: Member[]): void {
    const [only] = add;
    if (only !== undefined && add.length === 1 && this.#patch(at, remove, only)) return;
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

  /** Evicts its decoded members: it keeps only bytes until the next access. */
  pack(): void {
    const members = this.#members;
    if (this.#packed === undefined) {
      const last = members?.at(-1);
      // Patched rows are bytes already.
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

  /** Whether the leaf was accessed since the previous call. */
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
    if (this.#memoryPolicy?.keep(rows.rowBytes(at), bytes) ?? true) {
      this.#rows = rows;
      this.#hotMembers ??= new Map();
      this.#hotMembers.set(member.value.id, member);
      this.#weight += bytes;
    } else member.json = uncacheable;
    return member;
  }

  /** Applies a change to the bytes, without a policy: one member replaced in place or appended. Returns false if it cannot. */
  #patch(at: number, remove: number, member: Member): boolean {
    if (this.#members !== undefined || this.#memoryPolicy !== undefined || this.shared) return false;
    const patched = this.#patchable();
    if (remove === 1 && patched.idAt(at) === member.value.id) patched.replace(at, member);
    else if (remove === 0 && at === patched.count && at < leafMembersMax) {
      patched.add(member);
      this.#lastId = member.value.id;
    } else return false;
    this.#packed = undefined;
    return true;
  }

  #patchable(): PatchedRows {
    this.#patched ??= new PatchedRows(this.#resource, this.#packed as PackedLeaf);
    return this.#patched;
  }

  /** The members of a packed leaf; they stay in memory if the policy allows it. */
  #decode(): Member[] {
    if (this.#packed === undefined) {
      const members = (this.#patched as PatchedRows).members();
      this.#hold(members, -1);
      return members;
    }
    const packed = this.#packed;
    const members = unpackLeaf(this.#resource, packed);
    // A member that was decoded before stays the same object and keeps its cached JSON.
    if (this.#hotMembers !== undefined)
      for (let i = 0; i < members.length; i++) {
        const known = this.#hotMembers.get((members[i] as Member).value.id);
        if (known !== undefined) members[i] = known;
      }
    // The sampled members may be smaller than the others: decoded size is at least the packed size.
    const bytes = Math.max(weighAll(this.#resource, members), packed.bytes().byteLength);
    if (this.#memoryPolicy?.keep(packed.bytes().byteLength, bytes) ?? true) this.#hold(members, bytes);
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
    this.#memoryPolicy?.onOverBudget(this);
  }

  get #packedBytes(): number {
    return this.#patched?.bytes ?? (this.#packed as PackedLeaf).bytes().byteLength;
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
    this.#patched = undefined;
  }
}

const indexOf = (members: readonly Member[], id: string): number => members.findIndex(({ value }) => value.id === id);

/** Estimated size of members, from a sample; in bytes. */
function weighAll({ weighMember }: Resource, members: readonly Member[]): number {
  const step = Math.ceil(members.length / samples);
  let bytes = 0;
  let count = 0;
  for (let i = 0; i < members.length; i += step) {
    bytes += weighMember((members[i] as Member).value);
    count++;
  }
  return count === 0 ? 0 : Math.ceil((bytes / count) * members.length);
}
