/**
 * What values weigh in memory: an estimate of V8's own figures on a 64-bit machine, meant to be rather too much. It decides whether a
 * change lets the state grow, so the same measure is taken of what it puts and of what it replaces.
 */
import type { Change } from '../model/change.ts';
import type { Value } from '../model/value.ts';
import type { Project } from '../store/project.ts';
import type { State } from '../store/state.ts';

const slotBytes = 8;
/** Slots that an object has at the least, used or not. */
const slotsMin = 4;
/** A name of an open structure: as a string, and in the shape or the dictionary of its object. */
const nameBytes = 56;
const objectBytes = 24;
const arrayBytes = 48;
const stringBytes = 16;
const numberBytes = 16;
/** What a member takes beside its value: its place, its version, its slot in a leaf. */
const memberBytes = 72;
/** What a project takes beside its own value and its members: its collections. */
const projectBytes = 1000;

const latin1 = /^[\0-\xff]*$/;

/** Bytes of a resource's value: its own names are the schema's, and cost nothing. */
export function weigh(value: Value): number {
  let bytes = objectBytes;
  for (const name in value) bytes += slotBytes + weighJson(value[name]);
  return bytes;
}

/** Bytes of any JSON, without the slot that holds it. */
function weighJson(value: unknown): number {
  if (typeof value === 'string')
    return stringBytes + slotBytes * Math.ceil((value.length * (latin1.test(value) ? 1 : 2)) / slotBytes);
  // Small whole numbers stand in the slot itself.
  if (typeof value === 'number') return (value | 0) === value ? 0 : numberBytes;
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) {
    let bytes = arrayBytes;
    for (const item of value) bytes += slotBytes + weighJson(item);
    return bytes;
  }
  let bytes = objectBytes;
  let names = 0;
  for (const name in value) {
    names++;
    bytes += weighJson((value as Readonly<Record<string, unknown>>)[name]);
  }
  bytes += slotBytes * Math.max(names, slotsMin);
  return isVertex(value, names) ? bytes : bytes + nameBytes * names;
}

/** By far the most frequent object, and one whose shape is the same everywhere. */
const isVertex = (value: object, names: number): boolean => names === 2 && 'x' in value && 'y' in value;

/** By how many bytes the state would grow; negative when it would shrink. Accounts and keys, which are few, count as nothing. */
export function growthOf(state: State, changes: readonly Change[]): number {
  let bytes = 0;
  for (const change of changes) {
    if (change.op === 'put-project') {
      const present = state.accounts.get(change.accountId)?.projects.get(change.value.id);
      bytes += weigh(change.value) + (present === undefined ? projectBytes : -weigh(present.value));
    } else if (change.op === 'delete-project' || change.op === 'delete-account') {
      // Never part of a change that puts anything, so it need not be weighed.
      bytes -= projectBytes;
    } else if (change.op === 'put' || change.op === 'delete') {
      const project = state.accounts.get(change.path.accountId)?.projects.get(change.path.projectId);
      bytes += change.op === 'put' ? addedBy(project, change) : -removedBy(project, change);
    }
  }
  return bytes;
}

function addedBy(project: Project | undefined, { path, values }: Change & { op: 'put' }): number {
  const collection = project?.collection(path.collection, path.parentId);
  let bytes = 0;
  for (const value of values) {
    const present = collection?.get(value.id);
    bytes += weigh(value) + (present === undefined ? memberBytes : -weigh(present.value));
  }
  return bytes;
}

/** Members, and what they hold. */
function removedBy(project: Project | undefined, { path, ids }: Change & { op: 'delete' }): number {
  const collection = project?.collection(path.collection, path.parentId);
  if (project === undefined || collection === undefined) return 0;
  let bytes = 0;
  for (const id of ids) {
    const present = collection.get(id);
    if (present === undefined) continue;
    bytes += weighMember(present.value);
    for (const { name } of collection.resource.collections) {
      for (const { value } of project.collection(name, id)?.capture() ?? []) bytes += weighMember(value);
    }
  }
  return bytes;
}

const weighMember = (value: Value): number => memberBytes + weigh(value);
