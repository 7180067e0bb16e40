/** Moves a corner of a polygon, of its holes, or of a line with the pointer. It snaps to its neighbours, unless Ctrl is held. */
import { ringsOf, withRing } from '../shapes/holes.ts';
import type { Point, Polygon, Ring } from '../shapes/shape.ts';
import type { Guide, SnapTargets } from '../shapes/snap.ts';
import type { CornerPlace } from './corner.ts';
import { dragging, type Held, type Rest, type Scene, snapped, type ToolState } from './tool.ts';

interface Reshape extends CornerPlace {
  readonly polygon: Polygon & { readonly id: string };
  readonly targets: SnapTargets;
  readonly rest: Rest;
  readonly guides?: readonly Guide[];
}

const cornersOf = ({ polygon, ring }: Reshape): Ring => ringsOf(polygon)[ring] ?? [];

function cornerTo(reshape: Reshape, event: { readonly at: Point; readonly held: Held }, scene: Scene): Reshape {
  const { polygon, ring, index, targets } = reshape;
  const corners = cornersOf(reshape);
  const { at, guides } = snapped(event, scene, corners.toSpliced(index, 1), targets);
  return { ...reshape, polygon: { ...polygon, ...withRing(polygon, ring, corners.with(index, at)) }, guides };
}

/** The members that change: a move of the outline leaves the holes as they are. */
const shapesOf = (reshape: Reshape) =>
  new Map([[reshape.polygon.id, withRing(reshape.polygon, reshape.ring, cornersOf(reshape))]]);

export function reshaping(reshape: Reshape): ToolState {
  const { index, guides = [] } = reshape;
  return dragging({
    name: 'reshaping',
    rest: reshape.rest,
    move: (event, scene) => reshaping(cornerTo(reshape, event, scene)),
    drop: (event, scene) => ({ do: 'reshape', shapes: shapesOf(cornerTo(reshape, event, scene)) }),
    sketch: () => ({ shapes: shapesOf(reshape), guides, handle: cornersOf(reshape)[index], pointer: 'pointer' }),
  });
}
