/**
 * Compares three versions of a resource member by member: what an edit began with, what it wants, and what the server has now. Settings of a
 * project are compared one by one, and written as a JSON Merge Patch (RFC 7396): what other editors have changed in them meanwhile stays.
 */
import { sameJson } from '../../../lib/change/same-json.ts';
import { isPlain, type Members } from './resource-kinds.ts';

/** A change of one member. */
export interface Draft {
  /** The value at which the edit began. */
  readonly base: unknown;
  readonly mine: unknown;
}

export interface MemberConflict extends Draft {
  readonly member: string;
  readonly theirs: unknown;
}

export interface Merged {
  /** Members to send: no other user has changed them, or other settings only. */
  readonly send: Readonly<Record<string, unknown>>;
  /** Members that another user has changed to another value. */
  readonly conflicts: readonly MemberConflict[];
  /** Members that the server has already as wanted. */
  readonly done: readonly string[];
}

/** @param theirs the resource as the server has it now */
export function merge(drafts: ReadonlyMap<string, Draft>, theirs: Members): Merged {
  const send: Record<string, unknown> = {};
  const conflicts: MemberConflict[] = [];
  const done: string[] = [];
  for (const [member, { base, mine }] of drafts) {
    const now = theirs[member];
    if (sameJson(now, mine)) done.push(member);
    else if (sameJson(now, base)) send[member] = mine;
    else {
      const merged = member === 'settings' ? mergedSettings(base, mine, now) : undefined;
      if (merged === undefined) conflicts.push({ member, base, mine, theirs: now });
      else send[member] = merged;
    }
  }
  return { send, conflicts, done };
}

/** The patch that turns `before` into `after`; `undefined` if no patch can, because `after` has a `null`, which would remove. */
export function patchBetween(before: Members, after: Members): Members | undefined {
  const patch: Record<string, unknown> = {};
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    const former = before[name];
    if (Object.hasOwn(before, name) && sameJson(former, value)) continue;
    const inside = isPlain(value) ? patchBetween(isPlain(former) ? former : {}, value) : value;
    if (inside === undefined || inside === null) return undefined;
    patch[name] = inside;
  }
  return patch;
}

/** The settings with the changes of both; `undefined` if both have changed the same one to different values. */
export function mergedSettings(base: unknown, mine: unknown, theirs: unknown): Members | undefined {
  if (!isPlain(base) || !isPlain(mine) || !isPlain(theirs)) return undefined;
  const merged: Record<string, unknown> = { ...theirs };
  for (const name of new Set([...Object.keys(base), ...Object.keys(mine)])) {
    if (sameJson(base[name], mine[name])) continue;
    if (!sameJson(base[name], theirs[name]) && !sameJson(mine[name], theirs[name])) return undefined;
    if (Object.hasOwn(mine, name)) merged[name] = mine[name];
    else delete merged[name];
  }
  return merged;
}
