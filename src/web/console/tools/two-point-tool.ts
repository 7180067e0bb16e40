/**
 * Draws something between two points: by a drag, by two clicks, or by keys. Stays active after it.
 *
 *     idle -- down --> pressing -- drag, up --> idle, done
 *                          '------ up --> drawing -- down, up (or Enter) --> idle, done
 */
import { texts } from '../console-texts.ts';
import { distance, type Point } from '../shapes/shape.ts';
import type { Guide } from '../shapes/snap.ts';
import { meansSelection, sayPlace, stepped } from './key-cursor.ts';
import { type Effect, type Held, isDrag, type Scene, type Sketch, type Step, snapped, type ToolState } from './tool.ts';

interface TwoPoints {
  /** The corners between two points. @param isRegular whether Shift is held: a square, or a line in one of eight directions */
  readonly outline: (from: Point, to: Point, isRegular: boolean) => readonly Point[];
  readonly isClosed: boolean;
  /** What is done with them. */
  readonly finish: (corners: readonly Point[], scene: Scene) => readonly Effect[];
}

interface Drawn {
  readonly from?: Point | undefined;
  readonly to?: Point;
  readonly isRegular?: boolean;
  readonly guides?: readonly Guide[];
  readonly cursor?: Point | undefined;
  /** Where the pointer was pressed. */
  readonly pressed?: { readonly at: Point; readonly isTouch: boolean };
}

/** The other end, to which the next point snaps, too. */
const otherOf = ({ from }: Drawn): readonly Point[] => (from === undefined ? [] : [from]);

export function twoPointTool(tool: TwoPoints): ToolState {
  const { outline, isClosed, finish } = tool;
  const ended = ({ from, cursor }: Drawn, to: Point, isRegular: boolean, scene: Scene): Step => {
    const to2 = state({ cursor });
    if (from === undefined || distance(from, to) === 0)
      return { to: to2, effects: [{ do: 'notice', text: texts.tools.tooSmall }] };
    return { to: to2, effects: finish(outline(from, to, isRegular), scene) };
  };
  const began = (at: Point, cursor?: Point): Step => ({
    to: state({ from: at, to: at, cursor }),
    effects: [{ do: 'say', text: texts.tools.firstPoint }],
  });
  const released = (drawn: Drawn, event: { readonly at: Point; readonly held: Held }, scene: Scene): Step | undefined => {
    const { pressed, from } = drawn;
    if (pressed === undefined) return undefined;
    const { at } = snapped(event, scene, otherOf(drawn));
    if (from !== undefined && (isDrag(pressed, event.at, scene) || distance(pressed.at, from) > 0))
      return ended(drawn, at, event.held.shift, scene);
    return began(from ?? at);
  };
  const state = (drawn: Drawn): ToolState => ({
    name: drawn.pressed !== undefined ? 'pressing' : drawn.from === undefined ? 'idle' : 'drawing',
    next(event, scene) {
      const { from, cursor, pressed } = drawn;
      switch (event.is) {
        case 'down': {
          const { at } = snapped(event, scene, otherOf(drawn));
          return {
            to: state({ from: from ?? at, to: at, isRegular: event.held.shift, pressed: { at, isTouch: event.isTouch } }),
          };
        }
        case 'move': {
          const { at, guides } = snapped(event, scene, otherOf(drawn));
          const kept = pressed === undefined ? {} : { pressed };
          return { to: state({ from, to: at, guides, isRegular: event.held.shift, ...kept }) };
        }
        case 'up':
          return released(drawn, event, scene);
        case 'abort':
          return { to: state({ cursor }) };
        case 'step':
        case 'place': {
          const to = stepped(cursor ?? from, event, scene);
          return { to: state({ from, to, cursor: to }), effects: [sayPlace(to)] };
        }
        case 'enter': {
          if (from === undefined && meansSelection(cursor, scene)) return undefined;
          const at = cursor ?? drawn.to ?? stepped(undefined, event, scene);
          return from === undefined ? began(at, at) : ended(drawn, at, drawn.isRegular === true, scene);
        }
        case 'cancel':
        case 'back':
          return from === undefined ? undefined : { to: state({ cursor }) };
        default:
          return undefined;
      }
    },
    sketch(): Sketch {
      const { from, to, isRegular = false, guides = [], cursor } = drawn;
      const corners = from === undefined || to === undefined ? [] : outline(from, to, isRegular);
      return { outline: { corners, isClosed }, guides, cursor, pointer: 'crosshair' };
    },
  });
  return state({});
}
