/** Finds rings that cross themselves. */
import type { Position } from '../read/file-data.ts';

/** Pairs of edges that are compared in one ring, at most: a bound of time for hostile rings. */
const pairsMax = 200_000;

interface Edge {
  readonly index: number;
  readonly from: Position;
  readonly to: Position;
  readonly left: number;
  readonly right: number;
}

/** Whether two edges of a ring cross in their interior. Of a very intricate ring only a part is compared. */
export function crossesItself(ring: readonly Position[]): boolean {
  const edges = ring.map((from, index): Edge => {
    const to = ring[(index + 1) % ring.length] as Position;
    return { index, from, to, left: Math.min(from[0], to[0]), right: Math.max(from[0], to[0]) };
  });
  edges.sort((a, b) => a.left - b.left);
  let pairs = 0;
  for (let i = 0; i < edges.length; i++) {
    const one = edges[i] as Edge;
    for (let j = i + 1; j < edges.length; j++) {
      const other = edges[j] as Edge;
      if (other.left > one.right) break;
      if (++pairs > pairsMax) return false;
      if (cross(one, other)) return true;
    }
  }
  return false;
}

const cross = ({ from: a, to: b }: Edge, { from: c, to: d }: Edge): boolean =>
  side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;

const side = (from: Position, to: Position, at: Position): number =>
  Math.sign((to[0] - from[0]) * (at[1] - from[1]) - (to[1] - from[1]) * (at[0] - from[0]));
