/** Finds how far a map must zoom in until an object stands alone. */
import type { Corner } from '../map-document.ts';

/** A spot in the view; its radius in pixels of the artboard. */
export interface Disc extends Corner {
  readonly radius: number;
}

interface Zooming {
  /** Units of the view per pixel: now, and at the closest. */
  readonly resolution: number;
  readonly minResolution: number;
  /** Pixels of the screen per pixel of the artboard, for sizes at a resolution. */
  sizeAt(resolution: number): number;
  /** Distance within which spots are gathered into groups at a resolution, in units of the view; 0 if they are not. */
  groupedWithin(resolution: number): number;
}

/** Steps in which a resolution is searched. */
const step = 1.2;

/**
 * The first resolution, from the present one on, at which no other spot touches a spot or is in one group with it. Spots that the closest
 * resolution does not separate do not count.
 */
export function separating(spot: Disc, others: readonly Disc[], zooming: Zooming): number {
  const { minResolution, sizeAt } = zooming;
  const touches = (other: Disc, resolution: number): boolean =>
    Math.hypot(other.x - spot.x, other.y - spot.y) / resolution <= (other.radius + spot.radius) * sizeAt(resolution);
  let near = others.filter((other) => !touches(other, minResolution));
  let { resolution } = zooming;
  while (resolution > minResolution) {
    const within = zooming.groupedWithin(resolution);
    near = near.filter((other) => Math.hypot(other.x - spot.x, other.y - spot.y) <= within || touches(other, resolution));
    if (near.length === 0) return resolution;
    resolution /= step;
  }
  return minResolution;
}
