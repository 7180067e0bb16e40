/** Values with checkboxes and counts: categories, or the values of a field. Only the first ones are in the document; a field finds others. */
import { make, setText } from '../dom.ts';
import { folded } from '../search/folded.ts';
import { filledIn } from '../texts.ts';
import type { PanelTexts } from './visitor-texts.ts';

export interface CheckItem {
  readonly key: string;
  readonly label: string;
  readonly count: number;
  readonly isChecked: boolean;
  /** A picture before the label; made again when its look is another text. */
  readonly sign?: { readonly look: string; make(): Element };
}

interface CheckListOptions {
  onToggle(key: string, isChecked: boolean): void;
  /** Without it, there is no button that checks one value alone. */
  onOnly?(key: string): void;
}

/** Values in the document at a time. */
const shownMax = 200;
/** From this number of values on, a field finds them. */
const narrowFrom = 30;

interface Row {
  readonly element: HTMLElement;
  readonly box: HTMLInputElement;
  readonly label: HTMLElement;
  readonly count: HTMLElement;
  readonly only: HTMLButtonElement | undefined;
  /** The picture before the label, and its look; an empty place before there is one. */
  sign: Element;
  look: string | undefined;
}

export class CheckList {
  readonly #options: CheckListOptions;
  readonly #narrow = make('input', { type: 'search', className: 'narrow', autocomplete: 'off' });
  readonly #list = make('ul', { className: 'checks' });
  readonly #more = make('p', { className: 'more', hidden: true });
  readonly element = make('div', {}, this.#list, this.#more);
  #rows = new Map<string, Row>();
  #items: readonly CheckItem[] = [];
  #texts: PanelTexts | undefined;
  #format: (count: number) => string = String;

  constructor(options: CheckListOptions) {
    this.#options = options;
    this.#narrow.addEventListener('input', () => this.#render());
  }

  /** @param name of all values @param format of counts */
  show(
    items: readonly CheckItem[],
    { name, texts, format }: { name: string; texts: PanelTexts; format(count: number): string },
  ): void {
    this.#items = items;
    this.#texts = texts;
    this.#format = format;
    this.#list.setAttribute('aria-label', name);
    if (items.length < narrowFrom) this.#narrow.remove();
    else if (this.#narrow.parentNode === null) this.element.prepend(this.#narrow);
    const narrow = filledIn(texts.narrow, { name });
    this.#narrow.setAttribute('aria-label', narrow);
    this.#narrow.placeholder = narrow;
    this.#render();
  }

  #render(): void {
    const texts = this.#texts;
    if (texts === undefined) return;
    const wanted = folded(this.#narrow.parentNode === null ? '' : this.#narrow.value);
    const found = wanted === '' ? this.#items : this.#items.filter(({ label }) => folded(label).includes(wanted));
    const shown = found.slice(0, shownMax);
    const before = this.#rows;
    this.#rows = new Map(shown.map((item) => [item.key, before.get(item.key) ?? this.#create(item)]));
    for (const [key, { element }] of before) if (!this.#rows.has(key)) element.remove();
    let next: Element | null = this.#list.firstElementChild;
    for (const item of shown) {
      const row = this.#rows.get(item.key) as Row;
      this.#write(row, item, texts);
      // An element that is moved loses the focus.
      if (row.element === next) next = next.nextElementSibling;
      else this.#list.insertBefore(row.element, next);
    }
    this.#more.hidden = shown.length === found.length;
    setText(this.#more, filledIn(texts.more, { count: shown.length, total: found.length }));
  }

  #create({ key }: CheckItem): Row {
    const box = make('input', { type: 'checkbox', onchange: () => this.#options.onToggle(key, box.checked) });
    const [label, count] = [make('span', { className: 'term' }), make('span', { className: 'number' })];
    const { onOnly } = this.#options;
    const only = onOnly && make('button', { type: 'button', className: 'only', onclick: () => onOnly(key) });
    const sign = make('span', { hidden: true });
    const line = make('label', {}, box, sign, label, count);
    return {
      element: make('li', {}, line, ...(only === undefined ? [] : [only])),
      box,
      label,
      count,
      only,
      sign,
      look: undefined,
    };
  }

  #write(row: Row, item: CheckItem, texts: PanelTexts): void {
    const { element, box, label, count, only } = row;
    if (item.sign !== undefined && item.sign.look !== row.look) {
      const sign = item.sign.make();
      row.sign.replaceWith(sign);
      Object.assign(row, { sign, look: item.sign.look });
    }
    box.checked = item.isChecked;
    setText(label, item.label);
    setText(count, this.#format(item.count));
    element.classList.toggle('empty', item.count === 0);
    if (only === undefined) return;
    setText(only, texts.only);
    only.setAttribute('aria-label', filledIn(texts.onlyThis, { name: item.label }));
  }
}
