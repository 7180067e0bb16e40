/**
 * Snapping: a moved box, or a point that is drawn, takes edges and corners of its neighbours, and a moved box also their centres. What does not snap
 * is at whole pixels. Says with which lines it did.
 */
import type { Box } from '../../../lib/geo/polygon.ts';
import {
  boxOf,
  centreOf,
  distance,
  isLine,
  isPolygon,
  nearestOn,
  type Point,
  type Polygon,
  type Ring,
  type Shape,
} from './shape.ts';

/** A line between two points that shows what something snapped to. */
export type Guide = readonly [Point, Point];

/** What can be snapped to. */
export interface SnapTargets {
  readonly boxes: readonly Box[];
  readonly polygons: readonly (readonly Point[])[];
}

export const noTargets: SnapTargets = { boxes: [], polygons: [] };

export const targetsOf = (shapes: readonly Shape[]): SnapTargets => ({
  boxes: shapes.map(boxOf),
  polygons: shapes.flatMap((shape) => (isPolygon(shape) ? ringsOf(shape) : [])),
});

/** A line is a ring along it and back: so it has no edge between its ends. */
const ringsOf = (shape: Polygon): readonly Ring[] =>
  isLine(shape) ? [[...shape.coords, ...shape.coords.slice(1, -1).reverse()]] : [shape.coords, ...(shape.holes ?? [])];

type Axis = 'x' | 'y';
const ends = { x: ['left', 'right'], y: ['top', 'bottom'] } as const satisfies Record<Axis, readonly (keyof Box)[]>;

/** In pixels of the artboard. */
export interface Snapping {
  /** Distance within which something snaps. */
  readonly tolerance: number;
  /** Distance of the places that something has without a neighbour: 1 for whole pixels. */
  readonly grid: number;
}

export const roundedTo = ({ x, y }: Point, grid: number): Point => ({ x: onGrid(x, grid), y: onGrid(y, grid) });
/** By the reciprocal: multiples of 0.01 have errors. */
const onGrid = (value: number, grid: number): number => Math.round(value / grid) / Math.round(1 / grid);

/** A line that something has, or could snap to. */
interface Mark {
  readonly at: number;
  readonly isCentre: boolean;
}

/** Both ends of a box on an axis, and its middle. */
function marksOf(box: Box, axis: Axis): readonly Mark[] {
  const [first, last] = ends[axis];
  return [
    { at: box[first], isCentre: false },
    { at: box[last], isCentre: false },
    { at: centreOf(box)[axis], isCentre: true },
  ];
}

interface Found {
  readonly by: number;
  /** The coordinate of the line. */
  readonly at: number;
  readonly box: Box;
  /** The smallest one is taken. */
  readonly rank: readonly [distance: number, away: number];
}

/** A centre is taken only if it is clearly nearer than an edge. */
const centreWeight = 2;

/** How far two boxes are from each other along an axis: 0 if they overlap. */
const gapBetween = (a: Box, b: Box, axis: Axis): number => {
  const [first, last] = ends[axis];
  return Math.max(0, a[first] - b[last], b[first] - a[last]);
};

/**
 * The smallest move on an axis that brings an edge of a box onto one of a target, or its centre onto a centre. Of equal moves, that to the target
 * which is nearest along the line.
 */
function nearest(box: Box, boxes: readonly Box[], axis: Axis, tolerance: number, hasCentres: boolean): Found | undefined {
  const marks = marksOf(box, axis).filter(({ isCentre }) => hasCentres || !isCentre);
  let found: Found | undefined;
  for (const target of boxes) {
    for (const { at, isCentre } of marksOf(target, axis)) {
      for (const mark of marks) {
        const by = at - mark.at;
        if (mark.isCentre !== isCentre || Math.abs(by) > tolerance) continue;
        const far = Math.abs(by) * (isCentre ? centreWeight : 1);
        if (found !== undefined && far > found.rank[0]) continue;
        const rank = [far, gapBetween(box, target, axis === 'x' ? 'y' : 'x')] as const;
        if (found === undefined || far < found.rank[0] || rank[1] < found.rank[1]) found = { by, at, box: target, rank };
      }
    }
  }
  return found;
}

