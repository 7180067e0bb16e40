/** The first view of an artboard: what its map says, or else what fits. */
import type { Coordinate } from 'ol/coordinate.js';
import { type Extent, getCenter, getHeight, getWidth } from 'ol/extent.js';
import { mercatorOf, metresPerPixel } from '../../../../lib/geo/geo.ts';
import type { ArtboardFrame } from '../artboard-frame.ts';
import type { MapStart } from '../map-document.ts';

/** Steps of zoom: each makes things larger by this factor. */
export const zoomFactor = 1.4;
/** Objects are not shown closer than this at first, unless their artboard is: zoom of OpenStreetMap. */
const closestZoom = 17;
/** A greater zoom has no meaning, and its power of two no end. */
const zoomMax = 60;

export interface FirstView {
  /** The part that fits, and the least units of the view per pixel. */
  readonly box: Extent;
  readonly minResolution: number;
  readonly centre: Coordinate | undefined;
  /** The part that is shown instead of all that; `undefined` without one. */
  readonly part: Extent | undefined;
  /** Units of the view per pixel, from those at which the box fits; `undefined` for these. */
  readonly resolution: ((fitting: number) => number) | undefined;
}

/** A part of an artboard, in its pixels: left, top, right, bottom. */
export type ViewBox = readonly [left: number, top: number, right: number, bottom: number];

interface FirstViewOptions {
  /** The box of the objects to fit, with one step of air; `undefined`: the artboard fits. */
  readonly objects: Extent | undefined;
  readonly start: MapStart | undefined;
  /** Comes before all others. */
  readonly part: ViewBox | undefined;
}

export function firstView(frame: ArtboardFrame, { objects, start, part }: FirstViewOptions): FirstView {
  const { zoom, centre } = start ?? {};
  const power = zoom === undefined ? undefined : 2 ** Math.max(-zoomMax, Math.min(zoomMax, zoom));
  return {
    box: objects === undefined ? frame.extent : withAir(objects),
    minResolution: objects === undefined ? 0 : Math.min(frame.scale, metresPerPixel / 2 ** closestZoom),
    centre: centreIn(frame, centre),
    part: part && boxIn(frame, part),
    resolution: power === undefined ? undefined : (fitting) => (frame.keepsSize ? metresPerPixel : fitting) / power,
  };
}

function boxIn({ toView }: ArtboardFrame, [left, top, right, bottom]: ViewBox): Extent {
  return [...toView({ x: left, y: bottom }), ...toView({ x: right, y: top })];
}

function withAir(box: Extent): Extent {
  const [x = 0, y = 0] = getCenter(box);
  const [width, height] = [(getWidth(box) * zoomFactor) / 2, (getHeight(box) * zoomFactor) / 2];
  return [x - width, y - height, x + width, y + height];
}

function centreIn(frame: ArtboardFrame, centre: MapStart['centre']): Coordinate | undefined {
  if (centre === undefined || 'x' in centre) return centre && frame.toView(centre);
  if (!frame.keepsSize) return undefined;
  const { x, y } = mercatorOf(centre.lat, centre.lng);
  // In the copy of the world that is nearest to the artboard.
  const world = 256 * metresPerPixel;
  return [x + world * Math.round(((getCenter(frame.extent)[0] as number) - x) / world), y];
}
