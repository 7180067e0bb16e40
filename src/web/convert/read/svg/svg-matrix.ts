/** Transformations of SVG as matrices, lengths, and the sizes and view boxes that make them. */
import type { Element } from '@xmldom/xmldom';

/** As in `matrix(a b c d e f)`. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** Applies `inner` first. */
export const multiply = ([a, b, c, d, e, f]: Matrix, inner: Matrix): Matrix => [
  a * inner[0] + c * inner[1],
  b * inner[0] + d * inner[1],
  a * inner[2] + c * inner[3],
  b * inner[2] + d * inner[3],
  a * inner[4] + c * inner[5] + e,
  b * inner[4] + d * inner[5] + f,
];

/** Units of length in pixels of CSS. */
const units: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
  q: 96 / 101.6,
  em: 16,
  ex: 8,
};

/** @param whole what 100 % is @returns pixels; `undefined` for what is no length */
export function lengthOf(text: string | null, whole: number): number | undefined {
  const match = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]*|%)\s*$/i.exec((text ?? '').slice(0, 60));
  if (match === null) return undefined;
  const unit = (match[2] ?? '').toLowerCase();
  const factor = unit === '%' ? whole / 100 : Object.hasOwn(units, unit) ? units[unit] : undefined;
  return factor === undefined ? undefined : Number(match[1]) * factor;
}

/** The point to which a matrix moves another one. */
export const moved = (matrix: Matrix, x: number, y: number): readonly [x: number, y: number] => [
  matrix[0] * x + matrix[2] * y + matrix[4],
  matrix[1] * x + matrix[3] * y + matrix[5],
];

/** By how much a matrix enlarges lengths, on average. */
export const scaleOf = ([a, b, c, d]: Matrix): number => Math.sqrt(Math.abs(a * d - b * c));

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size to which percentages in an `svg` or `symbol` element refer, and the matrix from its units to those around it. */
export interface Viewport extends Size {
  readonly matrix: Matrix;
}

/** `left top width height`; `undefined` for none. */
export function viewBoxOf(svg: Element): readonly [left: number, top: number, width: number, height: number] | undefined {
  const box = (svg.getAttribute('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map((text) => lengthOf(text, Number.NaN) ?? Number.NaN);
  const [left = 0, top = 0, width = 0, height = 0] = box;
  return box.length === 4 && box.every(Number.isFinite) && width > 0 && height > 0 ? [left, top, width, height] : undefined;
}

/**
 * The view box of an `svg` or `symbol` element that is drawn in a size. It is centred unless `preserveAspectRatio` says otherwise.
 *
 * @param box if it is not its own
 */
export function viewportOf(svg: Element, { width, height }: Size, box = viewBoxOf(svg)): Viewport {
  if (box === undefined || width <= 0 || height <= 0) return { width, height, matrix: identity };
  const [left, top, boxWidth, boxHeight] = box;
  const inner = { width: boxWidth, height: boxHeight };
  const [across, down] = [width / boxWidth, height / boxHeight];
  const aspect = svg.getAttribute('preserveAspectRatio') ?? '';
  if (/^\s*none/.test(aspect)) return { ...inner, matrix: [across, 0, 0, down, -left * across, -top * down] };
  const scale = /slice/.test(aspect) ? Math.max(across, down) : Math.min(across, down);
  const shift = (name: string, space: number): number =>
    aspect.includes(`${name}Min`) ? 0 : aspect.includes(`${name}Max`) ? space : space / 2;
  const x = shift('x', width - boxWidth * scale) - left * scale;
  const y = shift('Y', height - boxHeight * scale) - top * scale;
  return { ...inner, matrix: [scale, 0, 0, scale, x, y] };
}
