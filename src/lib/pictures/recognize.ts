/**
 * Recognizes pictures by their bytes, never by a name: format and dimensions. It reads headers and decodes no pixels. Hostile bytes may keep it
 * busy for long, so servers run it in a thread that they can end (`picture-recognizer.ts`).
 */
import fs from 'node:fs';
import { disableTypes, imageSize, types } from 'image-size';
import { hasPixels } from './has-pixels.ts';
import { claimedType } from './picture-signature.ts';
import {
  type Dimensions,
  type PictureFault,
  type PictureType,
  pixelsMax,
  type Recognized,
  svgBytesMax,
} from './picture-types.ts';
import { recognizeSvg } from './recognize-svg.ts';

/** Bytes of a raster picture that are read first. Formats that may have their dimensions further on are then read whole. */
const headBytes = 512 * 1024;

/** Longest raster picture that is read whole, in bytes. */
const wholeBytesMax = 64 * 1024 * 1024;

/** Formats whose dimensions may follow after other data of any length. */
const longHeads: ReadonlySet<PictureType> = new Set(['image/jpeg', 'image/avif']);

disableTypes(types.filter((type) => !['png', 'jpg', 'webp', 'heif', 'gif'].includes(type)));

/** @param source a path, or the bytes; throws the error of the file system if the file cannot be read */
export function recognizePicture(source: string | Uint8Array): Recognized {
  if (typeof source !== 'string') return recognized(source, source.length, (bytes) => source.subarray(0, bytes));
  const fd = fs.openSync(source, 'r');
  try {
    const { size } = fs.fstatSync(fd);
    return recognized(readHead(fd, Math.min(size, headBytes)), size, (bytes) => readHead(fd, bytes));
  } finally {
    fs.closeSync(fd);
  }
}

function readHead(fd: number, bytes: number): Uint8Array {
  const buffer = Buffer.allocUnsafeSlow(bytes);
  let read = 0;
  while (read < bytes) {
    const more = fs.readSync(fd, buffer, read, bytes - read, read);
    if (more === 0) break;
    read += more;
  }
  return buffer.subarray(0, read);
}

/** @param size of the whole file, in bytes */
function recognized(head: Uint8Array, size: number, read: (bytes: number) => Uint8Array): Recognized {
  const type = claimedType(head);
  if (type === undefined) return { fault: 'other-type' };
  if (type === 'image/svg+xml') {
    if (size > svgBytesMax) return { fault: 'too-large' };
    return checked(type, recognizeSvg(head.length < size ? read(size) : head));
  }
  const dimensions = dimensionsOf(head);
  if (dimensions !== undefined) {
    const found = checked(type, dimensions);
    const isHeader = 'type' in found && head.length === size && !hasPixels(type, head);
    return isHeader ? { fault: 'no-pixels' } : found;
  }
  if (head.length === size || !longHeads.has(type)) return { fault: 'broken' };
  return checked(type, dimensionsOf(read(Math.min(size, wholeBytesMax))) ?? 'broken');
}

function checked(type: PictureType, found: Dimensions | PictureFault): Recognized {
  if (typeof found === 'string') return { fault: found };
  const { width, height } = found;
  if (!(width > 0 && height > 0)) return { fault: 'no-dimensions' };
  return width * height > pixelsMax ? { fault: 'too-many-pixels' } : { type, width, height };
}

/** `undefined` if the header is damaged, or goes on after these bytes. */
function dimensionsOf(bytes: Uint8Array): Dimensions | undefined {
  try {
    // A copy in memory of its own: image-size reads beyond the end of a view.
    const { width, height, orientation = 1 } = imageSize(new Uint8Array(bytes));
    // Orientations from 5 on are turned by a quarter.
    return orientation >= 5 && orientation <= 8 ? { width: height, height: width } : { width, height };
  } catch {
    return undefined;
  }
}
