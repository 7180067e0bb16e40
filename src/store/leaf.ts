/**
 * A leaf: up to {@link leafMembersMax} neighbours of one collection. It is the grain of everything that should cost what was
 * touched and not what is stored: decoded when it is worth it, copied when changed under a reader, written again by a fold only when it
 * changed.
 *
 *                  a few looks at single members       more of them, a list, a change
 *     packed bytes ───────────────────────▶ bytes, a few members ───────────────▶ all members (and the bytes, until a change)
 *          ▲                                      │                                     │
 *          └────────── not looked into for a while, and memory is wanted ◀──────────────┘
 *
 * Letting go of members that nobody changed costs nothing, since their bytes are still there; changed ones are encoded again.
 * Whether there is room for what is decoded is for the {@link Keeper} to say: where it says no, a look leaves the leaf as it is, and a
 * change is made into bytes again.
 *
 * Without a keeper (in a fold) nobody looks at a member but to change it: then the bytes are amended, and the rest stays as it is.
 *
 * Members are immutable and stand in ascending rank. A leaf handed to a reader is `shared` and its members never change again: the
 * collection puts a copy in its place first. That they are decoded or let go of meanwhile is no change.
 */

import type { Resource } from '../model/resource.ts';
import { memberBytes, weighMember } from '../model/weigh.ts';
import { AmendedRows } from './amended-rows.ts';
import { type Member, type PackedLeaf, passing } from './member.ts';
import { checkedRows, described, memberOf, packedAgain, packMembers, unpackLeaf } from './member-rows.ts';
import { listHead, type PackedRows } from './packed-rows.ts';
import { flat, Tails } from './tails.ts';

/** Members in a leaf, at most. */
export const leafMembersMax = 256;
/**
 * What a leaf's members weigh when it gets no further one, in bytes; it is cut at twice as much. So what a look or a change has to decode
 * is bounded, however large members are.
 */
const leafBytesMax = 1024 * 1024;
/** Bytes of what is decoded for one that is packed, usually. */
const decodedPerPacked = 5;
/** A leaf is decoded whole when so many of its members, or this share of them, were looked at one by one. */
const few = { members: 4, share: 1 / 8 };
/** So many members are looked through one by one. */
const scannedMax = 16;
/** How many members of a leaf are weighed for all of them. */
const weighed = 4;

/** Says whether there is memory for what could be made again from bytes. */
export interface Keeper {
  /**
   * Whether members decoded from so many bytes may stay in memory.
   *
   * @param decodedBytes what they weigh decoded, about
   */
  keep(packedBytes: number, decodedBytes: number): boolean;
  /** A change had to decode this leaf although there was no room: it is to be packed when the change is complete. */
  pressed(leaf: Leaf): void;
}

/** Somebody who reads single members of one leaf. */
export interface RowReader {
  rows: PackedRows | undefined;
}

export class Leaf {
  readonly #resource: Resource;
  readonly #keeper: Keeper | undefined;
  /** All members, while the leaf is decoded. */
  #members: Member[] | undefined;
  /** The same as bytes, until a change. */
  #packed: PackedLeaf | undefined;
  /** The bytes, or what changes have made of them, where nobody wants to keep members. There is always one of the three. */
  #amended: AmendedRows | undefined;
  /** Members that were looked at one by one while the leaf is packed, and where the rows are. */
  #few: Map<string, Member> | undefined;
  #rows: PackedRows | undefined;
  /** Finds among the members, from when that was first needed. */
  #tails: Tails | undefined;
  #lastId: string;
  /** What is decoded weighs about so many bytes; -1 when that is not known since a change. */
  #weight = 0;
  #looked = false;
  /** It is to be packed when the change is complete. */
  #pressed = false;
  shared = false;

  /** @param keeper without one, what was decoded stays so */
  constructor(resource: Resource, content: Member[] | PackedLeaf, keeper?: Keeper) {
    this.#resource = resource;
    this.#keeper = keeper;
    if (Array.isArray(content)) {
      this.#members = content;
      this.#weight = -1;
      this.#looked = true;
    } else this.#packed = content;
    this.#lastId = flat(Array.isArray(content) ? (content.at(-1)?.value.id ?? '') : content.lastId);
  }

  get count(): number {
    return this.#members?.length ?? this.#amended?.count ?? (this.#packed as PackedLeaf).count;
  }

  /** Of its last member; a field of its own, since every search in a large collection compares a few of them. */
  get lastId(): string {
    return this.#lastId;
  }

  get lastRank(): number {
    return this.#members?.at(-1)?.rank ?? this.#amended?.lastRank ?? (this.#packed as PackedLeaf).lastRank;
  }

  /** Its bytes (those of the previous snapshot, if it was there), while no member changed since. */
  get packed(): PackedLeaf | undefined {
    return this.#packed;
  }

  /** Whether all members are in memory as values. */
  get decoded(): boolean {
    return this.#members !== undefined;
  }

