/** The outlines of land and borders, which the viewer loads for artboards on a map: a script of its own with their data, which is another one. */
import { outlinePainter } from '../../drawing/ground/outline-painter.ts';
import type { OutlineData, PaintOutlines } from '../../drawing/ground/outlines-contract.ts';

/** File name of the data, which the build puts into the script. */
declare const outlinesName: string;

export interface OutlinesPart {
  readonly paintOutlines: PaintOutlines;
}

// A browser remembers a script that failed by its whole address, so another attempt for the part is another one for its data.
const { href } = new URL(outlinesName + new URL(import.meta.url).hash, import.meta.url);
const { default: data } = (await import(href)) as { readonly default: OutlineData };

export const paintOutlines: PaintOutlines = outlinePainter(data);
