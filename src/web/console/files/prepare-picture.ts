/** What is uploaded of a picture: its bytes as they are, without the location; drawn again only if it is too large, or of a type that the server does not take. */
import { pictureEnding } from '../../../lib/draw/picture-ending.ts';
import { drawPicture, loadPicture, type Size } from './picture.ts';

/** Pixels of the longer side. */
const sideMax = 8000;
const quality = 0.95;

/** The types that a canvas writes; other pictures become PNG. */
const written = new Set(['image/png', 'image/jpeg', 'image/webp']);

interface Prepared {
  readonly bytes: Blob;
  /** Pixels as the browser shows them, turned by EXIF; `undefined` for an SVG. */
  readonly size?: Size;
  /** The size of the file, if it is scaled down. */
  readonly scaledFrom?: Size;
}

/** Rejects with a message for the user if the browser cannot read the picture. */
export async function preparePicture(file: File): Promise<Prepared> {
  if (file.type === 'image/svg+xml') return { bytes: file };
  const image = await loadPicture(file);
  try {
    const { naturalWidth: width, naturalHeight: height } = image;
    const scale = Math.min(1, sideMax / Math.max(width, height));
    const isTaken = file.type !== 'image/bmp';
    if (scale === 1 && isTaken) {
      const { withoutLocation } = await import('./erase-location.ts');
      const erased = withoutLocation(new Uint8Array(await file.arrayBuffer()));
      const bytes = erased === undefined ? file : new Blob([erased], { type: file.type });
      return { bytes, size: { width, height } };
    }
    const side = (pixels: number): number => Math.max(1, Math.round(pixels * scale));
    const size = { width: side(width), height: side(height) };
    const drawn = await drawPicture(image, size.width, size.height, written.has(file.type) ? file.type : 'image/png', quality);
    if (drawn === null) throw new Error('the browser cannot draw the picture');
    return { bytes: drawn, size, ...(scale < 1 && { scaledFrom: { width, height } }) };
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

const nameMax = 200;

/** The name of a file as the server takes it, with the ending of what is uploaded. @param type of the bytes */
export function nameOfFile(name: string, type: string, givenType = type): string {
  const ending = pictureEnding(type);
  const withEnding = type === givenType || ending === undefined ? name : `${name.replace(/\.[^.]*$/, '')}.${ending}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the server refuses them
  const plain = withEnding.replaceAll(/[\u0000-\u001f\u007f/\\]/g, ' ').trim();
  if (plain === '' || plain === '.' || plain === '..') return `picture.${ending ?? 'png'}`;
  return [...plain].length > nameMax ? [...plain].slice(-nameMax).join('') : plain;
}
