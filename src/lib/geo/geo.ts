/**
 * Web Mercator, and the pixels of an artboard on a map: the artboard has its centre at `osm_lat`, `osm_lng`, and the whole world is
 * 256 × 2^`osm_zoom` pixels wide and high. The package exports it as `mapwright/geo`; server, viewer, console and converter share it.
 *
 * The functions that convert are strict: they throw where there is no finite result. Drawing clamps an artboard first, with `drawnArea`.
 */
import { extentOf } from './extent.ts';

/** A place on Earth, in degrees. */
export interface Place {
  readonly lat: number;
  readonly lng: number;
}

/** A pixel of an artboard; y grows downwards. */
export interface Pixel {
  readonly x: number;
  readonly y: number;
}

/** A point in Web Mercator, in metres; y grows to the north. */
export interface MercatorPoint {
  readonly x: number;
  readonly y: number;
}

/** The members of an artboard that say where on a map it is. */
export interface MapArea {
  /** Pixels; a size below 1 counts as 1, as it is drawn. */
  readonly width: number;
  readonly height: number;
  /** Degrees. */
  readonly osm_lat: number;
  readonly osm_lng: number;
  readonly osm_zoom: number;
}

/** In degrees. `west` and `east` are not wrapped: `west` is below `east`, also where the area crosses the antimeridian. */
export interface Bounds {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** The greatest latitude of a place, in degrees: beyond it a square world map has no pixels. */
export const latitudeMax = 85.0511;
/** The greatest longitude of a place, in degrees. */
export const longitudeMax = 180;

/** Metres per pixel of a map at zoom 0, at the equator. */
export const metresPerPixel = 156_543.033_928_040_97;
const tilePixels = 256;
const worldHalf = 20_037_508.342_789_244;
/** The latitude at which the map is as high as it is wide. */
const edgeLatitude = 85.051_128_779_806_59;
const drawnZoomMax = 24;

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));
const radians = (degrees: number): number => (degrees * Math.PI) / 180;
/** Northing of a latitude in Web Mercator, in radians: ±π at the edges of the map. */
const northing = (latitude: number): number => Math.asinh(Math.tan(radians(latitude)));
const latitudeOf = (northing: number): number => (Math.atan(Math.sinh(northing)) * 180) / Math.PI;
/** A difference of longitudes, in degrees, the short way around the world: −180 to 180. A remainder is exact for any number. */
function shortWay(degrees: number): number {
  const rest = degrees % 360;
  if (rest > 180) return rest - 360;
  return rest < -180 ? rest + 360 : rest;
}
const turnsIn = (degrees: number): number => Math.round((degrees - shortWay(degrees)) / 360);
/** Width and height of the world, in pixels. */
export const worldPixels = ({ osm_zoom }: Pick<MapArea, 'osm_zoom'>): number => tilePixels * 2 ** osm_zoom;
const centrePixel = ({ width, height }: MapArea): Pixel => ({ x: Math.max(1, width) / 2, y: Math.max(1, height) / 2 });

/** @param lat degrees; beyond the edges of the map the edge @param lng degrees */
export function mercatorOf(lat: number, lng: number): MercatorPoint {
  return { x: (lng / 180) * worldHalf, y: (northing(within(lat, -edgeLatitude, edgeLatitude)) / Math.PI) * worldHalf };
}

/** The centre of an artboard on a map, as it is drawn. */
export const centreOf = ({ osm_lat, osm_lng }: MapArea): MercatorPoint => mercatorOf(osm_lat, within(osm_lng, -180, 180));

/** Metres in Web Mercator per pixel of an artboard on a map, as it is drawn. */
export const scaleOf = ({ osm_zoom }: MapArea): number => metresPerPixel / 2 ** within(osm_zoom, 0, drawnZoomMax);

/** The nearest area that can be drawn: with its centre on the map, and at most at zoom 24. */
export const drawnArea = ({ width, height, osm_lat, osm_lng, osm_zoom }: MapArea): MapArea => ({
  width,
  height,
  osm_lat: within(osm_lat, -edgeLatitude, edgeLatitude),
  osm_lng: within(osm_lng, -longitudeMax, longitudeMax),
  osm_zoom: within(osm_zoom, 0, drawnZoomMax),
});

/** The nearest place on the map: beyond its northern and southern edge the edge; longitudes are wrapped. */
export const drawnPlace = ({ lat, lng }: Place): Place => ({ lat: within(lat, -edgeLatitude, edgeLatitude), lng: wrapped(lng) });

/** Why an area gives no finite pixels. */
export interface AreaProblem {
  readonly member: keyof MapArea;
  /** The rest of a sentence. */
  readonly detail: string;
}

