/** Bytes to text: UTF-8, UTF-16 with a byte order mark, and Windows-1252, also line by line where a file mixes them. */
import type { Notes } from '../notes.ts';

/** The characters of the bytes 0x80 to 0x9f in Windows-1252. Some versions of Node decode them as control characters. */
const highCharacters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const lineFeed = 0x0a;
/** Lines that are decoded one by one. No format has more; the rest of a longer file is Windows-1252. */
const linesMax = 300_000;
/** The first byte of the character that stands for bytes that are not UTF-8: a file may contain it itself. */
const replacementByte = 0xef;

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const latin = new TextDecoder('windows-1252');

export function decodeText(bytes: Uint8Array, notes: Notes): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const strict = strictUtf8(bytes);
  if (strict !== undefined) return strict;
  return decodeLines(bytes, notes);
}

/** The text, or `undefined` if the bytes are not UTF-8. */
function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeLines(bytes: Uint8Array, notes: Notes): string {
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
  }
  return parts.join('');
}

/** As {@link strictUtf8}, without an error for each line. */
function utf8Line(line: Uint8Array): string | undefined {
  const text = utf8.decode(line);
  if (!text.includes('\ufffd')) return text;
  return line.includes(replacementByte) ? strictUtf8(line) : undefined;
}

const windows1252 = (bytes: Uint8Array): string =>
  latin.decode(bytes).replace(/[\u0080-\u009f]/g, (character) => highCharacters[character.charCodeAt(0) - 0x80] as string);
