/** Texts of a file that are too long for a member or a message. */

/** The beginning of a text, without half a character at its end. */
export const shortened = (text: string, length: number): string => text.slice(0, length).replace(/\p{Surrogate}$/u, '');

/** Names in a sentence. @param most of them that are shown */
export const quoted = (names: readonly string[], most = 10): string =>
  names
    .slice(0, most)
    .map((name) => `"${shortened(name, 40)}"`)
    .join(', ') + (names.length > most ? ` and ${names.length - most} more` : '');
