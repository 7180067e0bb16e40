/** `GET /revisions`: which projects have changed last. */
import Type, { type Static } from 'typebox';
import { limitOf } from '../http/request/query.ts';
import type { Reply } from '../http/response/reply.ts';
import { runToEnd } from '../lib/async/run-to-end.ts';
import { findAccount, type Versioned } from '../store/find.ts';
import { projectsAfter } from '../store/list/views.ts';
import type { State } from '../store/state.ts';
import { type Query, replyTo } from './crud/conditional-read.ts';
import { projectAfter, projectCursor } from './crud/cursor.ts';
import { pageQuery } from './crud/list-query.ts';
import { nextAddress } from './crud/lists.ts';
import { pageHead, rows } from './crud/render.ts';
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

function list(api: Api, request: Request): Reply | Promise<Reply> {
  const { query, scope } = request;
  const after = projectAfter(query['cursor']);
  const limit = limitOf(query) ?? Number.POSITIVE_INFINITY;
  const all: Query<Page> = {
    version: (state) => findAccount(state, scope.accountId),
    search: (state) => search(state, scope, after, limit),
  };
  return replyTo(api, request, all, ({ page, next }, etag) => {
    const address = next === undefined ? undefined : nextAddress(api, request, undefined, projectCursor(next));
    return { kind: 'stream', ...pageHead(etag, address), stream: rows(page, (each) => each) };
  });
}

interface Page {
  readonly page: readonly Static<typeof RevisionSchema>[];
  /** The last project of the page, if others follow. */
  readonly next: string | undefined;
}

/** Projects between two turns of the event loop. */
const sliceLength = 1000;

function* search(state: State, scope: Request['scope'], after: string, limit: number): Generator<void, Versioned<Page>> {
  const { value: account, version } = findAccount(state, scope.accountId);
  if (account === undefined) return { value: undefined, version };
  const page: Static<typeof RevisionSchema>[] = [];
  for (const { id, version: revision } of projectsAfter(account.projects, scope.projects, after)) {
    if (page.length === limit) return { value: { page, next: page.at(-1)?.project_id }, version };
    page.push({ project_id: id, revision });
    if (page.length % sliceLength > 0) continue;
    yield;
    // The list shows one version: after a change meanwhile, it is made again, in one turn.
    const now = findAccount(state, scope.accountId);
    if (now.value !== account || now.version !== version) return runToEnd(search(state, scope, after, limit));
  }
  return { value: { page, next: undefined }, version };
}
