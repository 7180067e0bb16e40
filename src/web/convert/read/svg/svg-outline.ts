/** Outlines of SVG shapes: their path, its curves as short lines, and which of its rings are holes. */
import type { Element } from '@xmldom/xmldom';
import svgpath from 'svgpath';
import type { Pixel } from '../../../../lib/geo/geo.ts';
import { type Box, contains, cornersBox, doubleArea, isInside } from '../../../../lib/geo/polygon.ts';
import { ConvertError } from '../../conversion.ts';
import type { Position } from '../file-data.ts';
import { openRing } from '../geometry-shapes.ts';
import { lengthOf, type Matrix, type Viewport } from './svg-matrix.ts';

export interface Outline {
  readonly points: readonly Position[];
  readonly isClosed: boolean;
}

/** Lines of one curve, at most. */
const linesMax = 200;
/** Corners of all outlines of a picture: curves become many, and `use` repeats them. */
export const cornersMax = 2_000_000;
export const tooManyCorners = `The picture has more than ${cornersMax} corners. Simplify or split it.`;
/** Rings of one shape that are compared with each other, at most; of more, all are outer rings. */
const ringsMax = 500;

/** The path of a basic shape; `undefined` if it is not drawn. */
export function pathOf(element: Element, viewport: Viewport): string | undefined {
  const { width, height } = viewport;
  const across = (name: string): number => lengthOf(element.getAttribute(name), width) ?? 0;
  const down = (name: string): number => lengthOf(element.getAttribute(name), height) ?? 0;
  switch (element.localName) {
    case 'path':
      return element.getAttribute('d') ?? undefined;
    case 'rect':
      return rectPath(across('x'), down('y'), across('width'), down('height'), cornerRadii(element, viewport));
    case 'circle':
    case 'ellipse': {
      const r = lengthOf(element.getAttribute('r'), Math.hypot(width, height) / Math.SQRT2) ?? 0;
      const [rx, ry] = element.localName === 'circle' ? [r, r] : [across('rx'), down('ry')];
      const [cx, cy] = [across('cx'), down('cy')];
      return rx > 0 && ry > 0 ? `M${cx - rx} ${cy}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0Z` : undefined;
    }
    case 'line':
      return `M${across('x1')} ${down('y1')}L${across('x2')} ${down('y2')}`;
    case 'polyline':
    case 'polygon': {
      const numbers = (element.getAttribute('points') ?? '').trim();
      return numbers === '' ? undefined : `M${numbers}${element.localName === 'polygon' ? 'Z' : ''}`;
    }
    default:
      return undefined;
  }
}

function cornerRadii(element: Element, { width, height }: Viewport): readonly [rx: number, ry: number] {
  const rx = lengthOf(element.getAttribute('rx'), width);
  const ry = lengthOf(element.getAttribute('ry'), height);
  return [rx ?? ry ?? 0, ry ?? rx ?? 0];
}

function rectPath(
  x: number,
  y: number,
  width: number,
  height: number,
  [givenX, givenY]: readonly [number, number],
): string | undefined {
  if (width <= 0 || height <= 0) return undefined;
  const [rx, ry] = [Math.min(givenX, width / 2), Math.min(givenY, height / 2)];
  if (rx <= 0 || ry <= 0) return `M${x} ${y}h${width}v${height}h${-width}Z`;
  const arc = (dx: number, dy: number) => `a${rx} ${ry} 0 0 1 ${dx} ${dy}`;
  const [inner, tall] = [width - 2 * rx, height - 2 * ry];
  return `M${x + rx} ${y}h${inner}${arc(rx, ry)}v${tall}${arc(-rx, ry)}h${-inner}${arc(-rx, -ry)}v${-tall}${arc(rx, -ry)}Z`;
}

/**
 * The subpaths of a path, in pixels.
 *
 * @param tolerance pixels between a curve and its lines, at most
 * @throws {ConvertError} "too-large" at more than {@link cornersMax} corners
 * @returns also whether the end of the path could not be read
 */
export function outlinesOf(
  d: string,
  matrix: Matrix,
  tolerance: number,
): { readonly outlines: readonly Outline[]; readonly isCut: boolean } {
  const path = svgpath(d);
  const isCut = (path as unknown as { readonly err: string }).err !== '';
  const outlines: Outline[] = [];
  let points: Position[] = [];
  let corners = 0;
  const end = (isClosed: boolean): void => {
    if (points.length > 1 && points.every(([x, y]) => Number.isFinite(x) && Number.isFinite(y)))
      outlines.push({ points, isClosed });
    points = [];
  };
  path
    .abs()
    .unshort()
    .unarc()
    .matrix([...matrix])
    .iterate((segment, _, x, y) => {
      const [command, ...numbers] = segment as [string, ...number[]];
      const from: Position = [x, y];
      if (command === 'M') {
        end(false);
        points = [[numbers[0] ?? 0, numbers[1] ?? 0]];
        return;
      }
      if (command === 'Z') {
        end(true);
        return;
      }
      if (points.length === 0) points = [from];
      const added = linesOf(command, numbers, from, tolerance);
      corners += added.length;
      if (corners > cornersMax) throw new ConvertError('too-large', tooManyCorners);
      points.push(...added);
    });
  end(false);
  return { outlines, isCut };
}

