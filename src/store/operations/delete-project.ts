/** Deletes a project with everything in it. */
import { plural } from '../../lib/text/plural.ts';
import { projects } from '../../model/resources.ts';
import { countProject } from '../usage.ts';
import type { Operation } from './operation.ts';
import { emptyProjectBytes } from './put-project.ts';
import { deletedEvent } from './shared/change-events.ts';
import { accountOf } from './shared/changed-parts.ts';
import { nameOf, quoted } from './shared/names.ts';
import { forgetPublication } from './shared/public-projects.ts';
import { type ProjectPlace, projectFrom, projectItems } from './shared/record-items.ts';

export const deleteProject: Operation<'delete-project', ProjectPlace> = {
  op: 'delete-project',
  needs: 'account',
  encode: projectItems,
  decode: projectFrom,
  placeOf: (change) => change,
  apply(state, lsn, { accountId, projectId }) {
    const account = accountOf(state, accountId);
    // A snapshot run reads a project on access: one that is only deleted need not be read.
    if (account.usage !== undefined) countProject(account.usage, account.projects.get(projectId), -1);
    forgetPublication(state, account, account.published.get(projectId), lsn);
    if (state.files !== undefined) {
      const project = account.projects.get(projectId);
      if (project !== undefined) state.files.removeProject(project, lsn);
    }
    account.projects.delete(projectId);
    account.projectsVersion = lsn;
    account.version = lsn;
  },
  // The record puts nothing, so the exact size is not needed.
  memoryGrowth: () => -emptyProjectBytes,
  quotaGrowth: (growth) => growth.deleteProject(),
  events: ({ projectId }, version) => [deletedEvent({ kind: projects.kind, id: projectId, project_id: projectId, version })],
  describe({ projectId }, _, project) {
    if (project === undefined) return `deleted project ${projectId}`;
    let members = 0;
    for (const { collection } of project.collections()) members += collection.size;
    return `deleted project ${quoted(nameOf(project.value))} (${plural(members, 'member')})`;
  },
};
