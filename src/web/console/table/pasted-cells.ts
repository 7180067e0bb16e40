/** The cells that a spreadsheet has put on the clipboard: lines of texts with tabs between them, in quotes where a text has either. */
import { CsvRowReader } from '../../convert/read/csv/csv-row-reader.ts';

/** `undefined` for a text that is no more than one cell. */
export function pastedCells(text: string): readonly (readonly string[])[] | undefined {
  if (!/[\t\n]/.test(text)) return undefined;
  const lines = text.replaceAll('\r\n', '\n').replace(/\n$/, '');
  const reader = new CsvRowReader(lines, '\t');
  const rows: string[][] = [];
  while (reader.at < lines.length) rows.push(reader.next());
  return rows;
}
