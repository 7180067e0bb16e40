/**
 * Serializes a host's values as JSON. `JSON.stringify` alone turns values that JSON cannot represent into null or omits them, so that the
 * stored value would differ. Here they are rejected, with a pointer.
 *
 * | in a body | stored as |
 * |---|---|
 * | plain objects, arrays, strings, finite numbers, booleans, null | themselves |
 * | an object with a method `toJSON`, such as a Date | what that returns, if it is one of the above |
 * | a member that is undefined | nothing: it is left out |
 * | anything else: NaN, functions, symbols, bigints, instances of classes (Map, Set), undefined in an array, cycles | nothing: refused |
 */
import { isDate } from 'node:util/types';
import { problems } from '../../http/problem.ts';
import { type FieldError, fieldErrorsMax, pointerOf, shownName } from '../../lib/field-error.ts';
import { jsonContainersMax, jsonDepthMax } from '../../lib/json/json.ts';

interface JsonBounds {
  /** Maximum nesting of containers: `[[1]]` has 2 levels. */
  readonly depthMax: number;
  /** Maximum number of objects and arrays. */
  readonly containersMax: number;
}

/** Bounds of a body, which is parsed in one step. */
export const bodyBounds: JsonBounds = { depthMax: jsonDepthMax, containersMax: jsonContainersMax };

/** Bounds of an imported document, which is parsed in parts: each part may be as deep as a body, some levels down. */
export const documentBounds: JsonBounds = { depthMax: 2 * jsonDepthMax, containersMax: Number.POSITIVE_INFINITY };

/**
 * @returns the JSON of a value; `undefined` for undefined
 * @throws a 400 problem with a pointer to each value that JSON cannot represent, a 413 problem for too many objects and arrays
 */
export function jsonText(value: unknown, bounds: JsonBounds): string | undefined {
  const fieldErrors = new Inspection(bounds).errorsIn(value);
  if (fieldErrors.length > 0) throw problems.validationFailed(fieldErrors);
  return JSON.stringify(value) as string | undefined;
}

/** One pass over a value. The current path is in an array that is reused, so that a valid value costs no allocation. */
class Inspection {
  readonly #bounds: JsonBounds;
  readonly #fieldErrors: FieldError[] = [];
  readonly #path: (string | number)[] = [];
  /** The objects and arrays on the current path. */
  readonly #open: object[] = [];
  #containers = 0;

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds;
  }

  errorsIn(value: unknown): readonly FieldError[] {
    if (value !== undefined) this.#value(value, 0);
    return this.#fieldErrors;
  }

  /** Checks the value at the first `depth` steps of the path. */
  #value(value: unknown, depth: number): void {
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) return;
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) this.#report(depth, `must be a JSON value, not ${value}`);
    } else if (typeof value === 'object') this.#object(value, depth);
    else if (hasToJson(value)) this.#converted(value, depth);
    else this.#report(depth, `must be a JSON value, not ${value === undefined ? 'undefined' : `a ${typeof value}`}`);
  }

  #object(value: object, depth: number): void {
    if (hasToJson(value)) this.#converted(value, depth);
    else this.#container(value, depth);
  }

  /** The result of `toJSON` is not converted again. */
  #converted(value: HasToJson, depth: number): void {
    const converted = value.toJSON(String(this.#path[depth - 1] ?? ''));
    if (converted === null && isDate(value)) this.#report(depth, 'must be a valid date, not an Invalid Date');
    else if (typeof converted === 'object' && converted !== null) this.#container(converted, depth);
    else if (converted !== undefined) this.#value(converted, depth);
  }

  #container(value: object, depth: number): void {
    const { depthMax, containersMax } = this.#bounds;
    if (depth > 0 && this.#open.lastIndexOf(value, depth - 1) >= 0) {
      this.#report(depth, 'must not be something that it is a part of: JSON has no cycles');
      return;
    }
    if (depth >= depthMax) {
      this.#report(depth, `is nested deeper than ${depthMax} levels`);
      return;
    }
    if (++this.#containers > containersMax) {
      throw problems.payloadTooLarge(`The body has more than ${containersMax} objects and arrays: send it in parts.`);
    }
    this.#open[depth] = value;
    if (Array.isArray(value)) this.#elements(value, depth);
    else if (isPlain(value)) this.#members(value as Readonly<Record<string, unknown>>, depth);
    else this.#report(depth, `must be a plain object or an array, not an instance of ${classOf(value)}`);
  }

  #elements(items: readonly unknown[], depth: number): void {
    for (let i = 0; i < items.length && this.#fieldErrors.length < fieldErrorsMax; i++) {
      this.#path[depth] = i;
      this.#value(items[i], depth + 1);
    }
  }

  #members(members: Readonly<Record<string, unknown>>, depth: number): void {
    for (const name of Object.keys(members)) {
      const value = members[name];
      if (value === undefined) continue;
      this.#path[depth] = name;
      this.#value(value, depth + 1);
      if (this.#fieldErrors.length >= fieldErrorsMax) return;
    }
  }

  #report(depth: number, detail: string): void {
    this.#fieldErrors.push({ pointer: pointerOf(this.#path.slice(0, depth)), detail });
  }
}

interface HasToJson {
  toJSON(key: string): unknown;
}

const hasToJson = (value: unknown): value is HasToJson =>
  (typeof value === 'object' || typeof value === 'bigint') && typeof (value as Partial<HasToJson>).toJSON === 'function';

/** Whether an object is a plain object: its prototype is `Object.prototype` of any realm, or null. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

function classOf(value: object): string {
  const made: unknown = value.constructor;
  return typeof made === 'function' && made.name !== '' ? shownName(made.name) : 'a class';
}
