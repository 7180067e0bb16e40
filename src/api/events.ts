/**
 * The change feed: `GET /events` tells what becomes durable in the account, `GET /projects/:project_id/events` in one project. What an event
 * looks like is said in engine/told.ts.
 */
import Type from 'typebox';
import { lsnNamed } from '../engine/version.ts';
import { problems } from '../http/problem.ts';
import type { Reply } from '../http/reply.ts';
import { findAccount, findProject } from '../store/queries.ts';
import type { State } from '../store/state.ts';
import { type Api, endpoint, type Request } from './endpoint.ts';
import { projectIn } from './handlers.ts';

const eventsQuery = {
  after: Type.String({ description: 'The id of the last event that is known, or an ETag without its quotation marks' }),
};

const EventSchema = Type.Object(
  {
    kind: Type.String(),
    id: Type.Optional(Type.String()),
    project_id: Type.String(),
    artboard_id: Type.Optional(Type.String()),
    version: Type.String(),
    resource: Type.Optional(Type.Union([Type.Object({}), Type.Null()])),
    ids: Type.Optional(Type.Array(Type.String())),
  },
  { description: 'The data of one event of text/event-stream' },
);

export const eventsEndpoints = [
  endpoint({
    method: 'GET',
    path: '/events',
    summary: 'Follow the changes of all projects',
    query: eventsQuery,
    answer: EventSchema,
    handle: (api, request) => follow(api, request, undefined),
  }),
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/events',
    summary: 'Follow the changes of a project',
    query: eventsQuery,
    answer: EventSchema,
    handle: (api, request) => follow(api, request, projectIn(request)),
  }),
];

function follow(api: Api, request: Request, projectId: string | undefined): Reply | Promise<Reply> {
  const { accountId, projects, keyId } = request.principal;
  const after = placeIn(api, request);
  const reply = (isThere: boolean): Reply => {
    if (!isThere) throw problems.notFound();
    return { status: 200, events: (stream) => api.engine.feed.follow({ accountId, projectId, projects, keyId }, after, stream) };
  };
  const find = (state: State) =>
    projectId === undefined ? findAccount(state, accountId) : findProject(state, accountId, projectId);
  const seen = api.engine.read<object>(find);
  return seen instanceof Promise ? seen.then(({ value }) => reply(value !== undefined)) : reply(seen.value !== undefined);
}

/**
 * Where a client goes on from. Of a header and a parameter the header counts: a browser that comes again repeats the address it was given,
 * and says in the header what it has seen since.
 */
function placeIn({ engine }: Api, { headers, query }: Request): number | 'elsewhere' | undefined {
  const header = headers['last-event-id'];
  const name = header === undefined || header === '' ? query['after'] : String(header);
  if (name === undefined) return undefined;
  const lsn = lsnNamed(name, engine.journal.lineage);
  if (lsn === undefined) {
    const where = name === query['after'] ? 'query parameter "after"' : 'header Last-Event-ID';
    throw problems.badRequest(`The ${where} must be the id of an event as it was sent, or an ETag without its quotation marks.`);
  }
  return lsn;
}
