/** The search of the map that is shown. Each state of the map has an index of its own, which its first query makes. */
import type { MapArtboard } from '../../drawing/map-document.ts';
import type { ListedObject } from '../object-list.ts';
import type { ShownMap } from '../shown-map.ts';
import { artboardTitle, type Texts } from '../texts.ts';
import { SearchIndex } from './search-index.ts';

/** What is searched, and the artboard that the visitor sees. */
interface SearchScope {
  readonly shown: ShownMap | undefined;
  readonly artboard: MapArtboard | undefined;
  readonly texts: Texts;
}

export class MapSearch {
  #index: SearchIndex | undefined;

  /** The objects of all artboards that match a query, and how many were searched. */
  find(query: string, { shown, artboard, texts }: SearchScope): { found: ListedObject[]; total: number } {
    if (shown === undefined) return { found: [], total: 0 };
    if (this.#index?.shown !== shown) this.#index = new SearchIndex(shown, (object, at) => shown.titleOf(object, at, texts));
    const found = this.#index.find(query, artboard?.id).map(({ id, name, artboard: on }) => ({
      id,
      name,
      place: on.id === artboard?.id ? undefined : artboardTitle(on, shown.artboards.indexOf(on), texts),
    }));
    return { found, total: this.#index.size };
  }
}
