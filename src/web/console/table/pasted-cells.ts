/** The cells that a spreadsheet has put on the clipboard: lines of texts with tabs between them, in quotes where a text has either. */
import Papa from 'papaparse';

/** `undefined` for a text that is no more than one cell. */
export function pastedCells(text: string): readonly (readonly string[])[] | undefined {
  if (!/[\t\n]/.test(text)) return undefined;
  const { data } = Papa.parse<string[]>(text.replace(/\r?\n$/, ''), { delimiter: '\t' });
  return data;
}
