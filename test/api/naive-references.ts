/** Dangling references found naively: in the JSON of a project, by the tables of the contract, with a few maps and loops. */
import { contract, type ResourceName, resourceNames } from './contract.ts';
import { type Doc, listsOf, memberOf } from './model.ts';

/** Every member that is a reference. */
export const references: readonly {
  readonly name: ResourceName;
  readonly member: string;
  readonly names: ResourceName;
  /** It is a list of identifiers. */
  readonly list: boolean;
}[] = resourceNames.flatMap((name) =>
  Object.entries(contract[name]).flatMap(([member, { names, kind }]) =>
    names === undefined ? [] : [{ name, member, names, list: kind === 'strings' }],
  ),
);

/** `data_source`: as answers call a resource. */
export const kindOf = (name: ResourceName): string => name.replace(/(?<=[a-z])(?=[A-Z])/, '_').toLowerCase();

export interface Found {
  readonly pointer: string;
  readonly name: ResourceName;
  readonly id: string;
  readonly member: string;
  readonly names: ResourceName;
  readonly value: string;
}

/** All of them, in the order of the document. */
export function danglingIn(project: Doc): Found[] {
  const ids = new Set<string>();
  const found: Found[] = [];
  each(project, 'Project', '', (name, { id }) => ids.add(`${name} ${id}`));
  each(project, 'Project', '', (name, doc, pointer) => {
    for (const [member, { names, kind }] of Object.entries(contract[name])) {
      if (names === undefined) continue;
      const there = memberOf(doc, member) as string | string[];
      for (const [i, value] of [there].flat().entries()) {
        if (value === '' || ids.has(`${names} ${value}`)) continue;
        const at = kind === 'strings' ? `${member}/${i}` : member;
        found.push({ pointer: `${pointer}/${at}`, name, id: doc.id, member, names, value });
      }
    }
  });
  return found;
}

/** Those that were not there before: in the same member of the same resource, with the same value. */
export function newIn(before: readonly Found[], after: readonly Found[]): Found[] {
  const key = ({ id, member, value }: Found): string => `${id} ${member} ${value}`;
  const known = new Set(before.map(key));
  return after.filter((one) => one.id === '' || !known.has(key(one)));
}

function each(
  doc: Doc,
  name: ResourceName,
  pointer: string,
  visit: (name: ResourceName, doc: Doc, pointer: string) => void,
): void {
  visit(name, doc, pointer);
  for (const [member, of] of listsOf(name)) {
    (doc[member] as Doc[]).forEach((held, i) => {
      each(held, of, `${pointer}/${member}/${i}`, visit);
    });
  }
}

/** What a JSON Pointer (RFC 6901) points to. */
export function resolve(document: unknown, pointer: string): unknown {
  let value = document;
  for (const part of pointer.split('/').slice(1)) {
    value = (value as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return value;
}
