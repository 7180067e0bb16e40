/**
 * The part of the viewer that tells the server that a map was opened, and what in it: counts alone, and nothing of the visitor. It stores nothing in
 * the browser, and sends nothing for visitors with Global Privacy Control.
 */
import { detailsEvent, type SearchDetail, searchEvent } from './visit-events.ts';

export interface VisitsPart {
  /**
   * Counts the visit of a map. Does nothing if it is counted already.
   *
   * @param address where the server counts
   * @param popup that may have the details of an object open
   */
  countVisit(
    element: HTMLElement,
    address: string,
    popup: { readonly id: string | undefined; readonly isDetailed: boolean },
  ): void;
}

/** How long a map must be visible before it counts as opened, in milliseconds. */
const openedMs = 2000;
/** Most places in one message. */
const placesMax = 20;

class Visit {
  readonly address: string;
  readonly #places = new Set<string>();
  #searches = 0;
  /** The last query that has found nothing. */
  #query: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOpened = false;

  constructor(root: ShadowRoot, address: string, open: string | undefined) {
    this.address = address;
    if (open !== undefined) this.#places.add(open);
    root.addEventListener(detailsEvent, this.#onDetails);
    root.addEventListener(searchEvent, this.#onSearch);
    document.addEventListener('visibilitychange', this.#onVisibility);
    this.end = () => {
      root.removeEventListener(detailsEvent, this.#onDetails);
      root.removeEventListener(searchEvent, this.#onSearch);
      document.removeEventListener('visibilitychange', this.#onVisibility);
      clearTimeout(this.#timer);
      this.#sendPlaces();
    };
    this.#onVisibility();
  }

  /** Counts nothing more. */
  readonly end: () => void;

  readonly #onDetails = (event: Event): void => void this.#places.add((event as CustomEvent<string>).detail);

  /** Text that is typed on after a query that has found nothing, or deleted from it, is the same search. */
  readonly #onSearch = (event: Event): void => {
    const { query, count } = (event as CustomEvent<SearchDetail>).detail;
    const before = this.#query;
    this.#query = count > 0 ? undefined : query;
    if (count === 0 && (before === undefined || !(query.startsWith(before) || before.startsWith(query)))) this.#searches++;
  };

  readonly #onVisibility = (): void => {
    clearTimeout(this.#timer);
    if (document.visibilityState === 'hidden') this.#sendPlaces();
    else if (!this.#isOpened)
      this.#timer = setTimeout(() => {
        this.#isOpened = true;
        this.#send({ opened: true });
      }, openedMs);
  };

  #sendPlaces(): void {
    const places = [...this.#places];
    const searches = Math.min(this.#searches, placesMax);
    this.#places.clear();
    this.#searches = 0;
    for (let at = 0; at < places.length || (at === 0 && searches > 0); at += placesMax)
      this.#send({ places: places.slice(at, at + placesMax), ...(at === 0 && searches > 0 && { searches }) });
  }

  #send(visit: object): void {
    navigator.sendBeacon(this.address, JSON.stringify(visit));
  }
}

const visits = new WeakMap<HTMLElement, Visit>();

export const countVisit: VisitsPart['countVisit'] = (element, address, { id, isDetailed }) => {
  const before = visits.get(element);
  const root = element.shadowRoot;
  const isRefused = (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true;
  if (before?.address === address || root === null || isRefused) return;
  before?.end();
  visits.set(element, new Visit(root, address, isDetailed ? id : undefined));
};
