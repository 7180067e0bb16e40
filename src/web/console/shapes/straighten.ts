/** Makes the edges of a polygon meet at right angles. */
import type { Point } from './shape.ts';

/** Angles up to which edges count as parallel to the artboard. */
const levelMax = (4 * Math.PI) / 180;

/** The main direction of the edges, from −45° to 45°: longer edges count more. */
function directionOf(corners: readonly Point[]): number {
  let [x, y] = [0, 0];
  for (const [at, b] of corners.entries()) {
    const a = corners.at(at - 1) as Point;
    const angle = Math.atan2(b.y - a.y, b.x - a.x) * 4;
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    x += length * Math.cos(angle);
    y += length * Math.sin(angle);
  }
  const angle = Math.atan2(y, x) / 4;
  return Math.abs(angle) <= levelMax ? 0 : angle;
}

function turned({ x, y }: Point, angle: number): Point {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { x: x * cos - y * sin, y: x * sin + y * cos };
}

/** Edges in a row with the same direction. */
interface Run {
  readonly isLevel: boolean;
  /** Its coordinate, the mean of its edges by their lengths. */
  readonly at: number;
}

function runsOf(corners: readonly Point[]): Run[] {
  const edges = corners.map((a, at) => {
    const b = corners[(at + 1) % corners.length] as Point;
    const isLevel = Math.abs(b.x - a.x) >= Math.abs(b.y - a.y);
    return { isLevel, at: isLevel ? (a.y + b.y) / 2 : (a.x + b.x) / 2, length: Math.hypot(b.x - a.x, b.y - a.y) };
  });
  // Begins where the direction changes.
  const start = edges.findIndex(({ isLevel }, at) => isLevel !== edges.at(at - 1)?.isLevel);
  if (start === -1) return [];
  const runs: { isLevel: boolean; sum: number; length: number }[] = [];
  for (const { isLevel, at, length } of [...edges.slice(start), ...edges.slice(0, start)]) {
    const run = runs.at(-1);
    if (run?.isLevel === isLevel) {
      run.sum += at * length;
      run.length += length;
    } else runs.push({ isLevel, sum: at * length, length });
  }
  return runs.map(({ isLevel, sum, length }) => ({ isLevel, at: sum / length }));
}

/** The polygon with right angles; `undefined` if there is none like it, such as for a triangle. */
export function straightened(given: readonly Point[]): Point[] | undefined {
  const different = given.filter(({ x, y }, at) => x !== given.at(at - 1)?.x || y !== given.at(at - 1)?.y);
  const angle = directionOf(different);
  const runs = runsOf(different.map((corner) => turned(corner, -angle)));
  if (runs.length < 4) return undefined;
  return runs.map((run, at) => {
    const before = runs.at(at - 1) as Run;
    const corner = run.isLevel ? { x: before.at, y: run.at } : { x: run.at, y: before.at };
    return turned(corner, angle);
  });
}
