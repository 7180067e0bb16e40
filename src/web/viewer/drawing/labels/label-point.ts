/** Where the name of a polygon is written: at the point with the most room around it for a line of text. */
import { type Box, cornersBox, isInside } from '../../../../lib/geo/polygon.ts';
import type { Corner } from '../map-document.ts';

/** A line of text is about this much wider than it is high. */
const stretch = 3;
/** The point is found to this share of the size of the polygon. */
const precision = 0.05;
/** Cells that are searched at most, and corners that are compared in all of them. */
const searchMax = { cells: 200, corners: 200_000 };

interface Cell extends Corner {
  readonly half: number;
  /** From the edge of the polygon; negative outside. */
  readonly distance: number;
}

/**
 * A point of a polygon with the greatest distance from its edges, where distances across count a third: the pole of inaccessibility, found by
 * dividing the most promising cell of a grid again and again.
 *
 * @param corners at least three
 */
export function labelPoint(corners: readonly Corner[]): Corner {
  const ring = corners.map(({ x, y }) => ({ x: x / stretch, y }));
  const { left, top, right, bottom } = cornersBox(ring);
  const [width, height] = [right - left, bottom - top];
  const size = Math.min(width, height);
  const cellAt = (x: number, y: number, half: number): Cell => ({ x, y, half, distance: distanceIn(ring, x, y) });
  let best = cellAt((left + right) / 2, (top + bottom) / 2, 0);
  const toPoint = ({ x, y }: Corner): Corner => ({ x: x * stretch, y });
  // No point of the box can be better than the centre of a full one.
  if (best.distance >= (0.5 - precision) * size) return toPoint(best);
  const promise = ({ distance, half }: Cell): number => distance + half * Math.SQRT2;
  let cells: Cell[] = [];
  // A long strip is not divided into more squares than can be searched.
  const first = Math.max(size, Math.max(width, height) / 32) / 2;
  for (let x = left; x < right; x += 2 * first)
    for (let y = top; y < bottom; y += 2 * first) cells.push(cellAt(x + first, y + first, first));
  let steps = Math.min(searchMax.cells, Math.ceil(searchMax.corners / ring.length));
  while (cells.length > 0 && steps-- > 0) {
    const most = cells.reduce((a, b) => (promise(b) > promise(a) ? b : a));
    if (promise(most) - best.distance <= precision * size) break;
    const half = most.half / 2;
    const parts = [-half, half].flatMap((dx) => [-half, half].map((dy) => cellAt(most.x + dx, most.y + dy, half)));
    for (const part of [most, ...parts]) if (part.distance > best.distance + precision * size) best = part;
    cells = [...cells.filter((cell) => cell !== most), ...parts].filter((cell) => promise(cell) > best.distance);
  }
  return toPoint(best);
}

/** The distance of a point from the edges; negative outside. */
function distanceIn(ring: readonly Corner[], x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0, before = ring.length - 1; at < ring.length; before = at++) {
    const [a, b] = [ring[at] as Corner, ring[before] as Corner];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const length = dx * dx + dy * dy;
    const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - a.x) * dx + (y - a.y) * dy) / length));
    least = Math.min(least, (a.x + share * dx - x) ** 2 + (a.y + share * dy - y) ** 2);
  }
  return Math.sqrt(least) * (isInside({ x, y }, ring) ? 1 : -1);
}

/** Whether a rectangle is inside a polygon: its centre is, and no edge crosses it. */
export function isRectangleInside(corners: readonly Corner[], { left, top, right, bottom }: Box): boolean {
  if (!isInside({ x: (left + right) / 2, y: (top + bottom) / 2 }, corners)) return false;
  for (let at = 0, before = corners.length - 1; at < corners.length; before = at++) {
    const [a, b] = [corners[at] as Corner, corners[before] as Corner];
    // The part of the edge, from 0 to 1, that is within each side of the rectangle.
    let [from, to] = [0, 1];
    for (const [start, step, least, most] of [
      [a.x, b.x - a.x, left, right],
      [a.y, b.y - a.y, top, bottom],
    ] as const) {
      if (step === 0) {
        if (start <= least || start >= most) to = -1;
        continue;
      }
      const [one, other] = [(least - start) / step, (most - start) / step];
      from = Math.max(from, Math.min(one, other));
      to = Math.min(to, Math.max(one, other));
    }
    if (from < to) return false;
  }
  return true;
}
