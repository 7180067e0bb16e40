/**
 * The path of a value in JSON: nodes of a tree from which the keys follow, and filters of an array on the way.
 *
 * Only own properties are read, and of an array only elements. A key that is no index is read from the first element.
 */
import { shownName } from '../../../lib/field-error.ts';
import { quoted } from '../evaluation-problems.ts';
import { isObject, listMember, member, type OpenObject, textMember } from '../open-json.ts';
import { type Comparison, comparisons, operatorNames } from './comparison.ts';
import { shownJson } from './live-value.ts';

interface Key {
  readonly name: string;
  /** If the name has the form of an index. */
  readonly index: number | undefined;
}

interface Filter {
  readonly keys: readonly Key[];
  readonly holds: Comparison;
  readonly value: unknown;
}

/** A path that cannot be followed: the pointer below the data path, and why. */
export interface Refusal {
  readonly below: string;
  readonly detail: string;
}

const indexForm = /^(?:0|[1-9]\d{0,8})$/;
const keyOf = (name: string): Key => ({ name, index: indexForm.test(name) ? Number(name) : undefined });

const noValue = Symbol('no value');

export class DataPath {
  readonly #keys: readonly Key[];
  readonly #filters: readonly Filter[];
  /** Where the last read ended without a value: a predicate such as `has no "taken"`. */
  reason = '';
  /** Steps that filters of the last read took. */
  filtered = 0;

  private constructor(keys: readonly Key[], filters: readonly Filter[]) {
    this.#keys = keys;
    this.#filters = filters;
  }

  /** Steps of a read without filters. */
  get steps(): number {
    return 1 + this.#keys.length;
  }

  /** The path that a `data_path` describes. */
  static from(json: unknown): DataPath | Refusal {
    const object = isObject(json) ? json : {};
    const keys = keysOf(object);
    if (!Array.isArray(keys)) return keys as Refusal;
    const filters: Filter[] = [];
    for (const [i, filter] of listMember(object, 'filters').entries()) {
      if (!isObject(filter)) return { below: `/filters/${i}`, detail: 'the filter is no object' };
      const operator = member(filter, 'operator') ?? 'equals';
      const holds = comparisons.get(operator);
      if (holds === undefined) {
        const detail = `there is no operator ${shownJson(operator)}; there are ${operatorNames}`;
        return { below: `/filters/${i}/operator`, detail };
      }
      const key = textMember(filter, 'key');
      filters.push({ keys: key === '' ? [] : key.split('.').map(keyOf), holds, value: member(filter, 'value') });
    }
    return new DataPath(keys, filters);
  }

  /** The value at the end; `undefined` if there is none. Filters hold for the last array that the path passes through. */
  read(root: unknown): unknown {
    this.filtered = 0;
    const keys = this.#keys;
    if (this.#filters.length === 0) return this.#walk(root, 0, keys.length);
    // Filters choose elements of the last array before the end, so the first walk finds out which one that is.
    let array = -1;
    let value = root;
    for (let i = 0; i < keys.length; i++) {
      if (Array.isArray(value)) array = i;
      value = step(value, keys[i] as Key);
      if (value === noValue) break;
    }
    if (array < 0) return this.#none('passes through no array that its filters could hold for');
    const list = this.#kept(this.#walk(root, 0, array) as readonly unknown[]);
    if (list.length === 0) return this.#none('has no item that satisfies its filters');
    return this.#walk(list, array, keys.length);
  }

  /** The array at the end, with the elements that satisfy the filters; an object gives its values. `undefined` if it is neither. */
  readList(root: unknown): readonly unknown[] | undefined {
    this.filtered = 0;
    const value = this.#walk(root, 0, this.#keys.length);
    if (value === undefined) return undefined;
    const list = Array.isArray(value) ? (value as unknown[]) : isObject(value) ? Object.values(value) : undefined;
    if (list === undefined) return this.#none('leads to no array or object');
    return this.#filters.length === 0 ? list : this.#kept(list);
  }

  #walk(root: unknown, from: number, to: number): unknown {
    let value = root;
    for (let i = from; i < to; i++) {
      const inner = step(value, this.#keys[i] as Key);
      if (inner === noValue) return this.#missing(i);
      value = inner;
    }
    return value === undefined ? this.#none('has no value') : value;
  }

  #missing(at: number): undefined {
    const name = quoted((this.#keys[at] as Key).name);
    if (at === 0) return this.#none(`has no ${name}`);
    const parent = this.#keys.slice(0, at).map(({ name }) => shownName(name));
    return this.#none(`has no ${name} in "${parent.join('.')}"`);
  }

  #none(reason: string): undefined {
    this.reason = reason;
    return undefined;
  }

  #kept(list: readonly unknown[]): readonly unknown[] {
    for (const { keys } of this.#filters) this.filtered += list.length * (1 + keys.length);
    return list.filter((item) =>
      this.#filters.every(({ keys, holds, value }) => {
        let found = item;
        for (const key of keys) found = step(found, key);
        return holds(found === noValue ? null : found, value) === true;
      }),
    );
  }
}

function step(value: unknown, { name, index }: Key): unknown {
  if (Array.isArray(value)) {
    if (index !== undefined) return index < value.length ? value[index] : noValue;
    value = value[0];
    if (Array.isArray(value)) return noValue;
  }
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : noValue;
}

function keysOf(path: OpenObject): Key[] | Refusal {
  const last = member(path, 'node_id');
  if (last === undefined || last === null || last === '') return [];
  const nodes = new Map<unknown, OpenObject>();
  for (const node of listMember(path, 'nodes')) if (isObject(node)) nodes.set(member(node, 'id'), node);
  const keys: Key[] = [];
  for (let id: unknown = last; id !== undefined && id !== null && id !== ''; ) {
    const node = nodes.get(id);
    if (node === undefined) return { below: '/node_id', detail: `the path has no node ${shownJson(id)}` };
    if (keys.length >= nodes.size) return { below: '/nodes', detail: 'the parents of the nodes form a circle' };
    const key = member(node, 'key');
    if (typeof key !== 'string' && typeof key !== 'number') {
      return { below: '/nodes', detail: `the node ${shownJson(id)} has no key` };
    }
    keys.push(keyOf(String(key)));
    id = member(node, 'parent');
  }
  return keys.reverse();
}
