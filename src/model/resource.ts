/**
 * What the rest of mapwright knows of a resource, derived from its one declaration in `resources/`: its fields with their
 * encodings and defaults, the collections it holds, what it refers to, its compiled checkers, and the generated functions that build and store it.
 */
import Type, { type TObject, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Encoding, type Field, type Generated, generate } from './generate.ts';
import type { AnySchema, CollectionName } from './members.ts';
import { declaredReferences, type Reference } from './references.ts';
import { type Body, newer, type Value } from './value.ts';

export type { CollectionName } from './members.ts';

export interface Held {
  readonly name: CollectionName;
  readonly resource: Resource;
}

const scalarEncodings: ReadonlySet<Encoding> = new Set<Encoding>(['text', 'number', 'flag', 'word']);

/** `import` is a create from what was shown before: read-only members may be there, and come to nothing. */
export type CheckMode = 'create' | 'update' | 'import';
export type Checker = ReturnType<typeof Compile>;

/** What stands after a resource's title in those of its bodies. */
export const bodyTitles = { create: 'Create', update: 'Update', import: 'Import' } as const satisfies Record<CheckMode, string>;

/** Which original is spoken: the one that the contract describes, or what has become of it since. */
export const compats = ['contract', 'latest'] as const;
export type Compat = (typeof compats)[number];

/** What requests may hold of a resource, and what answers show, by one of the originals. */
export interface Face {
  /** `data source`: as it is called in a sentence. */
  readonly noun: string;
  readonly schema: TObject;
  /** What the resource stores itself, in the order of rows. */
  readonly fields: readonly Field[];
  /** Its members that are one string, number or boolean each, `id` among them: what a list can be filtered and sorted by. */
  readonly scalars: readonly Field[];
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
  /** The value as answers show it. */
  shown(value: Value): Value;
}

/** A resource. It is its own face by the contract; what it stores is what both originals know. */
export interface Resource extends Face, Generated {
  /** `DataSource` */
  readonly title: string;
  /** What it holds. */
  readonly collections: readonly Held[];
  /** The face by the newer original. */
  readonly latest: Face;
  /** All that is stored, and what of it names something else, whichever original it is from. */
  readonly stored: Pick<Face, 'fields' | 'references'>;
}

/** The face of a resource by one of the originals. */
export const faceOf = (resource: Resource, compat: Compat): Face => (compat === 'latest' ? resource.latest : resource);

/**
 * Derives a resource from its schema.
 *
 * @param holds the resource of each member that is a collection
 * @param others what only the newer original knows: further members, each with a default, and members that may be more there
 */
export function resource(schema: TObject, holds: readonly Held[] = [], others: Readonly<Record<string, TSchema>> = {}): Resource {
  const { title = '', description = '' } = schema as AnySchema;
  const held = new Set<string>(holds.map(({ name }) => name));
  const contract = face(schema, held, (value) => value);
  const latest = Type.Object({ ...schema.properties, ...others }, { title, description, additionalProperties: false });
  const stored = fieldsOf(latest, held);
  const known = contract.fields.length;
  const generated = generate(stored.slice(0, known), stored.slice(known));
  let latestFace: Face | undefined;
  const made: Resource = {
    ...contract,
    ...generated,
    title,
    collections: holds,
    stored: { fields: stored, references: declaredReferences(latest.properties) },
    // Made when it is asked for: most servers never do, and to compile its checks takes time at every start.
    get latest() {
      latestFace ??= Object.keys(others).length === 0 ? made : face(latest, held, generated.whole);
      return latestFace;
    },
  };
  return made;
}

function face(schema: TObject, held: ReadonlySet<string>, shown: Face['shown']): Face {
  const properties = Object.entries<AnySchema>(schema.properties);
  const isReadOnly = (property: AnySchema) => property.readOnly === true;
  const bodies = {
    create: body(schema, held, 'create'),
    update: body(schema, held, 'update'),
    import: body(schema, held, 'import'),
  };
  let importChecker: Checker | undefined;
  return {
    noun: ((schema as AnySchema).title ?? '').replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase(),
    schema,
    fields: fieldsOf(schema, held),
    scalars: properties
      .filter(([name]) => !held.has(name))
      .map(([name, property]) => field(name, property))
      .filter(({ encoding }) => scalarEncodings.has(encoding)),
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
    shown,
  };
}

function fieldsOf(schema: TObject, held: ReadonlySet<string>): Field[] {
  const properties = Object.entries<AnySchema>(schema.properties);
  return properties.filter(([name]) => name !== 'id' && !held.has(name)).map(([name, property]) => field(name, property));
}

/** True when both values say the same: what a PATCH that changes nothing leaves. */
export function sameValue(resource: Resource, a: Value, b: Value): boolean {
  return resource.fields.every(({ name }) => same(a[name], b[name])) && same(a[newer], b[newer]);
}

/** Whether two JSON values are the same, order of members included. Without making their text, which takes long for large ones. */
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
