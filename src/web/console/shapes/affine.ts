/** Affine transformations: how a plan was moved, turned, scaled, stretched or mirrored. Three pairs of points determine one. */
import { doubleArea } from '../../../lib/geo/polygon.ts';
import { distance, type Point } from './shape.ts';

/** `x' = a x + c y + e`, `y' = b x + d y + f`: the order of `matrix(…)` in SVG and CSS. */
export interface Affine {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

export type ThreePoints = readonly [Point, Point, Point];

/** Three points are on one line if the height of their triangle is below this share of its longest side. */
const heightMin = 0.01;

export const identity: Affine = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };

/** Scales around the origin. */
export const scaling = (x: number, y: number): Affine => ({ ...identity, a: x, d: y });

export const applied = ({ a, b, c, d, e, f }: Affine, { x, y }: Point): Point => ({
  x: a * x + c * y + e,
  y: b * x + d * y + f,
});

const determinant = ({ a, b, c, d }: Affine): number => a * d - b * c;

/** The factor of lengths on average: the square root of that of areas. */
export const lengthFactor = (transformation: Affine): number => Math.sqrt(Math.abs(determinant(transformation)));

/** Whether it turns left into right, as a mirror does. */
export const isMirroring = (transformation: Affine): boolean => determinant(transformation) < 0;

/** Whether three points are on one line, or so close to one that what follows from them is arbitrary. */
export function areOnOneLine(points: ThreePoints): boolean {
  const [p, q, r] = points;
  const longest = Math.max(distance(p, q), distance(q, r), distance(r, p));
  return longest === 0 || Math.abs(doubleArea(points)) / longest ** 2 < heightMin;
}

/** The transformation that moves each of three points to its counterpart; `undefined` if the former ones, or the new ones, are on one line. */
export function affineOf(from: ThreePoints, to: ThreePoints): Affine | undefined {
  if (areOnOneLine(from) || areOnOneLine(to)) return undefined;
  const [p, q, r] = from;
  const [u, v] = [
    { x: q.x - p.x, y: q.y - p.y },
    { x: r.x - p.x, y: r.y - p.y },
  ];
  const [P, Q, R] = to;
  const [U, V] = [
    { x: Q.x - P.x, y: Q.y - P.y },
    { x: R.x - P.x, y: R.y - P.y },
  ];
  const area = u.x * v.y - u.y * v.x;
  const a = (U.x * v.y - V.x * u.y) / area;
  const b = (U.y * v.y - V.y * u.y) / area;
  const c = (V.x * u.x - U.x * v.x) / area;
  const d = (V.y * u.x - U.y * v.x) / area;
  return { a, b, c, d, e: P.x - a * p.x - c * p.y, f: P.y - b * p.x - d * p.y };
}
