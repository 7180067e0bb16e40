/** Cuts holes into the selected polygon. Without one, the first corner selects the polygon below it. */
import { texts } from '../console-texts.ts';
import { holeRefusal } from '../shapes/holes.ts';
import { isLine, isPolygon, type Point, type Polygon } from '../shapes/shape.ts';
import { cornersTool, noPolygon } from './polygon-tool.ts';
import type { Effect, Scene } from './tool.ts';

const t = texts.tools.holes;
const refused = (text: string): readonly Effect[] => [{ do: 'notice', text }];

/** The polygon that gets the hole: the only selected object, or else the one at the first corner. */
function target(scene: Scene, first: Point | undefined): { readonly id: string; readonly polygon: Polygon } | undefined {
  const [only, ...others] = scene.selection;
  const areaOf = (id: string | undefined) => {
    const polygon = id === undefined || !scene.isMovable(id) ? undefined : scene.shapeOf(id);
    return id === undefined || polygon === undefined || !isPolygon(polygon) || isLine(polygon) ? undefined : { id, polygon };
  };
  return (others.length === 0 ? areaOf(only) : undefined) ?? areaOf(first && scene.objectAt(first));
}

export const holeTool = cornersTool({
  isClosed: true,
  leavesSelection: false,
  add(corners, scene) {
    const found = target(scene, corners[0]);
    if (found === undefined) return refused(t.noPolygon);
    const why = holeRefusal(found.polygon, corners.slice(-1));
    if (why !== undefined) return refused(t.refusals[why]);
    return scene.selection.includes(found.id) ? [] : [{ do: 'select', ids: [found.id] }];
  },
  finish(corners, scene) {
    const found = target(scene, corners[0]);
    if (found === undefined) return refused(t.noPolygon);
    const { id, polygon } = found;
    const why = holeRefusal(polygon, corners);
    const text = noPolygon(corners) || (why === undefined ? '' : t.refusals[why]);
    if (text !== '') return refused(text);
    const { coords, holes = [] } = polygon;
    return [
      { do: 'reshape', shapes: new Map([[id, { coords, holes: [...holes, corners] }]]) },
      { do: 'say', text: t.cut },
    ];
  },
});
