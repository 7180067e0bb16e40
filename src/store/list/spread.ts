/**
 * Makes room between two neighbours that have no rank between them: the members around them get ranks at equal distances. How many are
 * around them: whole leaves, twice as many as before until the distance is large enough. It must be the larger the more members there
 * are, so that a few changes are made often and many seldom, however many members go to one place.
 */
import type { Leaf } from '../leaf.ts';

/** Least distance of ranks for each member whose rank changes. */
const distanceOfEach = 2 ** -20;

/** Leaves whose members get other ranks, and these ranks: `first`, `first + distance`, … */
export interface Spread {
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
