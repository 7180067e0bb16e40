/**
 * Geometry for the examples: a view of the Web Mercator world, outlines simplified along shared borders so that neighbours still
 * meet, rings cut at the edge of the view. Lengths are pixels of the artboard.
 *
 * Coordinates are rounded to a tenth of a pixel right after projection; everything later is plain arithmetic on those numbers, so
 * that every machine makes the same bytes.
 */
import type { feature } from 'topojson-client';

export type Topology = Parameters<typeof feature>[0];

export type Point = readonly [x: number, y: number];

const round = (n: number): number => Math.round(n * 10) / 10;

/** An artboard of type "osm": tiles of 256 pixels, so that the whole world is 256 * 2^zoom pixels wide. */
export interface View {
  lat: number;
  lng: number;
  zoom: number;
  width: number;
  height: number;
}

/** Width of the world in pixels. */
export const worldWidth = (view: View): number => 256 * 2 ** view.zoom;

/** Longitude and latitude in degrees to pixels from the view's top left corner. */
export function mercator(view: View): (lng: number, lat: number) => Point {
  const size = worldWidth(view);
  const limit = 85.0511; // where the square world ends
  const y = (lat: number): number => {
    const angle = (Math.max(-limit, Math.min(limit, lat)) * Math.PI) / 180;
    return (0.5 - Math.log(Math.tan(Math.PI / 4 + angle / 2)) / (2 * Math.PI)) * size;
  };
  const [left, top] = [((view.lng + 180) / 360) * size - view.width / 2, y(view.lat) - view.height / 2];
  return (lng, lat) => [round(((lng + 180) / 360) * size - left), round(y(lat) - top)];
}

/** Squared distance from `p` to the segment from `a` to `b`. */
function distance2(p: Point, a: Point, b: Point): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length2 = dx * dx + dy * dy;
  const along = length2 === 0 ? 0 : Math.max(0, Math.min(1, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length2));
  const [x, y] = [p[0] - a[0] - along * dx, p[1] - a[1] - along * dy];
  return x * x + y * y;
}

/** Douglas-Peucker: leaves out points closer than `tolerance` pixels to what is kept; both ends stay. */
export function simplify(points: readonly Point[], tolerance: number): Point[] {
  const keep = new Set([0, points.length - 1]);
  const spans: [number, number][] = [[0, points.length - 1]];
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [from, to] = span;
    let farthest = -1;
    let worst = tolerance * tolerance;
    for (let i = from + 1; i < to; i++) {
      const away = distance2(points[i] as Point, points[from] as Point, points[to] as Point);
      if (away > worst) [farthest, worst] = [i, away];
    }
    if (farthest < 0) continue;
    keep.add(farthest);
    spans.push([from, farthest], [farthest, to]);
  }
  return points.filter((_, i) => keep.has(i));
}

/** The same topology with every border projected and simplified once, for all who share it. */
export function projectArcs(topology: Topology, project: (x: number, y: number) => Point, tolerance: number): Topology {
  const { scale, translate } = topology.transform ?? { scale: [1, 1], translate: [0, 0] };
  const arcs = topology.arcs.map((arc) => {
    let [x, y] = [0, 0];
    const points = arc.map((step): Point => {
      [x, y] = topology.transform ? [x + (step[0] ?? 0), y + (step[1] ?? 0)] : [step[0] ?? 0, step[1] ?? 0];
      return project(x * scale[0] + translate[0], y * scale[1] + translate[1]);
    });
    return simplify(points, tolerance).map(([px, py]) => [px, py]);
  });
  return { type: 'Topology', objects: topology.objects, arcs };
}

/** Signed area in square pixels. */
export function area(ring: readonly Point[]): number {
  let twice = 0;
  let [px, py] = ring.at(-1) ?? [0, 0];
  for (const [x, y] of ring) {
    twice += px * y - x * py;
    [px, py] = [x, y];
  }
  return twice / 2;
}

