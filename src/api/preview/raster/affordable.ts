/**
 * Bounds the work of a picture. A browser that draws an SVG pays for it itself; the pixels of a PNG are the server's work, and 2,000
 * objects, each as large as the picture, would be thousands of millions of them.
 */
import { type Drawing, type Figure, type Points, pointsOf, type Shape } from '../drawn-artboard.ts';
import { costOf } from './ink.ts';

/** Pixels that are scanned or painted: a second of a processor, about, or 2,000 shapes with strokes on all of a picture of 320 x 240. */
const workMax = 700_000_000;

/** Work of an edge in a row. */
const rowWork = 16;

/** The shapes of a drawing, from bottom to top, but those whose work does not fit with that of larger ones. */
export function affordable(drawing: Drawing): readonly Shape[] {
  const sized = drawing.shapes.map((shape, at) => ({ shape, at, ...sizeOf(shape, drawing) }));
  const bySize = sized.toSorted((a, b) => b.area - a.area || a.at - b.at);
  const kept: typeof sized = [];
  let work = 0;
  for (const each of bySize) {
    if (work + each.work > workMax) continue;
    work += each.work;
    kept.push(each);
  }
  return kept.sort((a, b) => a.at - b.at).map(({ shape }) => shape);
}

/** The part of a shape's box that is in the picture, and the work of painting it. */
function sizeOf({ figure, layers, stroke }: Shape, drawing: Drawing): { readonly area: number; readonly work: number } {
  const box = boxOf(figure, (stroke?.width ?? 0) / 2);
  const within = (from: number, to: number, most: number): number => Math.max(0, Math.min(to, most) - Math.max(from, 0));
  const area = within(box.left, box.right, drawing.width) * within(box.top, box.bottom, drawing.height);
  const [fills, strokes] = [Math.min(layers.length, 1), stroke === undefined ? 0 : 1];
  const paints = layers.reduce((sum, { mode }) => sum + costOf(mode), 0) + strokes * costOf(layers[0]?.mode);
  // A stroke has two sides.
  return { area, work: area * (fills + strokes + paints) + (fills + 2 * strokes) * edgesWork(figure, drawing) };
}

interface Sides {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function boxOf(figure: Figure, around: number): Sides {
  if (figure.kind === 'circle') {
    const { x, y } = figure;
    const radius = figure.radius + around;
    return { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius };
  }
  const box: Sides = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (const points of pointsOf(figure))
    for (let at = 0; at < points.length; at += 2) {
      const [x, y] = [points[at] as number, points[at + 1] as number];
      box.left = Math.min(box.left, x - around);
      box.right = Math.max(box.right, x + around);
      box.top = Math.min(box.top, y - around);
      box.bottom = Math.max(box.bottom, y + around);
    }
  return box;
}

const edgesWork = (figure: Figure, drawing: Drawing): number =>
  pointsOf(figure).reduce((sum, points) => sum + lineWork(points, drawing), 0);

function lineWork(points: Points, { width, height }: Drawing): number {
  let work = 0;
  let [beforeX, beforeY] = [points.at(-2) ?? 0, points.at(-1) ?? 0];
  for (let at = 0; at < points.length; at += 2) {
    const [x, y] = [points[at] as number, points[at + 1] as number];
    work += rowWork * Math.min(height, Math.abs(y - beforeY) + 1) + Math.min(width, Math.abs(x - beforeX));
    [beforeX, beforeY] = [x, y];
  }
  return work;
}
