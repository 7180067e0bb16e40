/**
 * Estimates by how much changes let the state grow: the values they put, minus the values they replace and delete.
 */
import { type Change, operationOf } from '../../store/operations/operations.ts';
import type { State } from '../../store/state.ts';

/** By how many bytes of memory the state would grow; negative if it would shrink. Accounts and keys, which are few, count as 0. */
export function memoryGrowth(state: State, changes: readonly Change[]): number {
  return changes.reduce((sum, change) => sum + (operationOf(change).memoryGrowth?.(state, change) ?? 0), 0);
}
