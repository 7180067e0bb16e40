/** Outlines of SVG shapes: their path, its curves as short lines, and which of its rings are holes. */
import type { Element } from '@xmldom/xmldom';
import svgpath from 'svgpath';
import type { Pixel } from '../../../../lib/geo/geo.ts';
import { type Box, contains, cornersBox, doubleArea, isInside } from '../../../../lib/geo/polygon.ts';
import { ConvertError } from '../../conversion.ts';
import type { Position, Shape } from '../file-data.ts';
import { openRing } from '../geometry-shapes.ts';
import { lengthOf, type Matrix, moved, type Size, scaleOf } from './svg-matrix.ts';

export interface Outline {
  readonly points: readonly Position[];
  readonly isClosed: boolean;
}

/** Lines of one curve, at most. */
const linesMax = 64;
/** Corners of all outlines of a picture: curves become many, and `use` repeats them. */
export const cornersMax = 1_000_000;
export const tooManyCorners = `The picture has more than ${cornersMax} corners. Simplify or split it.`;
/** Rings of one shape that are compared with each other, at most; of more, all are outer rings. */
const ringsMax = 500;

/** The path of a basic shape; `undefined` if it is not drawn. */
export function pathOf(element: Element, viewport: Size): string | undefined {
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

function cornerRadii(element: Element, { width, height }: Size): readonly [rx: number, ry: number] {
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
 * The subpaths of a path, in pixels. One that ends where it begins is closed.
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
  const parsed = svgpath(d) as unknown as ParsedPath;
  const pen = new Pen(matrix, tolerance);
  for (const segment of /a/i.test(d) ? parsed.unarc().segments : parsed.segments) pen.draw(segment);
  return { outlines: pen.finish(), isCut: parsed.err !== '' };
}

type Segment = readonly [command: string, ...numbers: number[]];

/** The members of `svgpath` that its types leave out. */
interface ParsedPath {
  readonly segments: readonly Segment[];
  readonly err: string;
  unarc(): ParsedPath;
}

/** Numbers of a command. */
const counts: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2 };

/** Draws the commands of a path. */
class Pen {
  readonly #matrix: Matrix;
  readonly #tolerance: number;
  readonly #outlines: Outline[] = [];
  #points: Position[] = [];
  #corners = 0;
  /** In units of the path: the place of the pen, where the subpath began, and the last control point. */
  #at: Position = [0, 0];
  #start: Position = [0, 0];
  #control: Position = [0, 0];
  /** `C` or `Q` after a curve. */
  #curve = '';

  constructor(matrix: Matrix, tolerance: number) {
    this.#matrix = matrix;
    this.#tolerance = tolerance;
  }

  draw(segment: Segment): void {
    const command = segment[0].toUpperCase();
    if (command === 'L' && this.#points.length > 0) {
      this.#line(segment);
      return;
    }
    if (command === 'Z') {
      this.#end(true);
      this.#at = this.#start;
      this.#curve = '';
      return;
    }
    const given = this.#absolute(segment, command);
    const end = given.at(-1) ?? this.#at;
    if (command === 'M') {
      this.#end(false);
      this.#start = end;
    } else if (this.#points.length === 0) this.#points = [this.#pixel(this.#at)];
    const controls = this.#controlsOf(command, given);
    if (controls.length === 0) this.#add([this.#pixel(end)]);
    else this.#add(cubic(...([this.#at, ...controls, end].map((each) => this.#pixel(each)) as Cubic), this.#tolerance));
    this.#at = end;
  }

  /** The two commands that large drawings mostly have, without ado. */
  #line(segment: Segment): void {
    const [at, dx, dy] = [this.#at, segment[1] as number, segment[2] as number];
    this.#at = segment[0] === 'L' ? [dx, dy] : [at[0] + dx, at[1] + dy];
    this.#curve = '';
    this.#points.push(this.#pixel(this.#at));
    this.#corners++;
  }

  /** All subpaths. */
  finish(): readonly Outline[] {
    this.#end(false);
    return this.#outlines;
  }

  #pixel(at: Position): Position {
    return moved(this.#matrix, at[0], at[1]);
  }

  #add(points: readonly Position[]): void {
    this.#corners += points.length;
    if (this.#corners > cornersMax) throw new ConvertError('too-large', tooManyCorners);
    for (const point of points) this.#points.push(point);
  }

  /** The points of a command. */
  #absolute(segment: Segment, command: string): Position[] {
    const [x, y] = this.#at;
    const [dx, dy] = segment[0] === command ? [0, 0] : [x, y];
    if (command === 'H') return [[dx + (segment[1] as number), y]];
    if (command === 'V') return [[x, dy + (segment[1] as number)]];
    const points: Position[] = [];
    for (let i = 1; i + 1 <= (counts[command] ?? 0); i += 2)
      points.push([dx + (segment[i] as number), dy + (segment[i + 1] as number)]);
    return points;
  }

