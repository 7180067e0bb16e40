/** Saves what a map shows as a PNG. */
import { fileNameOf } from '../../../../lib/draw/saved-name.ts';
import { saveFile } from '../dom.ts';
import type { ShareHost } from './share-contract.ts';
import { viewPicture } from './view-picture.ts';

/** Pixels of the picture per pixel of the page. */
export const pictureScales = [1, 2, 3, 4] as const;

/** Resolves whether all pictures are in it. Rejects if the browser cannot make one of this size. @param title of the map, for the name of the file */
export async function savePicture(host: ShareHost, scale: number, title: string): Promise<boolean> {
  const { clientWidth: width, clientHeight: height } = host.stage.canvas;
  const { canvas, isIncomplete } = await viewPicture(host, { width, height, pixelRatio: scale });
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (png === null) throw new Error('the browser makes no picture of this size');
  saveFile(png, `${fileNameOf(title)}.png`);
  return !isIncomplete;
}
