/** The places of a public map: their identifiers, packed, and their names. Pure. */
import { firstIndex } from '../../../lib/first-index.ts';
import { idBytes, isUuid, uuidBytes } from '../../../lib/text/ids.ts';
import type { PublicDocument } from './page-content.ts';
import type { PublicObject } from './places-html.ts';

const placesIn = ({ artboards = [] }: PublicDocument): PublicObject[] => artboards.flatMap(({ objects = [] }) => objects);

/** The identifiers of all places, each in 16 bytes, ascending: {@link hasPlace} searches them. */
export function placeIdsIn(map: PublicDocument): Uint8Array {
  const ids = placesIn(map).flatMap(({ id = '' }) => (isUuid(id) ? [id] : []));
  return new Uint8Array(uuidBytes(ids.sort().join('')));
}

/** True for the identifier of a place. @param ids as {@link placeIdsIn} returns them */
export function hasPlace(ids: Uint8Array, id: string): boolean {
  if (!isUuid(id)) return false;
  const wanted = uuidBytes(id);
  const compared = (at: number): number => wanted.compare(ids, at * idBytes, (at + 1) * idBytes);
  const count = ids.byteLength / idBytes;
  const at = firstIndex(count, (i) => compared(i) <= 0);
  return at < count && compared(at) === 0;
}

/** Names of some places, by identifier; places that the map does not have, or without a name, are left out. */
export function placeNamesIn(map: PublicDocument, ids: readonly string[]): Readonly<Record<string, string>> {
  const wanted = new Set(ids);
  const named = placesIn(map).filter(({ id = '', name = '' }) => wanted.has(id) && name.trim() !== '');
  return Object.fromEntries(named.map(({ id, name }) => [id, name]));
}
