/**
 * Draws polygons corner by corner. Stays active after a shape.
 *
 *     idle -- down --> pressing -- up --> drawing -- down, up --> drawing … -- first or last corner again, Enter --> idle, one more polygon
 */
import { texts } from '../console-texts.ts';
import { distance, isFlat, type Point } from '../shapes/shape.ts';
import type { Guide } from '../shapes/snap.ts';
import { meansSelection, sayPlace, stepped } from './key-cursor.ts';
import { type Effect, type Step, snapped, type ToolState } from './tool.ts';

/** Pixels of the screen within which a click means a corner that is there. */
const sameCorner = 10;

interface Drawn {
  readonly corners: readonly Point[];
  /** Where the next corner would be, and with which lines it is aligned. */
  readonly next?: Point;
  readonly guides?: readonly Guide[];
  readonly cursor?: Point | undefined;
  readonly isPressed?: boolean;
}

const nothing: Drawn = { corners: [] };

const say = (text: string): Effect => ({ do: 'say', text });

/** Ends the polygon. */
function finished({ corners, cursor }: Drawn): Step {
  const why = corners.length < 3 ? texts.tools.threeCorners : isFlat(corners) ? texts.tools.flat : '';
  if (why !== '') return { to: polygonState({ corners, cursor }), effects: [{ do: 'notice', text: why }] };
  return { to: polygonState({ corners: [], cursor }), effects: [{ do: 'create', shape: { coords: corners } }] };
}

/**
 * A corner more; the first or the last one again ends the polygon.
 *
 * @param reach pixels of the artboard within which a place means a corner
 */
function withCorner(drawn: Drawn, at: Point, reach: number): Step {
  const { corners } = drawn;
  const [first] = corners;
  const last = corners.at(-1);
  const isAt = (corner: Point | undefined) => corner !== undefined && distance(corner, at) <= reach;
  if (isAt(last) || (corners.length >= 3 && isAt(first))) return finished(drawn);
  return {
    to: polygonState({ corners: [...corners, at], next: at, cursor: drawn.cursor }),
    effects: [say(texts.tools.corner(corners.length + 1))],
  };
}

function polygonState(drawn: Drawn): ToolState {
  const { corners, cursor } = drawn;
  return {
    name: drawn.isPressed === true ? 'pressing' : corners.length === 0 ? 'idle' : 'drawing',
    next(event, scene) {
      switch (event.is) {
        case 'down':
        case 'move': {
          const { at, guides } = snapped(event, scene, corners);
          const isPressed = event.is === 'down' || drawn.isPressed === true;
          return { to: polygonState({ corners, next: at, guides, isPressed }) };
        }
        case 'up':
          if (drawn.isPressed !== true) return undefined;
          return withCorner({ corners }, snapped(event, scene, corners).at, sameCorner * scene.unit);
        case 'abort':
          return { to: polygonState({ corners }) };
        case 'step':
        case 'place': {
          const to = stepped(cursor ?? corners.at(-1), event, scene);
          return { to: polygonState({ corners, next: to, cursor: to }), effects: [sayPlace(to)] };
        }
        case 'enter': {
          // Without a cursor, the pointer has drawn the corners.
          if (cursor === undefined && corners.length > 0) return finished(drawn);
          if (meansSelection(cursor, scene)) return undefined;
          const at = cursor ?? stepped(undefined, event, scene);
          return withCorner({ ...drawn, cursor: at }, at, 0);
        }
        case 'done':
          return corners.length === 0 ? undefined : finished(drawn);
        case 'back':
          return corners.length === 0 ? undefined : { to: polygonState({ corners: corners.slice(0, -1), cursor }) };
        case 'cancel':
          return corners.length === 0 ? undefined : { to: polygonState({ corners: [], cursor }) };
        default:
          return undefined;
      }
    },
    sketch: () => ({
      outline: { corners: drawn.next === undefined ? corners : [...corners, drawn.next], isClosed: true },
      guides: drawn.guides ?? [],
      cursor,
      pointer: 'crosshair',
    }),
  };
}

export const polygonTool: ToolState = polygonState(nothing);
