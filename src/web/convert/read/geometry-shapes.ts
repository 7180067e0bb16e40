/** Shapes of geometries as GeoJSON writes them. */
import type { Position, Shape } from './file-data.ts';
import { listOf } from './json/json-value.ts';

/** Geometries in collections, one in another. */
const depthMax = 20;

export interface GeometryShapes {
  readonly shapes: readonly Shape[];
  /** Parts without usable coordinates. */
  readonly bad: number;
}

type Simple = 'Point' | 'LineString' | 'Polygon';
const simple = /^(Multi)?(Point|LineString|Polygon)$/;

/** The shapes of a geometry, in its order; `undefined` if it is none. */
export function shapesOf(geometry: unknown, depth = 0): GeometryShapes | undefined {
  const { type, coordinates, geometries } = (geometry ?? {}) as Readonly<Record<string, unknown>>;
  if (type === 'GeometryCollection') {
    if (depth >= depthMax) return { shapes: [], bad: 1 };
    const inner = listOf(geometries).map((each) => shapesOf(each, depth + 1) ?? { shapes: [], bad: 1 });
    return { shapes: inner.flatMap(({ shapes }) => shapes), bad: inner.reduce((sum, { bad }) => sum + bad, 0) };
  }
  const [known, multi, part] = typeof type === 'string' ? (simple.exec(type) ?? []) : [];
  if (known === undefined || !Array.isArray(coordinates)) return undefined;
  // A geometry without coordinates is empty, not broken.
  if (coordinates.length === 0) return { shapes: [], bad: 0 };
  const parts: readonly unknown[] = multi === undefined ? [coordinates] : coordinates;
  const shapes: Shape[] = [];
  let bad = 0;
  for (const each of parts) bad += addPart(part as Simple, listOf(each), shapes);
  return { shapes, bad };
}

/** @returns how many parts of it are bad */
function addPart(type: Simple, coordinates: readonly unknown[], shapes: Shape[]): number {
  if (type === 'Polygon') {
    const [outer, ...inner] = coordinates;
    const ring = openRing(positions(outer));
    if (ring === undefined) return 1;
    const holes = inner.map((each) => openRing(positions(each)));
    const sound = holes.filter((hole) => hole !== undefined);
    shapes.push({ kind: 'ring', ring, holes: sound });
    return holes.length - sound.length;
  }
  const at = type === 'Point' ? position(coordinates) : undefined;
  const line = type === 'LineString' ? positions(coordinates) : undefined;
  if (at !== undefined) shapes.push({ kind: 'point', at });
  else if (line !== undefined && line.length >= 2) shapes.push({ kind: 'line', line });
  else return 1;
  return 0;
}

function position(coordinates: unknown): Position | undefined {
  if (!Array.isArray(coordinates)) return undefined;
  const [x, y]: readonly unknown[] = coordinates;
  return Number.isFinite(x) && Number.isFinite(y) ? [x as number, y as number] : undefined;
}

/** Positions without repetitions; `undefined` if one is not two numbers. */
function positions(coordinates: unknown): Position[] | undefined {
  const list: Position[] = [];
  for (const each of listOf(coordinates)) {
    const at = position(each);
    if (at === undefined) return undefined;
    const last = list.at(-1);
    if (last === undefined || last[0] !== at[0] || last[1] !== at[1]) list.push(at);
  }
  return list;
}

/** A ring without its repeated first corner; `undefined` below three corners. */
export function openRing(ring: readonly Position[] | undefined): readonly Position[] | undefined {
  if (ring === undefined) return undefined;
  const [first, last] = [ring[0], ring.at(-1)];
  const isClosed = ring.length > 1 && first?.[0] === last?.[0] && first?.[1] === last?.[1];
  const open = isClosed ? ring.slice(0, -1) : ring;
  return open.length >= 3 ? open : undefined;
}
