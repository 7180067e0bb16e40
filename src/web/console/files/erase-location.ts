/**
 * Removes the location from the metadata of a picture, and leaves everything else as it is: the pixels are not encoded again. The directory
 * of GPS data in EXIF is emptied in its place; XMP data that mentions GPS is removed, or overwritten with spaces where its place is fixed.
 *
 *     format   EXIF                              XMP
 *     JPEG     segments APP1                     segments APP1
 *     PNG      chunk eXIf                        chunk iTXt; profiles of ImageMagick in zTXt and tEXt
 *     WebP     chunk EXIF                        chunk XMP
 *     AVIF     item Exif                         item with application/rdf+xml
 */
import { avifItems } from './avif-items.ts';
import { crc32 } from './crc32.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** From one position to before another. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** What is done to a copy of the bytes. */
interface Erasure {
  readonly bytes: Bytes;
  /** Whether something was emptied or overwritten. */
  isChanged: boolean;
  /** Parts that are left out, in their order. */
  readonly removed: Range[];
}

const latin1 = new TextDecoder('latin1');
const textAt = (bytes: Bytes, start: number, length: number): string => latin1.decode(bytes.subarray(start, start + length));
const viewOf = (bytes: Bytes): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * The bytes of a picture without its location; `undefined` if it has none. Never throws: broken metadata that no program could read counts
 * as none.
 */
export function withoutLocation(given: Bytes): Bytes | undefined {
  const erasure: Erasure = { bytes: given.slice(), isChanged: false, removed: [] };
  try {
    formatOf(given)?.(erasure);
  } catch (error) {
    // Lengths that lead beyond the end.
    if (!(error instanceof RangeError)) throw error;
  }
  const { bytes, removed } = erasure;
  if (removed.length > 0) return without(bytes, removed);
  return erasure.isChanged ? bytes : undefined;
}

function formatOf(bytes: Bytes): ((erasure: Erasure) => void) | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return eraseJpeg;
  // The decoder of browsers reads bytes from 0x80 to 0x9f as windows-1252, so they are compared as numbers.
  if (bytes[0] === 0x89 && textAt(bytes, 1, 7) === 'PNG\r\n\x1a\n') return erasePng;
  if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP') return eraseWebp;
  return textAt(bytes, 4, 4) === 'ftyp' ? eraseAvif : undefined;
}

const exifHead = 'Exif\0\0';
const [app1, startOfScan] = [0xffe1, 0xffda];

function eraseJpeg(erasure: Erasure): void {
  const { bytes, removed } = erasure;
  const view = viewOf(bytes);
  for (let at = 2; at + 4 <= bytes.length; ) {
    const marker = view.getUint16(at);
    if (marker === 0xffff) {
      // A fill byte before a marker.
      at++;
      continue;
    }
    const length = view.getUint16(at + 2);
    if (marker < 0xff00 || marker === startOfScan || length < 2) return;
    const [start, end] = [at + 4, Math.min(at + 2 + length, bytes.length)];
    if (marker === app1 && textAt(bytes, start, exifHead.length) === exifHead)
      eraseExif(erasure, { start: start + exifHead.length, end });
    // Extended XMP is in further segments, whose heads differ.
    else if (marker === app1 && isLocated(textAt(bytes, start, end - start))) removed.push({ start: at, end });
    at = end;
  }
}

function erasePng(erasure: Erasure): void {
  const { bytes, removed } = erasure;
  const view = viewOf(bytes);
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const [type, start, end] = [textAt(bytes, at + 4, 4), at + 8, at + 8 + length];
    if (type === 'eXIf' && eraseExif(erasure, { start, end })) view.setUint32(end, crc32(bytes.subarray(at + 4, end)));
    if (['iTXt', 'zTXt', 'tEXt'].includes(type) && isLocatedText(type, textAt(bytes, start, length)))
      removed.push({ start: at, end: end + 4 });
    at = end + 4;
  }
}

const xmpKeyword = 'XML:com.adobe.xmp\0';

