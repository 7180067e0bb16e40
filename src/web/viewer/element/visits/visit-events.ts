/** The events inside the element that the part of visits counts. They stay in its shadow tree: no page sees them. */

export const detailsEvent = 'mapwright-details';
export const searchEvent = 'mapwright-search';

/** A query, and how many objects it has found. */
export interface SearchDetail {
  readonly query: string;
  readonly count: number;
}

/** The details of an object are shown. */
export const sayDetails = (element: HTMLElement, id: string): void =>
  void element.dispatchEvent(new CustomEvent<string>(detailsEvent, { detail: id, bubbles: true }));

export const saySearch = (element: HTMLElement, detail: SearchDetail): void =>
  void element.dispatchEvent(new CustomEvent<SearchDetail>(searchEvent, { detail, bubbles: true }));
