/** Fills the columns of a row into a template, `{city}: {sales}`. */
import type { Values } from '../read/file-data.ts';

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
