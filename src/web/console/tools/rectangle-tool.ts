/** Draws rectangles between two corners; with Shift, squares. */
import { texts } from '../console-texts.ts';
import { isFlat, type Point, roundedPoint } from '../shapes/shape.ts';
import { twoPointTool } from './two-point-tool.ts';

function rectangle(from: Point, to: Point, isSquare: boolean): readonly Point[] {
  const side = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y));
  const end = isSquare ? { x: from.x + side * Math.sign(to.x - from.x), y: from.y + side * Math.sign(to.y - from.y) } : to;
  return [from, { x: end.x, y: from.y }, end, { x: from.x, y: end.y }].map(roundedPoint);
}

export const rectangleTool = twoPointTool({
  outline: rectangle,
  isClosed: true,
  finish: (coords) => [isFlat(coords) ? { do: 'notice', text: texts.tools.flat } : { do: 'create', shape: { coords } }],
});
