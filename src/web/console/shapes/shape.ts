/** The shape of an object: a spot, a polygon or a line, in pixels of the artboard. Pure geometry; nothing here knows a map. */
import { type Box, cornersBox } from '../../../lib/geo/polygon.ts';
import type { Members } from '../kinds/resource-kinds.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Spot = { readonly x: number; readonly y: number; readonly radius: number };
export type Ring = readonly Point[];
/** A polygon, or a line. */
export type Polygon = {
  readonly coords: Ring;
  /** Absent without holes, and where a new shape leaves them as they are. */
  readonly holes?: readonly Ring[];
  /** Present for a line alone. */
  readonly closed?: false;
};
export type Shape = Spot | Polygon;
/** New shapes of objects, by their identifiers. */
export type Shapes = ReadonlyMap<string, Shape>;

/** The shapes of some objects, as far as they have one. */
export const shapesOf = (ids: readonly string[], shapeAt: (id: string) => Shape | undefined): Shapes =>
  new Map(
    ids.flatMap((id): [string, Shape][] => {
      const shape = shapeAt(id);
      return shape === undefined ? [] : [[id, shape]];
    }),
  );

/** True if a shape has corners: also a line has. */
export const isPolygon = (shape: Shape): shape is Polygon => 'coords' in shape;

export const isLine = (shape: Shape): boolean => isPolygon(shape) && shape.closed === false;

/** Corners that a polygon, or a line, has at least. */
export const cornersMin = (shape: Polygon): number => (isLine(shape) ? 2 : 3);

/** The edges of a polygon, also from its last corner to its first one, or of a line. */
export const edgesOf = (shape: Polygon): (readonly [from: Point, to: Point])[] =>
  shape.coords.flatMap((from, at): [Point, Point][] => {
    const to = shape.coords[at + 1] ?? (isLine(shape) ? undefined : shape.coords[0]);
    return to === undefined ? [] : [[from, to]];
  });

/** The shape of an object; `undefined` for a polygon without corners. */
export function shapeOf({ type, x, y, radius, coords, holes, closed }: Members): Shape | undefined {
  if (type !== 'poly') return { x: Number(x), y: Number(y), radius: Number(radius) };
  const corners = coords as Ring;
  if (corners.length === 0) return undefined;
  const rings = (holes ?? []) as readonly Ring[];
  return { coords: corners, ...(rings.length === 0 ? {} : { holes: rings }), ...(closed === false ? { closed } : {}) };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Rounded to a hundredth of a pixel. */
export const roundedPoint = ({ x, y }: Point): Point => ({ x: rounded(x), y: rounded(y) });

/** The corners of a polygon and of its holes, each moved by a function. */
const movedRings = ({ coords, holes }: Polygon, move: (point: Point) => Point): Pick<Polygon, 'coords' | 'holes'> => ({
  coords: coords.map(move),
  ...(holes === undefined ? {} : { holes: holes.map((ring) => ring.map(move)) }),
});

/** Rounded to a hundredth of a pixel: the members that are stored for a new place. */
export const roundedShape = (shape: Shape): Shape =>
  isPolygon(shape) ? movedRings(shape, roundedPoint) : { ...roundedPoint(shape), radius: rounded(shape.radius) };

/** A shape with each of its points moved by a function, and its radius multiplied. */
export const mapped = (shape: Shape, move: (point: Point) => Point, scale = 1): Shape =>
  isPolygon(shape) ? { ...shape, ...movedRings(shape, move) } : { ...move(shape), radius: shape.radius * scale };

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
