/** Polygons in a plane, by their corners, and the boxes around them. */

interface Corner {
  readonly x: number;
  readonly y: number;
}

/** A box between its smallest and its largest coordinates. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The box around corners, of which there is at least one. */
export function cornersBox(corners: readonly Corner[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of corners) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { left, top, right, bottom };
}

/** Whether one box is in the other. */
export const contains = (outer: Box, inner: Box): boolean =>
  outer.left <= inner.left && outer.right >= inner.right && outer.top <= inner.top && outer.bottom >= inner.bottom;

/** True if two boxes have an area in common. */
export const overlap = (a: Box, b: Box): boolean => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;

/** The box around two boxes. */
export const union = (a: Box, b: Box): Box => ({
  ...{ left: Math.min(a.left, b.left), top: Math.min(a.top, b.top) },
  ...{ right: Math.max(a.right, b.right), bottom: Math.max(a.bottom, b.bottom) },
});

/** Whether a point is inside a polygon, by the rule "even-odd". A point on an edge may be either. */
export function isInside({ x, y }: Corner, corners: readonly Corner[]): boolean {
  let inside = false;
  for (let at = 0, before = corners.length - 1; at < corners.length; before = at++) {
    const [a, b] = [corners[at] as Corner, corners[before] as Corner];
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

/** Twice the area, negative if the corners go round the other way. */
export const doubleArea = (corners: readonly Corner[]): number =>
  corners.reduce((sum, { x, y }, at) => {
    const before = corners.at(at - 1) as Corner;
    return sum + before.x * y - x * before.y;
  }, 0);
