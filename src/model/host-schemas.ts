/**
 * A host's own schemas for the open structures of the API. They are JSON Schema, from TypeBox, the older @sinclair/typebox, or written by
 * hand. Library additions to JSON Schema, such as a decode function, are rejected.
 *
 * They apply to members in requests, in addition to the built-in checks. They do not apply to defaults, nor to values stored before. So
 * every export can be imported again.
 */
import * as Schema from 'typebox/schema';
import { fieldErrorsMax, nameInPointer, pointerTo } from '../lib/field-error.ts';
import { suggest } from '../lib/text/suggest.ts';
import { type BodyCheck, type FieldErrorList, kindOf } from './bodies/check-body.ts';
import type { Field } from './generate.ts';
import type { Resource } from './resource.ts';
import { actions, dataSources, projects, variables } from './resources.ts';
import type { Body } from './value.ts';

/**
 * A JSON Schema, from TypeBox, from @sinclair/typebox, or written by hand. It runs on the server's only thread. A `pattern` that takes
 * exponential time, such as `^(a+)+$`, lets a client block the server. So do several `anyOf` branches that refer to the schema itself,
 * unless an earlier constant decides between them.
 */
export type HostSchema = object;

/** A schema for each kind of open structure; all are optional. */
export interface HostSchemas {
  /** For `settings` of a project. */
  readonly settings?: HostSchema;
  /** For each of the `conditions` of an action. */
  readonly condition?: HostSchema;
  /** For each `style_…` member of an action. */
  readonly style?: HostSchema;
  /** For each of the `headers` of a data source. */
  readonly header?: HostSchema;
  /** For `data_path` of a variable, as sent. */
  readonly dataPath?: HostSchema;
}

/** The members of a resource that contain a kind of structure, or a list of them. */
interface SchemaTarget {
  readonly resource: Resource;
  readonly members: readonly string[];
}

const targets: Readonly<Record<keyof HostSchemas, SchemaTarget>> = {
  settings: { resource: projects, members: ['settings'] },
  condition: { resource: actions, members: ['conditions'] },
  style: { resource: actions, members: actions.members.filter((name) => name.startsWith('style_')) },
  header: { resource: dataSources, members: ['headers'] },
  dataPath: { resource: variables, members: ['data_path'] },
};

type Validator = ReturnType<typeof Schema.Compile>;

/** A compiled schema. */
interface CompiledSchema {
  readonly validator: Validator;
  /** Whether it refers to itself. */
  readonly isRecursive: boolean;
}

type SchemaError = ReturnType<Validator['Errors']>[1][number];

/** Length limit of a structure whose errors are explained, in characters of JSON: an explanation costs many times what a check costs. */
const explainedLengthMax = 64 * 1024;
/** Depth limit of an explained structure if its schema is recursive: each level may cost several times as much as the one below. */
const explainedDepthMax = 6;

/** Compiles a host's schemas. Throws a TypeError that names the invalid schema and the reason. */
export function bodyCheckOf(schemas: HostSchemas): BodyCheck {
  const checks = new Map<Resource, { readonly fields: readonly Field[]; readonly compiled: CompiledSchema }[]>();
  for (const [name, schema] of Object.entries(schemas)) {
    if (!Object.hasOwn(targets, name)) {
      const meant = suggest(name, Object.keys(targets));
      throw new TypeError(
        `the option "schemas" of createServer has no member "${name}"${meant === undefined ? `; its members are ${Object.keys(targets).join(', ')}` : `; did you mean "${meant}"?`}`,
      );
    }
    if (schema === undefined) continue;
    const { resource, members } = targets[name as keyof HostSchemas];
    const of = checks.get(resource) ?? [];
    const fields = resource.fields.filter((field) => members.includes(field.name));
    checks.set(resource, [...of, { fields, compiled: compile(name, schema) }]);
  }
  return {
    check(resource, body, at, fieldErrors) {
      for (const { fields, compiled } of checks.get(resource) ?? []) {
        for (const field of fields) checkMember(compiled, body, field, at, fieldErrors);
      }
    },
  };
}

