/** The places that are visible on a map, as the paper lists them: in groups by category, as the panel does. */
import type { Drawing } from '../../../drawing/drawing.ts';
import { type MapArtboard, nameOf } from '../../../drawing/map-document.ts';
import { comparerOf, orderOfCategories, placedRows } from '../../panel/place-rows.ts';
import { knownLanguages } from '../../texts.ts';
import type { ShareHost } from '../share-contract.ts';

/** More places have neither a number nor a line in the list. */
export const listedMax = 500;

export interface ListedPlace {
  readonly id: string;
  readonly name: string;
  readonly note: string;
}

export interface ListedGroup {
  /** The name of the category, '' for none. */
  readonly category: string;
  readonly places: readonly ListedPlace[];
}

export interface ListedPlaces {
  readonly groups: readonly ListedGroup[];
  /** How many are visible. */
  readonly total: number;
}

/** @param size of the map, in pixels */
export function listedPlaces(
  host: ShareHost,
  artboard: MapArtboard,
  drawing: Drawing,
  size: readonly [number, number],
): ListedPlaces {
  const { source, language } = host;
  const { shown } = source;
  if (shown === undefined) return { groups: [], total: 0 };
  const languages = knownLanguages(language().languages);
  const compare = comparerOf(languages);
  const used = [...new Set(artboard.objects.map(({ category }) => category))];
  const rows = placedRows(artboard, {
    ...{ texts: language().texts, languages, compare, order: orderOfCategories(shown.still.map.categories, used, compare) },
    shown: {
      // On paper nothing can be clicked: a name is enough to be listed.
      isListed: (object) => shown.isListed(object) || (shown.responds(object) && nameOf(object) !== ''),
      titleOf: (object, at, texts) => shown.titleOf(object, at, texts),
      fieldsOf: (object, place) => shown.fieldsOf(object, place),
    },
  });
  // A country of many islands is one place: the number is at the largest one.
  const places = new Map<string, ListedPlace & { readonly category: string; readonly area: number }>();
  for (const { category, row } of rows) {
    const area = visibleArea(drawing, row.id, size);
    if (area === undefined) continue;
    const place = { id: row.id, name: row.name, note: row.note?.() ?? '', category, area };
    const key = JSON.stringify([category, place.name, place.note]);
    const before = places.get(key);
    if (before === undefined || before.area < place.area) places.set(key, place);
  }
  const groups = new Map<string, ListedPlace[]>();
  for (const place of [...places.values()].slice(0, listedMax)) {
    const group = groups.get(place.category) ?? [];
    groups.set(place.category, group);
    group.push(place);
  }
  return { groups: [...groups].map(([category, members]) => ({ category, places: members })), total: places.size };
}

/** The area of the box of an object, in square pixels; `undefined` for one that is hidden, or not on the map. */
function visibleArea(drawing: Drawing, id: string, [width, height]: readonly [number, number]): number | undefined {
  const box = drawing.boxOf(id);
  if (box === undefined || box.right <= 0 || box.bottom <= 0 || box.left >= width || box.top >= height) return undefined;
  return (box.right - box.left) * (box.bottom - box.top);
}
