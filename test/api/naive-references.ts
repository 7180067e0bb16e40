/** Dangling references found naively: in the JSON of a project, by the table of resources, with a few maps and loops. */
import { type AnySchema, referredTo } from '../support/resources.ts';
import type { ResourceName } from './contract.ts';
import { type Doc, documentNames, everythingIn, memberOf, membersOf, resourceNamed } from './model-resources.ts';

/** Every member that is a reference. */
export const references: readonly {
  readonly name: ResourceName;
  readonly member: string;
  readonly names: ResourceName;
  /** It is a list of identifiers. */
  readonly list: boolean;
}[] = documentNames.flatMap((name) =>
  membersOf(name).flatMap(({ member, schema }) => {
    const names = referredTo(schema) as ResourceName | undefined;
    return names === undefined ? [] : [{ name: name as ResourceName, member, names, list: schema.type === 'array' }];
  }),
);

/** `data_source`: as answers call a resource. */
export const kindOf = (name: string): string => resourceNamed(name).kind;

export interface Found {
  readonly pointer: string;
  readonly name: string;
  readonly id: string;
  readonly member: string;
  readonly names: string;
  readonly value: string;
}

/** All references in a value, with their pointers relative to its resource. */
function* referencesIn(
  schema: AnySchema,
  value: unknown,
  at: string,
): Generator<[at: string, names: string, value: string], void> {
  const names = referredTo(schema);
  if (names !== undefined) {
    for (const [i, id] of [value].flat().entries()) yield [Array.isArray(value) ? `${at}/${i}` : at, names, id as string];
  } else if (typeof value === 'object' && value !== null) {
    for (const [step, inner] of Object.entries(schema.properties ?? {}))
      if (Object.hasOwn(value, step)) yield* referencesIn(inner, (value as Record<string, unknown>)[step], `${at}/${step}`);
  }
}

/** All of them, in the order of the document. */
export function danglingIn(project: Doc): Found[] {
  const all = [...everythingIn('Project', project)];
  const ids = new Set(all.map(([name, { id }]) => `${name} ${id}`));
  const found: Found[] = [];
  for (const [name, doc, pointer] of all) {
    for (const { member, schema, of } of membersOf(name)) {
      if (of !== undefined) continue;
      for (const [at, names, value] of referencesIn(schema, memberOf(doc, member), `/${member}`))
        if (value !== '' && !ids.has(`${names} ${value}`))
          found.push({ pointer: pointer + at, name, id: doc.id, member, names, value });
    }
  }
  return found;
}

/** Those that were not there before: in the same member of the same resource, with the same value. */
export function newIn(before: readonly Found[], after: readonly Found[]): Found[] {
  const key = ({ id, member, value }: Found): string => `${id} ${member} ${value}`;
  const known = new Set(before.map(key));
  return after.filter((one) => one.id === '' || !known.has(key(one)));
}

/** What a JSON Pointer (RFC 6901) points to. */
export function resolve(document: unknown, pointer: string): unknown {
  let value = document;
  for (const part of pointer.split('/').slice(1)) {
    value = (value as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return value;
}