function checkMember(
  compiled: CompiledSchema,
  body: Body,
  { name, fallback }: Field,
  at: string,
  fieldErrors: FieldErrorList,
): void {
  if (!Object.hasOwn(body, name)) return;
  const value = body[name];
  const here = pointerTo(at, name);
  if (!Array.isArray(value)) checkValue(compiled, value, here, fieldErrors, fallback);
  else
    for (let i = 0; i < value.length && !fieldErrors.full; i++) checkValue(compiled, value[i], pointerTo(here, i), fieldErrors);
}

function checkValue(
  { validator, isRecursive }: CompiledSchema,
  value: unknown,
  at: string,
  fieldErrors: FieldErrorList,
  fallback?: unknown,
): void {
  // The built-in check already reported a value that is not an object.
  if (kindOf(value) !== 'an object' || validator.Check(value)) return;
  const json = JSON.stringify(value);
  if (fallback !== undefined && json === JSON.stringify(fallback)) return;
  const before = fieldErrors.size;
  if (json.length <= explainedLengthMax && !(isRecursive && isDeeper(value, explainedDepthMax))) {
    const [, errors] = validator.Errors(value);
    for (const error of errors) explain(error, errors, at, fieldErrors);
  }
  if (fieldErrors.size === before) fieldErrors.add(at, "does not match this server's schema for it");
}

