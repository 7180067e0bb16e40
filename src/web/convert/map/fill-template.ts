/** Fills the columns of a row into a template, `{city}: {sales}`. */
import type { Values } from '../read/file-data.ts';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] as string);

/**
 * Names in braces that are no column stay as they are.
 *
 * @param write a value of a column: {@link escapeHtml} where the result is HTML, the identity where it is text
 */
export const fillTemplate = (
  template: string,
  columns: ReadonlySet<string>,
  values: Values,
  write: (text: string, column: string) => string,
): string =>
  template.replace(/\{([^{}]+)\}/g, (whole, name: string) => (columns.has(name) ? write(values.get(name) ?? '', name) : whole));
