/** Icons by words: their names, and what the things are called that have them. */

/** A name as words: `maki:bicycle-share` is "bicycle share". */
export const wordsOf = (name: string): string => name.slice(name.indexOf(':') + 1).replaceAll(/[-_]/g, ' ');

/** Text as it is compared: lower case, without accents, so that "cafe" finds "Café". */
const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '');

/** The beginnings of words that a query has. */
const startsIn = (query: string): readonly string[] =>
  folded(query)
    .split(/\s+/)
    .filter((word) => word !== '');

/** Names of the icons that have all words of a query, or beginnings of words: first those whose own name has them. All without a query. */
export function foundIcons(names: readonly string[], words: Readonly<Record<string, string>>, query: string): readonly string[] {
  const starts = startsIn(query);
  if (starts.length === 0) return names;
  const has = (text: string): boolean => starts.every((start) => ` ${text}`.includes(` ${start}`));
  const byName = names.filter((name) => has(folded(wordsOf(name))));
  const named = new Set(byName);
  const byWords = names.filter((name) => !named.has(name) && has(folded(`${wordsOf(name)} ${words[name] ?? ''}`)));
  return [...byName, ...byWords];
}
