/**
 * A new project with too many members for one turn. It is built detached, in slices, by applying its record to a separate state. The turn in
 * which its record is appended only attaches it.
 */

import { applyRecord } from '../../store/apply.ts';
import type { Change } from '../../store/operations/operations.ts';
import { accountAt, State } from '../../store/state.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { memoryGrowth } from '../memory/change-estimate.ts';
import { type Bounds, boundsOf, unbounded } from './quotas.ts';

export interface DetachedProject {
  readonly project: StoredProject;
  readonly changes: readonly Change[];
  /** The changes that do not concern the project. */
  readonly rest: readonly Change[];
  /** The greatest identifier in the project. */
  readonly newestId: string;
  /** Bytes of memory by which the state grows. */
  readonly weight: number;
}

/**
 * Builds the project of a record. It is not visible before it is attached. Yields after each change.
 *
 * @param defaults quotas of accounts that have no quotas of their own
 */
export function* buildDetached(
  state: State,
  accountId: string,
  changes: readonly Change[],
  defaults: Bounds,
): Generator<void, DetachedProject> {
  const apart = new State(state.leafKind);
  const account = accountAt({ id: accountId, name: '', created: '' }, 0);
  apart.accounts.set(accountId, account);
  const present = state.accounts.get(accountId);
  const countsBytes = present?.usage?.rowBytes !== undefined || boundsOf(present?.limits, defaults).bytes !== unbounded.bytes;
  // If the account's bytes are counted, the project's bytes are counted while it is built.
  account.usage = { members: 0, versions: 0, rowBytes: countsBytes ? 0 : undefined };
  const rest: Change[] = [];
  let weight = 0;
  for (const change of changes) {
    weight += memoryGrowth(apart, [change]);
    if (change.op !== 'put-project' && change.op !== 'put') {
      rest.push(change);
      continue;
    }
    applyRecord(apart, state.lsn + 1, [change]);
    yield;
  }
  const [project] = account.projects.values();
  if (project === undefined) throw new Error('the record of a project puts one');
  return { project, changes, rest, newestId: apart.newestId, weight };
}
