/**
 * What each resource is and what becomes of it, worked out from the table of resources alone: no log, no locks, no leaves. A new resource or
 * member is in every function here, and so in the tests that use them, without a change.
 */
import Type from 'typebox';
import { Check } from 'typebox/value';
import type { Chance } from '../support/random.ts';
import { type AnySchema, resourceNamed, resources, resourcesOfDocument } from '../support/resources.ts';

export { resourceNamed };

export interface Doc {
  id: string;
  [member: string]: unknown;
}

export type Sent = Readonly<Record<string, unknown>>;

/** A member of a resource, as its schema declares it. */
export interface Member {
  readonly member: string;
  readonly schema: AnySchema;
  readonly fallback: unknown;
  /** The server sets it. */
  readonly isReadOnly: boolean;
  /** A response has it only while it does not have its default. */
  readonly isOptional: boolean;
  /** An object whose members that are not sent take defaults of their own. */
  readonly fills: boolean;
  /** Title of the resource that it holds a list of. */
  readonly of: string | undefined;
}

/** Titles of all resources, also of files and versions. */
export const allNames: readonly string[] = [...resources.keys()];

/** Titles of the resources of a project's document. */
export const documentNames: readonly string[] = resourcesOfDocument.map(({ title }) => title);

const tables: ReadonlyMap<string, readonly Member[]> = new Map(
  [...resources].map(([title, { bodies, collections }]) => [
    title,
    Object.entries(bodies.response.properties as Record<string, AnySchema>).map(([member, schema]) => ({
      ...{ member, schema, fallback: schema.default, isReadOnly: schema.readOnly === true, isOptional: Type.IsOptional(schema) },
      fills: Object.values(schema.properties ?? {}).some((inner) => inner.default !== undefined),
      of: collections.find(({ name }) => name === member)?.resource.title,
    })),
  ]),
);

/** The members of a resource, in the order of a response. */
export const membersOf = (name: string): readonly Member[] => tables.get(name) as readonly Member[];

/** The members that hold resources, with the titles of these. */
export const listsOf = (name: string): [member: string, of: string][] =>
  membersOf(name).flatMap(({ member, of }) => (of === undefined ? [] : [[member, of] as [string, string]]));

/** The defaults of the members that are absent while they have them. */
const absent: Sent = Object.fromEntries(
  [...tables.values()].flat().flatMap(({ member, isOptional, fallback }) => (isOptional ? [[member, fallback]] : [])),
);

/** A member of a response, or its default if it is absent. */
export const memberOf = (doc: Sent, member: string): unknown => doc[member] ?? absent[member];

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Without the members that are absent while they have their defaults; the others in the order of the table. */
function asShown(name: string, doc: Sent): Doc {
  const shown = membersOf(name).filter(({ member, isOptional }) => !isOptional || !same(memberOf(doc, member), absent[member]));
  return Object.fromEntries(shown.map(({ member }) => [member, doc[member]])) as unknown as Doc;
}

/** The members that `?fields=` names, and the identifier. */
export const part = (doc: Sent, fields: readonly string[]): Sent =>
  Object.fromEntries(Object.entries(doc).filter(([member]) => member === 'id' || fields.includes(member)));

const filled = ({ fills, fallback }: Member, sent: unknown): unknown =>
  fills ? { ...(fallback as object), ...(sent as object) } : sent;

/** A new resource; its identifiers, and what else the server sets, are '' until the model adopts them. */
export function created(name: string, body: Sent): Doc {
  const doc: Record<string, unknown> = {};
  for (const table of membersOf(name)) {
    const { member, of, fallback, isReadOnly } = table;
    if (isReadOnly) doc[member] = '';
    else if (of !== undefined) doc[member] = ((body[member] ?? []) as Sent[]).map((element) => created(of, element));
    else doc[member] = filled(table, body[member] ?? fallback);
  }
  return asShown(name, doc);
}

/** A resource after an update. */
export function updated(name: string, current: Doc, body: Sent): Doc {
  const doc: Record<string, unknown> = { ...current };
  for (const table of membersOf(name)) {
    const { member, of, isReadOnly } = table;
    const sent = body[member];
    if (sent === undefined || isReadOnly) continue;
    if (of === undefined) doc[member] = filled(table, sent);
    else {
      const present = new Map((current[member] as Doc[]).map((held) => [held.id, held]));
      doc[member] = (sent as Sent[]).map((element) => {
        const known = present.get(element['id'] as string);
        return known === undefined ? created(of, element) : updated(of, known, element);
      });
    }
  }
  return asShown(name, doc);
}

