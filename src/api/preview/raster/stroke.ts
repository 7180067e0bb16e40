/**
 * The edges of a stroke as SVG draws it by default: butt caps, and mitered corners, which are cut off where they are too long.
 *
 * A stroke is the sum of a rectangle for each segment and a wedge for each corner, all of one orientation: pixels that several of them
 * cover are inside. Edges that two of them share cancel out, and are left out.
 */
import type { Figure, Points } from '../drawn-artboard.ts';
import type { Edges } from './edges.ts';
import { addCircle, stepPoints } from './outline.ts';

/** Cosine of the sharpest turn with a miter of four times the width, the limit of SVG: the length is 1 / cos(turn / 2). */
const sharpest = 2 / 4 ** 2 - 1;

/** Adds the edges of the stroke of a figure. Yields between steps of a bounded size. */
export function* addStroke(edges: Edges, figure: Figure, width: number): Generator<void, void> {
  const half = width / 2;
  if (figure.kind === 'circle') {
    const { x, y, radius } = figure;
    addCircle(edges, x, y, radius + half, 1);
    if (radius > half) addCircle(edges, x, y, radius - half, -1);
  } else if (figure.kind === 'rings') for (const ring of figure.rings) yield* addLine(edges, ring, half, true);
  else yield* addLine(edges, figure.points, half, figure.kind === 'polygon');
}

interface Vector {
  readonly x: number;
  readonly y: number;
}

/** From a segment to one side of its stroke, and half of the segment's length. */
interface Side extends Vector {
  readonly reach: number;
}

function* addLine(edges: Edges, points: Points, half: number, isClosed: boolean): Generator<void, void> {
  const pointAt = (at: number): Vector => ({ x: points[2 * at] as number, y: points[2 * at + 1] as number });
  let count = points.length / 2;
  // The ring returns to its first point anyway.
  if (isClosed && count > 1 && points[0] === points.at(-2) && points[1] === points.at(-1)) count--;
  if (count < 2) return;
  const segments = isClosed ? count : count - 1;
  const first = sideOf(pointAt(0), pointAt(1), half);
  let before = isClosed ? sideOf(pointAt(count - 1), pointAt(0), half) : first;
  for (let at = 0; at < segments; at++) {
    const [from, to] = [pointAt(at), pointAt((at + 1) % count)];
    const side = sideOf(from, to, half);
    if (at > 0 || isClosed) addCorner(edges, from, before, side, half);
    edges.add(from.x + side.x, from.y + side.y, to.x + side.x, to.y + side.y);
    edges.add(to.x - side.x, to.y - side.y, from.x - side.x, from.y - side.y);
    before = side;
    if (at % stepPoints === stepPoints - 1) yield;
  }
  if (isClosed) return;
  const [start, end] = [pointAt(0), pointAt(count - 1)];
  edges.add(start.x - first.x, start.y - first.y, start.x + first.x, start.y + first.y);
  edges.add(end.x + before.x, end.y + before.y, end.x - before.x, end.y - before.y);
}

/** Two points of a line that follow each other differ. */
function sideOf(from: Vector, to: Vector, half: number): Side {
  const [x, y] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(x, y);
  return { x: (y * half) / length, y: (-x * half) / length, reach: length / 2 };
}

/** Connects the sides `a` and `b` of the segments before and after a corner. */
function addCorner(edges: Edges, at: Vector, a: Side, b: Side, half: number): void {
  // The side of the wedge is the outer one.
  const isOuter = a.x * b.y - a.y * b.x > 0;
  const [p, q] = isOuter ? [a, b] : [opposite(b), opposite(a)];
  const turn = (a.x * b.x + a.y * b.y) / half ** 2;
  // Where the outer sides meet; the inner ones do on the other side of the corner.
  const tip = { x: (p.x + q.x) / (1 + turn), y: (p.y + q.y) / (1 + turn) };
  if (turn >= sharpest) {
    edges.add(at.x + p.x, at.y + p.y, at.x + tip.x, at.y + tip.y);
    edges.add(at.x + tip.x, at.y + tip.y, at.x + q.x, at.y + q.y);
  } else edges.add(at.x + p.x, at.y + p.y, at.x + q.x, at.y + q.y);
  // Rectangles that end there cover no pixel of an edge twice. Short ones end at the corner itself, and overlap.
  const meets = turn > -1 && half * Math.sqrt((1 - turn) / (1 + turn)) <= Math.min(a.reach, b.reach);
  const [x, y] = meets ? [at.x - tip.x, at.y - tip.y] : [at.x, at.y];
  edges.add(at.x - q.x, at.y - q.y, x, y);
  edges.add(x, y, at.x - p.x, at.y - p.y);
}

const opposite = ({ x, y }: Vector): Vector => ({ x: -x, y: -y });
