/** The rows of a CSV, and its delimiter. */
import type { Notes } from '../../notes.ts';
import type { Slices } from '../../slices.ts';
import { CsvRowReader } from './csv-row-reader.ts';

const delimiters = [',', ';', '\t', '|'] as const;
/** Characters and rows that decide about the delimiter. */
const sampleLength = 1 << 18;
const sampleRows = 30;

export interface NumberedRow {
  /** The number of the row as a spreadsheet counts, from 1. */
  readonly number: number;
  readonly cells: readonly string[];
}

/** True if a row has nothing but blanks. */
export const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

/**
 * The rows of a text that are not blank.
 *
 * @param text with `\n` at the ends of lines
 */
export async function csvRows(
  text: string,
  delimiter: string,
  max: number,
  notes: Notes,
  slices: Slices,
): Promise<NumberedRow[]> {
  const rows: NumberedRow[] = [];
  const odd: number[] = [];
  const reader = new CsvRowReader(text, delimiter);
  for (let number = 1; reader.at < text.length && rows.length < max; number++) {
    const cells = reader.next();
    if (reader.isOdd) odd.push(number);
    if (!isBlank(cells)) rows.push({ number, cells });
    if (number % 256 === 0) await slices.next(reader.at / text.length);
  }
  const [first] = odd;
  if (first !== undefined) {
    const others = odd.length === 1 ? '' : ` So are those in ${odd.length - 1} more rows.`;
    notes.add('quotes', `row ${first}`, `A quotation mark is not at both ends of a cell: it is read as text.${others}`);
  }
  return rows;
}

/** The first line of some spreadsheets, `sep=;`, names the delimiter. */
export const namedDelimiter = (text: string): string | undefined => /^"?sep=(.)"?[ ]*(?:\n|$)/i.exec(text.slice(0, 20))?.[1];

/**
 * The delimiter that cuts the first rows best: into columns whose names say what they are, then into equally many cells.
 *
 * @param countKnown how many cells of a row are known names of columns
 */
export function delimiterOf(text: string, countKnown: (cells: readonly string[]) => number): string {
  const sample = text.slice(0, sampleLength);
  let best: Cut = { delimiter: ',', known: 0, share: 0, width: 0 };
  for (const delimiter of delimiters) {
    const rows: string[][] = [];
    const reader = new CsvRowReader(sample, delimiter);
    while (reader.at < sample.length && rows.length < sampleRows) {
      const cells = reader.next();
      if (!isBlank(cells)) rows.push(cells);
    }
    const widths = new Map<number, number>();
    for (const { length } of rows) widths.set(length, (widths.get(length) ?? 0) + 1);
    const [width = 0, count = 0] = [...widths].sort(([a, one], [b, other]) => other - one || b - a)[0] ?? [];
    const known = Math.max(...rows.map(countKnown));
    if (width > 1) best = better(best, { delimiter, known, share: count / rows.length, width });
  }
  return best.delimiter;
}

interface Cut {
  readonly delimiter: string;
  /** Known names in one row. */
  readonly known: number;
  /** Rows of the most frequent width. */
  readonly share: number;
  readonly width: number;
}

const better = (one: Cut, other: Cut): Cut =>
  (other.known - one.known || other.share - one.share || other.width - one.width) > 0 ? other : one;
