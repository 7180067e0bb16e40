/** Cuts the text of a CSV into rows, window by window, so that neither a long file nor an open quote takes all the time at once. */
import Papa from 'papaparse';
import { ConvertError } from '../conversion.ts';
import type { Slices } from '../slices.ts';

const delimiters = [',', ';', '\t', '|'];
const windowLength = 1 << 18;
/** Characters of one row: more means that a quote is never closed. */
const rowLengthMax = 1 << 20;
const sampleRows = 20;

/** The delimiter of a text, from its first rows. */
export function delimiterOf(text: string): string {
  const sample = text.slice(0, windowLength);
  // The empty line at the end of a short file is no row with one cell.
  const options = { delimitersToGuess: delimiters, preview: sampleRows, newline: '\n', skipEmptyLines: true } as const;
  const { meta } = Papa.parse<string[]>(sample, options);
  return meta.delimiter;
}

interface Window {
  readonly data: readonly (readonly string[])[];
  readonly meta: { readonly cursor: number };
}

export interface NumberedRow {
  readonly number: number;
  readonly cells: readonly string[];
}

/**
 * The rows of a text, window by window, each with its number, from 1. Empty rows are counted and left out.
 *
 * @param text with `\n` at the ends of lines
 * @throws {ConvertError} "unreadable" at a row that does not end
 */
export async function* csvRows(text: string, delimiter: string, slices: Slices): AsyncGenerator<readonly NumberedRow[]> {
  let number = 0;
  let length = windowLength;
  for (let from = 0; from < text.length; ) {
    const isLast = from + length >= text.length;
    const part = text.slice(from, from + length);
    const { data, meta } = new Papa.Parser({ delimiter, newline: '\n' }).parse(part, 0, !isLast) as Window;
    if (!isLast && meta.cursor === 0) {
      if (length >= rowLengthMax) throw endlessRow(number + 1);
      length *= 2;
      continue;
    }
    const first = number + 1;
    number += data.length;
    yield data.map((cells, i) => ({ number: first + i, cells })).filter(({ cells }) => cells.length > 1 || cells[0]?.trim());
    from = isLast ? text.length : from + meta.cursor;
    length = windowLength;
    await slices.next(from / text.length);
  }
}

const endlessRow = (row: number): ConvertError =>
  new ConvertError(
    'unreadable',
    `Row ${row} has more than ${rowLengthMax} characters: probably a quotation mark (") is not closed. Close or delete it, and try again.`,
  );
