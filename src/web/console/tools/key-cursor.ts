/** Drawing by keys: a cursor that arrow keys move, or typed coordinates; its place is announced. */
import { texts } from '../console-texts.ts';
import { type Point, roundedPoint } from '../shapes/shape.ts';
import type { Effect, Scene, ToolEvent } from './tool.ts';

/** The cursor after an arrow key or a typed place; the first one is in the middle of what is visible. */
export const stepped = (cursor: Point | undefined, event: ToolEvent, { centre }: Scene): Point => {
  if (event.is === 'place') return roundedPoint(event.at);
  const by = event.is === 'step' ? event.by : { x: 0, y: 0 };
  const { x, y } = cursor ?? roundedPoint({ x: Math.round(centre.x), y: Math.round(centre.y) });
  return roundedPoint({ x: x + by.x, y: y + by.y });
};

/** Whether Enter means the selection, and no place: nothing is being drawn, and no arrow key has shown where. */
export const meansSelection = (cursor: Point | undefined, { selection }: Scene): boolean =>
  cursor === undefined && selection.length > 0;

/** Announces a place. */
export const sayPlace = ({ x, y }: Point): Effect => ({ do: 'say', text: texts.tools.place(Math.round(x), Math.round(y)) });
