/**
 * Blend modes in SVG. Browsers have the modes of CSS; a chain of several is one element on top of another, each with a mode of CSS. That is
 * exact for opaque shapes; a translucent shape in such a mode is drawn without it.
 */
import { blendOf } from '../../lib/draw/blend-modes.ts';
import type { Rgb } from '../../lib/draw/css-colour.ts';

/** One element of a shape: its colour, and the class of its blend mode; `undefined` for a normal one. */
interface Layer {
  readonly rgb: Rgb;
  readonly name: string | undefined;
}

/** Blend modes of CSS that composite operations need, each with a class of one letter. */
const modes = [
  ...['multiply', 'screen', 'darken', 'lighten', 'color-dodge', 'color-burn', 'hard-light', 'soft-light', 'difference'],
  ...['exclusion', 'overlay', 'saturation', 'color', 'luminosity', 'plus-lighter'],
];
const classes = new Map(modes.map((mode, at) => [mode, String.fromCharCode(97 + at)]));

/** The style sheet for the classes. */
export const blendStyle = [...classes].map(([mode, name]) => `.${name}{mix-blend-mode:${mode}}`).join('');

/** CSS has all operations by the name of the canvas, but for `lighter`. */
const classOf = (operation: string): string | undefined => classes.get(operation === 'lighter' ? 'plus-lighter' : operation);

/** The elements that draw a shape in a blend mode, from bottom to top. */
export function blendLayers(mode: string, rgb: Rgb, opacity: number): readonly Layer[] {
  const blend = blendOf(mode);
  // An eraser leaves the page behind the artboard, which is white in a preview.
  if (blend === 'destination-out') return [{ rgb: [1, 1, 1], name: undefined }];
  if (typeof blend === 'string') return [{ rgb, name: classOf(blend) }];
  if (blend.length > 1 && opacity !== 1) return [{ rgb, name: undefined }];
  const [red, green, blue] = rgb;
  return blend.map(({ operation, colour }) => ({
    rgb: [colour(red), colour(green), colour(blue)],
    name: classOf(operation),
  }));
}
