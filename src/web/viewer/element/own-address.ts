/** On the page of a published map itself, `#id` in the address names the open object or the artboard that is shown, so that a link leads to it. */

const trimmed = (path: string): string => path.replace(/(?:\/index\.html?)?\/*$/, '');

/** Whether the address of this page is that of the map's folder. */
export function isOwnPage(folder: URL): boolean {
  return folder.origin === location.origin && trimmed(folder.pathname) === trimmed(location.pathname);
}

/** The object or the artboard in the address; `undefined` for none. */
export function placeInAddress(): string | undefined {
  try {
    return decodeURIComponent(location.hash.slice(1)) || undefined;
  } catch {
    return undefined;
  }
}

/** Puts an object or an artboard into the address, without a new entry in the history. */
export function putPlaceInAddress(id: string | undefined): void {
  const { pathname, search } = location;
  if (placeInAddress() === id) return;
  // Half a surrogate pair cannot be encoded.
  const fragment = id === undefined ? undefined : encodeURIComponent(id.replaceAll(/[\ud800-\udfff]/gu, '\ufffd'));
  history.replaceState(history.state, '', fragment === undefined ? pathname + search : `#${fragment}`);
}
