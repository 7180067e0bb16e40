/** Bytes to text: in the encoding that is given, or that a byte order mark, an XML declaration or the bytes themselves name. */
import { ConvertError } from '../conversion.ts';
import type { Notes } from '../notes.ts';
import { quoted, shortened } from '../short-text.ts';

/** The characters of the bytes 0x80 to 0x9f in Windows-1252. Some versions of Node decode them as control characters. */
const highCharacters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const lineFeed = 0x0a;
/** Lines that are decoded one by one. No format has more; the rest of a longer file is Windows-1252. */
const linesMax = 300_000;
/** The first byte of the character that stands for bytes that are not UTF-8: a file may contain it itself. */
const replacementByte = 0xef;
/** Bytes at the beginning that are looked at. */
const headLength = 1024;

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const latin = new TextDecoder('windows-1252');

/** The remedy for a wrong guess. */
export const remedy = 'If letters are wrong, name its encoding (--encoding).';

/**
 * @param encoding a label of the WHATWG encodings, such as `windows-1251`; `undefined`: recognized
 * @throws {ConvertError} "unreadable" for a label that is unknown
 */
export function decodeText(bytes: Uint8Array, encoding: string | undefined, notes: Notes): string {
  if (encoding !== undefined) return decodeAs(bytes, encoding, notes);
  const declared = declaredIn(bytes);
  const own = markOf(bytes) ?? utf16Of(bytes);
  const strict = own === undefined ? decodeStrictly(bytes, 'utf-8') : undefined;
  const text = own === undefined ? strict : decodeStrictly(bytes, own);
  const isPlain = own === undefined && strict?.length === bytes.length;
  // Only letters beyond ASCII differ, except in encodings that write them with ASCII, such as ISO-2022-JP.
  if (text !== undefined && (declared === undefined || isPlain)) return (isPlain && decoded(bytes, declared)) || text;
  if (text !== undefined) {
    // "UTF-16" leaves the order of the bytes open.
    const name = (own ?? 'utf-8').slice(0, 6);
    if (decoderOf(declared)?.encoding.startsWith(name) !== true) {
      const detail = `The file says that it is ${declared}, but it is ${name.toUpperCase()}, and was read as that.`;
      notes.add('encoding', '', detail);
    }
    return text;
  }
  const asDeclared = own === undefined ? decoded(bytes, declared) : undefined;
  if (asDeclared !== undefined) return asDeclared;
  if (own?.startsWith('utf-16') === true) return new TextDecoder(own).decode(bytes);
  return decodeLines(bytes, declared, notes);
}

function decodeAs(bytes: Uint8Array, encoding: string, notes: Notes): string {
  const decoder = decoderOf(encoding);
  if (decoder === undefined)
    throw new ConvertError(
      'unreadable',
      `The encoding ${quoted([encoding])} is unknown. Known are utf-8, utf-16le, windows-1250 to windows-1258, iso-8859-1 to iso-8859-16, koi8-r, shift_jis, euc-jp, gbk, big5, euc-kr and others.`,
    );
  const strict = decodeStrictly(bytes, decoder.encoding);
  if (strict !== undefined) return strict;
  const detail = `Some bytes of the file are no characters of ${decoder.encoding}: they were read as "\ufffd". Perhaps it has another encoding.`;
  notes.add('encoding', '', detail);
  return decoder.decode(bytes);
}

/** The encoding that the XML declaration of a file names. Bytes of a declaration that can be read so are not UTF-16. */
function declaredIn(bytes: Uint8Array): string | undefined {
  const isWide = bytes.subarray(0, 4).includes(0) || bytes[0] === 0xff || bytes[0] === 0xfe;
  const head = isWide
    ? new TextDecoder(markOf(bytes) ?? utf16Of(bytes) ?? 'utf-8').decode(bytes.subarray(0, headLength))
    : latin.decode(bytes.subarray(0, headLength));
  return /^[^<]*<\?xml\s[^<>]*?\bencoding\s*=\s*["']\s*([^"'<>]{1,60}?)\s*["']/.exec(head)?.[1];
}

/** The encoding that a byte order mark says. */
function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined;
}

/** UTF-16 without a byte order mark: in its beginning, most of each second byte is 0, and none of the others. `undefined` for other bytes. */
export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const head = bytes.subarray(0, Math.min(headLength, bytes.length - (bytes.length % 2)));
  const zeros = [0, 0];
  for (const [i, byte] of head.entries()) if (byte === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (even + odd < head.length / 4 || head.length < 4) return undefined;
  return even === 0 ? 'utf-16le' : odd === 0 ? 'utf-16be' : undefined;
}

/** A decoder of a label, also as people write it (`cp-1251`, `win1251`, `Latin-1`); `undefined` if it is unknown. */
export function decoderOf(label = ''): InstanceType<typeof TextDecoder> | undefined {
  const short = label.trim().toLowerCase();
  const windows = short.replace(/^(?:windows|win|cp|ansi|ms)[-_ ]?(?=\d+$)/, 'windows-');
  for (const each of [short, windows, short.replace(/[-_ ]/g, ''), short.replace(/_/g, '-')])
    try {
      return new TextDecoder(each);
    } catch {
      // The next spelling.
    }
  return undefined;
}

/** The text in a declared encoding of bytes; `undefined` if it is unknown, is none of bytes, or is not that of the file. */
function decoded(bytes: Uint8Array, label: string | undefined): string | undefined {
  const encoding = decoderOf(label)?.encoding;
  return encoding === undefined || encoding.startsWith('utf-') ? undefined : decodeStrictly(bytes, encoding);
}

/** The text, or `undefined` if the bytes are not in the encoding. */
function decodeStrictly(bytes: Uint8Array, encoding: string): string | undefined {
  if (encoding === 'windows-1252') return windows1252(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeLines(bytes: Uint8Array, declared: string | undefined, notes: Notes): string {
  const parts: string[] = [];
  let utf8Lines = 0;
  let otherLines = 0;
  for (let from = 0; from < bytes.length; ) {
    const end = parts.length < linesMax ? bytes.indexOf(lineFeed, from) : -1;
    const to = end === -1 ? bytes.length : end + 1;
    const line = bytes.subarray(from, to);
    const text = utf8Line(line);
    if (text === undefined) otherLines++;
    else if (text.length < line.length) utf8Lines++;
    parts.push(text ?? windows1252(line));
    from = to;
  }
  if (utf8Lines > 0) {
    const detail = `The file mixes encodings: ${utf8Lines} lines are UTF-8, ${otherLines} are Windows-1252. Check the names.`;
    notes.add('mixed-encodings', '', detail);
  } else {
    const reason =
      declared === undefined
        ? 'The file is not UTF-8'
        : decoderOf(declared) === undefined
          ? `The file names an encoding that is unknown, "${shortened(declared, 40)}", and is not UTF-8`
          : `The file says that it is ${shortened(declared, 40)}, but it is not`;
    notes.add('encoding', '', `${reason}: it was read as Windows-1252. ${remedy}`);
  }
  return parts.join('');
}

/** Does the same as {@link decodeStrictly} of UTF-8, without an error for each line. */
function utf8Line(line: Uint8Array): string | undefined {
  const text = utf8.decode(line);
  if (!text.includes('\ufffd')) return text;
  return line.includes(replacementByte) ? decodeStrictly(line, 'utf-8') : undefined;
}

const windows1252 = (bytes: Uint8Array): string =>
  latin.decode(bytes).replace(/[\u0080-\u009f]/g, (character) => highCharacters[character.charCodeAt(0) - 0x80] as string);
