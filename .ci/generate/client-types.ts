/**
 * Derives the types of the client (`src/web/client/generated`) from the description of the API. A type gets a name of its own, because editors
 * and the compiler then show the name.
 */
import { openapiOf } from '../../src/api/openapi/openapi.ts';
import type { Json, JsonObject } from '../../src/api/openapi/openapi-schemas.ts';
import { capital } from '../../src/model/noun.ts';

/** The text of `src/web/client/generated/api-types.ts`. */
export const typesText = (): string =>
  indented(
    `/** The API as types. Generated from its description by \`.ci/generate.ts\`: do not edit. */\n${fileText(describe())}`,
  );

/** Declarations of members by name: `/** Heading *\/ title: string;`. */
type Members = Readonly<Record<string, string>>;

interface Description {
  readonly types: Readonly<Record<string, { readonly doc: string; readonly members: Members }>>;
  readonly paths: Members;
  readonly headers: Members;
  readonly queries: Members;
  readonly pathNames: Members;
}

interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path';
  readonly description?: string;
  readonly schema: JsonObject;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, { schema: JsonObject }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: JsonObject }>> }>>;
}

type PathItem = Readonly<Record<string, Operation>> & { readonly parameters?: readonly Parameter[]; readonly servers?: unknown };

function describe(): Description {
  const { paths, components } = openapiOf({ version: '' }) as unknown as {
    paths: Record<string, PathItem>;
    components: { schemas: Record<string, JsonObject>; parameters: Record<string, Parameter> };
  };
  const types: Record<string, { doc: string; members: Members }> = {};
  for (const [title, schema] of Object.entries(components.schemas))
    if (!isPart(title)) types[title] = { doc: comment(schema), members: membersOf(schema) };
  const description = {
    types,
    paths: {},
    headers: parameterMembers(Object.values(components.parameters).filter(isTyped)),
    queries: sharedQueries(paths),
    pathNames: {},
  };
  for (const [at, { parameters = [], servers, ...operations }] of Object.entries(paths)) {
    // `/healthz` and the like are not below the API.
    if (servers !== undefined) continue;
    Object.assign(description.pathNames, parameterMembers(parameters, true));
    const methods: Record<string, string> = {};
    for (const [method, operation] of Object.entries(operations)) {
      const { operationId: id, summary } = operation;
      const named = (operation.parameters ?? []).map((one) =>
        '$ref' in one ? (components.parameters[titleOf(one.$ref)] as Parameter) : one,
      );
      const query = parameterMembers(named.filter((one) => one.in === 'query'));
      const isList = 'cursor' in query;
      const title = `${capital(id)}Query`;
      if (isList) types[title] = { doc: `/** The parameters of ${id}. */\n`, members: query };
      const sent = [
        Object.keys(query).length === 0 ? 'query?: never;' : `query?: ${isList ? title : queryText(query, description.queries)};`,
        pickedMember(
          'header?',
          'RequestHeaders',
          named.filter((one) => one.in === 'header' && isTyped(one)),
        ),
        pickedMember('path', 'PathNames', parameters),
      ];
      const text = [
        `parameters: { ${sent.join(' ').replace(/;$/, '')} };`,
        bodyText(operation),
        `responses: ${responseText(operation)};`,
      ].join('\n');
      methods[method] = `/** ${summary} */\n${method}: {\n${text}\n};`;
    }
    Object.assign(description.paths, { [at]: `'${at}': ${block(methods)};` });
  }
  return description;
}

/** The type of a response to `Prefer` would depend on its value; `?fields=id` is typed. */
const isTyped = ({ name }: Parameter): boolean => name !== 'Prefer';

/** The types of the client derive from `?fields=` which members a response has. */
const isPart = (title: string): boolean => title.endsWith('Part');

