/** Moves a corner of a polygon or a line with the pointer. It snaps to its neighbours, unless Ctrl is held. */
import type { Point } from '../shapes/shape.ts';
import { type Guide, type SnapTargets, snapPoint } from '../shapes/snap.ts';
import { type Held, type Rest, type Scene, snapPixels, type ToolState } from './tool.ts';

interface Reshape {
  readonly id: string;
  readonly coords: readonly Point[];
  /** Index of the corner. */
  readonly corner: number;
  readonly targets: SnapTargets;
  readonly rest: Rest;
  readonly guides?: readonly Guide[];
}

function cornerTo(reshape: Reshape, at: Point, held: Held, scene: Scene): Reshape {
  const { coords, corner, targets } = reshape;
  const others = coords.toSpliced(corner, 1);
  const snapped = held.control ? { at, guides: [] } : snapPoint(at, targets, snapPixels * scene.unit, others);
  return { ...reshape, coords: coords.with(corner, snapped.at), guides: snapped.guides };
}

export function reshaping(reshape: Reshape): ToolState {
  const shapes = new Map([[reshape.id, { coords: reshape.coords }]]);
  return {
    name: 'reshaping',
    next(event, scene) {
      switch (event.is) {
        case 'move':
          return { to: reshaping(cornerTo(reshape, event.at, event.held, scene)) };
        case 'up': {
          const { id, coords } = cornerTo(reshape, event.at, event.held, scene);
          return { to: reshape.rest(event.at), effects: [{ do: 'reshape', shapes: new Map([[id, { coords }]]) }] };
        }
        case 'abort':
        case 'cancel':
          return { to: reshape.rest() };
        default:
          return undefined;
      }
    },
    sketch: () => ({
      shapes,
      guides: reshape.guides ?? [],
      handle: reshape.coords[reshape.corner],
      pointer: 'pointer',
    }),
  };
}
