/** Addresses of links and pictures in the content of a map: text of a project that would run something if it were used as it is. */
import { addressOf } from '../../../lib/draw/link-rules.ts';
import { type FilesBase, loadedFrom } from './loading/file-address.ts';

/**
 * The attributes of a link; `undefined` if its address is not followed. A fragment alone stays as it is written: it may name a place in the map.
 *
 * @param filesBase as for {@link loadedFrom}
 */
export function linkTo(text: string, isNewTab: boolean, filesBase?: FilesBase) {
  const address = contentAddress('link', text, filesBase);
  if (address === undefined) return undefined;
  const href = text.trim().startsWith('#') ? text.trim() : address;
  return isNewTab ? { href, target: '_blank', rel: 'noopener noreferrer' } : { href };
}

/** An address in the content of a popup, absolute; `undefined` if it is not followed. @param filesBase as for {@link loadedFrom} */
export const contentAddress = (use: 'link' | 'web picture', text: string, filesBase?: FilesBase): string | undefined =>
  addressOf(loadedFrom(text, filesBase), use, document.baseURI);
