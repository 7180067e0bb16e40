/** A page of rows, one of each project, which is searched in slices. */
import { runToEnd } from '../../lib/async/run-to-end.ts';
import type { Versioned } from '../find.ts';
import type { Projects } from '../projects.ts';
import type { AccountState } from '../state.ts';
import type { StoredProject } from '../stored-project.ts';
import { projectsAfter } from './views.ts';

/** In the order of their projects. */
export interface ProjectPage<Row> {
  readonly page: readonly Row[];
  /** Identifier of the last project of the page, if others follow. */
  readonly last: string | undefined;
}

export interface ProjectPageSearch<Row> {
  /** The account of the newest state, with the version of what is listed of it. */
  account(): Versioned<AccountState>;
  projects(account: AccountState): Projects;
  row(project: StoredProject): Row;
  /** Identifiers of the projects that the key may read; `undefined` for all. */
  readonly only: ReadonlySet<string> | undefined;
  /** Identifier of the project before the page; '' for none. */
  readonly after: string;
  /** Default: no limit. */
  readonly limit: number | undefined;
}

/** Projects between two turns of the event loop. */
const sliceLength = 1000;

/** A query for {@link Reader.search}; the value is `undefined` if the account is missing. */
export function* searchProjectPage<Row>(search: ProjectPageSearch<Row>): Generator<void, Versioned<ProjectPage<Row>>> {
  const { only, after, limit = Number.POSITIVE_INFINITY } = search;
  const { value: account, version } = search.account();
  if (account === undefined) return { value: undefined, version };
  const page: Row[] = [];
  let last: string | undefined;
  for (const project of projectsAfter(search.projects(account), only, after)) {
    if (page.length === limit) return { value: { page, last }, version };
    page.push(search.row(project));
    last = project.id;
    if (page.length % sliceLength > 0) continue;
    yield;
    // The list shows one version: after a change meanwhile, it is made again, in one turn.
    const now = search.account();
    if (now.value !== account || now.version !== version) return runToEnd(searchProjectPage(search));
  }
  return { value: { page, last: undefined }, version };
}
