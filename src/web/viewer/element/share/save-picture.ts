/** Saves what a map shows as a PNG. */
import { make } from '../dom.ts';
import type { ShareHost } from './share-contract.ts';
import { viewPicture } from './view-picture.ts';

/** Pixels of the picture per pixel of the page. */
export const pictureScales = [1, 2, 3, 4] as const;

/** How long the browser may take to read a picture that it saves, in milliseconds. */
const savingMs = 60_000;

/** Resolves whether all pictures are in it. Rejects if the browser cannot make one of this size. @param title of the map, for the name of the file */
export async function savePicture(host: ShareHost, scale: number, title: string): Promise<boolean> {
  const { clientWidth: width, clientHeight: height } = host.stage.canvas;
  const { canvas, isIncomplete } = await viewPicture(host, { width, height, pixelRatio: scale });
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (png === null) throw new Error('the browser makes no picture of this size');
  const href = URL.createObjectURL(png);
  make('a', { href, download: `${fileNameOf(title)}.png` }).click();
  setTimeout(() => URL.revokeObjectURL(href), savingMs);
  return !isIncomplete;
}

/** Letters and digits of a title, in any script. */
const fileNameOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Mark}\p{Number}]+/gu, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '') || 'map';
