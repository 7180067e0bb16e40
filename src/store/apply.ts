/**
 * Applies a record to the state. Live writes, the replay at startup and snapshots all use this code, so memory, log and snapshots cannot
 * disagree about the effect of a change. A record with too many members for one turn is applied to a separate state, in slices; the
 * result is then attached.
 */

import { type Change, operationOf } from './operations/operations.ts';
import { accountOf, noteId } from './operations/shared/changed-parts.ts';
import type { State } from './state.ts';
import type { StoredProject } from './stored-project.ts';
import { countProject } from './usage.ts';

/** @param lsn the record's LSN: the new version of everything that it changes */
export function applyRecord(state: State, lsn: number, changes: Iterable<Change>): void {
  for (const change of changes) operationOf(change).apply(state, lsn, change);
  state.lsn = lsn;
}

/**
 * Attaches a new project to the state: the same result as applying its record, in one turn with little work per member.
 *
 * @param project the result of applying the record to a separate state
 * @param rest the other changes of the record
 */
export function attachProject(
  state: State,
  lsn: number,
  project: StoredProject,
  newestId: string,
  rest: readonly Change[],
): void {
  const account = accountOf(state, project.accountId);
  project.setVersion(lsn);
  account.projects.set(project.id, project);
  account.projectsVersion = lsn;
  account.version = lsn;
  countProject(account.usage, project, 1);
  state.files?.addProject(project, lsn);
  noteId(state, newestId);
  for (const change of rest) operationOf(change).apply(state, lsn, change);
  state.lsn = lsn;
}
