/**
 * Checks a request body against a resource's schema: one compiled TypeBox check if it is valid, readable errors if it is not.
 *
 * Elements of collections are checked one by one: as an update if they have an `id`, otherwise as a create. The check is a generator that
 * pauses every {@link sliceElements} elements, so that the caller can run other requests.
 * It uses no state: whether an `id` exists is decided under the project's lock.
 */
import type { TObject } from 'typebox';
import { Settings } from 'typebox/system';
import { type FieldError, fieldErrorsMax, nameInPointer, pointerTo } from '../../lib/field-error.ts';
import { didYouMean } from '../../lib/text/suggest.ts';
import { article } from '../noun.ts';
import { Checked, type Checker, type CheckMode, type Resource } from '../resource.ts';
import { membersOfPublicMap } from '../settings/public-map-schema.ts';
import type { Body } from '../value.ts';
import { excerptOf } from './excerpt.ts';
import { checkOwnValues } from './own-values.ts';

/** Number of elements between two pauses: a fraction of a millisecond of work. */
export const sliceElements = 256;

// TypeBox stops at 8 errors per value by default. Each unknown member costs one error, and all of them together one more.
Settings.Set({ maxErrors: 2 * fieldErrorsMax + 8 });

/** The shape of a body that is not a resource: its members, and its name in messages. */
interface Shape extends Explained {
  readonly checked: Checked;
}

/** Makes a shape from an object's schema. @param noun its name in messages: `batch` */
export function shapeOf(noun: string, schema: TObject): Shape {
  return { noun, checked: new Checked(schema), members: Object.keys(schema.properties), inputs: [], readOnly: [], fields: [] };
}

/** Checks a value that is not a resource. Returns `false`, and adds errors, if it does not have the shape. */
export function checkShape(shape: Shape, value: unknown, at: string, fieldErrors: FieldErrorList): value is Body {
  return checkOne(shape, shape.checked, value, at, fieldErrors);
}

/** An additional check of bodies. */
export interface BodyCheck {
  /** Adds errors. @param body of a resource or an element; it may have other errors already */
  check(resource: Resource, body: Body, at: string, fieldErrors: FieldErrorList): void;
}

/**
 * Yields at every pause. Adds at most {@link fieldErrorsMax} errors, one per pointer.
 *
 * @param also an additional check of every body
 */
export function* check(
  resource: Resource,
  mode: CheckMode,
  body: unknown,
  fieldErrors: FieldErrorList,
  also?: BodyCheck,
): Generator<void> {
  yield* checkAt(resource, mode, body, '', fieldErrors, { elements: 0, also });
}

/**
 * Checks a part of an import: a resource whose collections arrive as separate parts.
 *
 * @param at its pointer; called only if there are errors
 */
export function checkImported(resource: Resource, value: unknown, at: () => string, fieldErrors: FieldErrorList): value is Body {
  const check = resource.checks.import;
  if (!check.checker.Check(value)) return checkOne(resource, check, value, at(), fieldErrors);
  const before = fieldErrors.size;
  checkOwnValues(resource, value as Body, at, fieldErrors);
  return fieldErrors.size === before;
}

function* checkAt(
  resource: Resource,
  mode: CheckMode,
  body: unknown,
  at: string,
  fieldErrors: FieldErrorList,
  progress: { elements: number; readonly also: BodyCheck | undefined },
): Generator<void> {
  checkOne(resource, resource.checks[mode], body, at, fieldErrors);
  if (!isObject(body)) return;
  checkOwnValues(resource, body, () => at, fieldErrors);
  progress.also?.check(resource, body, at, fieldErrors);
  for (const { name, resource: element } of resource.collections) {
    const elements = body[name];
    if (!Array.isArray(elements)) continue;
    const here = pointerTo(at, name);
    for (let i = 0; i < elements.length && !fieldErrors.full; i++) {
      const item: unknown = elements[i];
      const isUpdate = mode === 'update' && isObject(item) && Object.hasOwn(item, 'id');
      yield* checkAt(element, isUpdate ? 'update' : 'create', item, pointerTo(here, i), fieldErrors, progress);
      if (++progress.elements % sliceElements === 0) yield;
    }
  }
}

function checkOne(of: Explained, { schema, checker }: Checked, value: unknown, at: string, fieldErrors: FieldErrorList): boolean {
  if (checker.Check(value)) return true;
  explain(of, schema, checker, value, at, fieldErrors);
  // An invalid value must not pass because no explanation was found.
  if (fieldErrors.size === 0) fieldErrors.add(at, `is not valid for ${article(of.noun)}`);
  return false;
}

/** Number of elements in all collections of a body: checked before anything is built from them. */
export function countElements(resource: Resource, body: unknown): number {
  if (!isObject(body)) return 0;
  let count = 0;
  for (const { name, resource: element } of resource.collections) {
    const elements = body[name];
    if (!Array.isArray(elements)) continue;
    count += elements.length;
    if (element.collections.length > 0) for (const item of elements) count += countElements(element, item);
  }
  return count;
}

/** The errors of one body, up to {@link fieldErrorsMax}. */
export class FieldErrorList {
  readonly #fieldErrors = new Map<string, FieldError>();

  constructor(fieldErrors: Iterable<FieldError> = []) {
    for (const { pointer, detail } of fieldErrors) this.add(pointer, detail);
  }

  get full(): boolean {
    return this.#fieldErrors.size >= fieldErrorsMax;
  }

  get size(): number {
    return this.#fieldErrors.size;
  }

