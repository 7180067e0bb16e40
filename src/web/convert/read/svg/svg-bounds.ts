/** The boxes around elements of SVG, in their own units. */
import type { Element } from '@xmldom/xmldom';
import { type Box, union } from '../../../../lib/geo/polygon.ts';
import { childElements } from '../xml/parse-xml.ts';
import { identity, type Matrix, multiply, type Size } from './svg-matrix.ts';
import { type Outline, outlinesOf, pathOf } from './svg-outline.ts';
import type { Style, Styles } from './svg-style.ts';
import { matrixIn, type ReferenceBox } from './svg-transform.ts';

/** Elements whose boxes make that of a group, and elements in elements; those beyond do not count. */
const elementsMax = 1000;
const depthMax = 10;

/** The box around outlines; `undefined` for none. */
export function boxOf(outlines: readonly Outline[]): Box | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { points } of outlines)
    for (const [x, y] of points) {
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
  return left <= right ? { left, top, right, bottom } : undefined;
}

/** The box around an element without its own transformation, as `transform-box: fill-box` means it. */
export function boundsOf(element: Element, view: Size, styles: Styles): ReferenceBox | undefined {
  let left = elementsMax;
  const boxIn = (each: Element, matrix: Matrix, style: Style, depth: number): Box | undefined => {
    if (left-- <= 0 || depth > depthMax) return undefined;
    const d = pathOf(each, view);
    if (d !== undefined) return boxOf(outlinesOf(d.slice(0, 100_000), matrix, 0.1).outlines);
    let box: Box | undefined;
    if (!/^(?:g|a|switch)$/.test(each.localName ?? '')) return undefined;
    for (const child of childElements(each)) {
      const own = styles.of(style, child);
      const moved = multiply(
        matrix,
        matrixIn(own, { x: 0, y: 0, ...view }, () => undefined),
      );
      const inner = boxIn(child, moved, own, depth + 1);
      if (inner !== undefined) box = box === undefined ? inner : union(box, inner);
    }
    return box;
  };
  const box = boxIn(element, identity, {}, 0);
  return box && { x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top };
}
