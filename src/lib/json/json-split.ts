/**
 * Parses a large document in parts, so that other work can run in between: `JSON.parse` parses runs of members and elements of about
 * {@link jsonPartBytes} each, and this file joins the results. So the result is the same as of `JSON.parse` by construction.
 *
 *     {"name":"n","list":[1,2,3,4,5,6],"x":1}      with parts of three bytes
 *      └─ {…} ─┘         └[…]┘ └[…]┘   └{…}┘
 */
import { backslash, closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from './json-bytes.ts';
import type { JsonScan } from './json-scan.ts';

/** Receives each part before it is added to the result, and may change its content. */
type PartTaker = (part: object) => void;

const letterU = 0x75;
/** `\u0041` */
const unicodeEscapeBytes = 6;

/** Like the error of `JSON.parse`, but `position` counts bytes. */
const unexpected = (position: number): SyntaxError => new SyntaxError(`Unexpected token in JSON at position ${position}`);

/**
 * Yields after each part. Throws a SyntaxError if the bytes are not JSON.
 *
 * @param scan of all of these bytes, within all bounds
 */
export function* parseInParts(bytes: Buffer, scan: JsonScan, partBytes: number, onPart: PartTaker): Generator<void, unknown> {
  const start = afterSpace(bytes, 0);
  const end = scan.ends.get(start);
  if (!scan.isBalanced) throw new SyntaxError('Unexpected end of JSON input: unbalanced brackets');
  // A single string or number, or not JSON at all.
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

  /** Parses a large object or array, from its first bracket to its last. */
  *container(start: number, end: number): Generator<void, unknown> {
    const bytes = this.#bytes;
    const isArray = bytes[start] === openBracket;
    if (bytes[end] !== (isArray ? closeBracket : closeBrace)) throw unexpected(end);
    const into: unknown[] | Record<string, unknown> = isArray ? [] : {};
    /** Start of the current part, and the end of its last element or member. */
    let from = start + 1;
    let itemAt = from;
    let hasName = false;
    let i = from;
    while (i < end) {
      const byte = bytes[i];
      if (byte === quote || byte === openBracket || byte === openBrace) {
        const after = this.#afterSmall(i, isArray || hasName);
        if (after !== undefined) {
          i = after;
          continue;
        }
        if (itemAt > from) this.#add(into, from, itemAt - 1);
        const name = this.#nameBefore(isArray, itemAt, i);
        yield;
        const [value, next] = yield* this.#large(i);
        set(into, name, value);
        i = afterSpace(bytes, next);
        hasName = false;
        if (i === end) return into;
        if (bytes[i] !== comma) throw unexpected(i);
        from = ++i;
        itemAt = from;
      } else {
        i++;
        if (byte === colon) hasName = true;
        if (byte !== comma) continue;
        itemAt = i;
        hasName = false;
        if (i - from <= this.#partBytes) continue;
        this.#add(into, from, i - 1);
        from = i;
        yield;
      }
    }
    // Only an empty container may end without an element; it has no comma and no large child.
    if (from > start + 1 || afterSpace(bytes, from) < end) this.#add(into, from, end);
    return into;
  }

  /** The place after a string or container, unless it is a large value, which is read by itself. */
  #afterSmall(at: number, isValue: boolean): number | undefined {
    const bytes = this.#bytes;
    if (bytes[at] !== quote) return this.#ends.has(at) ? undefined : afterContainer(bytes, at);
    const after = afterString(bytes, at);
    return isValue && after - at > this.#partBytes ? undefined : after;
  }

  /** Reads a large string or container. @returns it, and the place after it */
  *#large(at: number): Generator<void, [value: unknown, after: number]> {
    const last = this.#ends.get(at);
    if (last !== undefined) return [yield* this.container(at, last), last + 1];
    const after = afterString(this.#bytes, at);
    return [yield* this.#string(at + 1, after - 1), after];
  }

  /** Reads a large string from its first byte to its closing quotation mark: escapes take many times as long as other characters. */
  *#string(from: number, to: number): Generator<void, string> {
    if (this.#bytes[to] !== quote) throw unexpected(to);
    let text = '';
    for (let at = from; at < to; ) {
      const end = Math.min(to, afterCharacters(this.#bytes, at, at + this.#partBytes));
      text += this.#parse(`"${this.#bytes.toString('utf8', at, end)}"`, at) as string;
      at = end;
      yield;
    }
    const holder = [text];
    this.#onPart(holder);
    return text;
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

  /** Parses the text between the last comma and a large value: empty in an array, the value's name in an object. */
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
      // The added bracket is not in the document.
      throw new SyntaxError(message.replace(/at position (\d+).*/s, (_, at) => `at position ${from + Number(at) - 1}`));
    }
  }
}

function set(into: unknown[] | Record<string, unknown>, name: string, value: unknown): void {
  if (Array.isArray(into)) into.push(value);
  else if (name !== '__proto__') into[name] = value;
  // As `JSON.parse` does.
  else Object.defineProperty(into, name, { value, configurable: true, enumerable: true, writable: true });
}

function afterSpace(bytes: Buffer, at: number): number {
  let i = at;
  while (bytes[i] === 0x20 || bytes[i] === 0x0a || bytes[i] === 0x0d || bytes[i] === 0x09) i++;
  return i;
}

/** The place after the string that begins at `at`. */
function afterString(bytes: Buffer, at: number): number {
  let i = at + 1;
  for (; i < bytes.length && bytes[i] !== quote; i++) if (bytes[i] === backslash) i++;
  return i + 1;
}

/** The first place from `to` on that is not within a character or its escape. */
function afterCharacters(bytes: Buffer, from: number, to: number): number {
  let i = from;
  while (i < to) {
    if (bytes[i] === backslash) i += bytes[i + 1] === letterU ? unicodeEscapeBytes : 2;
    else i++;
  }
  while (((bytes[i] ?? 0) & 0xc0) === 0x80) i++;
  return i;
}

/** The place after the object or array that begins at `at`. */
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
