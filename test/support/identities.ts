/** Projects without their identifiers: two say the same exactly if what this makes of them is the same. */

import { collectionNames } from '../../src/model/resources.ts';

type Json = Readonly<Record<string, unknown>>;

/** The members of each collection that something holds. */
function* heldBy(holder: Json): Generator<[name: string, members: readonly (Json & { readonly id: string })[]], void> {
  for (const name of collectionNames) if (Array.isArray(holder[name])) yield [name, holder[name]];
}

/** The project with the place of each member for its identifier, wherever that stands, and without whose it is and since when. */
function withoutIdentities(project: Json): unknown {
  const places = new Map<string, string>();
  const note = (holder: Json, at: string): void => {
    for (const [name, members] of heldBy(holder)) {
      for (const [i, member] of members.entries()) {
        places.set(member.id, `<${at}${name}/${i}>`);
        note(member, `${at}${name}/${i}/`);
      }
    }
  };
  note(project, '');
  const replaced = (value: unknown): unknown => {
    if (typeof value === 'string') return places.get(value) ?? value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(replaced);
    return Object.entries(value).map(([name, item]) => [places.get(name) ?? name, replaced(item)]);
  };
  const { id: _, user_id: __, created: ___, ...rest } = project;
  return replaced(rest);
}

/** Every identifier in a project. */
export function identitiesOf(project: Json): string[] {
  const held = Array.from(heldBy(project), ([, members]) => members.flatMap(identitiesOf));
  return [String(project['id']), ...held.flat()];
}

/** Whether two projects say the same. */
export function sameProject(a: Json, b: Json): boolean {
  return JSON.stringify(withoutIdentities(a)) === JSON.stringify(withoutIdentities(b));
}
