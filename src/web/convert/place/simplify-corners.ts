/** Simplifies polygons that have too many corners together: shared borders stay shared, small outlines stay triangles. */
import { feature } from 'topojson-client';
import { topology } from 'topojson-server';
import { presimplify, quantile, simplify } from 'topojson-simplify';
import type { Pixel } from '../../../lib/geo/geo.ts';
import type { Slices } from '../slices.ts';
import type { PlacedItem, PlacedShape } from './place-items.ts';

/** Corners of all polygons of an import. */
export const cornersMax = 50_000;

/** Most of a share that the next try has: the corners that stay fall more slowly than the share. */
const shareStep = 0.9;

/** Below this share of the corners, another try is not worth its time. */
const shareLeast = 0.001;

type Topology = ReturnType<typeof topology>;
type Poly = PlacedShape & { kind: 'poly' };

const isPoly = (shape: PlacedShape): shape is Poly => shape.kind === 'poly';

const cornerCount = (polys: readonly Poly[]): number => polys.reduce((sum, { corners }) => sum + corners.length, 0);

export interface Simplified {
  readonly items: readonly PlacedItem[];
  readonly simplified: { readonly before: number; readonly after: number } | undefined;
}

/** Removes the corners that change the areas least, until at most {@link cornersMax} are left, or three per polygon. Exported objects stay exact. */
export async function simplifyCorners(items: readonly PlacedItem[], slices: Slices): Promise<Simplified> {
  const polys = items.flatMap(({ item, shapes }) => (item.members === undefined ? shapes.filter(isPoly) : []));
  const before = cornerCount(polys);
  if (before <= cornersMax) return { items, simplified: undefined };
  const collection = { type: 'FeatureCollection' as const, features: polys.map(toFeature) };
  const weighted = presimplify(topology({ polygons: collection }) as Parameters<typeof presimplify>[0]);
  await slices.next(0.6);
  let rings = polys.map(({ corners }) => corners);
  let after = before;
  // Corners of shared borders count twice, small polygons keep theirs, and corners of equal weight stay together, so that a share may keep too
  // many: then the next one is smaller by as much.
  for (
    let share = cornersMax / before;
    after > cornersMax && share > shareLeast;
    share *= Math.min(shareStep, cornersMax / after)
  ) {
    rings = ringsOf(weighted, share, polys);
    after = rings.reduce((sum, { length }) => sum + length, 0);
    await slices.next(0.8);
    // Nothing but triangles are left.
    if (after <= 3 * polys.length) break;
  }
  const byPoly = new Map(polys.map((poly, i) => [poly as PlacedShape, { ...poly, corners: rings[i] as readonly Pixel[] }]));
  const simplified = items.map(({ item, shapes }) => ({ item, shapes: shapes.map((shape) => byPoly.get(shape) ?? shape) }));
  return { items: simplified, simplified: { before, after } };
}

function toFeature({ corners }: Poly): object {
  const ring = corners.map(({ x, y }) => [x, y]);
  return { type: 'Feature', properties: null, geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] } };
}

function ringsOf(weighted: Topology, share: number, polys: readonly Poly[]): (readonly Pixel[])[] {
  // A corner that changes no area is never needed; where most are such, no quantile would remove them.
  const weightLeast = Math.max(quantile(weighted, share), Number.MIN_VALUE);
  const reduced: Topology = simplify(weighted as Parameters<typeof simplify>[0], weightLeast);
  const { features } = feature(reduced, reduced.objects['polygons'] as Parameters<typeof feature>[1]) as unknown as {
    readonly features: readonly { readonly geometry: { readonly coordinates: readonly (readonly (readonly number[])[])[] } }[];
  };
  return features.map(({ geometry }, i) => {
    const ring = geometry.coordinates[0] ?? [];
    const corners = ring.slice(0, -1).map(([x = 0, y = 0]) => ({ x, y }));
    const different = new Set(corners.map(({ x, y }) => `${x} ${y}`)).size;
    return different >= 3 ? corners : triangleOf((polys[i] as Poly).corners);
  });
}

/** Three corners of an outline that are far apart: what is left of a polygon that would vanish. */
function triangleOf(corners: readonly Pixel[]): Pixel[] {
  const farthest = (distance: (corner: Pixel) => number): number => {
    let [index, most] = [0, -1];
    for (const [i, corner] of corners.entries()) {
      const away = distance(corner);
      if (away > most) [index, most] = [i, away];
    }
    return index;
  };
  const at = (index: number): Pixel => corners[index] as Pixel;
  const first = 0;
  const second = farthest(({ x, y }) => Math.hypot(x - at(first).x, y - at(first).y));
  const [a, b] = [at(first), at(second)];
  // On a straight line all are equally far: then it is any other corner.
  const third = farthest((corner) =>
    corner === a || corner === b ? -2 : Math.abs((b.x - a.x) * (corner.y - a.y) - (b.y - a.y) * (corner.x - a.x)),
  );
  return [...new Set([first, second, third])].sort((one, other) => one - other).map(at);
}
