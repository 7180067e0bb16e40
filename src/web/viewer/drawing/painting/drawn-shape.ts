/** The shape of an object in device pixels, as the current path of a canvas. */
import type { Coordinate } from 'ol/coordinate.js';
import type { State } from 'ol/render.js';

export type Canvas = Pick<State, 'context'>['context'];

export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** The rings of a polygon, its outer one first, or one line. */
export interface Outline {
  readonly rings: readonly (readonly Coordinate[])[];
  readonly closed: boolean;
  /** Which ends of a line have an arrow. */
  readonly arrow: string;
}

export type Shape = Spot | Outline;

export const isArea = (shape: Shape): boolean => 'radius' in shape || shape.closed;

/** Outlines that are thinner than this are invisible, in device pixels. */
export const thinnest = 0.02;

const fullTurn = 2 * Math.PI;

/** Makes the shape the current path. @param lineWidth of the arrows of a line; 0 for none */
export function trace(canvas: Canvas, shape: Shape, lineWidth = 0): void {
  canvas.beginPath();
  if ('radius' in shape) {
    canvas.arc(shape.x, shape.y, shape.radius, 0, fullTurn);
    return;
  }
  const { rings, closed, arrow } = shape;
  for (const corners of rings) {
    for (let at = 0; at < corners.length; at++) {
      const [x = 0, y = 0] = corners[at] as Coordinate;
      if (at === 0) canvas.moveTo(x, y);
      else canvas.lineTo(x, y);
    }
    if (closed) canvas.closePath();
  }
  const [line = []] = rings;
  if (closed || arrow === 'none' || lineWidth === 0) return;
  traceArrow(canvas, line, line.length - 1, -1, lineWidth);
  if (arrow === 'both') traceArrow(canvas, line, 0, 1, lineWidth);
}

/** Fills the current path. Holes, also those that cross each other, count by the rule even-odd. */
export function fill(canvas: Canvas, shape: Shape): void {
  canvas.fill('rings' in shape && shape.rings.length > 1 ? 'evenodd' : 'nonzero');
}

/** Length of the sides of an arrow, in widths of its line and at least in device pixels, and half of the angle between them. */
const [sideWidths, sideLeast, halfAngle] = [3.5, 7, Math.PI / 6];

const sideOf = (lineWidth: number): number => Math.max(sideLeast, lineWidth * sideWidths);

/** The two sides of an arrow as part of the path, so that they have the colour, width and opacity of the line. */
function traceArrow(canvas: Canvas, line: readonly Coordinate[], tip: number, step: 1 | -1, lineWidth: number): void {
  const [x = 0, y = 0] = line[tip] ?? [];
  const side = sideOf(lineWidth);
  // The direction of a short last piece would be that of a detail.
  let [dx, dy] = [0, 0];
  for (let at = tip + step; at >= 0 && at < line.length && Math.hypot(dx, dy) < side; at += step)
    [dx, dy] = [(line[at]?.[0] ?? x) - x, (line[at]?.[1] ?? y) - y];
  if (dx === 0 && dy === 0) return;
  const direction = Math.atan2(dy, dx);
  const end = (angle: number): [number, number] => [x + side * Math.cos(angle), y + side * Math.sin(angle)];
  canvas.moveTo(...end(direction - halfAngle));
  canvas.lineTo(x, y);
  canvas.lineTo(...end(direction + halfAngle));
}

export interface PixelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The whole pixels of the canvas that a shape touches; `undefined` if there are none. */
export function pixelsOf(
  shape: Shape,
  lineWidth: number,
  canvas: { readonly width: number; readonly height: number },
): PixelBox | undefined {
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, -1, -1];
  const include = (x: number, y: number, by: number): void => {
    left = Math.min(left, x - by);
    top = Math.min(top, y - by);
    right = Math.max(right, x + by);
    bottom = Math.max(bottom, y + by);
  };
  if ('radius' in shape) include(shape.x, shape.y, shape.radius);
  else for (const corners of shape.rings) for (const [x = 0, y = 0] of corners) include(x, y, 0);
  const arrows = 'rings' in shape && shape.arrow !== 'none' ? sideOf(lineWidth) : 0;
  const margin = lineWidth / 2 + 1 + arrows;
  const x = Math.max(0, Math.floor(left - margin));
  const y = Math.max(0, Math.floor(top - margin));
  const width = Math.min(canvas.width, Math.ceil(right + margin)) - x;
  const height = Math.min(canvas.height, Math.ceil(bottom + margin)) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}
