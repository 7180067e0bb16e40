/** A picture in a `data:` URL as a file, for an upload. */
import { pictureEnding } from '../../../lib/draw/picture-ending.ts';

/** The picture in a `data:` URL; `undefined` if it is none. The page's policy forbids to fetch one. */
export function pictureInUrl(url: string, name: string): File | undefined {
  const comma = url.indexOf(',');
  const [type = '', ...parameters] = url.slice(0, comma).trim().slice('data:'.length).toLowerCase().split(';');
  if (comma === -1 || !type.startsWith('image/')) return undefined;
  try {
    // Markup is often written as it is, with signs of percent that begin no escape.
    const data = url.slice(comma + 1).replace(/(?:%[\da-f]{2})+/gi, decodeURIComponent);
    const bytes = parameters.includes('base64')
      ? Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
      : new TextEncoder().encode(data);
    return new File([bytes], `${name}.${pictureEnding(type) ?? 'png'}`, { type });
  } catch {
    return undefined;
  }
}
