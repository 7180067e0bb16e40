/**
 * A picture of the user as the background of an artboard: drawn again, so that nothing of the file but its pixels stays, small enough to be
 * a part of the project.
 */
import { texts } from '../console-texts.ts';

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The place of a picture. */
export interface PictureAddress extends Size {
  /** The path of the file, or `data:image/...`. */
  readonly url: string;
}

/** A picture that becomes part of the project. */
export interface EmbeddedPicture extends PictureAddress {
  /** The size of the file and of what is drawn of it, if that is smaller. */
  readonly scaled?: { readonly from: Size; readonly to: Size };
}

const sideMax = 2000;
const bytesMax = 1.5 * 1024 * 1024;
const types = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif', 'image/bmp', 'image/svg+xml']);

/** Whether a file says that it is a picture. */
export const isEmbeddable = ({ type }: File): boolean => types.has(type);

/** Attempts, from the best to the smallest. PNG keeps the sharp lines of plans; photographs become JPEG or WebP. */
const attempts = [
  { type: 'image/png', quality: 1, share: 1 },
  { type: 'image/webp', quality: 0.9, share: 1 },
  { type: 'image/jpeg', quality: 0.85, share: 1 },
  { type: 'image/jpeg', quality: 0.75, share: 0.75 },
  { type: 'image/jpeg', quality: 0.65, share: 0.5 },
] as const;

/** Whether a file is only a picture: shapes of an SVG can become objects. */
export const isPicture = (file: File): boolean => isEmbeddable(file) && file.type !== 'image/svg+xml';

/** Rejects with a message for the user if the file is no picture, or cannot be made small enough. */
export async function pictureDataUrl(file: File): Promise<EmbeddedPicture> {
  const image = await loadPicture(file);
  try {
    const natural = { width: image.naturalWidth || 1200, height: image.naturalHeight || 800 };
    const scale = Math.min(1, sideMax / Math.max(natural.width, natural.height));
    const width = Math.max(1, Math.round(natural.width * scale));
    const height = Math.max(1, Math.round(natural.height * scale));
    for (const { type, quality, share } of attempts) {
      const to = { width: Math.max(1, Math.round(width * share)), height: Math.max(1, Math.round(height * share)) };
      const blob = await drawPicture(image, to.width, to.height, type, quality);
      // A browser that cannot write a type writes PNG.
      if (blob === null || blob.type !== type) continue;
      const url = await dataUrl(blob);
      if (url.length <= bytesMax)
        return { url, width, height, ...(to.width < natural.width && { scaled: { from: natural, to } }) };
    }
    throw new Error(texts.editor.pictureTooLarge);
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

/** The picture in a file. The caller revokes its address. Rejects with a message for the user. */
export async function loadPicture(file: Blob & { readonly name: string }): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
  } catch {
    URL.revokeObjectURL(image.src);
    throw new Error(texts.editor.pictureUnreadable(file.name));
  }
  return image;
}

/** A picture drawn with a size in pixels; `null` if the browser cannot. */
export function drawPicture(
  image: HTMLImageElement,
  width: number,
  height: number,
  type: string,
  quality: number,
): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  if (context === null) return Promise.resolve(null);
  if (type === 'image/jpeg') {
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, width, height);
  }
  context.drawImage(image, 0, 0, width, height);
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality));
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error('the picture cannot be read'));
    reader.readAsDataURL(blob);
  });
}
