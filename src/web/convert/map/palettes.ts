/** Palettes by name: stops of colour maps for values, and colours for categories. */
import { categoryColours } from '../../../lib/draw/public-map.ts';

/** matplotlib's maps (CC0) and ColorBrewer's (Apache-2.0), each by a few stops, between which colours are mixed in OKLab. */
const scales: Readonly<Record<string, readonly string[]>> = {
  viridis: ['#440154', '#482878', '#3e4989', '#31688e', '#26828e', '#1f9e89', '#35b779', '#6ece58', '#b5de2b', '#fde725'],
  magma: ['#000004', '#180f3d', '#440f76', '#721f81', '#9e2f7f', '#cd4071', '#f1605d', '#fd9668', '#feca8d', '#fcfdbf'],
  plasma: ['#0d0887', '#46039f', '#7201a8', '#9c179e', '#bd3786', '#d8576b', '#ed7953', '#fb9f3a', '#fdca26', '#f0f921'],
  cividis: ['#00224e', '#123570', '#3b496c', '#575d6d', '#707173', '#8a8678', '#a59c74', '#c3b369', '#e1cc55', '#fee838'],
  blues: ['#deebf7', '#9ecae1', '#4292c6', '#08519c', '#08306b'],
  greens: ['#e5f5e0', '#a1d99b', '#41ab5d', '#006d2c', '#00441b'],
  reds: ['#fee0d2', '#fc9272', '#ef3b2c', '#a50f15', '#67000d'],
  oranges: ['#fee6ce', '#fdae6b', '#f16913', '#a63603', '#7f2704'],
  purples: ['#efedf5', '#bcbddc', '#807dba', '#54278f', '#3f007d'],
  'red-yellow-green': ['#d73027', '#fc8d59', '#fee08b', '#d9ef8b', '#91cf60', '#1a9850'],
  'red-blue': ['#b2182b', '#ef8a62', '#fddbc7', '#d1e5f0', '#67a9cf', '#2166ac'],
};

const categories: Readonly<Record<string, readonly string[]>> = {
  safe: categoryColours,
  bold: [
    '#4e79a7',
    '#f28e2b',
    '#e15759',
    '#76b7b2',
    '#59a14f',
    '#edc948',
    '#b07aa1',
    '#ff9da7',
    '#9c755f',
    '#2f6f4f',
    '#d37295',
    '#6b6ecf',
  ],
  pastel: [
    '#a6cee3',
    '#fdbf6f',
    '#fb9a99',
    '#b2df8a',
    '#cab2d6',
    '#ffff99',
    '#8dd3c7',
    '#fccde5',
    '#d9d9d9',
    '#bc80bd',
    '#ccebc5',
    '#ffed6f',
  ],
};

/** Of values, then of categories. */
export const paletteNames: { readonly value: readonly string[]; readonly category: readonly string[] } = {
  value: Object.keys(scales),
  category: [...Object.keys(categories), ...Object.keys(scales)],
};

export const paletteDefault = { value: 'viridis', category: 'safe' } as const;

export const scaleStops = (name: string): readonly string[] | undefined =>
  Object.hasOwn(scales, name) ? scales[name] : undefined;

export const categoryColors = (name: string): readonly string[] | undefined =>
  Object.hasOwn(categories, name) ? categories[name] : undefined;
