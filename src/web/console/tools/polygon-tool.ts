/**
 * Draws corner by corner: polygons, and with other rules lines and holes. Stays active after a shape.
 *
 *     idle -- down --> pressing -- up --> drawing -- down, up --> drawing … -- first or last corner again, Enter --> idle, one more shape
 */
import { texts } from '../console-texts.ts';
import { distance, isFlat, type Point } from '../shapes/shape.ts';
import type { Guide } from '../shapes/snap.ts';
import { meansSelection, sayPlace, stepped } from './key-cursor.ts';
import { type Effect, type Scene, type Step, snapped, type ToolState } from './tool.ts';

/** Pixels of the screen within which a click means a corner that is there. */
const sameCorner = 10;

/** How what is drawn differs from a polygon. */
interface CornerRules {
  /** False: it ends at its last corner alone. */
  readonly isClosed: boolean;
  /** True if Enter without a cursor edits what is selected. */
  readonly leavesSelection: boolean;
  /** Further effects of one more corner; a notice refuses it. */
  readonly add?: (corners: readonly Point[], scene: Scene) => readonly Effect[];
  /** The effects of the end; a notice refuses the corners. */
  readonly finish: (corners: readonly Point[], scene: Scene) => readonly Effect[];
}

interface Drawn {
  readonly corners: readonly Point[];
  /** Where the next corner would be, and with which lines it is aligned. */
  readonly next?: Point;
  readonly guides?: readonly Guide[];
  readonly cursor?: Point | undefined;
  readonly isPressed?: boolean;
}

const say = (text: string): Effect => ({ do: 'say', text });
const isRefused = (effects: readonly Effect[]): boolean => effects.some((effect) => effect.do === 'notice');

/** Why corners are no polygon; '' if they are. */
export const noPolygon = (corners: readonly Point[]): string =>
  corners.length < 3 ? texts.tools.threeCorners : isFlat(corners) ? texts.tools.flat : '';

export function cornersTool({ isClosed, leavesSelection, add, finish }: CornerRules): ToolState {
  /** Ends the shape; what is refused stays. */
  const finished = ({ corners, cursor }: Drawn, scene: Scene): Step => {
    const effects = finish(corners, scene);
    return { to: state({ corners: isRefused(effects) ? corners : [], cursor }), effects };
  };

  /**
   * A corner more; the last one again, or the first one of a closed shape, ends it.
   *
   * @param reach pixels of the artboard within which a place means a corner
   */
  const withCorner = (drawn: Drawn, at: Point, reach: number, scene: Scene): Step => {
    const { corners, cursor } = drawn;
    const [first] = corners;
    const isAt = (corner: Point | undefined) => corner !== undefined && distance(corner, at) <= reach;
    if (isAt(corners.at(-1)) || (isClosed && corners.length >= 3 && isAt(first))) return finished(drawn, scene);
    const more = [...corners, at];
    const effects = add?.(more, scene) ?? [];
    if (isRefused(effects)) return { to: state({ corners, cursor }), effects };
    return { to: state({ corners: more, next: at, cursor }), effects: [...effects, say(texts.tools.corner(more.length))] };
  };

  const state = (drawn: Drawn): ToolState => {
    const { corners, cursor } = drawn;
    return {
      name: drawn.isPressed === true ? 'pressing' : corners.length === 0 ? 'idle' : 'drawing',
      next(event, scene) {
        switch (event.is) {
          case 'down':
          case 'move': {
            const { at, guides } = snapped(event, scene, corners);
            const isPressed = event.is === 'down' || drawn.isPressed === true;
            return { to: state({ corners, next: at, guides, isPressed }) };
          }
          case 'up':
            if (drawn.isPressed !== true) return undefined;
            return withCorner({ corners }, snapped(event, scene, corners).at, sameCorner * scene.unit, scene);
          case 'abort':
            return { to: state({ corners }) };
          case 'step':
          case 'place': {
            const to = stepped(cursor ?? corners.at(-1), event, scene);
            return { to: state({ corners, next: to, cursor: to }), effects: [sayPlace(to)] };
          }
          case 'enter': {
            // Without a cursor, the pointer has drawn the corners.
            if (cursor === undefined && corners.length > 0) return finished(drawn, scene);
            if (leavesSelection && meansSelection(cursor, scene)) return undefined;
            const at = cursor ?? stepped(undefined, event, scene);
            return withCorner({ ...drawn, cursor: at }, at, 0, scene);
          }
          case 'done':
            return corners.length === 0 ? undefined : finished(drawn, scene);
          case 'back':
            return corners.length === 0 ? undefined : { to: state({ corners: corners.slice(0, -1), cursor }) };
          case 'cancel':
            return corners.length === 0 ? undefined : { to: state({ corners: [], cursor }) };
          default:
            return undefined;
        }
      },
      sketch: () => ({
        outline: { corners: drawn.next === undefined ? corners : [...corners, drawn.next], isClosed },
        guides: drawn.guides ?? [],
        cursor,
        pointer: 'crosshair',
      }),
    };
  };
  return state({ corners: [] });
}

export const polygonTool: ToolState = cornersTool({
  isClosed: true,
  leavesSelection: true,
  finish: (coords) => {
    const why = noPolygon(coords);
    return [why === '' ? { do: 'create', shape: { coords } } : { do: 'notice', text: why }];
  },
});