function bodyText({ requestBody }: Operation): string {
  if (requestBody === undefined) return 'requestBody?: never;';
  const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(requestBody.content);
  const sent = schema['format'] === 'binary' ? 'Bytes' : typeText(schema);
  return `requestBody${requestBody.required ? '' : '?'}: Content<${sent}, '${type}'>;`;
}

function responseText({ responses }: Operation): string {
  const [status = '', { content = {} } = {}] = Object.entries(responses).find(([one]) => /^2/.test(one)) ?? [];
  const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(content);
  return type === '' ? `NoContent<${status}>` : `Success<${status}, ${typeText(schema)}, '${type}'>`;
}

/** Query parameters that mean the same in all operations that are not lists. */
function sharedQueries(paths: Readonly<Record<string, PathItem>>): Members {
  const all = Object.values(paths).flatMap(({ parameters: _, servers: __, ...operations }) =>
    Object.values(operations as Record<string, Operation>).map(({ parameters = [] }) =>
      parameterMembers(parameters.filter((one): one is Parameter => !('$ref' in one) && one.in === 'query')),
    ),
  );
  const members = all.filter((query) => !('cursor' in query)).flatMap((query) => Object.entries(query));
  return Object.fromEntries(members.filter(([name, text]) => members.every(([other, its]) => other !== name || its === text)));
}

function queryText(query: Members, shared: Members): string {
  const names = Object.keys(query);
  if (!names.every((name) => name in shared)) return block(query);
  return `Pick<QueryParameters, ${names.map((name) => `'${name}'`).join(' | ')}>`;
}

/** A member with these of the parameters that a shared type declares. */
function pickedMember(member: string, type: string, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return `${member.replace('?', '')}?: never;`;
  return `${member}: Pick<${type}, ${parameters.map(({ name }) => `'${name}'`).join(' | ')}>;`;
}

const parameterMembers = (parameters: readonly Parameter[], isRequired = false): Members =>
  Object.fromEntries(
    parameters.map(({ name, schema, description = '' }) => [
      name,
      `${comment({ description })}${/^\w+$/.test(name) ? name : `'${name}'`}${isRequired ? '' : '?'}: ${typeText(schema)};`,
    ]),
  );

// ---- schemas

const titleOf = (reference: string): string => reference.replace(/^.*\//, '');

function typeText(schema: JsonObject): string {
  const { $ref, anyOf, allOf, enum: words, const: word, items, required } = schema as Record<string, Json[] & Json & JsonObject>;
  const text = (one: Json = {}): string => typeText(one as JsonObject);
  if ($ref !== undefined) return titleOf(schema['$ref'] as string);
  if (allOf !== undefined) return `WithRequired<${text(allOf[0])}, ${required?.map(literal).join(' | ')}>`;
  if (anyOf !== undefined) {
    const whole = (anyOf as JsonObject[]).filter(({ $ref: to = '' }) => !isPart(to as string));
    return whole.map(text).join(' | ');
  }
  if (words !== undefined) return words.map(literal).join(' | ');
  if (word !== undefined) return literal(word);
  if (schema['type'] === 'array') return `Array<${text(items)}>`.replace(/^Array<([^ ]+)>$/, '$1[]');
  if (schema['type'] === 'object') return objectText(schema);
  return schema['type'] === 'integer' ? 'number' : ((schema['type'] as string | undefined) ?? 'unknown');
}

function objectText(schema: JsonObject): string {
  const members = membersOf(schema);
  const more = indexText(schema);
  if (Object.keys(members).length === 0) return more ?? 'Record<string, never>';
  const text = Object.values(members);
  const isShort = text.every((one) => !one.startsWith('/**')) && text.join(' ').length < 80;
  return (isShort ? `{ ${text.join(' ').replace(/;$/, '')} }` : block(members)) + (more === undefined ? '' : ` & ${more}`);
}

/** Members of any name; `undefined` if there are none. */
function indexText({ additionalProperties, patternProperties }: JsonObject): string | undefined {
  if (additionalProperties === true) return '{ [key: string]: unknown }';
  const [any] = Object.values((patternProperties ?? {}) as Record<string, JsonObject>);
  return any && `{ [key: string]: ${typeText(any)} }`;
}

const membersOf = ({ properties = {}, required = [] }: JsonObject): Members =>
  Object.fromEntries(
    Object.entries(properties as Record<string, JsonObject>).map(([name, property]) => {
      const isRequired = (required as Json[]).includes(name);
      const readonly = property['readOnly'] === true ? 'readonly ' : '';
      return [name, `${comment(property)}${readonly}${name}${isRequired ? '' : '?'}: ${typeText(property)};`];
    }),
  );

const literal = (value: Json): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);

