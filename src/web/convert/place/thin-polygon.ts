/** A line as a thin polygon of a width. */
import type { Pixel } from '../../../lib/geo/geo.ts';

/** A corner is at most this many half widths from its point of the line: sharp turns would be spikes. */
const miterMax = 2;

/** @param width pixels @returns the corners along one side and back along the other; `undefined` for a line without length */
export function thinPolygon(line: readonly Pixel[], width: number): Pixel[] | undefined {
  const points = line.filter(({ x, y }, i) => i === 0 || x !== line[i - 1]?.x || y !== line[i - 1]?.y);
  if (points.length < 2) return undefined;
  const normals = points.slice(1).map((to, i) => normalOf(points[i] as Pixel, to));
  const offsets = points.map((_, i) => {
    const before = normals[i - 1] ?? (normals[i] as Pixel);
    const after = normals[i] ?? before;
    const sum = { x: before.x + after.x, y: before.y + after.y };
    // The length of the sum is twice the cosine of half the turn.
    const square = Math.max(sum.x ** 2 + sum.y ** 2, (2 / miterMax) ** 2);
    const isBack = sum.x === 0 && sum.y === 0;
    const factor = isBack ? width / 2 : width / square;
    const direction = isBack ? after : sum;
    return { x: direction.x * factor, y: direction.y * factor };
  });
  const left = points.map(({ x, y }, i) => ({ x: x + (offsets[i]?.x ?? 0), y: y + (offsets[i]?.y ?? 0) }));
  const right = points.map(({ x, y }, i) => ({ x: x - (offsets[i]?.x ?? 0), y: y - (offsets[i]?.y ?? 0) }));
  return [...left, ...right.reverse()];
}

function normalOf(from: Pixel, to: Pixel): Pixel {
  const [x, y] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(x, y);
  return { x: -y / length, y: x / length };
}
