/** Turns and scales several selected objects with the handles of the box around them. */
import { rotated, scaled } from '../shapes/arrange.ts';
import { boxAround, centreOf, distance, type Point, type Shapes, shapesOf } from '../shapes/shape.ts';
import { dragging, type Frame, type Held, type Rest, type Scene, type ToolState } from './tool.ts';

/** Pixels of the screen: between box and objects, from box to the handle that turns, and within which a handle is meant. */
const margin = 10;
const stalk = 26;
const reach = { mouse: 9, touch: 18 };

/** The selected objects that can be moved. */
export const movableShapes = (scene: Scene): Shapes =>
  shapesOf(
    scene.selection.filter((id) => scene.isMovable(id)),
    scene.shapeOf,
  );

/** `undefined` if fewer than two objects are selected: one has handles at its corners. */
export function frameOf(shapes: Shapes, { unit }: Scene): Frame | undefined {
  if (shapes.size < 2) return undefined;
  const inner = boxAround(shapes.values());
  const by = margin * unit;
  const box = { left: inner.left - by, top: inner.top - by, right: inner.right + by, bottom: inner.bottom + by };
  const corners = [
    { x: box.left, y: box.top },
    { x: box.right, y: box.top },
    { x: box.right, y: box.bottom },
    { x: box.left, y: box.bottom },
  ];
  return { box, corners, turn: { x: centreOf(box).x, y: box.top - stalk * unit } };
}

interface Transform {
  readonly does: 'turn' | 'scale';
  readonly began: Shapes;
  readonly centre: Point;
  readonly from: Point;
  readonly rest: Rest;
}

/** The handle of the selection at a point. */
export function handleAt(at: Point, isTouch: boolean, scene: Scene, rest: Rest): ToolState | undefined {
  const began = movableShapes(scene);
  const frame = frameOf(began, scene);
  if (frame === undefined) return undefined;
  const isNear = (place: Point) => distance(place, at) <= reach[isTouch ? 'touch' : 'mouse'] * scene.unit;
  const does = isNear(frame.turn) ? 'turn' : frame.corners.some(isNear) ? 'scale' : undefined;
  return does === undefined ? undefined : transforming({ does, began, centre: centreOf(frame.box), from: at, rest }, began);
}

/** Degrees to which Shift rounds. */
const roundDegrees = 15;

function transformed({ does, began, centre, from }: Transform, at: Point, { shift }: Held): Shapes {
  if (does === 'scale')
    return scaled(began, Math.max(0.01, distance(at, centre) / Math.max(1e-9, distance(from, centre))), centre);
  const angleOf = ({ x, y }: Point) => (Math.atan2(y - centre.y, x - centre.x) * 180) / Math.PI;
  const degrees = angleOf(at) - angleOf(from);
  return rotated(began, shift ? Math.round(degrees / roundDegrees) * roundDegrees : degrees, centre);
}

function transforming(transform: Transform, shapes: Shapes): ToolState {
  return dragging({
    name: transform.does === 'turn' ? 'turning' : 'scaling',
    rest: transform.rest,
    move: ({ at, held }) => transforming(transform, transformed(transform, at, held)),
    drop: ({ at, held }) => ({ do: 'reshape', shapes: transformed(transform, at, held) }),
    sketch: () => ({ shapes, pointer: 'move' }),
  });
}
