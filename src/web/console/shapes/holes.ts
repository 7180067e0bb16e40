/** Holes of a polygon: which rings can be one, and rings by their place: 0 for the outline, then the holes. */
import { isInside } from '../../../lib/geo/polygon.ts';
import { between, boxOf, centreOf, distance, nearestOn, type Point, type Polygon, type Ring } from './shape.ts';

/** Holes of a polygon at most, as the server takes them. */
export const holesMax = 100;
/** Pixels within which a corner is on an edge. */
const onEdge = 0.01;

/** Why a ring cannot be a hole. */
export type HoleRefusal = 'outside' | 'overlaps' | 'many';

const edges = (ring: Ring): (readonly [Point, Point])[] => ring.map((to, at) => [ring.at(at - 1) as Point, to]);

const isOn = (ring: Ring, at: Point): boolean => edges(ring).some(([a, b]) => distance(nearestOn(a, b, at), at) <= onEdge);

/** Twice the area of a triangle; its sign is the side of the line from `a` to `b` on which `c` is. */
const side = (a: Point, b: Point, c: Point): number => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);

/** True if two edges cross between their ends. */
const crosses = ([a, b]: readonly [Point, Point], [c, d]: readonly [Point, Point]): boolean =>
  side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;

const ringsCross = (one: Ring, other: Ring): boolean =>
  edges(one).some((edge) => edges(other).some((each) => crosses(edge, each)));

/** Corners of a ring, and the middles of its edges. */
const pointsOf = (ring: Ring): readonly Point[] => [...ring, ...edges(ring).map(([a, b]) => between(a, b))];

/** True if part of a ring is inside of another one: also if both are the same. */
function reachesInto(ring: Ring, other: Ring): boolean {
  const centre = centreOf(boxOf({ coords: ring }));
  const points = isInside(centre, ring) ? [...pointsOf(ring), centre] : pointsOf(ring);
  return points.some((at) => isInside(at, other) && !isOn(other, at));
}

/** Why a ring, or its first corners, cannot be a hole of a polygon; `undefined` if it can. */
export function holeRefusal({ coords, holes = [] }: Polygon, ring: Ring): HoleRefusal | undefined {
  if (holes.length >= holesMax) return 'many';
  const isIn = (at: Point): boolean => isInside(at, coords) || isOn(coords, at);
  if (ring.length < 3) {
    if (!ring.every(isIn)) return 'outside';
    return holes.some((hole) => ring.some((at) => isInside(at, hole) && !isOn(hole, at))) ? 'overlaps' : undefined;
  }
  if (!pointsOf(ring).every(isIn) || ringsCross(ring, coords)) return 'outside';
  const overlaps = (hole: Ring): boolean => reachesInto(ring, hole) || reachesInto(hole, ring) || ringsCross(ring, hole);
  return holes.some(overlaps) ? 'overlaps' : undefined;
}

/** All rings of a polygon: its outline, then its holes. */
export const ringsOf = ({ coords, holes = [] }: Polygon): readonly Ring[] => [coords, ...holes];

/** A polygon, or what changes of it, with another ring at a place; without corners, that hole is removed. */
export function withRing({ coords, holes = [] }: Polygon, at: number, ring: Ring): Polygon {
  if (at === 0) return { coords: ring };
  return { coords, holes: ring.length === 0 ? holes.toSpliced(at - 1, 1) : holes.with(at - 1, ring) };
}
