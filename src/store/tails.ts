/**
 * Finds a member of a decoded leaf without looking at its neighbours: one number for each identifier, side by side. A search among the
 * identifiers themselves goes from member to value to text at each step, and nearly every one of these is somewhere else in memory.
 */

/** Characters at the end of an identifier that its number is made of: those of ours that are random. */
const characters = 8;

export class Tails {
  readonly #numbers: Uint32Array;
  readonly #idAt: (index: number) => string;
  #count: number;

  /** @param idAt the identifier at a place, for as long as the leaf is not changed except as is told */
  constructor(count: number, capacity: number, idAt: (index: number) => string) {
    this.#numbers = new Uint32Array(Math.max(count, capacity));
    this.#idAt = idAt;
    this.#count = count;
    for (let i = 0; i < count; i++) this.#numbers[i] = tailOf(idAt(i));
  }

  /** Notes one more identifier at the end. */
  add(id: string): void {
    this.#numbers[this.#count++] = tailOf(id);
  }

  /** Notes that there is none at a place any more; those behind it have moved up. */
  remove(at: number): void {
    this.#numbers.copyWithin(at, at + 1, this.#count--);
  }

  /** Where an identifier stands; -1 when it is not there. */
  indexOf(id: string): number {
    const number = tailOf(id);
    for (let at = this.#numbers.indexOf(number); at >= 0 && at < this.#count; at = this.#numbers.indexOf(number, at + 1)) {
      if (this.#idAt(at) === id) return at;
    }
    return -1;
  }
}

function tailOf(id: string): number {
  let number = 0;
  for (let i = Math.max(0, id.length - characters); i < id.length; i++) number = (Math.imul(number, 31) + id.charCodeAt(i)) >>> 0;
  return number;
}

/** A text of its own: what the decoder gives is a part of the text of a whole chunk, slow to compare and keeping all of it in memory. */
export const flat = (text: string, encoding: 'utf8' | 'utf16le' = 'utf8'): string =>
  Buffer.from(text, encoding).toString(encoding);
