/** The format that the first bytes of a picture claim. It loads nothing, so it can refuse an upload before any of it is stored. */
import type { PictureType } from './picture-types.ts';

/** Bytes that are enough to decide. */
export const signatureBytes = 512;

/** The claimed format; `undefined` if the bytes begin like no picture that a server keeps. */
export function claimedType(bytes: Uint8Array): PictureType | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, signatureBytes)).toString('latin1');
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif';
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'image/webp';
  if (text.startsWith('ftyp', 4)) return isAvif(text) ? 'image/avif' : undefined;
  return /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\0\t\n\r ]*</.test(text) ? 'image/svg+xml' : undefined;
}

/** Whether the brands of a file that begins with a box `ftyp` include AVIF. */
function isAvif(text: string): boolean {
  const [a = 0, b = 0, c = 0, d = 0] = [0, 1, 2, 3].map((i) => text.charCodeAt(i));
  const end = Math.min(((a << 24) | (b << 16) | (c << 8) | d) >>> 0, text.length);
  // The main brand, its version, and the compatible brands, four bytes each.
  for (let at = 8; at + 4 <= end; at += 4) if (at !== 12 && text.startsWith('avif', at)) return true;
  return false;
}
