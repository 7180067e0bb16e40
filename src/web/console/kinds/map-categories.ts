/** The categories of a project: those in its settings, which may have any form, and those that only objects name. */
import { isPlain } from '../../../lib/change/value-parts.ts';
import { publicMapOf } from './public-map-settings.ts';
import type { Members } from './resource-kinds.ts';

/** A category as the console shows it. Empty texts are not given. */
export interface MapCategory {
  readonly name: string;
  readonly label: string;
  /** Colour in the settings, or else of its first object. */
  readonly color: string;
  readonly icon: string;
  /** Visitors do not see its objects at first. */
  readonly isHidden: boolean;
}

/** The elements of `settings.public_map.categories`; none if it is no list. */
export function categoriesIn(settings: unknown): readonly unknown[] {
  const { categories } = publicMapOf(settings);
  return Array.isArray(categories) ? categories : [];
}

/** The texts that categories have as icons. */
export const iconsOfCategories = (settings: unknown): readonly string[] =>
  categoriesIn(settings).flatMap((category) => (hasIcon(category) ? [category.icon] : []));

export const hasIcon = (category: unknown): category is Members & { readonly icon: string } =>
  isPlain(category) && typeof category['icon'] === 'string' && category['icon'] !== '';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The colour that makes an object recognisable: of a line, that of its stroke. */
export const colourMember = ({ type, closed }: Members): 'color' | 'stroke_color' =>
  type === 'poly' && closed === false ? 'stroke_color' : 'color';

/** All categories: in the order of the settings, then those that only objects name, in the order of these. */
export function allCategories(settings: unknown, objects: Iterable<Members>): readonly MapCategory[] {
  const found = new Map<string, MapCategory>();
  for (const given of categoriesIn(settings)) {
    if (!isPlain(given) || textOf(given['name']) === '') continue;
    const { name, label, color, icon, hidden } = given;
    found.set(String(name), {
      name: String(name),
      label: textOf(label),
      color: textOf(color),
      icon: textOf(icon),
      isHidden: hidden === true,
    });
  }
  for (const object of objects) {
    const name = textOf(object['category']);
    const before = found.get(name);
    if (name === '' || (before !== undefined && before.color !== '')) continue;
    const color = textOf(object[colourMember(object)]);
    found.set(
      name,
      before === undefined ? { name, label: '', color, icon: textOf(object['icon']), isHidden: false } : { ...before, color },
    );
  }
  return [...found.values()];
}

/**
 * The members that change when an object gets a category: its colour and icon, unless the object has its own, which are those of no category.
 *
 * @param usual the colour of objects that never got one
 */
export function withCategory(object: Members, name: string, categories: readonly MapCategory[], usual: string): Members {
  const next = categories.find((each) => each.name === name);
  const colour = colourMember(object);
  const [color, icon] = [textOf(object[colour]), textOf(object['icon'])];
  const isOwnColour = color !== usual && categories.every((each) => each.color !== color);
  const isOwnIcon = icon !== '' && categories.every((each) => each.icon !== icon);
  return {
    category: name,
    ...(next === undefined || next.color === '' || isOwnColour ? {} : { [colour]: next.color }),
    ...(next === undefined || isOwnIcon ? {} : { icon: next.icon }),
  };
}
