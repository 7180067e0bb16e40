/**
 * All interactive objects as buttons, in their order. Only the rows that are visible, and some on both sides of them, are in the document: an
 * artboard may have 100,000 objects. Without the attribute `list` it is not visible, but the keyboard and screen readers find it.
 */
import { make } from './dom.ts';
import { filledIn, type Texts } from './texts.ts';

interface ListedObject {
  readonly id: string;
  readonly name: string;
}

interface ObjectListOptions {
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
    this.#rows.addEventListener('focusin', (event) => this.#with(event, (id) => options.onFocus(id)));
    this.#rows.addEventListener('focusout', () => options.onFocus(undefined));
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

  set items(items: readonly ListedObject[]) {
    this.#all = items;
    this.#skip.hidden = items.length < skipFrom;
    this.#filter();
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

  #filter(): void {
    const wanted = folded(this.#search.value.trim());
    this.#filtered = wanted === '' ? this.#all : this.#all.filter(({ name }) => folded(name).includes(wanted));
    const texts = this.#texts;
    this.#count.textContent =
      wanted === ''
        ? ''
        : this.#filtered.length === 0
          ? texts.nothingFound
          : filledIn(texts.found, { count: this.#filtered.length, total: this.#all.length });
    this.#count.hidden = wanted === '';
    for (const row of this.#shown.values()) row.remove();
    this.#shown.clear();
    this.#rows.style.height = `${this.#filtered.length * rowPx}px`;
    this.#render();
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
    const item = this.#filtered[at] as ListedObject;
    const row = make(
      'li',
      { attributes: { 'aria-posinset': `${at + 1}`, 'aria-setsize': `${this.#filtered.length}` } },
      make('button', { type: 'button', textContent: item.name }),
    );
    row.dataset['at'] = `${at}`;
    row.style.top = `${at * rowPx}px`;
    this.#mark(row, item);
    this.#shown.set(at, row);
    // The order in the document is the order of the keyboard.
    const next = [...this.#shown.keys()].filter((other) => other > at);
    this.#rows.insertBefore(row, next.length === 0 ? null : (this.#shown.get(Math.min(...next)) ?? null));
  }

  #mark(row: HTMLLIElement, item: ListedObject | undefined): void {
    row.firstElementChild?.setAttribute('aria-current', `${item !== undefined && item.id === this.#current}`);
  }

  /** Renders again after the list became visible or changed its size. */
  resized(): void {
    this.#render();
  }
}

/** Without case and accents. */
const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
