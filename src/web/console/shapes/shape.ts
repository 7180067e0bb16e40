/** The shape of an object: a spot or a polygon, in pixels of the artboard. Pure geometry; nothing here knows a map. */
import { type Box, cornersBox } from '../../../lib/geo/polygon.ts';
import type { Members } from '../project/resource-kinds.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Spot = { readonly x: number; readonly y: number; readonly radius: number };
export type Polygon = { readonly coords: readonly Point[] };
export type Shape = Spot | Polygon;
/** New shapes of objects, by their identifiers. */
export type Shapes = ReadonlyMap<string, Shape>;

export const isPolygon = (shape: Shape): shape is Polygon => 'coords' in shape;

/** The shape of an object; `undefined` for a polygon without corners. */
export function shapeOf({ type, x, y, radius, coords }: Members): Shape | undefined {
  if (type !== 'poly') return { x: Number(x), y: Number(y), radius: Number(radius) };
  const corners = coords as readonly Point[];
  return corners.length === 0 ? undefined : { coords: corners };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Rounded to a hundredth of a pixel. */
export const roundedPoint = ({ x, y }: Point): Point => ({ x: rounded(x), y: rounded(y) });

/** Rounded to a hundredth of a pixel: what is stored. */
export const roundedShape = (shape: Shape): Shape =>
  isPolygon(shape) ? { coords: shape.coords.map(roundedPoint) } : { ...roundedPoint(shape), radius: rounded(shape.radius) };

/** A shape with each of its points moved by a function, and its radius multiplied. */
export const mapped = (shape: Shape, move: (point: Point) => Point, scale = 1): Shape =>
  isPolygon(shape) ? { coords: shape.coords.map(move) } : { ...move(shape), radius: shape.radius * scale };

export const movedBy = (shape: Shape, by: Point): Shape => mapped(shape, ({ x, y }) => ({ x: x + by.x, y: y + by.y }));

export const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
export const between = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

/** The box between two points, in any direction. */
export const boxBetween = (a: Point, b: Point): Box => ({
  left: Math.min(a.x, b.x),
  top: Math.min(a.y, b.y),
  right: Math.max(a.x, b.x),
  bottom: Math.max(a.y, b.y),
});

export function boxOf(shape: Shape): Box {
  if (!isPolygon(shape)) {
    const { x, y, radius } = shape;
    return { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius };
  }
  return cornersBox(shape.coords);
}

const union = (a: Box, b: Box): Box => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
});

/** The box around all of some shapes, of which there is at least one. */
export const boxAround = (shapes: Iterable<Shape>): Box => [...shapes].map(boxOf).reduce(union);

export const centreOf = ({ left, top, right, bottom }: Box): Point => ({ x: (left + right) / 2, y: (top + bottom) / 2 });

/** Whether two boxes have a point in common. */
export const meets = (a: Box, b: Box): boolean =>
  a.left <= b.right && a.right >= b.left && a.top <= b.bottom && a.bottom >= b.top;

/** The point of a line between two points that is nearest to another one. */
export function nearestOn(a: Point, b: Point, to: Point): Point {
  const length = (b.x - a.x) ** 2 + (b.y - a.y) ** 2;
  const share = length === 0 ? 0 : ((to.x - a.x) * (b.x - a.x) + (to.y - a.y) * (b.y - a.y)) / length;
  const at = Math.max(0, Math.min(1, share));
  return { x: a.x + at * (b.x - a.x), y: a.y + at * (b.y - a.y) };
}

/** Whether all corners are on one line: there is no area to see. */
export function isFlat(corners: readonly Point[]): boolean {
  const [a = { x: 0, y: 0 }] = corners;
  const far = corners.reduce((b, c) => (distance(a, c) > distance(a, b) ? c : b), a);
  const length = distance(a, far);
  return corners.every(({ x, y }) => Math.abs((far.x - a.x) * (y - a.y) - (far.y - a.y) * (x - a.x)) <= length * 0.01);
}

/** Twice the area, negative if the corners go round the other way. */
export const doubleArea = (corners: readonly Point[]): number =>
  corners.reduce((sum, { x, y }, at) => {
    const before = corners.at(at - 1) as Point;
    return sum + before.x * y - x * before.y;
  }, 0);
