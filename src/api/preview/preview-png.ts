/** A drawing as PNG: the picture that a browser shows of its SVG. Its time is bounded, and its memory is that of two pictures. */
import { runCooperatively } from '../../lib/async/cooperative.ts';
import { Turns } from '../../lib/async/turns.ts';
import type { Drawing } from './drawn-artboard.ts';
import { affordable } from './raster/affordable.ts';
import { Painter } from './raster/painter.ts';
import { encodePng, filteredRows } from './raster/png.ts';

/** Pictures that are drawn at a time: the largest takes 25 MB, and while one is compressed in another thread, the next can be painted. */
const turns = new Turns({ total: 2, perAccount: 1, waitingPerAccount: 20, what: 'pictures' });

/** Paints a drawing; returns the rows for {@link encodePng}. Yields between steps of a bounded size. */
export function* paintedRows(drawing: Drawing): Generator<void, Buffer> {
  const shapes = affordable(drawing);
  yield;
  const painter = new Painter(drawing);
  yield* painter.clear(drawing.background);
  for (const shape of shapes) yield* painter.paint(shape);
  return yield* filteredRows(painter.pixels, drawing.width);
}

/** The picture, when it is the turn of the account. */
export const previewPng = (accountId: string, drawing: Drawing): Promise<Buffer> =>
  turns.run(accountId, async () => encodePng(await runCooperatively(paintedRows(drawing)), drawing.width, drawing.height));
