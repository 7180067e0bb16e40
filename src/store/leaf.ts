/**
 * A leaf: up to {@link leafMembersMax} neighbours of one collection. It is the grain of everything that should cost what was
 * touched and not what is stored: decoded when first looked into, copied when changed under a reader, written again by a fold only
 * when it changed.
 *
 *     snapshot chunk ──(first look)──▶ members ──(change)──▶ members, no chunk
 *
 * While memory is short ({@link Keeper}) a look leaves the chunk as it is, and a change is made into a chunk again.
 *
 * Members are immutable and stand in ascending rank. A leaf handed to a reader is `shared` and never changes again: the collection
 * puts a copy in its place first.
 */

import type { Resource } from '../model/resource.ts';
import { pack, RecordFormatError, stored, unpack } from '../model/stored.ts';
import type { Value } from '../model/value.ts';

/** Members in a leaf, at most. */
export const leafMembersMax = 256;

export interface Member {
  readonly value: Value;
  /** LSN of the record that last changed it. */
  readonly version: number;
  /** Where it stands in its collection: ascending, not contiguous, kept while the member is not moved. */
  readonly rank: number;
  /** Its JSON, while the cache has it. */
  json: string | undefined;
}

/** A leaf as a snapshot holds it. */
export interface PackedLeaf {
  readonly count: number;
  readonly lastId: string;
  readonly lastRank: number;
  /** The newest version that a member in it may have. */
  readonly version: number;
  /** The rows as {@link packMembers} made them, from memory or from the file; throws when they are damaged. */
  bytes(): Uint8Array;
  /** The error for rows that cannot be what was written: it names their file and their place in it. */
  damage(found: string): Error;
}

/** Says whether there is memory for what could be made again from bytes. */
export interface Keeper {
  /** Whether members decoded from so many bytes may stay in memory. */
  keep(bytes: number): boolean;
  /** A change had to decode this leaf although there was no room: it is to be packed when the change is complete. */
  pressed(leaf: Leaf): void;
}

export class Leaf {
  readonly #resource: Resource;
  readonly #keeper: Keeper | undefined;
  #members: Member[] | undefined;
  #packed: PackedLeaf | undefined;
  shared = false;

  /** @param keeper without one, what was decoded stays so */
  constructor(resource: Resource, content: Member[] | PackedLeaf, keeper?: Keeper) {
    this.#resource = resource;
    this.#keeper = keeper;
    if (Array.isArray(content)) this.#members = content;
    else this.#packed = content;
  }

  get count(): number {
    return this.#members?.length ?? (this.#packed as PackedLeaf).count;
  }

  get lastId(): string {
    return this.#members === undefined ? (this.#packed as PackedLeaf).lastId : (this.#members.at(-1) as Member).value.id;
  }

  get lastRank(): number {
    return this.#members === undefined ? (this.#packed as PackedLeaf).lastRank : (this.#members.at(-1) as Member).rank;
  }

  /** The chunk of the previous snapshot, while the leaf was not looked into since. */
  get packed(): PackedLeaf | undefined {
    return this.#packed;
  }

  /** Has its members at hand from now on, and says how many; throws when they are damaged. */
  decode(): number {
    return this.#own().length;
  }

  /** The members, to read. */
  get members(): readonly Member[] {
    return this.#members ?? this.#decode();
  }

  /** This leaf, or a copy of it when a reader holds it: what may be changed. */
  writable(): Leaf {
    return this.shared ? this.replacement(this.members.slice()) : this;
  }

  /** A leaf with other members, in the place of this one, which was looked into. */
  replacement(members: Member[]): Leaf {
    const made = new Leaf(this.#resource, members, this.#keeper);
    if (this.#packed !== undefined) this.#keeper?.pressed(made);
    return made;
  }

  /** Only on what {@link writable} returned. */
  splice(at: number, remove: number, ...add: Member[]): void {
    this.#own().splice(at, remove, ...add);
  }

  /** Makes bytes of the members again. */
  pack(): void {
    const members = this.#members;
    const last = members?.at(-1);
    if (members === undefined || last === undefined) return;
    // A copy of their own size: the encoder's buffer is larger and shared.
    const bytes = Uint8Array.prototype.slice.call(packMembers(this.#resource, members));
    this.#packed = {
      count: members.length,
      lastId: last.value.id,
      lastRank: last.rank,
      version: members.reduce((newest, { version }) => Math.max(newest, version), 0),
      bytes: () => bytes,
      damage: (found) => new Error(`members packed in memory cannot be read: ${found}`),
    };
    this.#members = undefined;
  }

  /** The members of a packed leaf, which stay if there is room. */
  #decode(): Member[] {
    const packed = this.#packed as PackedLeaf;
    const members = unpackLeaf(this.#resource, packed);
    if (this.#keeper?.keep(packed.bytes().byteLength) ?? true) {
      this.#members = members;
      this.#packed = undefined;
    }
    return members;
  }

  /** The members, in memory in any case. */
  #own(): Member[] {
    if (this.#members !== undefined) return this.#members;
    const members = this.#decode();
    if (this.#packed !== undefined) this.#keeper?.pressed(this);
    this.#members = members;
    this.#packed = undefined;
    return members;
  }
}

/** `[[rank, version, ...row], ...]` as msgpack. */
export function packMembers(resource: Resource, members: readonly Member[]): Buffer {
  return pack(members.map(({ value, version, rank }) => [rank, version, ...resource.toRow(value)]));
}

/** Throws a {@link RecordFormatError} for anything else than {@link packMembers} makes. */
export function unpackMembers(resource: Resource, bytes: Uint8Array): Member[] {
  return unpack(bytes).map((item) => {
    const [rank, version, ...row] = stored.list(item, 'a member');
    return {
      value: resource.fromRow(row),
      version: stored.count(version, 'a version'),
      rank: stored.number(rank, 'a rank'),
      json: undefined,
    };
  });
}

/** The members of a chunk, which must be those that the snapshot's index says. */
function unpackLeaf(resource: Resource, packed: PackedLeaf): Member[] {
  try {
    const members = unpackMembers(resource, packed.bytes());
    const last = members.at(-1);
    if (members.length !== packed.count || last?.value.id !== packed.lastId || last.rank !== packed.lastRank) {
      throw new RecordFormatError('its members are not those that the index says');
    }
    for (let i = 0; i < members.length; i++) {
      const { rank, version } = members[i] as Member;
      if (i > 0 && rank <= (members[i - 1] as Member).rank) throw new RecordFormatError('its members are not in their order');
      if (version > packed.version) throw new RecordFormatError(`a member of version ${version}, above ${packed.version}`);
    }
    return members;
  } catch (error) {
    throw error instanceof RecordFormatError ? packed.damage(error.message) : error;
  }
}
