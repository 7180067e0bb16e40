/**
 * References: members that contain the identifier of something else in the same project. Each is declared with its member (`reference` in
 * members.ts). This file finds references and replaces identifiers in them.
 *
 * A reference is a top-level member of a resource, or declared in one: `settings.public_map.start.artboard_id`. The server does not interpret the
 * rest of open structures (`settings`, conditions, styles, headers, `data_path`), so a text there that resembles an identifier is not a reference. The exception is a copy of a whole project
 * ({@link withOpenTexts}): a text that equals an identifier of the project almost certainly refers to it.
 */
import type { Field } from '../generate.ts';
import type { AnySchema, CollectionName } from '../members.ts';
import type { Body } from '../value.ts';

export interface Reference {
  readonly member: string;
  /** RFC 6901 pointer to it, relative to its resource. */
  readonly pointer: string;
  /** The collection of the target; for `objects`, in any artboard of the project. */
  readonly collection: CollectionName;
  /** Set if the member is a list of identifiers. */
  readonly list?: true;
  /** The steps from the member to the reference, if it is within an open structure. */
  readonly path?: readonly string[] | undefined;
}

/** A reference that is not empty. */
export interface Naming extends Reference {
  /** Its text: the target's identifier, if the client sent a valid one. */
  readonly id: string;
}

/** Anything with references. */
interface Referring {
  readonly references: readonly Reference[];
}

/** The references declared in a resource's members. */
export function declaredReferences(members: Readonly<Record<string, AnySchema>>): Reference[] {
  return Object.entries(members).flatMap(([member, { type, properties, 'x-references': collection }]): Reference[] => {
    if (collection !== undefined)
      return [{ member, pointer: `/${member}`, collection, ...(type === 'array' ? { list: true } : {}) }];
    return declaredReferences(properties ?? {}).map(({ pointer, collection, path = [], member: inner }) => ({
      ...{ member, pointer: `/${member}${pointer}`, collection, path: [inner, ...path] },
    }));
  });
}

/** The value of a reference; `undefined` if a structure around it is something else. */
function targetIn(value: Body, { member, path = [] }: Pick<Reference, 'member' | 'path'>): unknown {
  return path.reduce<unknown>((at, step) => (isBody(at) && Object.hasOwn(at, step) ? at[step] : undefined), value[member]);
}

const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The structure with another value at the end of a path that it has. */
const withTarget = (structure: unknown, [step, ...path]: readonly string[], target: string): unknown =>
  step === undefined ? target : { ...(structure as Body), [step]: withTarget((structure as Body)[step], path, target) };

/** The references with a target in a value or a body, in member order. */
export function* referencesIn({ references }: Referring, value: Body): Generator<Naming, void> {
  for (const reference of references) {
    const there = targetIn(value, reference);
    if (reference.list !== true) {
      if (names(there)) yield { ...reference, id: there };
    } else if (Array.isArray(there)) {
      let i = 0;
      for (const id of there) {
        if (names(id)) yield elementOf(reference, i, id);
        i++;
      }
    }
  }
}

/** Whether a reference has a target. */
const names = (id: unknown): id is string => typeof id === 'string' && id !== '';

/** Returns a function that says whether `value` had the same target in the same member (at any position of a list). */
export function namedIn(value: Body): (naming: Naming) => boolean {
  const lists = new Map<string, ReadonlySet<unknown>>();
  return ({ member, id, list, path }) => {
    const there = targetIn(value, { member, path });
    if (list !== true || !Array.isArray(there)) return there === id;
    let ids = lists.get(member);
    if (ids === undefined) {
      ids = new Set(there);
      lists.set(member, ids);
    }
    return ids.has(id);
  };
}

/**
 * The value (or body) with replaced identifiers in its references; the same object if nothing changes.
 *
 * @param renamed returns the replacement of an identifier
 */
export function withReferences<T extends Body>(
  resource: Referring,
  value: T,
  renamed: (id: string, reference: Reference) => string,
): T {
  const changed: Record<string, unknown> = {};
  for (const reference of resource.references) {
    const { member, path = [] } = reference;
    const there = targetIn(value, reference);
    if (reference.list !== true) {
      const id = names(there) ? renamed(there, reference) : there;
      if (id !== there) changed[member] = withTarget(value[member], path, id as string);
    } else if (Array.isArray(there)) {
      const ids = there.map((id: unknown, i) => (names(id) ? renamed(id, elementOf(reference, i, id)) : id));
      if (ids.some((id, i) => id !== there[i])) changed[member] = ids;
    }
  }
  return Object.keys(changed).length === 0 ? value : { ...value, ...changed };
}

/**
 * The value with replaced texts in its open structures, including member names; the same object if nothing changes.
 *
 * @param renamed returns the replacement of a text
 */
export function withOpenTexts<T extends Body>(
  { fields }: { readonly fields: readonly Field[] },
  value: T,
  renamed: (text: string) => string,
): T {
  let changed: Record<string, unknown> | undefined;
  for (const { name, encoding, fallback } of fields) {
    const open = value[name];
    if ((encoding !== 'object' && encoding !== 'array') || open === fallback) continue;
    const other = withTexts(open, renamed);
    if (other === open) continue;
    changed ??= {};
    changed[name] = other;
  }
  return changed === undefined ? value : { ...value, ...changed };
}

function withTexts(value: unknown, renamed: (text: string) => string): unknown {
  if (typeof value === 'string') return renamed(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => withTexts(item, renamed));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  const members = Object.entries(value).map(([name, item]) => [renamed(name), withTexts(item, renamed), name, item] as const);
  if (members.every(([name, item, oldName, old]) => name === oldName && item === old)) return value;
  return Object.fromEntries(members.map(([name, item]) => [name, item]));
}

/** The reference of a list element. A list may have a million. */
function elementOf({ member, pointer, collection }: Reference, i: number, id: string): Naming {
  return { member, pointer: `${pointer}/${i}`, collection, list: true, id };
}
