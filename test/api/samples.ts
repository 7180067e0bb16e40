/** For every member of every resource, read off its schema: values that are right and values that are wrong, each with where it is wrong. */
import Type from 'typebox';
import type { AnySchema, Resource } from '../support/resources.ts';

export interface Sample {
  readonly name: string;
  readonly held: Resource | undefined;
  /** `undefined`: it must be sent. */
  readonly fallback: unknown;
  /** Absent from a response while it has its default. */
  readonly isOptional: boolean;
  readonly right: readonly unknown[];
  /** Values to refuse, with the pointer to the fault below the member. */
  readonly wrong: readonly (readonly [value: unknown, below: string])[];
}

const oneOfEach: Readonly<Record<string, readonly unknown[]>> = {
  null: [null],
  string: ['text', '', '5', 'true'],
  number: [5, 0, -1.5],
  boolean: [true, false],
  array: [[], ['text'], [{}]],
  object: [{}, { length: 0 }],
};

/** One sample per writable member. */
export function samplesOf(resource: Resource): Sample[] {
  return resource.writable.map((name) => {
    const schema = (resource.bodies.response.properties as Record<string, AnySchema>)[name] as AnySchema;
    const held = resource.collections.find((collection) => collection.name === name)?.resource;
    const isOptional = Type.IsOptional(schema);
    if (held === undefined)
      return { name, held, fallback: schema.default, isOptional, right: rightFor(schema), wrong: wrongFor(schema) };
    const wrong: [unknown, string][] = ofOtherKinds('array').map((value) => [value, '']);
    const elements = ofOtherKinds('object').map((value) => [[leastOf(held), value], '/1'] as const);
    wrong.push([[leastOf(held), { ...leastOf(held), unknown_member: 1 }], '/1/unknown_member']);
    return {
      name,
      held,
      fallback: [],
      isOptional,
      right: [[], [leastOf(held)], [leastOf(held), leastOf(held)]],
      wrong: [...wrong, ...elements],
    };
  });
}

/** The least that creates a resource. */
export function leastOf(resource: Resource): Record<string, unknown> {
  const required = resource.fields.filter(({ readOnly, fallback }) => !readOnly && fallback === undefined);
  return Object.fromEntries(required.map(({ name, words }) => [name, words[0]]));
}

function rightFor({
  type,
  enum: words,
  items,
  properties = {},
  patternProperties,
  additionalProperties,
  minimum,
  maximum = 1e300,
  minLength = 0,
  maxLength = 5000,
  examples,
  '~refine': isRefined,
}: AnySchema & { readonly '~refine'?: unknown }): unknown[] {
  if (examples !== undefined) return [...examples];
  if (patternProperties !== undefined) return [{ constructor: 1, 'Grüße/~': 'x'.repeat(4096), 10: true }];
  if (words !== undefined) return [...words];
  switch (type) {
    case 'string':
      return [...(minLength > 0 ? [] : ['']), 'Grüße, 世界 \u{1f5fa}', '<b>"quoted"</b>\\\n\u0000', 'x'.repeat(maxLength)];
    case 'number':
      return minimum === undefined ? [0, -1, 0.1, 1e300, -5e-324, 2 ** 53, 4_294_967_296] : [minimum, minimum + 0.5, maximum];
    case 'integer':
      return [minimum ?? -1, maximum];
    case 'boolean':
      return [true, false];
    case 'array':
      // Equal elements may be a fault.
      if (isRefined !== undefined) return [[], ...rightFor(items as AnySchema).map((item) => [item])];
      return [[], ...rightFor(items as AnySchema).map((item) => [item, item]), rightFor(items as AnySchema)];
    case 'object': {
      const declared = Object.entries(properties).map(([key, property]) => [key, rightFor(property).at(-1)]);
      const full = Object.fromEntries(declared) as Record<string, unknown>;
      if (additionalProperties === false) return [full];
      return [{ ...full, more: { deep: [null, 1, { a: [] }] }, toJSON: 1, 10: 'ten', 2: 'two' }];
    }
    default:
      return [null, 1, 'any', [], {}];
  }
}

function wrongFor({
  type,
  enum: words,
  items,
  properties = {},
  patternProperties,
  required = [],
  additionalProperties,
  minimum,
  maximum,
  minLength,
  maxLength,
  examples,
  '~refine': isRefined,
}: AnySchema & { readonly '~refine'?: unknown }): [unknown, string][] {
  if (words !== undefined) {
    const near = [`${words[0]} `, String(words[0]).toUpperCase() === words[0] ? 'get' : String(words[0]).toUpperCase(), ''];
    return [...near, 'nonsense', ...ofOtherKinds('string')].map((value) => [value, '']);
  }
  if (type === undefined) return [];
  const wrong: [unknown, string][] = ofOtherKinds(type === 'integer' ? 'number' : type).map((value) => [value, '']);
  if (type === 'integer') wrong.push([(minimum ?? 0) + 0.5, '']);
  if (maxLength !== undefined) wrong.push(['x'.repeat(maxLength + 1), ''], ['𝕏'.repeat(maxLength + 1), '']);
  if (minimum !== undefined) wrong.push([minimum - 1, ''], [minimum - 1e-9, ''], [-1e300, '']);
  if (maximum !== undefined) wrong.push([maximum + 1, '']);
  if (minLength !== undefined) wrong.push(['', '']);
  if (patternProperties !== undefined) return [...wrong, [{ z: null }, '/z'], [{ a: 1, z: {} }, '/z'], [{ z: [1] }, '/z']];
  if (type === 'array' && isRefined !== undefined)
    return [...wrong, ...wrongFor(items as AnySchema).map(([value, below]): [unknown, string] => [[value], `/0${below}`])];
  if (type === 'array') {
    const [right] = rightFor(items as AnySchema);
    for (const [value, below] of wrongFor(items as AnySchema)) wrong.push([[right, value], `/1${below}`]);
  }
  if (type === 'object') {
    const sound = (examples?.[0] ?? whole(properties)) as Record<string, unknown>;
    for (const [key, property] of Object.entries(properties)) {
      for (const [value, below] of wrongFor(property)) wrong.push([{ ...sound, [key]: value }, `/${key}${below}`]);
      if (required.includes(key)) wrong.push([{ ...sound, [key]: undefined }, `/${key}`]);
    }
    if (additionalProperties === false) wrong.push([{ ...sound, z: 0 }, '/z']);
  }
  return wrong;
}

function whole(properties: Readonly<Record<string, AnySchema>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([key, property]) => [key, rightFor(property)[0]]));
}

function ofOtherKinds(kind: string): unknown[] {
  return Object.entries(oneOfEach).flatMap(([other, values]) => (other === kind ? [] : values));
}
