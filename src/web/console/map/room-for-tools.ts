/** How much of the map its tools cover: an artboard is fitted beside them, so that no drag begins below one. */
import type { Box } from '../../../lib/geo/polygon.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Top, right, bottom, left, in pixels. */
type Edges = readonly [top: number, right: number, bottom: number, left: number];

/** The space at the edges of a map that tools cover. A column is at its left or right edge, a row at its upper or lower one. */
export function coveredBy(tools: readonly Box[], { width, height }: Size): Edges {
  let [top, right, bottom, left] = [0, 0, 0, 0];
  for (const box of tools) {
    const isColumn = box.bottom - box.top > box.right - box.left;
    if (isColumn && box.left + box.right < width) left = Math.max(left, box.right);
    else if (isColumn) right = Math.max(right, width - box.left);
    else if (box.top + box.bottom < height) top = Math.max(top, box.bottom);
    else bottom = Math.max(bottom, height - box.top);
  }
  return [top, right, bottom, left];
}
