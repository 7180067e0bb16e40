/**
 * Counts of the values of objects, for the controls of the panel. Each count says how many objects there would be with all conditions but those of
 * its own control. The values of each control are a column of codes, which is made once for each state of the map.
 */
import type { FieldKind, PropertyValue } from '../../../../lib/draw/public-map.ts';
import type { MapField, MapObject } from '../../drawing/map-document.ts';
import { type FieldCondition, fits, isInRange, isRanged, keyOf, numberIn } from '../filter/field-value.ts';
import type { FilterState } from '../filter/map-filter.ts';

/** The objects that are counted. */
export interface FacetSource {
  readonly objects: readonly MapObject[];
  /** Fields that filter. */
  readonly fields: readonly Pick<MapField, 'name' | 'kind'>[];
  fieldValue(object: MapObject, field: Pick<MapField, 'name'>): PropertyValue | undefined;
  isPlace(object: MapObject): boolean;
  isListed(object: MapObject): boolean;
}

/** Objects by their positions: from the first to before the second. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The different values of a control, by their codes. */
interface ValueColumn {
  readonly codes: Int32Array;
  readonly keys: readonly string[];
}

export interface FieldFacet {
  readonly name: string;
  readonly kind: FieldKind;
  /** `undefined` for a range. */
  readonly keys: readonly string[] | undefined;
  /** Of a range: its least and its greatest number; `undefined` without any. */
  readonly limits: readonly [number, number] | undefined;
}

export interface Counts {
  /** By the position of an object in the range: 1 if it passes all conditions. */
  readonly passing: Uint8Array;
  /** By the name of the category. */
  readonly categories: ReadonlyMap<string, number>;
  /** By the name of the field, and then by the key of the value. */
  readonly values: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

const none = -1;

/** @param keyAt the key of an object; `undefined` for none */
function columnOf(objects: readonly MapObject[], keyAt: (object: MapObject) => string | undefined): ValueColumn {
  const codes = new Int32Array(objects.length);
  const byKey = new Map<string, number>();
  objects.forEach((object, at) => {
    const key = keyAt(object);
    const code = key === undefined ? none : (byKey.get(key) ?? byKey.size);
    if (key !== undefined && code === byKey.size) byKey.set(key, code);
    codes[at] = code;
  });
  return { codes, keys: [...byKey.keys()] };
}

type FieldColumn = FieldFacet & { readonly values: ValueColumn | undefined; readonly numbers: Float64Array | undefined };

function fieldColumn({ objects, fieldValue }: FacetSource, field: Pick<MapField, 'name' | 'kind'>): FieldColumn {
  const { name, kind } = field;
  if (!isRanged(kind)) {
    const values = columnOf(objects, (object) => {
      const value = fieldValue(object, field);
      return value === undefined ? undefined : keyOf(value);
    });
    return { name, kind, keys: values.keys, limits: undefined, values, numbers: undefined };
  }
  const numbers = Float64Array.from(objects, (object) => numberIn(kind, fieldValue(object, field)) ?? Number.NaN);
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const number of numbers) {
    if (number < least) least = number;
    if (number > most) most = number;
  }
  return { name, kind, keys: undefined, limits: least <= most ? [least, most] : undefined, values: undefined, numbers };
}

/** Says of the object at a position whether it fulfils a condition. */
type Check = (at: number) => boolean;

export class Facets {
  readonly #columns: readonly FieldColumn[];
  readonly #categories: ValueColumn;
  /** 1 for objects that conditions on fields can hide. */
  readonly #places: Uint8Array;

  constructor(source: FacetSource) {
    const { objects, fields } = source;
    this.#categories = columnOf(objects, (object) =>
      object.category !== '' || source.isListed(object) ? object.category : undefined,
    );
    this.#places = Uint8Array.from(objects, (object) => (source.isPlace(object) ? 1 : 0));
    this.#columns = fields.map((field) => fieldColumn(source, field));
  }

  /** The names of all categories that objects have. */
  get categories(): readonly string[] {
    return this.#categories.keys;
  }

  get fields(): readonly FieldFacet[] {
    return this.#columns;
  }

  count({ off, conditions }: Pick<FilterState, 'off' | 'conditions'>, { from, to }: Range): Counts {
    const isOn = this.#categories.keys.map((name) => !off.has(name));
    const { codes } = this.#categories;
    const checks = this.#columns.map((column) => checkOf(column, conditions.get(column.name)));
    const conditional = checks.flatMap((check, at) => (check === undefined ? [] : [{ check, at }]));
    const passing = new Uint8Array(to - from);
    const categories = new Int32Array(this.#categories.keys.length);
    const values = this.#columns.map(({ keys }) => new Int32Array(keys?.length ?? 0));
    const add = (counts: Int32Array | undefined, code: number | undefined): void => {
      if (counts !== undefined && code !== undefined && code !== none) counts[code] = (counts[code] as number) + 1;
    };
    const all = this.#columns.map((_, at) => at);
    for (let at = from; at < to; at++) {
      const category = codes[at] as number;
      const hasCategory = category === none || isOn[category] === true;
      let missed = none;
      let misses = hasCategory ? 0 : 1;
      if (this.#places[at] === 1)
        for (const { check, at: column } of conditional)
          if (!check(at)) {
            missed = column;
            misses++;
          }
      if (misses > 1) continue;
      if (misses === 0) passing[at - from] = 1;
      // An object that misses one condition is counted by the control of that condition only.
      if (missed === none) add(categories, category);
      if (hasCategory)
        for (const column of missed === none ? all : [missed]) add(values[column], this.#columns[column]?.values?.codes[at]);
    }
    const named = (keys: readonly string[], counts: Int32Array | undefined) =>
      new Map(keys.map((key, code) => [key, counts?.[code] ?? 0]));
    return {
      passing,
      categories: named(this.#categories.keys, categories),
      values: new Map(this.#columns.map(({ name, keys }, at) => [name, named(keys ?? [], values[at])])),
    };
  }
}

/** `undefined` without a condition. */
function checkOf({ kind, values, numbers }: FieldColumn, condition: FieldCondition | undefined): Check | undefined {
  if (condition === undefined) return undefined;
  if (condition.kind === 'range') return (at) => isInRange(numbers?.[at] ?? Number.NaN, condition);
  const isFulfilled = (values?.keys ?? []).map((key) => fits(kind, key, condition));
  return (at) => isFulfilled[values?.codes[at] ?? none] === true;
}
