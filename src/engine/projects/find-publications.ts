/** Reads the publications of an account: that of one project, or a page of all of them. */
import { findAccount, findProject, type Versioned } from '../../store/find.ts';
import { type ProjectPage, searchProjectPage } from '../../store/list/project-page.ts';
import type { AccountState, State } from '../../store/state.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import type { Publication } from '../../store/stored-publication.ts';
import type { ProjectName } from '../command.ts';

/** A publication, its name ('' for none), its project, and whether that has changed since. */
export interface Published {
  readonly publication: Publication;
  readonly name: string;
  readonly project: StoredProject;
  readonly stale: boolean;
}

/** The publication of a project; the value is `undefined` if the project is missing, and its publication if it is not public. */
export function findPublished(
  state: State,
  { accountId, projectId }: ProjectName,
): Versioned<{ readonly published: Published | undefined }> {
  const { value: project, version } = findProject(state, accountId, projectId);
  if (project === undefined) return { value: undefined, version };
  const { publication } = project;
  return {
    value: { published: publication && publishedOf(state, project, publication) },
    version: Math.max(version, publication?.lsn ?? state.publicationsVersion),
  };
}

/** A publication of a list. */
export type ListedPublished = { readonly projectId: string } & Published;

/** The version of the list of publications of an account: a change of a project may make its publication stale. */
export function publicationsVersion(state: State, accountId: string): Versioned<AccountState> {
  const { value: account, version } = findAccount(state, accountId);
  return { value: account, version: Math.max(version, account?.publicationsVersion ?? 0) };
}

/**
 * Lists publications of an account; the value is `undefined` if the account is missing. A query for {@link Reader.search}.
 *
 * @param only identifiers of the projects that the key may read; `undefined` for all
 * @param after identifier of the project before the page; '' for none
 */
export const searchPublications = (
  state: State,
  accountId: string,
  only: ReadonlySet<string> | undefined,
  after: string,
  limit?: number,
): Generator<void, Versioned<ProjectPage<ListedPublished>>> =>
  searchProjectPage({
    account: () => publicationsVersion(state, accountId),
    projects: ({ published }) => published,
    row: (project) => ({ projectId: project.id, ...publishedOf(state, project, project.publication as Publication) }),
    ...{ only, after, limit },
  });

export const publishedOf = ({ names }: State, project: StoredProject, publication: Publication): Published => ({
  ...{ publication, project, name: names.ofProject(project.accountId, project.id) },
  stale: publication.projectVersion !== project.version,
});
