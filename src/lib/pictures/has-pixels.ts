/** Finds out whether a raster picture goes on after its header. It follows the blocks of each format and decodes nothing. */
import type { PictureType } from './picture-types.ts';

/** Reads integers of the picture; bytes after its end are `NaN`, with which every comparison fails. */
interface Reader {
  readonly bytes: Uint8Array;
  readonly length: number;
  u8(at: number): number;
  /** @param order of the bytes of the format */
  u32(at: number, order: 'big' | 'little'): number;
  name(at: number): string;
}

const finders: Readonly<Record<Exclude<PictureType, 'image/svg+xml'>, (reader: Reader) => boolean>> = {
  'image/png': pngHasPixels,
  'image/jpeg': jpegHasPixels,
  'image/gif': gifHasPixels,
  'image/webp': webpHasPixels,
  'image/avif': avifHasPixels,
};

/** @param bytes of the whole file, whose header was read without errors */
export function hasPixels(type: Exclude<PictureType, 'image/svg+xml'>, bytes: Uint8Array): boolean {
  return finders[type](readerOf(bytes));
}

function readerOf(bytes: Uint8Array): Reader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return {
    bytes,
    length: bytes.length,
    u8: (at) => bytes[at] ?? Number.NaN,
    u32: (at, order) => (at + 4 <= bytes.length ? view.getUint32(at, order === 'little') : Number.NaN),
    name: (at) => String.fromCharCode(...bytes.subarray(at, at + 4)),
  };
}

/** Chunks after the signature: length, name, content, checksum (PNG, third edition, 5.3). */
function pngHasPixels({ u32, name, length }: Reader): boolean {
  for (let at = 8; at < length; ) {
    const size = u32(at, 'big');
    if (name(at + 4) === 'IDAT' && size > 0) return length > at + 8;
    if (!(size >= 0)) return false;
    at += 12 + size;
  }
  return false;
}

/** Segments after the start of the image: marker, length, content (ITU T.81, B.1.1.4). The scan follows its segment. */
function jpegHasPixels({ u8, length }: Reader): boolean {
  for (let at = 2; at + 4 <= length; ) {
    const marker = u8(at + 1);
    // Fill bytes may precede a marker, and decoders skip other bytes.
    if (u8(at) !== 0xff || marker === 0xff) {
      at++;
      continue;
    }
    const size = u8(at + 2) * 256 + u8(at + 3);
    const end = at + 2 + size;
    if (marker === 0xda) return length > end;
    if (marker === 0xd9 || size < 2) return false;
    at = end;
  }
  return false;
}

/** Blocks after the screen descriptor and its colour table (GIF89a, 18 to 26). */
function gifHasPixels({ u8, length }: Reader): boolean {
  const tableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  for (let at = 13 + tableBytes(u8(10)); at < length; ) {
    if (u8(at) === 0x2c) return u8(at + 11 + tableBytes(u8(at + 9))) > 0 && length > at + 12 + tableBytes(u8(at + 9));
    if (u8(at) !== 0x21) return false;
    // An extension: its label, and sub-blocks up to an empty one.
    at += 2;
    while (u8(at) > 0) at += 1 + u8(at);
    at++;
  }
  return false;
}

/** Bytes of a picture's chunk that are its header, by name (RFC 6386, 9.1; RFC 9649, 2.7.1 and 3). */
const webpHeaders: Readonly<Record<string, number>> = { 'VP8 ': 10, VP8L: 5, ANMF: 16 };

/** Chunks after the header of the container: name, length, content of an even length. */
function webpHasPixels({ u32, name, length }: Reader): boolean {
  for (let at = 12; at < length; ) {
    const size = u32(at + 4, 'little');
    const header = webpHeaders[name(at)];
    if (header !== undefined) return size > header && length > at + 8 + header;
    if (!(size >= 0)) return false;
    at += 8 + size + (size % 2);
  }
  return false;
}

/** Boxes: length, name, content (ISO 14496-12, 4.2). The data is in the box `mdat`, or in `idat` inside `meta`. */
function avifHasPixels({ bytes, u32, name, length }: Reader): boolean {
  for (let at = 0; at < length; ) {
    const size = u32(at, 'big');
    if (name(at + 4) === 'mdat') return length > at + 8 && size !== 8;
    if (name(at + 4) === 'meta' && Buffer.from(bytes.subarray(at, at + size)).includes('idat')) return true;
    // 0: up to the end; 1: a length of eight bytes follows, which only large data has.
    if (!(size >= 8)) return size === 1;
    at += size;
  }
  return false;
}
