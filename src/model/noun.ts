/** Names of resources in messages and descriptions. */

/** The words of a title: `data source` for `DataSource`. */
export const nounOf = (title: string): string => title.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** A noun with its article: `an artboard`. */
export const article = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** With its first letter in upper case. */
export const capital = (words: string): string => `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
