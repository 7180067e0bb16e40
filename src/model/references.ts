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
import type { Body } from './value.ts';

export interface Reference {
  readonly member: string;
  /** RFC 6901 pointer to it in its resource. */
  readonly pointer: string;
  /** Where what it names must be: of `objects`, in any artboard of the project. */
  readonly collection: CollectionName;
}

/** A reference that names something. */
export interface Naming extends Reference {
  /** What stands there: an identifier, if it was not made up. */
  readonly id: string;
}

/** Whatever has references: a resource. */
interface Referring {
  readonly references: readonly Reference[];
}

const none: readonly Naming[] = [];

/** The references that the members of a resource are declared to be. */
export function declaredReferences(members: Readonly<Record<string, AnySchema>>): Reference[] {
  return Object.entries(members).flatMap(([member, { 'x-references': collection }]) =>
    collection === undefined ? [] : [{ member, pointer: `/${member}`, collection }],
  );
}

/** The references in a value, or in a body, that name something; in the order of members. */
export function referencesIn({ references }: Referring, value: Body): readonly Naming[] {
  let found: Naming[] | undefined;
  for (const reference of references) {
    const id = value[reference.member];
    if (typeof id !== 'string' || id === '') continue;
    found ??= [];
    found.push({ ...reference, id });
  }
  return found ?? none;
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
  const changed: Record<string, string> = {};
  let any = false;
  for (const found of referencesIn(resource, value)) {
    const { member, id } = found;
    const other = renamed(id, found);
    if (other === id) continue;
    changed[member] = other;
    any = true;
  }
  return any ? { ...value, ...changed } : value;
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
