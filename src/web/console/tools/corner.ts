/**
 * One corner of a polygon, of its holes, or of a line, chosen by a tap or by keys: arrows move it, and it is inserted or removed. A move is saved
 * with the next event that is no arrow, and given up with Esc.
 */
import { texts } from '../console-texts.ts';
import { ringsOf, withRing } from '../shapes/holes.ts';
import { between, cornersMin, edgesOf, isLine, isPolygon, type Polygon, type Ring, roundedPoint } from '../shapes/shape.ts';
import { stepped } from './key-cursor.ts';
import type { Effect, Rest, Scene, Step, ToolEvent, ToolState } from './tool.ts';

/** Where a corner is. */
export interface CornerPlace {
  /** 0: the outline; then the holes. */
  readonly ring: number;
  readonly index: number;
}

interface Chosen extends CornerPlace {
  readonly id: string;
  readonly rest: Rest;
  /** The corners of its ring while arrows move one of them. */
  readonly moved?: Ring;
}

/** The only selected object, if it is a polygon or a line. */
export function selectedPolygon(scene: Scene): (Polygon & { readonly id: string }) | undefined {
  const [id, ...others] = scene.selection;
  if (id === undefined || others.length > 0 || !scene.isMovable(id)) return undefined;
  const shape = scene.shapeOf(id);
  return shape === undefined || !isPolygon(shape) ? undefined : { id, ...shape };
}

function sayCorner(corners: Ring, { ring, index }: CornerPlace): Effect {
  const { x = 0, y = 0 } = corners[index] ?? {};
  return { do: 'say', text: texts.tools.cornerAt(index + 1, corners.length, Math.round(x), Math.round(y), ring) };
}

const save = (id: string, shape: Polygon): Effect => ({ do: 'reshape', shapes: new Map([[id, shape]]) });

/** The polygon without a corner. A hole that would have fewer than three is gone. `undefined`: an outline, or a line, keeps its last ones. */
export function withoutCorner(polygon: Polygon, { ring, index }: CornerPlace): Polygon | undefined {
  const corners = ringsOf(polygon)[ring] ?? [];
  if (corners.length > cornersMin(polygon)) return withRing(polygon, ring, corners.toSpliced(index, 1));
  return ring === 0 ? undefined : withRing(polygon, ring, []);
}

/** Chooses a corner of the selected polygon; `undefined` if there is none. */
export function chosenCorner({ ring, index }: CornerPlace, scene: Scene, rest: Rest): Step | undefined {
  const polygon = selectedPolygon(scene);
  const corners = polygon && ringsOf(polygon).at(ring);
  if (polygon === undefined || corners === undefined) return undefined;
  const place = { ring: ring < 0 ? ringsOf(polygon).length + ring : ring, index: index < 0 ? corners.length + index : index };
  return { to: corner({ id: polygon.id, ...place, rest }), effects: [sayCorner(corners, place)] };
}

/** The corner after, or before, one: beyond the last of a ring, one of the next ring. */
function neighbour(polygon: Polygon, { ring, index }: CornerPlace, by: 1 | -1): CornerPlace {
  const rings = ringsOf(polygon);
  const next = index + by;
  if (next >= 0 && next < (rings[ring] as Ring).length) return { ring, index: next };
  const other = (ring + by + rings.length) % rings.length;
  return { ring: other, index: by === 1 ? 0 : (rings[other] as Ring).length - 1 };
}

/** What an event does with the corner, once its move is saved. */
function next(chosen: Chosen, polygon: Polygon, event: ToolEvent): Step | undefined {
  const { id, ring, index, rest } = chosen;
  const corners = ringsOf(polygon)[ring] as Ring;
  const choose = (place: CornerPlace, shape: Polygon, ...effects: Effect[]): Step => ({
    to: corner({ id, ...place, rest }),
    effects: [...effects, sayCorner(ringsOf(shape)[place.ring] as Ring, place)],
  });
  switch (event.is) {
    case 'corner':
      return choose(neighbour(polygon, chosen, event.by), polygon);
    case 'insert': {
      // After the last corner of a line there is no edge: the one before it gets the new corner.
      const edges = edgesOf({ ...polygon, coords: corners });
      const at = Math.min(index, edges.length - 1);
      const edge = edges[at];
      if (edge === undefined) return undefined;
      const more = withRing(polygon, ring, corners.toSpliced(at + 1, 0, roundedPoint(between(...edge))));
      return choose({ ring, index: at + 1 }, more, save(id, more));
    }
    case 'back': {
      const less = withoutCorner(polygon, chosen);
      // An outline keeps three corners, a line two.
      const why = isLine(polygon) ? texts.tools.twoCorners : texts.tools.threeCorners;
      if (less === undefined) return { to: corner(chosen), effects: [{ do: 'notice', text: why }] };
      if (corners.length === cornersMin(polygon))
        return { to: rest(), effects: [save(id, less), { do: 'say', text: texts.tools.holes.removed }] };
      return choose({ ring, index: index % (corners.length - 1) }, less, save(id, less));
    }
    case 'enter':
    case 'done':
      return { to: rest() };
    default:
      return undefined;
  }
}

function corner(chosen: Chosen): ToolState {
  const { id, ring, index, moved, rest } = chosen;
  return {
    name: 'corner',
    next(event, scene) {
      const stored = selectedPolygon(scene);
      const corners = moved ?? (stored && ringsOf(stored)[ring]);
      // Another selection, or another user has removed the corner.
      if (stored?.id !== id || corners === undefined || ringsOf(stored)[ring] === undefined || index >= corners.length)
        return rest().next(event, scene);
      if (event.is === 'cancel') return { to: rest() };
      if (event.is === 'step' || event.is === 'place') {
        const to = corners.with(index, stepped(corners[index], event, scene));
        return { to: corner({ ...chosen, moved: to }), effects: [sayCorner(to, chosen)] };
      }
      // A pointer that only moves saves nothing.
      if (event.is === 'move') return { to: corner(chosen) };
      const polygon = moved === undefined ? stored : { ...stored, ...withRing(stored, ring, moved) };
      const step = next(chosen, polygon, event) ?? rest().next(event, scene);
      const isSaved = moved === undefined || step?.effects?.some((effect) => effect.do === 'reshape') === true;
      if (step === undefined || isSaved) return step;
      return { ...step, effects: [save(id, withRing(stored, ring, moved)), ...(step.effects ?? [])] };
    },
    sketch(scene) {
      const stored = selectedPolygon(scene);
      const isHere = stored?.id === id;
      const corners = moved ?? (stored && ringsOf(stored)[ring]);
      return {
        cursor: isHere ? corners?.[index] : undefined,
        ...(moved === undefined || stored === undefined ? {} : { shapes: new Map([[id, withRing(stored, ring, moved)]]) }),
      };
    },
  };
}
