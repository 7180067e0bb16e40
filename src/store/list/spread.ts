/**
 * Makes room between two neighbours that have no rank between them: the members around them get ranks at equal distances. How many are
 * around them: whole leaves, twice as many as before until the distance is large enough. It must be the larger the more members there
 * are, so that a few changes are made often and many seldom, however many members go to one place.
 */
import type { Leaf } from '../leaf.ts';
import type { Member } from '../member.ts';

/** Least distance of ranks for each member whose rank changes. */
const distanceOfEach = 2 ** -20;

/** Leaves whose members get other ranks, and these ranks: `first`, `first + distance`, … The last member keeps its own. */
interface Spread {
  /** Index of the first leaf. */
  readonly from: number;
  /** Index after the last one. */
  readonly to: number;
  readonly first: number;
  readonly distance: number;
}

/** @param at index of the leaf with the member that another one is to be placed before */
export function spreadAround(leaves: readonly Leaf[], at: number): Spread {
  for (let reach = 0; ; reach = reach * 2 + 1) {
    const from = Math.max(0, at - reach);
    const to = Math.min(leaves.length, at + reach + 1);
    // One more than there are, for the member to be placed.
    const count = leaves.slice(from, to).reduce((sum, leaf) => sum + leaf.count, 1);
    const last = (leaves[to - 1] as Leaf).lastRank;
    // Before the first member there is always room.
    const below = from === 0 ? last - count : (leaves[from - 1] as Leaf).lastRank;
    const distance = (last - below) / count;
    if (from === 0 || distance >= count * distanceOfEach) return { from, to, first: below + distance, distance };
  }
}

/** Leaves with other ranks for their members, by the index of the first of them, and a rank that is free directly before a member. */
export function spreadBefore(leaves: readonly Leaf[], { leaf: at, at: place }: { readonly leaf: number; readonly at: number }) {
  const { from, to, first, distance } = spreadAround(leaves, at);
  const last = leaves[to - 1] as Leaf;
  let count = 0;
  let free = first;
  const next = leaves.slice(from, to).map((leaf, i) => {
    const members = leaf.members.map((member, j): Member => {
      if (from + i === at && j === place) free = first + distance * count++;
      // A sum may be rounded up, beyond the rank of the member that follows.
      const isLast = from + i === to - 1 && j === last.count - 1;
      return { ...member, rank: isLast ? last.lastRank : first + distance * count++, json: undefined };
    });
    return leaf.replacement(members);
  });
  return { from, next, free };
}

/** A rank between two others; `undefined` if there is none. */
export function rankBetween(below: number, above: number): number | undefined {
  const rank = (below + above) / 2;
  return rank > below && rank < above ? rank : undefined;
}
