/**
 * What the rest of mapwright knows of a resource, derived from its one declaration in `resources/`: its fields with their
 * encodings and defaults, the collections it holds, what it refers to, its compiled checkers, and the generated functions that build and store it.
 */
import Type, { type TObject, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Encoding, type Field, type Generated, generate } from './generate.ts';
import type { AnySchema, CollectionName } from './members.ts';
import { declaredReferences, type Reference } from './references.ts';
import type { Value } from './value.ts';

export type { CollectionName } from './members.ts';

export interface Held {
  readonly name: CollectionName;
  readonly resource: Resource;
}

const scalarEncodings: ReadonlySet<Encoding> = new Set<Encoding>(['text', 'number', 'flag', 'word']);

/** `import` is a create from what was shown before: read-only members may be there, and come to nothing. */
export type CheckMode = 'create' | 'update' | 'import';
export type Checker = ReturnType<typeof Compile>;

export interface Resource extends Generated {
  /** `DataSource` */
  readonly title: string;
  /** `data source`: as it is called in a sentence. */
  readonly noun: string;
  readonly schema: TObject;
  /** What it stores itself, in the order of rows. */
  readonly fields: readonly Field[];
  /** Its members that are one string, number or boolean each, `id` among them: what a list can be filtered and sorted by. */
  readonly scalars: readonly Field[];
  /** What it holds. */
  readonly collections: readonly Held[];
  /** Members that name something else in the project. */
  readonly references: readonly Reference[];
  /** Every member of an answer, in its order. */
  readonly members: readonly string[];
  /** Members that a request may write. */
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  /** Schemas of request bodies, and their compiled checkers; elements of held collections are checked one by one, not here. */
  readonly bodies: Readonly<Record<CheckMode, TObject>>;
  readonly checkers: Readonly<Record<CheckMode, Checker>>;
}

/** Derives a resource from its schema; `holds` names the resource of each member that is a collection. */
export function resource(schema: TObject, holds: readonly Held[] = []): Resource {
  const properties = Object.entries<AnySchema>(schema.properties);
  const held = new Set<string>(holds.map(({ name }) => name));
  const isReadOnly = (property: AnySchema) => property.readOnly === true;
  const fields = properties.filter(([name]) => name !== 'id' && !held.has(name)).map(([name, property]) => field(name, property));
  const bodies = {
    create: body(schema, held, 'create'),
    update: body(schema, held, 'update'),
    import: body(schema, held, 'import'),
  };
  let importChecker: Checker | undefined;
  const title = (schema as AnySchema).title ?? '';
  return {
    title,
    noun: title.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase(),
    schema,
    fields,
    scalars: properties
      .filter(([name]) => !held.has(name))
      .map(([name, property]) => field(name, property))
      .filter(({ encoding }) => scalarEncodings.has(encoding)),
    collections: holds,
    references: declaredReferences(schema.properties),
    members: properties.map(([name]) => name),
    writable: properties.filter(([, property]) => !isReadOnly(property)).map(([name]) => name),
    readOnly: properties.filter(([, property]) => isReadOnly(property)).map(([name]) => name),
    bodies,
    checkers: {
      create: Compile(bodies.create),
      update: Compile(bodies.update),
      // Few servers ever import anything, and a restart need not wait for it.
      get import() {
        importChecker ??= Compile(bodies.import);
        return importChecker;
      },
    },
    ...generate(fields),
  };
}

/** True when both values say the same: what a PATCH that changes nothing leaves. */
export function sameValue(resource: Resource, a: Value, b: Value): boolean {
  return resource.fields.every(({ name }) => {
    const left = a[name];
    const right = b[name];
    return left === right || (typeof left === 'object' && JSON.stringify(left) === JSON.stringify(right));
  });
}

function field(name: string, schema: AnySchema): Field {
  const { default: fallback, readOnly, properties } = schema;
  return {
    name,
    encoding: encodingOf(schema),
    fallback: deepFreeze(fallback),
    words: schema.enum ?? [],
    readOnly: readOnly === true,
    // An object that declares members with defaults of their own has them filled in; one that only types them does not.
    fills: Object.values(properties ?? {}).some((property) => property.default !== undefined),
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
 * The body of a create, an update or an import. A member without a default is required unless it is an update. An update may carry a read-only member: only
 * the engine knows whether its value is the present one, so any value passes here.
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
  return Type.Object(members, { additionalProperties: false });
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
