/** Texts in HTML. No imports. */

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text as HTML, also for the value of an attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => references[character] as string);
