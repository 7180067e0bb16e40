/**
 * Schemas of a host's own for what the API leaves open. They are JSON Schema, whoever made them: TypeBox, the older @sinclair/typebox, or a
 * hand; what such a library keeps beside it, such as a function that decodes, cannot be honoured and is refused.
 *
 * They are asked of what a request brings, in addition to our own checks. What is left out takes its default, which is never judged, nor is
 * what was stored before: so what was read can always be imported again.
 */
import * as Schema from 'typebox/schema';
import { faultsMax, pointerTo } from '../lib/fault.ts';
import { suggest } from '../lib/suggest.ts';
import { type BodyCheck, type FaultList, kindOf } from './check.ts';
import type { Field } from './generate.ts';
import type { Resource } from './resource.ts';
import { actions, dataSources, projects, variables } from './resources.ts';
import type { Body } from './value.ts';

/**
 * A JSON Schema: what TypeBox or @sinclair/typebox make, or one written by hand. It is run as it is, on the only thread of the server: a
 * `pattern` that takes exponential time, such as `^(a+)+$`, lets a client stop it, and so do several branches of an `anyOf` that refer to the
 * schema itself, unless a constant that comes before tells at once which of them is meant.
 */
export type HostSchema = object;

/** A schema for each open structure, or for some of them. */
export interface HostSchemas {
  /** Of a project: `settings`. */
  readonly settings?: HostSchema;
  /** Of an action: each of its `conditions`. */
  readonly condition?: HostSchema;
  /** Of an action: each of its members `style_…`. */
  readonly style?: HostSchema;
  /** Of a data source: each of its `headers`. */
  readonly header?: HostSchema;
  /** Of a variable: `data_path`, as it is sent. */
  readonly dataPath?: HostSchema;
}

/** Where a structure stands: members of a resource, each of which is one, or a list of them. */
interface Place {
  readonly resource: Resource;
  readonly members: readonly string[];
}

const places: Readonly<Record<keyof HostSchemas, Place>> = {
  settings: { resource: projects, members: ['settings'] },
  condition: { resource: actions, members: ['conditions'] },
  style: { resource: actions, members: actions.members.filter((name) => name.startsWith('style_')) },
  header: { resource: dataSources, members: ['headers'] },
  dataPath: { resource: variables, members: ['data_path'] },
};

type Validator = ReturnType<typeof Schema.Compile>;

/** A schema that is asked. */
interface Asked {
  readonly validator: Validator;
  /** Whether it refers to itself. */
  readonly isRecursive: boolean;
}

type SchemaError = ReturnType<Validator['Errors']>[1][number];

/** Characters of a structure, as JSON, whose faults are told one by one: to find them costs many times what it costs to know of one. */
const explainedLengthMax = 64 * 1024;
/** Levels of a structure of which the same holds where a schema refers to itself: each may cost several times what the one below it does. */
const explainedDepthMax = 6;

/** Makes the checks of a host's schemas. Throws a TypeError that says which of them is none, and why. */
export function bodyCheckOf(schemas: HostSchemas): BodyCheck {
  const checks = new Map<Resource, { readonly fields: readonly Field[]; readonly asked: Asked }[]>();
  for (const [name, schema] of Object.entries(schemas)) {
    if (!Object.hasOwn(places, name)) {
      const meant = suggest(name, Object.keys(places));
      throw new TypeError(
        `the option "schemas" of createServer has no "${name}"${meant === undefined ? `; there are ${Object.keys(places).join(', ')}` : `; did you mean "${meant}"?`}`,
      );
    }
    if (schema === undefined) continue;
    const { resource, members } = places[name as keyof HostSchemas];
    const of = checks.get(resource) ?? [];
    const fields = resource.fields.filter((field) => members.includes(field.name));
    checks.set(resource, [...of, { fields, asked: compiled(name, schema) }]);
  }
  return {
    check(resource, body, at, faults) {
      for (const { fields, asked } of checks.get(resource) ?? []) {
        for (const field of fields) checkMember(asked, body, field, at, faults);
      }
    },
  };
}

function checkMember(asked: Asked, body: Body, { name, fallback }: Field, at: string, faults: FaultList): void {
  if (!Object.hasOwn(body, name)) return;
  const value = body[name];
  const here = pointerTo(at, name);
  if (!Array.isArray(value)) checkValue(asked, value, here, faults, fallback);
  else for (let i = 0; i < value.length && !faults.full; i++) checkValue(asked, value[i], pointerTo(here, i), faults);
}

