/** Whether an object is at a point: by its geometry, so that neither its colours nor its blend mode matter. */
import type { Coordinate } from 'ol/coordinate.js';
import Circle from 'ol/geom/Circle.js';
import Polygon from 'ol/geom/Polygon.js';
import { isLine, type ObjectFeature } from './object-feature.ts';

/** Sizes in units of the view. */
export interface HitOptions {
  /** Units per pixel of the artboard for sizes; less than the scale of the artboard where spots keep their size. */
  readonly sizeScale: number;
  /** The share of its radius that a spot is drawn with. */
  readonly radiusShare: number;
  readonly tolerance: number;
  /** Distance from a line at which it is hit in any case. */
  readonly lineReach: number;
}

export function isHit(
  feature: ObjectFeature,
  [x = 0, y = 0]: Coordinate,
  { sizeScale, radiusShare, tolerance, lineReach }: HitOptions,
): boolean {
  const geometry = feature.getGeometry();
  if (geometry === undefined) return false;
  const strokeReach = (feature.look.normal.strokeWidth / 2) * sizeScale + tolerance;
  const reach = isLine(feature.object) ? Math.max(strokeReach, lineReach) : strokeReach;
  if (geometry instanceof Circle) {
    const [centreX = 0, centreY = 0] = geometry.getCenter();
    const radius = geometry.getRadius() * radiusShare;
    return radius + reach > 0 && Math.hypot(x - centreX, y - centreY) <= radius + reach;
  }
  if (geometry instanceof Polygon && isIn(geometry, x, y)) return true;
  if (reach <= 0) return false;
  const [nearX = Number.POSITIVE_INFINITY, nearY = Number.POSITIVE_INFINITY] = geometry.getClosestPoint([x, y]);
  return Math.hypot(x - nearX, y - nearY) <= reach;
}

/** True if a point is in a polygon as it is filled: with holes, by the rule even-odd, and otherwise also where its edges cross. */
function isIn(polygon: Polygon, x: number, y: number): boolean {
  const ends = polygon.getEnds();
  if (ends.length === 1) return polygon.intersectsCoordinate([x, y]);
  const flat = polygon.getFlatCoordinates();
  let inside = false;
  for (let ring = 0, start = 0; ring < ends.length; start = ends[ring++] as number) {
    const end = ends[ring] as number;
    for (let at = start, before = end - 2; at < end; before = at, at += 2) {
      const [ax, ay] = [flat[at] as number, flat[at + 1] as number];
      const [bx, by] = [flat[before] as number, flat[before + 1] as number];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    }
  }
  return inside;
}
