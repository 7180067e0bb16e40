/** Texts of a file that are too long for a member or a message. */

/** The beginning of a text, without half a character at its end. */
export const shortened = (text: string, length: number): string => text.slice(0, length).replace(/\p{Surrogate}$/u, '');

const namesShown = 10;

/** Names in a sentence. */
export const quoted = (names: readonly string[]): string =>
  names
    .slice(0, namesShown)
    .map((name) => `"${shortened(name, 40)}"`)
    .join(', ') + (names.length > namesShown ? ` and ${names.length - namesShown} more` : '');
