/** The address of map tiles on the pages that the server serves. */

/** The tiles of OpenStreetMap. Their use has a policy: https://operations.osmfoundation.org/policies/tiles/ */
export const openStreetMapTiles = 'https://tile.openstreetmap.org/{z}/{x}/{y}.png';

/** No map below the objects, only a grid. */
const noTiles = 'none';

/** Characters of a URL that are also safe within a string of a script, and braces. */
const safe = /^[\w.~:/?#[\]@!$&()*+,;=%{}-]+$/;

/** Checks an address of tiles: an error message with a valid example, or `undefined` if it is valid. */
export function validateTiles(tiles: string): string | undefined {
  if (tiles === noTiles) return undefined;
  const example = `write an address such as ${openStreetMapTiles}, or ${noTiles}`;
  const missing = ['{z}', '{x}', '{y}'].filter((part) => !tiles.includes(part) && !(part === '{y}' && tiles.includes('{-y}')));
  if (missing.length > 0) return `"${tiles}" has no ${missing.join(' and no ')}: ${example}`;
  const isAddress = /^https?:\/\//.test(tiles) || /^\/(?!\/)/.test(tiles);
  if (!isAddress || !URL.canParse(tiles, 'http://localhost')) return `"${tiles}" is not a URL: ${example}`;
  return safe.test(tiles) && !tiles.includes('${') ? undefined : `"${tiles}" has characters that no URL has: ${example}`;
}
