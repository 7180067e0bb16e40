/** Colours of objects and backgrounds. A colour is any text in the API; a text outside of this grammar becomes the default. */
import type { Rgb } from './blend-modes.ts';

export interface Colour {
  /** For a canvas: without any text of the project. */
  readonly css: string;
  readonly rgb: Rgb;
  /** From 0 to 1. */
  readonly alpha: number;
}

/** Hexadecimal, `rgb()` and `hsl()` with numbers, and names. */
const grammar = /^(?:#[\da-f]{3,8}|(?:rgb|hsl)a?\([\d\s.,%/+-]{1,60}(?:deg)?[\d\s.,%/+-]{0,60}\)|[a-z]{3,24})$/i;

/** Two colours that a browser returns unchanged: a text that gives both is not a colour. */
const [probe, otherProbe] = ['#010203', '#030201'];

const cacheMax = 4096;
const cache = new Map<string, Colour | undefined>();
let context: CanvasRenderingContext2D | null | undefined;

/** A colour, or the default if the text is none. */
export function colourOf(text: string, fallback: string): Colour {
  return cached(text) ?? (cached(fallback) as Colour);
}

function cached(text: string): Colour | undefined {
  const known = cache.get(text);
  if (known !== undefined || cache.has(text)) return known;
  const parsed = parse(text.trim());
  if (cache.size >= cacheMax) cache.clear();
  cache.set(text, parsed);
  return parsed;
}

/** The browser parses it: a canvas gives `#rrggbb`, or `rgba()` with numbers. */
function parse(text: string): Colour | undefined {
  if (!grammar.test(text)) return undefined;
  context ??= document.createElement('canvas').getContext('2d');
  if (context === null) return undefined;
  context.fillStyle = probe;
  context.fillStyle = text;
  if (context.fillStyle === probe) {
    context.fillStyle = otherProbe;
    context.fillStyle = text;
    if (context.fillStyle === otherProbe) return undefined;
  }
  const read = context.fillStyle;
  if (read.startsWith('#')) {
    const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(read.slice(at, at + 2), 16) / 255) as [number, number, number];
    return colourWith([r, g, b], 1);
  }
  const [r = 0, g = 0, b = 0, alpha = 1] = (read.match(/[\d.]+/g) ?? []).map(Number);
  return colourWith([r / 255, g / 255, b / 255], alpha);
}

const colourWith = (rgb: Rgb, alpha: number): Colour => ({ css: cssOf(rgb), rgb, alpha });

/** Opaque. */
export const cssOf = (rgb: Rgb): string => `rgb(${rgb.map((channel) => Math.round(channel * 255)).join(' ')})`;