  /** Bytes of the rows of its members, one by one: what does not depend on which of them are in one leaf. */
  get rowBytes(): number {
    const rows = this.#packed?.bytes() ?? this.amendedRows() ?? packMembers(this.#resource, this.members);
    return rows.byteLength - listHead(this.count).byteLength;
  }

  /** What its decoded members take beside the bytes, about; in bytes. */
  get decodedBytes(): number {
    if (this.#weight < 0) this.#weight = this.#members === undefined ? 0 : weighAll(this.#resource, this.#members);
    return this.#weight;
  }

  /** Whether further members are to go into another leaf. */
  get full(): boolean {
    if (this.count >= leafMembersMax) return true;
    return (this.#members === undefined ? this.#packedBytes * decodedPerPacked : this.decodedBytes) >= leafBytesMax;
  }

  /** Has its members at hand from now on, and says how many; throws when they are damaged. */
  decode(): number {
    return this.#own().length;
  }

  /** Its rows as they are now, if they were changed without being decoded. */
  amendedRows(): Buffer | undefined {
    return this.#packed === undefined ? this.#amended?.pack() : undefined;
  }

  /** The members, to read. */
  get members(): readonly Member[] {
    this.#looked = true;
    return this.#members ?? this.#decode();
  }

  /**
   * One member, to read: of a packed leaf, without decoding the others. Throws when it is damaged.
   *
   * @param rank where it stands, in a collection that is not sorted by identifier
   */
  find(id: string, rank?: number): Member | undefined {
    this.#looked = true;
    if (this.#packed === undefined) this.#own();
    if (this.#members !== undefined) return this.#members[this.#indexIn(this.#members, id)];
    return this.#few?.get(id) ?? this.#findPacked(id, rank);
  }

  /**
   * The member at a place, to read: of a packed leaf, without decoding the others. Throws when it is damaged.
   *
   * @param reader keeps, for whoever comes back often, what finding a row takes
   */
  at(place: number, reader: RowReader): Member {
    this.#looked = true;
    if (this.#packed === undefined) this.#own();
    if (this.#members !== undefined) return this.#members[place] as Member;
    const packed = this.#packed as PackedLeaf;
    if (!this.#seldomLookedAt(packed)) return this.#decode()[place] as Member;
    return described(packed, () => {
      reader.rows ??= this.#rows ?? checkedRows(packed);
      return this.#few?.get(reader.rows.id(place)) ?? this.#decodeRow(reader.rows, place);
    });
  }

  /**
   * Where a member is among all, and its rank, for a change. Throws when any of them is damaged.
   *
   * @param rank as for {@link find}
   */
  place(id: string, rank?: number): { readonly at: number; readonly rank: number } | undefined {
    if (this.#members === undefined && this.#keeper === undefined) return this.#amendable().place(id, rank);
    const { members } = this;
    const at = this.#members === undefined ? indexOf(members, id) : this.#indexIn(members, id);
    const member = members[at];
    return member && { at, rank: member.rank };
  }

  /** This leaf, or a copy of it when a reader holds it: what may be changed. */
  writable(): Leaf {
    if (!this.shared) return this;
    const copy = this.replacement(this.members.slice());
    copy.#weight = this.#members === undefined ? -1 : this.#weight;
    return copy;
  }

  /** A leaf with other members, in the place of this one, which was looked into. */
  replacement(members: Member[]): Leaf {
    const made = new Leaf(this.#resource, members, this.#keeper);
    if (this.#members === undefined || this.#pressed) made.#press();
    return made;
  }

  /** This leaf, or several in its place when its members have become too large for one. */
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
    if (only !== undefined && add.length === 1 && this.#amends(at, remove, only)) return;
    const members = this.#own();
    const inPlace = add.length === 1 && remove === 1 && only?.value.id === members[at]?.value.id;
    const atEnd = add.length === 1 && remove === 0 && at === members.length && at < leafMembersMax;
    const removed = members.splice(at, remove, ...add);
    if (atEnd) this.#tails?.add((only as Member).value.id);
    else if (add.length === 0 && remove === 1) this.#tails?.remove(at);
    else if (!inPlace) this.#tails = undefined;
    if (!inPlace) this.#lastId = members.at(-1)?.value.id ?? '';
    this.#packed = undefined;
    if (this.#weight < 0) return;
    for (const member of add) this.#weight += this.#weigh(member);
    for (const member of removed) this.#weight -= this.#weigh(member);
    // What is there was judged by a few: what remains of that when others are gone is judged again.
    if (this.#weight < members.length * memberBytes) this.#weight = -1;
  }

  /** Lets go of its members: they are bytes until somebody looks. */
  pack(): void {
    const members = this.#members;
    if (this.#packed === undefined) {
      const last = members?.at(-1);
      // What was amended is bytes already.
      if (members === undefined || last === undefined) return;
      this.#packed = packedAgain(this.#resource, members, last);
    }
    this.#members = undefined;
    this.#tails = undefined;
    this.#few = undefined;
    this.#rows = undefined;
    this.#weight = 0;
    this.#pressed = false;
  }

  /** Whether anybody looked into it since this was asked last. */
  wasLookedInto(): boolean {
    const looked = this.#looked;
    this.#looked = false;
    return looked;
  }

  /** One member of a packed leaf. */
  #findPacked(id: string, rank: number | undefined): Member | undefined {
    const packed = this.#packed as PackedLeaf;
    if (!this.#seldomLookedAt(packed)) {
      const members = this.#decode();
      return members[indexOf(members, id)];
    }
    return described(packed, () => {
      const rows = this.#rows ?? checkedRows(packed);
      const at = rows.indexOf(id, rank);
      return at === undefined ? undefined : this.#decodeRow(rows, at);
    });
  }

  /** Whether so few members were looked at one by one that the next one is decoded alone. */
  #seldomLookedAt({ count }: PackedLeaf): boolean {
    const found = this.#few?.size ?? 0;
    return count > few.members && found < Math.max(few.members, count * few.share);
  }

  #decodeRow(rows: PackedRows, at: number): Member {
    const member = memberOf(this.#resource, rows.row(at));
    const bytes = this.#weigh(member) + (this.#rows === undefined ? rows.heldBytes : 0);
    if (this.#keeper?.keep(rows.rowBytes(at), bytes) ?? true) {
      this.#rows = rows;
      this.#few ??= new Map();
      this.#few.set(member.value.id, member);
      this.#weight += bytes;
    } else member.json = passing;
    return member;
  }

  /** A change to a leaf whose members nobody keeps: one of them replaced in its place, or one more at the end. */
  #amends(at: number, remove: number, member: Member): boolean {
    if (this.#members !== undefined || this.#keeper !== undefined || this.shared) return false;
    const amended = this.#amendable();
    if (remove === 1 && amended.idAt(at) === member.value.id) amended.replace(at, member);
    else if (remove === 0 && at === amended.count && at < leafMembersMax) {
      amended.add(member);
      this.#lastId = member.value.id;
    } else return false;
    this.#packed = undefined;
    return true;
  }

  #amendable(): AmendedRows {
    this.#amended ??= new AmendedRows(this.#resource, this.#packed as PackedLeaf);
    return this.#amended;
  }

  /** The members of a packed leaf, which stay if there is room. */
  #decode(): Member[] {
    if (this.#packed === undefined) {
      const members = (this.#amended as AmendedRows).members();
      this.#hold(members, -1);
      return members;
    }
    const packed = this.#packed;
    const members = unpackLeaf(this.#resource, packed);
    // One that was looked at already is the same one now, and its JSON with it.
    if (this.#few !== undefined)
      for (let i = 0; i < members.length; i++) {
        const known = this.#few.get((members[i] as Member).value.id);
        if (known !== undefined) members[i] = known;
      }
    // A few may be small where others are not: decoded, they take what they take packed at the least.
    const bytes = Math.max(weighAll(this.#resource, members), packed.bytes().byteLength);
    if (this.#keeper?.keep(packed.bytes().byteLength, bytes) ?? true) this.#hold(members, bytes);
    else for (const member of members) member.json ??= passing;
    return members;
  }

  /** The members, in memory in any case. */
  #own(): Member[] {
    this.#looked = true;
    if (this.#members !== undefined) return this.#members;
    const members = this.#decode();
    if (this.#members === undefined) {
      this.#press();
      this.#hold(members, -1);
    }
    return members;
  }

  #press(): void {
    this.#pressed = true;
    this.#keeper?.pressed(this);
  }

  get #packedBytes(): number {
    return this.#amended?.bytes ?? (this.#packed as PackedLeaf).bytes().byteLength;
  }

  #weigh({ value }: Member): number {
    return weighMember(this.#resource.fields, value);
  }

  #indexIn(members: readonly Member[], id: string): number {
    if (members.length <= scannedMax) return indexOf(members, id);
    this.#tails ??= new Tails(members.length, leafMembersMax, (i) => (members[i] as Member).value.id);
    return this.#tails.indexOf(id);
  }

  #hold(members: Member[], bytes: number): void {
    this.#members = members;
    this.#weight = bytes;
    this.#few = undefined;
    this.#rows = undefined;
    this.#amended = undefined;
  }
}

const indexOf = (members: readonly Member[], id: string): number => members.findIndex(({ value }) => value.id === id);

/** What members weigh, judged by a few of them; in bytes. */
function weighAll({ fields }: Resource, members: readonly Member[]): number {
  const step = Math.ceil(members.length / weighed);
  let bytes = 0;
  let count = 0;
  for (let i = 0; i < members.length; i += step) {
    bytes += weighMember(fields, (members[i] as Member).value);
    count++;
  }
  return count === 0 ? 0 : Math.ceil((bytes / count) * members.length);
}
