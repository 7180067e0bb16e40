/** Folders of projects: each `/` in a name separates a folder from what is in it. And the order of the cards. Pure. */
import type { ListedProject } from './listed-project.ts';

export const orders = ['change', 'name'] as const;
export type Order = (typeof orders)[number];

export interface Folder {
  /** Its name, and those of the folders that it is in, with `/` between them. */
  readonly path: string;
  readonly name: string;
  /** Projects in it, and in the folders that it contains. */
  readonly count: number;
  /** The greatest one of its projects. */
  readonly revision: number;
}

export interface Shown {
  readonly folders: readonly Folder[];
  readonly projects: readonly ListedProject[];
}

const partsOf = (name: string): string[] =>
  name
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** The folder of a project; '' for none. */
export const folderOf = (name: string): string => partsOf(name).slice(0, -1).join('/');

/** The name of a project without its folder. */
export const leafOf = (name: string): string => partsOf(name).at(-1) ?? '';

/** A folder after those that it is in: of `a/b`, `a` and `a/b`. */
export const trailOf = (folder: string): string[] => partsOf(folder).map((_, at, parts) => parts.slice(0, at + 1).join('/'));

/** The name of a new project in a folder. */
export const nameIn = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

const collator = new Intl.Collator(undefined, { numeric: true });

const compare: Readonly<Record<Order, (a: { name: string; revision: number }, b: { name: string; revision: number }) => number>> =
  {
    name: (a, b) => collator.compare(a.name, b.name) || b.revision - a.revision,
    change: (a, b) => b.revision - a.revision || collator.compare(a.name, b.name),
  };

/** What a folder shows in an order: the folders and projects in it, or what matches a search in it and in all folders below. */
export function shownIn(all: readonly ListedProject[], folder: string, query: string, order: Order): Shown {
  const start = folder === '' ? '' : `${folder}/`;
  const wanted = query.trim().toLocaleLowerCase();
  const folders = new Map<string, Folder>();
  const projects: ListedProject[] = [];
  for (const project of all) {
    const own = folderOf(project.name);
    const isIn = own === folder;
    if (!isIn && !own.startsWith(start)) continue;
    if (wanted !== '') {
      if (project.name.toLocaleLowerCase().includes(wanted)) projects.push(project);
    } else if (isIn) projects.push(project);
    else {
      const [name = ''] = own.slice(start.length).split('/');
      const before = folders.get(name);
      const revision = Math.max(before?.revision ?? 0, project.revision);
      folders.set(name, { path: start + name, name, count: (before?.count ?? 0) + 1, revision });
    }
  }
  return { folders: [...folders.values()].sort(compare[order]), projects: projects.sort(compare[order]) };
}
