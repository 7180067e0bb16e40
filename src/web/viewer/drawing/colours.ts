/** Colours of objects and backgrounds. A colour is any text in the API; a text that is none becomes the default. */
import { type Colour as CssColour, hexOf, parseColour } from '../../../lib/draw/css-colour.ts';

export interface Colour extends CssColour {
  /** For a canvas: without any text of the project, and without the opacity. */
  readonly css: string;
}

const cacheMax = 4096;
const cache = new Map<string, Colour | undefined>();

/** A colour, or the default if the text is none. */
export function colourOf(text: string, fallback: string): Colour {
  return cached(text) ?? (cached(fallback) as Colour);
}

function cached(text: string): Colour | undefined {
  const known = cache.get(text);
  if (known !== undefined || cache.has(text)) return known;
  const parsed = parseColour(text);
  const colour = parsed && { ...parsed, css: hexOf(parsed.rgb) };
  if (cache.size >= cacheMax) cache.clear();
  cache.set(text, colour);
  return colour;
}
