/** The properties `transform` and `transform-origin` of SVG elements, as attributes and in CSS. */
import { identity, lengthOf, type Matrix, multiply } from './svg-matrix.ts';

/** A width and a height, and where they begin. */
export interface ReferenceBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const call = /\s*,?\s*([a-z0-9]+)\s*\(([^()]*)\)\s*/iy;
/** Characters of a list of transformations. */
const transformMax = 2000;

/** Degrees of a full turn, in each unit. */
const turns: Readonly<Record<string, number>> = { '': 360, deg: 360, grad: 400, rad: 2 * Math.PI, turn: 1 };

function radians(text: string): number {
  const [, number, unit = ''] = /^([+-]?[\d.]+(?:e[+-]?\d+)?)([a-z]*)$/i.exec(text) ?? [];
  const whole = Object.hasOwn(turns, unit.toLowerCase()) ? turns[unit.toLowerCase()] : undefined;
  return (Number(number) / (whole ?? Number.NaN)) * 2 * Math.PI;
}

const share = (text: string): number => (text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text));

const moved = (x: number, y: number): Matrix => [1, 0, 0, 1, x, y];
const turned = (angle: number): Matrix => [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0];

/** Takes arguments as text, by the size of the reference box. */
type Maker = (values: readonly string[], box: ReferenceBox) => Matrix | undefined;

const across = (text: string, { width }: ReferenceBox): number => lengthOf(text, width) ?? Number.NaN;
const down = (text: string, { height }: ReferenceBox): number => lengthOf(text, height) ?? Number.NaN;

const makers: Readonly<Record<string, Maker>> = {
  matrix: (values) => (values.length === 6 ? (values.map(Number) as unknown as Matrix) : undefined),
  matrix3d: (values) =>
    values.length === 16 ? ([0, 1, 4, 5, 12, 13].map((i) => Number(values[i])) as unknown as Matrix) : undefined,
  translate: ([x = '', y = '0'], box) => moved(across(x, box), down(y, box)),
  translate3d: ([x = '', y = ''], box) => moved(across(x, box), down(y, box)),
  translatex: ([x = ''], box) => moved(across(x, box), 0),
  translatey: ([y = ''], box) => moved(0, down(y, box)),
  translatez: () => identity,
  scale: ([x = '', y = x]) => [share(x), 0, 0, share(y), 0, 0],
  scale3d: ([x = '', y = '']) => [share(x), 0, 0, share(y), 0, 0],
  scalex: ([x = '']) => [share(x), 0, 0, 1, 0, 0],
  scaley: ([y = '']) => [1, 0, 0, share(y), 0, 0],
  rotate: ([angle = '', x, y = '0']) => {
    if (x === undefined) return turned(radians(angle));
    const [centreX, centreY] = [Number(x), Number(y)];
    return multiply(multiply(moved(centreX, centreY), turned(radians(angle))), moved(-centreX, -centreY));
  },
  rotatez: ([angle = '']) => turned(radians(angle)),
  skew: ([x = '', y = '0']) => [1, Math.tan(radians(y)), Math.tan(radians(x)), 1, 0, 0],
  skewx: ([angle = '']) => [1, 0, Math.tan(radians(angle)), 1, 0, 0],
  skewy: ([angle = '']) => [1, Math.tan(radians(angle)), 0, 1, 0, 0],
};

/** @returns `undefined` for a text that is no list of transformations */
export function transformOf(text: string, box: ReferenceBox): Matrix | undefined {
  const list = text.trim();
  if (list === '' || list.toLowerCase() === 'none') return identity;
  if (list.length > transformMax) return undefined;
  let matrix = identity;
  for (call.lastIndex = 0; call.lastIndex < list.length; ) {
    const [, name = '', inner = ''] = call.exec(list) ?? [];
    const key = name.toLowerCase();
    const values = inner.trim().split(/\s*,\s*|\s+|(?<=[\d.])(?=[+-])/);
    const made = Object.hasOwn(makers, key) && !values.includes('') ? makers[key]?.(values, box) : undefined;
    if (made?.every(Number.isFinite) !== true) return undefined;
    matrix = multiply(matrix, made);
  }
  return matrix;
}

const unitBox: ReferenceBox = { x: 0, y: 0, width: 1, height: 1 };

export const isTransform = (text: string): boolean => transformOf(text, unitBox) !== undefined;

/** Shares of the width or height, by words. */
const sides: Readonly<Record<string, string>> = { left: '0%', right: '100%', top: '0%', bottom: '100%', center: '50%' };

/** The point that transformations leave in its place. */
function originOf(text: string, box: ReferenceBox): readonly [x: number, y: number] {
  const [first = '0', second = '', ...others] = text
    .toLowerCase()
    .trim()
    .split(/[\s,]+/);
  const isSwapped = /^(?:top|bottom)$/.test(first) || /^(?:left|right)$/.test(second);
  const alone = second === '' ? '50%' : second;
  const [x, y] = (isSwapped ? [second === '' ? '50%' : second, first] : [first, alone]).map((side) =>
    Object.hasOwn(sides, side) ? (sides[side] as string) : side,
  );
  const [left, top] = [lengthOf(x ?? '', box.width), lengthOf(y ?? '', box.height)];
  return left === undefined || top === undefined || others.length > 1 ? [0, 0] : [box.x + left, box.y + top];
}

/**
 * The matrix of an element.
 *
 * @param view the box of the picture around it
 * @param bounds the box around the element, asked for only where `transform-box` says so
 */
export function matrixIn(
  style: { readonly [Name in 'transform' | 'transform-origin' | 'transform-box']?: string },
  view: ReferenceBox,
  bounds: () => ReferenceBox | undefined,
): Matrix {
  const { transform } = style;
  if (transform === undefined) return identity;
  const isOwn = /^(?:fill|content|stroke|border)-box$/i.test(style['transform-box'] ?? '');
  const box = (isOwn ? bounds() : undefined) ?? view;
  const matrix = transformOf(transform, box) ?? identity;
  if (style['transform-origin'] === undefined && !isOwn) return matrix;
  const [x, y] = originOf(style['transform-origin'] ?? '0 0', box);
  return multiply(multiply(moved(x, y), matrix), moved(-x, -y));
}
