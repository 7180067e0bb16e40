/**
 * What the makers of the examples share: the shape of a project, how one member refers to another before either has an identifier, and the
 * document that can be imported.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';

/** A member as the API takes it; what is left out takes its default. */
export type Member = { name: string } & Record<string, unknown>;

export interface Artboard extends Member {
  objects: Member[];
}

/** A project whose members refer to each other by {@link ref}. */
export interface Project {
  name: string;
  thumb: string;
  settings: Record<string, unknown>;
  artboards: Artboard[];
  popups: Member[];
  data_sources: Member[];
  variables: Member[];
  actions: Member[];
}

export interface Example {
  /** Name of the file in data/examples. */
  file: string;
  /** Where the data came from, with its licence, in Markdown. */
  source: string;
  licence: string;
  project: Project;
}

/**
 * Stands for the identifier of the first member of that kind and name, artboards and objects in their order, in a member named `attachedTo` or
 * ending in `_id` or `_ids`. {@link documentOf} puts in the identifier.
 */
export const ref = (kind: 'artboard' | 'object' | 'popup' | 'data_source' | 'variable', name: string): string =>
  `${kind}:${name}`;

/** A JSON file of an installed package. */
export const readJson = (specifier: string): unknown =>
  JSON.parse(fs.readFileSync(createRequire(import.meta.url).resolve(specifier), 'utf8'));

/** For text that goes into a popup's HTML. */
export const html = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '&quot;');

/** 1234567 -> "1,234,567", whatever the machine's language. */
export const thousands = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

const collections = [
  ['artboards', 'artboard'],
  ['popups', 'popup'],
  ['data_sources', 'data_source'],
  ['variables', 'variable'],
  ['actions', 'action'],
] as const;

/** The project as in the body of `POST /api/v1/projects/import`, where identifiers and references are replaced by new ones. */
function withIdentifiers(project: Project): Project {
  const ids = new Map<string, string>();
  let count = 0;
  const named = (kind: string, member: Member): Member => {
    const id = `00000000-0000-7000-8000-${(++count).toString(16).padStart(12, '0')}`;
    const text = `${kind}:${member.name}`;
    if (!ids.has(text)) ids.set(text, id);
    const { objects } = member as Partial<Artboard>;
    return { id, ...member, ...(objects && { objects: objects.map((object) => named('object', object)) }) };
  };
  const lists = collections.map(([name, kind]) => [name, (project[name] as Member[]).map((member) => named(kind, member))]);
  const linked = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((element) => linked(element, name));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, linked(inner, key)]));
    if (typeof value !== 'string' || !(name === 'attachedTo' || /_ids?$/.test(name)) || !/^[a-z_]+:/.test(value)) return value;
    const id = ids.get(value);
    if (id === undefined) throw new Error(`"${value}" (in "${name}") refers to a member that the project does not have.`);
    return id;
  };
  return linked({ ...project, ...Object.fromEntries(lists) }, '') as Project;
}

/** The text of the document: one member per line, so that a change shows as the lines it touches. */
export function toText(example: Project): string {
  const project = withIdentifiers(example);
  const list = (members: readonly unknown[]): string => (members.length === 0 ? '[]' : `[\n${members.map(line).join(',\n')}\n]`);
  const line = (member: unknown): string => {
    const { objects, ...rest } = member as Partial<Artboard>;
    return objects ? `${JSON.stringify(rest).slice(0, -1)},"objects":${list(objects)}}` : JSON.stringify(member);
  };
  const members = Object.entries(project).map(([name, value]) => {
    return `${JSON.stringify(name)}: ${Array.isArray(value) ? list(value) : JSON.stringify(value)}`;
  });
  return `{\n"format": "mapwright-project",\n"version": 1,\n"project": {\n${members.join(',\n')}\n}\n}\n`;
}
