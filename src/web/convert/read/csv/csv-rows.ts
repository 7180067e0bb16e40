/**
 * Cuts the text of a CSV into rows as spreadsheets do, which lose no row: a quotation mark counts only at the beginning of a cell, text after the
 * closing one belongs to the cell, and one that is not closed is text.
 */
import type { Notes } from '../../notes.ts';
import type { Slices } from '../../slices.ts';

const delimiters = [',', ';', '\t', '|'] as const;
/** Characters of a quoted cell: more means that its quotation mark is not closed. */
const quotedMax = 1 << 20;
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

/** Reads one row after the other. */
class RowReader {
  readonly #text: string;
  readonly #delimiter: string;
  /** Where the next row begins. */
  at = 0;
  /** True if quotation marks of the last row are not as they should be. */
  isOdd = false;
  /** No quotation mark is closed after this place: a file with many of them is searched once. */
  #openFrom = Number.POSITIVE_INFINITY;

  constructor(text: string, delimiter: string) {
    this.#text = text;
    this.#delimiter = delimiter;
  }

  next(): string[] {
    this.isOdd = false;
    const end = this.#lineEnd(this.at);
    const line = this.#text.slice(this.at, end);
    if (!line.includes('"')) {
      this.at = end + 1;
      return line.split(this.#delimiter);
    }
    const cells: string[] = [];
    for (;;) {
      cells.push(this.#cell());
      const isEnd = this.#text[this.at] !== this.#delimiter;
      this.at++;
      if (isEnd) return cells;
    }
  }

  #lineEnd(from: number): number {
    const end = this.#text.indexOf('\n', from);
    return end === -1 ? this.#text.length : end;
  }

  /** The cell at {@link at}, which moves to the delimiter or the end of the line after it. */
  #cell(): string {
    const quote = this.#quoteAt();
    const close = quote === -1 ? -1 : this.#closing(quote + 1);
    let quoted = '';
    if (close !== -1) {
      quoted = this.#text.slice(quote + 1, close).replaceAll('""', '"');
      this.at = close + 1;
    } else if (quote !== -1) this.isOdd = true;
    const from = this.at;
    const line = this.#lineEnd(from);
    const delimiter = this.#text.slice(from, line).indexOf(this.#delimiter);
    this.at = delimiter === -1 ? line : from + delimiter;
    const rest = this.#text.slice(from, this.at);
    if (close === -1) return rest;
    if (rest.trim() !== '') this.isOdd = true;
    return quoted + rest.trimEnd();
  }

  /** The place of a quotation mark at the beginning of the cell, also after blanks; -1 for none. */
  #quoteAt(): number {
    let at = this.at;
    while (this.#text[at] === ' ') at++;
    return this.#text[at] === '"' ? at : -1;
  }

  /** Where a quoted cell ends; -1 if its quotation mark is not closed. One cell over several lines ends at a delimiter or at the end of a line. */
  #closing(from: number): number {
    if (from >= this.#openFrom) return -1;
    const limit = from + quotedMax;
    for (let at = this.#text.indexOf('"', from); at !== -1 && at < limit; at = this.#text.indexOf('"', at + 2)) {
      const after = this.#text[at + 1] ?? '\n';
      if (after === '"') continue;
      if (after === this.#delimiter || after === '\n' || !this.#text.slice(from, at).includes('\n')) return at;
      return /^[ ]*(?:\n|$)/.test(this.#text.slice(at + 1, this.#lineEnd(at) + 1)) ? at : -1;
    }
    this.#openFrom = Math.min(this.#openFrom, from);
    return -1;
  }
}

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
  const reader = new RowReader(text, delimiter);
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
    const reader = new RowReader(sample, delimiter);
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
