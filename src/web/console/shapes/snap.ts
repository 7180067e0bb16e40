/** Snapping: a moved box, or a point that is drawn, takes edges, centres and corners of its neighbours. Says with which lines it did. */
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

/** Both ends and the middle of a box on an axis. */
function marksOf(box: Box, axis: Axis): readonly number[] {
  const [first, last] = ends[axis];
  return [box[first], centreOf(box)[axis], box[last]];
}

interface Found {
  readonly by: number;
  /** The coordinate of the line. */
  readonly at: number;
  readonly box: Box;
}

/** The smallest move on an axis that brings one of some marks onto a mark of a target. */
function nearest(marks: readonly number[], boxes: readonly Box[], axis: Axis, tolerance: number): Found | undefined {
  let found: Found | undefined;
  for (const box of boxes) {
    for (const at of marksOf(box, axis)) {
      for (const mark of marks) {
        const by = at - mark;
        if (Math.abs(by) <= tolerance && (found === undefined || Math.abs(by) < Math.abs(found.by))) found = { by, at, box };
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

/** How much further a moved box has to go to be in line with its neighbours, and the lines. */
export function snapBox(
  box: Box,
  { boxes }: SnapTargets,
  tolerance: number,
): { readonly by: Point; readonly guides: readonly Guide[] } {
  const x = nearest(marksOf(box, 'x'), boxes, 'x', tolerance);
  const y = nearest(marksOf(box, 'y'), boxes, 'y', tolerance);
  const by = { x: x?.by ?? 0, y: y?.by ?? 0 };
  const moved = shifted(box, by);
  return {
    by,
    guides: [...(x === undefined ? [] : [guideOf(x, moved, 'x')]), ...(y === undefined ? [] : [guideOf(y, moved, 'y')])],
  };
}

/** Where a point snaps: to the nearest corner, else to the nearest edge, else in line with boxes and with other points of the drawing. */
export function snapPoint(
  at: Point,
  { boxes, polygons }: SnapTargets,
  tolerance: number,
  own: readonly Point[] = [],
): { readonly at: Point; readonly guides: readonly Guide[] } {
  const closest = (points: readonly Point[]): Point | undefined =>
    points
      .filter((point) => distance(point, at) <= tolerance)
      .reduce<Point | undefined>(
        (best, point) => (best === undefined || distance(point, at) < distance(best, at) ? point : best),
        undefined,
      );
  const corner = closest(polygons.flat());
  if (corner !== undefined) return { at: { x: corner.x, y: corner.y }, guides: [] };
  const onEdge = closest(polygons.flatMap((corners) => corners.map((b, i) => nearestOn(corners.at(i - 1) as Point, b, at))));
  if (onEdge !== undefined) return { at: onEdge, guides: [] };
  const points = own.map(({ x, y }) => ({ left: x, right: x, top: y, bottom: y }));
  const box = { left: at.x, right: at.x, top: at.y, bottom: at.y };
  const { by, guides } = snapBox(box, { boxes: [...boxes, ...points], polygons: [] }, tolerance);
  return { at: { x: at.x + by.x, y: at.y + by.y }, guides };
}
