/**
 * The document type of an XML text. One that only names a DTD, as many drawing programs write it, is harmless: no reader here loads the DTD.
 * One with declarations of its own can name entities, which may grow without bound or lead to other files.
 */

const literal = `(?:"[^"<>]*"|'[^'<>]*')`;
const naming = new RegExp(`<!DOCTYPE\\s+[\\w.:-]+(?:\\s+PUBLIC\\s+${literal}(?:\\s+${literal})?|\\s+SYSTEM\\s+${literal})?\\s*>`);
const declaring = /<!(?:DOCTYPE|ENTITY)/i;

/** The text with spaces in place of a document type that only names a DTD, so that lines and columns stay. */
export const withoutNamedType = (text: string): string => text.replace(naming, (found) => found.replace(/[^\n]/g, ' '));

/** The first declaration of a document type or an entity, and its place; `null` for none. */
export const findDeclaration = (text: string): RegExpExecArray | null => declaring.exec(text);
