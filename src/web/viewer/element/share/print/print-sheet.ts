/** The paper: title, map, the meaning of its colours, scale, credit, address and date; and below them the places with their numbers. */
import { make } from '../../dom.ts';
import { filledIn } from '../../texts.ts';
import type { ShareTexts } from '../share-texts.ts';
import type { ListedPlaces } from './listed-places.ts';
import { type Orientation, pageStyle, printId, sheetStyle } from './print-style.ts';
import type { ScaleBar } from './scale-bar.ts';

/** A longer key comes after the map, on other pages: share of the height of the first one. */
const keyShare = 0.3;

interface SheetContent {
  readonly title: string;
  /** The name of the artboard; '' for none. */
  readonly subtitle: string;
  readonly key: HTMLElement | undefined;
  /** The lines of the footer, of which some may be ''. */
  readonly notes: readonly string[];
  readonly date: string;
  /** Preferred languages of the visitor. */
  readonly languages: readonly string[];
  readonly orientation: Orientation;
}

interface PlaceWords {
  readonly words: ShareTexts;
  /** The name of a category for visitors. */
  labelOf(category: string): string;
}

export class PrintSheet {
  readonly #host = make('div', { id: printId });
  readonly #sheet = make('div', { className: 'sheet' });
  readonly #map = make('div', { className: 'map' });
  readonly #footer: HTMLElement;
  readonly #pageStyle: CSSStyleSheet;

  /** The sheet is in the page from now on, but only on paper. */
  constructor({ title, subtitle, key, notes, date, languages, orientation }: SheetContent) {
    const root = this.#host.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheetStyle()];
    root.append(this.#sheet);
    this.#pageStyle = pageStyle(orientation);
    this.#host.lang = languages[0] ?? '';
    this.#host.setAttribute('aria-hidden', 'true');
    this.#footer = make(
      'footer',
      {},
      ...notes.filter((note) => note !== '').map((textContent) => make('span', { textContent })),
      make('span', { className: 'date', textContent: date }),
    );
    const head = make('header', {}, make('h1', { textContent: title }), make('p', { textContent: subtitle }));
    const first = make('section', { className: `first ${orientation}` }, head, this.#map, ...(key ? [key] : []), this.#footer);
    this.#sheet.append(first);
    document.adoptedStyleSheets.push(this.#pageStyle);
    document.body.append(this.#host);
    if (key === undefined || key.offsetHeight <= keyShare * first.offsetHeight) return;
    key.classList.add('long');
    first.after(key);
  }

  /** False if the page has removed it. */
  get isThere(): boolean {
    return this.#host.isConnected;
  }

  /** The size of the map, in CSS pixels. */
  get mapSize(): readonly [width: number, height: number] {
    return [this.#map.clientWidth, this.#map.clientHeight];
  }

  putMap(canvas: HTMLCanvasElement): void {
    this.#map.replaceChildren(canvas);
  }

  putScale({ width, label }: ScaleBar): void {
    const bar = make('span', { className: 'scale', textContent: label });
    bar.style.inlineSize = `${width}px`;
    this.#footer.prepend(bar);
  }

  putPlaces({ groups, total }: ListedPlaces, numberOf: ReadonlyMap<string, number>, { words, labelOf }: PlaceWords): void {
    if (groups.length === 0) return;
    const hasHeadings = groups.some(({ category }) => category !== '');
    const count = groups.reduce((sum, { places }) => sum + places.length, 0);
    const columns = groups.flatMap(({ category, places }) => [
      ...(hasHeadings ? [make('h3', { textContent: labelOf(category) })] : []),
      make(
        'ol',
        {},
        ...places.map(({ id, name, note }) => {
          const number = numberOf.get(id);
          const text = make('span', {}, name, ...(note === '' ? [] : [make('small', { textContent: note })]));
          return make('li', {}, make('b', { textContent: `${number ?? ''}` }), text);
        }),
      ),
    ]);
    const more = filledIn(words.more, { count, total });
    this.#sheet.append(
      make(
        'section',
        { className: 'places' },
        make('h2', { textContent: words.places }),
        make('div', { className: 'columns' }, ...columns),
        ...(count < total ? [make('p', { className: 'more', textContent: more })] : []),
      ),
    );
  }

  remove(): void {
    this.#host.remove();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#pageStyle);
  }
}
