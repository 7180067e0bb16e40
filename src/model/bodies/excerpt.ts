/**
 * An excerpt of a body for explaining its errors: a few invalid elements of every long array; of every object the known members and a few
 * unknown ones. So the explanation takes bounded time, whatever was sent.
 */
import { Compile } from 'typebox/compile';
import { fieldErrorsMax } from '../../lib/field-error.ts';
import type { AnySchema } from '../members.ts';
import type { Checker } from '../resource.ts';

/** Maximum number of unknown members to keep in one object: each of them is an error. */
const unknownMax = 2 * fieldErrorsMax;

/** An excerpt of a value, with a mapping of its pointers to those of the whole value. */
interface Excerpt {
  readonly value: unknown;
  /** The pointer into the whole value for a pointer into the excerpt. */
  pointerOf(pointer: string): string;
}

/** The excerpt of a value that does not match its schema. */
export function excerptOf(schema: AnySchema, value: unknown): Excerpt {
  const shortened: Shortened = new Map();
  const part = partOf(schema, value, '', shortened);
  return { value: part, pointerOf: (pointer) => (shortened.size === 0 ? pointer : pointerInWhole(pointer, shortened)) };
}

/** For each shortened array, by its pointer in the excerpt: the original indexes of the remaining elements. */
type Shortened = Map<string, readonly number[]>;

function partOf(schema: AnySchema, value: unknown, at: string, shortened: Shortened): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { items, properties } = schema;
  if (Array.isArray(value)) {
    // Enough elements to have too many.
    const least = value.length > (schema.maxItems ?? value.length) ? (schema.maxItems as number) + 1 : 0;
    return items === undefined ? [] : elementsOf(items, value, at, shortened, least);
  }
  const [pattern] = Object.entries(schema.patternProperties ?? {});
  if (pattern !== undefined) return namedValuesOf(pattern, value);
  if (properties === undefined) return {};
  const members: [string, unknown][] = [];
  let unknown = schema.additionalProperties === false ? 0 : unknownMax;
  for (const name of Object.keys(value)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const member: unknown = (value as Record<string, unknown>)[name];
    // Member names in schemas contain no characters that a pointer escapes.
    if (property !== undefined) members.push([name, partOf(property, member, `${at}/${name}`, shortened)]);
    else if (unknown++ < unknownMax) members.push([name, null]);
  }
  return Object.fromEntries(members);
}

/** The wrong members of an object whose names have a pattern, and enough others to have too many. */
function namedValuesOf([pattern, schema]: readonly [string, AnySchema], value: object): unknown {
  const members = Object.entries(value);
  if (members.length <= unknownMax) return value;
  const checker = checkerOf(schema);
  const isName = new RegExp(pattern);
  const wrong = members.filter(([name, member]) => !isName.test(name) || !checker.Check(member)).slice(0, fieldErrorsMax);
  return Object.fromEntries([...wrong, ...members.slice(0, unknownMax - wrong.length)]);
}

/** @param least number of elements to keep, wrong or not */
function elementsOf(items: AnySchema, elements: readonly unknown[], at: string, shortened: Shortened, least: number): unknown[] {
  let kept = elements;
  if (least > 0) kept = elements.slice(0, least);
  else if (elements.length > fieldErrorsMax) {
    const checker = checkerOf(items);
    const wrong: number[] = [];
    for (let i = 0; i < elements.length && wrong.length < fieldErrorsMax; i++) if (!checker.Check(elements[i])) wrong.push(i);
    shortened.set(at, wrong);
    kept = wrong.map((i) => elements[i]);
  }
  return kept.map((element, i) => partOf(items, element, `${at}/${i}`, shortened));
}

const checkers = new WeakMap<AnySchema, Checker>();

function checkerOf(schema: AnySchema): Checker {
  let checker = checkers.get(schema);
  if (checker === undefined) {
    checker = Compile(schema);
    checkers.set(schema, checker);
  }
  return checker;
}

function pointerInWhole(pointer: string, shortened: Shortened): string {
  let here = '';
  let whole = '';
  for (const step of pointer.split('/').slice(1)) {
    whole += `/${shortened.get(here)?.[Number(step)] ?? step}`;
    here += `/${step}`;
  }
  return whole;
}
