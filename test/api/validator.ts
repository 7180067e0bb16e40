/**
 * A second opinion on bodies and answers: schemas built from the hand-written tables and compiled by another major version of the
 * validator, sharing no line with the sources.
 */
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { contract, type Member, type ResourceName, resourceNames } from './contract.ts';

type Use = 'create' | 'update' | 'answer';

const anyObject = Type.Object({}, { additionalProperties: true });

function schemaOf(member: Member, use: Use): TSchema {
  switch (member.kind) {
    case 'string':
      return Type.String();
    case 'number':
      return Type.Number({
        ...(member.minimum === undefined ? {} : { minimum: member.minimum }),
        ...(member.maximum === undefined ? {} : { maximum: member.maximum }),
      });
    case 'boolean':
      return Type.Boolean();
    case 'words':
      return Type.Union((member.words ?? []).map((word) => Type.Literal(word)));
    case 'vertices':
      return Type.Array(Type.Object({ x: Type.Number(), y: Type.Number() }, { additionalProperties: false }));
    case 'rings':
      return Type.Array(Type.Array(Type.Object({ x: Type.Number(), y: Type.Number() }, { additionalProperties: false })));
    case 'values':
      return Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]));
    case 'strings':
      return Type.Array(Type.String());
    case 'objects':
      return Type.Array(anyObject);
    case 'object':
      return anyObject;
    case 'style':
      return Type.Object(
        { name: Type.Optional(Type.String()), type: Type.Optional(Type.String()) },
        { additionalProperties: true },
      );
    case 'path': {
      const optional = (schema: TSchema) => (use === 'answer' ? schema : Type.Optional(schema));
      const array = optional(Type.Array(Type.Unknown()));
      return Type.Object(
        { nodes: array, node_id: optional(Type.String()), filters: array, collapsed_nodes: array },
        { additionalProperties: true },
      );
    }
    case 'list': {
      const of = member.of as ResourceName;
      // An element of an update is one, or a create, by whether it carries an identifier; no schema knows whether it exists.
      if (use !== 'update') return Type.Array(resourceSchema(of, use));
      const known = Type.Composite([Type.Omit(resourceSchema(of, 'update'), ['id']), Type.Object({ id: Type.Unknown() })], {
        additionalProperties: false,
      });
      return Type.Array(Type.Union([resourceSchema(of, 'create'), known]));
    }
  }
}

function resourceSchema(name: ResourceName, use: Use): TObject {
  const members: Record<string, TSchema> = {};
  for (const [key, member] of Object.entries(contract[name])) {
    if (use === 'answer') members[key] = member.optional === true ? Type.Optional(schemaOf(member, use)) : schemaOf(member, use);
    else if (member.readOnly !== true) {
      const required = use === 'create' && member.fallback === undefined;
      members[key] = required ? schemaOf(member, use) : Type.Optional(schemaOf(member, use));
    } else if (use === 'update') members[key] = Type.Optional(Type.Unknown());
  }
  return Type.Object(members, { additionalProperties: false });
}

const compiled = new Map<string, TypeCheck<TObject>>();
for (const name of resourceNames) {
  for (const use of ['create', 'update', 'answer'] as const)
    compiled.set(`${name} ${use}`, TypeCompiler.Compile(resourceSchema(name, use)));
}

/** Whether a value is what the contract says; `''` when it is, the first fault otherwise. */
export function faultIn(name: ResourceName, use: Use, value: unknown): string {
  const checker = compiled.get(`${name} ${use}`) as TypeCheck<TObject>;
  if (checker.Check(value)) return '';
  const error = checker.Errors(value).First();
  return `${error?.path ?? ''}: ${error?.message ?? 'wrong'}`;
}
