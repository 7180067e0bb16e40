/**
 * Usage of an account: the number of members and versions, and the bytes of their rows, of its projects' rows and of the rules of live maps.
 * Counting starts with the first request for it; from then on, apply.ts updates the counts with every record. The first count decodes
 * nothing: the row count and byte count of a leaf are known. The bytes of files, versions and maps are in the FileIndex.
 */

import { runToEnd } from '../lib/async/run-to-end.ts';
import type { Resource } from '../model/resource.ts';
import { projects as projectResource, versions as versionsResource } from '../model/resources.ts';
import { pack } from '../model/stored.ts';
import type { Value } from '../model/value.ts';
import type { Collection } from './collection.ts';
import type { StoredProject } from './stored-project.ts';
import { type Publication, rulesBytes } from './stored-publication.ts';

export interface Usage {
  /** Members of all collections but versions: the server makes versions unasked, and they must take no room of what a client creates. */
  members: number;
  /** Versions of projects. */
  versions: number;
  /** `undefined` while only members are counted. */
  rowBytes: number | undefined;
}

type ProjectList = Iterable<StoredProject>;

/** The quota that counts the members of a resource. */
export const quotaOf = (resource: Resource): 'members' | 'versions' => (resource === versionsResource ? 'versions' : 'members');

/** Number of members and versions of some projects. */
export function countIn(projects: ProjectList): Omit<Usage, 'rowBytes'> {
  const count = { members: 0, versions: 0 };
  for (const project of projects)
    for (const { collection } of project.collections()) count[quotaOf(collection.resource)] += collection.size;
  return count;
}

/** Bytes of all rows of some projects. */
export function rowBytesIn(projects: ProjectList): number {
  let bytes = 0;
  for (const project of projects) bytes += rowBytesOf(project);
  return bytes;
}

/** Size of the row of a project's own members, in bytes. */
export const headBytes = (value: Value): number => pack(projectResource.toRow(value)).byteLength;

export const rowBytesOf = (project: StoredProject): number => runToEnd(countRowBytes(project));

/** Counts like {@link rowBytesOf}, and pauses after each collection, which counts its rows only once. */
export function* countRowBytes(project: StoredProject): Generator<void, number> {
  let bytes = ownBytes(project) + rulesBytes(project.publication);
  for (const { collection } of project.collections()) {
    bytes += collection.rowBytes;
    yield;
  }
  return bytes;
}

/** As {@link headBytes}, without decoding the project. */
const ownBytes = (project: StoredProject): number => project.packed?.byteLength ?? headBytes(project.value);

/** Adds a collection's current counts (1), or subtracts them (-1). */
export function countCollection(usage: Usage | undefined, collection: Collection | undefined, times: 1 | -1): void {
  if (usage === undefined || collection === undefined) return;
  usage[quotaOf(collection.resource)] += times * collection.size;
  if (usage.rowBytes !== undefined) usage.rowBytes += times * collection.rowBytes;
}

/** As {@link countCollection}, for a project with all its collections. */
export function countProject(usage: Usage | undefined, project: StoredProject | undefined, times: 1 | -1): void {
  if (usage === undefined || project === undefined) return;
  for (const { collection } of project.collections()) countCollection(usage, collection, times);
  countHead(usage, project, times);
  countPublication(usage, project.publication, times);
}

/** As {@link countCollection}, for a publication. */
export function countPublication(usage: Usage | undefined, publication: Publication | undefined, times: 1 | -1): void {
  if (usage?.rowBytes !== undefined) usage.rowBytes += times * rulesBytes(publication);
}

/** As {@link countCollection}, for a project's own members. */
export function countHead(usage: Usage | undefined, project: StoredProject | undefined, times: 1 | -1): void {
  if (usage?.rowBytes !== undefined && project !== undefined) usage.rowBytes += times * ownBytes(project);
}
