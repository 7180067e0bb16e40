/**
 * Rebases a diff: finds what is left of it over what others have done since. A member that has another value than before the diff is a conflict, and a resource
 * that is not there any more; nothing else is lost.
 */
import {
  arranged,
  type Diff,
  isPlacing,
  type Members,
  membersOf,
  placedIn,
  type ResourceChange,
  type Side,
  type State,
} from './diff.ts';
import { sameJson } from './same-json.ts';
import { isPlain, mergedParts } from './value-parts.ts';

/** How resources of a state belong together. */
export interface Kinds {
  /** The collection that goes with a resource, if there is one. */
  inside(id: string, collection: string): string | undefined;
  /** The resource that a collection goes with. */
  ownerOf(collection: string): string | undefined;
  /** True if several users can change parts of a member without a conflict. */
  hasParts(collection: string, member: string): boolean;
}

export interface MemberConflict {
  readonly member: string;
  /** The value before the diff. */
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export type RebaseConflict =
  | { readonly is: 'changed'; readonly id: string; readonly members: readonly MemberConflict[] }
  /** It is not there, or its collection is not. `mine`: members that the diff gives it. */
  | { readonly is: 'deleted'; readonly id: string; readonly in: string; readonly mine: Members }
  /** It was to be removed, and has been changed by others. */
  | { readonly is: 'foreign'; readonly id: string };

export interface Rebased {
  /** Begins with the state as it is, so that its inverse leads back there. */
  readonly left: Diff;
  readonly conflicts: readonly RebaseConflict[];
}

/** @param whole what the diff is a part of, if it removes only what is as it was before */
export function rebase({ changes, orders }: Diff, state: State, kinds: Kinds, whole?: Diff['changes']): Rebased {
  const left = new Map<string, ResourceChange>();
  const conflicts: RebaseConflict[] = [];
  for (const change of changes.values()) {
    if (whole !== undefined && isForeign(change, whole, state, kinds)) {
      conflicts.push({ is: 'foreign', id: change.id });
      continue;
    }
    const { kept, conflict } = rebased(change, { state, kinds, changes });
    if (conflict !== undefined) conflicts.push(conflict);
    if (kept === undefined) continue;
    left.set(kept.id, kept);
    if (kept.to === undefined && kept.from !== undefined) removeInside(left, changes, kept.id, kept.from.in, state, kinds);
  }
  return { left: { changes: left, orders: ordersOf(left, orders, state) }, conflicts };
}

/** True if a diff removes a resource that has other members now, or something in it that the diff does not know. */
function isForeign({ id, from, to }: ResourceChange, changes: Diff['changes'], state: State, kinds: Kinds): boolean {
  const now = state.get(id);
  if (to !== undefined || from === undefined || now === undefined) return false;
  if (from.in !== now.in) return true;
  if (Object.entries(from.members).some(([member, value]) => !isNear(value, now.members[member]))) return true;
  const inside = kinds.inside(id, now.in);
  return (inside === undefined ? [] : state.ids(inside)).some((each) => {
    const change = changes.get(each);
    return change === undefined || isForeign(change, changes, state, kinds);
  });
}

/** True if values differ by rounding at most: objects move with their artboard, and back. */
function isNear(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number')
    return Math.abs(left - right) <= 1e-6 * Math.max(1, Math.abs(left), Math.abs(right));
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return sameJson(left, right);
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length && names.every((name) => isNear((left as Members)[name], (right as Members)[name]))
  );
}

interface Over {
  readonly state: State;
  readonly kinds: Kinds;
  readonly changes: Diff['changes'];
}

function rebased(change: ResourceChange, over: Over): { readonly kept?: ResourceChange; readonly conflict?: RebaseConflict } {
  const { id, from, to } = change;
  const now = over.state.get(id);
  if (to === undefined) return now === undefined ? {} : { kept: { id, from: now, to } };
  if (from === undefined) {
    // Another user may have brought it back.
    if (now !== undefined) return {};
    return isOwned(to.in, over) ? { kept: { id, from, to } } : { conflict: { is: 'deleted', id, in: to.in, mine: to.members } };
  }
  if (now === undefined)
    return Object.keys(to.members).length === 0 ? {} : { conflict: { is: 'deleted', id, in: from.in, mine: to.members } };
  const target = from.in === to.in || !isOwned(to.in, over) ? now.in : to.in;
  const { members, conflicting } = mergedMembers(from.members, to.members, now, over.kinds);
  const isPlaced = isPlacing(change) && (target !== now.in || target === to.in);
  const names = Object.keys(members);
  const kept: ResourceChange = {
    id,
    from: { in: now.in, members: membersOf(now.members, names) },
    to: { in: target, members },
    ...(isPlaced && { isPlaced }),
  };
  return {
    ...((names.length > 0 || isPlaced) && { kept }),
    ...(conflicting.length > 0 && { conflict: { is: 'changed', id, members: conflicting } }),
  };
}

/** True if the resource that a collection goes with is there, or is created by the same diff. */
function isOwned(collection: string, { state, kinds, changes }: Over): boolean {
  const owner = kinds.ownerOf(collection);
  return owner === undefined || state.get(owner) !== undefined || changes.get(owner)?.to !== undefined;
}

function mergedMembers(from: Members, to: Members, now: Side, kinds: Kinds) {
  const members: Record<string, unknown> = {};
  const conflicting: MemberConflict[] = [];
  for (const [member, mine] of Object.entries(to)) {
    const [base, theirs] = [from[member], now.members[member]];
    if (sameJson(theirs, mine)) continue;
    if (sameJson(theirs, base)) members[member] = mine;
    else if (isPlain(base) && isPlain(mine) && isPlain(theirs) && kinds.hasParts(now.in, member)) {
      // Parts that only one has changed are in no conflict.
      const [ours, merged] = [mergedParts(base, mine, theirs, true), mergedParts(base, mine, theirs, false)];
      if (!sameJson(merged, theirs)) members[member] = merged;
      if (!sameJson(ours, merged)) conflicting.push({ member, base, mine: ours, theirs: merged });
    } else conflicting.push({ member, base, mine, theirs });
  }
  return { members, conflicting };
}

/** Adds what goes with a removed resource, also if others have added it. */
function removeInside(
  left: Map<string, ResourceChange>,
  changes: Diff['changes'],
  owner: string,
  collection: string,
  state: State,
  kinds: Kinds,
): void {
  const inside = kinds.inside(owner, collection);
  if (inside === undefined) return;
  for (const id of state.ids(inside)) if (!changes.has(id)) left.set(id, { id, from: state.get(id), to: undefined });
}

/** The orders of the collections in which a diff adds, removes or places something, from those of a state. */
function ordersOf(changes: Diff['changes'], orders: Diff['orders'], state: State): Diff['orders'] {
  const touched = new Set<string>();
  const leaving = new Set<string>();
  for (const { id, from, to, isPlaced } of changes.values()) {
    if (from?.in === to?.in && isPlaced !== true) continue;
    if (from !== undefined) touched.add(from.in);
    if (to !== undefined) touched.add(to.in);
    leaving.add(id);
  }
  const found = new Map<string, { from: readonly string[]; to: readonly string[] }>();
  for (const collection of touched) {
    const from = state.ids(collection);
    const placed = placedIn(changes, collection);
    const order = orders.get(collection)?.to ?? [];
    const ids = [...from.filter((id) => !leaving.has(id)), ...placed];
    found.set(collection, { from: [...from], to: arranged(ids, order, placed) });
  }
  return found;
}
