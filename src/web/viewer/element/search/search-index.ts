/** Finds objects of all artboards by their names, by what their popups say, and by their fields. */
import { type MapArtboard, type MapObject, type MapPopup, nameOf } from '../../drawing/map-document.ts';
import { folded, textOf } from './folded.ts';

/** Characters of a popup that are searched. */
const contentMax = 100_000;

export interface FoundObject {
  readonly id: string;
  readonly name: string;
  readonly artboard: MapArtboard;
}

/** What is searched. */
interface Searched {
  readonly artboards: readonly MapArtboard[];
  /** Whether visitors can find an object at all. */
  responds(object: MapObject): boolean;
  popupOf(objectId: string): MapPopup | undefined;
  /** More text of an object. */
  searchedText?(object: MapObject): string;
}

interface Entry extends FoundObject {
  /** Folded, with a blank before it, so that a word begins with a blank. */
  readonly nameText: string;
  readonly popupText: string;
}

export class SearchIndex {
  /** The state of the map that was searched. */
  readonly shown: Searched;
  readonly #entries: readonly Entry[];

  /** @param titleOf what visitors call an object. @param at its position on its artboard */
  constructor(shown: Searched, titleOf: (object: MapObject, at: number) => string) {
    this.shown = shown;
    this.#entries = shown.artboards.flatMap((artboard) =>
      artboard.objects.flatMap((object, at) => {
        if (!shown.responds(object)) return [];
        const { title = '', content = '', buttonText = '' } = shown.popupOf(object.id) ?? {};
        return [
          {
            id: object.id,
            name: titleOf(object, at),
            artboard,
            nameText: ` ${folded(nameOf(object))}`,
            popupText: ` ${folded(`${title} ${textOf(content.slice(0, contentMax))} ${buttonText} ${shown.searchedText?.(object) ?? ''}`)}`,
          },
        ];
      }),
    );
  }

  /** How many objects are searched. */
  get size(): number {
    return this.#entries.length;
  }

  /**
   * The objects that have all words of a query: first those whose names begin with it, then those with it at the beginning of a word, then other
   * names, then popups; in each of these, those of an artboard before others.
   *
   * @param current the preferred artboard, by its identifier
   */
  find(query: string, current: string | undefined): FoundObject[] {
    const wanted = folded(query);
    const words = wanted.split(' ');
    const ranked: Entry[][] = Array.from({ length: 8 }, () => []);
    for (const entry of this.#entries) {
      const { nameText, popupText, artboard } = entry;
      if (!words.every((word) => nameText.includes(word) || popupText.includes(word))) continue;
      const isName = words.every((word) => nameText.includes(word));
      const rank = nameText.startsWith(` ${wanted}`) ? 0 : nameText.includes(` ${wanted}`) ? 1 : isName ? 2 : 3;
      ranked[2 * rank + (artboard.id === current ? 0 : 1)]?.push(entry);
    }
    return ranked.flat();
  }
}
