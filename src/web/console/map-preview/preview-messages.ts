/**
 * The messages between the console and the frame with the preview of a map. The frame has an opaque origin and shows what a project contains, so
 * each side reads only messages of the other window, of known kinds.
 */

export type FromPreview =
  /** The page is loaded. */
  | { readonly kind: 'ready' }
  /** A tile of the map did not load: map servers refuse pages without an origin. */
  | { readonly kind: 'tile'; readonly address: string };

export type ToPreview =
  /** The map as it is now. @param map a project, as the API has it, with its icons */
  | { readonly kind: 'map'; readonly map: object }
  /** The answer to `tile`. @param picture `undefined` if the console could not load it either */
  | { readonly kind: 'tile'; readonly address: string; readonly picture: Blob | undefined };

/** Longest address of a tile, in UTF-16 code units. */
const addressMax = 2000;

/** A message of the frame; `undefined` if it is none. */
export function readFromPreview(data: unknown): FromPreview | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { kind, address } = data as Record<string, unknown>;
  if (kind === 'ready') return { kind };
  return kind === 'tile' && typeof address === 'string' && address.length <= addressMax ? { kind, address } : undefined;
}

/** A message of the console; `undefined` if it is none. */
export function readToPreview(data: unknown): ToPreview | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { kind, map, address, picture } = data as Record<string, unknown>;
  if (kind === 'map') return typeof map === 'object' && map !== null ? { kind, map } : undefined;
  if (kind !== 'tile' || typeof address !== 'string') return undefined;
  return picture === undefined || picture instanceof Blob ? { kind, address, picture } : undefined;
}
