/** Describes in words what a record changed, for people who look for the record with a mistake. */
import { type Change, operationOf } from '../../store/operations/operations.ts';
import type { State } from '../../store/state.ts';

/** A description of one change in a record. */
export interface ChangeDescription {
  /** Name of the account, if known. */
  readonly account: string | undefined;
  readonly accountId: string | undefined;
  readonly projectId: string | undefined;
  readonly words: string;
}

/** @param state the state before the change, as far as it is known; names come from it */
export function describe(state: State, change: Change): ChangeDescription {
  const operation = operationOf(change);
  const { accountId, projectId } = operation.placeOf(change);
  const account = accountId === undefined ? undefined : state.accounts.get(accountId);
  const project = projectId === undefined ? undefined : account?.projects.get(projectId);
  const named = change.op === 'put-account' ? change.account : account;
  return { account: named?.name, accountId, projectId, words: operation.describe(change, state, project) };
}
