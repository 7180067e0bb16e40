/** A rectangle that selects the objects in it. */
import { boxBetween, type Point } from '../shapes/shape.ts';
import type { Rest, ToolState } from './tool.ts';

/** @param added what stays selected */
export function brushing(from: Point, added: readonly string[], rest: Rest, to: Point = from): ToolState {
  return {
    name: 'brushing',
    next(event, scene) {
      switch (event.is) {
        case 'move':
          return { to: brushing(from, added, rest, event.at) };
        case 'up': {
          const found = scene.within(boxBetween(from, event.at));
          return { to: rest(event.at), effects: [{ do: 'select', ids: [...new Set([...added, ...found])] }] };
        }
        case 'abort':
        case 'cancel':
          return { to: rest() };
        default:
          return undefined;
      }
    },
    sketch: () => ({ brush: boxBetween(from, to), pointer: 'crosshair' }),
  };
}
