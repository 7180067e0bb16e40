/** Simplifies polygons and lines that have too many corners together: shared borders stay shared, small outlines stay triangles. */
import { feature } from 'topojson-client';
import { topology } from 'topojson-server';
import { presimplify, simplify } from 'topojson-simplify';
import type { Pixel } from '../../../lib/geo/geo.ts';
import type { Slices } from '../slices.ts';
import { type PlacedItem, type PlacedShape, ringsOf } from './place-items.ts';

/** Corners of all polygons, with their holes, and lines of an import. */
export const cornersMax = 50_000;

/** Most of a share that the next try has: the corners that stay fall more slowly than the share. */
const shareStep = 0.9;

/** Below this share of the corners, another try is not worth its time. */
const shareLeast = 0.001;

type Topology = ReturnType<typeof topology>;
/** A shape with corners. */
type Path = PlacedShape & { kind: 'poly' | 'line' };
type Rings = readonly (readonly Pixel[])[];

const isPath = (shape: PlacedShape): shape is Path => shape.kind !== 'spot';

const cornerCount = (paths: readonly Rings[]): number => paths.flat().reduce((sum, { length }) => sum + length, 0);

export interface Simplified {
  readonly items: readonly PlacedItem[];
  readonly simplified: { readonly before: number; readonly after: number } | undefined;
}

/** Removes the corners that change the areas least, until at most {@link cornersMax} are left, or three per ring. Exported objects stay exact. */
export async function simplifyCorners(items: readonly PlacedItem[], slices: Slices): Promise<Simplified> {
  const paths = items.flatMap(({ item, shapes }) => (item.members === undefined ? shapes.filter(isPath) : []));
  const given = paths.map(ringsOf);
  const before = cornerCount(given);
  if (before <= cornersMax) return { items, simplified: undefined };
  const collection = { type: 'FeatureCollection' as const, features: paths.map(toFeature) };
  const weighted = presimplify(topology({ paths: collection }) as Parameters<typeof presimplify>[0]);
  await slices.next(0.6);
  const weights = weightsOf(weighted);
  const leastOf = (share: number): number => weights[Math.ceil(weights.length * (1 - share))] ?? 0;
  let reduced: readonly Rings[] = given;
  let after = before;
  // Corners of shared borders count twice, small rings keep theirs, and corners of equal weight stay together, so that a share may keep too
  // many: then the next one is smaller by as much.
  const smaller = (share: number, corners: number): number => share * Math.min(shareStep, cornersMax / corners);
  for (let share = cornersMax / before; after > cornersMax && share > shareLeast; share = smaller(share, after)) {
    for (
      let count = countAt(leastOf(share), weighted);
      count > cornersMax && share > shareLeast;
      count = countAt(leastOf(share), weighted)
    )
      share = smaller(share, count);
    reduced = reducedTo(leastOf(share), weighted, paths);
    after = cornerCount(reduced);
    await slices.next(0.8);
    // Nothing but triangles are left.
    if (after <= 3 * given.flat().length) break;
  }
  const byPath = new Map<PlacedShape, Path>(paths.map((path, i) => [path, withRings(path, reduced[i] as Rings)]));
  const simplified = items.map(({ item, shapes }) => ({ item, shapes: shapes.map((shape) => byPath.get(shape) ?? shape) }));
  return { items: simplified, simplified: { before, after } };
}

const withRings = (path: Path, [corners = [], ...holes]: Rings): Path =>
  path.kind === 'line' ? { ...path, corners } : { ...path, corners, holes };

function toFeature(path: Path): object {
  const positions = (corners: readonly Pixel[]): number[][] => corners.map(({ x, y }) => [x, y]);
  const closed = ([first, ...others]: number[][]) => [first, ...others, first];
  const geometry =
    path.kind === 'line'
      ? { type: 'LineString', coordinates: positions(path.corners) }
      : { type: 'Polygon', coordinates: ringsOf(path).map((ring) => closed(positions(ring))) };
  return { type: 'Feature', properties: null, geometry };
}

type Positions = readonly (readonly number[])[];
interface ReducedFeature {
  readonly geometry: { readonly coordinates: Positions | readonly Positions[] };
}

/** How much each corner changes an area, the least first. The ends of arcs stay in any case. */
function weightsOf({ arcs }: Topology): Float64Array {
  const weights: number[] = [];
  for (const arc of arcs) for (const point of arc) if (Number.isFinite(point[2])) weights.push(point[2] as number);
  return new Float64Array(weights).sort();
}

/** About how many corners are left, which is counted much faster than they are removed. */
function countAt(least: number, { arcs, objects }: Topology): number {
  const kept = arcs.map((arc) => arc.reduce((sum, point) => ((point[2] as number) >= least ? sum + 1 : sum), -1));
  const { geometries } = objects['paths'] as unknown as { readonly geometries: readonly { readonly arcs: NestedArcs }[] };
  return geometries.reduce((sum, geometry) => sum + keptIn(geometry.arcs, kept), 0);
}

/** Numbers of arcs of a line, or of each ring of a polygon; `~i` is the arc `i` backwards. */
type NestedArcs = readonly (number | NestedArcs)[];

const keptIn = (arcs: NestedArcs, kept: readonly number[]): number =>
  arcs.reduce<number>(
    (sum, arc) => sum + (typeof arc === 'number' ? (kept[arc < 0 ? ~arc : arc] ?? 0) : Math.max(3, keptIn(arc, kept))),
    0,
  );

/** @param least how much a corner that stays changes an area */
function reducedTo(least: number, weighted: Topology, paths: readonly Path[]): Rings[] {
  // A corner that changes no area is never needed; where most are such, no share would remove them.
  const weightLeast = Math.max(least, Number.MIN_VALUE);
  const reduced: Topology = simplify(weighted as Parameters<typeof simplify>[0], weightLeast);
  const { features } = feature(reduced, reduced.objects['paths'] as Parameters<typeof feature>[1]) as unknown as {
    readonly features: readonly ReducedFeature[];
  };
  return features.map(({ geometry: { coordinates } }, i) => {
    const path = paths[i] as Path;
    const corners = (positions: Positions): Pixel[] => positions.map(([x = 0, y = 0]) => ({ x, y }));
    if (path.kind === 'line') return [lineOf(corners(coordinates as Positions), path.corners)];
    const rings = coordinates as readonly Positions[];
    return ringsOf(path).map((given, at) => {
      const ring = corners((rings[at] ?? []).slice(0, -1));
      return countDifferent(ring) >= 3 ? ring : triangleOf(given);
    });
  });
}

/** Different corners, up to three. */
function countDifferent(corners: readonly Pixel[]): number {
  const [first] = corners;
  const second = corners.find(({ x, y }) => x !== first?.x || y !== first.y);
  const isOther = ({ x, y }: Pixel): boolean => (x !== first?.x || y !== first.y) && (x !== second?.x || y !== second.y);
  return [first, second, second && corners.find(isOther)].filter((corner) => corner !== undefined).length;
}

/** A line that ends where it begins keeps the corner that is farthest from there. */
const lineOf = (corners: readonly Pixel[], given: readonly Pixel[]): readonly Pixel[] =>
  countDifferent(corners) >= 2 ? corners : [...triangleOf(given), given[0] as Pixel];

/** Three corners of an outline that are far apart: what is left of a ring that would vanish. */
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
