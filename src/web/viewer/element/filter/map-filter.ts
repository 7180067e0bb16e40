/** The visitor's choice of categories, conditions on fields, and the text of the search. The map, the panel and the address follow it. */
import type { FieldKind } from '../../../../lib/draw/public-map.ts';
import { type MapObject, type PublicMap, propertyOf } from '../../drawing/map-document.ts';
import { type FieldCondition, fits } from './field-value.ts';

export interface FilterState {
  /** Names of categories that are switched off; '' for objects without a category. */
  readonly off: ReadonlySet<string>;
  /** By the names of fields. */
  readonly conditions: ReadonlyMap<string, FieldCondition>;
  readonly query: string;
}

/** The facts of an object that the filter needs. */
interface Judge {
  /** True if an object is a place, and no part of the picture such as a wall: conditions hide only places. */
  isPlace(object: MapObject): boolean;
  /** True if visitors find an object in the list. */
  isListed(object: MapObject): boolean;
}

/** Before the visitor changes anything. */
export const initialFilter = (categories: PublicMap['categories']): FilterState => ({
  off: new Set(categories.filter(({ hidden }) => hidden).map(({ name }) => name)),
  conditions: new Map(),
  query: '',
});

export class MapFilter {
  readonly #onChange: (hidesOthers: boolean) => void;
  #state: FilterState = { off: new Set(), conditions: new Map(), query: '' };
  #initial = this.#state;
  #kinds: ReadonlyMap<string, FieldKind> = new Map();
  #judge: Judge | undefined;

  /** @param onChange called after each change, and whether it may hide other objects */
  constructor(onChange: (hidesOthers: boolean) => void) {
    this.#onChange = onChange;
  }

  get state(): FilterState {
    return this.#state;
  }

  get initial(): FilterState {
    return this.#initial;
  }

  /** True if the visitor has switched categories. */
  get hasOtherCategories(): boolean {
    const [{ off }, { off: initial }] = [this.#state, this.#initial];
    return off.size !== initial.size || [...off].some((name) => !initial.has(name));
  }

  /** True if it hides more or other objects than at first. */
  get isActive(): boolean {
    const { off, conditions } = this.#state;
    return conditions.size > 0 || (off.size > 0 && this.hasOtherCategories);
  }

  /** Takes another version of a map. @param isFirst whether the map is shown for the first time: later, what the visitor has chosen stays */
  take({ categories, fields }: Pick<PublicMap, 'categories' | 'fields'>, judge: Judge, isFirst: boolean): void {
    this.#judge = judge;
    this.#kinds = new Map(fields.map(({ name, kind }) => [name, kind]));
    const isUntouched = this.#state.off === this.#initial.off;
    this.#initial = initialFilter(categories);
    if (isFirst) this.#state = this.#initial;
    else if (isUntouched) this.#state = { ...this.#state, off: this.#initial.off };
    // A condition that no control shows any more could not be removed.
    const filtered = new Set(fields.filter(({ show }) => show.includes('filter')).map(({ name }) => name));
    const kept = [...this.#state.conditions].filter(([name]) => filtered.has(name));
    if (kept.length < this.#state.conditions.size) this.#state = { ...this.#state, conditions: new Map(kept) };
  }

  change(changes: Partial<FilterState>): void {
    const { off, conditions } = this.#state;
    this.#state = { ...this.#state, ...changes };
    this.#onChange(this.#state.off !== off || this.#state.conditions !== conditions);
  }

  /** Shows all categories and removes all conditions. */
  clear(): void {
    this.change({ off: new Set(), conditions: new Map() });
  }

  /** Changes as little as is needed to show an object. */
  admit(object: MapObject): void {
    if (this.passes(object)) return;
    const off = new Set(this.#state.off);
    off.delete(object.category);
    const conditions = [...this.#state.conditions].filter(([name, condition]) => this.#fits(object, name, condition));
    this.change({ off, conditions: new Map(conditions) });
  }

  readonly passes = (object: MapObject): boolean => {
    const { off, conditions } = this.#state;
    const { category } = object;
    if (off.has(category) && (category !== '' || this.#judge?.isListed(object) === true)) return false;
    if (conditions.size === 0 || this.#judge?.isPlace(object) !== true) return true;
    for (const [name, condition] of conditions) if (!this.#fits(object, name, condition)) return false;
    return true;
  };

  #fits(object: MapObject, name: string, condition: FieldCondition): boolean {
    return fits(this.#kinds.get(name) ?? 'text', propertyOf(object, name), condition);
  }
}