  /**
   * Adds an error, unless its pointer has one: the first is closest to the cause. Lone surrogates in the pointer become U+FFFD, as in
   * pointers from the JSON parser.
   */
  add(at: string, detail: string): void {
    const pointer = at.replaceAll(/\p{Surrogate}/gu, '\ufffd');
    if (!this.full && !this.#fieldErrors.has(pointer)) this.#fieldErrors.set(pointer, { pointer, detail });
  }

  toArray(): FieldError[] {
    return [...this.#fieldErrors.values()];
  }
}

export function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type CheckError = ReturnType<Checker['Errors']>[number];

/** The part of a resource that explanations need. */
type Explained = Pick<Resource, 'noun' | 'members' | 'inputs' | 'readOnly' | 'fields'>;

function explain(of: Explained, schema: TObject, checker: Checker, body: unknown, at: string, fieldErrors: FieldErrorList): void {
  if (!isObject(body)) {
    fieldErrors.add(at, `must be ${article(of.noun)}: a JSON object`);
    return;
  }
  // Explains an excerpt only: TypeBox visits every element and member, however many errors it has found.
  const excerpt = excerptOf(schema, body);
  const errors = checker.Errors(excerpt.value);
  for (const error of errors) {
    // Lazy: the name of an unknown member may be megabytes long.
    const pointer = (): string => at + excerpt.pointerOf(error.instancePath);
    if (error.keyword === 'boolean') {
      // The schema of an unknown member is `false`. An 'additionalProperties' error lists all of them, but TypeBox may stop before it.
      const cut = error.instancePath.lastIndexOf('/');
      const name = nameInPointer(error.instancePath.slice(cut + 1));
      const parent = error.instancePath.slice(0, cut);
      fieldErrors.add(pointerTo(at + excerpt.pointerOf(parent), name), unknownMember(of, name, parent));
    } else if (error.keyword === 'required') {
      for (const name of error.params.requiredProperties) fieldErrors.add(pointerTo(pointer(), name), missing(of, name, error));
    } else if (error.keyword !== 'additionalProperties') {
      fieldErrors.add(pointer(), explainOne(error, valueAt(excerpt.value, error.instancePath), errors));
    }
  }
}

/** @param errors all of the body: a value may have one of several types */
function explainOne(error: CheckError, value: unknown, errors: readonly CheckError[]): string {
  switch (error.keyword) {
    case 'type': {
      const types = errors.flatMap((other) =>
        other.keyword === 'type' && other.instancePath === error.instancePath ? [wordFor(String(other.params.type))] : [],
      );
      const isFraction = error.params.type === 'integer' && Number.isFinite(value);
      return `must be ${types.join(' or ')}, not ${isFraction ? value : kindOf(value)}`;
    }
    case 'maxProperties':
      return `must have at most ${error.params.limit} members`;
    case 'maxItems':
      return `must have at most ${error.params.limit} elements`;
    case 'minLength':
      return 'must not be empty';
    case 'minimum':
      return `must be at least ${error.params.limit}`;
    case 'maximum':
      return `must be at most ${error.params.limit}`;
    case 'maxLength':
      return `must have at most ${error.params.limit} characters, not ${Array.from(String(value)).length}`;
    case 'pattern':
      // Only names of files have one.
      return 'must be a name without slashes and control characters, and not blank, "." or ".."';
    case 'enum': {
      const allowed = error.params.allowedValues.map(String);
      return `must be one of ${allowed.map((word) => `"${word}"`).join(', ')}${typeof value === 'string' ? didYouMean(value, allowed) : ''}`;
    }
    default:
      return error.message;
  }
}

function unknownMember(resource: Explained, name: string, path: string): string {
  if (path === '/properties' || path.endsWith('/properties')) return 'is no name of a property: it must have 1 to 100 characters';
  if (path !== '') return `is not a member here: ${membersAt(path)}`;
  if (resource.readOnly.includes(name)) return 'is read-only: omit it';
  return `is not a member of ${article(resource.noun)}${didYouMean(name, [...resource.members, ...resource.inputs])}`;
}

/** The members of a structure within a resource, by its pointer. */
function membersAt(path: string): string {
  if (path.startsWith('/settings/')) return membersInSettings(path.slice('/settings/'.length));
  return /^\/(?:hole_)?places\//.test(path) ? 'a place has exactly lat and lng' : 'a vertex has exactly x and y';
}

function membersInSettings(path: string): string {
  if (path.startsWith('max_bounds')) return 'max_bounds has exactly south, west, north and east';
  if (path.startsWith('legend')) return 'an entry of a legend has exactly color and name';
  // The last name in the path: `/public_map/header/links/0` is one of the links.
  const part = path
    .split('/')
    .slice(1)
    .findLast((name) => Object.hasOwn(membersOfPublicMap, name));
  const members = membersOfPublicMap[part ?? ''];
  return members === undefined ? 'public_map has other members' : `${members.noun} has ${members.names.join(', ')}`;
}

function missing(resource: Explained, name: string, error: CheckError): string {
  if (error.instancePath !== '') return `is required: ${membersAt(error.instancePath)}`;
  const words = resource.fields.find((field) => field.name === name)?.words ?? [];
  return `is required${words.length === 0 ? '' : `: one of ${words.map((word) => `"${word}"`).join(', ')}`}`;
}

const wordFor = (type: string): string => words[type] ?? `a ${type}`;

const words: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'a JSON object',
};

/** The type of a value, for messages. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number too large to be represented';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function valueAt(body: unknown, pointer: string): unknown {
  let value = body;
  for (const part of pointer.split('/').slice(1)) {
    value = (value as Record<string, unknown> | undefined)?.[nameInPointer(part)];
  }
  return value;
}
