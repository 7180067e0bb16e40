/** A picture of a popup or a field. */
import { make } from '../dom.ts';
import type { FilesBase } from '../loading/file-address.ts';
import { pictureAddress } from '../loading/picture-address.ts';

/** A picture at an address; `undefined` if pictures do not come from such an address. */
export function shownPicture(text: string, filesBase: FilesBase | undefined): HTMLImageElement | undefined {
  const src = pictureAddress(text, filesBase);
  if (src === undefined) return undefined;
  const shown = make('img', { src, alt: '', className: 'picture', referrerPolicy: 'strict-origin-when-cross-origin' });
  // An empty frame says less than none.
  shown.addEventListener('error', () => shown.remove());
  return shown;
}
