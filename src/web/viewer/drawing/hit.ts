/** Whether an object is at a point: by its geometry, so that neither its colours nor its blend mode matter. */
import type { Coordinate } from 'ol/coordinate.js';
import Circle from 'ol/geom/Circle.js';
import Polygon from 'ol/geom/Polygon.js';
import type { ObjectFeature } from './object-feature.ts';

/** Sizes in units of the view. */
export interface HitOptions {
  /** Units per pixel of the artboard for sizes; less than the scale of the artboard where spots keep their size. */
  readonly sizeScale: number;
  /** The share of its radius that a spot is drawn with. */
  readonly radiusShare: number;
  readonly tolerance: number;
}

export function isHit(
  feature: ObjectFeature,
  [x = 0, y = 0]: Coordinate,
  { sizeScale, radiusShare, tolerance }: HitOptions,
): boolean {
  const geometry = feature.getGeometry();
  if (geometry === undefined) return false;
  const reach = (feature.look.normal.strokeWidth / 2) * sizeScale + tolerance;
  if (geometry instanceof Circle) {
    const [centreX = 0, centreY = 0] = geometry.getCenter();
    const radius = geometry.getRadius() * radiusShare;
    return radius + reach > 0 && Math.hypot(x - centreX, y - centreY) <= radius + reach;
  }
  if (geometry instanceof Polygon && geometry.intersectsCoordinate([x, y])) return true;
  if (reach <= 0) return false;
  const [nearX = Number.POSITIVE_INFINITY, nearY = Number.POSITIVE_INFINITY] = geometry.getClosestPoint([x, y]);
  return Math.hypot(x - nearX, y - nearY) <= reach;
}
