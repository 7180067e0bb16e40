/** `…/data-sources/:data_source_id/response`: the newest response of a data source, which is fetched or pushed. It is in memory only. */
import Type from 'typebox';
import { Problem, problems } from '../../http/problem.ts';
import type { BodyPieces } from '../../http/request/body-stream.ts';
import type { Reply } from '../../http/response/reply.ts';
import { paramOf } from '../../http/route.ts';
import { runCooperatively } from '../../lib/async/cooperative.ts';
import { parsingJson } from '../../lib/json/json.ts';
import type { SourceName } from '../../live/sources/live-sources.ts';
import type { SourceResponse } from '../../live/sources/response-store.ts';
import type { StoredSource } from '../../live/sources/source-request.ts';
import { findMember } from '../../store/find.ts';
import { type Api, endpoint, type Request } from '../declaration.ts';
import { liveOf, sourceOf } from './live-access.ts';

const path = '/projects/:project_id/data-sources/:data_source_id/response';
const tag = 'Live maps';

/** Why the newest fetch of a data source failed. */
export const problemSchema = Type.Union(
  [
    Type.Object(
      {
        code: Type.String({ description: 'Kind of the problem, for programs' }),
        detail: Type.String({ description: 'What is wrong, and what to do' }),
        pointer: Type.Optional(
          Type.String({
            description: 'The member of the data source that is wrong, such as `/headers/1/name`; absent after a request',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    Type.Null(),
  ],
  { description: 'Why the newest fetch failed; null if it did not. The last good response then stays in use' },
);

const ResponseSchema = Type.Object(
  {
    at: Type.String({ description: 'When it was fetched or pushed: RFC 3339, UTC, with milliseconds' }),
    status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'HTTP status; null for a push, and if the source did not answer',
    }),
    ms: Type.Integer({ minimum: 0, description: 'Duration of the fetch, in milliseconds; 0 for a push' }),
    bytes: Type.Integer({ minimum: 0, description: 'Size of the body after decompression, in bytes' }),
    pushed: Type.Boolean({ description: 'Whether a client pushed it' }),
    problem: problemSchema,
    body_at: Type.Union([Type.String(), Type.Null()], {
      description:
        'When `body` arrived, or was found unchanged: RFC 3339; null before the first. After a failure earlier than `at`',
    }),
    max_age: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description:
        'Seconds for which the source says that `body` may be used: `max-age` of its `Cache-Control`; null without it, and for a push',
    }),
    body: Type.Unknown({ description: 'The JSON; null if there was no good response yet' }),
  },
  { title: 'DataSourceResponse', description: 'The newest response of a data source.', additionalProperties: false },
);

const example = {
  ...{ at: '2026-11-24T09:30:00.000Z', status: 200, ms: 84, bytes: 23, pushed: false, problem: null },
  ...{ body_at: '2026-11-24T09:30:00.000Z', max_age: 60 },
  body: { totals: { taken: 61 } },
};

export const responseEndpoints = [
  endpoint({
    method: 'GET',
    path,
    id: 'getDataSourceResponse',
    tag,
    summary: 'Show the newest response of a data source',
    description: 'A 404 before the first one. Responses are in memory: a restart forgets them.',
    isUnversioned: true,
    response: ResponseSchema,
    example: () => ({ response: example }),
    handle: get,
  }),
  endpoint({
    method: 'POST',
    path,
    id: 'fetchDataSourceResponse',
    tag,
    summary: 'Fetch a data source now',
    description: 'The status is 200 also when the data source fails: `problem` then says what is wrong and what to do.',
    isUnversioned: true,
    response: ResponseSchema,
    example: () => ({ response: example }),
    handle: fetchNow,
  }),
  endpoint({
    method: 'PUT',
    path,
    id: 'pushDataSourceResponse',
    tag,
    summary: 'Push a response of a data source',
    description:
      'Any JSON, for data that the server cannot reach. It is used until the next push or fetch; a data source without `url` is never fetched.',
    body: Type.Unknown(),
    streamsBody: 'json',
    isUnversioned: true,
    response: undefined,
    example: () => ({ body: example.body }),
    handle: push,
  }),
  endpoint({
    method: 'DELETE',
    path,
    id: 'forgetDataSourceResponse',
    tag,
    summary: 'Forget the response of a data source',
    isUnversioned: true,
    response: undefined,
    handle: forget,
  }),
];

interface Found {
  readonly name: SourceName;
  readonly source: StoredSource;
}

async function find(api: Api, request: Request): Promise<Found> {
  const { accountId, projectId } = request.scope;
  const sourceId = paramOf(request, 'data_source_id');
  const collection = { accountId, projectId, collection: 'data_sources', parentId: '' } as const;
  const { value: found } = await api.engine.reader.read((state) => findMember(state, collection, sourceId));
  if (found === undefined) throw problems.notFound();
  return { name: { accountId, projectId, sourceId }, source: sourceOf(found.member) };
}

async function get(api: Api, request: Request): Promise<Reply> {
  const { sources } = liveOf(api, request);
  const { name, source } = await find(api, request);
  const newest = sources.newest(name, source);
  if (newest === undefined) throw noResponse();
  return show(newest);
}

async function fetchNow(api: Api, request: Request): Promise<Reply> {
  const { sources } = liveOf(api, request);
  const { name, source } = await find(api, request);
  return show(await sources.fetchNow(name, source));
}

async function push(api: Api, request: Request): Promise<Reply> {
  const { sources, responseBytesMax } = liveOf(api, request);
  const { name } = await find(api, request);
  const json = await readJson(request.pieces as BodyPieces, responseBytesMax);
  // It may have been deleted while the body arrived.
  await find(api, request);
  sources.push(name, json);
  return { kind: 'empty', status: 204 };
}

async function forget(api: Api, request: Request): Promise<Reply> {
  const { sources } = liveOf(api, request);
  const { name } = await find(api, request);
  if (!sources.forget(name)) throw noResponse();
  return { kind: 'empty', status: 204 };
}

function show({ body, ...response }: SourceResponse): Reply {
  const head = JSON.stringify(response).slice(0, -1);
  return { kind: 'json', status: 200, json: `${head},"body":${body ?? 'null'}}` };
}

const noResponse = () =>
  new Problem('not_found', 'This data source has no response yet. A POST of this path fetches one, a PUT pushes one.');

/** The text of a JSON document of any kind. Throws a 400 or 413 problem. */
async function readJson(pieces: BodyPieces, bytesMax: number): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes > bytesMax) {
      throw problems.payloadTooLarge(
        `A response may have ${bytesMax} bytes (--data-mb): send fewer or smaller items. The former response stays.`,
      );
    }
    parts.push(piece);
    pieces.holds(bytes);
  }
  const body = Buffer.concat(parts, bytes);
  const parsed = await runCooperatively(parsingJson(body));
  if (parsed.failure !== undefined)
    throw parsed.tooLarge ? problems.payloadTooLarge(parsed.failure) : problems.badRequest(parsed.failure);
  if (parsed.fieldErrors.length > 0) throw problems.validationFailed(parsed.fieldErrors);
  return body.toString('utf8');
}
