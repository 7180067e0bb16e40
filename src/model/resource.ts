/**
 * Everything that the program knows of a resource, derived from its declaration in `resources/`: fields with encodings and defaults,
 * nested collections, references, compiled checkers, and generated functions that create and encode values.
 */
import Type, { type TObject, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Encoding, type Field, type Generated, generate } from './generate.ts';
import type { AnySchema, CollectionName } from './members.ts';
import { declaredReferences, type Reference } from './references.ts';
import type { Body, Value } from './value.ts';

export type { CollectionName } from './members.ts';

interface NestedCollection {
  readonly name: CollectionName;
  readonly resource: Resource;
}

const scalarEncodings: ReadonlySet<Encoding> = new Set<Encoding>(['text', 'number', 'flag', 'word']);

/** `import` is a create from an export: read-only members are allowed and ignored. */
export type CheckMode = 'create' | 'update' | 'import';
export type Checker = ReturnType<typeof Compile>;

/** Suffix of the titles of a resource's bodies. */
export const bodyTitles = { create: 'Create', update: 'Update', import: 'Import' } as const satisfies Record<CheckMode, string>;

/** The checkers of the bodies of a resource. Each is compiled at its first use: a start need not wait for it. */
class Checkers implements Readonly<Record<CheckMode, Checker>> {
  readonly #bodies: Readonly<Record<CheckMode, TObject>>;
  #create: Checker | undefined;
  #update: Checker | undefined;
  #import: Checker | undefined;

  constructor(bodies: Readonly<Record<CheckMode, TObject>>) {
    this.#bodies = bodies;
  }

  get create(): Checker {
    this.#create ??= Compile(this.#bodies.create);
    return this.#create;
  }

  get update(): Checker {
    this.#update ??= Compile(this.#bodies.update);
    return this.#update;
  }

  get import(): Checker {
    this.#import ??= Compile(this.#bodies.import);
    return this.#import;
  }
}

/** A resource: its members, in requests, in responses and stored. */
export interface Resource extends Generated {
  /** `DataSource` */
  readonly title: string;
  /** Its name in messages: `data source`. */
  readonly noun: string;
  readonly schema: TObject;
  /** The collections that it contains. */
  readonly collections: readonly NestedCollection[];
  /** The members that it stores itself, in row order. */
  readonly fields: readonly Field[];
  /** Members that are a single string, number or boolean, including `id`: usable in filters and sort orders of lists. */
  readonly scalars: readonly Field[];
  /** Members that refer to something else in the project. */
  readonly references: readonly Reference[];
  /** Every member of a response, in order. Optional ones are left out while they have their defaults. */
  readonly members: readonly string[];
  /** Members that a request may write. */
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  /** Schemas of request bodies, and their checkers. Elements of nested collections are checked separately. */
  readonly bodies: Readonly<Record<CheckMode, TObject>>;
  readonly checkers: Readonly<Record<CheckMode, Checker>>;
}

/**
 * Derives a resource from its schema.
 *
 * @param holds the resource of each member that is a collection
 */
export function defineResource(schema: TObject, holds: readonly NestedCollection[] = []): Resource {
  const { title = '' } = schema as AnySchema;
  const held = new Set<string>(holds.map(({ name }) => name));
  const properties = Object.entries<AnySchema>(schema.properties);
  const isReadOnly = (property: AnySchema) => property.readOnly === true;
  const all = properties.filter(([name]) => !held.has(name)).map(([name, property]) => field(name, property));
  const fields = all.filter(({ name }) => name !== 'id');
  const bodies = {
    create: body(schema, held, 'create'),
    update: body(schema, held, 'update'),
    import: body(schema, held, 'import'),
  };
  return {
    ...generate(fields),
    title,
    noun: title.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase(),
    schema,
    collections: holds,
    fields,
    scalars: all.filter(({ encoding }) => scalarEncodings.has(encoding)),
    references: declaredReferences(schema.properties),
    members: properties.map(([name]) => name),
    writable: properties.filter(([, property]) => !isReadOnly(property)).map(([name]) => name),
    readOnly: properties.filter(([, property]) => isReadOnly(property)).map(([name]) => name),
    bodies,
    checkers: new Checkers(bodies),
  };
}

/** Whether both values are equal: then a PATCH changes nothing. */
export function sameValue(resource: Resource, a: Value, b: Value): boolean {
  return resource.fields.every(({ name }) => same(a[name], b[name]));
}

/** Whether two JSON values are equal, including the order of members. Does not serialize them, which is slow for large values. */
function same(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, i) => same(item, right[i]));
  }
  const names = Object.keys(left);
  const others = Object.keys(right);
  return (
    names.length === others.length &&
    names.every((name, i) => name === others[i] && same((left as Body)[name], (right as Body)[name]))
  );
}

function field(name: string, schema: AnySchema): Field {
  const { default: fallback, readOnly, properties } = schema;
  return {
    name,
    encoding: encodingOf(schema),
    fallback: deepFreeze(fallback),
    words: schema.enum ?? [],
    readOnly: readOnly === true,
    // An object whose schema declares members with defaults gets these defaults; one that only declares types does not.
    fills: Object.values(properties ?? {}).some((property) => property.default !== undefined),
    isOptional: Type.IsOptional(schema),
  };
}

function encodingOf(schema: AnySchema): Encoding {
  if (Type.IsEnum(schema)) return 'word';
  if (Type.IsString(schema)) return 'text';
  if (Type.IsNumber(schema)) return 'number';
  if (Type.IsBoolean(schema)) return 'flag';
  if (Type.IsArray(schema)) return isVertices(schema) ? 'vertices' : 'array';
  return 'object';
}

function isVertices({ items }: AnySchema): boolean {
  return items?.additionalProperties === false && Object.keys(items.properties ?? {}).join() === 'x,y';
}

/**
 * The body of a create, an update or an import. A member without a default is required, except in an update. An update may contain a
 * read-only member with any value: only the engine knows whether that is the current value.
 */
function body(schema: TObject, held: ReadonlySet<string>, mode: CheckMode): TObject {
  const members: Record<string, TSchema> = {};
  for (const [name, property] of Object.entries<AnySchema>(schema.properties)) {
    const { readOnly, default: fallback } = property;
    if (readOnly === true) {
      if (mode !== 'create') members[name] = Type.Optional(mode === 'update' ? Type.Unknown() : property);
    } else if (held.has(name)) {
      members[name] = Type.Optional(Type.Array(Type.Unknown()));
    } else {
      members[name] = mode !== 'update' && fallback === undefined ? property : Type.Optional(property);
    }
  }
  const { title } = schema as AnySchema;
  return Type.Object(members, { title: `${title}${bodyTitles[mode]}`, additionalProperties: false });
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
