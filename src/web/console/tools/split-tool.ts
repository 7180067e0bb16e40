/** Splits polygons along a line: the selected ones, or all that it crosses. With Shift, in one of eight directions. */
import { texts } from '../console-texts.ts';
import { distance, isLine, isPolygon, type Point, type Polygon } from '../shapes/shape.ts';
import { splitWithHoles } from '../shapes/split.ts';
import type { Pieces, Scene } from './tool.ts';
import { twoPointTool } from './two-point-tool.ts';

function line(from: Point, to: Point, isRegular: boolean): readonly Point[] {
  if (!isRegular) return [from, to];
  const eighth = Math.PI / 4;
  const angle = Math.round(Math.atan2(to.y - from.y, to.x - from.x) / eighth) * eighth;
  const length = distance(from, to);
  return [from, { x: from.x + length * Math.cos(angle), y: from.y + length * Math.sin(angle) }];
}

/** The pieces of the polygons that a line crosses as a whole. A line of the map is no polygon. */
function pieces([from, to]: readonly Point[], scene: Scene): Pieces {
  const found = new Map<string, readonly Polygon[]>();
  if (from === undefined || to === undefined) return found;
  const chosen = scene.selection.filter((id) => scene.isMovable(id));
  for (const id of chosen.length > 0 ? chosen : scene.crossing([from, to])) {
    const shape = scene.shapeOf(id);
    if (!scene.isMovable(id) || shape === undefined || !isPolygon(shape) || isLine(shape)) continue;
    const parts = splitWithHoles(shape, from, to);
    if (parts.length > 1) found.set(id, parts);
  }
  return found;
}

export const splitTool = twoPointTool({
  outline: line,
  isClosed: false,
  finish: (corners, scene) => {
    const found = pieces(corners, scene);
    return found.size === 0 ? [{ do: 'notice', text: texts.tools.nothingSplit }] : [{ do: 'split', pieces: found }];
  },
});
