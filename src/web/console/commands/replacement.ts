/** Another picture of an artboard, and what becomes of the objects on it. Pure: the dialog shows it, {@link replacePicture} carries it out. */

import type { DiffBuilder } from '../../../lib/change/diff-builder.ts';
import type { Box } from '../../../lib/geo/polygon.ts';
import type { Resource } from '../kinds/resource-kinds.ts';
import {
  type Affine,
  affineOf,
  applied,
  areOnOneLine,
  identity,
  lengthFactor,
  scaling,
  type ThreePoints,
} from '../shapes/affine.ts';
import { boxOf, isLine, mapped, meets, type Point, roundedShape, type Shape, shapeOf } from '../shapes/shape.ts';

/** A picture with the size of its artboard, in pixels. */
export interface Plan {
  /** '' without a picture. */
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

export const choices = ['scale', 'keep', 'align'] as const;
export type Choice = (typeof choices)[number];

/** Three places on the former plan, and the same places on the new one. */
export interface Pairs {
  readonly former: ThreePoints;
  readonly next: ThreePoints;
}
export type Side = keyof Pairs;

/** Where the points are at first, as shares of a plan: the same places on both. */
const firstPlaces = [
  [0.2, 0.2],
  [0.8, 0.2],
  [0.5, 0.8],
] as const;

const placesOn = ({ width, height }: Plan): ThreePoints => {
  const [first, second, third] = firstPlaces.map(([x, y]) => ({ x: Math.round(x * width), y: Math.round(y * height) }));
  return [first, second, third] as ThreePoints;
};

export const firstPairs = (former: Plan, next: Plan): Pairs => ({ former: placesOn(former), next: placesOn(next) });

/** Pairs with one point at another place, which is on its plan. */
export function withPoint(pairs: Pairs, side: Side, at: number, { x, y }: Point, { width, height }: Plan): Pairs {
  const inside = { x: Math.round(Math.max(0, Math.min(width, x))), y: Math.round(Math.max(0, Math.min(height, y))) };
  return { ...pairs, [side]: pairs[side].with(at, inside) as unknown as ThreePoints };
}

/** Ratios that differ by less are equal: sizes of files are whole pixels. */
const ratioTolerance = 0.005;

/** Whether two plans have the same ratio of width to height. */
export const haveSameRatio = (a: Plan, b: Plan): boolean =>
  Math.abs((a.width * b.height) / (a.height * b.width) - 1) < ratioTolerance;

/** How points of the former plan move; or on which plan the three points are on one line, so that they say nothing. */
export function movementOf(choice: Choice, former: Plan, next: Plan, pairs: Pairs): Affine | { readonly onOneLine: Side } {
  if (choice === 'keep') return identity;
  if (choice === 'scale') return scaling(next.width / former.width, next.height / former.height);
  const found = affineOf(pairs.former, pairs.next);
  return found ?? { onOneLine: areOnOneLine(pairs.former) ? 'former' : 'next' };
}

/** A shape where a movement takes it. A spot stays round. */
const movedShape = (shape: Shape, movement: Affine): Shape =>
  mapped(shape, (point) => applied(movement, point), lengthFactor(movement));

/** What the preview shows of an object. */
export interface MovedObject {
  readonly id: string;
  readonly shape: Shape;
  /** Of its fill, or of a line. */
  readonly color: string;
}

/** The objects where a movement takes them. */
export const movedObjects = (objects: readonly Resource[], movement: Affine): readonly MovedObject[] =>
  objects.flatMap((object) => {
    const shape = shapeOf(object);
    if (shape === undefined) return [];
    const color = String(object[isLine(shape) ? 'stroke_color' : 'color']);
    return [{ id: object.id, shape: movedShape(shape, movement), color }];
  });

/** How many objects are outside of a plan as a whole. */
export function countOutside(objects: readonly MovedObject[], { width, height }: Plan): number {
  const all: Box = { left: 0, top: 0, right: width, bottom: height };
  return objects.filter(({ shape }) => !meets(boxOf(shape), all)).length;
}

/** Gives an artboard its new picture and moves its objects. */
export function replacePicture(
  edit: DiffBuilder,
  artboardId: string,
  next: Plan,
  objects: readonly Resource[],
  movement: Affine,
): DiffBuilder {
  edit.put(artboardId, { type: 'image', image_url: next.url, width: next.width, height: next.height });
  for (const object of objects) {
    const shape = shapeOf(object);
    if (shape !== undefined) edit.put(object.id, { ...roundedShape(movedShape(shape, movement)) });
  }
  return edit;
}
