/** The controls of the panel above its list: categories, and the fields that filter. */
import { isDark } from '../../../../lib/draw/contrast.ts';
import { documentDefaults, type MapDocument, type MapObject, type PublicMap } from '../../drawing/map-document.ts';
import { make, setText } from '../dom.ts';
import type { FieldCondition } from '../filter/field-value.ts';
import type { FilterState, MapFilter } from '../filter/map-filter.ts';
import type { FilesBase } from '../loading/file-address.ts';
import { filledIn } from '../texts.ts';
import { categorySign } from './category-sign.ts';
import { type CheckItem, CheckList } from './check-list.ts';
import type { Counts, Facets } from './facets.ts';
import { type FieldControls, fieldControls, hasControls } from './field-controls.ts';
import type { PanelHost } from './panel-contract.ts';
import type { PanelTexts } from './visitor-texts.ts';

/** The content of the controls. */
export interface SectionsState {
  readonly map: Pick<PublicMap, 'description' | 'categories' | 'fields'>;
  readonly icons: MapDocument['icons'];
  readonly filesBase: FilesBase | undefined;
  readonly facets: Facets;
  readonly counts: Counts;
  /** Names of categories. */
  readonly order: readonly string[];
  /** An object of each category, whose colour one without a colour has. */
  readonly examples: ReadonlyMap<string, Pick<MapObject, 'color' | 'icon'>>;
  readonly filter: FilterState;
  readonly texts: PanelTexts;
  readonly languages: readonly string[];
  labelOf(category: string): string;
  compare(a: string, b: string): number;
}

type Section = ReturnType<typeof section>;

function section(className: string) {
  const title = make('summary');
  const body = make('div', { className: 'body' });
  return { title, body, element: make('details', { className, hidden: true }, title, body) };
}

export class FilterSections {
  readonly #host: Pick<PanelHost, 'colourOf'> & { readonly filter: MapFilter };
  readonly #categories: Section = section('section categories');
  readonly #fields: Section = section('section filters');
  readonly #all = make('button', { type: 'button', className: 'all' });
  readonly #checks: CheckList;
  readonly #controls = new Map<string, FieldControls>();
  readonly #description = make('p', { className: 'description', hidden: true });
  readonly element = make('div', { className: 'sections' }, this.#description, this.#categories.element, this.#fields.element);
  #order: readonly string[] = [];
  /** True if it is not decided yet which sections are open. */
  #isNew = true;

  constructor(host: Pick<PanelHost, 'colourOf' | 'filter'>) {
    this.#host = host;
    this.#checks = new CheckList({
      onToggle: (key, isChecked) => {
        const off = new Set(host.filter.state.off);
        if (isChecked) off.delete(key);
        else off.add(key);
        host.filter.change({ off });
      },
      onOnly: (key) => host.filter.change({ off: new Set(this.#order.filter((name) => name !== key)) }),
    });
    this.#all.addEventListener('click', () => host.filter.change({ off: new Set() }));
    this.#categories.body.append(this.#all, this.#checks.element);
  }

  hide(): void {
    this.element.hidden = true;
    this.#isNew = true;
  }

  update(state: SectionsState): void {
    this.element.hidden = false;
    const { description } = state.map;
    this.#description.hidden = description.trim() === '';
    setText(this.#description, description);
    this.#showCategories(state);
    this.#showFields(state);
    if (!this.#isNew) return;
    this.#isNew = false;
    this.#categories.element.open = true;
    this.#fields.element.open = this.#categories.element.hidden === true || state.filter.conditions.size > 0;
  }

  #showCategories(state: SectionsState): void {
    const { order, texts, counts, filter, labelOf, languages } = state;
    this.#order = order;
    this.#categories.element.hidden = order.every((name) => name === '');
    setText(this.#categories.title, texts.categories);
    setText(this.#all, texts.all);
    this.#all.disabled = order.every((name) => !filter.off.has(name));
    const items = order.map((key) => ({
      key,
      label: labelOf(key),
      count: counts.categories.get(key) ?? 0,
      isChecked: !filter.off.has(key),
      sign: this.#signOf(key, state),
    }));
    this.#checks.show(items, { name: texts.categories, texts, format: formatIn(languages) });
  }

  #signOf(name: string, { map, icons, examples, filesBase }: SectionsState): NonNullable<CheckItem['sign']> {
    const category = map.categories.find((each) => each.name === name);
    const example = examples.get(name);
    const { css, rgb } = this.#host.colourOf(category?.color || example?.color || '', documentDefaults.object.color);
    const icon = category?.icon || example?.icon || '';
    return {
      look: `${css} ${icon} ${icons.has(icon)}`,
      make: () => categorySign({ css, isDark: isDark(rgb), icon, icons, filesBase }),
    };
  }

  #showFields(state: SectionsState): void {
    const { map, facets, counts, filter, texts, languages, compare } = state;
    const byName = new Map(map.fields.map((field) => [field.name, field]));
    const shown = facets.fields.filter((facet) => hasControls(facet) || filter.conditions.has(facet.name));
    const before = new Map(this.#controls);
    this.#controls.clear();
    for (const facet of shown) {
      const { name } = facet;
      const field = byName.get(name);
      if (field === undefined) continue;
      const isRange = facet.keys === undefined;
      const known = before.get(name);
      const isKnown = known?.isRange === isRange && known.field.kind === field.kind && known.field.label === field.label;
      const controls = isKnown ? known : this.#create(field, facet);
      this.#controls.set(name, controls);
      controls.update({
        ...{ facet, texts, languages, compare, condition: filter.conditions.get(name) },
        ...{ counts: counts.values.get(name) ?? new Map(), format: formatIn(languages) },
      });
    }
    const elements = [...this.#controls.values()].map(({ element }) => element);
    // An element that is moved loses the focus.
    if (
      elements.length !== this.#fields.body.childElementCount ||
      elements.some((each, at) => each !== this.#fields.body.children[at])
    )
      this.#fields.body.replaceChildren(...elements);
    const { size } = filter.conditions;
    setText(this.#fields.title, size === 0 ? texts.filters : filledIn(texts.filtersOn, { count: size }));
    this.#fields.element.hidden = elements.length === 0;
  }

  #create(field: PublicMap['fields'][number], facet: Facets['fields'][number]): FieldControls {
    const { filter } = this.#host;
    const onChange = (condition: FieldCondition | undefined): void => {
      const conditions = new Map(filter.state.conditions);
      if (condition === undefined) conditions.delete(field.name);
      else conditions.set(field.name, condition);
      filter.change({ conditions });
    };
    return fieldControls({ field, onChange }, facet);
  }
}

const formats = new Map<string, (count: number) => string>();

function formatIn(languages: readonly string[]): (count: number) => string {
  const key = languages.join();
  const made = formats.get(key) ?? new Intl.NumberFormat([...languages]).format;
  formats.set(key, made);
  return made;
}
