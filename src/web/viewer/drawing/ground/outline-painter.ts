/** Draws the outlines of land and borders: all that is on a map without tiles, and below tiles until they are loaded. */
import { metresPerPixel } from '../../../../lib/geo/geo.ts';
import type { CanvasBox, OutlineData, PaintOutlines } from './outlines-contract.ts';

interface Colours {
  readonly water: string;
  readonly land: string;
  readonly coast: string;
  readonly border: string;
}

/** Quiet colours: objects are drawn above them. */
const light: Colours = { water: '#e3eaf1', land: '#f7f6f2', coast: '#a9b9c7', border: '#cfcdc6' };
const dark: Colours = { water: '#16212b', land: '#26323c', coast: '#536878', border: '#43525f' };

/** In metres of Web Mercator. */
const worldSide = 256 * metresPerPixel;

/** A line or a ring in units of the world, with the box around it. */
interface Shape {
  readonly points: Float64Array;
  readonly box: CanvasBox;
}

export function outlinePainter({ side, arcs, borders, land }: OutlineData): PaintOutlines {
  const rings = land.map((ring) => shapeOf(closed(ringOf(arcs, ring), side)));
  const lines = arcs.map((arc) => shapeOf(summed(arc)));
  return (canvas, { box, extent: [west = 0, , east = 0, north = 0], pixelRatio, isDark }) => {
    const { water, land, coast, border } = isDark ? dark : light;
    const view = {
      left: Math.max(0, box.left),
      top: Math.max(0, box.top),
      right: Math.min(canvas.canvas.width, box.right),
      bottom: Math.min(canvas.canvas.height, box.bottom),
    };
    if (view.right <= view.left || view.bottom <= view.top) return;
    canvas.beginPath();
    canvas.rect(view.left, view.top, view.right - view.left, view.bottom - view.top);
    canvas.clip();
    canvas.fillStyle = water;
    canvas.fill();
    const pixelsPerMetre = (box.right - box.left) / (east - west);
    const scale = (worldSide / side) * pixelsPerMetre;
    const [left, top] = [box.left - (west + worldSide / 2) * pixelsPerMetre, box.top - (worldSide / 2 - north) * pixelsPerMetre];
    const trace = (shapes: readonly Shape[]): void => {
      canvas.beginPath();
      for (const shape of shapes) traceCopies(canvas, shape, { left, top, scale, side, view });
    };
    trace(rings);
    canvas.fillStyle = land;
    canvas.fill('evenodd');
    canvas.lineWidth = pixelRatio;
    canvas.lineJoin = 'round';
    for (const [shapes, colour] of [
      [lines.slice(0, borders), border],
      [lines.slice(borders), coast],
    ] as const) {
      trace(shapes);
      canvas.strokeStyle = colour;
      canvas.stroke();
    }
  };
}

interface Placing {
  /** The corner of the world, in pixels of the canvas. */
  readonly left: number;
  readonly top: number;
  /** Pixels per unit. */
  readonly scale: number;
  readonly side: number;
  readonly view: CanvasBox;
}

/** Adds a shape to the path, in each copy of the world in which it is visible. */
function traceCopies(canvas: CanvasRenderingContext2D, { points, box }: Shape, placing: Placing): void {
  const { left, top, scale, side, view } = placing;
  if (top + box.bottom * scale < view.top || top + box.top * scale > view.bottom) return;
  const first = Math.ceil((view.left - left - box.right * scale) / (side * scale));
  const last = Math.floor((view.right - left - box.left * scale) / (side * scale));
  for (let copy = first; copy <= last; copy++) {
    const from = left + copy * side * scale;
    canvas.moveTo(from + (points[0] ?? 0) * scale, top + (points[1] ?? 0) * scale);
    for (let i = 2; i < points.length; i += 2)
      canvas.lineTo(from + (points[i] as number) * scale, top + (points[i + 1] as number) * scale);
  }
}

function summed(arc: readonly number[]): number[] {
  let [x, y] = [0, 0];
  return arc.map((step, i) => {
    if (i % 2 === 0) x += step;
    else y += step;
    return i % 2 === 0 ? x : y;
  });
}

/** The corners of a ring: its lines one after the other, each without its first corner, which is the last one before it. */
function ringOf(arcs: OutlineData['arcs'], ring: readonly number[]): number[] {
  const points: number[] = [];
  for (const index of ring) {
    const forward = summed(arcs[index < 0 ? ~index : index] ?? []);
    const corners = index < 0 ? backwards(forward) : forward;
    // A line that crosses the edge of the world continues beyond it, and so does the one after it.
    const shift = points.length === 0 ? 0 : (points.at(-2) as number) - (corners[0] as number);
    for (let i = points.length === 0 ? 0 : 2; i < corners.length; i += 2)
      points.push((corners[i] as number) + shift, corners[i + 1] as number);
  }
  return points;
}

function backwards(points: readonly number[]): number[] {
  const turned: number[] = [];
  for (let i = points.length - 2; i >= 0; i -= 2) turned.push(points[i] as number, points[i + 1] as number);
  return turned;
}

/** A ring around a pole ends beside its first corner, a world away: it is closed along the southern edge of the map. */
function closed(points: number[], side: number): number[] {
  const [firstX = 0, lastX = 0] = [points[0], points.at(-2)];
  return Math.abs(lastX - firstX) < side / 2 ? points : [...points, lastX, side, firstX, side];
}

function shapeOf(points: readonly number[]): Shape {
  const box = {
    left: Number.POSITIVE_INFINITY,
    top: Number.POSITIVE_INFINITY,
    right: Number.NEGATIVE_INFINITY,
    bottom: Number.NEGATIVE_INFINITY,
  };
  for (let i = 0; i < points.length; i += 2) {
    const [x, y] = [points[i] as number, points[i + 1] as number];
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return { points: Float64Array.from(points), box };
}
