/** Links to objects and artboards in texts: `#ID` in an address or in HTML, also after the address of the map. */
import { fieldsOf, type Kind, type Members } from './resource-kinds.ts';

type NewIds = ReadonlyMap<string, string>;

/** A text whose links lead to other identifiers, where these have new ones. */
export const linked = (text: string, ids: NewIds): string =>
  text.includes('#') ? text.replaceAll(/#([\w-]+)/g, (link, id: string) => (ids.has(id) ? `#${ids.get(id)}` : link)) : text;

const linkMembers = new Map<Kind, readonly string[]>();

/** The members of a kind that may have links. */
function linkMembersOf(kind: Kind): readonly string[] {
  let found = linkMembers.get(kind);
  if (found === undefined) {
    found = fieldsOf(kind).flatMap((field) => (field.kind === 'url' || field.kind === 'long-text' ? [field.name] : []));
    linkMembers.set(kind, found);
  }
  return found;
}

/** The members of a resource that change when the links in its texts lead to new identifiers. */
export function relinked(kind: Kind, value: Members, ids: NewIds): Members {
  const changed: Record<string, string> = {};
  for (const member of linkMembersOf(kind)) {
    const text = value[member];
    const next = typeof text === 'string' ? linked(text, ids) : text;
    if (next !== text) changed[member] = next as string;
  }
  return changed;
}
