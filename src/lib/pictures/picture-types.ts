/**
 * Pictures as the rest of the program knows them: the types that a server keeps, what is known of a picture, and why bytes are none. What
 * reads their bytes (`recognize.ts`) is loaded in a thread of its own.
 */

/** The pictures that a server keeps, by media type. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/avif', 'image/gif', 'image/svg+xml'] as const;

export type PictureType = (typeof pictureTypes)[number];

/** Width and height in pixels, as displayed: after the rotation that the header of a JPEG asks for. */
export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** A recognized picture. */
export interface Picture extends Dimensions {
  readonly type: PictureType;
}

/** Why bytes are no picture that a server keeps. */
export type PictureFault =
  | 'other-type'
  | 'too-many-pixels'
  | 'no-dimensions'
  | 'broken'
  | 'no-pixels'
  | 'document-type'
  | 'too-large'
  | 'too-slow';

/** The outcome of a recognition. */
export type Recognized = Picture | { readonly fault: PictureFault };

/** Most pixels of a picture: browsers need four bytes for each. */
export const pixelsMax = 200_000_000;

/** Longest text of an SVG, in bytes. */
export const svgBytesMax = 20 * 1024 * 1024;

/** For each fault a sentence for people. */
export const faultTexts: Readonly<Record<PictureFault, string>> = {
  'other-type': 'The file is none of PNG, JPEG, WebP, AVIF, GIF and SVG.',
  'too-many-pixels': `The picture has more than ${pixelsMax / 1e6} megapixels.`,
  'no-dimensions': 'The picture has no width and height. An SVG needs the attributes width and height, or viewBox.',
  broken: 'The file is damaged: its header cannot be read.',
  'no-pixels': 'The file ends after the header of the picture. Upload the whole file.',
  'document-type':
    'The SVG declares entities, which can make a small file unboundedly large. Delete "<!DOCTYPE svg [...]>" at its start, or save the picture with another program (Inkscape: "Plain SVG").',
  'too-large': `The SVG has more than ${svgBytesMax / 1024 / 1024} MiB.`,
  'too-slow': 'Reading the file takes too much processor time or memory. Save the picture with another program.',
};

/** Names that say nothing about the content. */
const neutralTypes: ReadonlySet<string> = new Set(['', 'application/octet-stream']);

/** Whether a `Content-Type` header names another type than that of the bytes. Without one, or with a neutral one, it does not. */
export function contradicts(contentType: string | undefined, type: PictureType): boolean {
  const named = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return !neutralTypes.has(named) && (named === 'image/jpg' ? 'image/jpeg' : named) !== type;
}
