/** Finds rings that cross themselves. */
import type { Pixel } from '../../../lib/geo/geo.ts';

/** Pairs of edges that are compared in one ring, at most: a bound of time for hostile rings. */
const pairsMax = 200_000;

interface Edge {
  readonly index: number;
  readonly from: Pixel;
  readonly to: Pixel;
  readonly left: number;
  readonly right: number;
}

/** Whether two edges of a ring cross in their interior. Of a very intricate ring only a part is compared. */
export function crossesItself(ring: readonly Pixel[]): boolean {
  const edges = ring.map((from, index): Edge => {
    const to = ring[(index + 1) % ring.length] as Pixel;
    return { index, from, to, left: Math.min(from.x, to.x), right: Math.max(from.x, to.x) };
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

const side = (from: Pixel, to: Pixel, at: Pixel): number =>
  Math.sign((to.x - from.x) * (at.y - from.y) - (to.y - from.y) * (at.x - from.x));
