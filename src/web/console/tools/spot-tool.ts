/**
 * Places something: with a click, or with Enter at the cursor. A spot is placed by it; on a spot, both edit that.
 *
 *     idle -- down --> pressing -- up --> idle, one more spot
 */
import { isPolygon, type Point } from '../shapes/shape.ts';
import { meansSelection, sayPlace, stepped } from './key-cursor.ts';
import { type Effect, type Held, inPixels, isDrag, type Scene, type ToolState } from './tool.ts';

/** Radius of a new spot, in pixels of the artboard. */
const spotRadius = 20;

/** @param placed what is done at a place */
export function placeTool(placed: (at: Point, scene: Scene) => Effect): ToolState {
  const idle = (cursor?: Point): ToolState => ({
    name: 'idle',
    next(event, scene) {
      switch (event.is) {
        case 'down':
          return { to: pressing(event) };
        case 'step':
        case 'place': {
          const to = stepped(cursor, event, scene);
          return { to: idle(to), effects: [sayPlace(to)] };
        }
        case 'enter': {
          if (meansSelection(cursor, scene)) return undefined;
          const at = cursor ?? stepped(undefined, event, scene);
          return { to: idle(at), effects: [placed(at, scene)] };
        }
        default:
          return undefined;
      }
    },
    sketch: () => ({ cursor, pointer: 'crosshair' }),
  });
  const pressing = (from: { readonly at: Point; readonly held: Held; readonly isTouch: boolean }): ToolState => ({
    name: 'pressing',
    next(event, scene) {
      if (event.is === 'up')
        return { to: idle(), effects: isDrag(from, event.at, scene) ? [] : [placed(inPixels(from, scene), scene)] };
      return event.is === 'abort' || event.is === 'cancel' ? { to: idle() } : undefined;
    },
    sketch: () => ({ pointer: 'crosshair' }),
  });
  return idle();
}

export const spotTool = placeTool((at, scene) => {
  const id = scene.objectAt(at);
  const shape = id === undefined ? undefined : scene.shapeOf(id);
  return id !== undefined && shape !== undefined && !isPolygon(shape)
    ? { do: 'edit', id }
    : { do: 'create', shape: { ...at, radius: spotRadius } };
});
