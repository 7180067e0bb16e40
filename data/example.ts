/**
 * What the makers of the examples share: the shape of a project's body, how one member refers to another before either has an
 * identifier, and the text of the file.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';

/** A member as the API takes it; what is left out takes its default. */
export type Member = { name: string } & Record<string, unknown>;

export interface Artboard extends Member {
  objects: Member[];
}

/** The body of `POST /api/v1/projects`. */
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
 * Stands where an identifier belongs that only the server can make: the loader puts in the identifier of the first member of
 * that kind and name, artboards and objects in their order.
 */
export const ref = (kind: 'artboard' | 'object' | 'data_source' | 'variable', name: string): string => `${kind}:${name}`;

/** A JSON file of an installed package. */
export const readJson = (specifier: string): unknown =>
  JSON.parse(fs.readFileSync(createRequire(import.meta.url).resolve(specifier), 'utf8'));

/** For text that goes into a popup's HTML. */
export const html = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '&quot;');

/** 1234567 -> "1,234,567", whatever the machine's language. */
export const thousands = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

/** The file's text: one member per line, so that a change shows as the lines it touches. */
export function toText(project: Project): string {
  const list = (members: readonly unknown[]): string => (members.length === 0 ? '[]' : `[\n${members.map(line).join(',\n')}\n]`);
  const line = (member: unknown): string => {
    const { objects, ...rest } = member as Partial<Artboard>;
    return objects ? `${JSON.stringify(rest).slice(0, -1)},"objects":${list(objects)}}` : JSON.stringify(member);
  };
  const members = Object.entries(project).map(([name, value]) => {
    return `${JSON.stringify(name)}: ${Array.isArray(value) ? list(value) : JSON.stringify(value)}`;
  });
  return `{\n${members.join(',\n')}\n}\n`;
}