export const isObject = (value: unknown): value is Sent => typeof value === 'object' && value !== null && !Array.isArray(value);

/** MergePatch of RFC 7396. */
function merged(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name);
    else result.set(name, merged(result.get(name), value));
  }
  return Object.fromEntries(result);
}

/** The body of the update that a merge patch stands for; `undefined` if its result is not valid. */
export function bodyOfPatch(name: string, current: Doc, patch: Sent): Sent | undefined {
  const body: Record<string, unknown> = {};
  for (const [member, sent] of Object.entries(patch)) {
    const { schema, fallback, of, isReadOnly } = membersOf(name).find((each) => each.member === member) as Member;
    if (isReadOnly) return undefined;
    if (sent === null) body[member] = of === undefined ? fallback : [];
    else body[member] = schema.type === 'object' ? merged(memberOf(current, member), sent) : sent;
    if (of === undefined && !Check(schema, body[member])) return undefined;
  }
  return body;
}

/** An operator of a filter, such as `x[gte]`. */
export interface Condition {
  readonly member: string;
  readonly operator: string;
  readonly value: string | number | readonly (string | number)[];
}

/** What a list is asked for: the values that members must have, conditions, and members to sort by, with `-` before those that descend. */
export interface Asked {
  readonly filters: Readonly<Record<string, unknown>>;
  readonly conditions?: readonly Condition[];
  readonly sort: readonly string[];
}

const isScalar = ({ schema: { type, enum: words } }: Member): boolean =>
  words !== undefined || ['string', 'number', 'integer', 'boolean'].includes(type as string);

/** The members that a list can be filtered and sorted by. */
export const scalarsOf = (name: string): string[] =>
  membersOf(name)
    .filter(isScalar)
    .map(({ member }) => member);

/** The operators of a member's filters, besides equality. */
export function operatorsOf(name: string, member: string): readonly string[] {
  const { schema } = membersOf(name).find((each) => each.member === member) as Member;
  if (schema['x-time'] === true) return ['gt', 'gte', 'lt', 'lte'];
  if (schema.enum !== undefined) return ['in'];
  if (schema.type === 'string') return ['contains', 'starts', 'in'];
  return schema.type === 'boolean' ? [] : ['in', 'gt', 'gte', 'lt', 'lte'];
}

const operators: Readonly<Record<string, (found: never, value: never) => boolean>> = {
  contains: (found: string, value: string) => found.includes(value),
  starts: (found: string, value: string) => found.startsWith(value),
  in: (found: unknown, value: readonly unknown[]) => value.includes(found),
  gt: (found, value) => found > value,
  gte: (found, value) => found >= value,
  lt: (found, value) => found < value,
  lte: (found, value) => found <= value,
};

/** The members of a list that were asked for, in the order that was asked for. */
export function listed<T extends Sent>(list: readonly T[], { filters, conditions = [], sort }: Asked): T[] {
  const found = list.filter(
    (doc) =>
      Object.entries(filters).every(([member, value]) => memberOf(doc, member) === value) &&
      conditions.every(({ member, operator, value }) => operators[operator]?.(memberOf(doc, member) as never, value as never)),
  );
  if (sort.length === 0) return found;
  return found.sort((a, b) => {
    for (const by of [...sort, 'id']) {
      const descends = by.startsWith('-');
      const member = descends ? by.slice(1) : by;
      const [left, right] = [memberOf(a, member), memberOf(b, member)] as [string, string];
      if (left !== right) return left < right === descends ? 1 : -1;
    }
    return 0;
  });
}

/** The same as a query, without its `?`. */
export function queryOf({ filters, conditions = [], sort }: Asked): string {
  const query = new URLSearchParams();
  for (const [member, value] of Object.entries(filters)) query.set(member, String(value));
  for (const { member, operator, value } of conditions) query.set(`${member}[${operator}]`, String(value));
  if (sort.length > 0) query.set('sort', sort.join());
  return query.toString();
}