/** The point in the middle of the ring's mass. */
export function centre(ring: readonly Point[]): Point {
  const mass = area(ring);
  let [x, y] = [0, 0];
  let [px, py] = ring.at(-1) ?? [0, 0];
  for (const [nx, ny] of ring) {
    const weight = px * ny - nx * py;
    x += (px + nx) * weight;
    y += (py + ny) * weight;
    [px, py] = [nx, ny];
  }
  return mass === 0 ? [px, py] : [round(x / (6 * mass)), round(y / (6 * mass))];
}

/** What of the ring lies on the inner side of one line (Sutherland-Hodgman). */
function cut(ring: readonly Point[], axis: 0 | 1, at: number, above: boolean): Point[] {
  const inside = (p: Point): boolean => (above ? p[axis] >= at : p[axis] <= at);
  const across = axis === 0 ? 1 : 0;
  const result: Point[] = [];
  let previous = ring.at(-1);
  for (const point of ring) {
    if (previous && inside(previous) !== inside(point)) {
      const part = (at - previous[axis]) / (point[axis] - previous[axis]);
      const other = round(previous[across] + part * (point[across] - previous[across]));
      result.push(axis === 0 ? [at, other] : [other, at]);
    }
    if (inside(point)) result.push(point);
    previous = point;
  }
  return result;
}

/** Without points that repeat the one before, the first one included. */
const distinct = (ring: readonly Point[]): Point[] =>
  ring.filter((point, i) => {
    const before = ring.at(i - 1) as Point;
    return point[0] !== before[0] || point[1] !== before[1];
  });

/**
 * The pieces of a closed ring that the view shows, open (the first point is not repeated), as far as they are larger than
 * `minArea` square pixels. A ring may cross the antimeridian (its ends jump by a world's width) or wind around a pole.
 */
export function visiblePieces(ring: readonly Point[], view: View, minArea: number): Point[][] {
  const size = worldWidth(view);
  let shift = 0;
  let before: Point | undefined;
  const whole = ring.map(([x, y]): Point => {
    if (before && Math.abs(x + shift - before[0]) > size / 2) shift += x + shift > before[0] ? -size : size;
    before = [round(x + shift), y];
    return before;
  });
  const [first, last] = [whole[0], whole.at(-1)];
  if (first && last && Math.abs(last[0] - first[0]) > size / 2) {
    const pole = first[1] > view.height / 2 ? view.height + size : -size;
    whole.push([last[0], pole], [first[0], pole]);
  }
  const pieces: Point[][] = [];
  for (const turn of [-size, 0, size]) {
    let piece: Point[] = whole.map(([x, y]) => [round(x + turn), y]);
    piece = cut(cut(piece, 0, 0, true), 0, view.width, false);
    piece = distinct(cut(cut(piece, 1, 0, true), 1, view.height, false));
    if (piece.length >= 3 && Math.abs(area(piece)) >= minArea) pieces.push(piece);
  }
  return pieces;
}

/** The member `coords` of an object. */
export const coords = (ring: readonly Point[]): { x: number; y: number }[] => ring.map(([x, y]) => ({ x, y }));

/** Area of a ring of longitudes and latitudes on the sphere, in square kilometres (Chamberlain and Duquette). */
export function sphericalArea(ring: readonly (readonly number[])[]): number {
  const radius = 6371.0088;
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  let sum = 0;
  for (let i = 0; i + 1 < ring.length; i++) {
    const [lng1 = 0, lat1 = 0] = ring[i] ?? [];
    const [lng2 = 0, lat2 = 0] = ring[i + 1] ?? [];
    const turn = ((lng2 - lng1 + 540) % 360) - 180;
    sum += radians(turn) * (2 + Math.sin(radians(lat1)) + Math.sin(radians(lat2)));
  }
  return Math.abs((sum * radius * radius) / 2);
}
