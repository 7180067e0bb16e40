/**
 * Places spots: with a click, or with Enter at the cursor. On a spot, both edit it.
 *
 *     idle -- down --> pressing -- up --> idle, one more spot
 */
import { isPolygon, type Point } from '../shapes/shape.ts';
import { meansSelection, sayPlace, stepped } from './key-cursor.ts';
import { type Effect, isDrag, type Scene, type ToolState } from './tool.ts';

/** Radius of a new spot, in pixels of the artboard. */
const spotRadius = 20;

function placed(at: Point, scene: Scene): Effect {
  const id = scene.objectAt(at);
  const shape = id === undefined ? undefined : scene.shapeOf(id);
  return id !== undefined && shape !== undefined && !isPolygon(shape)
    ? { do: 'edit', id }
    : { do: 'create', shape: { ...at, radius: spotRadius } };
}

function idle(cursor?: Point): ToolState {
  return {
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
  };
}

function pressing(from: { readonly at: Point; readonly isTouch: boolean }): ToolState {
  return {
    name: 'pressing',
    next(event, scene) {
      if (event.is === 'up') return { to: idle(), effects: isDrag(from, event.at, scene) ? [] : [placed(from.at, scene)] };
      return event.is === 'abort' || event.is === 'cancel' ? { to: idle() } : undefined;
    },
    sketch: () => ({ pointer: 'crosshair' }),
  };
}

export const spotTool: ToolState = idle();
