/** The meaning of the colours and signs of a map, as a list: of its categories, or else its legend. */
import { isDark } from '../../../../../lib/draw/contrast.ts';
import { documentDefaults, type MapObject } from '../../../drawing/map-document.ts';
import { make } from '../../dom.ts';
import { categorySign } from '../../panel/category-sign.ts';
import type { ShareHost } from '../share-contract.ts';

/** @param used names of the categories on the paper @returns `undefined` if nothing must be explained */
export function mapKey(
  host: ShareHost,
  used: ReadonlySet<string>,
  labelOf: (category: string) => string,
): HTMLElement | undefined {
  const { source, stage } = host;
  const { map } = source.shown?.still ?? {};
  if (map === undefined) return undefined;
  const categories = map.categories.filter(({ name }) => used.has(name));
  const items =
    categories.length > 0
      ? categories.map((category) => make('li', {}, signOf(host, category), labelOf(category.name)))
      : legendItems(stage.element);
  return items.length === 0 ? undefined : make('ul', { className: 'legend' }, ...items);
}

function signOf({ source, colourOf }: ShareHost, category: Pick<MapObject, 'name' | 'color' | 'icon'>): HTMLElement {
  const { shown } = source;
  const { color, icon } = category;
  const example = shown?.artboards.flatMap(({ objects }) => objects).find((object) => object.category === category.name);
  const { css, rgb } = colourOf(color || example?.color || '', documentDefaults.object.color);
  return categorySign({
    ...{ css, isDark: isDark(rgb), icon: icon || example?.icon || '' },
    ...{ icons: shown?.icons ?? new Map(), filesBase: shown?.still.filesBase },
  });
}

/** The entries of the legend of the map, with their colours. */
function legendItems(view: HTMLElement): HTMLElement[] {
  const legend = view.querySelector<HTMLElement>('.legend:not([hidden])');
  return [...(legend?.querySelectorAll('li') ?? [])].map((entry) => {
    const swatch = make('span', { className: 'swatch' });
    swatch.style.background = entry.querySelector<HTMLElement>('.swatch')?.style.background ?? '';
    return make('li', {}, swatch, entry.textContent ?? '');
  });
}
