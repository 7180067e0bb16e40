/** The list with its search, and, as a panel, with categories and the fields that filter. It follows the map, the filter and the size of the element. */
import type { MapArtboard, MapObject } from '../../drawing/map-document.ts';
import { MapSearch } from '../search/map-search.ts';
import { fieldValue, type ShownMap } from '../shown-map.ts';
import { knownLanguages } from '../texts.ts';
import { saySearch } from '../visits/visit-events.ts';
import { type Counts, Facets, type Range } from './facets.ts';
import { FilterSections } from './filter-sections.ts';
import { type ListRow, ObjectList } from './object-list.ts';
import type { Panel, PanelHost, PanelState } from './panel-contract.ts';
import { panelSheet } from './panel-style.ts';
import { comparerOf, orderOfCategories, placedRows, rowsOf } from './place-rows.ts';
import { Sheet } from './sheet.ts';
import { type PanelTexts, panelTextsFor } from './visitor-texts.ts';

/** Computed once for each state of the map. */
interface Table {
  readonly shown: ShownMap;
  readonly languages: readonly string[];
  readonly facets: Facets;
  /** Names of categories. */
  readonly order: readonly string[];
  readonly examples: ReadonlyMap<string, MapObject>;
  readonly placed: Map<MapArtboard, ReturnType<typeof placedRows>>;
  compare(a: string, b: string): number;
}

export class MapPanel implements Panel {
  readonly #element: HTMLElement;
  readonly #host: PanelHost;
  readonly #search = new MapSearch();
  readonly #sections: FilterSections;
  readonly #list: ObjectList;
  readonly #sheet: Sheet;
  #state: PanelState | undefined;
  #table: Table | undefined;
  /** Everything on which the content of the panel depends, when it was shown last. */
  #shownFrom: readonly unknown[] = [];
  /** True if the sheet was collapsed before details opened it. */
  #wasCollapsed = false;