/** Why an area gives no finite pixels; `undefined` if it does. */
export function areaProblem(area: MapArea): AreaProblem | undefined {
  const { width, height, osm_lat, osm_lng, osm_zoom } = area;
  if (!(Math.abs(osm_lat) <= edgeLatitude))
    return { member: 'osm_lat', detail: `its osm_lat is ${osm_lat}, of -${latitudeMax} to ${latitudeMax}` };
  if (!(Math.abs(osm_lng) <= longitudeMax)) return { member: 'osm_lng', detail: `its osm_lng is ${osm_lng}, of -180 to 180` };
  if (!Number.isFinite(worldPixels(area)))
    return { member: 'osm_zoom', detail: `at its osm_zoom, ${osm_zoom}, the world has no finite number of pixels` };
  if (!Number.isFinite(width)) return { member: 'width', detail: 'its width is not finite' };
  return Number.isFinite(height) ? undefined : { member: 'height', detail: 'its height is not finite' };
}

/** Why a place is not on the map, as the rest of a sentence; `undefined` if it is. */
function placeProblem({ lat, lng }: Place): string | undefined {
  if (!(Math.abs(lat) <= edgeLatitude)) return `its lat is ${lat}, of -${latitudeMax} to ${latitudeMax}`;
  return Math.abs(lng) <= longitudeMax ? undefined : `its lng is ${lng}, of -180 to 180`;
}

/**
 * Converts places to pixels of an artboard on a map: of the copies of the world that follow each other to the east and west, to the one
 * nearest to the centre. Throws a RangeError for an area without finite pixels, and for a place beyond the map.
 */
export function toPixels(area: MapArea): (place: Place) => Pixel {
  const { east, pixel } = eastAndPixel(area);
  return (place) => pixel(shortWay(east(place)), place);
}

/**
 * Converts the corners of a ring, which stays in one piece: each side takes the short way around the world. A ring around a pole, and one
 * that spans the whole world, keep their longitudes. Of the copies of the world, the ring is on the one nearest to the centre. Throws as
 * {@link toPixels} does.
 */
export function ringToPixels(area: MapArea, ring: readonly Place[]): Pixel[] {
  const { east, pixel } = eastAndPixel(area);
  const sent = ring.map(east);
  const unwrapped = joined(sent);
  const [least, most] = extentOf(unwrapped);
  const middle = (least + most) / 2;
  const shift = shortWay(middle) - middle;
  return ring.map((place, i) => pixel((unwrapped[i] as number) + shift, place));
}

/**
 * Converts the holes of a ring, on the copy of the world that the ring is on. Throws as {@link toPixels} does.
 *
 * @param ring in pixels
 */
export function holesToPixels(area: MapArea, ring: readonly Pixel[], holes: readonly (readonly Place[])[]): Pixel[][] {
  const world = worldPixels(area);
  const middle = middleOf(ring);
  return holes.map((places) => {
    const hole = ringToPixels(area, places);
    const shift = Math.round((middle - middleOf(hole)) / world) * world;
    return shift === 0 || !Number.isFinite(shift) ? hole : hole.map(({ x, y }) => ({ x: x + shift, y }));
  });
}

function middleOf(pixels: readonly Pixel[]): number {
  const [least, most] = extentOf(pixels.map(({ x }) => x));
  return (least + most) / 2;
}

/** The inverse of {@link toPixels}. Its `lng` is from −180 to 180. A pixel beyond the edge of the map has a `lat` beyond ±85.0511. */
export function toPlace(area: MapArea): (pixel: Pixel) => Place {
  refuse(areaProblem(area)?.detail, 'the artboard');
  const centre = centrePixel(area);
  const world = worldPixels(area);
  const centreNorthing = northing(area.osm_lat);
  return ({ x, y }) => ({
    lat: latitudeOf(centreNorthing - ((y - centre.y) / world) * 2 * Math.PI),
    lng: wrapped(area.osm_lng + ((x - centre.x) / world) * 360),
  });
}

/** The bounds of an artboard on a map. Throws a RangeError for an area without finite pixels. */
export function boundsOf(area: MapArea): Bounds {
  const place = toPlace(area);
  const { x, y } = centrePixel(area);
  const half = (x / worldPixels(area)) * 360;
  return {
    south: place({ x, y: 2 * y }).lat,
    west: area.osm_lng - half,
    north: place({ x, y: 0 }).lat,
    east: area.osm_lng + half,
  };
}

/** Part of an artboard's width and height that {@link areaFor} leaves free on each side. */
const margin = 0.05;
/** The greatest zoom that {@link areaFor} chooses: streets and houses. */
const chosenZoomMax = 17;

