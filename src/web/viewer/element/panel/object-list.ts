/**
 * Objects as buttons, below headings if they are in groups. Only the rows that are visible, and some on both sides of them, are in the document: an
 * artboard may have 100,000 objects. Without the attribute `list` it is not visible, but the keyboard and screen readers find it.
 */
import { make, setText } from '../dom.ts';
import { filledIn } from '../texts.ts';
import { type PanelTexts, panelTextsFor } from './visitor-texts.ts';

export interface ListedObject {
  readonly id: string;
  readonly name: string;
  /** Where it is, if it is on another artboard. */
  readonly place?: string | undefined;
  /** A second line: asked for when the row becomes visible. */
  note?(): string;
}

/** The name of the group of the rows that follow. */
export interface ListHeading {
  readonly heading: string;
  /** Different for groups of one name. */
  readonly key: string;
}

export type ListRow = ListedObject | ListHeading;

const isHeading = (row: ListRow | undefined): row is ListHeading => row !== undefined && 'heading' in row;
/** Two rows with one key are the same row. No identifier begins with a NUL. */
const keyOf = (row: ListRow | undefined): string | undefined =>
  row === undefined ? undefined : isHeading(row) ? `\0${row.key}` : row.id;
const idOf = (row: ListRow | undefined): string | undefined => (row === undefined || isHeading(row) ? undefined : row.id);

interface ObjectListOptions {
  /** Controls that scroll with the list, before it. */
  readonly controls: HTMLElement;
  /** The query has changed. */
  onQuery(query: string): void;
  /** Shows everything again. */
  onClear(): void;
  /** The objects that match a query, and how many were searched. */
  find(query: string): { readonly found: readonly ListRow[]; readonly total: number };
  onOpen(id: string): void;
  /** The keyboard has reached an object, or left the list. */
  onFocus(id: string | undefined): void;
  onHover(id: string | undefined): void;
  /** Escape, or the link that skips the list. */
  onLeave(): void;
}

/** Height of a row, and of one with a second line, in pixels. */
const rowHeights = { plain: 40, withNote: 56 };
/** Rows in the document before and after the visible ones. */
const margin = 12;
/** From this number of objects on, a link skips them. */
const skipFrom = 12;

export class ObjectList {
  readonly element: HTMLElement;
  readonly #options: ObjectListOptions;
  readonly #scroll = make('div', { className: 'rows' });
  readonly #rows = make('ul');
  readonly #skip = make('button', { type: 'button', className: 'skip' });
  readonly #search = make('input', { type: 'search', autocomplete: 'off', spellcheck: false });
  readonly #count = make('p', { className: 'count', attributes: { role: 'status' } });
  readonly #clear = make('button', { type: 'button', className: 'clear', hidden: true });
  readonly #summary = make('div', { className: 'summary' }, this.#count, this.#clear);
  readonly #shown = new Map<number, HTMLLIElement>();
  #rowPx = rowHeights.plain;
  /** How many objects there are besides those of `#all`, which conditions hide; `undefined` without conditions. */
  #hiddenTotal: number | undefined;
  #all: readonly ListRow[] = [];
  #filtered: readonly ListRow[] = [];
  /** Positions of headings in `#filtered`. */
  #headings: readonly number[] = [];
  #current: string | undefined;
  #texts: PanelTexts = panelTextsFor([]);
  /** The focus moves between rows without a change of what the keyboard has reached. */
  #isRenewing = false;

