/** Arbitrary bodies for fast-check, made from the resources' own schemas, so that a new member is covered the day it is declared. */

import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { languageForm } from '../../src/lib/draw/public-map.ts';
import type { AnySchema } from '../../src/model/members.ts';
import type { Resource } from '../../src/model/resource.ts';
import fc from './fast-check.ts';

const surrogates = { first: 0xd800, count: 0x800 };
/** Any code point but surrogates. Those of fast-check (`unit: 'binary'`) cost 0.4 s at the start of a process. */
const codePoint = fc
  .nat({ max: 0x10ffff - surrogates.count })
  .map((n) => String.fromCodePoint(n < surrogates.first ? n : n + surrogates.count));

/** Any string that JSON can carry as UTF-8: no lone surrogates, everything else. */
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 12 }),
  fc.constantFrom(
    '',
    'null',
    '\u0000',
    '\ufeff',
    '\u2028\u2029',
    '\ufffd',
    'é'.repeat(40),
    '𝕏'.repeat(70),
    'a'.repeat(300),
    '"\\/\b\f\n\r\t',
  ),
);

/** Finite numbers, those at the edges of every encoding among them; never -0, which is stored as 0. */
export const number: fc.Arbitrary<number> = fc
  .oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.constantFrom(
      127,
      128,
      255,
      256,
      65_535,
      65_536,
      2 ** 31,
      2 ** 32 - 1,
      2 ** 32,
      2 ** 53,
      2 ** 63,
      2 ** 64,
      -(2 ** 31) - 1,
      5e-324,
      1.7976931348623157e308,
      0.1,
      16_777_217,
    ),
  )
  .map((value) => (value === 0 ? 0 : value));

/** Names that mean something to JavaScript, to a library, or to nobody. */
const name = fc.oneof(
  text,
  fc.constantFrom(
    'constructor',
    'toJSON',
    'then',
    'prototype',
    'hasOwnProperty',
    'valueOf',
    'length',
    '0',
    '10',
    '01',
    '-1',
    '4294967295',
    'id',
    '__defineGetter__',
    '~',
    '/',
    '~1',
  ),
);

const leaf = fc.oneof(text, number, fc.boolean(), fc.constant(null));

/** Any JSON value, without a member `__proto__`. */
export const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3, depthIdentifier: 'json' }, leaf, tie('array'), tie('object')),
  array: fc.array(tie('value'), { maxLength: 4, depthIdentifier: 'json' }),
  object: fc.array(fc.tuple(name, tie('value')), { maxLength: 4, depthIdentifier: 'json' }).map((entries) => objectOf(entries)),
})).value;

export const openObject: fc.Arbitrary<Record<string, unknown>> = fc
  .array(fc.tuple(name, json), { maxLength: 4 })
  .map((entries) => objectOf(entries));

function objectOf(entries: readonly [string, unknown][]): Record<string, unknown> {
  return Object.fromEntries(entries.filter(([key]) => key !== '__proto__'));
}

/** Keys are unique in a collection. */
const key = fc.oneof(fc.constant(''), fc.noBias(fc.bigInt({ min: 0n, max: 2n ** 128n })).map(String));

const language = fc.constantFrom('de', 'en', 'pt-BR', 'zh-Hant-TW');
const fileName = fc.constantFrom('plan.png', 'a', '...', 'plàn 1%.png', 'x'.repeat(200), '<b>&"');

/** A value that a member of this schema may have. */
export function memberValue(schema: TSchema): fc.Arbitrary<unknown> {
  const { type, enum: words, items, properties, minimum, maximum, minLength, maxLength, pattern } = schema as AnySchema;
  if (words !== undefined) return fc.constantFrom(...words);
  switch (type) {
    case 'string':
      if (pattern === languageForm) return language;
      if (pattern !== undefined) return fileName;
      if (minLength !== undefined) return key.filter((value) => value !== '');
      return maxLength === undefined ? text : key;
    case 'number':
      if (minimum === undefined) return number;
      return fc
        .double({ min: minimum, ...(maximum === undefined ? {} : { max: maximum }), noNaN: true, noDefaultInfinity: true })
        .map((value) => (value === 0 ? 0 : value));
    case 'integer':
      return fc.integer({
        ...(minimum === undefined ? {} : { min: minimum }),
        ...(maximum === undefined ? {} : { max: maximum }),
      });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return refined(schema, fc.array(memberValue(items as AnySchema), { maxLength: 5 }));
    case 'object':
      if ((schema as AnySchema).patternProperties !== undefined) return namedValues;
      return objectLike(schema as AnySchema, properties ?? {});
    default:
      return json;
  }
}

const refined = (schema: TSchema, values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  '~refine' in schema ? values.filter((value) => Check(schema, value)) : values;

/** Texts, numbers and booleans by any names that a document may have, also by those that every object has. */
const namedValues: fc.Arbitrary<unknown> = fc
  .array(
    fc.tuple(fc.oneof(fc.constantFrom('toString', 'constructor'), fc.string({ minLength: 1, maxLength: 20 })), leafValue()),
    {
      maxLength: 4,
    },
  )
  .map((entries) => objectOf(entries));

function leafValue(): fc.Arbitrary<unknown> {
  return fc.oneof(text, number, fc.boolean());
}

function objectLike(schema: AnySchema, properties: Readonly<Record<string, AnySchema>>): fc.Arbitrary<unknown> {
  const members = Object.fromEntries(Object.entries(properties).map(([key, property]) => [key, memberValue(property)]));
  if (schema.additionalProperties === false) {
    return refined(schema, fc.record(members, { requiredKeys: [...(schema.required ?? [])] }));
  }
  const declared = fc.record(members, { requiredKeys: [] });
  return fc.tuple(openObject, declared).map(([open, typed]) => {
    const free = Object.entries(open).filter(([key]) => !Object.hasOwn(properties, key));
    return Object.fromEntries([...free, ...Object.entries(typed)]);
  });
}

export interface BodyOptions {
  /** Puts faults into some of the bodies: members of wrong types, unknown ones, required ones left out. */
  readonly spoil?: boolean;
  /** Elements in a collection, at most; default 2. */
  readonly elements?: number;
}

/** A body to create a resource with, any members left out. It holds no identifiers, so an update may send it too. */
export function bodyOf(resource: Resource, options: BodyOptions = {}): fc.Arbitrary<Record<string, unknown>> {
  const { spoil = false, elements = 2 } = options;
  const members: Record<string, fc.Arbitrary<unknown>> = {};
  const required: string[] = [];
  for (const [key, schema] of Object.entries(resource.bodies.create.properties as Record<string, AnySchema>)) {
    if (resource.inputs.includes(key)) continue;
    const held = resource.collections.find((collection) => collection.name === key);
    const sound = held === undefined ? memberValue(schema) : fc.array(bodyOf(held.resource, options), { maxLength: elements });
    members[key] = spoil ? fc.oneof({ weight: 30, arbitrary: sound }, { weight: 1, arbitrary: json }) : sound;
    const isRequired = (resource.bodies.create.required as string[] | undefined)?.includes(key) === true;
    if (isRequired && !spoil) required.push(key);
  }
  const sound = fc.record(members, { requiredKeys: required });
  if (!spoil) return sound;
  return fc
    .tuple(sound, fc.oneof({ weight: 8, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: openObject }))
    .map(([body, more]) => ({ ...body, ...more }));
}
