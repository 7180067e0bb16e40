/** The edges of what a figure fills. */
import type { Figure, Points } from '../drawn-artboard.ts';
import type { Edges } from './edges.ts';

/** Points between two pauses. */
export const stepPoints = 4096;

/** A circle is a polygon that differs from it by no more, in pixels. */
const circleError = 0.03;

/** Adds the edges of a figure. Yields between steps of a bounded size. */
export function* addOutline(edges: Edges, figure: Figure): Generator<void, void> {
  if (figure.kind === 'circle') addCircle(edges, figure.x, figure.y, figure.radius, 1);
  else if (figure.kind === 'polygon') yield* addRing(edges, figure.points);
  else if (figure.kind === 'rings') for (const ring of figure.rings) yield* addRing(edges, ring);
}

function* addRing(edges: Edges, points: Points): Generator<void, void> {
  let [beforeX, beforeY] = [points.at(-2) ?? 0, points.at(-1) ?? 0];
  for (let at = 0; at < points.length; at += 2) {
    const [x, y] = [points[at] as number, points[at + 1] as number];
    edges.add(beforeX, beforeY, x, y);
    [beforeX, beforeY] = [x, y];
    if ((at / 2) % stepPoints === stepPoints - 1) yield;
  }
}

/** @param turn 1, or -1 for the other direction, which makes a hole in a larger circle */
export function addCircle(edges: Edges, x: number, y: number, radius: number, turn: 1 | -1): void {
  const count = Math.max(8, Math.ceil(Math.PI / Math.acos(1 - Math.min(1, circleError / radius))));
  // Of the same area as the circle.
  const distance = radius * Math.sqrt((2 * Math.PI) / count / Math.sin((2 * Math.PI) / count));
  let [beforeX, beforeY] = [x + distance, y];
  for (let i = 1; i <= count; i++) {
    // The last point is exactly the first one: a gap would fill the rest of a row.
    const angle = i === count ? 0 : (turn * i * 2 * Math.PI) / count;
    const [nextX, nextY] = [x + distance * Math.cos(angle), y + distance * Math.sin(angle)];
    edges.add(beforeX, beforeY, nextX, nextY);
    [beforeX, beforeY] = [nextX, nextY];
  }
}
