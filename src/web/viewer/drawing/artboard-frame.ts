/**
 * Converts between pixels of an artboard (y down) and coordinates of the view (y up). An artboard on a map has a view in Web Mercator
 * around its centre; any other has a view in pixels.
 */
import type { Coordinate } from 'ol/coordinate.js';
import type { Extent } from 'ol/extent.js';
import Projection from 'ol/proj/Projection.js';
import type { Corner, MapArtboard } from './map-document.ts';

/** Metres per pixel of a map at zoom 0, at the equator. */
const metresPerPixel = 156_543.033_928_040_97;
const worldHalf = 20_037_508.342_789_244;
const latitudeMax = 85.051_128_779_806_59;
const zoomMax = 24;
/** The view may come this much closer than one pixel of the artboard per pixel of the screen. */
const closest = { pixels: 64, mapZoom: 22 };
/** The artboard may become this small on the screen, in pixels. */
const smallestPx = 48;

export interface ArtboardFrame {
  readonly projection: string | Projection;
  /** The artboard in the view. */
  readonly extent: Extent;
  /** Units of the view per pixel of the artboard. */
  readonly scale: number;
  /** On a map, spots and outlines grow with the artboard up to their own size in pixels, but not beyond. */
  readonly keepsSize: boolean;
  readonly minResolution: number;
  readonly maxResolution: number;
  toView(corner: Corner): Coordinate;
  toArtboard(coordinate: Coordinate): Corner;
}

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

export function frameOf({
  type,
  width: givenWidth,
  height: givenHeight,
  osm_lat,
  osm_lng,
  osm_zoom,
}: MapArtboard): ArtboardFrame {
  const width = Math.max(1, givenWidth);
  const height = Math.max(1, givenHeight);
  const isMap = type === 'osm';
  const scale = isMap ? metresPerPixel / 2 ** within(osm_zoom, 0, zoomMax) : 1;
  const latitude = (within(osm_lat, -latitudeMax, latitudeMax) * Math.PI) / 180;
  const centreX = isMap ? (within(osm_lng, -180, 180) / 180) * worldHalf : width / 2;
  const centreY = isMap ? (Math.log(Math.tan(Math.PI / 4 + latitude / 2)) / Math.PI) * worldHalf : -height / 2;
  const left = centreX - (width / 2) * scale;
  const top = centreY + (height / 2) * scale;
  const extent: Extent = [left, top - height * scale, left + width * scale, top];
  const maxResolution = (Math.max(width, height) * scale) / smallestPx;
  return {
    projection: isMap ? 'EPSG:3857' : new Projection({ code: 'artboard', units: 'pixels', extent }),
    extent,
    scale,
    keepsSize: isMap,
    minResolution: Math.min(isMap ? metresPerPixel / 2 ** closest.mapZoom : 1 / closest.pixels, maxResolution / 64),
    maxResolution,
    toView: ({ x, y }) => [left + x * scale, top - y * scale],
    toArtboard: ([x = 0, y = 0]) => ({ x: (x - left) / scale, y: (top - y) / scale }),
  };
}