/** Whether a value has more than `levels` levels of objects and lists. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((below) => isDeeper(below, levels - 1));
}

function explain(error: SchemaError, all: readonly SchemaError[], at: string, fieldErrors: FieldErrorList): void {
  const here = at + error.instancePath;
  switch (error.keyword) {
    case 'required':
      for (const name of error.params.requiredProperties) fieldErrors.add(pointerTo(here, name), 'is required');
      return;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      // Each of them has its own error: the schema `false` forbids it.
      return;
    case 'boolean':
      fieldErrors.add(here, 'is not allowed here');
      return;
    case 'const': {
      const allowed = all.flatMap((other) =>
        other.keyword === 'const' && other.instancePath === error.instancePath ? [JSON.stringify(other.params.allowedValue)] : [],
      );
      fieldErrors.add(
        here,
        allowed.length === 1 ? `must be ${allowed[0]}` : `must be one of ${allowed.slice(0, fieldErrorsMax).join(', ')}`,
      );
      return;
    }
    case 'enum':
      fieldErrors.add(here, `must be one of ${error.params.allowedValues.map((value) => JSON.stringify(value)).join(', ')}`);
      return;
    default:
      fieldErrors.add(here, error.message);
  }
}

const draft7 = 'http://json-schema.org/draft-07/schema#';
let metaValidator: Validator | undefined;

/** A schema without any of these keywords would have no effect. */
const effectiveKeywords = [
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

function compile(name: string, schema: unknown): CompiledSchema {
  const refuse = (why: string, cause?: unknown): never => {
    throw new TypeError(`the schema "${name}" of createServer ${why}`, { cause });
  };
  if (kindOf(schema) !== 'an object' || !effectiveKeywords.some((member) => Object.hasOwn(schema as object, member)))
    return refuse('must be a JSON Schema, for example the result of Type.Object({ ... }) of TypeBox');
  const extra = beyondJson(schema, new Set());
  if (extra !== undefined)
    return refuse(
      `contains ${extra}, which is not JSON Schema: schemas only check values, they cannot run code or change values`,
    );
  // Whatever library made it, the rest is JSON.
  const json = JSON.parse(JSON.stringify(schema)) as { readonly $defs?: object; readonly definitions?: object };
  metaValidator ??= Schema.Compile(Schema.Meta[draft7]);
  const [isSchema, errors] = metaValidator.Errors({ ...json, definitions: { ...json.definitions, ...json.$defs } });
  if (!isSchema) {
    const [{ instancePath, message } = { instancePath: '', message: 'is invalid' }] = errors;
    return refuse(`is not a valid JSON Schema: at "${instancePath}" it ${message}`);
  }
  const parts = partsOf(json);
  const inherited = inheritedName(parts);
  if (inherited !== undefined)
    return refuse(
      `has a member "${inherited}", which every JavaScript object inherits, so its absence cannot be detected. Choose another name`,
    );
  const missing = missingReference(parts);
  if (missing !== undefined) return refuse(`refers to "${missing}", which it does not contain: add the target to its "$defs"`);
  const circular = circularReference(parts);
  if (circular !== undefined)
    return refuse(`has a circular reference to "${circular}" that never descends into the value, so a check would never end`);
  try {
    return { validator: Schema.Compile(json), isRecursive: isRecursive(parts) };
  } catch (error) {
    return refuse(`cannot be compiled: ${(error as Error).message}`, error);
  }
}

/** Library additions that a plain JSON Schema loses, and their names in messages. */
const libraryParts: Readonly<Record<string, string>> = {
  'TypeBox.Transform': 'a Transform',
  '~codec': 'a Codec',
  '~refine': 'a Refine',
};

/** A part of a schema that JSON cannot represent; `undefined` if there is none. */
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

/** The name of a declared member that every object inherits from `Object.prototype`. */
function inheritedName({ all }: SchemaIndex): string | undefined {
  for (const { properties } of all as readonly { readonly properties?: unknown }[]) {
    const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
    const found = names.find((name) => name in Object.prototype);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A reference in a schema without a target. */
function missingReference({ all, referred }: SchemaIndex): string | undefined {
  const refs = (all as readonly { readonly $ref?: unknown }[]).map(({ $ref }) => $ref);
  return refs.find((ref): ref is string => typeof ref === 'string' && referred(ref) === undefined);
}

/** Keywords whose schema, or schemas, apply to the same value, not to a part of it. */
const inPlace = ['not', 'if', 'then', 'else'];
const eachInPlace = ['allOf', 'anyOf', 'oneOf', 'dependentSchemas', 'dependencies'];

/** A reference that leads back to itself for the same value: a check would never end. */
function circularReference({ all, referred }: SchemaIndex): string | undefined {
  const done = new Set<object>();
  const above = new Set<object>();
  const visit = (schema: unknown, ref: string): string | undefined => {
    if (typeof schema !== 'object' || schema === null || done.has(schema)) return undefined;
    if (above.has(schema)) return ref;
    above.add(schema);
    const parts = schema as Readonly<Record<string, unknown>>;
    let found: string | undefined;
    for (const keyword of inPlace) found ??= visit(parts[keyword], ref);
    for (const keyword of eachInPlace) for (const next of Object.values(parts[keyword] ?? {})) found ??= visit(next, ref);
    const { $ref } = parts;
    if (typeof $ref === 'string') found ??= visit(referred($ref), $ref);
    above.delete(schema);
    done.add(schema);
    return found;
  };
  for (const schema of all) {
    const found = visit(schema, '#');
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a schema contains itself, by references. */
function isRecursive({ all: [root], referred }: SchemaIndex): boolean {
  const done = new Set<object>();
  const above = new Set<object>();
  const visit = (part: unknown): boolean => {
    if (typeof part !== 'object' || part === null || done.has(part)) return false;
    if (above.has(part) || Object.hasOwn(part, '$dynamicRef') || Object.hasOwn(part, '$recursiveRef')) return true;
    above.add(part);
    const { $ref } = part as Readonly<Record<string, unknown>>;
    const found = Object.values(part).some(visit) || (typeof $ref === 'string' && visit(referred($ref)));
    above.delete(part);
    done.add(part);
    return found;
  };
  return visit(root);
}

interface SchemaIndex {
  /** Every object and list of a schema; first the schema itself. */
  readonly all: readonly object[];
  /** The target of a reference; `undefined` if it is missing. */
  referred(ref: string): unknown;
}

function partsOf(root: object): SchemaIndex {
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

/** The target of a pointer in a fragment (`#/$defs/node`); `undefined` if it is missing. */
function pointedAt(root: object, ref: string): unknown {
  if (!ref.startsWith('#/')) return undefined;
  let value: unknown = root;
  for (const part of ref.slice(2).split('/')) {
    const name = nameInPointer(part);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
