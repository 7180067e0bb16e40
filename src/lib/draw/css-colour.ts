/**
 * Colours of projects, which are texts of any content: hexadecimal, `rgb()`, `hsl()` and names as in CSS. What is drawn or written into a page
 * is made from the numbers. For the server and for browsers.
 */
import { formatHex, formatHex8, modeHsl, modeRgb, parse, useMode } from 'culori/fn';

/** Red, green and blue, each from 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number];

export interface Colour {
  readonly rgb: Rgb;
  /** From 0 to 1. */
  readonly alpha: number;
}

useMode(modeHsl);
const toRgb = useMode(modeRgb);

/** No colour is longer, in characters. */
const lengthMax = 128;
/** The form of a colour. culori also reads hexadecimal digits without `#`, as in "fade". */
const form = /^(?:#|(?:rgb|hsl)a?\(|(?![a-f]+$)[a-z]+$)/;

/** Parses a colour; `undefined` for any other text. Channels are rounded to eight bits, as browsers do. */
export function parseColour(text: string): Colour | undefined {
  const trimmed = text.trim();
  if (trimmed.length > lengthMax) return undefined;
  const lower = trimmed.toLowerCase();
  const parsed = form.test(lower) ? parsedBy(lower) : undefined;
  if (parsed === undefined) return undefined;
  const {
    r,
    g,
    b,
    alpha = 1,
  } = toRgb(parsed.mode === 'hsl' ? { ...parsed, s: share(parsed.s ?? 0), l: share(parsed.l ?? 0) } : parsed);
  return { rgb: [eightBits(r), eightBits(g), eightBits(b)], alpha: share(alpha) };
}

function parsedBy(text: string): ReturnType<typeof parse> {
  try {
    return parse(text);
  } catch {
    // culori 4 throws for a number with a unit that is none of an angle.
    return undefined;
  }
}

const share = (value: number): number => Math.min(1, Math.max(0, value));
const eightBits = (channel = 0): number => Math.round(share(channel) * 255) / 255;

/** `#rrggbb` */
export const hexOf = ([r, g, b]: Rgb): string => formatHex({ mode: 'rgb', r, g, b });

/** `#rrggbb`, or `#rrggbbaa` if it is not opaque. */
export const hexWithAlpha = ({ rgb: [r, g, b], alpha }: Colour): string =>
  alpha >= 1 ? formatHex({ mode: 'rgb', r, g, b }) : formatHex8({ mode: 'rgb', r, g, b, alpha });
