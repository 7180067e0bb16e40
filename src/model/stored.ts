/**
 * Reading what was stored: msgpack of arrays and scalars, each item of which must have its type.
 *
 * Checksums tell that bytes are what was written, not that a sound program wrote them. So nothing here is taken on trust: a value of
 * another type would fail much later, in a request or between log and memory, and say nothing of where it came from. Lengths that are
 * claimed and not there, and nesting without end, are refused by the library itself; the fuzzer (test/fuzz) holds it to that.
 */
import { Packr } from 'msgpackr';

/** Bytes that are not what this program stores. */
export class RecordFormatError extends Error {
  override readonly name = 'RecordFormatError';
}

/** Arrays, strings, numbers, booleans and null only: no msgpack extension is written, and so none depends on the library. */
const packr = new Packr({ useRecords: false, moreTypes: false });

/** What the encoder may keep of its own memory after a large value, and a size to go on with, in bytes. */
const keptBytesMax = 1024 * 1024;
const freshBytes = 64 * 1024;

/** msgpack of arrays; the bytes are the caller's. */
export function pack(value: unknown): Buffer {
  const bytes = packr.pack(value);
  // For a string it makes room for twelve times its length, and would go on with buffers of that size for ever.
  if (bytes.buffer.byteLength > keptBytesMax) packr.useBuffer(Buffer.allocUnsafeSlow(freshBytes));
  return bytes;
}

/** Reads what {@link pack} wrote; throws {@link RecordFormatError} on anything else. */
export function unpack(bytes: Uint8Array): unknown[] {
  let value: unknown;
  try {
    value = packr.unpack(bytes);
  } catch (error) {
    throw new RecordFormatError(`not msgpack: ${(error as Error).message}`);
  }
  if (!Array.isArray(value)) throw new RecordFormatError('not an array');
  return value;
}

/** What an item must be. Each returns it, or throws {@link RecordFormatError}; `what` names it in the message. */
export const stored = {
  text(value: unknown, what: string): string {
    return typeof value === 'string' ? value : refuse(what, 'text', value);
  },
  number(value: unknown, what: string): number {
    return typeof value === 'number' && Number.isFinite(value) ? value : refuse(what, 'a number', value);
  },
  /** A whole number from 0 to `max`. */
  count(value: unknown, what: string, max = Number.MAX_SAFE_INTEGER): number {
    return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= max
      ? (value as number)
      : refuse(what, `a whole number up to ${max}`, value);
  },
  flag(value: unknown, what: string): boolean {
    return typeof value === 'boolean' ? value : refuse(what, 'true or false', value);
  },
  /** A copy: what was read stays no longer than it has to. */
  bytes(value: unknown, what: string): Uint8Array {
    return value instanceof Uint8Array ? Uint8Array.from(value) : refuse(what, 'bytes', value);
  },
  list(value: unknown, what: string): unknown[] {
    return Array.isArray(value) ? value : refuse(what, 'an array', value);
  },
  texts(value: unknown, what: string): string[] {
    return stored.list(value, what).map((item) => stored.text(item, what));
  },
  /** The word at a position. */
  word<Word>(words: readonly Word[], position: unknown, what: string): Word {
    const word = typeof position === 'number' ? words[position] : undefined;
    return word ?? refuse(what, `a number below ${words.length}`, position);
  },
};

function refuse(what: string, wanted: string, value: unknown): never {
  const shown =
    typeof value === 'number' ? String(value) : value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value;
  throw new RecordFormatError(`${what} is ${shown}, not ${wanted}`);
}