  /** The two control points of a curve; none for a line. */
  #controlsOf(command: string, given: readonly Position[]): Position[] {
    const kind = command === 'S' ? 'C' : command === 'T' ? 'Q' : command;
    const [at, control] = [this.#at, this.#control];
    const reflected: Position = this.#curve === kind ? [2 * at[0] - control[0], 2 * at[1] - control[1]] : at;
    this.#curve = kind;
    const end = given.at(-1) as Position;
    if (kind === 'C') {
      const [first, second] = (command === 'S' ? [reflected, given[0]] : given) as [Position, Position];
      this.#control = second;
      return [first, second];
    }
    if (kind !== 'Q') return [];
    const middle = command === 'T' ? reflected : (given[0] as Position);
    this.#control = middle;
    return [at, end].map(([x, y]): Position => [x + (2 / 3) * (middle[0] - x), y + (2 / 3) * (middle[1] - y)]);
  }

  #end(isClosed: boolean): void {
    const points = this.#points;
    this.#points = [];
    if (points.length < 2 || !points.every((at) => Number.isFinite(at[0] + at[1]))) return;
    const meets = !isClosed && endsAtStart(points);
    if (meets) points[points.length - 1] = points[0] as Position;
    this.#outlines.push({ points, isClosed: isClosed || meets });
  }
}

type Cubic = [Position, Position, Position, Position];

/** Part of the size of an outline between its ends, at most, if it is closed: numbers in files are rounded. */
const gapMax = 1e-3;

function endsAtStart(points: readonly Position[]): boolean {
  const [first, last] = [points[0] as Position, points.at(-1) as Position];
  if (points.length < 4) return false;
  const gap = Math.hypot(last[0] - first[0], last[1] - first[1]);
  return gap === 0 || points.some(([x, y]) => gap < gapMax * Math.hypot(x - first[0], y - first[1]));
}

/** Lines of equal steps: the distance to the curve is at most an eighth of its second derivative times the square of the step. */
function cubic(p: Position, q: Position, r: Position, s: Position, tolerance: number): Position[] {
  const bend = (one: Position, two: Position, three: Position): number =>
    Math.hypot(one[0] - 2 * two[0] + three[0], one[1] - 2 * two[1] + three[1]);
  const derivative = 6 * Math.max(bend(p, q, r), bend(q, r, s));
  const steps = Math.ceil(Math.sqrt(derivative / (8 * tolerance)));
  const count = Number.isFinite(steps) ? Math.max(1, Math.min(linesMax, steps)) : 1;
  const points: Position[] = [];
  for (let i = 1; i < count; i++) {
    const t = i / count;
    const u = 1 - t;
    const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
    points.push([a * p[0] + b * q[0] + c * r[0] + d * s[0], a * p[1] + b * q[1] + c * r[1] + d * s[1]]);
  }
  points.push(s);
  return points;
}

/** A circle that the matrix leaves round. */
export function circleOf(element: Element, matrix: Matrix, view: Size): Shape | undefined {
  const [a, b, c, d] = matrix;
  const scale = scaleOf(matrix);
  const isRound = Math.abs(a * c + b * d) < 1e-6 * scale * scale && Math.abs(Math.hypot(a, b) - Math.hypot(c, d)) < 1e-6 * scale;
  const { x, y, r } = circleIn(element, view);
  return isRound && r > 0 ? { kind: 'circle', at: moved(matrix, x, y), radius: r * scale } : undefined;
}

function circleIn(element: Element, { width, height }: Size): { readonly x: number; readonly y: number; readonly r: number } {
  const length = (name: string, whole: number): number => lengthOf(element.getAttribute(name), whole) ?? 0;
  return { x: length('cx', width), y: length('cy', height), r: length('r', Math.hypot(width, height) / Math.SQRT2) };
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
  if (rings.length === 1 || rings.length > ringsMax) return rings.map((ring) => ({ ring, holes: [] }));
  const polygons = rings.map((ring) => ring.map(([x, y]): Pixel => ({ x, y })));
  const boxes = polygons.map(cornersBox);
  /** True if a ring is in another one. */
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
