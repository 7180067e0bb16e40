/** Vertices from a response: lists of points, or GeoJSON. */
import { isObject, member } from '../open-json.ts';
import { numberIn } from './number-form.ts';

export interface Vertex {
  readonly x: number;
  readonly y: number;
}

/** Vertices as the data has them. */
export class Vertices {
  readonly points: readonly Vertex[];
  /** Whether x is a longitude and y a latitude. */
  readonly isGeographic: boolean;

  constructor(points: readonly Vertex[], isGeographic: boolean) {
    this.points = points;
    this.isGeographic = isGeographic;
  }
}

/** As many as a polygon of the API may have. */
const verticesMax = 50_000;
const tooMany = 'has more than 50,000 vertices';
const expected = 'is neither a list of {"x","y"} or [x, y], nor a GeoJSON geometry or feature';

/** The vertices, or why there are none: a predicate such as `has no vertices`. */
export function verticesIn(json: unknown): Vertices | string {
  if (Array.isArray(json)) return pointsOf(json, false);
  if (!isObject(json)) return expected;
  const geometry = member(json, 'type') === 'Feature' ? member(json, 'geometry') : json;
  if (!isObject(geometry)) return 'is a GeoJSON feature without a geometry';
  const type = member(geometry, 'type');
  const coordinates = member(geometry, 'coordinates');
  switch (type) {
    case 'Point':
      return pointsOf([coordinates], true);
    case 'MultiPoint':
    case 'LineString':
      return pointsOf(coordinates, true);
    case 'MultiLineString':
      return ring(coordinates, (list) => list[0]);
    case 'Polygon':
      return withoutEnd(ring(coordinates, (list) => list[0]));
    case 'MultiPolygon':
      return largest(coordinates);
    case 'FeatureCollection':
      return 'is a GeoJSON collection: make an iterator of its "features"';
    default:
      return expected;
  }
}

function ring(coordinates: unknown, chosen: (list: readonly unknown[]) => unknown): Vertices | string {
  return Array.isArray(coordinates) ? pointsOf(chosen(coordinates), true) : 'has no "coordinates"';
}

function pointsOf(list: unknown, isGeographic: boolean): Vertices | string {
  if (!Array.isArray(list) || list.length === 0) return 'has no vertices';
  if (list.length > verticesMax) return tooMany;
  const points = new Array<Vertex>(list.length);
  for (let i = 0; i < list.length; i++) {
    const point: unknown = list[i];
    const isPair = Array.isArray(point);
    const x = numberIn(isPair ? point[0] : isObject(point) ? member(point, 'x') : undefined);
    const y = numberIn(isPair ? point[1] : isObject(point) ? member(point, 'y') : undefined);
    if (x === undefined || y === undefined) return `has a vertex ${i} that is no point of two numbers`;
    points[i] = { x, y };
  }
  return new Vertices(points, isGeographic);
}

/** A ring of GeoJSON repeats its first vertex; a polygon of the API does not. */
function withoutEnd(found: Vertices | string): Vertices | string {
  if (typeof found === 'string') return found;
  const [first, last] = [found.points[0], found.points.at(-1)];
  const isClosed = found.points.length > 1 && first?.x === last?.x && first?.y === last?.y;
  return isClosed ? new Vertices(found.points.slice(0, -1), found.isGeographic) : found;
}

/** The outer ring of the polygon with the largest one: an object has a single outline. */
function largest(polygons: unknown): Vertices | string {
  if (!Array.isArray(polygons) || polygons.length === 0) return 'has no "coordinates"';
  let [best, bestArea, vertices]: [Vertices | undefined, number, number] = [undefined, -1, 0];
  for (const polygon of polygons) {
    const found = withoutEnd(ring(polygon, (list) => list[0]));
    if (typeof found === 'string') return found;
    vertices += found.points.length;
    if (vertices > verticesMax) return tooMany;
    const area = areaOf(found.points);
    if (area > bestArea) [best, bestArea] = [found, area];
  }
  return best ?? 'has no vertices';
}

function areaOf(points: readonly Vertex[]): number {
  let sum = 0;
  let before = points.at(-1) as Vertex;
  for (const point of points) {
    sum += before.x * point.y - point.x * before.y;
    before = point;
  }
  return Math.abs(sum / 2);
}
