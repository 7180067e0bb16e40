/**
 * References: members that hold the identifier of something else in the same project. Each is declared where its member is
 * (`reference` in members.ts); whoever has to find references, or to put other identifiers in their places, does it here.
 *
 * Each is a member of a resource itself. What stands inside an open structure (`settings`, conditions, styles, headers, `data_path`) is
 * its client's affair: nobody says what it means, so a text in there that looks like an identifier is none. Only a copy of everything is
 * another matter ({@link withOpenTexts}): what is, as a whole, the identifier of something in the project can hardly mean anything else.
 */
import type { Field } from './generate.ts';
import type { AnySchema, CollectionName } from './members.ts';
import { type Body, memberIn, newer } from './value.ts';

export interface Reference {
  readonly member: string;
  /** RFC 6901 pointer to it in its resource. */
  readonly pointer: string;
  /** Where what it names must be: of `objects`, in any artboard of the project. */
  readonly collection: CollectionName;
  /** The member is a list of identifiers. */
  readonly list?: true;
}

/** A reference that names something. */
export interface Naming extends Reference {
  /** What stands there: an identifier, if it was not made up. */
  readonly id: string;
}

/** Whatever has references: a resource, by either of its faces. */
interface Referring {
  readonly references: readonly Reference[];
}

/** The references that the members of a resource are declared to be. */
export function declaredReferences(members: Readonly<Record<string, AnySchema>>): Reference[] {
  return Object.entries(members).flatMap(([member, { type, 'x-references': collection }]) => {
    if (collection === undefined) return [];
    return [{ member, pointer: `/${member}`, collection, ...(type === 'array' ? { list: true } : {}) }];
  });
}

/** The references in a value, or in a body, that name something; in the order of members. */
export function* referencesIn({ references }: Referring, value: Body): Generator<Naming, void> {
  for (const reference of references) {
    const there = memberIn(value, reference.member);
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

/** Whether a text that stands for an identifier names anything. */
const names = (id: unknown): id is string => typeof id === 'string' && id !== '';

/** Says of references whether a value named the same thing in the same member, wherever in a list. */
export function namedIn(value: Body): (naming: Naming) => boolean {
  const lists = new Map<string, ReadonlySet<unknown>>();
  return ({ member, id, list }) => {
    const there = memberIn(value, member);
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
 * The value, or the body, with other identifiers in its references; the same one where nothing changes.
 *
 * @param renamed what is to stand in place of an identifier
 */
export function withReferences<T extends Body>(
  resource: Referring,
  value: T,
  renamed: (id: string, reference: Reference) => string,
): T {
  const changed: Record<string, unknown> = {};
  for (const reference of resource.references) {
    const { member } = reference;
    const there = memberIn(value, member);
    if (reference.list !== true) {
      const id = names(there) ? renamed(there, reference) : there;
      if (id !== there) changed[member] = id;
    } else if (Array.isArray(there)) {
      const ids = there.map((id: unknown, i) => (names(id) ? renamed(id, elementOf(reference, i, id)) : id));
      if (ids.some((id, i) => id !== there[i])) changed[member] = ids;
    }
  }
  const found = Object.entries(changed);
  if (found.length === 0) return value;
  const { [newer]: others }: Body & { readonly [newer]?: Body } = value;
  if (others === undefined) return { ...value, ...changed };
  const some = (aside: boolean) => Object.fromEntries(found.filter(([member]) => Object.hasOwn(others, member) === aside));
  return { ...value, ...some(false), [newer]: { ...others, ...some(true) } };
}

/**
 * The value with other texts in its open structures, names of members included; the same one where nothing changes.
 *
 * @param renamed what is to stand in place of a text
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

/** The reference that an element of a list is. There may be a million. */
function elementOf({ member, pointer, collection }: Reference, i: number, id: string): Naming {
  return { member, pointer: `${pointer}/${i}`, collection, list: true, id };
}