  constructor(options: ObjectListOptions) {
    this.#options = options;
    this.#scroll.append(options.controls, this.#rows);
    this.element = make('div', { className: 'places' }, this.#skip, this.#search, this.#summary, this.#scroll);
    this.#clear.addEventListener('click', () => {
      this.#search.value = '';
      options.onQuery('');
      options.onClear();
      this.#filter();
      this.#search.focus({ preventScroll: true });
    });
    this.#skip.addEventListener('click', () => options.onLeave());
    this.#search.addEventListener('input', () => {
      options.onQuery(this.#search.value.trim());
      this.#filter();
      // What was found begins at the top, wherever the list was before.
      this.#scroll.scrollTop = this.#search.value.trim() === '' ? 0 : this.#rows.offsetTop;
      this.#render();
    });
    this.#scroll.addEventListener('scroll', () => this.#render(), { passive: true });
    this.#rows.addEventListener('click', (event) => this.#with(event, (id) => options.onOpen(id)));
    this.#rows.addEventListener('pointerover', (event) => this.#with(event, (id) => options.onHover(id)));
    this.#rows.addEventListener('pointerleave', () => options.onHover(undefined));
    this.#rows.addEventListener('focusin', (event) => {
      if (!this.#isRenewing) this.#with(event, (id) => options.onFocus(id));
    });
    this.#rows.addEventListener('focusout', () => {
      if (!this.#isRenewing) options.onFocus(undefined);
    });
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
    this.texts = this.#texts;
  }

  set texts(texts: PanelTexts) {
    this.#texts = texts;
    this.#skip.textContent = texts.skip;
    this.#search.placeholder = texts.search;
    this.#search.setAttribute('aria-label', texts.search);
    this.#clear.textContent = texts.clear;
    this.#filter();
  }

  /** True if there is a field that filters the list. */
  set hasSearch(has: boolean) {
    this.#search.hidden = !has;
    if (!has) this.#search.value = '';
    this.#filter();
  }

  /** The query of an address. */
  set query(query: string) {
    if (this.#search.value.trim() === query) return;
    this.#search.value = query;
    this.#filter();
  }

  /** Moves the focus to the search. */
  focusSearch(): void {
    this.#search.focus({ preventScroll: true });
  }

  /**
   * Shows other rows, or other versions of them: rows of the same objects keep their place in the view, and the focus.
   *
   * @param hasNotes whether rows have a second line
   * @param hiddenTotal how many objects conditions hide; `undefined` without conditions
   */
  show(rows: readonly ListRow[], { hasNotes, hiddenTotal }: { hasNotes: boolean; hiddenTotal: number | undefined }): void {
    const rowPx = hasNotes ? rowHeights.withNote : rowHeights.plain;
    const isSame =
      rowPx === this.#rowPx &&
      hiddenTotal === this.#hiddenTotal &&
      rows.length === this.#all.length &&
      rows.every((row, at) => isSameRow(row, this.#all[at]));
    this.#all = rows;
    this.#hiddenTotal = hiddenTotal;
    // A query finds other texts of the same objects.
    if (isSame && this.#search.value === '') return;
    if (rowPx !== this.#rowPx) this.#resize(rowPx);
    this.#skip.hidden = rows.length < skipFrom;
    this.#filter(true);
  }

  #resize(rowPx: number): void {
    this.#rowPx = rowPx;
    this.#rows.style.setProperty('--_row', `${rowPx}px`);
    for (const row of this.#shown.values()) row.remove();
    this.#shown.clear();
  }

  /** The object whose popup is open. */
  set current(id: string | undefined) {
    this.#current = id;
    const at = id === undefined ? -1 : this.#filtered.findIndex((row) => idOf(row) === id);
    if (at !== -1) this.#scrollTo(at);
    for (const [at, row] of this.#shown) this.#mark(row, this.#filtered[at]);
  }

  /** Moves the focus to the row of an object; whether it has one. */
  focus(id: string): boolean {
    const at = this.#filtered.findIndex((row) => idOf(row) === id);
    if (at === -1) return false;
    this.#focusRow(at);
    return true;
  }

  /** @param step the direction in which the focus moves */
  #focusRow(at: number, step = 1): void {
    const last = this.#filtered.length - 1;
    let target = Math.max(0, Math.min(last, at));
    // A heading is no button: the next row in the same direction has the focus, or the one after the first heading.
    while (isHeading(this.#filtered[target]) && target < last) target += step < 0 && target > 0 ? -1 : 1;
    this.#scrollTo(target);
    this.#shown.get(target)?.querySelector('button')?.focus({ preventScroll: true });
  }

  /** Scrolls as little as needed for a row to be visible. */
  #scrollTo(at: number): void {
    const top = this.#rows.offsetTop + at * this.#rowPx;
    const { scrollTop, clientHeight } = this.#scroll;
    if (top < scrollTop) this.#scroll.scrollTop = top;
    else if (top + this.#rowPx > scrollTop + clientHeight) this.#scroll.scrollTop = top + this.#rowPx - clientHeight;
    this.#render();
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      event.stopPropagation();
      this.#options.onLeave();
      return;
    }
    if (event.target === this.#search) {
      if (this.#filtered.length === 0 || !['Enter', 'ArrowDown'].includes(event.key)) return;
      event.preventDefault();
      const first = idOf(this.#filtered.find((row) => !isHeading(row)));
      if (event.key === 'ArrowDown') this.#focusRow(0);
      else if (this.#search.value.trim() !== '' && first !== undefined) this.#options.onOpen(first);
      return;
    }
    const row = (event.target as Element).closest('li');
    if (row === null) return;
    const at = Number(row.dataset['at']);
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: this.#filtered.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.#focusRow(target, event.key === 'ArrowUp' ? -1 : 1);
  }

  #with(event: Event, act: (id: string) => void): void {
    const row = (event.target as Element).closest('li');
    const id = row === null ? undefined : idOf(this.#filtered[Number(row.dataset['at'])]);
    if (id !== undefined) act(id);
  }

  /** @param keepsPlace whether the first visible row stays where it is */
  #filter(keepsPlace = false): void {
    const wanted = this.#search.value.trim();
    const before = this.#filtered;
    const { found, total } = wanted === '' ? this.#unsearched : this.#options.find(wanted);
    this.#filtered = found;
    const headings: number[] = [];
    for (let at = 0; at < found.length; at++) if (isHeading(found[at])) headings.push(at);
    this.#headings = headings;
    const size = found.length - this.#headings.length;
    const hasSummary = wanted !== '' || this.#hiddenTotal !== undefined;
    const texts = this.#texts;
    const count = !hasSummary ? '' : size === 0 ? texts.nothingFound : filledIn(texts.found, { count: size, total });
    // Screen readers read it each time it is set.
    setText(this.#count, count);
    this.#count.hidden = !hasSummary;
    this.#summary.hidden = !hasSummary;
    this.#clear.hidden = this.#hiddenTotal === undefined;
    this.#renew(before, keepsPlace);
  }

  get #unsearched(): { found: readonly ListRow[]; total: number } {
    const size = this.#all.reduce((sum, row) => (isHeading(row) ? sum : sum + 1), 0);
    return { found: this.#all, total: size + (this.#hiddenTotal ?? 0) };
  }

  /** Keeps the rows of objects that are still listed. @param before what the rows show */
  #renew(before: readonly ListRow[], keepsPlace: boolean): void {
    const focused = [...this.#shown].find(([, row]) => row.matches(':focus-within'))?.[0];
    const rows = new Map([...this.#shown].map(([at, row]) => [keyOf(before[at]), row]));
    const { scrollTop } = this.#scroll;
    const rowPx = this.#rowPx;
    const top = Math.floor((scrollTop - this.#rows.offsetTop) / rowPx);
    const places = new Map<string | undefined, number>();
    for (let at = 0; at < this.#filtered.length && places.size < rows.size; at++) {
      const key = keyOf(this.#filtered[at]);
      if (rows.has(key) && !places.has(key)) places.set(key, at);
    }
    this.#isRenewing = true;
    this.#shown.clear();
    this.#rows.style.height = `${this.#filtered.length * rowPx}px`;
    for (const [key, row] of rows) if (!places.has(key)) row.remove();
    // From the last one: so each finds the next one in its place, and is moved only if their order has changed.
    for (const [key, at] of [...places].sort(([, a], [, b]) => b - a)) this.#put(rows.get(key) as HTMLLIElement, at);
    if (keepsPlace && top >= 0) this.#scroll.scrollTop = scrollTop + ((places.get(keyOf(before[top])) ?? top) - top) * rowPx;
    this.#render();
    this.#isRenewing = false;
    if (focused === undefined || this.#rows.matches(':focus-within')) return;
    // Its object is not listed any more: the next one has the focus.
    if (this.#filtered.length > 0) this.#focusRow(places.get(keyOf(before[focused])) ?? focused);
    else this.#options.onFocus(undefined);
  }

  /** Puts the visible rows into the document, and removes others, except one that has the focus. */
  #render(): void {
    const { scrollTop, clientHeight } = this.#scroll;
    const rowPx = this.#rowPx;
    const from = scrollTop - this.#rows.offsetTop;
    const first = Math.max(0, Math.floor(from / rowPx) - margin);
    const last = Math.min(this.#filtered.length - 1, Math.ceil((from + clientHeight) / rowPx) + margin);
    for (const [at, row] of this.#shown) {
      if ((at < first || at > last) && !row.matches(':focus-within')) {
        row.remove();
        this.#shown.delete(at);
      }
    }
    for (let at = first; at <= last; at++) if (!this.#shown.has(at)) this.#add(at);
  }

  #add(at: number): void {
    const isGroup = isHeading(this.#filtered[at]);
    this.#put(isGroup ? make('li', { className: 'heading' }) : make('li', {}, make('button', { type: 'button' })), at);
  }

  /** Makes an element the row of an object or a heading, in the document, whose order is that of the keyboard. */
  #put(row: HTMLLIElement, at: number): void {
    const item = this.#filtered[at] as ListRow;
    if (isHeading(item)) setText(row, item.heading);
    else this.#write(row, item, at);
    row.dataset['at'] = `${at}`;
    row.style.top = `${at * this.#rowPx}px`;
    this.#mark(row, item);
    this.#shown.set(at, row);
    const next = [...this.#shown.keys()].filter((other) => other > at);
    const after = next.length === 0 ? null : (this.#shown.get(Math.min(...next)) ?? null);
    // An element that is moved loses the focus.
    if (row.nextSibling !== after || row.parentNode === null) this.#rows.insertBefore(row, after);
  }

  #write(row: HTMLLIElement, item: ListedObject, at: number): void {
    const button = row.firstElementChild as HTMLButtonElement;
    const place = item.place === undefined ? '' : ` · ${item.place}`;
    const note = item.note?.() ?? '';
    if (button.textContent !== item.name + place + note) {
      const more = [...(place === '' ? [] : [span('place', place)]), ...(note === '' ? [] : [span('note', note)])];
      button.replaceChildren(item.name, ...more);
    }
    const before = this.#headings.findLastIndex((heading) => heading < at) + 1;
    row.setAttribute('aria-posinset', `${at + 1 - before}`);
    row.setAttribute('aria-setsize', `${this.#filtered.length - this.#headings.length}`);
  }

  #mark(row: HTMLLIElement, item: ListRow | undefined): void {
    const isCurrent = this.#current !== undefined && idOf(item) === this.#current;
    row.querySelector('button')?.setAttribute('aria-current', `${isCurrent}`);
  }

  /** Renders again after the list became visible or changed its size. */
  resized(): void {
    this.#render();
  }
}

const span = (className: string, textContent: string): HTMLElement => make('span', { className, textContent });

/** A second line may say something else. */
const isSameRow = (a: ListRow, b: ListRow | undefined): boolean => {
  if (a === b || b === undefined) return a === b;
  if (isHeading(a) || isHeading(b)) return keyOf(a) === keyOf(b) && isHeading(a) && isHeading(b) && a.heading === b.heading;
  return a.id === b.id && a.name === b.name && a.place === b.place && a.note === undefined && b.note === undefined;
};