function comment({ description = '', default: byDefault }: JsonObject): string {
  const said = [description as string, byDefault === undefined ? '' : `Default: \`${JSON.stringify(byDefault)}\``];
  const text = said.filter((one) => one !== '').join('. ');
  return text === '' ? '' : `/** ${text.replaceAll('*/', '*\\/')} */\n`;
}

// ---- files

const block = (members: Members): string => `{\n${Object.values(members).join('\n')}\n}`;

type NamedType = Description['types'][string];

function typeDeclaration(title: string, type: NamedType, base: NamedType = type): string {
  return `${type.doc}export type ${title} = ${base === type ? block(type.members) : derived(title, type.members, base.members)};`;
}

/** A type of a body, as what it leaves out of its resource and what differs: comments of members stay visible through `Omit`. */
function derived(title: string, members: Members, base: Members): string {
  const declared = (text = ''): string => text.replace(/^\/\*\*.*\n/, '');
  const optional = (text = ''): string => declared(text).replace(/^(\w+)\??:/, '$1?:');
  const isSame = (name: string): boolean => declared(members[name]) === optional(base[name]);
  const left = Object.keys(base).filter((name) => !isSame(name));
  const own = Object.fromEntries(Object.entries(members).filter(([name]) => !isSame(name)));
  const omitted = left.map((name) => `'${name}'`).join(' | ');
  const name = title.replace(/(?:Create|Update|Import)$/, '');
  return `Partial<${left.length === 0 ? name : `Omit<${name}, ${omitted}>`}>${Object.keys(own).length === 0 ? '' : ` & ${block(own)}`}`;
}

function fileText({ types, paths, headers, queries, pathNames }: Description): string {
  const registry = Object.fromEntries(Object.keys(types).map((title) => [title, `${title}: ${title};`]));
  return `
import type { Bytes } from '../byte-bodies.ts';

${Object.entries(types)
  .map(([title, type]) => typeDeclaration(title, type, types[title.replace(/(?:Create|Update|Import)$/, '')]))
  .join('\n\n')}

export interface Schemas ${block(registry)}

export interface RequestHeaders ${block(headers)}

export interface QueryParameters ${block(queries)}

export interface PathNames ${block(pathNames)}

export type WithRequired<T, K extends keyof T> = T & { [P in K]-?: T[P] };

export interface Content<Body, Type extends string> {
content: { [Name in Type]: Body };
}
/** A problem can be the response to every operation. */
export interface Refusal {
default: { headers: { [name: string]: unknown } } & Content<Problem, 'application/problem+json'>;
}
export type Success<Status extends number, Body, Type extends string> = Refusal & {
[Each in Status]: { headers: { [name: string]: unknown } } & Content<Body, Type>;
};
export type NoContent<Status extends number> = Refusal & {
[Each in Status]: { headers: { [name: string]: unknown }; content?: never };
};

export interface Paths ${block(paths)}
`;
}

/** Lines between braces, further in. */
function indented(text: string): string {
  let depth = 0;
  return text
    .split('\n')
    .map((line) => {
      if (/^[}\]]/.test(line)) depth--;
      const margin = line === '' ? '' : '  '.repeat(depth);
      if (line.endsWith('{')) depth++;
      return margin + line;
    })
    .join('\n');
}
