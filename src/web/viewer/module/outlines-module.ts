/** The part that draws the outlines, with an import of their data that bundlers see. In the script it loads them by an address. */
import { outlinePainter } from '../drawing/ground/outline-painter.ts';
import type { PaintOutlines } from '../drawing/ground/outlines-contract.ts';
import data from './outlines-data.ts';

export const paintOutlines: PaintOutlines = outlinePainter(data);
