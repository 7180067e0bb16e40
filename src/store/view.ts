/**
 * Views: what an answer shows, captured in one turn. Values are immutable and leaves handed out are never changed, so a view can be
 * written to a slow client for minutes and still be one version.
 */
import type { CollectionName, Resource } from '../model/resource.ts';
import { projects } from '../model/resources.ts';
import type { Value } from '../model/value.ts';
import type { Collection } from './collection.ts';
import type { Member } from './leaf.ts';
import type { Project } from './project.ts';
import type { AccountState } from './state.ts';

export interface View {
  readonly resource: Resource;
  readonly value: Value;
  /** The member in memory, whose JSON may be cached; `undefined` for a project. */
  readonly member: Member | undefined;
  /** The collections it holds, by name; those that were not asked for are left out. */
  readonly held: ReadonlyMap<CollectionName, Iterable<View>>;
}

/** Which members of an answer are wanted; `undefined`: all. */
export type Fields = ReadonlySet<string> | undefined;

const nothing: ReadonlyMap<CollectionName, Iterable<View>> = new Map();

export function viewProject(project: Project, fields: Fields): View {
  const held = new Map<CollectionName, Iterable<View>>();
  for (const { name } of projects.collections) {
    if (fields === undefined || fields.has(name)) held.set(name, viewAll(project, project.collection(name, ''), undefined));
  }
  return { resource: projects, value: project.value, member: undefined, held };
}

export function viewProjects(
  account: AccountState,
  fields: Fields,
  after: string,
  limit: number,
): { views: View[]; more: boolean } {
  const views: View[] = [];
  for (const project of account.projects.values()) {
    // Projects are never reordered, and identifiers ascend with creation: the last identifier seen is the cursor.
    if (after !== '' && project.id <= after) continue;
    if (views.length === limit) return { views, more: true };
    views.push(viewProject(project, fields));
  }
  return { views, more: false };
}

export function viewMember(project: Project, resource: Resource, member: Member, fields: Fields): View {
  if (resource.collections.length === 0) return { resource, value: member.value, member, held: nothing };
  const held = new Map<CollectionName, Iterable<View>>();
  for (const { name } of resource.collections) {
    if (fields === undefined || fields.has(name))
      held.set(name, viewAll(project, project.collection(name, member.value.id), undefined));
  }
  return { resource, value: member.value, member, held };
}

/** All members of a collection. */
export function viewAll(project: Project, collection: Collection | undefined, fields: Fields): Iterable<View> {
  if (collection === undefined) return [];
  const { resource } = collection;
  const members = collection.capture();
  // What members hold is captured now; members without collections become views only while they are written.
  if (resource.collections.length > 0) return Array.from(members, (member) => viewMember(project, resource, member, fields));
  return {
    *[Symbol.iterator]() {
      for (const member of members) yield viewMember(project, resource, member, fields);
    },
  };
}
