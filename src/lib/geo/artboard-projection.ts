/**
 * Web Mercator, and the pixels of an artboard on a map: the artboard has its centre at a place, and the scale of a zoom level. For the server
 * and for browsers.
 */

/** Metres per pixel of a map at zoom 0, at the equator. */
export const metresPerPixel = 156_543.033_928_040_97;
const worldHalf = 20_037_508.342_789_244;
const latitudeMax = 85.051_128_779_806_59;
const zoomMax = 24;

/** A point in Web Mercator, in metres; y grows to the north. */
export interface MercatorPoint {
  readonly x: number;
  readonly y: number;
}

/** A pixel of an artboard; y grows downwards. */
export interface Pixel {
  readonly x: number;
  readonly y: number;
}

/** The members of an artboard that say where on a map it is. */
export interface MapArea {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Degrees. */
  readonly osm_lat: number;
  readonly osm_lng: number;
  readonly osm_zoom: number;
}

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** @param latitude degrees; beyond the edges of the map the edge @param longitude degrees */
export function mercatorOf(latitude: number, longitude: number): MercatorPoint {
  const radians = (within(latitude, -latitudeMax, latitudeMax) * Math.PI) / 180;
  return { x: (longitude / 180) * worldHalf, y: (Math.log(Math.tan(Math.PI / 4 + radians / 2)) / Math.PI) * worldHalf };
}

/** The centre of an artboard on a map. */
export const centreOf = ({ osm_lat, osm_lng }: MapArea): MercatorPoint => mercatorOf(osm_lat, within(osm_lng, -180, 180));

/** Metres in Web Mercator per pixel of an artboard on a map. */
export const scaleOf = ({ osm_zoom }: MapArea): number => metresPerPixel / 2 ** within(osm_zoom, 0, zoomMax);

/** Converts places to pixels of an artboard on a map. A place has the copy of its longitude that is nearest to the centre. */
export function placesOn(area: MapArea): (latitude: number, longitude: number) => Pixel {
  const centre = centreOf(area);
  const scale = scaleOf(area);
  const [width, height] = [Math.max(1, area.width), Math.max(1, area.height)];
  const world = 2 * worldHalf;
  return (latitude, longitude) => {
    const { x, y } = mercatorOf(latitude, longitude);
    const east = x - centre.x;
    return { x: width / 2 + (east - Math.round(east / world) * world) / scale, y: height / 2 + (centre.y - y) / scale };
  };
}
