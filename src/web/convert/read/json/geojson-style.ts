/** Colours and widths in the properties of a feature: simplestyle, as geojson.io writes it, and the options of uMap. */
import { hexWithAlpha, parseColour } from '../../../../lib/draw/css-colour.ts';
import type { Item } from '../file-data.ts';
import { isObject, type Json } from './json-value.ts';

/** The property with the style of uMap; its older name, too. */
export const umapNames = ['_umap_options', '_storage_options'] as const;

/** Properties that say how a feature is drawn, not what it is. */
const styleProperties: ReadonlySet<string> = new Set([
  ...umapNames,
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'marker-color', 'marker-size', 'marker-symbol'],
]);

/** Members of a style as Leaflet has them. */
const leafletNames = ['color', 'fillColor', 'weight', 'opacity', 'fillOpacity'];
const isLeaflet = (value: unknown): value is Json => isObject(value) && leafletNames.some((name) => value[name] !== undefined);

/** True for a property that says how a feature is drawn. */
export const isStyle = (name: string, value: unknown): boolean =>
  styleProperties.has(name) || (name === 'style' && isLeaflet(value));

/** True for a feature of uMap, whose texts have marks. */
export const hasUmapStyle = (properties: Json): boolean => umapNames.some((name) => isObject(properties[name]));

type Style = Record<string, string | number>;

/** Numbers may be texts. */
const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number.parseFloat(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

/** The style of a feature; `undefined` if its properties say none. @param isPoint a marker has one colour */
export function styleOf(properties: Json, isPoint: boolean): Item['style'] | undefined {
  const style: Style = {};
  const colour = (value: unknown, to: string): void => {
    const parsed = typeof value === 'string' ? (parseColour(value) ?? parseColour(`#${value.trim()}`)) : undefined;
    if (parsed !== undefined) style[to] = hexWithAlpha(parsed);
  };
  const number = (value: unknown, to: string, least: number, most: number): void => {
    const found = numberOf(value);
    if (found !== undefined) style[to] = Math.max(least, Math.min(most, found));
  };
  const options = umapNames.map((name) => properties[name]).find(isObject) ?? [properties['style']].find(isLeaflet);
  if (options !== undefined) {
    colour(options['color'], 'color');
    if (!isPoint) {
      colour(options['color'], 'stroke_color');
      colour(options['fillColor'], 'color');
      number(options['opacity'], 'stroke_opacity', 0, 1);
      number(options['weight'], 'stroke_width', 0, widthMax);
      number(options['fill'] === false ? 0 : options['fillOpacity'], 'opacity', 0, 1);
    }
  }
  for (const name of ['marker-color', 'icon-color', 'fill']) colour(properties[name], 'color');
  colour(properties['stroke'], 'stroke_color');
  number(properties['fill-opacity'], 'opacity', 0, 1);
  number(properties['stroke-width'], 'stroke_width', 0, widthMax);
  number(properties['stroke-opacity'], 'stroke_opacity', 0, 1);
  return Object.keys(style).length === 0 ? undefined : style;
}

/** Pixels of an outline. */
const widthMax = 100;
