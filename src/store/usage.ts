/**
 * What an account holds: how many members, and how many bytes their rows and those of its projects take in a snapshot. Nothing is
 * counted unless somebody asks; from then on every record is (apply.ts), so that another look costs nothing. A first look decodes
 * nothing: how many rows are in a leaf, and how many bytes they take, is known without.
 */
import { projects as projectResource } from '../model/resources.ts';
import { pack } from '../model/stored.ts';
import type { Value } from '../model/value.ts';
import type { Collection } from './collection.ts';
import type { Project } from './project.ts';

export interface Usage {
  members: number;
  /** `undefined` while only members are counted. */
  bytes: number | undefined;
}

type Projects = Iterable<Project>;

/** Members of all collections of some projects. */
export function membersIn(projects: Projects): number {
  let members = 0;
  for (const project of projects) for (const { collection } of project.collections()) members += collection.size;
  return members;
}

/** Bytes of all their rows. */
export function bytesIn(projects: Projects): number {
  let bytes = 0;
  for (const project of projects) bytes += projectBytes(project);
  return bytes;
}

/** Bytes of the row of a project's own members. */
export const headBytes = (value: Value): number => pack(projectResource.toRow(value)).byteLength;

export function projectBytes(project: Project): number {
  let bytes = ownBytes(project);
  for (const { collection } of project.collections()) bytes += collection.rowBytes;
  return bytes;
}

/** The same, without decoding it. */
const ownBytes = (project: Project): number => project.packed?.byteLength ?? headBytes(project.value);

/** Adds a collection as it is now (1), or takes it away (-1). */
export function countCollection(usage: Usage | undefined, collection: Collection | undefined, times: 1 | -1): void {
  if (usage === undefined || collection === undefined) return;
  usage.members += times * collection.size;
  if (usage.bytes !== undefined) usage.bytes += times * collection.rowBytes;
}

/** The same for a project with all that is in it. */
export function countProject(usage: Usage | undefined, project: Project | undefined, times: 1 | -1): void {
  if (usage === undefined || project === undefined) return;
  for (const { collection } of project.collections()) countCollection(usage, collection, times);
  countHead(usage, project, times);
}

/** The same for a project's own members. */
export function countHead(usage: Usage | undefined, project: Project | undefined, times: 1 | -1): void {
  if (usage?.bytes !== undefined && project !== undefined) usage.bytes += times * ownBytes(project);
}
