/** The resources of a project by identifier, with their pointers. Of two with one identifier the first counts. */
import { runToEnd } from '../../lib/async/run-to-end.ts';
import { nameInPointer } from '../../lib/field-error.ts';
import { askedSources } from './asked-sources.ts';
import type { LiveProject, ProblemKind } from './evaluation.ts';
import { isObject, listMember, member, type OpenObject, textMember } from './open-json.ts';

/** A resource and where it is in the project. */
export interface Found {
  readonly kind: ProblemKind;
  readonly id: string;
  readonly json: OpenObject;
  /** RFC 6901 pointer: `/variables/3` */
  readonly pointer: string;
  /** Its position in its collection. */
  readonly position: number;
  /** Path below the project: `/variables/<id>` */
  readonly path: string;
}

export class ProjectIndex {
  readonly json: OpenObject;
  readonly id: string;
  readonly artboards: ReadonlyMap<string, Found>;
  readonly popups: ReadonlyMap<string, Found>;
  readonly dataSources: ReadonlyMap<string, Found>;
  readonly variables: readonly Found[];
  readonly actions: readonly Found[];
  #objects: ReadonlyMap<string, Found> | undefined;
  #asked: ReadonlySet<Found> | undefined;

  constructor(project: LiveProject) {
    this.json = isObject(project) ? project : {};
    this.id = textMember(this.json, 'id');
    this.artboards = byId(this.#list('artboards', 'artboard'));
    this.popups = byId(this.#list('popups', 'popup'));
    this.dataSources = byId(this.#list('data_sources', 'data_source'));
    this.variables = [...byId(this.#list('variables', 'variable')).values()];
    this.actions = [...byId(this.#list('actions', 'action')).values()];
  }

  /** By identifier, of all artboards; made at the first use. */
  get objects(): ReadonlyMap<string, Found> {
    this.#objects ??= byId(
      [...this.artboards.values()].flatMap((artboard) =>
        found(listMember(artboard.json, 'objects'), 'object', `${artboard.pointer}/objects`, `${artboard.path}/objects`),
      ),
    );
    return this.#objects;
  }

  /** The data sources that the server asks; made at the first use. */
  get askedSources(): ReadonlySet<Found> {
    const readers = (): OpenObject[] => this.variables.map(({ json }) => json);
    this.#asked ??= new Set(runToEnd(askedSources(readers(), this.dataSources.values())));
    return this.#asked;
  }

  #list(name: string, kind: ProblemKind): Found[] {
    return found(listMember(this.json, name), kind, `/${name}`, `/${name.replace('_', '-')}`);
  }

  /** The longest part of a pointer that leads to something in the project. */
  existing(pointer: string): string {
    let at: unknown = this.json;
    let end = 0;
    for (const part of pointer.split('/').slice(1)) {
      const name = nameInPointer(part);
      const inner: unknown = Array.isArray(at) ? at[Number(name)] : isObject(at) ? member(at, name) : undefined;
      if (inner === undefined) break;
      at = inner;
      end += part.length + 1;
    }
    return pointer.slice(0, end);
  }
}

function found(list: readonly unknown[], kind: ProblemKind, pointer: string, path: string): Found[] {
  const all: Found[] = [];
  for (const [i, json] of list.entries()) {
    if (!isObject(json)) continue;
    const id = textMember(json, 'id');
    if (id !== '') all.push({ kind, id, json, pointer: `${pointer}/${i}`, position: i, path: `${path}/${id}` });
  }
  return all;
}

function byId(all: readonly Found[]): Map<string, Found> {
  const map = new Map<string, Found>();
  for (const each of all) if (!map.has(each.id)) map.set(each.id, each);
  return map;
}

/** Resources by a text of each; those with an empty one are left out. */
export function byText(all: Iterable<Found>, textOf: (each: Found) => string): Map<string, Found[]> {
  const table = new Map<string, Found[]>();
  for (const each of all) {
    const text = textOf(each);
    const others = table.get(text);
    if (others !== undefined) others.push(each);
    else if (text !== '') table.set(text, [each]);
  }
  return table;
}