/** Everything in a document, itself first, with its title and its JSON Pointer, in the order of the document. */
export function* everythingIn(name: string, doc: Doc, pointer = ''): Generator<[name: string, doc: Doc, pointer: string], void> {
  yield [name, doc, pointer];
  for (const [member, of] of listsOf(name)) {
    for (const [i, held] of (doc[member] as Doc[]).entries()) yield* everythingIn(of, held, `${pointer}/${member}/${i}`);
  }
}

/**
 * The body with some references, links and pictures: to what the project has or had.
 *
 * @param urls of its files
 */
export function linked(name: string, body: Sent, ids: readonly string[], urls: readonly string[], chance: Chance): Sent {
  const changed: Record<string, unknown> = { ...body };
  for (const { member, schema, of } of membersOf(name)) {
    const sent = body[member];
    if (of !== undefined && sent !== undefined) {
      changed[member] = (sent as Sent[]).map((element) => linked(of, element, ids, urls, chance));
    } else if (ids.length > 0 && chance.once(3)) {
      if (schema['x-references'] !== undefined) changed[member] = schema.type === 'array' ? [chance.pick(ids)] : chance.pick(ids);
      else if (schema['x-link'] === true) changed[member] = `#${chance.pick(ids)}`;
      else if (schema['x-files'] === 'alone' && urls.length > 0) changed[member] = chance.pick(urls);
      else if (isOpen(schema) && isObject(sent)) changed[member] = { ...sent, [chance.pick(ids)]: [chance.pick(ids)] };
    }
  }
  return changed;
}

/** An object that may have any members. */
const isOpen = ({ type, additionalProperties }: AnySchema): boolean => type === 'object' && additionalProperties === true;

/** The value with other texts, wherever there is one, also as a name of a member. */
function withTexts(value: unknown, renamed: (text: string) => string): unknown {
  if (typeof value === 'string') return renamed(value);
  if (Array.isArray(value)) return value.map((item) => withTexts(item, renamed));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [renamed(name), withTexts(item, renamed)]));
}

/**
 * A document whose resources have other identifiers, and whose files other addresses: references, links and open structures follow.
 *
 * @param ids the new identifier of each old one
 * @param urls the new address of each old one
 */
export function renamed(name: string, doc: Doc, ids: ReadonlyMap<string, string>, urls: ReadonlyMap<string, string>): Doc {
  const idFor = (text: string): string => ids.get(text) ?? text;
  const entries = Object.entries(doc).map(([member, value]): [string, unknown] => {
    const { schema, of } = membersOf(name).find((each) => each.member === member) as Member;
    if (of !== undefined) return [member, (value as Doc[]).map((held) => renamed(of, held, ids, urls))];
    if (schema['x-references'] !== undefined || member === 'id') return [member, withTexts(value, idFor)];
    if (schema['x-link'] === true) return [member, (value as string).replace(/(?<=^#).*$/s, idFor)];
    if (schema['x-files'] === 'alone') return [member, urls.get(value as string) ?? value];
    const isText = !['object', 'array'].includes(schema.type as string) || schema['x-json-bytes-max'] !== undefined;
    return [member, isText ? value : withTexts(value, idFor)];
  });
  return Object.fromEntries(entries) as unknown as Doc;
}

/** The settings that visitors get. */
const publicSettings = ['max_bounds', 'legend', 'labels', 'public_map'];

/** The project as visitors get it: no account, thumbnail, data, rules or keys; of settings and properties only what is declared public. */
export function publicPart({ id, created, name, artboards, popups, settings }: Doc): Sent {
  const all = settings as Sent;
  const shown = Object.fromEntries(publicSettings.flatMap((each) => (all[each] === undefined ? [] : [[each, all[each]]])));
  const fields = ((shown['public_map'] as { fields?: { name: string }[] } | undefined)?.fields ?? []).map((field) => field.name);
  const publicObject = ({ key, properties, ...object }: Doc): Sent => {
    const named = Object.entries((properties ?? {}) as Sent).filter(([property]) => fields.includes(property));
    return asShown('Object', { ...object, ...(named.length > 0 && { properties: Object.fromEntries(named) }) });
  };
  const boards = (artboards as Doc[]).map((board) => ({ ...board, objects: (board['objects'] as Doc[]).map(publicObject) }));
  return { id, created, name, artboards: boards, popups, ...(Object.keys(shown).length > 0 && { settings: shown }) };
}
