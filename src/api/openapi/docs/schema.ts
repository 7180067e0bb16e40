/** Schemas on the reference page: their type in words, their members, and an example value. */
import type { Json, JsonObject } from '../openapi-schemas.ts';
import { type Content, html, joined, type Markup, marked } from './markup.ts';

/** The schemas of the description, by title. */
export type Named = Readonly<Record<string, JsonObject>>;

/** The title that a reference names; `undefined` for any other schema. */
export function titleOf(schema: JsonObject): string | undefined {
  const target = schema['$ref'];
  return typeof target === 'string' ? target.slice(target.lastIndexOf('/') + 1) : undefined;
}

export const objectIn = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

export const objectsIn = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.map(objectIn) : []);

export const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** Its type, with links to the schemas that it names. */
export function typeOf(schema: JsonObject): Markup {
  const title = titleOf(schema);
  if (title !== undefined) return html`<a href="#schema-${title}">${title}</a>`;
  if (schema['const'] !== undefined) return html`<code>${JSON.stringify(schema['const'])}</code>`;
  if (Array.isArray(schema['enum']))
    return html`<span class="enum">${schema['enum'].map((word) => html`<code>${JSON.stringify(word)}</code> `)}</span>`;
  if (schema['anyOf'] !== undefined) return html`${joined(' or ', objectsIn(schema['anyOf']).map(typeOf))}`;
  if (schema['allOf'] !== undefined) return html`${joined(' and ', objectsIn(schema['allOf']).map(typeOf))}`;
  if (schema['type'] === 'array')
    return schema['items'] === undefined ? html`array` : html`array of ${typeOf(objectIn(schema['items']))}`;
  return html`${textIn(schema['type']) || 'anything'}`;
}

/** Other constraints of a value, a few words each. */
function remarksOn(schema: JsonObject): Content[] {
  const { minimum, maximum, maxItems, readOnly } = schema;
  const references = textIn(schema['x-references']).replaceAll('_', ' ');
  return [
    minimum === undefined ? undefined : html`≥ ${Number(minimum)}`,
    maximum === undefined ? undefined : html`≤ ${Number(maximum)}`,
    maxItems === undefined ? undefined : html`at most ${Number(maxItems)}`,
    readOnly === true ? html`read-only` : undefined,
    schema['default'] === undefined ? undefined : html`default <code>${JSON.stringify(schema['default'])}</code>`,
    references === '' ? undefined : html`refers to ${references}`,
  ];
}

interface SchemaMember {
  readonly name: string;
  readonly schema: JsonObject;
  readonly description?: Json | undefined;
  readonly isRequired?: boolean;
  /** Attributes of its element, for the script of the page. */
  readonly place?: Markup;
}

/** One line of a table: a member of a body, or a parameter. */
export function memberRow({
  name,
  schema,
  description = schema['description'],
  isRequired = false,
  place,
}: SchemaMember): Markup {
  const remarks = [isRequired ? html`<b>required</b>` : undefined, ...remarksOn(schema)].filter((each) => each !== undefined);
  const inner = innerMembers(schema);
  return html`<div class="member"${place}>
<dt><code>${name}</code> <span class="type">${typeOf(schema)}</span>${remarks.map((each) => html` <small>${each}</small>`)}</dt>
<dd>${marked(textIn(description))}${inner === undefined ? undefined : html`<details><summary>members</summary>${inner}</details>`}</dd>
</div>`;
}

/** The members of an object without a title, or of such objects in an array. */
function innerMembers(schema: JsonObject): Markup | undefined {
  const inner = schema['type'] === 'array' ? objectIn(schema['items']) : schema;
  return Object.keys(objectIn(inner['properties'])).length === 0 ? undefined : membersOf(inner, true);
}

/** @param isAsked whether to mark optional members: not in responses, which have all members */
export function membersOf(schema: JsonObject, isAsked: boolean): Markup {
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const members = Object.entries(objectIn(schema['properties']));
  return html`<dl class="members">${members.map(([name, member]) =>
    memberRow({ name, schema: objectIn(member), isRequired: isAsked && required.has(name) }),
  )}</dl>`;
}

/** Maximum depth of a generated example. */
const depthMax = 6;

/** An example value for schemas without an example. */
export function schemaSample(schema: JsonObject, named: Named, depth = 0): Json {
  const title = titleOf(schema);
  if (title !== undefined) return schemaSample(named[title] ?? {}, named, depth);
  for (const keyword of ['example', 'const', 'default'] as const) if (schema[keyword] !== undefined) return schema[keyword];
  if (Array.isArray(schema['enum'])) return schema['enum'][0] ?? null;
  const [first] = objectsIn(schema['anyOf'] ?? schema['allOf']);
  if (first !== undefined) return schemaSample(first, named, depth);
  const { type } = schema;
  if (type === 'array') return depth < depthMax ? [schemaSample(objectIn(schema['items']), named, depth + 1)] : [];
  if (type === 'object') {
    const members = Object.entries(objectIn(schema['properties']));
    return Object.fromEntries(members.map(([name, member]) => [name, schemaSample(objectIn(member), named, depth + 1)]));
  }
  if (type === 'boolean') return false;
  return type === 'integer' || type === 'number' ? Number(schema['minimum'] ?? 0) : '...';
}
