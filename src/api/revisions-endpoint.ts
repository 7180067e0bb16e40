/** `GET /revisions`: which projects have changed last. */
import Type, { type Static } from 'typebox';
import { limitOf } from '../http/request/query.ts';
import type { Reply } from '../http/response/reply.ts';
import { findAccount } from '../store/find.ts';
import { type ProjectPage, searchProjectPage } from '../store/list/project-page.ts';
import type { State } from '../store/state.ts';
import { type Query, replyTo } from './crud/conditional-read.ts';
import { projectAfter } from './crud/cursor.ts';
import { pageQuery } from './crud/list-query.ts';
import { showProjectPage } from './crud/lists.ts';
import { type Api, endpoint, type Request } from './declaration.ts';
import { exampleIds } from './openapi/resource-examples.ts';

const RevisionSchema = Type.Object(
  {
    project_id: Type.String({ description: 'Identifier of the project' }),
    revision: Type.Integer({ minimum: 0, description: 'Grows with each change of the project' }),
  },
  { title: 'Revision', description: 'How new a project is.', additionalProperties: false },
);

export const revisionEndpoints = [
  endpoint({
    method: 'GET',
    path: '/revisions',
    id: 'listRevisions',
    tag: 'Projects',
    summary: 'List the revisions of all projects',
    description:
      'The revisions of the projects that the key may read, sorted by `project_id`. Of two projects, the one with the greater revision has changed last.',
    query: pageQuery,
    response: Type.Array(RevisionSchema),
    example: () => ({ response: [{ project_id: exampleIds.Project, revision: 812 }] }),
    handle: list,
  }),
];

type Revision = Static<typeof RevisionSchema>;

function list(api: Api, request: Request): Reply | Promise<Reply> {
  const { query, scope } = request;
  const version = (state: State) => findAccount(state, scope.accountId);
  const pageOf = { only: scope.projects, after: projectAfter(query['cursor']), limit: limitOf(query) };
  const all: Query<ProjectPage<Revision>> = {
    version,
    search: (state) =>
      searchProjectPage({
        account: () => version(state),
        projects: ({ projects }) => projects,
        row: (project) => ({ project_id: project.id, revision: project.version }),
        ...pageOf,
      }),
  };
  return replyTo(api, request, all, (found, etag) => showProjectPage(api, request, found, etag, (revision) => revision));
}
