/**
 * Views: the content of a response, captured in one turn. Values are immutable and captured leaves never change, so a view stays at one
 * version even if a slow client reads it for minutes.
 */
import type { CollectionName, Resource } from '../../model/resource.ts';
import { projects, resourceOf } from '../../model/resources.ts';
import type { Value } from '../../model/value.ts';
import type { Collection } from '../collection.ts';
import type { Capture } from '../leaf-list.ts';
import type { Member } from '../member.ts';
import type { Projects } from '../projects.ts';
import type { AccountState } from '../state.ts';
import type { StoredProject } from '../stored-project.ts';
import type { Selected } from './captured-members.ts';

export interface View {
  readonly resource: Resource;
  readonly value: Value;
  /** The member in memory, whose JSON may be cached; `undefined` for a project. */
  readonly member: Member | undefined;
  /** The collections that it holds, by name; without those that the request did not ask for. */
  readonly held: ReadonlyMap<CollectionName, Views>;
}

/** Members without nested collections: iterate over views, or over the leaves. */
export interface MemberViews extends Iterable<View> {
  readonly resource: Resource;
  readonly leaves: Iterable<{ readonly members: readonly Member[] }>;
  /** Set if these are all members of a collection. */
  readonly capture: Capture | undefined;
}

export type Views = Iterable<View> | MemberViews;

/** Members of the JSON object to include in a response; `undefined`: all. */
export type Fields = ReadonlySet<string> | undefined;

const nothing: ReadonlyMap<CollectionName, Views> = new Map();
const none: readonly View[] = [];

export function viewProject(project: StoredProject, fields: Fields): View {
  const names = namesHeld(projects, fields);
  const held = new Map(names.map((name) => [name, viewAll(project, project.collection(name, ''), undefined)] as const));
  return { resource: projects, value: project.value, member: undefined, held };
}

/**
 * @param only identifiers of the projects that the key may read; `undefined` for all
 * @param view the view of a project; the function may have made it before
 */
export function viewProjects(
  account: AccountState,
  only: ReadonlySet<string> | undefined,
  after: string,
  limit: number,
  view: (project: StoredProject) => View,
): { views: View[]; more: boolean } {
  const views: View[] = [];
  for (const project of projectsAfter(account.projects, only, after)) {
    if (views.length === limit) return { views, more: true };
    views.push(view(project));
  }
  return { views, more: false };
}

/** Those of some projects that the key may read, in creation order, with identifiers above `after` (the last one of the previous page). */
export function* projectsAfter(all: Projects, only: ReadonlySet<string> | undefined, after: string): Generator<StoredProject> {
  if (only === undefined) {
    yield* all.after(after);
    return;
  }
  // A key lists a few projects; the account may have any number.
  for (const id of [...only].sort()) {
    const project = id > after ? all.get(id) : undefined;
    if (project !== undefined) yield project;
  }
}

export function viewMember(project: StoredProject, resource: Resource, member: Member, fields: Fields): View {
  if (resource.collections.length === 0) return { resource, value: member.value, member, held: nothing };
  const names = namesHeld(resource, fields);
  return viewOf(resource, member, names, capturesHeld(project, names, [member]), 0);
}

/** All members of a collection. Their nested collections are captured now; the views are made while the response is written. */
export function viewAll(project: StoredProject, collection: Collection | undefined, fields: Fields): Views {
  if (collection === undefined) return none;
  const { resource } = collection;
  const members = collection.capture();
  if (resource.collections.length === 0) return new PlainViews(resource, members.leaves, members);
  const names = namesHeld(resource, fields);
  return new HolderViews(resource, members, names, capturesHeld(project, names, members));
}

/** Some members of a collection. */
export function viewSome(project: StoredProject, { resource }: Collection, members: readonly Member[], fields: Fields): Views {
  if (resource.collections.length === 0) return new PlainViews(resource, [{ members }]);
  return members.map((member) => viewMember(project, resource, member, fields));
}

/** Selected members of a collection. Their nested collections are captured now. */
export function viewSelected(project: StoredProject, { resource }: Collection, selected: Selected, fields: Fields): Views {
  if (resource.collections.length === 0) return new PlainViews(resource, selected.leaves);
  const names = namesHeld(resource, fields);
  return new HolderViews(resource, selected, names, capturesHeld(project, names, selected));
}

class PlainViews implements MemberViews {
  readonly resource: Resource;
  readonly leaves: MemberViews['leaves'];
  readonly capture: Capture | undefined;

  constructor(resource: Resource, leaves: MemberViews['leaves'], capture?: Capture) {
    this.resource = resource;
    this.leaves = leaves;
    this.capture = capture;
  }

  *[Symbol.iterator](): Generator<View, void> {
    const { resource } = this;
    for (const { members } of this.leaves) {
      for (const member of members) yield { resource, value: member.value, member, held: nothing };
    }
  }
}

/** The nested collections of many members, in one array: a list of 100,000 artboards may wait minutes for a slow client. */
type Captures = readonly (Capture | undefined)[];

class HolderViews implements Iterable<View> {
  readonly #resource: Resource;
  readonly #members: Iterable<Member>;
  readonly #names: readonly CollectionName[];
  readonly #captures: Captures;

  constructor(resource: Resource, members: Iterable<Member>, names: readonly CollectionName[], captures: Captures) {
    this.#resource = resource;
    this.#members = members;
    this.#names = names;
    this.#captures = captures;
  }

  *[Symbol.iterator](): Generator<View, void> {
    let at = 0;
    for (const member of this.#members) {
      yield viewOf(this.#resource, member, this.#names, this.#captures, at);
      at += this.#names.length;
    }
  }
}

/** The names of the nested collections of a member (or a project) that the response includes. */
function namesHeld(resource: Resource, fields: Fields): readonly CollectionName[] {
  const names = resource.collections.map(({ name }) => name);
  return fields === undefined ? names : names.filter((name) => fields.has(name));
}

/** For each member, the captures of its nested collections, by name. There is only one level of nesting below a member. */
function capturesHeld(project: StoredProject, names: readonly CollectionName[], members: Iterable<Member>): Captures {
  if (names.length === 0) return [];
  const captures: (Capture | undefined)[] = [];
  for (const { value } of members) for (const name of names) captures.push(project.collection(name, value.id)?.capture());
  return captures;
}

function viewOf(resource: Resource, member: Member, names: readonly CollectionName[], captures: Captures, at: number): View {
  const held = new Map<CollectionName, Views>();
  names.forEach((name, i) => {
    const members = captures[at + i];
    held.set(name, members === undefined ? none : new PlainViews(resourceOf[name], members.leaves, members));
  });
  return { resource, value: member.value, member, held };
}
