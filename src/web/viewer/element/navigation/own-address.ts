/** On the page of a published map itself, `#id` in the address names the open object or the artboard that is shown, so that a link leads to it. */
import { placeInLink } from '../../../../lib/draw/link-rules.ts';

const trimmed = (path: string): string => path.replace(/(?:\/index\.html?)?\/*$/, '');

/** Whether the address of this page is that of the map's folder. */
export function isOwnPage(folder: URL): boolean {
  return folder.origin === location.origin && trimmed(folder.pathname) === trimmed(location.pathname);
}

/** The object or the artboard in the address; `undefined` for none. */
export const placeInAddress = (): string | undefined => placeInLink(location.hash);

/** The place in the map to which a click leads; `undefined` if it is on no such link, or asks for another tab or window. */
export function placeOfClick(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return undefined;
  return placeInLink((event.target as Element).closest('a')?.getAttribute('href') ?? '');
}

/** Puts an object or an artboard into the address. @param isVisit with a new entry in the history, as after a click on a link */
export function putPlaceInAddress(id: string | undefined, isVisit = false): void {
  const { pathname, search } = location;
  if (placeInAddress() === id) return;
  // Half a surrogate pair cannot be encoded.
  const fragment = id === undefined ? undefined : encodeURIComponent(id.replaceAll(/[\ud800-\udfff]/gu, '\ufffd'));
  const address = fragment === undefined ? pathname + search : `#${fragment}`;
  if (isVisit) history.pushState(history.state, '', address);
  else history.replaceState(history.state, '', address);
}
