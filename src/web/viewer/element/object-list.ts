/**
 * All interactive objects as buttons, in their order. Only the rows that are visible, and some on both sides of them, are in the document: an
 * artboard may have 100,000 objects. Without the attribute `list` it is not visible, but the keyboard and screen readers find it.
 */
import { make } from './dom.ts';
import { filledIn, type Texts } from './texts.ts';

export interface ListedObject {
  readonly id: string;
  readonly name: string;
  /** Where it is, if it is on another artboard. */
  readonly place?: string | undefined;
}

interface ObjectListOptions {
  /** The objects that match a query, and how many were searched. */
  find(query: string): { readonly found: readonly ListedObject[]; readonly total: number };
  onOpen(id: string): void;
  /** The keyboard has reached an object, or left the list. */
  onFocus(id: string | undefined): void;
  onHover(id: string | undefined): void;
  /** Escape, or the link that skips the list. */
  onLeave(): void;
}

/** Height of a row, in pixels; the style sheet has the same. */
const rowPx = 40;
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
  readonly #shown = new Map<number, HTMLLIElement>();
  #all: readonly ListedObject[] = [];
  #filtered: readonly ListedObject[] = [];
  #current: string | undefined;
  #texts: Texts;
  /** The focus moves between rows without a change of what the keyboard has reached. */
  #isRenewing = false;

  constructor(texts: Texts, options: ObjectListOptions) {
    this.#texts = texts;
    this.#options = options;
    this.#scroll.append(this.#rows);
    this.element = make(
      'div',
      { className: 'list', attributes: { role: 'group', part: 'list' } },
      this.#skip,
      this.#search,
      this.#count,
      this.#scroll,
    );
    this.#skip.addEventListener('click', () => options.onLeave());
    this.#search.addEventListener('input', () => this.#filter());
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
    this.setTexts(texts);
  }

  setTexts(texts: Texts): void {
    this.#texts = texts;
    this.element.setAttribute('aria-label', texts.objects);
    this.#skip.textContent = texts.skip;
    this.#search.placeholder = texts.search;
    this.#search.setAttribute('aria-label', texts.search);
    this.#filter();
  }

  /** Whether there is a field that filters the list. */
  set hasSearch(has: boolean) {
    this.#search.hidden = !has;
    if (!has) this.#search.value = '';
    this.#filter();
  }

  /** Moves the focus to the search. */
  focusSearch(): void {
    this.#search.focus({ preventScroll: true });
  }

  /** Other objects, or other versions of them: rows of the same objects keep their place in the view, and the focus. */
  set items(items: readonly ListedObject[]) {
    const isSame =
      items.length === this.#all.length &&
      items.every(({ id, name }, at) => id === this.#all[at]?.id && name === this.#all[at]?.name);
    this.#all = items;
    // A query finds other texts of the same objects.
    if (isSame && this.#search.value === '') return;
    this.#skip.hidden = items.length < skipFrom;
    this.#filter(true);
  }

  /** The object whose popup is open. */
  set current(id: string | undefined) {
    this.#current = id;
    const at = id === undefined ? -1 : this.#filtered.findIndex((item) => item.id === id);
    if (at !== -1) this.#scrollTo(at);
    for (const [at, row] of this.#shown) this.#mark(row, this.#filtered[at]);
  }

  /** Moves the focus to the row of an object; whether it has one. */
  focus(id: string): boolean {
    const at = this.#filtered.findIndex((item) => item.id === id);
    if (at === -1) return false;
    this.#focusRow(at);
    return true;
  }

  #focusRow(at: number): void {
    const most = Math.max(0, Math.min(this.#filtered.length - 1, at));
    this.#scrollTo(most);
    this.#shown.get(most)?.querySelector('button')?.focus({ preventScroll: true });
  }

  /** Scrolls as little as needed for a row to be visible. */
  #scrollTo(at: number): void {
    const top = at * rowPx;
    const { scrollTop, clientHeight } = this.#scroll;
    if (top < scrollTop) this.#scroll.scrollTop = top;
    else if (top + rowPx > scrollTop + clientHeight) this.#scroll.scrollTop = top + rowPx - clientHeight;
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
      const [first] = this.#filtered;
      if (event.key === 'ArrowDown') this.#focusRow(0);
      else if (this.#search.value.trim() !== '' && first !== undefined) this.#options.onOpen(first.id);
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
    this.#focusRow(target);
  }

  #with(event: Event, act: (id: string) => void): void {
    const row = (event.target as Element).closest('li');
    const item = row === null ? undefined : this.#filtered[Number(row.dataset['at'])];
    if (item !== undefined) act(item.id);
  }

  /** @param keepsPlace whether the first visible row stays where it is */
  #filter(keepsPlace = false): void {
    const wanted = this.#search.value.trim();
    const before = this.#filtered;
    const { found, total } = wanted === '' ? { found: this.#all, total: 0 } : this.#options.find(wanted);
    this.#filtered = found;
    const texts = this.#texts;
    const count =
      wanted === ''
        ? ''
        : this.#filtered.length === 0
          ? texts.nothingFound
          : filledIn(texts.found, { count: this.#filtered.length, total });
    // Screen readers read it each time it is set.
    if (count !== this.#count.textContent) this.#count.textContent = count;
    this.#count.hidden = wanted === '';
    this.#renew(before, keepsPlace);
  }

  /** Keeps the rows of objects that are still listed. @param before what the rows show */
  #renew(before: readonly ListedObject[], keepsPlace: boolean): void {
    const focused = [...this.#shown].find(([, row]) => row.matches(':focus-within'))?.[0];
    const rows = new Map([...this.#shown].map(([at, row]) => [before[at]?.id, row]));
    const { scrollTop } = this.#scroll;
    const top = Math.floor(scrollTop / rowPx);
    const places = new Map<string | undefined, number>();
    for (const [at, { id }] of this.#filtered.entries()) if (rows.has(id) && !places.has(id)) places.set(id, at);
    this.#isRenewing = true;
    this.#shown.clear();
    this.#rows.style.height = `${this.#filtered.length * rowPx}px`;
    for (const [id, row] of rows) if (!places.has(id)) row.remove();
    // From the last one: so each finds the next one in its place, and is moved only if their order has changed.
    for (const [id, at] of [...places].sort(([, a], [, b]) => b - a)) this.#put(rows.get(id) as HTMLLIElement, at);
    if (keepsPlace) this.#scroll.scrollTop = scrollTop + ((places.get(before[top]?.id) ?? top) - top) * rowPx;
    this.#render();
    this.#isRenewing = false;
    if (focused === undefined || this.#rows.matches(':focus-within')) return;
    // Its object is not listed any more: the next one has the focus.
    if (this.#filtered.length > 0) this.#focusRow(places.get(before[focused]?.id) ?? focused);
    else this.#options.onFocus(undefined);
  }

  /** Puts the visible rows into the document, and removes others, except one that has the focus. */
  #render(): void {
    const { scrollTop, clientHeight } = this.#scroll;
    const first = Math.max(0, Math.floor(scrollTop / rowPx) - margin);
    const last = Math.min(this.#filtered.length - 1, Math.ceil((scrollTop + clientHeight) / rowPx) + margin);
    for (const [at, row] of this.#shown) {
      if ((at < first || at > last) && !row.matches(':focus-within')) {
        row.remove();
        this.#shown.delete(at);
      }
    }
    for (let at = first; at <= last; at++) if (!this.#shown.has(at)) this.#add(at);
  }

  #add(at: number): void {
    this.#put(make('li', {}, make('button', { type: 'button' })), at);
  }

  /** Makes an element the row of an object, in the document, whose order is that of the keyboard. */
  #put(row: HTMLLIElement, at: number): void {
    const item = this.#filtered[at] as ListedObject;
    const button = row.firstElementChild as HTMLButtonElement;
    const place = item.place === undefined ? '' : ` · ${item.place}`;
    if (button.textContent !== item.name + place)
      button.replaceChildren(item.name, ...(place === '' ? [] : [make('span', { className: 'place', textContent: place })]));
    row.setAttribute('aria-posinset', `${at + 1}`);
    row.setAttribute('aria-setsize', `${this.#filtered.length}`);
    row.dataset['at'] = `${at}`;
    row.style.top = `${at * rowPx}px`;
    this.#mark(row, item);
    this.#shown.set(at, row);
    const next = [...this.#shown.keys()].filter((other) => other > at);
    const after = next.length === 0 ? null : (this.#shown.get(Math.min(...next)) ?? null);
    // An element that is moved loses the focus.
    if (row.nextSibling !== after || row.parentNode === null) this.#rows.insertBefore(row, after);
  }

  #mark(row: HTMLLIElement, item: ListedObject | undefined): void {
    row.firstElementChild?.setAttribute('aria-current', `${item !== undefined && item.id === this.#current}`);
  }

  /** Renders again after the list became visible or changed its size. */
  resized(): void {
    this.#render();
  }
}
