/** Colours of objects by a column: one per category, or one per class of values, with the legend. */
import { smoothScale } from '../../../lib/draw/colour-scale.ts';
import { type Colour, parseColour } from '../../../lib/draw/css-colour.ts';
import { otherColour } from '../../../lib/draw/public-map.ts';
import { type ColorMapping, ConvertError, type LegendEntry } from '../conversion.ts';
import { classesRange, conversionDefaults } from '../conversion-defaults.ts';
import type { Notes } from '../notes.ts';
import { categoryColors, paletteDefault, paletteNames, scaleStops } from './palettes.ts';

export interface ValueColors {
  /** The colour of an item by the text in its column. */
  colorOf(text: string | undefined): string;
  readonly legend: readonly LegendEntry[];
}

/**
 * @param texts of the column, of all items
 * @param numberOf reads a number as the file writes it
 * @throws {ConvertError} "columns" for a palette or colour that does not exist
 */
export function valueColors(
  mapping: ColorMapping,
  texts: readonly (string | undefined)[],
  numberOf: (text: string | undefined) => number | undefined,
  notes: Notes,
): ValueColors {
  return mapping.by === 'value' ? byValue(mapping, texts, numberOf, notes) : byCategory(mapping, texts, notes);
}

/** Colours at positions from 0 to 1. */
function scaleOf({ palette, from, to }: ColorMapping): (position: number) => string {
  const name = palette ?? paletteDefault.value;
  const stops = from === undefined && to === undefined ? scaleStops(name) : [from ?? '#ffffff', to ?? '#1d4ed8'];
  if (stops === undefined) throw unknownPalette(name, paletteNames.value);
  return smoothScale(stops.map(colourOf) as [Colour, ...Colour[]]);
}

function colourOf(text: string): Colour {
  const colour = parseColour(text);
  if (colour === undefined)
    throw new ConvertError('columns', `"${text.slice(0, 40)}" is no colour: use a form of CSS such as #1d4ed8.`);
  return colour;
}

const unknownPalette = (name: string, names: readonly string[]): ConvertError =>
  new ConvertError('columns', `There is no palette "${name.slice(0, 40)}". There are: ${names.join(', ')}.`);

const isFilled = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

/** How often each text that is not empty occurs, the most frequent first. */
export function byFrequency(texts: readonly (string | undefined)[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) if (isFilled(text)) counts.set(text.trim(), (counts.get(text.trim()) ?? 0) + 1);
  return new Map([...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)));
}

/** The colours of a palette for so many categories. @throws {ConvertError} "columns" for a palette that does not exist */
export function categoryPalette(palette: string = paletteDefault.category, count: number): readonly string[] {
  const own = categoryColors(palette);
  if (own !== undefined) return own;
  const stops = scaleStops(palette);
  if (stops === undefined) throw unknownPalette(palette, paletteNames.category);
  const scale = smoothScale(stops.map(colourOf) as [Colour, ...Colour[]]);
  const most = Math.min(count, classesRange.most);
  return Array.from({ length: most }, (_, i) => scale(i / Math.max(1, most - 1)));
}

function byCategory({ palette, column }: ColorMapping, texts: readonly (string | undefined)[], notes: Notes): ValueColors {
  const byCount = [...byFrequency(texts).keys()];
  const named = byCount.slice(0, classesRange.most);
  const ofPalette = categoryPalette(palette, named.length);
  const colors = new Map(named.map((name, i) => [name, ofPalette[i] ?? otherColour]));
  if (byCount.length > named.length) {
    const detail = `The column "${column}" has ${byCount.length} categories; the ${named.length} most frequent have a colour, the others are grey.`;
    notes.add('categories', '', detail);
  }
  const legend = named.map((name) => ({ color: colors.get(name) as string, name }));
  const hasOthers = byCount.length > named.length || texts.some((text) => !isFilled(text));
  return {
    colorOf: (text) => colors.get(text?.trim() ?? '') ?? otherColour,
    legend: hasOthers ? [...legend, { color: otherColour, name: 'other' }] : legend,
  };
}

function byValue(
  mapping: ColorMapping,
  texts: readonly (string | undefined)[],
  numberOf: (text: string | undefined) => number | undefined,
  notes: Notes,
): ValueColors {
  const scale = scaleOf(mapping);
  const numbers = texts.flatMap((text) => numberOf(text) ?? []).sort((a, b) => a - b);
  const words = texts.filter((text) => isFilled(text) && numberOf(text) === undefined).length;
  if (numbers.length === 0)
    throw new ConvertError('columns', `The column "${mapping.column}" has no numbers: colour it by category.`);
  if (words > 0)
    notes.add('no-number', '', `${words} values of the column "${mapping.column}" are no numbers; their objects are grey.`);
  const wanted = Math.round(
    Math.max(classesRange.least, Math.min(classesRange.most, mapping.count ?? conversionDefaults.classes)),
  );
  const limits = mapping.steps === 'equal' ? equalLimits(numbers, wanted) : quantileLimits(numbers, wanted);
  const classes = limits.length + 1;
  const colors = Array.from({ length: classes }, (_, i) => scale(classes === 1 ? 1 : i / (classes - 1)));
  const [least, most] = [numbers[0] as number, numbers.at(-1) as number];
  const legend = colors.map((color, i) => ({ color, name: rangeText(limits[i - 1] ?? least, limits[i] ?? most) }));
  const hasOthers = numbers.length < texts.length;
  return {
    colorOf: (text) => {
      const value = numberOf(text);
      return value === undefined ? otherColour : (colors[limits.filter((limit) => value >= limit).length] as string);
    },
    legend: hasOthers ? [...legend, { color: otherColour, name: 'no value' }] : legend,
  };
}

/** Least values of all classes but the first, rising. */
function quantileLimits(sorted: readonly number[], count: number): number[] {
  const limits = Array.from({ length: count - 1 }, (_, i) => sorted[Math.floor(((i + 1) * sorted.length) / count)] as number);
  return limits.filter((limit, i) => limit > (limits[i - 1] ?? (sorted[0] as number)));
}

function equalLimits(sorted: readonly number[], count: number): number[] {
  const [least, most] = [sorted[0] as number, sorted.at(-1) as number];
  if (least === most) return [];
  // Halves first: the difference of two large numbers may be infinite.
  return Array.from({ length: count - 1 }, (_, i) => least * (1 - (i + 1) / count) + most * ((i + 1) / count));
}

const rangeText = (least: number, most: number): string =>
  least === most ? rounded(least) : `${rounded(least)} – ${rounded(most)}`;

/** Four significant digits are enough for a legend. */
const rounded = (value: number): string =>
  Math.abs(value) >= 1000 && Math.abs(value) < 1e15 ? String(Math.round(value)) : String(Number(value.toPrecision(4)));
