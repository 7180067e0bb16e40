/** Names of files that a browser saves. */

/** Characters of a name, without its extension. */
const lengthMax = 80;

/** A name for a file, from what people call its content: words in small letters, such as `lindenhof-backerei`. @param parts of which some may be '' */
export function fileNameOf(...parts: readonly string[]): string {
  const words = parts
    .join(' ')
    .normalize('NFKD')
    // Accents only: vowels of other scripts are marks, too.
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
  return words.join('-').slice(0, lengthMax) || 'map';
}
