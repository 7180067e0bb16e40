/** Members of a captured collection: all of them to select from, and those that were selected, decoded as they are asked for. */
import { firstIndex } from '../lib/first-index.ts';
import type { Capture } from './collection.ts';
import type { Leaf, RowReader } from './leaf.ts';
import type { Member } from './member.ts';
import { batchMax, type Source } from './selection.ts';

/** A captured collection to select from: a batch is a leaf. */
export class CapturedMembers implements Source {
  readonly #leaves: readonly Leaf[];
  /** One for each leaf of which single members were read: a percent or two of what the leaf takes as bytes. */
  readonly #readers: RowReader[] = [];
  #bytes = 0;

  constructor({ leaves }: Capture) {
    this.#leaves = leaves;
  }

  /** Memory that reading single members took, about; in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get batches(): number {
    return this.#leaves.length;
  }

  batch(index: number): readonly Member[] {
    return (this.#leaves[index] as Leaf).members;
  }

  /** The first place whose member has a greater rank. */
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

/** Those at some places, in their order: four bytes for each, and what the source needs to find those that are bytes. */
export class Selected implements Iterable<Member> {
  readonly #source: CapturedMembers;
  readonly #places: Uint32Array;

  constructor(source: CapturedMembers, places: Uint32Array) {
    this.#source = source;
    this.#places = places;
  }

  /** Memory that it takes, about; in bytes. */
  get bytes(): number {
    return this.#places.byteLength + this.#source.bytes;
  }

  get last(): Member | undefined {
    const place = this.#places.at(-1);
    return place === undefined ? undefined : this.#source.at(place);
  }

  /** Those that follow each other and stand in one leaf come together, so that it is decoded once. */
  get leaves(): Iterable<{ readonly members: readonly Member[] }> {
    return { [Symbol.iterator]: () => this.#neighbours() };
  }

  *[Symbol.iterator](): Generator<Member, void> {
    for (const { members } of this.leaves) yield* members;
  }

  *#neighbours(): Generator<{ readonly members: readonly Member[] }, void> {
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
