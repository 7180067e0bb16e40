/**
 * Cuts the text of a CSV into rows as spreadsheets do, which lose no row: a quotation mark counts only at the beginning of a cell, text after the
 * closing one belongs to the cell, and one that is not closed is text.
 */

/** Characters of a quoted cell: more means that its quotation mark is not closed. */
const quotedMax = 1 << 20;

/** Reads one row after the other. */
export class CsvRowReader {
  readonly #text: string;
  readonly #delimiter: string;
  /** Where the next row begins. */
  at = 0;
  /** True if quotation marks of the last row are not as they should be. */
  isOdd = false;
  /** No quotation mark is closed after this place: a file with many of them is searched once. */
  #openFrom = Number.POSITIVE_INFINITY;

  /** @param text with `\n` at the ends of lines */
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
