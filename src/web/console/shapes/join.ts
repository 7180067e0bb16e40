/** Joins polygons that touch or overlap: what is left of their edges is the outline. */
import { doubleArea, isInside } from '../../../lib/geo/polygon.ts';
import { between, distance, nearestOn, type Point, type Polygon } from './shape.ts';

/** Pixels of the artboard up to which a gap between two polygons counts as touching. */
const gapMax = 1;
/** Pixels of the artboard up to which two places are the same. */
const same = 0.01;

type Corners = readonly Point[];

interface Edge {
  readonly from: Point;
  readonly to: Point;
}

const edgesOf = (corners: Corners): Edge[] =>
  corners.map((from, at) => ({ from, to: corners[(at + 1) % corners.length] as Point }));

function nearestOf(places: Corners, to: Point, within: number): Point | undefined {
  let found: Point | undefined;
  for (const place of places)
    if (distance(place, to) <= Math.min(within, found === undefined ? within : distance(found, to))) found = place;
  return found;
}

/** The corner, moved onto a corner or an edge of others if it almost is there. */
const closed = (corner: Point, others: readonly Corners[], gap: number): Point =>
  nearestOf(others.flat(), corner, gap) ??
  nearestOf(
    others.flatMap(edgesOf).map(({ from, to }) => nearestOn(from, to, corner)),
    corner,
    gap,
  ) ??
  corner;

/** Where two edges cross between their ends. */
function crossing(a: Edge, b: Edge): Point | undefined {
  const [ax, ay, bx, by] = [a.to.x - a.from.x, a.to.y - a.from.y, b.to.x - b.from.x, b.to.y - b.from.y];
  const sine = ax * by - ay * bx;
  if (sine === 0) return undefined;
  const [dx, dy] = [b.from.x - a.from.x, b.from.y - a.from.y];
  const [along, across] = [(dx * by - dy * bx) / sine, (dx * ay - dy * ax) / sine];
  return along < 0 || along > 1 || across < 0 || across > 1 ? undefined : { x: a.from.x + along * ax, y: a.from.y + along * ay };
}

/** An edge in pieces between all places where it meets others. */
function pieces(edge: Edge, others: readonly Edge[]): Edge[] {
  const { from, to } = edge;
  const meets = others.flatMap((other) => {
    const onIt = other.from;
    return [crossing(edge, other), distance(nearestOn(from, to, onIt), onIt) < same ? onIt : undefined].filter(
      (at) => at !== undefined,
    );
  });
  const stops = [from, ...meets.sort((a, b) => distance(from, a) - distance(from, b)), to];
  const different = stops.filter((stop, at) => at === 0 || distance(stop, stops[at - 1] as Point) >= same);
  return different.slice(1).map((end, at) => ({ from: different[at] as Point, to: end }));
}

const isEqual = (a: Edge, b: Edge): boolean => distance(a.from, b.from) < same && distance(a.to, b.to) < same;
const opposite = ({ from, to }: Edge): Edge => ({ from: to, to: from });

/** The edges that are not within the union. */
function outer(polygons: readonly Corners[]): Edge[] {
  const all = polygons.map((corners, own) => {
    const others = polygons.filter((_, at) => at !== own).flatMap(edgesOf);
    return edgesOf(corners).flatMap((edge) => pieces(edge, others));
  });
  return all.flatMap((edges, own) =>
    edges.filter((edge) => {
      const middle = between(edge.from, edge.to);
      return polygons.every((corners, at) => {
        if (at === own) return true;
        const others = all[at] as Edge[];
        // Both sides belong to the union; an edge that two have in the same direction counts once.
        if (others.some((other) => isEqual(other, opposite(edge)))) return false;
        if (others.some((other) => isEqual(other, edge))) return at > own;
        return !isInside(middle, corners);
      });
    }),
  );
}

/** Follows edges until they close. */
function ringsOf(edges: readonly Edge[]): Point[][] {
  const left = [...edges];
  const rings: Point[][] = [];
  for (let edge = left.pop(); edge !== undefined; edge = left.pop()) {
    const ring = [edge.from];
    for (let at = edge.to; distance(at, ring[0] as Point) >= same; ) {
      const next = left.findIndex(({ from }) => distance(from, at) < same);
      if (next === -1) return [];
      ring.push(at);
      at = (left.splice(next, 1)[0] as Edge).to;
    }
    rings.push(ring);
  }
  return rings;
}

/** Without corners in the middle of a straight edge. */
const withoutNeedless = (corners: Corners): Point[] =>
  corners.filter((corner, at) => {
    const [before, after] = [corners.at(at - 1) as Point, corners[(at + 1) % corners.length] as Point];
    return distance(nearestOn(before, after, corner), corner) >= same;
  });

/** True if two rings have a point in common. */
const overlaps = (one: Corners, other: Corners): boolean =>
  one.some((corner) => isInside(corner, other)) ||
  other.some((corner) => isInside(corner, one)) ||
  edgesOf(one).some((edge) => edgesOf(other).some((second) => crossing(edge, second) !== undefined));

/** One polygon with the holes of all; `undefined` also if one of them is in a hole of another, or covers a part of it. */
export function joinedPolygons(polygons: readonly Polygon[]): Polygon | undefined {
  const isCovered = polygons.some(({ holes = [] }, own) =>
    holes.some((hole) => polygons.some(({ coords }, at) => at !== own && overlaps(hole, coords))),
  );
  const coords = isCovered ? undefined : joined(polygons.map((polygon) => polygon.coords));
  const holes = polygons.flatMap((polygon) => polygon.holes ?? []);
  return coords === undefined ? undefined : { coords, ...(holes.length === 0 ? {} : { holes }) };
}

/** One outline; `undefined` if two of them touch in a corner alone, or not at all, or if there would be a hole in it. */
export function joined(polygons: readonly Corners[]): Point[] | undefined {
  // All in the same direction, so that edges between two of them are opposite.
  const turned = polygons.map((corners) => (doubleArea(corners) < 0 ? corners.toReversed() : corners));
  return joinedWithin(turned, same) ?? joinedWithin(turned, gapMax);
}

function joinedWithin(polygons: readonly Corners[], gap: number): Point[] | undefined {
  const exact: Corners[] = [];
  for (const [at, corners] of polygons.entries())
    exact.push(corners.map((corner) => closed(corner, [...exact, ...polygons.slice(at + 1)], gap)));
  const [ring, ...more] = ringsOf(outer(exact));
  if (ring === undefined || more.length > 0) return undefined;
  // A corner that is passed twice: the polygons touch in it alone.
  const places = new Set(ring.map(({ x, y }) => `${Math.round(x / same)} ${Math.round(y / same)}`));
  return places.size < ring.length ? undefined : withoutNeedless(ring);
}
