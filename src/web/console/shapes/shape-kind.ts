/** A spot becomes a polygon, and a polygon a spot: never an object without corners. */
import type { Members } from '../kinds/resource-kinds.ts';
import { boxOf, centreOf, isPolygon, type Point, roundedPoint, shapeOf } from './shape.ts';

/** The corners of a regular polygon around a centre, rounded as all places are; the first one is on the right. */
export function ring({ x, y }: Point, radius: number, corners: number): Point[] {
  return Array.from({ length: corners }, (_, at) => {
    const angle = (2 * Math.PI * at) / corners;
    return roundedPoint({ x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) });
  });
}

const hexagonRadius = 20;

/** The members that change with the shape of an object: the hexagon of a spot's radius, or the centre of a polygon's box. */
export function membersOfType(value: Members, type: string): Members {
  const shape = shapeOf(value);
  if (value['type'] === type) return {};
  if (type === 'spot') return { type, ...(shape === undefined ? {} : roundedPoint(centreOf(boxOf(shape)))) };
  if (shape === undefined || isPolygon(shape)) return { type };
  // What is left of a line or of holes, from before it was a spot, does not belong to the hexagon.
  const { closed = true, holes = [] } = value as { readonly closed?: boolean; readonly holes?: readonly unknown[] };
  return {
    ...{ type, coords: ring(shape, shape.radius > 0 ? shape.radius : hexagonRadius, 6) },
    ...(closed ? {} : { closed: true }),
    ...(holes.length === 0 ? {} : { holes: [] }),
  };
}
