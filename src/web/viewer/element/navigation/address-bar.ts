/**
 * What the map shows, in the address of its page, and what an address wants to be shown. Another artboard or object is an entry of the history;
 * what is typed or switched replaces the address.
 */
import { placeInLink } from '../../../../lib/draw/link-rules.ts';
import type { MapArtboard } from '../../drawing/map-document.ts';
import type { ViewBox } from '../../drawing/view/first-view.ts';
import { conditionIn, type FieldCondition, partsOf } from '../filter/field-value.ts';
import type { FilterState, MapFilter } from '../filter/map-filter.ts';
import type { ShownMap } from '../shown-map.ts';
import { addressIn, fragmentMax, fragmentWith, type MapAddress, wordFor } from './map-address.ts';
import { fragmentOfPage, putFragment } from './own-address.ts';

/** Browsers allow about a hundred changes in 30 seconds. */
const typingMs = 400;

interface AddressBarOptions {
  /** True if the address of the page is that of the map. */
  isUsed(): boolean;
  readonly filter: MapFilter;
  shown(): ShownMap | undefined;
  /** The artboard and the object that are shown now. @returns `isFirst`: true if the map begins with the artboard */
  visited(): { readonly artboard: MapArtboard | undefined; readonly isFirst: boolean; readonly object: string | undefined };
}

/** Where an address leads. */
export type Wanted =
  /** The whole fragment is an artboard or an object, or may be one that a live result creates. */
  { readonly kind: 'place'; readonly place: string } | { readonly kind: 'parameters'; readonly address: MapAddress };

export class AddressBar {
  readonly #options: AddressBarOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isQueued = false;

  constructor(options: AddressBarOptions) {
    this.#options = options;
  }

  /** `undefined` if the page's address is not that of the map. */
  get wanted(): Wanted | undefined {
    const fragment = this.#options.isUsed() ? fragmentOfPage() : undefined;
    if (fragment === undefined) return undefined;
    const place = placeInLink(`#${fragment}`);
    if (place !== undefined && (this.#leads(place) || !fragment.includes('='))) return { kind: 'place', place };
    return { kind: 'parameters', address: addressIn(fragment) };
  }

  #leads(place: string): boolean {
    const shown = this.#options.shown();
    return shown?.artboardAt(place) !== undefined || shown?.objectNamed(place, undefined) !== undefined;
  }

  /** The filter that an address wants. */
  filterOf({ off, query, conditions }: MapAddress): FilterState {
    const { initial } = this.#options.filter;
    const wanted = (this.#options.shown()?.still.map.fields ?? []).flatMap(({ name, kind, show }): [string, FieldCondition][] => {
      const parts = show.includes('filter') ? conditions.get(name) : undefined;
      const condition = parts && conditionIn(kind, parts);
      return condition === undefined ? [] : [[name, condition]];
    });
    return { off: off ?? initial.off, query, conditions: new Map(wanted) };
  }

  /** Writes what is shown, once all of it has changed. */
  put(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    queueMicrotask(() => {
      this.#isQueued = false;
      this.#write();
    });
  }

  #write(isLate = false): void {
    clearTimeout(this.#timer);
    const before = this.#options.isUsed() ? fragmentOfPage() : undefined;
    const shown = this.#options.shown();
    if (before === undefined || shown === undefined) return;
    const wanted = this.wanted;
    const isPlace = wanted?.kind === 'place' && this.#leads(wanted.place);
    const fields = new Set(shown.still.map.fields.map(({ name }) => name));
    const address = this.#addressOf(shown, undefined);
    const fragment = fragmentWith(isPlace ? '' : before, address, fields);
    if (fragment === before || fragment.length >= fragmentMax) return;
    const { artboard, place } = isPlace ? { artboard: undefined, place: wanted.place } : addressIn(before);
    const isVisit = artboard !== address.artboard || place !== address.place;
    if (isVisit || isLate) putFragment(fragment, isVisit);
    else this.#timer = setTimeout(() => this.#write(true), typingMs);
  }

  /** A fragment that leads to what is shown. @param view the part of the artboard; `undefined` for the object that is open, alone */
  fragmentOf(view: ViewBox | undefined): string {
    const shown = this.#options.shown();
    if (shown === undefined) return '';
    const address = this.#addressOf(shown, view);
    const alone = { ...addressIn(''), view };
    const fragment = fragmentWith('', view === undefined ? { ...alone, place: address.place } : address, new Set());
    if (fragment.length < fragmentMax) return fragment;
    // Names and filters that are too long to be read again.
    const { artboard, object } = this.#options.visited();
    return fragmentWith('', { ...alone, ...(view && { artboard: artboard?.id }), place: object }, new Set());
  }

  #addressOf(shown: ShownMap, view: ViewBox | undefined): MapAddress {
    const { filter, visited } = this.#options;
    const { artboard, isFirst, object } = visited();
    const { off, query, conditions } = filter.state;
    const kinds = new Map(shown.still.map.fields.map(({ name, kind }) => [name, kind]));
    return {
      artboard: artboard === undefined || (isFirst && view === undefined) ? undefined : wordFor(artboard, shown.artboards),
      place: object === undefined ? undefined : placeFor(object, shown),
      // Visitors move the map all the time: an address follows that only if they share it.
      view,
      off: filter.hasOtherCategories ? off : undefined,
      query,
      conditions: new Map([...conditions].map(([name, condition]) => [name, partsOf(kinds.get(name) ?? 'text', condition)])),
    };
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

function placeFor(id: string, shown: ShownMap): string {
  const objects = shown.artboards.flatMap(({ objects }) => objects);
  const object = objects.find((each) => each.id === id);
  return object === undefined ? id : wordFor(object, objects);
}
