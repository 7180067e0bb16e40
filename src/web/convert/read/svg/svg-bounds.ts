/** The boxes around elements of SVG, in their own units. */
import type { Element } from '@xmldom/xmldom';
import { type Box, union } from '../../../../lib/geo/polygon.ts';
import { childElements } from '../xml/parse-xml.ts';
import { identity, type Matrix, multiply, type Size } from './svg-matrix.ts';
import { type Outline, outlinesOf, pathOf } from './svg-outline.ts';
import type { Style, Styles } from './svg-style.ts';
import { matrixIn, type ReferenceBox } from './svg-transform.ts';

/** Elements in elements whose boxes count. */
const depthMax = 10;
/** Characters of a path that are read. */
const pathMax = 100_000;

/** The box around outlines; `undefined` for none. */
export function boxOf(outlines: readonly Outline[]): Box | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { points } of outlines)
    for (const point of points) {
      const x = point[0];
      const y = point[1];
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
  return left <= right ? { left, top, right, bottom } : undefined;
}

/** Finds the boxes around elements; the work for one picture is limited. */
export class BoundsFinder {
  readonly #styles: Styles;
  /** Elements, and hundreds of characters of their paths. */
  #left = 100_000;

  constructor(styles: Styles) {
    this.#styles = styles;
  }

  /** The box around an element without its own transformation, as `transform-box: fill-box` means it. */
  find(element: Element, view: Size): ReferenceBox | undefined {
    const box = this.#boxIn(element, view, identity, {}, 0);
    return box && { x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top };
  }

  #boxIn(element: Element, view: Size, matrix: Matrix, style: Style, depth: number): Box | undefined {
    if (this.#left-- <= 0 || depth > depthMax) return undefined;
    const d = pathOf(element, view)?.slice(0, pathMax);
    if (d !== undefined) {
      this.#left -= d.length / 100;
      return boxOf(outlinesOf(d, matrix, 0.1).outlines);
    }
    if (!/^(?:g|a|switch)$/.test(element.localName ?? '')) return undefined;
    let box: Box | undefined;
    for (const child of childElements(element)) {
      const own = this.#styles.of(style, child);
      const moved = multiply(
        matrix,
        matrixIn(own, { x: 0, y: 0, ...view }, () => undefined),
      );
      const inner = this.#boxIn(child, view, moved, own, depth + 1);
      if (inner !== undefined) box = box === undefined ? inner : union(box, inner);
    }
    return box;
  }
}
