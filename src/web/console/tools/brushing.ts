/** A rectangle that selects the objects in it. */
import { boxBetween, type Point } from '../shapes/shape.ts';
import { dragging, type Rest, type ToolState } from './tool.ts';

/** @param added what stays selected */
export function brushing(from: Point, added: readonly string[], rest: Rest, to: Point = from): ToolState {
  return dragging({
    name: 'brushing',
    rest,
    move: ({ at }) => brushing(from, added, rest, at),
    drop: ({ at }, scene) => ({ do: 'select', ids: [...new Set([...added, ...scene.within(boxBetween(from, at))])] }),
    sketch: () => ({ brush: boxBetween(from, to), pointer: 'crosshair' }),
  });
}
