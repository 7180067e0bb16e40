/**
 * Blend modes in SVG. Browsers have the modes of CSS; the others are several elements on top of each other, each with a mode of CSS. That is
 * exact for opaque shapes; a translucent shape in such a mode is drawn without it.
 */
import type { Colour } from '../../lib/text/css-colour.ts';
import type { MapObject } from '../../model/resources/object.ts';

type Rgb = Colour['rgb'];

/** One element of a shape: its colour, and the class of its blend mode; `undefined` for a normal one. */
interface Layer {
  readonly rgb: Rgb;
  readonly name: string | undefined;
}

/** Blend modes of CSS and the classes for them. */
const classes = {
  multiply: 'a',
  screen: 'b',
  darken: 'c',
  lighten: 'd',
  'color-dodge': 'e',
  'color-burn': 'f',
  'hard-light': 'g',
  'soft-light': 'h',
  difference: 'i',
  exclusion: 'j',
  overlay: 'k',
  saturation: 'l',
  color: 'm',
  luminosity: 'n',
  'plus-lighter': 'o',
} as const;

type CssMode = keyof typeof classes;
type Mode = MapObject['blend_mode'];

/** The style sheet for the classes. */
export const blendStyle = Object.entries(classes)
  .map(([mode, name]) => `.${name}{mix-blend-mode:${mode}}`)
  .join('');

/** Modes that one mode of CSS draws. An eraser leaves the page behind the artboard, which is white in a preview. */
const single: Partial<Record<Mode, CssMode>> = {
  ...{ add: 'plus-lighter', 'add-npm': 'plus-lighter', 'linear-dodge': 'plus-lighter', 'screen-npm': 'screen' },
  ...{ min: 'darken', max: 'lighten' },
};

const white: Rgb = [1, 1, 1];
const black: Rgb = [0, 0, 0];
const map = ([red, green, blue]: Rgb, of: (part: number) => number): Rgb => [of(red), of(green), of(blue)];
const clamp = (part: number): number => Math.min(1, Math.max(0, part));
const inverse = (rgb: Rgb): Rgb => map(rgb, (part) => 1 - part);
const layer = (mode: CssMode, rgb: Rgb): Layer => ({ rgb, name: classes[mode] });
const invert = layer('difference', white);

/** Modes that several modes of CSS draw, for a colour s over a backdrop b. */
const stacked: Partial<Record<Mode, (s: Rgb) => readonly Layer[]>> = {
  'linear-burn': (s) => [invert, layer('plus-lighter', inverse(s)), invert],
  subtract: (s) => [invert, layer('plus-lighter', s), invert],
  'linear-light': (s) => [
    layer(
      'plus-lighter',
      map(s, (part) => clamp(2 * part - 1)),
    ),
    invert,
    layer(
      'plus-lighter',
      map(s, (part) => clamp(1 - 2 * part)),
    ),
    invert,
  ],
  'pin-light': (s) => [
    layer(
      'darken',
      map(s, (part) => clamp(2 * part)),
    ),
    layer(
      'lighten',
      map(s, (part) => clamp(2 * part - 1)),
    ),
  ],
  'vivid-light': (s) => [
    layer(
      'color-burn',
      map(s, (part) => clamp(2 * part)),
    ),
    layer(
      'color-dodge',
      map(s, (part) => clamp(2 * part - 1)),
    ),
  ],
  divide: (s) => [layer('color-dodge', inverse(s))],
  'hard-mix': (s) => [layer('plus-lighter', s), layer('color-burn', black)],
  negation: (s) => [invert, layer('difference', s), invert],
};

/** The elements that draw a shape in a blend mode, from bottom to top. */
export function blendLayers(mode: Mode, rgb: Rgb, opacity: number): readonly Layer[] {
  if (mode === 'erase') return [{ rgb: white, name: undefined }];
  const several = stacked[mode];
  if (several !== undefined) return opacity === 1 ? several(rgb) : [{ rgb, name: undefined }];
  const css = single[mode] ?? (Object.hasOwn(classes, mode) ? (mode as CssMode) : undefined);
  return [{ rgb, name: css && classes[css] }];
}
