/** Shapes of geometries that OpenLayers has read. */
import type { Geometry } from 'ol/geom.js';
import type { Position, Shape } from './file-data.ts';

type Coordinates = readonly number[];

/** Geometries in collections, one in another. */
const depthMax = 20;

/** The shapes of a geometry, in its order; parts without a usable coordinate are counted as `bad`. */
export function shapesOf(geometry: Geometry, depth = 0): { readonly shapes: readonly Shape[]; readonly bad: number } {
  const shapes: Shape[] = [];
  let bad = 0;
  const addPolygon = ([outer = [], ...inner]: readonly (readonly Coordinates[])[]): void => {
    const ring = openRing(positions(outer));
    const holes = inner.map((each) => openRing(positions(each)));
    bad += ring === undefined ? 1 : holes.filter((hole) => hole === undefined).length;
    if (ring !== undefined) shapes.push({ kind: 'ring', ring, holes: holes.filter((hole) => hole !== undefined) });
  };
  const add = (shape: Shape | undefined): void => {
    if (shape === undefined) bad++;
    else shapes.push(shape);
  };
  switch (geometry.getType()) {
    case 'Point':
      add(point(coordinatesOf(geometry)));
      break;
    case 'MultiPoint':
      for (const each of coordinatesOf<Coordinates[]>(geometry)) add(point(each));
      break;
    case 'LineString':
    case 'LinearRing':
      add(line(coordinatesOf(geometry)));
      break;
    case 'MultiLineString':
      for (const each of coordinatesOf<Coordinates[][]>(geometry)) add(line(each));
      break;
    case 'Polygon':
      addPolygon(coordinatesOf(geometry));
      break;
    case 'MultiPolygon':
      for (const each of coordinatesOf<Coordinates[][][]>(geometry)) addPolygon(each);
      break;
    case 'GeometryCollection':
      if (depth >= depthMax) bad++;
      else
        for (const each of (geometry as Geometry & { getGeometries(): Geometry[] }).getGeometries()) {
          const inner = shapesOf(each, depth + 1);
          shapes.push(...inner.shapes);
          bad += inner.bad;
        }
      break;
    default:
      bad++;
  }
  return { shapes, bad };
}

const coordinatesOf = <T = never>(geometry: Geometry): T => (geometry as Geometry & { getCoordinates(): T }).getCoordinates();

function position([x, y]: Coordinates): Position | undefined {
  return typeof x === 'number' && typeof y === 'number' && Number.isFinite(x) && Number.isFinite(y) ? [x, y] : undefined;
}

function point(coordinates: Coordinates): Shape | undefined {
  const at = position(coordinates);
  return at && { kind: 'point', at };
}

/** Positions without repetitions; `undefined` if one is not two numbers. */
function positions(coordinates: readonly Coordinates[]): Position[] | undefined {
  const list: Position[] = [];
  for (const each of coordinates) {
    const at = position(each);
    if (at === undefined) return undefined;
    const last = list.at(-1);
    if (last === undefined || last[0] !== at[0] || last[1] !== at[1]) list.push(at);
  }
  return list;
}

function line(coordinates: readonly Coordinates[]): Shape | undefined {
  const list = positions(coordinates);
  return list !== undefined && list.length >= 2 ? { kind: 'line', line: list } : undefined;
}

/** A ring without its repeated first corner; `undefined` below three corners. */
export function openRing(ring: readonly Position[] | undefined): readonly Position[] | undefined {
  if (ring === undefined) return undefined;
  const [first, last] = [ring[0], ring.at(-1)];
  const isClosed = ring.length > 1 && first?.[0] === last?.[0] && first?.[1] === last?.[1];
  const open = isClosed ? ring.slice(0, -1) : ring;
  return open.length >= 3 ? open : undefined;
}