/** Profiles in hexadecimal, and compressed ones, are removed unread. */
function isLocatedText(type: string, text: string): boolean {
  if (/^Raw profile type (?:exif|xmp|APP1)\0/i.test(text)) return true;
  if (!text.startsWith(xmpKeyword)) return false;
  const isCompressed = type === 'zTXt' || (type === 'iTXt' && text.charAt(xmpKeyword.length) === '\x01');
  return isCompressed || isLocated(text);
}

function eraseWebp(erasure: Erasure): void {
  const { bytes } = erasure;
  const view = viewOf(bytes);
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at + 4, true);
    const [type, start, end] = [textAt(bytes, at, 4), at + 8, Math.min(at + 8 + length, bytes.length)];
    if (type === 'EXIF') eraseExif(erasure, afterHead(bytes, { start, end }));
    if (type === 'XMP ') overwriteXmp(erasure, { start, end });
    // Chunks have an even length.
    at += 8 + length + (length % 2);
  }
}

function eraseAvif(erasure: Erasure): void {
  const { bytes } = erasure;
  for (const { type, start, end } of avifItems(bytes)) {
    // The position of the TIFF data, before it.
    if (type === 'Exif') eraseExif(erasure, { start: start + 4 + viewOf(bytes).getUint32(start), end });
    else overwriteXmp(erasure, { start, end });
  }
}

/** Some programs write the head of JPEG in WebP, too. */
const afterHead = (bytes: Bytes, { start, end }: Range): Range => ({
  start: textAt(bytes, start, exifHead.length) === exifHead ? start + exifHead.length : start,
  end,
});

/** Whether XMP data has members such as `exif:GPSLatitude`. */
const isLocated = (text: string): boolean => text.includes('GPS');

function overwriteXmp(erasure: Erasure, { start, end }: Range): void {
  if (!isLocated(textAt(erasure.bytes, start, end - start))) return;
  erasure.bytes.fill(0x20, start, end);
  erasure.isChanged = true;
}

const gpsTag = 0x8825;
/** Bytes of a value by its type in TIFF; types that do not exist have none. */
const valueBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];
const entryBytes = 12;

/** Empties the GPS directory of a TIFF structure, with its values. Whether it had one. */
function eraseExif(erasure: Erasure, { start, end }: Range): boolean {
  const tiff = erasure.bytes.subarray(start, end);
  if (tiff.length < 8) return false;
  const view = viewOf(tiff);
  const isLittle = view.getUint16(0) === 0x4949;
  const first = view.getUint32(4, isLittle);
  let isErased = false;
  for (let n = 0; n < view.getUint16(first, isLittle); n++) {
    const entry = first + 2 + entryBytes * n;
    if (view.getUint16(entry, isLittle) !== gpsTag) continue;
    const directory = view.getUint32(entry + 8, isLittle);
    const count = view.getUint16(directory, isLittle);
    if (count === 0) continue;
    for (let m = 0; m < count; m++) {
      const at = directory + 2 + entryBytes * m;
      const length = (valueBytes[view.getUint16(at + 2, isLittle)] ?? 0) * view.getUint32(at + 4, isLittle);
      // Values of more than four bytes are elsewhere.
      const place = length > 4 ? view.getUint32(at + 8, isLittle) : 0;
      if (length > 4) tiff.fill(0, place, place + length);
    }
    // Its number of entries, the entries, and the position of a next directory.
    tiff.fill(0, directory, directory + 2 + entryBytes * count);
    isErased = true;
  }
  erasure.isChanged ||= isErased;
  return isErased;
}

function without(bytes: Bytes, removed: readonly Range[]): Bytes {
  const kept: Bytes[] = [];
  let at = 0;
  for (const { start, end } of removed) {
    kept.push(bytes.subarray(at, start));
    at = end;
  }
  kept.push(bytes.subarray(at));
  const joined = new Uint8Array(kept.reduce((sum, { length }) => sum + length, 0));
  let to = 0;
  for (const part of kept) {
    joined.set(part, to);
    to += part.length;
  }
  return joined;
}
