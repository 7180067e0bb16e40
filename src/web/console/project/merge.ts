/** Compares three versions of a resource member by member: what an edit began with, what it wants, and what the server has now. */
import { type Members, sameValue } from './resource-kinds.ts';
import { mergedSettings } from './settings-patch.ts';

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
    if (sameValue(now, mine)) done.push(member);
    else if (sameValue(now, base)) send[member] = mine;
    else if (member === 'settings' && mergedSettings(base, mine, now) !== undefined)
      send[member] = mergedSettings(base, mine, now);
    else conflicts.push({ member, base, mine, theirs: now });
  }
  return { send, conflicts, done };
}
