/** Addresses that lead to a place in the map: links in it, and the fragment of a page that the map may use. */
import { placeInLink } from '../../../../lib/draw/link-rules.ts';
import { fragmentMax } from './map-address.ts';

const trimmed = (path: string): string => path.replace(/(?:\/index\.html?)?\/*$/, '');

/** Whether the address of this page is that of the map's folder. */
export function isOwnPage(folder: URL): boolean {
  return folder.origin === location.origin && trimmed(folder.pathname) === trimmed(location.pathname);
}

/** The place in the map to which a click leads; `undefined` if it is on no such link, or asks for another tab or window. */
export function placeOfClick(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return undefined;
  return placeInLink((event.target as Element).closest('a')?.getAttribute('href') ?? '');
}

/** The fragment of the page, without its `#`; `undefined` for one that is too long for a map. */
export function fragmentOfPage(): string | undefined {
  const { hash } = location;
  return hash.length > fragmentMax ? undefined : hash.slice(1);
}

/** @param isVisit with a new entry in the history, to which the visitor can go back */
export function putFragment(fragment: string, isVisit: boolean): void {
  const { pathname, search } = location;
  // Whole: a fragment alone would be one of the `<base>` of the page.
  const address = pathname + search + (fragment === '' ? '' : `#${fragment}`);
  history[isVisit ? 'pushState' : 'replaceState'](history.state, '', address);
}
