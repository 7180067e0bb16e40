/** Categories of objects by a column: their names, colours and icons. */
import { categoryLengthMax, otherColour } from '../../../lib/draw/public-map.ts';
import type { CategoryMapping, ConvertedCategory, KnownCategory } from '../conversion.ts';
import type { Notes } from '../notes.ts';
import type { Item } from '../read/file-data.ts';
import { shortened } from '../short-text.ts';
import { byFrequency, categoryPalette } from './value-colors.ts';

export interface Categories {
  /** The category of an item by the text in its column; for a text that is empty, one without a name. */
  of(text: string | undefined): Pick<ConvertedCategory, 'name' | 'color' | 'icon'>;
  /** The most frequent first. */
  readonly list: readonly ConvertedCategory[];
}

/** The most frequent colour of the items of each category, where the file has colours of its own. */
export function ownColours(column: string, items: readonly Item[]): readonly KnownCategory[] {
  const counts = new Map<string, Map<string, number>>();
  for (const { values, style, shapes } of items) {
    const name = nameOf(values.get(column));
    const color = shapes.every(({ kind }) => kind === 'line') ? style?.['stroke_color'] : style?.['color'];
    if (name === '' || typeof color !== 'string') continue;
    const ofName = counts.get(name) ?? new Map<string, number>();
    counts.set(name, ofName.set(color, (ofName.get(color) ?? 0) + 1));
  }
  return [...counts].map(([name, colors]) => {
    const [[color = ''] = []] = [...colors].sort(([, one], [, other]) => other - one);
    return { name, color: color.slice(0, 7) };
  });
}

const nameOf = (text: string | undefined): string => shortened(text?.trim() ?? '', categoryLengthMax);

/**
 * @param texts of the column, of all items
 * @param known those of the project, which keep their colours and icons
 * @throws {ConvertError} "columns" for a palette that does not exist
 */
export function categoriesOf(
  { column, palette }: CategoryMapping,
  texts: readonly (string | undefined)[],
  known: readonly KnownCategory[],
  notes: Notes,
): Categories {
  const counts = byFrequency(texts.map(nameOf));
  const entries = new Map(known.map((category) => [category.name, category]));
  const used = new Set(known.map(({ color = '' }) => color.toLowerCase()));
  const names = [...counts.keys()];
  const without = names.filter((name) => !entries.get(name)?.color);
  const free = categoryPalette(palette, without.length).filter((color) => !used.has(color));
  const colors = new Map(without.map((name, i) => [name, free[i] ?? otherColour]));
  const list = names.map((name): ConvertedCategory => {
    const { color, icon = '' } = entries.get(name) ?? {};
    return { name, count: counts.get(name) ?? 0, color: color || (colors.get(name) ?? otherColour), icon };
  });
  const grey = without.length - free.length;
  if (grey > 0) notes.add('categories', '', `The column "${column}" has more categories than colours: ${grey} are grey.`);
  if (texts.some((text = '') => text.trim().length > categoryLengthMax))
    notes.add('categories', '', `Categories of the column "${column}" are cut after ${categoryLengthMax} characters.`);
  const found = new Map(list.map((category) => [category.name, category]));
  return { of: (text) => found.get(nameOf(text)) ?? { name: '', color: otherColour, icon: '' }, list };
}
