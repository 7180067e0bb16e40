/** Moves objects with the pointer. They snap to their neighbours, unless Ctrl is held. */
import { boxAround, centreOf, isPolygon, movedBy, type Point, type Shapes, shapesOf } from '../shapes/shape.ts';
import { type Guide, noTargets, type SnapTargets, snapBox } from '../shapes/snap.ts';
import { dragging, gridOf, type Held, type Rest, type Scene, snapPixels, type ToolState } from './tool.ts';

interface Move {
  readonly from: Point;
  /** As they were. */
  readonly began: Shapes;
  readonly targets: SnapTargets;
  readonly rest: Rest;
}

export function moving(from: Point, ids: readonly string[], scene: Scene, rest: Rest): ToolState {
  const began = shapesOf(ids, scene.shapeOf);
  const targets = began.size === 0 ? noTargets : scene.targets(new Set(ids));
  return moved({ from, began, targets, rest }, began, []);
}

function moveTo(
  { from, began, targets }: Move,
  at: Point,
  held: Held,
  scene: Scene,
): { readonly shapes: Shapes; readonly guides: readonly Guide[] } {
  const by = { x: at.x - from.x, y: at.y - from.y };
  const shifted = (more: Point): Shapes =>
    new Map([...began].map(([id, shape]) => [id, movedBy(shape, { x: by.x + more.x, y: by.y + more.y })]));
  if (held.control || began.size === 0) return { shapes: shifted({ x: 0, y: 0 }), guides: [] };
  const { left, top, right, bottom } = boxAround(began.values());
  const box = { left: left + by.x, top: top + by.y, right: right + by.x, bottom: bottom + by.y };
  const [only, ...others] = began.values();
  // A spot is where its centre is.
  const anchor = only !== undefined && others.length === 0 && !isPolygon(only) ? centreOf(box) : { x: box.left, y: box.top };
  const { by: more, guides } = snapBox(box, targets, { tolerance: snapPixels * scene.unit, grid: gridOf(scene) }, anchor);
  return { shapes: shifted(more), guides };
}

function moved(move: Move, shapes: Shapes, guides: readonly Guide[]): ToolState {
  return dragging({
    name: 'moving',
    rest: move.rest,
    move: ({ at, held }, scene) => {
      const next = moveTo(move, at, held, scene);
      return moved(move, next.shapes, next.guides);
    },
    drop: ({ at, held }, scene) => ({ do: 'reshape', shapes: moveTo(move, at, held, scene).shapes }),
    sketch: () => ({ shapes, guides, pointer: 'move' }),
  });
}
