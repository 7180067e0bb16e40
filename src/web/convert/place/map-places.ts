/** Places on an artboard on a map: pixels of points and rings, and the centre and zoom that show all places. */
import { type MapArea, type Pixel, placesOn } from '../../../lib/geo/artboard-projection.ts';
import type { Position } from '../read/file-data.ts';

/** Degrees; Web Mercator ends there. */
export const latitudeMax = 85.0511;
const zoomMax = 18;
/** Part of width and height that stays empty on each side. */
const margin = 0.05;

const clamp = (latitude: number): number => Math.max(-latitudeMax, Math.min(latitudeMax, latitude));

/** Positions are longitude and latitude. */
export interface MapPlacement {
  point(position: Position): Pixel;
  /** A ring or line stays in one piece across the antimeridian. */
  path(positions: readonly Position[], isRing: boolean): Pixel[];
}

export function placementOn(area: MapArea): MapPlacement {
  const toPixels = placesOn(area);
  const world = 256 * 2 ** area.osm_zoom;
  const centre = area.width / 2;
  const point = ([lng, lat]: Position): Pixel => toPixels(clamp(lat), lng);
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

/** Centre and zoom of a frame in which all places are visible, with a margin. */
export function areaFor(
  places: readonly Position[],
  { width, height }: Pick<MapArea, 'width' | 'height'>,
): Pick<MapArea, 'osm_lat' | 'osm_lng' | 'osm_zoom'> {
  const [west, east] = longitudes(places.map(([lng]) => lng));
  const area = { width, height, osm_lat: 0, osm_lng: 0, osm_zoom: 0 };
  const toPixels = placesOn(area);
  const [top, bottom] = extentOf(places.map(([, lat]) => toPixels(clamp(lat), 0).y));
  const share = 1 - 2 * margin;
  const across = ((east - west) / 360) * 256;
  const zoom = Math.log2(share * Math.min(width / across, height / (bottom - top)));
  // A single place has no extent.
  const osm_zoom = Math.max(1, Math.min(zoomMax, Number.isFinite(zoom) ? zoom : 15));
  const middle = (top + bottom) / 2 - height / 2;
  const osm_lat = (Math.atan(Math.sinh((-middle / 128) * Math.PI)) * 180) / Math.PI;
  const lng = (west + east) / 2;
  return { osm_lat, osm_lng: lng - Math.round(lng / 360) * 360, osm_zoom };
}

/** The shortest stretch of longitudes with all of them; the east may be beyond 180. */
function longitudes(lngs: readonly number[]): readonly [west: number, east: number] {
  const sorted = lngs.map((lng) => lng - Math.floor((lng + 180) / 360) * 360).sort((a, b) => a - b);
  const [least, greatest] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  let [west, gap] = [least, least + 360 - greatest];
  for (let i = 1; i < sorted.length; i++) {
    const between = (sorted[i] as number) - (sorted[i - 1] as number);
    if (between > gap) [west, gap] = [sorted[i] as number, between];
  }
  return [west, west + 360 - gap];
}
