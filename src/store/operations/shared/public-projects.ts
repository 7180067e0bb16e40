/** Projects that are public: their indexes and their memory. */
import type { AccountState, State } from '../../state.ts';
import type { StoredProject } from '../../stored-project.ts';
import { type Publication, rulesBytes } from '../../stored-publication.ts';
import { accountOf } from './changed-parts.ts';
import type { ProjectPlace } from './record-items.ts';

/** Memory of a publication without its rules and files, and of a file that it shows, in bytes. */
const publicationMemory = 2000;
const shownFileMemory = 400;

/** Memory of a publication: the rules, its versions without their maps, and the names of the files that these show. */
export function weighPublication(publication: Publication | undefined): number {
  if (publication === undefined) return 0;
  const files = publication.versions.reduce((sum, version) => sum + version.files.length, 0);
  return publicationMemory + rulesBytes(publication) + files * shownFileMemory;
}

/** The project of a change of its publication. */
export function publicProject(state: State, change: ProjectPlace, lsn: number): StoredProject {
  const project = accountOf(state, change.accountId).projects.get(change.projectId);
  if (project === undefined) throw new Error(`record ${lsn} publishes project ${change.projectId}, which does not exist`);
  return project;
}

/** Enters a project that is public into the indexes. */
export function notePublication(state: State, account: AccountState, project: StoredProject): void {
  if (project.publication === undefined) return;
  state.publications.set(project.publication.slug, project);
  account.published.set(project.id, project);
}

export function forgetPublication(state: State, account: AccountState, project: StoredProject | undefined, lsn: number): void {
  if (project?.publication === undefined) return;
  project.visits = undefined;
  state.publications.delete(project.publication.slug);
  state.publicationsVersion = lsn;
  account.published.delete(project.id);
  account.publicationsVersion = lsn;
}
