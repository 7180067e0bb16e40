/**
 * A colour with opacity and blend mode, put on opaque pixels. A pixel is a number: red, green and blue, eight bits each from the lowest
 * on. What a full cover makes of each channel is in a table, so that its cost does not depend on the mode.
 */
import type { Rgb } from '../../../lib/draw/css-colour.ts';
import type { CssMode } from '../blend-layers.ts';
import { type BlendColour, channelBlend, colourBlend } from './blend.ts';

export interface Source {
  readonly rgb: Rgb;
  readonly opacity: number;
  readonly mode: CssMode | undefined;
}

export interface Ink {
  /** Covers the pixels from `at` + `left` to before `at` + `right`, each by its coverage from 0 to 255. */
  cover(pixels: Uint32Array, at: number, coverage: Uint8Array, left: number, right: number): void;
}

/** Work for a pixel in a mode, as a multiple of the usual one. */
export const costOf = (mode: CssMode | undefined): number => (colourBlend(mode) === undefined ? 1 : 8);

/** Inks that are kept, each with up to 8 KiB. */
const inksMax = 64;

/** Makes inks and keeps some: the tables of one take longer than a small shape, and many shapes have the same colour. */
export class Inks {
  readonly #kept = new Map<string, Ink>();

  of(source: Source): Ink {
    const { rgb, opacity, mode } = source;
    const key = `${rgb} ${opacity} ${mode}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    if (this.#kept.size >= inksMax) this.#kept.clear();
    const blend = colourBlend(mode);
    const ink = blend === undefined ? new ChannelInk(source) : new ColourInk(source, blend);
    this.#kept.set(key, ink);
    return ink;
  }
}

const eightBits = (channel: number): number => Math.round(Math.min(1, Math.max(0, channel)) * 255);

/** Packs channels from 0 to 1. */
export const packed = ([r, g, b]: Rgb): number => eightBits(r) | (eightBits(g) << 8) | (eightBits(b) << 16);

const unpacked = (pixel: number): Rgb => [(pixel & 255) / 255, ((pixel >>> 8) & 255) / 255, (pixel >>> 16) / 255];

/** The pixel that a source makes of another one, by the formula. */
export function blended(pixel: number, { rgb, opacity, mode }: Source): number {
  const backdrop = unpacked(pixel);
  const blend = colourBlend(mode);
  const by = blend === undefined ? channelBlend(mode) : undefined;
  const colour = blend?.(backdrop, rgb) ?? rgb;
  const [r = 0, g = 0, b = 0] = backdrop.map((below, i) => {
    // Plus adds as much as there is of the source. The others mix their result with the backdrop.
    if (mode === 'plus-lighter') return below + (rgb[i] as number) * opacity;
    return below + ((by?.(below, rgb[i] as number) ?? (colour[i] as number)) - below) * opacity;
  });
  return packed([r, g, b]);
}

/** A part of the way from one channel to another. @param share from 0 to 255 */
const between = (from: number, to: number, share: number): number => ((from * (255 - share) + to * share + 127) / 255) | 0;

/** A pixel on the way from one to another. @param share from 0 to 255 */
const mixed = (from: number, to: number, share: number): number =>
  between(from & 255, to & 255, share) |
  (between((from >>> 8) & 255, (to >>> 8) & 255, share) << 8) |
  (between(from >>> 16, to >>> 16, share) << 16);

/** For modes that do not mix channels. */
class ChannelInk implements Ink {
  readonly #source: Source;
  readonly #red: Uint32Array;
  readonly #green: Uint32Array;
  readonly #blue: Uint32Array;

  constructor(source: Source) {
    this.#source = source;
    const { mode, opacity, rgb } = source;
    const blend = channelBlend(mode);
    const table = (s: number, shift: number): Uint32Array => {
      const results = new Uint32Array(256);
      for (let at = 0; at < 256; at++) {
        const b = at / 255;
        results[at] = eightBits(mode === 'plus-lighter' ? b + s * opacity : b + (blend(b, s) - b) * opacity) << shift;
      }
      return results;
    };
    [this.#red, this.#green, this.#blue] = [table(rgb[0], 0), table(rgb[1], 8), table(rgb[2], 16)];
  }

  cover(pixels: Uint32Array, at: number, coverage: Uint8Array, left: number, right: number): void {
    const [red, green, blue] = [this.#red, this.#green, this.#blue];
    for (let x = left; x < right; x++) {
      const share = coverage[x] as number;
      if (share === 0) continue;
      const pixel = pixels[at + x] as number;
      const full = (red[pixel & 255] as number) | (green[(pixel >>> 8) & 255] as number) | (blue[(pixel >>> 16) & 255] as number);
      pixels[at + x] = share === 255 ? full : this.#partly(pixel, full, share);
    }
  }

  #partly(pixel: number, full: number, share: number): number {
    if (this.#source.mode !== 'plus-lighter') return mixed(pixel, full, share);
    return blended(pixel, { ...this.#source, opacity: (this.#source.opacity * share) / 255 });
  }
}

/** Results that a {@link ColourInk} remembers; a power of 2. */
const remembered = 1024;

/** For modes that mix channels: it remembers what it made of the last colours. */
class ColourInk implements Ink {
  readonly #source: Source;
  readonly #blend: BlendColour;
  readonly #from = new Int32Array(remembered).fill(-1);
  readonly #to = new Int32Array(remembered);

  constructor(source: Source, blend: BlendColour) {
    this.#source = source;
    this.#blend = blend;
  }

  cover(pixels: Uint32Array, at: number, coverage: Uint8Array, left: number, right: number): void {
    for (let x = left; x < right; x++) {
      const share = coverage[x] as number;
      if (share === 0) continue;
      const pixel = pixels[at + x] as number;
      const slot = (Math.imul(pixel, 0x9e3779b1) >>> 22) & (remembered - 1);
      if (this.#from[slot] !== pixel) {
        this.#from[slot] = pixel;
        this.#to[slot] = this.#full(pixel);
      }
      pixels[at + x] = share === 255 ? (this.#to[slot] as number) : mixed(pixel, this.#to[slot] as number, share);
    }
  }

  #full(pixel: number): number {
    const { rgb, opacity } = this.#source;
    const backdrop = unpacked(pixel);
    const [r, g, b] = this.#blend(backdrop, rgb);
    const mix = (below: number, above: number): number => below + (above - below) * opacity;
    return packed([mix(backdrop[0], r), mix(backdrop[1], g), mix(backdrop[2], b)]);
  }
}
