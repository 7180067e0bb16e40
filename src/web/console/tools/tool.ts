/**
 * What a tool of the editor is: states that receive events and return the next state, with what is to be done. Tools know no browser and no
 * map; `map/tool-runner.ts` delivers the events, draws the sketch and carries the effects out.
 *
 *     pointer, keys, touch -> ToolEvent -> state.next(event, scene) -> next state + effects
 */
import type { Box } from '../../../lib/geo/polygon.ts';
import type { Point, Polygon, Shape, Shapes } from '../shapes/shape.ts';
import { type Guide, roundedTo, type SnapTargets, snapPoint } from '../shapes/snap.ts';

/** Keys that are held during an event of the pointer. */
export interface Held {
  readonly shift: boolean;
  /** Ctrl, or Command. */
  readonly control: boolean;
  readonly alt: boolean;
}

/** Places are pixels of the artboard. */
export type ToolEvent =
  | { readonly is: 'down'; readonly at: Point; readonly held: Held; readonly isTouch: boolean }
  /** With a pressed pointer, or without. */
  | { readonly is: 'move'; readonly at: Point; readonly held: Held }
  | { readonly is: 'up'; readonly at: Point; readonly held: Held }
  /** The gesture is none: a second finger, or the browser, has taken it. */
  | { readonly is: 'abort' }
  /** An arrow key. */
  | { readonly is: 'step'; readonly by: Point }
  /** A typed place. */
  | { readonly is: 'place'; readonly at: Point }
  | { readonly is: 'enter' }
  /** The button "Done": ends what is being drawn. */
  | { readonly is: 'done' }
  /** Esc. */
  | { readonly is: 'cancel' }
  /** Chooses the next, or the previous, corner of the selected polygon or line. */
  | { readonly is: 'corner'; readonly by: 1 | -1 }
  /** Inserts a corner after the chosen one. */
  | { readonly is: 'insert' }
  /** Delete or Backspace. */
  | { readonly is: 'back' };

/** What a tool can find out about the artboard. */
export interface Scene {
  readonly canWrite: boolean;
  /** Identifiers of the selected objects. */
  readonly selection: readonly string[];
  /** Pixels of the artboard in one pixel of the screen. */
  readonly unit: number;
  /** The middle of what is visible. */
  readonly centre: Point;
  /** Whether the user can change an object now. */
  isMovable(id: string): boolean;
  shapeOf(id: string): Shape | undefined;
  /** The topmost object at a point. */
  objectAt(at: Point): string | undefined;
  /** The objects that are within a box as a whole. */
  within(box: Box): readonly string[];
  /** The objects whose box a line between two points meets. */
  crossing(line: readonly [Point, Point]): readonly string[];
  /** What the neighbours in view have to snap to. */
  targets(except: ReadonlySet<string>): SnapTargets;
}

/** The pieces of polygons, by their identifiers. */
export type Pieces = ReadonlyMap<string, readonly Polygon[]>;

/** What the editor does after an event. */
export type Effect =
  | { readonly do: 'select'; readonly ids: readonly string[] }
  /** Selects an object and goes to its form. */
  | { readonly do: 'edit'; readonly id: string }
  /** Saves new shapes: one step. */
  | { readonly do: 'reshape'; readonly shapes: Shapes }
  | { readonly do: 'create'; readonly shape: Shape }
  /** Replaces polygons by their pieces. */
  | { readonly do: 'split'; readonly pieces: Pieces }
  /** Lets the user type a text at a place. */
  | { readonly do: 'write'; readonly at: Point }
  /** Says something that everyone sees. */
  | { readonly do: 'notice'; readonly text: string }
  /** Says something to users of a screen reader. */
  | { readonly do: 'say'; readonly text: string };

/** The box around a selection with its handles. */
export interface Frame {
  readonly box: Box;
  readonly corners: readonly Point[];
  readonly turn: Point;
}

/** What is drawn above the artboard in a state. */
export interface Sketch {
  /** Objects as they are while they are being changed. */
  readonly shapes?: Shapes;
  /** What is being drawn. */
  readonly outline?: { readonly corners: readonly Point[]; readonly isClosed: boolean };
  /** The handles of several selected objects. */
  readonly frame?: Frame | undefined;
  /** The selection rectangle. */
  readonly brush?: Box;
  readonly guides?: readonly Guide[];
  /** The place that arrow keys move. */
  readonly cursor?: Point | undefined;
  /** A corner below the pointer. */
  readonly handle?: Point | undefined;
  /** How the pointer looks. */
  readonly pointer?: 'move' | 'pointer' | 'crosshair' | undefined;
}

export interface Step {
  readonly to: ToolState;
  readonly effects?: readonly Effect[];
}

export interface ToolState {
  readonly name: string;
  /** The next state; `undefined` if the event means nothing here. */
  next(event: ToolEvent, scene: Scene): Step | undefined;
  sketch(scene: Scene): Sketch;
}

/** The state after a gesture, with the pointer at a place. */
export type Rest = (at?: Point) => ToolState;

/** Pixels of the screen by which a pressed pointer has to move for a drag. */
const dragFrom = { touch: 8, mouse: 3 };

/** Whether a pointer that was pressed at `from` drags. */
export const isDrag = (from: { readonly at: Point; readonly isTouch: boolean }, at: Point, { unit }: Scene): boolean =>
  Math.hypot(at.x - from.at.x, at.y - from.at.y) > dragFrom[from.isTouch ? 'touch' : 'mouse'] * unit;

/** Pixels of the screen within which something snaps. */
export const snapPixels = 7;

/** Pixels of the screen from which a pixel of the artboard is so large that its parts matter. */
const partsFrom = 8;

/** The grid of places: whole pixels of the artboard, unless the view is so close that their parts matter. */
export const gridOf = ({ unit }: Scene): number => (unit * partsFrom < 1 ? 0.01 : 1);

/** Where the pointer places something that does not snap: Ctrl places it exactly. */
export const inPixels = ({ at, held }: { readonly at: Point; readonly held: Held }, scene: Scene): Point =>
  held.control ? at : roundedTo(at, gridOf(scene));

/** Where the pointer places a point: Ctrl places it exactly. @param own other points of the drawing */
export function snapped(
  { at, held }: { readonly at: Point; readonly held: Held },
  scene: Scene,
  own: readonly Point[],
  targets = scene.targets(new Set()),
): { readonly at: Point; readonly guides: readonly Guide[] } {
  if (held.control) return { at, guides: [] };
  return snapPoint(at, targets, { tolerance: snapPixels * scene.unit, grid: gridOf(scene) }, own);
}

/** An event of a pointer that is pressed. */
type DragEvent = Extract<ToolEvent, { readonly is: 'move' | 'up' }>;

/** A state in which a pressed pointer drags something, until it is released; Esc, or a second finger, gives the gesture up. */
export function dragging(drag: {
  readonly name: string;
  readonly rest: Rest;
  readonly move: (event: DragEvent, scene: Scene) => ToolState;
  readonly drop: (event: DragEvent, scene: Scene) => Effect;
  readonly sketch: () => Sketch;
}): ToolState {
  return {
    name: drag.name,
    next(event, scene) {
      switch (event.is) {
        case 'move':
          return { to: drag.move(event, scene) };
        case 'up':
          return { to: drag.rest(event.at), effects: [drag.drop(event, scene)] };
        case 'abort':
        case 'cancel':
          return { to: drag.rest() };
        default:
          return undefined;
      }
    },
    sketch: drag.sketch,
  };
}
