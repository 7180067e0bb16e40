/**
 * A leaf: up to {@link leafMembersMax} adjacent members of one collection. It is the unit of decoding, of copy-on-write under a reader,
 * and of snapshots: a snapshot writes only changed leaves. So costs depend on what is accessed, not on what is stored.
 *
 * A server has leaves of the kind in live-leaf.ts, which are made for reads and bounded memory. A snapshot run, a restore and a repair have those of
 * run-leaf.ts, which are made for changes.
 *
 * Members are immutable and in ascending rank order. A leaf given to a reader is `shared`, and its content never changes again: the
 * collection replaces it by a copy first. Decoding and eviction do not count as changes.
 */
import type { Resource } from '../model/resource.ts';
import type { Member, PackedLeaf } from './member.ts';
import type { PackedRows } from './rows/packed-rows.ts';

/** Maximum number of members in a leaf. */
export const leafMembersMax = 256;
/**
 * A leaf of this estimated decoded size gets no more members; at twice the size it is split. In bytes. So the cost of a read or a change
 * is bounded, for members of any size.
 */
const leafBytesMax = 1024 * 1024;
/** Typical ratio of decoded to packed bytes. */
const decodedPerPacked = 5;
/** Number of members sampled to estimate the size of a leaf. */
const samples = 4;

/** The state of a caller that reads single members of one leaf. */
export interface RowReader {
  rows: PackedRows | undefined;
}

export interface Leaf {
  readonly count: number;
  /** The identifier of its last member. */
  readonly lastId: string;
  readonly lastRank: number;
  /** Set when a reader has it. */
  shared: boolean;
  /** Its bytes (those of the previous snapshot, if it was there), while no member has changed since. */
  readonly packed: PackedLeaf | undefined;
  /** Whether all members are decoded. */
  readonly decoded: boolean;
  /** Total size of its members' rows, in bytes; independent of how members are divided into leaves. */
  readonly rowBytes: number;
  /** Estimated memory of decoded members that {@link pack} would free, in bytes. */
  readonly decodedBytes: number;
  /** Whether new members must go into another leaf. */
  readonly full: boolean;
  /** The members, read-only. Throws if one is damaged. */
  readonly members: readonly Member[];

  /** Decodes the leaf and keeps its members in memory. Returns their number; throws if they are damaged. */
  decode(): number;

  /** Its current rows, if they were changed without decoding. */
  patchedRows(): Buffer | undefined;

  /**
   * One member, read-only. Throws if it is damaged.
   *
   * @param rank the member's rank, in a collection that is not sorted by identifier
   */
  find(id: string, rank?: number): Member | undefined;

  /**
   * The member at an index, read-only. Throws if it is damaged.
   *
   * @param reader keeps the row positions between calls
   */
  at(place: number, reader: RowReader): Member;

  /**
   * The index and rank of a member, for a change. Throws if a member of the leaf is damaged.
   *
   * @param rank as for {@link find}
   */
  place(id: string, rank?: number): { readonly at: number; readonly rank: number } | undefined;

  /** The leaf to change: this one, or a copy if a reader shares it. */
  writable(): Leaf;

  /** A leaf with other members that replaces this one. */
  replacement(members: Member[]): Leaf;

  /** This leaf, or several replacements if its members are too large for one. */
  cut(): Leaf[];

  /** Only on what {@link writable} returned. */
  splice(at: number, remove: number, ...add: Member[]): void;

  /** Evicts decoded members, if bytes are enough. */
  pack(): void;

  /** Whether the leaf was accessed since the previous call. */
  wasAccessed(): boolean;
}

/** Makes the leaves of a state, all of one kind. */
export interface LeafKind {
  /** @param content members in ascending rank order, or their bytes */
  make(resource: Resource, content: Member[] | PackedLeaf): Leaf;
  /** Admits the memory of an index of members, in bytes, or throws MemoryFullError; `undefined` where memory is not limited. */
  readonly admitIndex?: ((bytes: number) => void) | undefined;
}

/** Whether a leaf gets no more members. @param decodedBytes called only if there are few */
export const isFull = (count: number, decodedBytes: () => number): boolean =>
  count >= leafMembersMax || decodedBytes() >= leafBytesMax;

/** Estimated size of members when decoded, in bytes. */
export const decodedFrom = (packedBytes: number): number => packedBytes * decodedPerPacked;

/** Whether members of this estimated decoded size need more than one leaf. */
export const isTooLarge = (decodedBytes: number): boolean => decodedBytes > 2 * leafBytesMax;

/** Divides members into parts of which each is small enough for a leaf, or has one member. */
export function divided({ weighMember }: Resource, members: readonly Member[]): Member[][] {
  const parts: Member[][] = [];
  let from = 0;
  let bytes = 0;
  members.forEach(({ value }, i) => {
    const next = weighMember(value);
    if (i > from && bytes + next > leafBytesMax) {
      parts.push(members.slice(from, i));
      from = i;
      bytes = 0;
    }
    bytes += next;
  });
  return [...parts, members.slice(from)];
}

/** Estimated size of members, from a sample; in bytes. */
export function weighAll({ weighMember }: Resource, members: readonly Member[]): number {
  const step = Math.ceil(members.length / samples);
  let bytes = 0;
  let count = 0;
  for (let i = 0; i < members.length; i += step) {
    bytes += weighMember((members[i] as Member).value);
    count++;
  }
  return count === 0 ? 0 : Math.ceil((bytes / count) * members.length);
}

/** Exact size of members, in bytes. */
export const weighEach = ({ weighMember }: Resource, members: readonly Member[]): number =>
  members.reduce((sum, { value }) => sum + weighMember(value), 0);

export const indexOf = (members: readonly Member[], id: string): number => members.findIndex(({ value }) => value.id === id);
