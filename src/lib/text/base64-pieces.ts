/** Base64 of any length, decoded and encoded in pieces. Decoding is strict: `Buffer.from` would skip what is no base64. */

const alphabetOnly = /^[A-Za-z0-9+/]*$/;
/** The end of a text: whole groups, the last one padded. */
const padded = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Decodes the characters of a JSON string, in which a slash may be escaped (RFC 8259, 7). */
export class Base64Decoder {
  /** Characters that are not decoded yet: less than a group, or what may be the end of the text. */
  #left = '';
  #isValid = true;

  /** The bytes of some characters; `undefined` from the first character on that is no base64. */
  write(characters: Buffer): Buffer | undefined {
    const text = (this.#left + characters.toString('latin1')).replaceAll('\\/', '/');
    // Padding is judged at the end; a backslash may be the first half of an escape.
    const end = text.search(/[=\\]/);
    const whole = Math.floor((end === -1 ? text.length : end) / 4) * 4;
    const decodable = text.slice(0, whole);
    this.#left = text.slice(whole);
    this.#isValid &&= alphabetOnly.test(decodable) && this.#left.length <= 4;
    if (!this.#isValid) this.#left = '';
    return this.#isValid ? Buffer.from(decodable, 'base64') : undefined;
  }

  /** The last bytes; `undefined` if the text is no base64. */
  end(): Buffer | undefined {
    return this.#isValid && padded.test(this.#left) ? Buffer.from(this.#left, 'base64') : undefined;
  }
}

/** Characters of the base64 of some bytes. */
export const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3);

/** Encodes pieces of any size. */
export async function* base64Pieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  let left: Uint8Array = new Uint8Array();
  for await (const piece of pieces) {
    const bytes = left.length === 0 ? piece : Buffer.concat([left, piece]);
    const whole = bytes.length - (bytes.length % 3);
    yield Buffer.from(bytes.buffer, bytes.byteOffset, whole).toString('base64');
    // The piece may be a buffer that is used again.
    left = Uint8Array.from(bytes.subarray(whole));
  }
  if (left.length > 0) yield Buffer.from(left).toString('base64');
}
