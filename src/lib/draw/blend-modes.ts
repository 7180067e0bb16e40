/**
 * The blend modes of the API as composite operations, for canvas and SVG. Most are one operation. The others are chains of operations with
 * colours that are computed from the object's colour: they never read pixels, so they also work above images of other hosts.
 */

/** One operation on the whole shape, with a colour. */
export interface Step {
  readonly operation: GlobalCompositeOperation;
  /** The channel of the colour from the channel of the object's colour. */
  colour(channel: number): number;
}

/** The names that the 2D canvas knows; TypeScript has them only in its library for browsers, which servers do not load. */
type GlobalCompositeOperation =
  | 'source-over'
  | 'destination-out'
  | 'lighter'
  | 'multiply'
  | 'screen'
  | 'darken'
  | 'lighten'
  | 'overlay'
  | 'color-dodge'
  | 'color-burn'
  | 'hard-light'
  | 'soft-light'
  | 'difference'
  | 'exclusion'
  | 'saturation'
  | 'color'
  | 'luminosity';

/** One operation, or a chain that needs a copy of the backdrop. */
export type Blend = GlobalCompositeOperation | readonly Step[];

const itself = (channel: number): number => channel;
const invert: Step = { operation: 'difference', colour: () => 1 };
const add: Step = { operation: 'lighter', colour: itself };
const doubled = (channel: number): number => Math.min(1, 2 * channel);
const excess = (channel: number): number => Math.max(0, 2 * channel - 1);

/**
 * `lighter` adds the opacity too, so that a translucent colour saturates later than it should: it is a chain of one step, whose result is
 * mixed with the backdrop by opacity.
 */
const addition: Blend = [add];

export const blendModes: Readonly<Record<string, Blend>> = {
  inherit: 'source-over',
  normal: 'source-over',
  none: 'source-over',
  'normal-npm': 'source-over',
  add: addition,
  'add-npm': addition,
  'linear-dodge': addition,
  multiply: 'multiply',
  screen: 'screen',
  'screen-npm': 'screen',
  darken: 'darken',
  min: 'darken',
  lighten: 'lighten',
  max: 'lighten',
  /** Removes what is below, the background included. */
  erase: 'destination-out',
  'color-dodge': 'color-dodge',
  'color-burn': 'color-burn',
  'hard-light': 'hard-light',
  'soft-light': 'soft-light',
  difference: 'difference',
  exclusion: 'exclusion',
  overlay: 'overlay',
  saturation: 'saturation',
  color: 'color',
  luminosity: 'luminosity',
  'linear-burn': [invert, { operation: 'lighter', colour: (s) => 1 - s }, invert],
  subtract: [invert, add, invert],
  'linear-light': [
    { operation: 'lighter', colour: excess },
    invert,
    { operation: 'lighter', colour: (s) => Math.max(0, 1 - 2 * s) },
    invert,
  ],
  'pin-light': [
    { operation: 'darken', colour: doubled },
    { operation: 'lighten', colour: excess },
  ],
  'vivid-light': [
    { operation: 'color-burn', colour: doubled },
    { operation: 'color-dodge', colour: excess },
  ],
  divide: [{ operation: 'color-dodge', colour: (s) => 1 - s }],
  'hard-mix': [add, { operation: 'color-burn', colour: () => 0 }],
  negation: [invert, { operation: 'difference', colour: itself }, invert],
};

/** The blend of a mode; an unknown mode is normal. */
export const blendOf = (mode: string): Blend => (Object.hasOwn(blendModes, mode) ? (blendModes[mode] as Blend) : 'source-over');
