/** The state of a client that received every event: projects with their content, as a GET would show them. */
import type { FeedRecord } from './follower.ts';
import type { Mapwright } from './mapwright.ts';

interface Held {
  readonly id: string;
  [member: string]: unknown;
}

const collections: Readonly<Record<string, string>> = {
  artboard: 'artboards',
  popup: 'popups',
  data_source: 'data_sources',
  variable: 'variables',
  action: 'actions',
  object: 'objects',
};

const holdings: Readonly<Record<string, readonly string[]>> = {
  project: ['artboards', 'popups', 'data_sources', 'variables', 'actions'],
  artboard: ['objects'],
};

/** Kinds that no GET of a project shows. */
const besideDocument: ReadonlySet<string> = new Set(['file', 'version', 'publication']);

export class Mirror {
  projects: Held[] = [];

  /** Reads everything again. */
  async read(mapwright: Mapwright): Promise<void> {
    this.projects = (await mapwright.get('/projects')).json as Held[];
  }

  apply({ events }: FeedRecord): void {
    for (const { name, data } of events) {
      const [kind = '', what = ''] = name.split('.');
      if (data.kind !== kind) throw new Error(`${name} is about a ${data.kind}`);
      if (!besideDocument.has(kind)) this.#apply(kind, what, data);
    }
  }

  #apply(kind: string, what: string, data: Record<string, unknown>): void {
    const list = this.#listOf(kind, data);
    const at = list.findIndex(({ id }) => id === data['id']);
    const resource = data['resource'] as Held | null;
    if (what === 'created') {
      if (at >= 0 || resource === null) throw new Error(`a ${kind} that was there is created`);
      list.push({ ...resource, ...Object.fromEntries((holdings[kind] ?? []).map((held) => [held, []])) });
    } else if (what === 'updated') {
      if (at < 0 || resource === null) throw new Error(`a ${kind} that was not there is updated`);
      list[at] = { ...list[at], ...resource };
    } else if (what === 'deleted') {
      if (at < 0 || resource !== null) throw new Error(`a ${kind} that was not there is deleted`);
      list.splice(at, 1);
    } else if (what === 'reordered') {
      const ids = data['ids'] as string[];
      if (ids.length !== list.length) throw new Error('an order of others than there are');
      list.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
    } else if (what === 'placed') {
      if (at < 0) throw new Error(`a ${kind} that was not there is placed`);
      place(list, list[at] as Held, data['before']);
    } else if (what === 'moved') {
      if (at >= 0 || resource === null) throw new Error(`a ${kind} that was there is moved there`);
      const from = this.#listOf(kind, { ...data, artboard_id: data['from_artboard_id'] });
      const before = from.findIndex(({ id }) => id === data['id']);
      if (before < 0) throw new Error(`a ${kind} that was not there is moved`);
      from.splice(before, 1);
      list.push(resource);
      place(list, resource, data['before']);
    } else throw new Error(`a ${kind} is ${what}`);
  }

  #listOf(kind: string, { project_id, artboard_id }: Record<string, unknown>): Held[] {
    if (kind === 'project') return this.projects;
    const project = this.projects.find(({ id }) => id === project_id);
    const boards = project?.['artboards'] as Held[] | undefined;
    const holder = kind === 'object' ? boards?.find(({ id }) => id === artboard_id) : project;
    const list = holder?.[collections[kind] as string];
    if (list === undefined) throw new Error(`a ${kind} in what was not there`);
    return list as Held[];
  }
}

/** @param before an identifier; `null` for the last place */
function place(list: Held[], held: Held, before: unknown): void {
  list.splice(list.indexOf(held), 1);
  const at = before === null ? list.length : list.findIndex(({ id }) => id === before);
  if (at < 0) throw new Error(`placed before ${before}, which is not there`);
  list.splice(at, 0, held);
}