function checkValue({ validator, isRecursive }: Asked, value: unknown, at: string, faults: FaultList, fallback?: unknown): void {
  // What is no object has been told already.
  if (kindOf(value) !== 'an object' || validator.Check(value)) return;
  const json = JSON.stringify(value);
  if (fallback !== undefined && json === JSON.stringify(fallback)) return;
  const before = faults.size;
  if (json.length <= explainedLengthMax && !(isRecursive && isDeeper(value, explainedDepthMax))) {
    const [, errors] = validator.Errors(value);
    for (const error of errors) explain(error, errors, at, faults);
  }
  if (faults.size === before) faults.add(at, 'is not as the schema of this server has it');
}

/** Whether there are more levels of objects and lists in a value than so many. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((below) => isDeeper(below, levels - 1));
}

function explain(error: SchemaError, all: readonly SchemaError[], at: string, faults: FaultList): void {
  const here = at + error.instancePath;
  switch (error.keyword) {
    case 'required':
      for (const name of error.params.requiredProperties) faults.add(pointerTo(here, name), 'is required');
      return;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      // Each of them is told of by itself, as what the schema `false` forbids.
      return;
    case 'boolean':
      faults.add(here, 'is not allowed here');
      return;
    case 'const': {
      const allowed = all.flatMap((other) =>
        other.keyword === 'const' && other.instancePath === error.instancePath ? [JSON.stringify(other.params.allowedValue)] : [],
      );
      faults.add(
        here,
        allowed.length === 1 ? `must be ${allowed[0]}` : `must be one of ${allowed.slice(0, faultsMax).join(', ')}`,
      );
      return;
    }
    case 'enum':
      faults.add(here, `must be one of ${error.params.allowedValues.map((value) => JSON.stringify(value)).join(', ')}`);
      return;
    default:
      faults.add(here, error.message);
  }
}

const draft7 = 'http://json-schema.org/draft-07/schema#';
let metaValidator: Validator | undefined;

/** Members of which a schema has at least one, or it says nothing. */
const telling = [
  'type',
  'properties',
  '$ref',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  'const',
  'enum',
  'required',
  '$defs',
] as const;

function compiled(name: string, schema: unknown): Asked {
  const refuse = (why: string, cause?: unknown): never => {
    throw new TypeError(`the schema "${name}" of createServer ${why}`, { cause });
  };
  if (kindOf(schema) !== 'an object' || !telling.some((member) => Object.hasOwn(schema as object, member)))
    return refuse('must be a JSON Schema, such as Type.Object({ ... }) of TypeBox makes');
  const extra = beyondJson(schema, new Set());
  if (extra !== undefined)
    return refuse(`has ${extra}, which is more than JSON Schema: only what is sent is checked, nothing is run or changed`);
  // Whatever library made it, what is left is JSON, and is read as that.
  const json = JSON.parse(JSON.stringify(schema)) as { readonly $defs?: object; readonly definitions?: object };
  metaValidator ??= Schema.Compile(Schema.Meta[draft7]);
  const [isSchema, errors] = metaValidator.Errors({ ...json, definitions: { ...json.definitions, ...json.$defs } });
  if (!isSchema) {
    const [{ instancePath, message } = { instancePath: '', message: 'is none' }] = errors;
    return refuse(`is no JSON Schema: at "${instancePath}" it ${message}`);
  }
  const parts = partsOf(json);
  const inherited = inheritedName(parts);
  if (inherited !== undefined)
    return refuse(
      `has a member called "${inherited}", as every object of JavaScript has: it cannot be told from none. Call it another name`,
    );
  const missing = missingReference(parts);
  if (missing !== undefined) return refuse(`refers to "${missing}", which is not in it: put that into its "$defs"`);
  const circular = circularReference(parts);
  if (circular !== undefined)
    return refuse(`refers to "${circular}" in a circle that never gets to a part of the value, so it has no answer`);
  try {
    return { validator: Schema.Compile(json), isRecursive: isRecursive(parts) };
  } catch (error) {
    return refuse(`cannot be compiled: ${(error as Error).message}`, error);
  }
}

/** What libraries keep beside a schema that only they could honour, and how each is called. */
const libraryParts: Readonly<Record<string, string>> = {
  'TypeBox.Transform': 'a Transform',
  '~codec': 'a Codec',
  '~refine': 'a Refine',
};

