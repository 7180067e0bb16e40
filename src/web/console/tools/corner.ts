/**
 * One corner of a polygon or a line, chosen by a tap or by keys: arrows move it, and it is inserted or removed. A move is saved with the next event
 * that is no arrow, and given up with Esc.
 */
import { texts } from '../console-texts.ts';
import { between, cornersMin, edgesOf, isLine, isPolygon, type Point, type Polygon, roundedPoint } from '../shapes/shape.ts';
import { stepped } from './key-cursor.ts';
import type { Effect, Rest, Scene, Step, ToolEvent, ToolState } from './tool.ts';

interface Chosen {
  readonly id: string;
  readonly index: number;
  readonly rest: Rest;
  /** The corners while arrows move one of them. */
  readonly moved?: readonly Point[];
}

/** The only selected object, if it is a polygon or a line. */
export function selectedPolygon(scene: Scene): (Polygon & { readonly id: string }) | undefined {
  const [id, ...others] = scene.selection;
  if (id === undefined || others.length > 0 || !scene.isMovable(id)) return undefined;
  const shape = scene.shapeOf(id);
  return shape === undefined || !isPolygon(shape) ? undefined : { id, ...shape };
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
function next(chosen: Chosen, polygon: Polygon, event: ToolEvent): Step | undefined {
  const { id, index, rest } = chosen;
  const { coords } = polygon;
  const choose = (at: number, corners: readonly Point[], ...effects: Effect[]): Step => ({
    to: corner({ id, index: at, rest }),
    effects: [...effects, sayCorner(corners, at)],
  });
  switch (event.is) {
    case 'corner':
      return choose((index + event.by + coords.length) % coords.length, coords);
    case 'insert': {
      // After the last corner of a line there is no edge: the one before it gets the new corner.
      const edges = edgesOf(polygon);
      const at = Math.min(index, edges.length - 1);
      const edge = edges[at];
      if (edge === undefined) return undefined;
      const more = coords.toSpliced(at + 1, 0, roundedPoint(between(...edge)));
      return choose(at + 1, more, save(id, more));
    }
    case 'back': {
      // A polygon keeps three corners, a line two.
      const why = isLine(polygon) ? texts.tools.twoCorners : texts.tools.threeCorners;
      if (coords.length <= cornersMin(polygon)) return { to: corner(chosen), effects: [{ do: 'notice', text: why }] };
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
      const step = next(chosen, { ...polygon, coords }, event) ?? rest().next(event, scene);
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
