/** Where the name of a polygon or a line is written: at the point with the most room around it for a line of text, or in the middle. */
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
 * @param holes rings that are no part of it
 */
export function labelPoint(corners: readonly Corner[], holes: readonly (readonly Corner[])[] = []): Corner {
  const rings = [corners, ...holes].map((ring) => ring.map(({ x, y }) => ({ x: x / stretch, y })));
  const { left, top, right, bottom } = cornersBox(rings[0] as Corner[]);
  const [width, height] = [right - left, bottom - top];
  const size = Math.min(width, height);
  const cellAt = (x: number, y: number, half: number): Cell => ({ x, y, half, distance: distanceIn(rings, x, y) });
  let best = cellAt((left + right) / 2, (top + bottom) / 2, 0);
  const toPoint = ({ x, y }: Corner): Corner => ({ x: x * stretch, y });
  // No point of the box can be better than the centre of a full one.
  if (best.distance >= (0.5 - precision) * size) return toPoint(best);
  const promise = ({ distance, half }: Cell): number => distance + half * Math.SQRT2;
  let cells: Cell[] = [];
  // A long strip is not divided into more squares than can be searched.
  const first = Math.max(size, Math.max(width, height) / 32) / 2;
  // By numbers: a side that is smaller than the precision of its place would never be passed.
  const [columns, rows] = [width, height].map((side) => Math.min(32, Math.max(1, Math.ceil(side / (2 * first)) || 1))) as [
    number,
    number,
  ];
  for (let i = 0; i < columns; i++)
    for (let j = 0; j < rows; j++) cells.push(cellAt(left + (2 * i + 1) * first, top + (2 * j + 1) * first, first));
  let steps = Math.min(searchMax.cells, Math.ceil(searchMax.corners / rings.flat().length));
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

/** The distance of a point from the edges; negative outside and in holes. */
function distanceIn(rings: readonly (readonly Corner[])[], x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (const ring of rings) {
    for (let at = 0, before = ring.length - 1; at < ring.length; before = at++) {
      const [a, b] = [ring[at] as Corner, ring[before] as Corner];
      const [dx, dy] = [b.x - a.x, b.y - a.y];
      const length = dx * dx + dy * dy;
      const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - a.x) * dx + (y - a.y) * dy) / length));
      least = Math.min(least, (a.x + share * dx - x) ** 2 + (a.y + share * dy - y) ** 2);
    }
  }
  return Math.sqrt(least) * (isInRings(rings, { x, y }) ? 1 : -1);
}

const isInRings = (rings: readonly (readonly Corner[])[], point: Corner): boolean =>
  rings.filter((ring) => isInside(point, ring)).length % 2 === 1;

/** The point of a line that is halfway along it. @param corners at least one */
export function middleOf(corners: readonly Corner[]): Corner {
  const lengths = corners.map(({ x, y }, at) => Math.hypot(x - (corners[at - 1]?.x ?? x), y - (corners[at - 1]?.y ?? y)));
  let left = lengths.reduce((sum, length) => sum + length, 0) / 2;
  for (const [at, length] of lengths.entries()) {
    const [a, b] = [corners[Math.max(0, at - 1)] as Corner, corners[at] as Corner];
    if (length > 0 && left <= length) return { x: a.x + ((b.x - a.x) * left) / length, y: a.y + ((b.y - a.y) * left) / length };
    left -= length;
  }
  return corners[0] as Corner;
}

/** True if a rectangle is inside a polygon: its centre is, and no edge crosses it. @param rings the outer one, and holes */
export function isRectangleInside(rings: readonly (readonly Corner[])[], { left, top, right, bottom }: Box): boolean {
  if (!isInRings(rings, { x: (left + right) / 2, y: (top + bottom) / 2 })) return false;
  return !rings.some((ring) => crosses(ring, { left, top, right, bottom }));
}

/** True if an edge of a ring goes through a rectangle. */
function crosses(corners: readonly Corner[], { left, top, right, bottom }: Box): boolean {
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
    if (from < to) return true;
  }
  return false;
}
