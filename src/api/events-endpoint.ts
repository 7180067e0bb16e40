/**
 * The change feed: `GET /events` sends the durable changes of the account, `GET /projects/:project_id/events` those of one project. See
 * engine/feed/event-encoder.ts for the format of events.
 */
import Type from 'typebox';
import { eventKinds } from '../engine/feed/event-encoder.ts';
import { problems } from '../http/problem.ts';
import type { Reply } from '../http/response/reply.ts';
import { findAccount, findProject } from '../store/find.ts';
import type { State } from '../store/state.ts';
import { type Api, endpoint, type Request } from './declaration.ts';

const eventsQuery = {
  after: Type.String({ description: 'The id of the last event that was received, or an ETag without its quotation marks' }),
};

const EventSchema = Type.Object(
  {
    kind: Type.Enum([...eventKinds], { description: 'Kind of the changed resource' }),
    id: Type.Optional(Type.String({ description: 'Identifier of the resource; absent when a collection was reordered' })),
    project_id: Type.String({ description: 'Identifier of the project' }),
    artboard_id: Type.Optional(Type.String({ description: 'Artboard of the object' })),
    from_artboard_id: Type.Optional(Type.String({ description: 'Former artboard of an object that was moved' })),
    before: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'The member that one comes before that was placed or moved; null for the last place',
      }),
    ),
    version: Type.String({ description: 'Version of the project after the change: its ETag without quotation marks' }),
    resource: Type.Optional(
      Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
        description: 'The resource after the change, without its collections; null if it was deleted',
      }),
    ),
    ids: Type.Optional(Type.Array(Type.String(), { description: 'All identifiers of a reordered collection, in the new order' })),
    by: Type.Optional(Type.String({ description: 'Identifier of the person who made the change; absent for a program' })),
  },
  { title: 'Event', additionalProperties: false, description: 'The data of one event' },
);

const description = `A stream of events (\`text/event-stream\`), one for each durable change, in the order of the changes. The name of an event has
its kind and its action: \`object.updated\`, \`popup.deleted\`, \`artboard.reordered\`. The last event of a change has an \`id\`. A client that
reconnects with it (\`Last-Event-ID\`, or \`?after=\`) continues after that change, without gaps or duplicates. Without one, the stream starts
with the next change. \`reset\` means that the log does not reach back so far: read everything again, and continue from its \`id\`.`;

export const eventsEndpoints = [
  endpoint({
    method: 'GET',
    path: '/events',
    id: 'followEvents',
    tag: 'Events',
    summary: 'Follow the changes of all projects',
    description,
    query: eventsQuery,
    response: EventSchema,
    isStream: true,
    handle: (api, request) => follow(api, request, undefined),
  }),
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/events',
    id: 'followProjectEvents',
    tag: 'Events',
    summary: 'Follow the changes of a project',
    description,
    query: eventsQuery,
    response: EventSchema,
    isStream: true,
    handle: (api, request) => follow(api, request, request.scope.projectId),
  }),
];

function follow(api: Api, request: Request, projectId: string | undefined): Reply | Promise<Reply> {
  const { accountId, projects, keyId, readOnly } = request.scope;
  const after = placeIn(api, request);
  const reply = (isThere: boolean): Reply => {
    if (!isThere) throw problems.notFound();
    return {
      kind: 'events',
      status: 200,
      events: (stream) => api.engine.feed.subscribe({ accountId, projectId, projects, keyId, readOnly }, after, stream),
    };
  };
  const find = (state: State) =>
    projectId === undefined ? findAccount(state, accountId) : findProject(state, accountId, projectId);
  const seen = api.engine.reader.read<object>(find);
  return seen instanceof Promise ? seen.then(({ value }) => reply(value !== undefined)) : reply(seen.value !== undefined);
}

/**
 * The position after which the stream starts. The header takes precedence over the parameter: a reconnecting browser repeats the URL, and
 * sends the last id in the header.
 */
function placeIn({ engine }: Api, { headers, query }: Request): number | 'elsewhere' | undefined {
  const header = headers['last-event-id'];
  const name = header === undefined || header === '' ? query['after'] : String(header);
  if (name === undefined) return undefined;
  const lsn = engine.versions.lsnOf(name);
  if (lsn === undefined) {
    const mustBe = 'must be the id of an event, unchanged, or an ETag without its quotation marks.';
    throw name === query['after']
      ? problems.badParameter('after', `The query parameter "after" ${mustBe}`)
      : problems.badHeader('Last-Event-ID', `The header Last-Event-ID ${mustBe}`);
  }
  return lsn;
}
