/** Moves a corner of a polygon or a line with the pointer. It snaps to its neighbours, unless Ctrl is held. */
import type { Point } from '../shapes/shape.ts';
import type { Guide, SnapTargets } from '../shapes/snap.ts';
import { dragging, type Held, type Rest, type Scene, snapped, type ToolState } from './tool.ts';

interface Reshape {
  readonly id: string;
  readonly coords: readonly Point[];
  /** Index of the corner. */
  readonly corner: number;
  readonly targets: SnapTargets;
  readonly rest: Rest;
  readonly guides?: readonly Guide[];
}

function cornerTo(reshape: Reshape, event: { readonly at: Point; readonly held: Held }, scene: Scene): Reshape {
  const { coords, corner, targets } = reshape;
  const { at, guides } = snapped(event, scene, coords.toSpliced(corner, 1), targets);
  return { ...reshape, coords: coords.with(corner, at), guides };
}

export function reshaping(reshape: Reshape): ToolState {
  const { id, coords, corner, guides = [] } = reshape;
  return dragging({
    name: 'reshaping',
    rest: reshape.rest,
    move: (event, scene) => reshaping(cornerTo(reshape, event, scene)),
    drop: (event, scene) => ({ do: 'reshape', shapes: new Map([[id, { coords: cornerTo(reshape, event, scene).coords }]]) }),
    sketch: () => ({ shapes: new Map([[id, { coords }]]), guides, handle: coords[corner], pointer: 'pointer' }),
  });
}
