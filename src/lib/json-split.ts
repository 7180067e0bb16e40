/**
 * Parses a large document in parts, between which others may have their turn: `JSON.parse` reads runs of members and elements of about
 * {@link jsonPartBytes} each, and what they make is put together here. So it means by construction what `JSON.parse` of the whole means.
 *
 *     {"name":"n","list":[1,2,3,4,5,6],"x":1}      with parts of three bytes
 *      └─ {…} ─┘         └[…]┘ └[…]┘   └{…}┘
 */
import type { JsonScan } from './json-scan.ts';

/** Takes each part before it is put into its place, and may change what is in it. */
type PartTaker = (part: object) => void;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Like the one that `JSON.parse` throws, by which `position` counts bytes. */
const unexpected = (position: number): SyntaxError => new SyntaxError(`Unexpected token in JSON at position ${position}`);

/**
 * Yields after each part. Throws a SyntaxError for what is not JSON.
 *
 * @param scan of all of these bytes, which passes no bound
 */
export function* parseInParts(bytes: Buffer, scan: JsonScan, partBytes: number, onPart: PartTaker): Generator<void, unknown> {
  const start = afterSpace(bytes, 0);
  const end = scan.ends.get(start);
  if (!scan.isBalanced) throw new SyntaxError('Unexpected end of JSON input: brackets are missing, or too many');
  // A single string or number, or no JSON from the first byte on.
  if (end === undefined) {
    const holder = [JSON.parse(bytes.toString()) as unknown];
    onPart(holder);
    return holder[0];
  }
  if (afterSpace(bytes, end + 1) < bytes.length) throw unexpected(afterSpace(bytes, end + 1));
  return yield* new Splitter(bytes, scan.ends, partBytes, onPart).container(start, end);
}

class Splitter {
  readonly #bytes: Buffer;
  readonly #ends: ReadonlyMap<number, number>;
  readonly #partBytes: number;
  readonly #onPart: PartTaker;

  constructor(bytes: Buffer, ends: ReadonlyMap<number, number>, partBytes: number, onPart: PartTaker) {
    this.#bytes = bytes;
    this.#ends = ends;
    this.#partBytes = partBytes;
    this.#onPart = onPart;
  }

  /** Reads a large object or array, from its first bracket to its last. */
  *container(start: number, end: number): Generator<void, unknown> {
    const bytes = this.#bytes;
    const isArray = bytes[start] === openBracket;
    if (bytes[end] !== (isArray ? closeBracket : closeBrace)) throw unexpected(end);
    const into: unknown[] | Record<string, unknown> = isArray ? [] : {};
    /** Where the part begins that is gathered, and where its last element or member does. */
    let from = start + 1;
    let itemAt = from;
    let i = from;
    while (i < end) {
      const byte = bytes[i];
      if (byte === quote) {
        i = afterString(bytes, i);
      } else if (byte === openBracket || byte === openBrace) {
        const last = this.#ends.get(i);
        if (last === undefined) {
          i = afterContainer(bytes, i);
          continue;
        }
        if (itemAt > from) this.#add(into, from, itemAt - 1);
        const name = this.#nameBefore(isArray, itemAt, i);
        yield;
        set(into, name, yield* this.container(i, last));
        i = afterSpace(bytes, last + 1);
        if (i === end) return into;
        if (bytes[i] !== comma) throw unexpected(i);
        from = ++i;
        itemAt = from;
      } else {
        i++;
        if (byte !== comma) continue;
        itemAt = i;
        if (i - from <= this.#partBytes) continue;
        this.#add(into, from, i - 1);
        from = i;
        yield;
      }
    }
    // Only an empty container may end without an element, and that one was never a comma's or a large child's neighbour.
    if (from > start + 1 || afterSpace(bytes, from) < end) this.#add(into, from, end);
    return into;
  }

  /** Adds the elements, or members, that stand between two places: at least one. */
  #add(into: unknown[] | Record<string, unknown>, from: number, to: number): void {
    const text = this.#bytes.toString('utf8', from, to);
    if (Array.isArray(into)) {
      const items = this.#parse(`[${text}]`, from) as unknown[];
      if (items.length === 0) throw unexpected(to);
      this.#onPart(items);
      for (const item of items) into.push(item);
    } else {
      const members = this.#parse(`{${text}}`, from) as Record<string, unknown>;
      const names = Object.keys(members);
      if (names.length === 0) throw unexpected(to);
      this.#onPart(members);
      for (const name of names) set(into, name, members[name]);
    }
  }

  /** What stands between the last comma and a large value: nothing in an array, the value's name in an object. */
  #nameBefore(isArray: boolean, from: number, to: number): string {
    const text = this.#bytes.toString('utf8', from, to);
    const members = this.#parse(isArray ? `[${text}null]` : `{${text}null}`, from) as object;
    if (!isArray) this.#onPart(members);
    return Object.keys(members)[0] ?? '';
  }

  #parse(text: string, from: number): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      const { message } = error as SyntaxError;
      // The bracket that was put before it is not in the document.
      throw new SyntaxError(message.replace(/at position (\d+).*/s, (_, at) => `at position ${from + Number(at) - 1}`));
    }
  }
}

function set(into: unknown[] | Record<string, unknown>, name: string, value: unknown): void {
  if (Array.isArray(into)) into.push(value);
  else if (name !== '__proto__') into[name] = value;
  // As `JSON.parse` does it.
  else Object.defineProperty(into, name, { value, configurable: true, enumerable: true, writable: true });
}

function afterSpace(bytes: Buffer, at: number): number {
  let i = at;
  while (bytes[i] === 0x20 || bytes[i] === 0x0a || bytes[i] === 0x0d || bytes[i] === 0x09) i++;
  return i;
}

function afterString(bytes: Buffer, at: number): number {
  let i = at + 1;
  for (; i < bytes.length && bytes[i] !== quote; i++) if (bytes[i] === backslash) i++;
  return i + 1;
}

function afterContainer(bytes: Buffer, at: number): number {
  let depth = 0;
  let i = at;
  do {
    const byte = bytes[i];
    if (byte === quote) {
      i = afterString(bytes, i);
      continue;
    }
    if (byte === openBracket || byte === openBrace) depth++;
    else if (byte === closeBracket || byte === closeBrace) depth--;
    i++;
  } while (depth > 0 && i < bytes.length);
  return i;
}
