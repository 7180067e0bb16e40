/**
 * Makes an example of `data/examples` an exported project. In place of identifiers it has texts such as `object:France`: each member gets an
 * identifier, and the texts that refer to it become that identifier. An import replaces them by new ones.
 */
import type { ProjectDocument } from '../../client/client.ts';

type Member = Readonly<Record<string, unknown>>;
export type ExampleProject = Member;

const collections = [
  ['artboards', 'artboard'],
  ['popups', 'popup'],
  ['data_sources', 'data_source'],
  ['variables', 'variable'],
  ['actions', 'action'],
] as const;

/** A member of this name, at any depth, refers to another resource. */
const isReference = (name: string): boolean => name === 'attachedTo' || name.endsWith('_id');

export function documentOf(example: ExampleProject): ProjectDocument {
  const ids = new Map<string, string>();
  let count = 0;
  const named = (kind: string, member: Member): Member => {
    const id = `00000000-0000-7000-8000-${(++count).toString(16).padStart(12, '0')}`;
    const text = `${kind}:${String(member['name'])}`;
    // A text refers to the first one of that name.
    if (!ids.has(text)) ids.set(text, id);
    const { objects } = member as { readonly objects?: readonly Member[] };
    return { ...member, id, ...(objects === undefined ? {} : { objects: objects.map((object) => named('object', object)) }) };
  };
  const project: Record<string, unknown> = { ...example };
  for (const [name, kind] of collections) {
    const members = (example[name] ?? []) as readonly Member[];
    project[name] = members.map((member) => named(kind, member));
  }
  const linked = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') return isReference(name) ? (ids.get(value) ?? value) : value;
    if (Array.isArray(value)) return value.map((item) => linked(item, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([member, item]) => [member, linked(item, member)]));
  };
  return { format: 'mapwright-project', version: 1, project: linked(project, '') } as unknown as ProjectDocument;
}
