/**
 * Finds a member of a decoded leaf by identifier: a dense array has one number per identifier. A search in the identifiers themselves
 * follows member, value and text at each step, and nearly each of these accesses is a cache miss.
 */

/** Number of trailing characters of an identifier that its number depends on: the random ones. */
const characters = 8;

export class IdIndex {
  readonly #numbers: Uint32Array;
  readonly #idAt: (index: number) => string;
  #count: number;

  /** @param idAt the identifier at an index; report every change of the leaf by `add` or `remove` */
  constructor(count: number, capacity: number, idAt: (index: number) => string) {
    this.#numbers = new Uint32Array(Math.max(count, capacity));
    this.#idAt = idAt;
    this.#count = count;
    for (let i = 0; i < count; i++) this.#numbers[i] = hashOf(idAt(i));
  }

  /** Records an appended identifier. */
  add(id: string): void {
    this.#numbers[this.#count++] = hashOf(id);
  }

  /** Records the removal of the identifier at `at`; later ones move up. */
  remove(at: number): void {
    this.#numbers.copyWithin(at, at + 1, this.#count--);
  }

  /** The index of an identifier; -1 if it is missing. */
  indexOf(id: string): number {
    const number = hashOf(id);
    for (let at = this.#numbers.indexOf(number); at >= 0 && at < this.#count; at = this.#numbers.indexOf(number, at + 1)) {
      if (this.#idAt(at) === id) return at;
    }
    return -1;
  }
}

function hashOf(id: string): number {
  let number = 0;
  for (let i = Math.max(0, id.length - characters); i < id.length; i++) number = (Math.imul(number, 31) + id.charCodeAt(i)) >>> 0;
  return number;
}

/** A flat copy of a text: a decoded text is a slice of its whole chunk's text, which is slow to compare and keeps the chunk in memory. */
export const flat = (text: string, encoding: 'utf8' | 'utf16le' = 'utf8'): string =>
  Buffer.from(text, encoding).toString(encoding);
