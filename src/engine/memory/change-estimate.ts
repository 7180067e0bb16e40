/**
 * Estimates by how much changes let the state grow: the values they put, minus the values they replace and delete. A record may delete a member and
 * create one with its identifier, or move it: then each change sees what those before it left.
 */
import { type Change, operationOf } from '../../store/operations/operations.ts';
import { MembersAfter } from '../../store/operations/shared/members-after.ts';
import type { State } from '../../store/state.ts';

/** By how many bytes of memory the state would grow; negative if it would shrink. Accounts and keys, which are few, count as 0. */
export const memoryGrowth = (state: State, changes: readonly Change[]): number =>
  new MemoryGrowth(state, changes.length === 1).add(changes);

/** The growth by the changes of one record, which are added one after the other. */
export class MemoryGrowth {
  readonly #members: MembersAfter;
  bytes = 0;

  /** @param isAlone whether the record has one change only */
  constructor(state: State, isAlone = false) {
    this.#members = new MembersAfter(state, isAlone);
  }

  /** @returns the growth by all changes so far */
  add(changes: readonly Change[]): number {
    for (const change of changes) this.bytes += operationOf(change).memoryGrowth?.(this.#members, change) ?? 0;
    return this.bytes;
  }
}
