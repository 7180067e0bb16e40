/**
 * The part of a body that its faults can be told from: of every long array a few elements that are wrong, of every object the members
 * that exist and a few that do not. What explains faults may then look at all of it, whatever was sent.
 */
import { Compile } from 'typebox/compile';
import { faultsMax } from '../lib/fault.ts';
import type { AnySchema } from './members.ts';
import type { Checker } from './resource.ts';

/** Members of one object that do not exist and are kept all the same: each of them is a fault. */
const unknownMax = 2 * faultsMax;

/** A part of a value, with the way back from its pointers to those of the whole. */
export interface Excerpt {
  readonly value: unknown;
  /** Where in the whole is what a pointer into the excerpt points to. */
  pointerOf(pointer: string): string;
}

/** The excerpt of a value that does not satisfy its schema. */
export function excerptOf(schema: AnySchema, value: unknown): Excerpt {
  const shortened: Shortened = new Map();
  const part = partOf(schema, value, '', shortened);
  return { value: part, pointerOf: (pointer) => (shortened.size === 0 ? pointer : pointerInWhole(pointer, shortened)) };
}

/** Of each array that lost elements, by its pointer in the excerpt: where the remaining ones were. */
type Shortened = Map<string, readonly number[]>;

function partOf(schema: AnySchema, value: unknown, at: string, shortened: Shortened): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { items, properties } = schema;
  if (Array.isArray(value)) return items === undefined ? [] : elementsOf(items, value, at, shortened);
  if (properties === undefined) return {};
  const members: [string, unknown][] = [];
  let unknown = schema.additionalProperties === false ? 0 : unknownMax;
  for (const name of Object.keys(value)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const member: unknown = (value as Record<string, unknown>)[name];
    // The names of the schema have nothing in them that a pointer would escape.
    if (property !== undefined) members.push([name, partOf(property, member, `${at}/${name}`, shortened)]);
    else if (unknown++ < unknownMax) members.push([name, null]);
  }
  return Object.fromEntries(members);
}

function elementsOf(items: AnySchema, elements: readonly unknown[], at: string, shortened: Shortened): unknown[] {
  let kept = elements;
  if (elements.length > faultsMax) {
    const checker = checkerOf(items);
    const wrong: number[] = [];
    for (let i = 0; i < elements.length && wrong.length < faultsMax; i++) if (!checker.Check(elements[i])) wrong.push(i);
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
