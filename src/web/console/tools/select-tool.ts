/**
 * Selects, moves and reshapes objects. A drag moves only what is selected; anywhere else it draws a rectangle that selects what is in it.
 *
 *     idle -- down --> pressing -- up --> idle, selected; at a corner: corner
 *                         |-- drag of a corner ---> reshaping --.
 *                         |-- drag of a handle ---> turning, scaling --|
 *                         |-- drag of the selection -> moving --|-- up --> idle, saved
 *                         '-- drag elsewhere -----> brushing ---'
 */
import { ringsOf, withRing } from '../shapes/holes.ts';
import { distance, edgesOf, nearestOn, type Point, type Polygon } from '../shapes/shape.ts';
import { brushing } from './brushing.ts';
import { type CornerPlace, chosenCorner, selectedPolygon, withoutCorner } from './corner.ts';
import { moving } from './moving.ts';
import { reshaping } from './reshaping.ts';
import { type Effect, type Held, isDrag, type Scene, type Sketch, type ToolState } from './tool.ts';
import { frameOf, handleAt, movableShapes } from './transforming.ts';

/** Pixels of the screen within which a corner, or an edge, is meant. */
const reach = { corner: { mouse: 10, touch: 18 }, edge: { mouse: 6, touch: 10 } };

/** What was pressed. */
export interface Pressed {
  readonly at: Point;
  readonly held: Held;
  readonly isTouch: boolean;
}

/** A corner of the selected polygon or line, or a place on its edge where one can be inserted: then the index is that of the new one. */
interface Grip extends CornerPlace {
  readonly polygon: Polygon & { readonly id: string };
  readonly isNew: boolean;
  readonly place: Point;
}

function gripAt(at: Point, isTouch: boolean, scene: Scene): Grip | undefined {
  const polygon = selectedPolygon(scene);
  if (polygon === undefined) return undefined;
  const kind = isTouch ? 'touch' : 'mouse';
  const nearest = (places: readonly Omit<Grip, 'polygon' | 'isNew'>[], within: number) =>
    places.reduce<(typeof places)[number] | undefined>((best, each) => {
      const far = distance(each.place, at);
      return far <= within * scene.unit && (best === undefined || far < distance(best.place, at)) ? each : best;
    }, undefined);
  const rings = ringsOf(polygon);
  const corner = nearest(
    rings.flatMap((corners, ring) => corners.map((place, index) => ({ ring, index, place }))),
    reach.corner[kind],
  );
  if (corner !== undefined) return { polygon, ...corner, isNew: false };
  const onEdges = rings.flatMap((corners, ring) =>
    edgesOf({ ...polygon, coords: corners }).map(([from, to], edge) => ({
      ring,
      index: edge + 1,
      place: nearestOn(from, to, at),
    })),
  );
  const edge = nearest(onEdges, reach.edge[kind]);
  return edge && { polygon, ...edge, isNew: true };
}

/** What a click selects. */
function clicked({ at, held }: Pressed, scene: Scene): readonly Effect[] {
  const id = scene.objectAt(at);
  const { selection } = scene;
  const isMore = held.shift || held.control;
  if (id === undefined) return isMore ? [] : [{ do: 'select', ids: [] }];
  if (!isMore) return [{ do: 'select', ids: [id] }];
  return [{ do: 'select', ids: selection.includes(id) ? selection.filter((each) => each !== id) : [...selection, id] }];
}

function hovered(at: Point | undefined, scene: Scene): Sketch {
  const frame = scene.canWrite ? frameOf(movableShapes(scene), scene) : undefined;
  if (at === undefined) return { frame };
  const grip = gripAt(at, false, scene);
  if (grip !== undefined) return { handle: grip.place, pointer: 'pointer' };
  const id = scene.objectAt(at);
  return { frame, pointer: id === undefined ? undefined : scene.selection.includes(id) && scene.canWrite ? 'move' : 'pointer' };
}

export function idle(at?: Point): ToolState {
  return {
    name: 'idle',
    next(event, scene) {
      if (event.is === 'down') return { to: pressing(event) };
      if (event.is === 'corner')
        return chosenCorner(event.by === 1 ? { ring: 0, index: 0 } : { ring: -1, index: -1 }, scene, idle);
      return event.is === 'move' ? { to: idle(event.at) } : undefined;
    },
    sketch: (scene) => hovered(at, scene),
  };
}

/** The drag that begins with a press; `undefined` if there is nothing to drag. */
function dragOf(from: Pressed, scene: Scene): ToolState | undefined {
  if (!scene.canWrite) return undefined;
  const { at, held, isTouch } = from;
  const grip = held.alt ? undefined : gripAt(at, isTouch, scene);
  if (grip !== undefined) {
    const { polygon, ring, index, isNew } = grip;
    const corners = ringsOf(polygon)[ring] ?? [];
    return reshaping({
      polygon: isNew ? { ...polygon, ...withRing(polygon, ring, corners.toSpliced(index, 0, at)) } : polygon,
      ring,
      index,
      targets: scene.targets(new Set([polygon.id])),
      rest: idle,
    });
  }
  const lever = held.alt ? undefined : handleAt(at, isTouch, scene, idle);
  if (lever !== undefined) return lever;
  const id = scene.objectAt(at);
  if (id === undefined || held.shift || !scene.selection.includes(id))
    return brushing(at, held.shift ? scene.selection : [], idle);
  const ids = scene.selection.filter((each) => scene.isMovable(each));
  return ids.length === 0 ? undefined : moving(at, ids, scene, idle);
}

function pressing(from: Pressed): ToolState {
  return {
    name: 'pressing',
    next(event, scene) {
      switch (event.is) {
        case 'move': {
          if (!isDrag(from, event.at, scene)) return undefined;
          const drag = dragOf(from, scene);
          return drag === undefined ? { to: idle() } : (drag.next(event, scene) ?? { to: drag });
        }
        case 'up': {
          const grip = gripAt(from.at, from.isTouch, scene);
          if (grip === undefined || grip.isNew) return { to: idle(event.at), effects: clicked(from, scene) };
          if (!from.held.alt) return chosenCorner(grip, scene, idle);
          const less = withoutCorner(grip.polygon, grip);
          if (less === undefined) return { to: idle(event.at) };
          return { to: idle(event.at), effects: [{ do: 'reshape', shapes: new Map([[grip.polygon.id, less]]) }] };
        }
        case 'abort':
        case 'cancel':
          return { to: idle() };
        default:
          return undefined;
      }
    },
    sketch: () => ({}),
  };
}

export const selectTool: ToolState = idle();
