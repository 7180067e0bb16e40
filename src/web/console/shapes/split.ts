/** Splits a polygon along a line. */
import { doubleArea, isInside } from '../../../lib/geo/polygon.ts';
import { between, type Point, type Polygon, type Ring } from './shape.ts';

/** Twice the area below which a piece is none: what is left of a line that was split before. */
const areaMin = 0.01;

interface Crossing {
  /** Index of the corner at the beginning of the edge. */
  readonly edge: number;
  readonly at: Point;
  /** Place on the line, from 0 to 1. */
  readonly along: number;
}

const cross = (a: Point, b: Point): number => a.x * b.y - a.y * b.x;
const minus = (a: Point, b: Point): Point => ({ x: a.x - b.x, y: a.y - b.y });

/** Where the line meets the edges. A corner on the line belongs to the edge that begins there. */
function crossingsOf(corners: readonly Point[], from: Point, to: Point): Crossing[] {
  const line = minus(to, from);
  return corners.flatMap((a, edge): Crossing[] => {
    const b = corners[(edge + 1) % corners.length] as Point;
    const side = minus(b, a);
    const sine = cross(line, side);
    if (sine === 0) return [];
    const along = cross(minus(a, from), side) / sine;
    const share = cross(minus(a, from), line) / sine;
    return along < 0 || along > 1 || share < 0 || share >= 1
      ? []
      : [{ edge, along, at: share === 0 ? a : { x: a.x + share * side.x, y: a.y + share * side.y } }];
  });
}

/** The corners from one crossing to the next one, both included, in the direction of the polygon. */
function walk(corners: readonly Point[], from: Crossing, to: Crossing): Point[] {
  const found = [from.at];
  for (let at = (from.edge + 1) % corners.length; ; at = (at + 1) % corners.length) {
    found.push(corners[at] as Point);
    if (at === to.edge) break;
  }
  found.push(to.at);
  return found.filter((corner, at) => {
    const before = found.at(at - 1) as Point;
    return corner.x !== before.x || corner.y !== before.y;
  });
}

/**
 * The pieces of a polygon along the line between two points, which has to cross it as a whole; the polygon itself if it does not. Pieces
 * have at least three corners and an area.
 */
export function splitPolygon(corners: Ring, from: Point, to: Point): readonly Ring[] {
  const crossings = crossingsOf(corners, from, to).sort((a, b) => a.along - b.along);
  for (const [at, first] of crossings.entries()) {
    const second = crossings[at + 1];
    if (second === undefined || first.edge === second.edge || !isInside(between(first.at, second.at), corners)) continue;
    const [one, other] = [walk(corners, first, second), walk(corners, second, first)];
    if ([one, other].some((piece) => piece.length < 3 || Math.abs(doubleArea(piece)) < areaMin)) continue;
    return [one, other].flatMap((piece) => splitPolygon(piece, from, to));
  }
  return [corners];
}

/**
 * The pieces of a polygon as {@link splitPolygon} makes them, each with the holes that are in it; the polygon itself also if the line crosses
 * one of its holes.
 */
export function splitWithHoles(polygon: Polygon, from: Point, to: Point): readonly Polygon[] {
  const { coords, holes = [] } = polygon;
  if (holes.some((hole) => crossingsOf(hole, from, to).length > 0)) return [polygon];
  const pieces = splitPolygon(coords, from, to);
  if (pieces.length === 1 || holes.length === 0) return pieces.map((piece) => ({ ...polygon, coords: piece }));
  // A hole outside of the polygon stays with its first piece.
  const pieceOf = holes.map(([corner]) =>
    Math.max(
      0,
      pieces.findIndex((piece) => corner !== undefined && isInside(corner, piece)),
    ),
  );
  return pieces.map((piece, at) => ({ coords: piece, holes: holes.filter((_, hole) => pieceOf[hole] === at) }));
}
