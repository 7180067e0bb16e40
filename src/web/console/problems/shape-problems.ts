/** Objects that visitors do not see because of their place or their size. Pure. */

import type { Box } from '../../../lib/geo/polygon.ts';
import { texts } from '../console-texts.ts';
import type { ProjectStore } from '../document/project-store.ts';
import { boxOf, isPolygon, meets, shapeOf } from '../shapes/shape.ts';

export interface ShapeProblem {
  readonly id: string;
  readonly member: string;
  readonly text: string;
}

/** Of a map of the world, visitors see more than the artboard. */
export function shapeProblems(store: ProjectStore): readonly ShapeProblem[] {
  return store.members({ kind: 'artboard' }).flatMap(({ id: artboardId, type, width, height }) => {
    const all: Box = { left: 0, top: 0, right: Number(width), bottom: Number(height) };
    return store.members({ kind: 'object', artboardId }).flatMap((object): ShapeProblem[] => {
      const shape = shapeOf(object);
      if (shape === undefined) return [];
      const { id } = object;
      if (!isPolygon(shape) && shape.radius < 0) return [{ id, member: 'radius', text: texts.editor.negative(shape.radius) }];
      if (type === 'osm' || meets(boxOf(shape), all)) return [];
      return [{ id, member: isPolygon(shape) ? 'coords' : 'x', text: texts.editor.outside }];
    });
  });
}
