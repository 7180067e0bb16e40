/** The categories in the settings of a project, which may have any form. */
import { isPlain } from '../../../lib/change/value-parts.ts';
import type { Members } from '../kinds/resource-kinds.ts';

/** The elements of `settings.public_map.categories`; none if it is no list. */
export function categoriesIn(settings: unknown): readonly unknown[] {
  const map = isPlain(settings) ? settings['public_map'] : undefined;
  const categories = isPlain(map) ? map['categories'] : undefined;
  return Array.isArray(categories) ? categories : [];
}

/** The texts that categories have as icons. */
export const iconsOfCategories = (settings: unknown): readonly string[] =>
  categoriesIn(settings).flatMap((category) => (hasIcon(category) ? [category.icon] : []));

export const hasIcon = (category: unknown): category is Members & { readonly icon: string } =>
  isPlain(category) && typeof category['icon'] === 'string' && category['icon'] !== '';
