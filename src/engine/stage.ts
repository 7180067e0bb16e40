/**
 * A stage: what a project would be after changes that may still come to nothing. Several writes that are one change are decided on it, each
 * on what the ones before it made; and it is where an answer is made that goes into the log together with its change.
 */
import type { Change } from '../model/change.ts';
import { applyRecord } from '../store/apply.ts';
import { newAccount, State } from '../store/state.ts';

/** The version of all that is changed on a stage, until a record gives it a real one: no condition holds for it. */
const stagedVersion = Number.MAX_SAFE_INTEGER;

export class Stage {
  /** What decide and the queries may see: one account, and no more of it than the one project, if it is there. */
  readonly state: State;

  /** @param projectId '' where one is to be made */
  constructor(state: State, accountId: string, projectId: string) {
    this.state = new State(state.keeper);
    const account = state.accounts.get(accountId);
    if (account === undefined) return;
    const staged = newAccount(account, account);
    this.state.accounts.set(accountId, staged);
    const project = account.projects.get(projectId);
    if (project !== undefined) staged.projects.set(projectId, project.fork());
  }

  apply(changes: readonly Change[]): void {
    applyRecord(this.state, stagedVersion, changes);
  }
}
