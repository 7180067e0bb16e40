/** Links within the map: `#ID` as an address, or as `href` in HTML. An address of another page, and other text, stays. */
import type { FormField } from './form-field.ts';
import { fieldsOf, type Kind, type Members } from './resource-kinds.ts';

type NewIds = ReadonlyMap<string, string>;

/** A text whose links lead to other identifiers, where these have new ones. */
const linked = (text: string, ids: NewIds): string =>
  text.replaceAll(
    /(^\s*#(?=[\w-]+\s*$)|\bhref\s*=\s*["']?\s*#)([\w-]+)/gi,
    (_, before: string, id: string) => before + (ids.get(id) ?? id),
  );

const linkKinds: ReadonlySet<string> = new Set(['url', 'picture', 'link', 'long-text']);

/** A link is in HTML, or the whole text. */
export const mayHaveLinks = ({ kind }: FormField): boolean => linkKinds.has(kind);

const linkMembers = new Map<Kind, readonly string[]>();

/** The members of a kind that may have links. */
function linkMembersOf(kind: Kind): readonly string[] {
  let found = linkMembers.get(kind);
  if (found === undefined) {
    found = fieldsOf(kind).flatMap((field) => (mayHaveLinks(field) ? [field.name] : []));
    linkMembers.set(kind, found);
  }
  return found;
}

/** The members of a copy that change when the links in its texts lead to other copies. */
export function linksToCopies(kind: Kind, value: Members, ids: NewIds): Members {
  const changed: Record<string, string> = {};
  for (const member of linkMembersOf(kind)) {
    const text = value[member];
    const next = typeof text === 'string' ? linked(text, ids) : text;
    if (next !== text) changed[member] = next as string;
  }
  return changed;
}