/** The points after `from`. Commands are absolute; after a matrix there are no H and V, unless it is the identity. */
function linesOf(command: string, numbers: readonly number[], from: Position, tolerance: number): Position[] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers;
  switch (command) {
    case 'H':
      return [[a, from[1]]];
    case 'V':
      return [[from[0], a]];
    case 'L':
      return [[a, b]];
    case 'Q':
      return cubic(
        from,
        [from[0] + (2 / 3) * (a - from[0]), from[1] + (2 / 3) * (b - from[1])],
        [c + (2 / 3) * (a - c), d + (2 / 3) * (b - d)],
        [c, d],
        tolerance,
      );
    case 'C':
      return cubic(from, [a, b], [c, d], [e, f], tolerance);
    default:
      return [];
  }
}

/** Lines of equal steps: the distance to the curve is at most an eighth of its second derivative times the square of the step. */
function cubic(p: Position, q: Position, r: Position, s: Position, tolerance: number): Position[] {
  const bend = (one: Position, two: Position, three: Position): number =>
    Math.hypot(one[0] - 2 * two[0] + three[0], one[1] - 2 * two[1] + three[1]);
  const derivative = 6 * Math.max(bend(p, q, r), bend(q, r, s));
  const steps = Math.ceil(Math.sqrt(derivative / (8 * tolerance)));
  const count = Number.isFinite(steps) ? Math.max(1, Math.min(linesMax, steps)) : 1;
  return Array.from({ length: count }, (_, i): Position => {
    const t = (i + 1) / count;
    const u = 1 - t;
    const weights = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t] as const;
    const at = (axis: 0 | 1): number => weights[0] * p[axis] + weights[1] * q[axis] + weights[2] * r[axis] + weights[3] * s[axis];
    return [at(0), at(1)];
  });
}

export interface OuterRing {
  readonly ring: readonly Position[];
  readonly holes: readonly (readonly Position[])[];
}

/**
 * The outer rings of a shape, each with the rings that end its area inside. A ring in a hole is an outer ring again, and one within an area
 * is none of both.
 *
 * @param rule by which a ring within another one ends its area: always, or only if it goes round the other way
 */
export function outerRings(outlines: readonly Outline[], rule: 'evenodd' | 'nonzero'): OuterRing[] {
  const rings = outlines.map(({ points }) => openRing(points)).filter((ring) => ring !== undefined);
  if (rings.length > ringsMax) return rings.map((ring) => ({ ring, holes: [] }));
  const polygons = rings.map((ring) => ring.map(([x, y]): Pixel => ({ x, y })));
  const boxes = polygons.map(cornersBox);
  /** Whether a ring is in another one. */
  const isIn = (i: number, j: number): boolean =>
    i !== j && contains(boxes[j] as Box, boxes[i] as Box) && isInside(polygons[i]?.[0] as Pixel, polygons[j] as Pixel[]);
  const around = rings.map((_, i) => rings.flatMap((__, j) => (isIn(i, j) ? [j] : [])));
  const turns = polygons.map((ring) => (rule === 'evenodd' || doubleArea(ring) >= 0 ? 1 : -1));
  const isFilled = (indices: readonly number[]): boolean => {
    const sum = indices.reduce((total, j) => total + (turns[j] as number), 0);
    return rule === 'evenodd' ? sum % 2 === 1 : sum !== 0;
  };
  const isOuter = rings.map((_, i) => !isFilled(around[i] as number[]) && isFilled([...(around[i] as number[]), i]));
  const holesOf = rings.map((): (readonly Position[])[] => []);
  for (const [i, ring] of rings.entries()) {
    const outside = around[i] as number[];
    if (!isFilled(outside) || isFilled([...outside, i])) continue;
    // The innermost ring around it that begins an area: the one that most others are around.
    const [outer] = outside.filter((j) => isOuter[j]).sort((a, b) => (around[b]?.length ?? 0) - (around[a]?.length ?? 0));
    if (outer !== undefined) holesOf[outer]?.push(ring);
  }
  return rings.flatMap((ring, i) => (isOuter[i] === true ? [{ ring, holes: holesOf[i] ?? [] }] : []));
}
