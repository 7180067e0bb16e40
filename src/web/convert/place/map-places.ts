/** Places on an artboard on a map: pixels of points and rings, also across the antimeridian and around the poles. */
import { drawnArea, drawnPlace, latitudeMax, type MapArea, type Pixel, toPixels } from '../../../lib/geo/geo.ts';
import type { Position } from '../read/file-data.ts';

/** Positions are longitude and latitude. */
export interface MapPlacement {
  point(position: Position): Pixel;
  /** A ring or line stays in one piece across the antimeridian. */
  path(positions: readonly Position[], isRing: boolean): Pixel[];
}

export function placementOn(artboard: MapArea): MapPlacement {
  const area = drawnArea(artboard);
  const pixelOf = toPixels(area);
  const world = 256 * 2 ** area.osm_zoom;
  const centre = Math.max(1, area.width) / 2;
  const point = ([lng, lat]: Position): Pixel => pixelOf(drawnPlace({ lat, lng }));
  return {
    point,
    path: (positions, isRing) => {
      const unwrapped = unwrap(positions, isRing);
      // Equal places of two rings are equal to the last bit: shared borders are recognized by that.
      const pixels = unwrapped.map(([lng, lat]) => ({
        x: centre + ((lng - area.osm_lng) / 360) * world,
        y: point([area.osm_lng, lat]).y,
      }));
      const [least, greatest] = extentOf(pixels.map(({ x }) => x));
      const shift = Math.round(((least + greatest) / 2 - centre) / world) * world;
      return shift === 0 ? pixels : pixels.map(({ x, y }) => ({ x: x - shift, y }));
    },
  };
}

/** Least and greatest, also of more values than a call takes arguments. */
export function extentOf(values: readonly number[]): readonly [least: number, greatest: number] {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return [least, greatest];
}

/**
 * Longitudes that continue across the antimeridian instead of jumping by 360. A ring around a pole gets corners along it, unless it has them
 * already.
 */
function unwrap(positions: readonly Position[], isRing: boolean): readonly Position[] {
  let turns = 0;
  let crosses = false;
  const unwrapped = positions.map(([lng, lat], i): Position => {
    const before = positions[i - 1]?.[0] ?? lng;
    const step = Math.round((lng - before) / 360);
    if (step !== 0) crosses = true;
    turns -= step;
    return [lng + turns * 360, lat];
  });
  const [first, last] = [positions[0], positions.at(-1)];
  if (!isRing || first === undefined || last === undefined) return unwrapped;
  const total = turns - Math.round((first[0] - last[0]) / 360);
  if (!crosses && total === 0) return positions;
  if (total === 0) return unwrapped;
  if (positions.some(([, lat]) => Math.abs(lat) >= latitudeMax)) return positions;
  const pole = positions.reduce((sum, [, lat]) => sum + lat, 0) < 0 ? -latitudeMax : latitudeMax;
  const start = unwrapped[0] as Position;
  const whole: Position = [start[0] + total * 360, start[1]];
  return [...unwrapped, whole, [whole[0], pole], [start[0], pole]];
}
