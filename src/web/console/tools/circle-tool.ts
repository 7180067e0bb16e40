/** Draws circles, as polygons, from their centre. */
import { distance } from '../shapes/shape.ts';
import { ring } from '../shapes/shape-kind.ts';
import { twoPointTool } from './two-point-tool.ts';

/** Corners of a circle: its outline is within half a pixel of a true one up to a radius of 400 pixels. */
const circleCorners = 64;

export const circleTool = twoPointTool({
  outline: (from, to) => (distance(from, to) === 0 ? [] : ring(from, distance(from, to), circleCorners)),
  isClosed: true,
  finish: (coords) => [{ do: 'create', shape: { coords } }],
});
