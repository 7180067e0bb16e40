/** The search of the map that is shown. Each state of the map has an index of its own, which its first query makes. */
import type { MapArtboard, MapObject } from '../../drawing/map-document.ts';
import type { ListedObject } from '../panel/object-list.ts';
import type { ShownMap } from '../shown-map.ts';
import { artboardTitle, type Texts } from '../texts.ts';
import { type FoundObject, SearchIndex } from './search-index.ts';

/** What is searched, and the artboard that the visitor sees. */
interface SearchScope {
  readonly shown: ShownMap | undefined;
  readonly artboard: MapArtboard | undefined;
  readonly texts: Texts;
  /** True if the visitor has not switched an object off. */
  passes(object: MapObject): boolean;
}

export class MapSearch {
  #index: SearchIndex | undefined;

  /** Reads the map, so that the first query is as fast as others. */
  prepare({ shown, texts }: Pick<SearchScope, 'shown' | 'texts'>): void {
    if (shown === undefined || this.#index?.shown === shown) return;
    this.#index = new SearchIndex(shown, (object, at) => shown.titleOf(object, at, texts));
  }

  /** The objects of all artboards that match a query, and how many were searched. */
  find(query: string, { shown, artboard, texts, passes }: SearchScope): { found: ListedObject[]; total: number } {
    this.prepare({ shown, texts });
    if (shown === undefined || this.#index === undefined) return { found: [], total: 0 };
    const isShown = ({ id, artboard }: FoundObject): boolean => {
      const object = shown.objectOf(id, artboard);
      return object === undefined || passes(object);
    };
    const found = this.#index
      .find(query, artboard?.id)
      .filter(isShown)
      .map(({ id, name, artboard: on }) => ({
        id,
        name,
        place: on.id === artboard?.id ? undefined : artboardTitle(on, shown.artboards.indexOf(on), texts),
      }));
    return { found, total: this.#index.size };
  }
}
