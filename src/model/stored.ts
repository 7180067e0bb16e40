/**
 * Decodes stored data: msgpack of arrays and scalars, with a type check of each item.
 *
 * Checksums prove that bytes are unchanged, not that a correct program wrote them. So every type is checked: a value of a wrong type would
 * otherwise fail much later, in a request or between log and memory, without a hint at its origin. The library itself rejects impossible
 * lengths and unlimited nesting; the fuzzer (test/fuzz) verifies that.
 */
import { Packr } from 'msgpackr';

/** The bytes are not in the stored format. */
export class RecordFormatError extends Error {
  override readonly name = 'RecordFormatError';
}

/** Arrays, strings, numbers, booleans and null only: no msgpack extension, so that the format does not depend on the library. */
const packr = new Packr({ useRecords: false, moreTypes: false });

/** Size limit of the encoder's buffer after a large value, and the size of its replacement, in bytes. */
const keptBytesMax = 1024 * 1024;
const freshBytes = 64 * 1024;

/** Encodes arrays as msgpack; the caller owns the bytes. */
export function pack(value: unknown): Buffer {
  const bytes = packr.pack(value);
  // The encoder reserves twelve times the length of a string, and would keep a buffer of that size for ever.
  if (bytes.buffer.byteLength > keptBytesMax) packr.useBuffer(Buffer.allocUnsafeSlow(freshBytes));
  return bytes;
}

/** Decodes the output of {@link pack}; throws {@link RecordFormatError} for anything else. */
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

/** Type checks. Each returns the item or throws a {@link RecordFormatError}; `what` names the item in the message. */
export const stored = {
  text(value: unknown, what: string): string {
    return typeof value === 'string' ? value : refuse(what, 'text', value);
  },
  number(value: unknown, what: string): number {
    return typeof value === 'number' && Number.isFinite(value) ? value : refuse(what, 'a number', value);
  },
  /** An integer from 0 to `max`. */
  count(value: unknown, what: string, max = Number.MAX_SAFE_INTEGER): number {
    return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= max
      ? (value as number)
      : refuse(what, `a whole number up to ${max}`, value);
  },
  flag(value: unknown, what: string): boolean {
    return typeof value === 'boolean' ? value : refuse(what, 'true or false', value);
  },
  /** A copy, so that the decoded buffer can be collected. */
  bytes(value: unknown, what: string): Uint8Array {
    return value instanceof Uint8Array ? new Uint8Array(value) : refuse(what, 'bytes', value);
  },
  list(value: unknown, what: string): unknown[] {
    return Array.isArray(value) ? value : refuse(what, 'an array', value);
  },
  texts(value: unknown, what: string): string[] {
    return stored.list(value, what).map((item) => stored.text(item, what));
  },
  /** The word at an index. */
  word<Word>(words: readonly Word[], position: unknown, what: string): Word {
    const word = typeof position === 'number' ? words[position] : undefined;
    return word ?? refuse(what, `a number below ${words.length}`, position);
  },
};

function refuse(what: string, expected: string, value: unknown): never {
  const shown =
    typeof value === 'number' ? String(value) : value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value;
  throw new RecordFormatError(`${what} is ${shown}, not ${expected}`);
}
