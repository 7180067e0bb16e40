/**
 * Views: what an answer shows, captured in one turn. Values are immutable and leaves handed out are never changed, so a view can be
 * written to a slow client for minutes and still be one version.
 */
import type { CollectionName, Resource } from '../model/resource.ts';
import { projects, resourceOf } from '../model/resources.ts';
import type { Value } from '../model/value.ts';
import type { Capture, Collection } from './collection.ts';
import type { Member } from './member.ts';
import type { Project } from './project.ts';
import type { Selected } from './selected.ts';
import type { AccountState } from './state.ts';

export interface View {
  readonly resource: Resource;
  readonly value: Value;
  /** The member in memory, whose JSON may be cached; `undefined` for a project. */
  readonly member: Member | undefined;
  /** The collections it holds, by name; those that were not asked for are left out. */
  readonly held: ReadonlyMap<CollectionName, Views>;
}

/** Members that hold nothing: to be gone through as views, or as they are. */
export interface MemberViews extends Iterable<View> {
  readonly resource: Resource;
  readonly leaves: Iterable<{ readonly members: readonly Member[] }>;
  /** Where they are all of a collection. */
  readonly capture: Capture | undefined;
}

export type Views = Iterable<View> | MemberViews;

/** Which members of an answer are wanted; `undefined`: all. */
export type Fields = ReadonlySet<string> | undefined;

const nothing: ReadonlyMap<CollectionName, Views> = new Map();
const none: readonly View[] = [];

export function viewProject(project: Project, fields: Fields): View {
  const names = namesHeld(projects, fields);
  const held = new Map(names.map((name) => [name, viewAll(project, project.collection(name, ''), undefined)] as const));
  return { resource: projects, value: project.value, member: undefined, held };
}

/** @param only identifiers of the projects that may be seen; `undefined` for all */
export function viewProjects(
  account: AccountState,
  only: ReadonlySet<string> | undefined,
  fields: Fields,
  after: string,
  limit: number,
): { views: View[]; more: boolean } {
  const views: View[] = [];
  for (const project of projectsAfter(account, only, after)) {
    if (views.length === limit) return { views, more: true };
    views.push(viewProject(project, fields));
  }
  return { views, more: false };
}

/** Projects that may be seen, in creation order, from the identifier that a page before ended with. */
export function* projectsAfter(
  { projects: all }: AccountState,
  only: ReadonlySet<string> | undefined,
  after: string,
): Generator<Project> {
  if (only === undefined) {
    yield* all.after(after);
    return;
  }
  // A key names a few; the account may have any number.
  for (const id of [...only].sort()) {
    const project = id > after ? all.get(id) : undefined;
    if (project !== undefined) yield project;
  }
}

export function viewMember(project: Project, resource: Resource, member: Member, fields: Fields): View {
  if (resource.collections.length === 0) return { resource, value: member.value, member, held: nothing };
  const names = namesHeld(resource, fields);
  return viewOf(resource, member, names, capturesHeld(project, names, [member]), 0);
}

/** All members of a collection. What they hold is captured now; they become views only while they are written. */
export function viewAll(project: Project, collection: Collection | undefined, fields: Fields): Views {
  if (collection === undefined) return none;
  const { resource } = collection;
  const members = collection.capture();
  if (resource.collections.length === 0) return new PlainViews(resource, members.leaves, members);
  const names = namesHeld(resource, fields);
  return new HolderViews(resource, members, names, capturesHeld(project, names, members));
}

/** Some members of a collection. */
export function viewSome(project: Project, { resource }: Collection, members: readonly Member[], fields: Fields): Views {
  if (resource.collections.length === 0) return new PlainViews(resource, [{ members }]);
  return members.map((member) => viewMember(project, resource, member, fields));
}

/** Selected members of a collection. What they hold is captured now. */
export function viewSelected(project: Project, { resource }: Collection, selected: Selected, fields: Fields): Views {
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

/** What many members hold, in one array: a list of a hundred thousand artboards may wait for minutes for its reader. */
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

/** The collections that a member (or a project) holds, as far as they are wanted. */
function namesHeld(resource: Resource, fields: Fields): readonly CollectionName[] {
  const names = resource.collections.map(({ name }) => name);
  return fields === undefined ? names : names.filter((name) => fields.has(name));
}

/** For each member, what it holds of each name. Nothing below that holds anything: nesting ends there. */
function capturesHeld(project: Project, names: readonly CollectionName[], members: Iterable<Member>): Captures {
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
