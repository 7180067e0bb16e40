/** The project is not public any more. */
import { countPublication } from '../usage.ts';
import type { Operation } from './operation.ts';
import { deletedEvent, publicationKind } from './shared/change-events.ts';
import { accountOf, projectIn } from './shared/changed-parts.ts';
import { projectWords } from './shared/names.ts';
import { forgetPublication, publicProject, weighPublication } from './shared/public-projects.ts';
import { type ProjectPlace, projectFrom, projectItems } from './shared/record-items.ts';

export const deletePublication: Operation<'delete-publication', ProjectPlace> = {
  op: 'delete-publication',
  needs: 'project',
  encode: projectItems,
  decode: projectFrom,
  placeOf: (change) => change,
  apply(state, lsn, change) {
    const project = publicProject(state, change, lsn);
    const account = accountOf(state, change.accountId);
    countPublication(account.usage, project.publication, -1);
    state.files?.replacePublication(account.id, project.publication, undefined, lsn);
    forgetPublication(state, account, project, lsn);
    project.publication = undefined;
  },
  memoryGrowth: ({ state }, change) => -weighPublication(projectIn(state, change)?.publication),
  quotaGrowth(growth, { projectId }) {
    growth.replacePublication(growth.projectAt(projectId)?.publication, undefined);
  },
  events: ({ projectId }, version) => [deletedEvent({ kind: publicationKind, id: projectId, project_id: projectId, version })],
  describe: ({ projectId }, _, project) => `unpublished ${projectWords(projectId, project)}`,
};
