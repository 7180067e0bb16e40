/** The blend modes of CSS (Compositing and Blending Level 1), on an opaque backdrop. Channels are numbers from 0 to 1. */
import type { Rgb } from '../../../lib/draw/css-colour.ts';
import type { CssMode } from '../blend-layers.ts';

/** A channel of the result, of the backdrop and of the source. */
export type BlendChannel = (b: number, s: number) => number;

/** The colour of the result. */
export type BlendColour = (b: Rgb, s: Rgb) => Rgb;

const multiply: BlendChannel = (b, s) => b * s;
const screen: BlendChannel = (b, s) => b + s - b * s;
const hardLight: BlendChannel = (b, s) => (s <= 0.5 ? multiply(b, 2 * s) : screen(b, 2 * s - 1));

function softLight(b: number, s: number): number {
  if (s <= 0.5) return b - (1 - 2 * s) * b * (1 - b);
  const lighter = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : Math.sqrt(b);
  return b + (2 * s - 1) * (lighter - b);
}

function colourDodge(b: number, s: number): number {
  if (b === 0) return 0;
  return s >= 1 ? 1 : Math.min(1, b / (1 - s));
}

function colourBurn(b: number, s: number): number {
  if (b === 1) return 1;
  return s <= 0 ? 0 : 1 - Math.min(1, (1 - b) / s);
}

type ColourMode = 'saturation' | 'color' | 'luminosity';

/** The modes in which a channel of the result depends on the same channel alone. */
const channelModes: Readonly<Record<Exclude<CssMode, ColourMode>, BlendChannel>> = {
  multiply,
  screen,
  darken: Math.min,
  lighten: Math.max,
  'color-dodge': colourDodge,
  'color-burn': colourBurn,
  'hard-light': hardLight,
  'soft-light': softLight,
  difference: (b, s) => Math.abs(b - s),
  exclusion: (b, s) => b + s - 2 * b * s,
  overlay: (b, s) => hardLight(s, b),
  'plus-lighter': (b, s) => Math.min(1, b + s),
};

const colourModes: Readonly<Record<ColourMode, BlendColour>> = {
  saturation: (b, s) => withLuminosity(withSaturation(b, saturationOf(s)), luminosityOf(b)),
  color: (b, s) => withLuminosity(s, luminosityOf(b)),
  luminosity: (b, s) => withLuminosity(b, luminosityOf(s)),
};

const luminosityOf = ([r, g, b]: Rgb): number => 0.3 * r + 0.59 * g + 0.11 * b;
const saturationOf = ([r, g, b]: Rgb): number => Math.max(r, g, b) - Math.min(r, g, b);

function withLuminosity(rgb: Rgb, luminosity: number): Rgb {
  const more = luminosity - luminosityOf(rgb);
  const [r, g, b] = [rgb[0] + more, rgb[1] + more, rgb[2] + more];
  const [least, most] = [Math.min(r, g, b), Math.max(r, g, b)];
  // Clips to the colours that exist, and keeps the luminosity.
  const below = least < 0 ? luminosity / (luminosity - least) : 1;
  const above = most > 1 ? (1 - luminosity) / (most - luminosity) : 1;
  const scale = Math.min(below, above);
  return [luminosity + (r - luminosity) * scale, luminosity + (g - luminosity) * scale, luminosity + (b - luminosity) * scale];
}

/** Spreads the channels from 0 to the saturation, with the middle one in proportion. */
function withSaturation(rgb: Rgb, saturation: number): Rgb {
  const least = Math.min(...rgb);
  const range = Math.max(...rgb) - least;
  if (range === 0) return [0, 0, 0];
  const spread = (channel: number): number => ((channel - least) * saturation) / range;
  return [spread(rgb[0]), spread(rgb[1]), spread(rgb[2])];
}

const normal: BlendChannel = (_, s) => s;

/** A function of colours for the modes that mix channels; `undefined` for the others. */
export const colourBlend = (mode: CssMode | undefined): BlendColour | undefined =>
  mode === 'saturation' || mode === 'color' || mode === 'luminosity' ? colourModes[mode] : undefined;

/** A function of channels for the modes that do not mix them. */
export function channelBlend(mode: CssMode | undefined): BlendChannel {
  if (mode === 'saturation' || mode === 'color' || mode === 'luminosity') throw new TypeError(`${mode} mixes channels`);
  return mode === undefined ? normal : channelModes[mode];
}
