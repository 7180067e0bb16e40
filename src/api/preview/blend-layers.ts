/**
 * Blend modes of previews, which are those of CSS. A chain of several is one layer on top of another, each with a mode of CSS. That is
 * exact for opaque shapes; a translucent shape in such a mode is drawn without it.
 */
import { blendOf } from '../../lib/draw/blend-modes.ts';
import type { Rgb } from '../../lib/draw/css-colour.ts';

/** Blend modes of CSS that composite operations need. */
export const cssModes = [
  ...([
    'multiply',
    'screen',
    'darken',
    'lighten',
    'color-dodge',
    'color-burn',
    'hard-light',
    'soft-light',
    'difference',
  ] as const),
  ...(['exclusion', 'overlay', 'saturation', 'color', 'luminosity', 'plus-lighter'] as const),
];

export type CssMode = (typeof cssModes)[number];

/** One layer of a shape: its colour, and its blend mode; `undefined` for a normal one. */
export interface Layer {
  readonly rgb: Rgb;
  readonly mode: CssMode | undefined;
}

/** CSS has all operations by the name of the canvas, but for `lighter`. */
const modeOf = (operation: string): CssMode | undefined =>
  operation === 'lighter' ? 'plus-lighter' : cssModes.find((mode) => mode === operation);

/** The layers that draw a shape in a blend mode, from bottom to top. */
export function blendLayers(blendMode: string, rgb: Rgb, opacity: number): readonly Layer[] {
  const blend = blendOf(blendMode);
  // An eraser leaves the page behind the artboard, which is white in a preview.
  if (blend === 'destination-out') return [{ rgb: [1, 1, 1], mode: undefined }];
  if (typeof blend === 'string') return [{ rgb, mode: modeOf(blend) }];
  if (blend.length > 1 && opacity !== 1) return [{ rgb, mode: undefined }];
  const [red, green, blue] = rgb;
  return blend.map(({ operation, colour }) => ({
    rgb: [colour(red), colour(green), colour(blue)],
    mode: modeOf(operation),
  }));
}
