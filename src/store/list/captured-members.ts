/** Members of a captured collection: a source for selections, and the selected members, decoded on access. */
import { firstIndex } from '../../lib/first-index.ts';
import type { Leaf, RowReader } from '../leaf.ts';
import type { Capture } from '../leaf-list.ts';
import type { Member } from '../member.ts';
import { batchMax, type SelectionSource } from './selection.ts';

/** A captured collection as a source for selections: one batch per leaf. */
export class CapturedMembers implements SelectionSource {
  readonly #leaves: readonly Leaf[];
  /** One per leaf with individually decoded members: 1 to 2 % of the leaf's bytes. */
  readonly #readers: RowReader[] = [];
  #bytes = 0;

  constructor({ leaves }: Capture) {
    this.#leaves = leaves;
  }

  /** Estimated memory for individually decoded members, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get batches(): number {
    return this.#leaves.length;
  }

  batch(index: number): readonly Member[] {
    return (this.#leaves[index] as Leaf).members;
  }

  /** The first place whose member has a rank above `rank`. */
  placeAbove(rank: number): number {
    const leaves = this.#leaves;
    const leaf = firstIndex(leaves.length, (index) => (leaves[index] as Leaf).lastRank > rank);
    if (rank === Number.NEGATIVE_INFINITY || leaf === leaves.length) return leaf * batchMax;
    const members = this.batch(leaf);
    return leaf * batchMax + firstIndex(members.length, (index) => (members[index] as Member).rank > rank);
  }

  at(place: number): Member {
    const leaf = Math.floor(place / batchMax);
    this.#readers[leaf] ??= { rows: undefined };
    const reader = this.#readers[leaf];
    const before = reader.rows;
    const member = (this.#leaves[leaf] as Leaf).at(place % batchMax, reader);
    if (reader.rows !== before) this.#bytes += reader.rows?.heldBytes ?? 0;
    return member;
  }
}

/** The members at the given places, in that order. Costs 4 bytes per member, and what the source needs to find encoded rows. */
export class Selected implements Iterable<Member> {
  readonly #source: CapturedMembers;
  readonly #places: Uint32Array;

  constructor(source: CapturedMembers, places: Uint32Array) {
    this.#source = source;
    this.#places = places;
  }

  /** Estimated memory, in bytes. */
  get bytes(): number {
    return this.#places.byteLength + this.#source.bytes;
  }

  get last(): Member | undefined {
    const place = this.#places.at(-1);
    return place === undefined ? undefined : this.#source.at(place);
  }

  /** Consecutive members of one leaf come as one group, so that the leaf is decoded once. */
  get leaves(): Iterable<{ readonly members: readonly Member[] }> {
    return { [Symbol.iterator]: () => this.#groups() };
  }

  *[Symbol.iterator](): Generator<Member, void> {
    for (const { members } of this.leaves) yield* members;
  }

  *#groups(): Generator<{ readonly members: readonly Member[] }, void> {
    const places = this.#places;
    for (let begin = 0, end = 0; begin < places.length; begin = end) {
      const leaf = Math.floor((places[begin] as number) / batchMax);
      while (end < places.length && Math.floor((places[end] as number) / batchMax) === leaf) end++;
      if (end - begin === 1) yield { members: [this.#source.at(places[begin] as number)] };
      else {
        const all = this.#source.batch(leaf);
        yield { members: Array.from(places.subarray(begin, end), (place) => all[place % batchMax] as Member) };
      }
    }
  }
}
