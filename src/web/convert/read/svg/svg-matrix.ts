/** Transformations of SVG as matrices, and the sizes and view boxes that make them. */
import type { Element } from '@xmldom/xmldom';
import svgpath from 'svgpath';

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

/** The matrix of an attribute `transform`; what cannot be read changes nothing. */
export function matrixOf(transform: string): Matrix {
  if (transform.trim() === '') return identity;
  const points: number[] = [];
  // Where a transformation moves the origin and the ends of both unit vectors says all of it.
  svgpath('M0 0L1 0L0 1')
    .transform(transform.slice(0, 1000))
    .iterate(([, x, y]) => {
      points.push(Number(x), Number(y));
    });
  const [e = 0, f = 0, a = 1, b = 0, c = 0, d = 1] = points;
  return points.every(Number.isFinite) ? [a - e, b - f, c - e, d - f, e, f] : identity;
}

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

export interface Viewport {
  readonly width: number;
  readonly height: number;
  readonly matrix: Matrix;
}

/** The size of an `svg` element, and the matrix of its view box, which is centred unless `preserveAspectRatio` is "none". */
export function viewportOf(svg: Element, outer: { readonly width: number; readonly height: number } | undefined): Viewport {
  const box = (svg.getAttribute('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [left = 0, top = 0, boxWidth = 0, boxHeight = 0] = box;
  const hasBox = box.length === 4 && box.every(Number.isFinite) && boxWidth > 0 && boxHeight > 0;
  const whole = outer ?? (hasBox ? { width: boxWidth, height: boxHeight } : { width: 300, height: 150 });
  const width = lengthOf(svg.getAttribute('width'), whole.width) ?? whole.width;
  const height = lengthOf(svg.getAttribute('height'), whole.height) ?? whole.height;
  if (!hasBox || width <= 0 || height <= 0) return { width, height, matrix: identity };
  const [across, down] = [width / boxWidth, height / boxHeight];
  const aspect = svg.getAttribute('preserveAspectRatio') ?? '';
  if (/^\s*none/.test(aspect)) return { width, height, matrix: [across, 0, 0, down, -left * across, -top * down] };
  const scale = /slice/.test(aspect) ? Math.max(across, down) : Math.min(across, down);
  const shift = (name: string, space: number): number =>
    aspect.includes(`${name}Min`) ? 0 : aspect.includes(`${name}Max`) ? space : space / 2;
  const x = shift('x', width - boxWidth * scale) - left * scale;
  const y = shift('Y', height - boxHeight * scale) - top * scale;
  return { width, height, matrix: [scale, 0, 0, scale, x, y] };
}