/** What of a schema would be lost if it were JSON; `undefined` for nothing. */
function beyondJson(schema: unknown, above: Set<unknown>): string | undefined {
  if (typeof schema === 'function') return 'a function';
  if (typeof schema === 'bigint') return 'a bigint';
  if (typeof schema !== 'object' || schema === null) return undefined;
  if (above.has(schema)) return 'a circle';
  above.add(schema);
  for (const key of Reflect.ownKeys(schema)) {
    const name = typeof key === 'symbol' ? (key.description ?? '') : key;
    if (Object.hasOwn(libraryParts, name)) return libraryParts[name];
    if (typeof key === 'symbol' || !Object.prototype.propertyIsEnumerable.call(schema, key)) continue;
    const below = beyondJson((schema as Readonly<Record<string, unknown>>)[key], above);
    if (below !== undefined) return below;
  }
  above.delete(schema);
  return undefined;
}

/** The name of a member that an object has also where it has none of its own. */
function inheritedName({ all }: Parts): string | undefined {
  for (const { properties } of all as readonly { readonly properties?: unknown }[]) {
    const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
    const found = names.find((name) => name in Object.prototype);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A reference in a schema to something that is not there. */
function missingReference({ all, referred }: Parts): string | undefined {
  const refs = (all as readonly { readonly $ref?: unknown }[]).map(({ $ref }) => $ref);
  return refs.find((ref): ref is string => typeof ref === 'string' && referred(ref) === undefined);
}

/** Keywords whose schema, or each of whose schemas, is asked of the same value, not of a part of it. */
const inPlace = ['not', 'if', 'then', 'else'];
const eachInPlace = ['allOf', 'anyOf', 'oneOf', 'dependentSchemas', 'dependencies'];

/** A reference that leads back to where it stands while the value stays the same: to check it would never end. */
function circularReference({ all, referred }: Parts): string | undefined {
  const done = new Set<object>();
  const above = new Set<object>();
  const look = (schema: unknown, ref: string): string | undefined => {
    if (typeof schema !== 'object' || schema === null || done.has(schema)) return undefined;
    if (above.has(schema)) return ref;
    above.add(schema);
    const parts = schema as Readonly<Record<string, unknown>>;
    let found: string | undefined;
    for (const keyword of inPlace) found ??= look(parts[keyword], ref);
    for (const keyword of eachInPlace) for (const next of Object.values(parts[keyword] ?? {})) found ??= look(next, ref);
    const { $ref } = parts;
    if (typeof $ref === 'string') found ??= look(referred($ref), $ref);
    above.delete(schema);
    done.add(schema);
    return found;
  };
  for (const schema of all) {
    const found = look(schema, '#');
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a part of a schema is within itself, by references. */
function isRecursive({ all: [root], referred }: Parts): boolean {
  const done = new Set<object>();
  const above = new Set<object>();
  const look = (part: unknown): boolean => {
    if (typeof part !== 'object' || part === null || done.has(part)) return false;
    if (above.has(part) || Object.hasOwn(part, '$dynamicRef') || Object.hasOwn(part, '$recursiveRef')) return true;
    above.add(part);
    const { $ref } = part as Readonly<Record<string, unknown>>;
    const found = Object.values(part).some(look) || (typeof $ref === 'string' && look(referred($ref)));
    above.delete(part);
    done.add(part);
    return found;
  };
  return look(root);
}

interface Parts {
  /** Every object and list of a schema, itself first. */
  readonly all: readonly object[];
  /** What a reference in it leads to; `undefined` for nothing. */
  referred(ref: string): unknown;
}

function partsOf(root: object): Parts {
  const named = new Map<string, object>([['#', root]]);
  const all: object[] = [];
  const gather = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $id, $anchor } = value as Readonly<Record<string, unknown>>;
    if (typeof $id === 'string') named.set($id, value);
    if (typeof $anchor === 'string') named.set(`#${$anchor}`, value);
    all.push(value);
    for (const below of Object.values(value)) gather(below);
  };
  gather(root);
  return { all, referred: (ref) => named.get(ref) ?? pointedAt(root, ref) };
}

/** What a pointer in a fragment (`#/$defs/node`) leads to; `undefined` for nothing. */
function pointedAt(root: object, ref: string): unknown {
  if (!ref.startsWith('#/')) return undefined;
  let value: unknown = root;
  for (const part of ref.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
