/**
 * Everything that the program knows of a resource, derived from its declaration in `resources/`: fields with encodings and defaults,
 * nested collections, references, compiled checkers, and generated functions that create and encode values.
 */
import Type, { type TObject } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Bodies, type CheckMode, ownBody } from './bodies/bodies.ts';
import { type Encoding, type Field, type Generated, generate } from './generate.ts';
import type { AnySchema, CollectionName } from './members.ts';
import { nounOf } from './noun.ts';
import type { FileMember } from './references/file-references.ts';
import { declaredReferences, type Reference } from './references/references.ts';
import type { Value } from './value.ts';

export type { CheckMode } from './bodies/bodies.ts';
export type { CollectionName } from './members.ts';

interface NestedCollection {
  readonly name: CollectionName;
  readonly resource: Resource;
}

/** A member with such an encoding may hold many values. */
const isOpen = (encoding: Encoding): boolean => !scalarEncodings.has(encoding);

const scalarEncodings: ReadonlySet<Encoding> = new Set<Encoding>(['text', 'number', 'flag', 'word']);

export type Checker = ReturnType<typeof Compile>;

/** A schema with its checker. */
export class Checked {
  readonly schema: TObject;
  #checker: Checker | undefined;

  constructor(schema: TObject) {
    this.schema = schema;
  }

  /** Compiled at its first use: a start need not wait for it. */
  get checker(): Checker {
    this.#checker ??= Compile(this.schema);
    return this.#checker;
  }
}

/** A resource: its members, in requests, in responses and stored. */
export interface Resource extends Generated {
  /** `DataSource` */
  readonly title: string;
  /** Its name in messages: `data source`. */
  readonly noun: string;
  /** Its name in events and reports: `data_source`. */
  readonly kind: string;
  /** The collections that it contains. */
  readonly collections: readonly NestedCollection[];
  /** The members that it stores itself, in row order. */
  readonly fields: readonly Field[];
  /** Members that are a single string, number or boolean, including `id`: usable in filters and sort orders of lists. */
  readonly scalars: readonly Field[];
  /** Members that refer to something else in the project. */
  readonly references: readonly Reference[];
  /** Members whose text may have addresses of files. */
  readonly fileMembers: readonly FileMember[];
  /** Members that are an address to follow. */
  readonly linkMembers: readonly string[];
  /** Whether it has a `key`: at most one member of a collection has each key. */
  readonly isKeyed: boolean;
  /** Every member of a response, in order. Optional ones are left out while they have their defaults. */
  readonly members: readonly string[];
  /** Members that a request may write. */
  readonly writable: readonly string[];
  /** Members that a request may have and no response has: the engine converts them to others. */
  readonly inputs: readonly string[];
  readonly readOnly: readonly string[];
  /** Members that are stored, and in no body. */
  readonly hidden: readonly string[];
  /** Members that a key for reading does not see: see {@link withoutSecrets}. */
  readonly secrets: readonly Field[];
  /** Members with lists or open structures, which may hold many values. */
  readonly openFields: readonly Field[];
  /** Schemas of its responses and request bodies. */
  readonly bodies: Bodies;
  /** What checks a body. Elements of nested collections are checked separately. */
  readonly checks: Readonly<Record<CheckMode, Checked>>;
}

/**
 * Derives a resource from its schemas.
 *
 * @param holds the resource of each member that is a collection
 */
export function defineResource(bodies: Bodies, holds: readonly NestedCollection[] = []): Resource {
  const { title = '', properties: members = {} } = bodies.response as AnySchema;
  const held = new Set<string>(holds.map(({ name }) => name));
  const properties = Object.entries<AnySchema>(members);
  const stored = [...properties, ...Object.entries(bodies.hidden)];
  const isReadOnly = (property: AnySchema) => property.readOnly === true;
  const all = stored.filter(([name]) => !held.has(name)).map(([name, property]) => field(name, property));
  const fields = all.filter(({ name }) => name !== 'id');
  const checked = (mode: CheckMode) => new Checked(ownBody(bodies, held, mode));
  return {
    ...generate(fields),
    title,
    noun: nounOf(title),
    kind: nounOf(title).replaceAll(' ', '_'),
    collections: holds,
    fields,
    hidden: Object.keys(bodies.hidden),
    secrets: fields.filter(({ isSecret }) => isSecret),
    openFields: fields.filter(({ encoding }) => isOpen(encoding)),
    // A filter or an order by a secret would show it to a key for reading.
    scalars: all.filter(({ encoding, isHidden, isSecret }) => scalarEncodings.has(encoding) && !isHidden && !isSecret),
    references: declaredReferences(members),
    fileMembers: properties.flatMap(([member, { 'x-files': texts }]) => (texts === undefined ? [] : [{ member, texts }])),
    linkMembers: properties.flatMap(([member, { 'x-link': isLink }]) => (isLink === true ? [member] : [])),
    isKeyed: members['key'] !== undefined,
    members: properties.map(([name]) => name),
    writable: properties.filter(([, property]) => !isReadOnly(property)).map(([name]) => name),
    inputs: bodies.inputs,
    readOnly: properties.filter(([, property]) => isReadOnly(property)).map(([name]) => name),
    bodies,
    checks: { create: checked('create'), update: checked('update'), import: checked('import') },
  };
}

/** The value as a key for reading sees it: its secret members have their defaults. The same value if it has no others. */
export function withoutSecrets({ secrets }: Resource, value: Value): Value {
  if (secrets.every((field) => value[field.name] === withoutContent(field))) return value;
  return { ...value, ...Object.fromEntries(secrets.map((field) => [field.name, withoutContent(field)])) };
}

/** A secret member as a key for reading sees it. */
const withoutContent = ({ fallback, isOptional }: Field): unknown => (isOptional ? undefined : fallback);

function field(name: string, schema: AnySchema): Field {
  const { default: fallback, readOnly, hidden, 'x-secret': secret, 'x-time': time, properties } = schema;
  return {
    name,
    encoding: encodingOf(schema),
    fallback: deepFreeze(fallback),
    words: schema.enum ?? [],
    readOnly: readOnly === true,
    // An object whose schema declares members with defaults gets these defaults; one that only declares types does not.
    fills: Object.values(properties ?? {}).some((property) => property.default !== undefined),
    isOptional: Type.IsOptional(schema),
    isHidden: hidden === true,
    isSecret: secret === true,
    isTime: time === true,
    jsonBytesMax: schema['x-json-bytes-max'],
  };
}

function encodingOf(schema: AnySchema): Encoding {
  if (Type.IsEnum(schema)) return 'word';
  if (Type.IsString(schema)) return 'text';
  if (Type.IsNumber(schema)) return 'number';
  if (Type.IsBoolean(schema)) return 'flag';
  if (Type.IsArray(schema)) return isVertices(schema) ? 'vertices' : isVertices(schema.items ?? {}) ? 'rings' : 'array';
  return schema['x-json-bytes-max'] === undefined ? 'object' : 'json';
}

function isVertices({ items }: Pick<AnySchema, 'items'>): boolean {
  return items?.additionalProperties === false && Object.keys(items.properties ?? {}).join() === 'x,y';
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
