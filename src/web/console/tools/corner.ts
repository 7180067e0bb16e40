/**
 * One corner of a polygon, chosen by a tap or by keys: arrows move it, and it is inserted or removed. A move is saved with the next event
 * that is no arrow, and given up with Esc.
 */
import { texts } from '../console-texts.ts';
import { between, isPolygon, type Point, roundedPoint } from '../shapes/shape.ts';
import { stepped } from './key-cursor.ts';
import type { Effect, Rest, Scene, Step, ToolEvent, ToolState } from './tool.ts';

interface Chosen {
  readonly id: string;
  readonly index: number;
  readonly rest: Rest;
  /** The corners while arrows move one of them. */
  readonly moved?: readonly Point[];
}

/** The corners of the only selected polygon. */
export function selectedPolygon(scene: Scene): { readonly id: string; readonly coords: readonly Point[] } | undefined {
  const [id, ...others] = scene.selection;
  if (id === undefined || others.length > 0 || !scene.isMovable(id)) return undefined;
  const shape = scene.shapeOf(id);
  return shape === undefined || !isPolygon(shape) ? undefined : { id, coords: shape.coords };
}

function sayCorner(coords: readonly Point[], index: number): Effect {
  const { x, y } = coords[index] as Point;
  return { do: 'say', text: texts.tools.cornerAt(index + 1, coords.length, Math.round(x), Math.round(y)) };
}

const save = (id: string, coords: readonly Point[]): Effect => ({ do: 'reshape', shapes: new Map([[id, { coords }]]) });

/** Chooses a corner of the selected polygon; `undefined` if there is none. */
export function chosenCorner(index: number, scene: Scene, rest: Rest): Step | undefined {
  const polygon = selectedPolygon(scene);
  if (polygon === undefined) return undefined;
  const { id, coords } = polygon;
  const at = (index + coords.length) % coords.length;
  return { to: corner({ id, index: at, rest }), effects: [sayCorner(coords, at)] };
}

/** What an event does with the corner, once its move is saved. */
function next(chosen: Chosen, coords: readonly Point[], event: ToolEvent): Step | undefined {
  const { id, index, rest } = chosen;
  const choose = (at: number, corners: readonly Point[], ...effects: Effect[]): Step => ({
    to: corner({ id, index: at, rest }),
    effects: [...effects, sayCorner(corners, at)],
  });
  switch (event.is) {
    case 'corner':
      return choose((index + event.by + coords.length) % coords.length, coords);
    case 'insert': {
      const place = roundedPoint(between(coords[index] as Point, coords[(index + 1) % coords.length] as Point));
      const more = coords.toSpliced(index + 1, 0, place);
      return choose(index + 1, more, save(id, more));
    }
    case 'back': {
      // A polygon keeps three corners.
      if (coords.length <= 3) return { to: corner(chosen), effects: [{ do: 'notice', text: texts.tools.threeCorners }] };
      const less = coords.toSpliced(index, 1);
      return choose(index % less.length, less, save(id, less));
    }
    case 'enter':
    case 'done':
      return { to: rest() };
    default:
      return undefined;
  }
}

function corner(chosen: Chosen): ToolState {
  const { id, index, moved, rest } = chosen;
  return {
    name: 'corner',
    next(event, scene) {
      const polygon = selectedPolygon(scene);
      const coords = moved ?? polygon?.coords;
      // Another selection, or another user has removed the corner.
      if (polygon?.id !== id || coords === undefined || index >= coords.length) return rest().next(event, scene);
      if (event.is === 'cancel') return { to: rest() };
      if (event.is === 'step' || event.is === 'place') {
        const to = coords.with(index, stepped(coords[index], event, scene));
        return { to: corner({ ...chosen, moved: to }), effects: [sayCorner(to, index)] };
      }
      // A pointer that only moves saves nothing.
      if (event.is === 'move') return { to: corner(chosen) };
      const step = next(chosen, coords, event) ?? rest().next(event, scene);
      const isSaved = moved === undefined || step?.effects?.some((effect) => effect.do === 'reshape') === true;
      if (step === undefined || isSaved) return step;
      return { ...step, effects: [save(id, moved), ...(step.effects ?? [])] };
    },
    sketch(scene) {
      const coords = moved ?? selectedPolygon(scene)?.coords;
      const isHere = scene.selection.length === 1 && scene.selection[0] === id;
      return {
        cursor: isHere ? coords?.[index] : undefined,
        ...(moved === undefined ? {} : { shapes: new Map([[id, { coords: moved }]]) }),
      };
    },
  };
}
