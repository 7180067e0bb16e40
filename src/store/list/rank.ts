/**
 * Ranks for a new order that move as few members as possible: the longest ascending subsequence stays (Fredman 1975), and the other
 * members get ranks between their new neighbours. So a cursor at a rank neither skips nor repeats a member that stayed.
 */
import { firstIndex } from '../../lib/first-index.ts';

/**
 * @param ranks the current ranks of the members, in the new order
 * @param next the first rank never used
 * @returns ascending ranks; `renumbered` if two neighbours had no rank between them and all ranks were reassigned
 */
export function rankInOrder(ranks: readonly number[], next: number): { ranks: number[]; renumbered: boolean } {
  const stays = longestAscending(ranks);
  const result = ranks.slice();
  let from = 0;
  for (const kept of [...stays, ranks.length]) {
    const count = kept - from;
    const below = from === 0 ? undefined : (result[from - 1] as number);
    const above = kept === ranks.length ? undefined : (ranks[kept] as number);
    for (let i = 0; i < count; i++) result[from + i] = between(below, above, i + 1, count, next);
    from = kept + 1;
  }
  const ascending = result.every((rank, i) => i === 0 || rank > (result[i - 1] as number));
  return ascending ? { ranks: result, renumbered: false } : { ranks: result.map((_, i) => i), renumbered: true };
}

function between(below: number | undefined, above: number | undefined, position: number, count: number, next: number): number {
  if (above === undefined) return next + position - 1;
  return below === undefined ? above - (count + 1 - position) : below + ((above - below) * position) / (count + 1);
}

/** Positions of a longest strictly ascending subsequence. */
function longestAscending(values: readonly number[]): number[] {
  const ends: number[] = []; // ends[k]: position of the smallest value that ends an ascending run of k + 1
  const before = new Int32Array(values.length).fill(-1);
  values.forEach((value, position) => {
    const at = firstIndex(ends.length, (k) => (values[ends[k] as number] as number) >= value);
    if (at > 0) before[position] = ends[at - 1] as number;
    ends[at] = position;
  });
  const run: number[] = [];
  for (let position = ends.at(-1) ?? -1; position >= 0; position = before[position] as number) run.push(position);
  return run.reverse();
}
