/** A new project, or the new content of a project's own members. */
import { weigh } from '../../model/memory-estimate.ts';
import { withoutSecrets } from '../../model/resource.ts';
import { projects } from '../../model/resources.ts';
import { stored } from '../../model/stored.ts';
import type { Value } from '../../model/value.ts';
import { StoredProject } from '../stored-project.ts';
import { countHead } from '../usage.ts';
import type { Operation } from './operation.ts';
import { changedEvent } from './shared/change-events.ts';
import { accountOf, noteId } from './shared/changed-parts.ts';
import { nameOf, quoted, renamed } from './shared/names.ts';
import { type Created, createdFrom, createdItem } from './shared/record-items.ts';

/** Memory of a project's collections without their members, in bytes. */
export const emptyProjectBytes = 1000;

export interface PutProject extends Created {
  readonly accountId: string;
  readonly value: Value;
}

export const putProject: Operation<'put-project', PutProject> = {
  op: 'put-project',
  needs: 'account',
  encode: (change) => [change.accountId, projects.toRow(change.value), ...createdItem(change)],
  decode: ([accountId, row, created]) => ({
    accountId: stored.text(accountId, 'an account'),
    value: projects.fromRow(stored.list(row, 'a project')),
    ...createdFrom(created),
  }),
  placeOf: ({ accountId, value }) => ({ accountId, projectId: value.id }),
  apply(state, lsn, { accountId, value }) {
    noteId(state, value.id);
    const account = accountOf(state, accountId);
    let project = account.projects.get(value.id);
    if (project === undefined) {
      project = new StoredProject(value.id, account.id, state.leafKind, value);
      project.createdVersion = lsn;
      account.projects.set(value.id, project);
      account.projectsVersion = lsn;
    } else countHead(account.usage, project, -1);
    project.value = value;
    countHead(account.usage, project, 1);
    project.headVersion = lsn;
    project.version = lsn;
    account.version = lsn;
  },
  memoryGrowth({ state }, { accountId, value }) {
    const present = state.accounts.get(accountId)?.projects.get(value.id);
    return weigh(value) + (present === undefined ? emptyProjectBytes : -weigh(present.value));
  },
  quotaGrowth: (growth, { value }) => growth.putHead(value),
  events({ value, created }, version) {
    if (created === undefined) return undefined;
    const forReaders = withoutSecrets(projects, value);
    const target = { kind: projects.kind, id: value.id, project_id: value.id, version };
    return [changedEvent(created, target, value, forReaders === value ? undefined : forReaders)];
  },
  describe: ({ value }, _, project) =>
    project === undefined ? `created project ${quoted(nameOf(value))}` : `changed project ${renamed(project.value, value)}`,
};
