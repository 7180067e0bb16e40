/** Polygons in a plane, by their corners. */

interface Corner {
  readonly x: number;
  readonly y: number;
}

/** Whether a point is inside a polygon, by the rule "even-odd". A point on an edge may be either. */
export function isInside({ x, y }: Corner, corners: readonly Corner[]): boolean {
  let inside = false;
  for (let at = 0, before = corners.length - 1; at < corners.length; before = at++) {
    const [a, b] = [corners[at] as Corner, corners[before] as Corner];
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}