/** The centre and the whole zoom level at which an artboard of this size shows all places, with a margin; the world without any. */
export function areaFor(
  places: Iterable<Place>,
  { width, height }: Pick<MapArea, 'width' | 'height'>,
): Pick<MapArea, 'osm_lat' | 'osm_lng' | 'osm_zoom'> {
  const norths: number[] = [];
  const easts: number[] = [];
  for (const place of places) {
    const { lat, lng } = drawnPlace(place);
    norths.push(northing(lat));
    easts.push(lng);
  }
  if (norths.length === 0) return { osm_lat: 0, osm_lng: 0, osm_zoom: 1 };
  const [south, north] = extentOf(norths);
  const { west, span } = arcOf(easts);
  const room = (size: number): number => Math.max(1, size) * (1 - 2 * margin);
  const zoomFor = (size: number, share: number): number => Math.log2(room(size) / (tilePixels * share));
  const zoom = Math.min(zoomFor(width, span / 360), zoomFor(height, (north - south) / (2 * Math.PI)));
  return {
    osm_lat: latitudeOf((south + north) / 2),
    osm_lng: wrapped(west + span / 2),
    osm_zoom: within(Math.floor(zoom), 1, chosenZoomMax),
  };
}

/**
 * Converts the pixels of an artboard before a change of its area to those after it, of the same places on Earth: of one pixel, or of the
 * corners of a shape, which keeps its form. A shape that was on the copy of the world nearest to the centre is on it afterwards. Throws a
 * RangeError for an area without finite pixels.
 */
export function movePixels(from: MapArea, to: MapArea): (shape: readonly Pixel[]) => Pixel[] {
  refuse(areaProblem(from)?.detail, 'the artboard');
  refuse(areaProblem(to)?.detail, 'the artboard');
  const [before, after] = [centrePixel(from), centrePixel(to)];
  const [worldBefore, worldAfter] = [worldPixels(from), worldPixels(to)];
  const growth = worldAfter / worldBefore;
  const eastward = (shortWay(from.osm_lng - to.osm_lng) / 360) * worldAfter;
  const downward = ((northing(to.osm_lat) - northing(from.osm_lat)) / (2 * Math.PI)) * worldAfter;
  return (shape) => {
    const [least, most] = extentOf(shape.map(({ x }) => x));
    const middle = (least + most) / 2 - before.x;
    const copies = Math.round(middle / worldBefore);
    const moved = middle * growth + eastward;
    const right = after.x - before.x * growth + eastward + (copies - Math.round(moved / worldAfter)) * worldAfter;
    const down = after.y - before.y * growth + downward;
    return shape.map(({ x, y }) => ({ x: x * growth + right, y: y * growth + down }));
  };
}

function eastAndPixel(area: MapArea) {
  refuse(areaProblem(area)?.detail, 'the artboard');
  const centre = centrePixel(area);
  const world = worldPixels(area);
  const centreNorthing = northing(area.osm_lat);
  return {
    /** Degrees from the centre to a place, to the east. */
    east: (place: Place): number => {
      refuse(placeProblem(place), 'the place');
      return place.lng - area.osm_lng;
    },
    pixel: (east: number, { lat }: Place): Pixel => ({
      x: centre.x + (east / 360) * world,
      y: centre.y + ((centreNorthing - northing(lat)) / (2 * Math.PI)) * world,
    }),
  };
}

function refuse(problem: string | undefined, what: string): void {
  if (problem !== undefined) throw new RangeError(`${what} has no finite pixels: ${problem}`);
}

/** Longitudes of a ring, without jumps. A ring that does not close in this way, or loses its width, is returned as it is. */
function joined(longitudes: readonly number[]): readonly number[] {
  let turns = 0;
  let before = longitudes[0] ?? 0;
  const unwrapped = longitudes.map((longitude) => {
    turns -= turnsIn(longitude - before);
    before = longitude;
    return longitude + 360 * turns;
  });
  turns -= turnsIn((longitudes[0] ?? 0) - before);
  const widthOf = (all: readonly number[]): number => {
    const [least, most] = extentOf(all);
    return most - least;
  };
  return turns !== 0 || (widthOf(unwrapped) === 0 && widthOf(longitudes) > 0) ? longitudes : unwrapped;
}

/** A longitude from −180 to 180. */
const wrapped = (longitude: number): number => (Math.abs(longitude) <= 180 ? longitude : shortWay(longitude));

/** The shortest arc that contains all longitudes: the complement of the widest gap between two neighbours. */
function arcOf(longitudes: readonly number[]): { readonly west: number; readonly span: number } {
  const sorted = Float64Array.from(longitudes).sort();
  const last = sorted.length - 1;
  let west = sorted[0] as number;
  let gap = west + 360 - (sorted[last] as number);
  for (let i = 0; i < last; i++) {
    const next = sorted[i + 1] as number;
    const here = next - (sorted[i] as number);
    if (here > gap) [gap, west] = [here, next];
  }
  return { west, span: Math.max(0, 360 - gap) };
}