/** The line along which a box and a target have the same coordinate. */
function guideOf({ at, box }: Found, moved: Box, axis: Axis): Guide {
  const other = axis === 'x' ? 'y' : 'x';
  const [first, last] = ends[other];
  const from = Math.min(box[first], moved[first]);
  const to = Math.max(box[last], moved[last]);
  const point = (along: number): Point => (axis === 'x' ? { x: at, y: along } : { x: along, y: at });
  return [point(from), point(to)];
}

const shifted = (box: Box, { x, y }: Point): Box => ({
  left: box.left + x,
  right: box.right + x,
  top: box.top + y,
  bottom: box.bottom + y,
});

interface SnappedBox {
  /** How much further it goes. */
  readonly by: Point;
  readonly guides: readonly Guide[];
}

function inLine(box: Box, boxes: readonly Box[], { tolerance, grid }: Snapping, anchor: Point, hasCentres: boolean): SnappedBox {
  const x = nearest(box, boxes, 'x', tolerance, hasCentres);
  const y = nearest(box, boxes, 'y', tolerance, hasCentres);
  const by = { x: x?.by ?? onGrid(anchor.x, grid) - anchor.x, y: y?.by ?? onGrid(anchor.y, grid) - anchor.y };
  const moved = shifted(box, by);
  return {
    by,
    guides: [...(x === undefined ? [] : [guideOf(x, moved, 'x')]), ...(y === undefined ? [] : [guideOf(y, moved, 'y')])],
  };
}

/**
 * How much further a moved box has to go to be in line with its neighbours, and the lines.
 *
 * @param anchor the point of it that is at whole pixels on an axis on which it is in line with nothing
 */
export const snapBox = (box: Box, { boxes }: SnapTargets, snapping: Snapping, anchor: Point): SnappedBox =>
  inLine(box, boxes, snapping, anchor, true);

/**
 * Where a point snaps: to the nearest corner, else to the nearest edge, else in line with edges of boxes and with other points of the drawing, else
 * to whole pixels.
 */
export function snapPoint(
  at: Point,
  { boxes, polygons }: SnapTargets,
  snapping: Snapping,
  own: readonly Point[] = [],
): { readonly at: Point; readonly guides: readonly Guide[] } {
  const closest = <T extends { readonly place: Point }>(found: readonly T[]): T | undefined =>
    found
      .filter(({ place }) => distance(place, at) <= snapping.tolerance)
      .reduce<T | undefined>(
        (best, each) => (best === undefined || distance(each.place, at) < distance(best.place, at) ? each : best),
        undefined,
      );
  const corner = closest(polygons.flatMap((ring) => ring.map((place) => ({ place }))));
  if (corner !== undefined) return { at: { x: corner.place.x, y: corner.place.y }, guides: [] };
  const edge = closest(
    polygons.flatMap((ring) =>
      ring.map((b, i) => {
        const a = ring.at(i - 1) as Point;
        return { a, b, place: nearestOn(a, b, at) };
      }),
    ),
  );
  if (edge !== undefined) return { at: alongEdge(edge, snapping.grid), guides: [] };
  const points = own.map(({ x, y }) => ({ left: x, right: x, top: y, bottom: y }));
  const box = { left: at.x, right: at.x, top: at.y, bottom: at.y };
  const { by, guides } = inLine(box, [...boxes, ...points], snapping, at, false);
  return { at: { x: at.x + by.x, y: at.y + by.y }, guides };
}

/** A place on an edge; at whole pixels along it if it is upright or level, and else where the edge is. */
function alongEdge({ a, b, place }: { readonly a: Point; readonly b: Point; readonly place: Point }, grid: number): Point {
  const rounded = roundedTo(place, grid);
  const isBetween = (value: number, axis: Axis) => value >= Math.min(a[axis], b[axis]) && value <= Math.max(a[axis], b[axis]);
  if (a.x === b.x) return { x: a.x, y: isBetween(rounded.y, 'y') ? rounded.y : place.y };
  if (a.y === b.y) return { x: isBetween(rounded.x, 'x') ? rounded.x : place.x, y: a.y };
  return place;
}
