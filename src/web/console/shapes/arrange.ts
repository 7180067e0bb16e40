/** Arranges several shapes: aligned, distributed, equally large, turned and scaled. */
import type { Box } from '../../../lib/geo/polygon.ts';
import { boxAround, boxOf, centreOf, isPolygon, mapped, movedBy, type Point, type Shape, type Shapes } from './shape.ts';

export const alignments = ['left', 'centre', 'right', 'top', 'middle', 'bottom'] as const;
export type Alignment = (typeof alignments)[number];
export type Axis = 'x' | 'y';

const mapShapes = (shapes: Shapes, change: (shape: Shape) => Shape): Shapes =>
  new Map([...shapes].map(([id, shape]) => [id, change(shape)]));

/** Aligns an edge, or the centres, with those of the box around all. */
export function aligned(shapes: Shapes, to: Alignment): Shapes {
  if (shapes.size === 0) return shapes;
  const all = boxAround(shapes.values());
  return mapShapes(shapes, (shape) => {
    const box = boxOf(shape);
    if (to === 'centre') return movedBy(shape, { x: centreOf(all).x - centreOf(box).x, y: 0 });
    if (to === 'middle') return movedBy(shape, { x: 0, y: centreOf(all).y - centreOf(box).y });
    const by = all[to] - box[to];
    return movedBy(shape, to === 'left' || to === 'right' ? { x: by, y: 0 } : { x: 0, y: by });
  });
}

/** Equal gaps on an axis between the first and the last shape, which stay. */
export function distributed(shapes: Shapes, axis: Axis): Shapes {
  if (shapes.size < 3) return shapes;
  const [first, last] = axis === 'x' ? (['left', 'right'] as const) : (['top', 'bottom'] as const);
  const sorted = [...shapes].map(([id, shape]) => ({ id, shape, box: boxOf(shape) }));
  sorted.sort((a, b) => centreOf(a.box)[axis] - centreOf(b.box)[axis]);
  const sizeOf = (box: Box) => box[last] - box[first];
  const start = sorted[0]?.box[first] ?? 0;
  const end = sorted.at(-1)?.box[last] ?? 0;
  const gap = (end - start - sorted.reduce((sum, { box }) => sum + sizeOf(box), 0)) / (sorted.length - 1);
  let at = start;
  return new Map(
    sorted.map(({ id, shape, box }) => {
      const by = at - box[first];
      at += sizeOf(box) + gap;
      return [id, movedBy(shape, axis === 'x' ? { x: by, y: 0 } : { x: 0, y: by })];
    }),
  );
}

/** Scales around a point. A spot stays round: its radius takes the mean of both factors. */
function scaledAround(shape: Shape, centre: Point, x: number, y: number): Shape {
  const move = (point: Point): Point => ({ x: centre.x + (point.x - centre.x) * x, y: centre.y + (point.y - centre.y) * y });
  return mapped(shape, move, Math.sqrt(Math.abs(x * y)));
}

/** Gives each shape the width and the height of the first one, around its own centre. */
export function equallyLarge(shapes: Shapes): Shapes {
  const [first] = shapes.values();
  if (first === undefined) return shapes;
  const model = boxOf(first);
  return mapShapes(shapes, (shape) => {
    const box = boxOf(shape);
    const factor = (wanted: number, size: number) => (size === 0 ? 1 : wanted / size);
    const x = factor(model.right - model.left, box.right - box.left);
    const y = factor(model.bottom - model.top, box.bottom - box.top);
    return isPolygon(shape) ? scaledAround(shape, centreOf(box), x, y) : { ...shape, radius: (model.right - model.left) / 2 };
  });
}

/** Turns all around the centre of their box, clockwise. @param degrees from −360 to 360 */
export function rotated(shapes: Shapes, degrees: number, centre: Point = centreOf(boxAround(shapes.values()))): Shapes {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return mapShapes(shapes, (shape) =>
    mapped(shape, ({ x, y }) => ({
      x: centre.x + (x - centre.x) * cos - (y - centre.y) * sin,
      y: centre.y + (x - centre.x) * sin + (y - centre.y) * cos,
    })),
  );
}

/** Scales all around a point; without it, around the centre of their box. */
export const scaled = (shapes: Shapes, factor: number, centre: Point = centreOf(boxAround(shapes.values()))): Shapes =>
  mapShapes(shapes, (shape) => scaledAround(shape, centre, factor, factor));
