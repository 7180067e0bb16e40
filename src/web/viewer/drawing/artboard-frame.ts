/**
 * Converts between pixels of an artboard (y down) and coordinates of the view (y up). An artboard on a map has a view in Web Mercator
 * around its centre; any other has a view in pixels.
 */
import type { Coordinate } from 'ol/coordinate.js';
import { type Extent, extend, intersects } from 'ol/extent.js';
import Projection from 'ol/proj/Projection.js';
import { type Bounds, centreOf, type MercatorPoint, mercatorOf, metresPerPixel, scaleOf } from '../../../lib/geo/geo.ts';
import type { Corner, MapArtboard } from './map-document.ts';

/** The view may come this much closer than one pixel of the artboard per pixel of the screen. */
const closest = { pixels: 64, mapZoom: 22 };
/** The artboard may become this small on the screen, in pixels. */
const smallestPx = 48;

export interface ArtboardFrame {
  readonly projection: string | Projection;
  /** The artboard in the view. */
  readonly extent: Extent;
  /** What can be seen: of a map, the part beyond the artboard, too. */
  readonly limits: Extent;
  /** Units of the view per pixel of the artboard. */
  readonly scale: number;
  /** On a map, spots and outlines grow with the artboard up to their own size in pixels, but not beyond. */
  readonly keepsSize: boolean;
  readonly minResolution: number;
  readonly maxResolution: number;
  toView(corner: Corner): Coordinate;
  toArtboard(coordinate: Coordinate): Corner;
}

export function frameOf(artboard: MapArtboard): ArtboardFrame {
  const width = Math.max(1, artboard.width);
  const height = Math.max(1, artboard.height);
  const isMap = artboard.type === 'osm';
  const scale = isMap ? scaleOf(artboard) : 1;
  const centre = isMap ? centreOf(artboard) : { x: width / 2, y: -height / 2 };
  const left = centre.x - (width / 2) * scale;
  const top = centre.y + (height / 2) * scale;
  const extent: Extent = [left, top - height * scale, left + width * scale, top];
  const limits = isMap ? limitsOf(centre, extent, artboard.bounds) : extent;
  const maxResolution = Math.max((limits[2] as number) - (limits[0] as number), height * scale) / smallestPx;
  return {
    projection: isMap ? 'EPSG:3857' : new Projection({ code: 'artboard', units: 'pixels', extent }),
    extent,
    limits,
    scale,
    keepsSize: isMap,
    minResolution: Math.min(isMap ? metresPerPixel / 2 ** closest.mapZoom : 1 / closest.pixels, maxResolution / 64),
    maxResolution,
    toView: ({ x, y }) => [left + x * scale, top - y * scale],
    toArtboard: ([x = 0, y = 0]) => ({ x: (x - left) / scale, y: (top - y) / scale }),
  };
}

/** Half the width of the world, in metres of Web Mercator. */
const half = 128 * metresPerPixel;

/**
 * Bounds in the copy of the world that is nearest to the centre of the artboard. Without them, or if the artboard is elsewhere: that copy, so
 * that each place can be seen once, and what the artboard shows beyond it.
 */
function limitsOf({ x }: MercatorPoint, extent: Extent, bounds: Bounds | undefined): Extent {
  if (bounds !== undefined) {
    const from = mercatorOf(bounds.south, bounds.west);
    const to = mercatorOf(bounds.north, bounds.east);
    const width = to.x - from.x + (to.x > from.x ? 0 : 2 * half);
    const left = from.x + 2 * half * Math.round((x - from.x - width / 2) / (2 * half));
    const box: Extent = [left, from.y, left + width, to.y];
    if (intersects(box, extent)) return box;
  }
  return extend([x - half, -half, x + half, half], extent);
}
