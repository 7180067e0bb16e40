/**
 * An overlay: a copy of a project with changes that are not logged, and may never be. The writes of a batch are decided on an overlay, each
 * on the result of those before it. A stored response is made from an overlay, since it is logged together with its change.
 */

import { applyRecord } from '../../store/apply.ts';
import type { Change } from '../../store/operations/operations.ts';
import { newAccount, State } from '../../store/state.ts';

/** The version of everything that an overlay changes. No precondition matches it. */
const overlayVersion = Number.MAX_SAFE_INTEGER;

export class Overlay {
  /** The state that decide and queries see: one account with only this project, if they exist. */
  readonly state: State;

  /** @param projectId '' for a project that does not exist yet */
  constructor(state: State, accountId: string, projectId: string) {
    this.state = new State(state.leafKind);
    const account = state.accounts.get(accountId);
    if (account === undefined) return;
    const copy = newAccount(account, account);
    this.state.accounts.set(accountId, copy);
    const project = account.projects.get(projectId);
    if (project !== undefined) copy.projects.set(projectId, project.fork());
  }

  apply(changes: readonly Change[]): void {
    applyRecord(this.state, overlayVersion, changes);
  }
}