  constructor(element: HTMLElement, details: HTMLElement, host: PanelHost) {
    this.#element = element;
    this.#host = host;
    this.#sections = new FilterSections(host);
    this.#sheet = new Sheet({
      element,
      mapPx: () => element.parentElement?.clientHeight ?? 0,
      onHeight: (px) => host.onCovered(this.#isSheet ? px : 0),
    });
    this.#list = new ObjectList({
      controls: this.#sections.element,
      onQuery: (query) => {
        this.#sheet.open();
        host.filter.change({ query });
      },
      onClear: () => host.filter.clear(),
      find: (query) => this.#find(query),
      onOpen: (id) => host.onOpen(id),
      onFocus: (id) => host.onFocus(id),
      onHover: (id) => host.onHover(id),
      onLeave: () => this.#leave(),
    });
    host.addSheet(panelSheet());
    element.insertBefore(this.#sheet.handle, details);
    element.insertBefore(this.#list.element, details);
    element.addEventListener('focusin', ({ target }) => {
      if (this.#isSheet && target !== this.#sheet.handle) this.#sheet.open();
    });
  }

  /** True if the panel covers the lower part of a narrow map. */
  get #isSheet(): boolean {
    return this.#state?.isPanel === true && getComputedStyle(this.#element).position === 'absolute';
  }

  #leave(): void {
    if (this.#isSheet && this.#state?.current === undefined && this.#sheet.state !== 'collapsed') {
      this.#sheet.state = 'collapsed';
      this.#sheet.handle.focus({ preventScroll: true });
    } else this.#host.onLeave();
  }

  update(state: PanelState): void {
    const before = this.#state;
    this.#state = state;
    const { texts, languages, isPanel, hasField, current, isDetailed, shown, artboard } = state;
    const words = panelTextsFor(languages);
    if (texts !== before?.texts) this.#list.texts = words;
    this.#sheet.handle.setAttribute('aria-label', words.panel);
    this.#sheet.handle.hidden = !isPanel;
    this.#element.classList.toggle('detailed', isDetailed);
    if (hasField !== before?.hasField) this.#list.hasSearch = hasField;
    if (shown === undefined || artboard === undefined) {
      this.#shownFrom = [];
      this.#sections.hide();
      this.#list.show([], { hasNotes: false, hiddenTotal: undefined });
    } else if (this.#hasChanged()) {
      if (isPanel) this.#showPanel(shown, artboard, words);
      else this.#showList(shown, artboard);
    }
    if (isPanel) this.#list.query = this.#host.filter.state.query;
    if (current !== before?.current) this.#list.current = current;
    this.#followDetails(before);
    if (isPanel !== before?.isPanel) this.resized();
  }

  /** True if the panel shows other things than before: what is typed into its search changes nothing else. */
  #hasChanged(): boolean {
    const { off, conditions } = this.#host.filter.state;
    const { shown, artboard, texts, languages, isPanel } = this.#state as PanelState;
    const now = [shown, artboard, texts, languages, isPanel, off, conditions];
    const isSame = now.every((each, at) => each === this.#shownFrom[at]);
    this.#shownFrom = now;
    return !isSame;
  }

  /** A narrow map opens its sheet for details, and closes it after them. */
  #followDetails(before: PanelState | undefined): void {
    const isDetailed = this.#state?.isDetailed === true;
    if (!this.#isSheet || isDetailed === (before?.isDetailed === true)) return;
    if (isDetailed) {
      this.#wasCollapsed = this.#sheet.state === 'collapsed';
      this.#sheet.state = 'half';
    } else if (this.#wasCollapsed) this.#sheet.state = 'collapsed';
  }

  #showList(shown: ShownMap, artboard: MapArtboard): void {
    this.#sections.hide();
    const { texts } = this.#state as PanelState;
    const rows = artboard.objects.flatMap((object, at): ListRow[] =>
      shown.acts(object) ? [{ id: object.id, name: shown.titleOf(object, at, texts) }] : [],
    );
    this.#list.show(rows, { hasNotes: false, hiddenTotal: undefined });
  }

  #showPanel(shown: ShownMap, artboard: MapArtboard, texts: PanelTexts): void {
    const table = this.#tableOf(shown);
    const { facets, order, compare, examples, languages } = table;
    const { filter } = this.#host;
    const { map, filesBase } = shown.still;
    const labels = new Map(map.categories.map(({ name, label }) => [name, label]));
    const labelOf = (name: string): string => labels.get(name) ?? (name === '' ? texts.other : name);
    const counts = facets.count(filter.state, rangeOf(shown, artboard));
    this.#sections.update({
      ...{ map, icons: shown.icons, filesBase, facets, counts, order, examples, filter: filter.state },
      ...{ texts, languages, labelOf, compare },
    });
    this.#showRows(table, artboard, counts, labelOf);
  }

  #showRows(table: Table, artboard: MapArtboard, { passing }: Counts, labelOf: (name: string) => string): void {
    const { shown, order, compare, languages } = table;
    const { texts } = this.#state as PanelState;
    const placed = table.placed.get(artboard) ?? placedRows(artboard, { shown, texts, languages, order, compare });
    table.placed.set(artboard, placed);
    const hidden = placed.reduce((sum, { at }) => (passing[at] === 1 ? sum : sum + 1), 0);
    const hasNotes = shown.still.map.fields.some(({ show }) => show.includes('list'));
    const isEmpty = hidden > 0 && hidden === placed.length;
    this.#list.show(rowsOf(placed, passing, labelOf), {
      hasNotes,
      hiddenTotal: this.#host.filter.isActive || isEmpty ? hidden : undefined,
    });
  }

  #tableOf(shown: ShownMap): Table {
    const known = knownLanguages((this.#state as PanelState).languages);
    if (this.#table?.shown === shown && this.#table.languages.join() === known.join()) return this.#table;
    const compare = comparerOf(known);
    const { map } = shown.still;
    const objects = shown.artboards.flatMap(({ objects }) => objects);
    const facets = new Facets({
      objects,
      fields: map.fields.filter(({ show }) => show.includes('filter')),
      fieldValue,
      isPlace: (object) => shown.isPlace(object),
      isListed: (object) => shown.isListed(object),
    });
    const examples = new Map(objects.map((object): [string, MapObject] => [object.category, object]).reverse());
    const order = orderOfCategories(map.categories, facets.categories, compare);
    this.#table = { shown, languages: known, facets, order, examples, placed: new Map(), compare };
    // Its index takes longer than a query.
    setTimeout(() => this.#search.prepare({ shown, texts: (this.#state as PanelState).texts }));
    return this.#table;
  }

  #find(query: string) {
    const { shown, artboard, texts, isPanel } = this.#state as PanelState;
    const { filter } = this.#host;
    const result = this.#search.find(query, { shown, artboard, texts, passes: (object) => !isPanel || filter.passes(object) });
    saySearch(this.#element, { query, count: result.found.length });
    return result;
  }

  focus(id: string): boolean {
    return this.#list.focus(id);
  }

  focusSearch(): void {
    this.#list.focusSearch();
  }

  makeRoom(): void {
    if (this.#isSheet && this.#sheet.state === 'full') this.#sheet.state = 'half';
  }

  resized(): void {
    this.#sheet.layOut();
    this.#list.resized();
  }
}

/** The positions of the objects of an artboard among those of all. */
function rangeOf({ artboards }: ShownMap, artboard: MapArtboard): Range {
  let from = 0;
  for (const each of artboards) {
    if (each === artboard) break;
    from += each.objects.length;
  }
  return { from, to: from + artboard.objects.length };
}
