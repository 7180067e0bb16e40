/** The outlines of land and borders below artboards on a map: those of the viewer, of which the server has one copy. */
import { outlinePainter } from '../../viewer/drawing/ground/outline-painter.ts';
import type { LoadOutlines, OutlineData, PaintOutlines } from '../../viewer/drawing/ground/outlines-contract.ts';
import { serverRoot } from '../server/server-root.ts';

/** File name of the data, which the build puts into the script. */
declare const outlinesName: string;

/** Rejects if the data cannot be loaded. */
export async function outlines(): Promise<PaintOutlines> {
  const { default: data } = (await import(`${serverRoot()}viewer/${outlinesName}`)) as { readonly default: OutlineData };
  return outlinePainter(data);
}

/** Without them a map has one colour below its tiles. */
export const loadOutlines: LoadOutlines = (use) => {
  outlines().then(use, () => undefined);
};
