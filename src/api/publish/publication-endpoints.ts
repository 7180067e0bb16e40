/**
 * `/projects/:project_id/publication`: makes a project public, shows its public address, makes it private again. `/publications` lists what
 * is public.
 */
import Type, { type Static } from 'typebox';
import { changedSince } from '../../engine/projects/changed-since.ts';
import {
  findPublished,
  type ListedPublished,
  type Published,
  publicationsVersion,
  searchPublications,
} from '../../engine/projects/find-publications.ts';
import { publishProject, unpublishProject } from '../../engine/projects/publish-project.ts';
import { MapTooLargeError } from '../../engine/projects/store-map.ts';
import { keepPublished } from '../../engine/versions/published-version.ts';
import { type Captured, capture } from '../../engine/versions/versions.ts';
import { NameTakenError, TooManyNamesError } from '../../engine/write/map-names.ts';
import { validateOrigins } from '../../http/guard/cors.ts';
import { Problem, problems } from '../../http/problem.ts';
import { fieldsOf, limitOf } from '../../http/request/query.ts';
import type { Reply } from '../../http/response/reply.ts';
import { checkShape, FieldErrorList, shapeOf } from '../../model/bodies/check-body.ts';
import { anyOrigin, isRefresh, refreshOf, refreshRange } from '../../model/publication.ts';
import { isPublicName, nameRule, namesMax } from '../../model/references/public-name.ts';
import type { Body } from '../../model/value.ts';
import { findProject } from '../../store/find.ts';
import type { ProjectPage } from '../../store/list/project-page.ts';
import { newestVersion } from '../../store/stored-publication.ts';
import { actorOf } from '../authorize.ts';
import { type Query, replyTo } from '../crud/conditional-read.ts';
import { projectAfter } from '../crud/cursor.ts';
import { conditional, etagOfContent, etagWritten, evaluatePreconditions, preconditionOf } from '../crud/etag.ts';
import { succeeded } from '../crud/handlers.ts';
import { pageQuery } from '../crud/list-query.ts';
import { showProjectPage } from '../crud/lists.ts';
import { prefersMinimal, replyMinimal } from '../crud/preference.ts';
import { type Api, endpoint, type Request } from '../declaration.ts';
import { storedFilesOf } from '../files/file-endpoints.ts';
import { exampleIds } from '../openapi/resource-examples.ts';
import { jsonOf } from '../versions/version-endpoints.ts';
import { pictureName } from './page-replies.ts';
import { publicMap, publicView } from './public-view.ts';
import { publishedRules } from './published-rules.ts';
import { slugsShown } from './slugs-shown.ts';

const originsMax = 50;
const originLengthMax = 300;

const PublishingSchema = Type.Object(
  {
    origins: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: originsMax,
        description:
          'Origins whose pages may show the map in a frame, such as `https://www.example.com`; `*` alone for any; none for an empty list. Default: those of the publication, at first any',
      }),
    ),
    refresh: Type.Optional(
      Type.Integer({
        ...{ minimum: refreshRange.ofStillMap, maximum: refreshRange.most },
        description: `Seconds between two evaluations of a live map, at least ${refreshRange.least}; 0 for a still map. Default: that of the publication, at first ${refreshRange.ofLiveMap} if the project has actions, else 0`,
      }),
    ),
    name: Type.Optional(
      Type.String({
        description: `A readable address of the map, \`/p/NAME\`, next to that with its slug: ${nameRule}; \`""\` gives it up, which then stays the account's for a year. Unique on the server: a 409 if it is taken. Default: that of the publication, at first none`,
      }),
    ),
  },
  { title: 'Publishing', description: 'How a project becomes public.', additionalProperties: false },
);

const publishingShape = shapeOf('publishing', PublishingSchema);

const slug = Type.String({ description: 'Last part of the public address. It stays until the project is unpublished' });
const name = Type.String({ description: 'The readable last part of the public address, which works, too; `""` for none' });
const version = Type.Integer({ minimum: 1, description: 'Number of the published version, from 1' });
const published = Type.String({ description: 'When it was published: RFC 3339, UTC, with milliseconds' });
const bytes = Type.Integer({ minimum: 0, description: 'Size of the compressed map, in bytes' });
const stale = Type.Boolean({ description: 'Whether the project has changed since' });
const changed = Type.Boolean({
  description:
    'Whether publishing now would change what is public: `false` if only private members have changed since, or if the change was undone',
});
const refresh = Type.Integer({ minimum: 0, description: 'Seconds between two evaluations of a live map; 0 for a still map' });

export const PublicationSchema = Type.Object(
  {
    slug,
    name,
    url: Type.String({
      description:
        'Public address of the map, with its name if it has one; only its path, if the server does not know its public URL',
    }),
    ...{ version, published, bytes, stale, changed },
    origins: Type.Array(Type.String(), { description: 'Origins whose pages may show the map in a frame; `*` alone for any' }),
    refresh,
    picture: Type.Union([Type.String(), Type.Null()], {
      description: 'Public address of the picture that programs show with a link to the map; `null` for none',
    }),
  },
  { title: 'Publication', description: 'The public copy of a project.', additionalProperties: false },
);

/** Query of each endpoint that shows a publication. */
export const publicationQuery = {
  fields: Type.String({ description: 'Members to return, separated by commas. Required members only if named' }),
};

const publicationMembers = Object.keys(PublicationSchema.properties);

/** The members of the publication to return; `undefined` for all. Throws a 400 problem for unknown members. */
export const publicationFieldsOf = ({ query }: Request) => fieldsOf(query, publicationMembers);

const ListedPublicationSchema = Type.Object(
  {
    project_id: Type.String({ description: 'Identifier of the project' }),
    slug,
    name,
    version,
    published,
    bytes,
    stale,
    refresh,
  },
  { title: 'ListedPublication', description: 'A publication in the list of all publications.', additionalProperties: false },
);

export const publicationPath = '/projects/:project_id/publication';
const path = publicationPath;
const tag = 'Publications';

export const publicationExample = {
  slug: '03v8k2m9q4x7n5d1r6t0w8y3z5b',
  name: 'lindenhof',
  url: 'https://maps.example.com/p/lindenhof',
  ...{ version: 2, published: '2026-11-23T09:30:00.000Z', bytes: 18_432, stale: false },
  ...{ changed: false, origins: ['https://www.example.com'], refresh: 60, picture: null },
};

const { url: _, origins: __, changed: ___, picture: ____, ...listedExample } = publicationExample;

export const publicationEndpoints = [
  endpoint({
    method: 'GET',
    path: '/publications',
    id: 'listPublications',
    tag,
    summary: 'List the publications of all projects',
    description:
      'The publications of the projects that the key may read, sorted by `project_id`. Empty on a server that runs with `--no-publish`.',
    query: {
      ...pageQuery,
      project_id: Type.String({ description: 'Return only the publication of this project, if it is public' }),
    },
    response: Type.Array(ListedPublicationSchema),
    example: () => ({ response: [{ project_id: exampleIds.account, ...listedExample }] }),
    handle: list,
  }),
  endpoint({
    method: 'GET',
    path,
    id: 'getPublication',
    tag,
    summary: 'Show the public address of a project',
    description: 'A 404 if the project is not public.',
    query: publicationQuery,
    response: PublicationSchema,
    example: () => ({ response: publicationExample }),
    handle: get,
  }),
  endpoint({
    method: 'PUT',
    right: 'publish',
    path,
    id: 'publishProject',
    tag,
    summary: 'Make a project public',
    description:
      'Publishes a copy of the current version, without account, thumbnail, data sources, variables, actions, settings other than `max_bounds`, `legend`, `labels` and `public_map`, the `key` of objects, and the `properties` of objects that no field in `settings.public_map` names. A live map keeps a copy of data sources, variables and actions on the server, with the keys and properties of objects that actions match by, and its evaluation uses only this copy. Later changes of the project are not public until it is published again; without a change, nothing is published and the response is the same. A map may have 64 MiB of JSON, and 32 MiB compressed; a larger one is a 413. A change of the name alone is no new version.',
    query: publicationQuery,
    body: PublishingSchema,
    bodyIsOptional: true,
    mayConflict: true,
    response: PublicationSchema,
    example: () => ({
      body: { origins: publicationExample.origins, name: publicationExample.name },
      response: publicationExample,
    }),
    handle: publish,
  }),
  endpoint({
    method: 'GET',
    path: `${path}/draft`,
    id: 'getPublicationDraft',
    tag,
    summary: 'Show what publishing would make public',
    description:
      'The map of the current version, as a PUT would publish it: the JSON that visitors would load. Nothing is published.',
    response: Type.Object({}, { additionalProperties: true, description: 'The public members of the project, and `icons`' }),
    handle: draft,
  }),
  endpoint({
    method: 'DELETE',
    right: 'publish',
    path,
    id: 'unpublishProject',
    tag,
    summary: 'Make a project private again',
    description:
      "Its public address does not work any more. Publishing it again gives it another address. Its name stays the account's for a year.",
    response: undefined,
    handle: unpublish,
  }),
];

async function get(api: Api, request: Request): Promise<Reply> {
  const { scope } = request;
  const fields = publicationFieldsOf(request);
  const { value } = await api.engine.reader.read((state) => {
    const { value: found, version } = findPublished(state, scope);
    return { value: found && { reply: found.published && showPublication(api, request, found.published, fields) }, version };
  });
  if (value === undefined) throw problems.notFound();
  const shown = await value.reply;
  if (shown === undefined) throw notPublished();
  return evaluatePreconditions(request.headers, shown.etag as string) ?? shown;
}

function list(api: Api, request: Request): Reply | Promise<Reply> {
  const { query, scope } = request;
  const { accountId } = scope;
  const after = projectAfter(query['cursor']);
  const limit = limitOf(query);
  if (api.publishing === undefined) return conditional(request, etagOfContent('[]'), {}, () => emptyList);
  const only = narrowed(scope.projects, query['project_id']);
  const all: Query<ProjectPage<ListedPublished>> = {
    version: (state) => publicationsVersion(state, accountId),
    search: (state) => searchPublications(state, accountId, only, after, limit),
  };
  return replyTo(api, request, all, (found, etag) => showProjectPage(api, request, found, etag, listed));
}

const emptyList: Reply = { kind: 'json', status: 200, etag: etagOfContent('[]'), json: '[]' };
const nothing: ReadonlySet<string> = new Set();

/** The projects to list: those that the key may read, and of these only one, if it is named. */
export function narrowed(readable: ReadonlySet<string> | undefined, id: string | undefined): ReadonlySet<string> | undefined {
  if (id === undefined) return readable;
  return readable?.has(id) === false ? nothing : new Set([id]);
}

function listed({ projectId, name, publication, stale }: ListedPublished): Static<typeof ListedPublicationSchema> {
  const { version, published, bytes } = newestVersion(publication);
  return {
    project_id: projectId,
    slug: publication.slug,
    name,
    version,
    published,
    bytes,
    stale,
    refresh: refreshOf(publication),
  };
}

async function publish(api: Api, request: Request): Promise<Reply> {
  const { scope, body } = request;
  const fields = publicationFieldsOf(request);
  const fieldErrors = new FieldErrorList(request.fieldErrors);
  const { origins, refresh, name } = settingsIn(body, fieldErrors);
  if (fieldErrors.size > 0) throw problems.validationFailed(fieldErrors.toArray());
  const { publishing } = api;
  if (publishing === undefined) throw disabled('forbidden');
  const stored = storedFilesOf(api);
  const { engine } = api;
  let begun: { readonly captured: Captured; readonly version: number | undefined } | undefined;
  try {
    const outcome = await publishProject(engine, {
      ...{ accountId: scope.accountId, projectId: scope.projectId, by: actorOf(scope), origins, refresh },
      ...{ naming: name === undefined ? undefined : { name, registry: publishing.names }, shard: publishing.shard },
      allows: allowedBy(api, request),
      json: (project) => {
        const version = project.publication && newestVersion(project.publication).version;
        if (engine.automaticVersions !== undefined)
          begun = { captured: capture(project, jsonOf(api), engine.writer.context().now), version };
        return publicMap(api, project);
      },
      shows: (project) => slugsShown(publicView(project), api.publicUrl),
      rules: (project) => publishedRules(api, project),
      page: (map) => publishing.pages.of(scope.accountId, map),
    });
    const published = succeeded(outcome);
    // An equal map is no new version of what is public.
    if (begun !== undefined && begun.version !== newestVersion(published.publication).version)
      await keepPublished(engine, stored, begun.captured, actorOf(scope));
    return await showPublication(api, request, published, fields);
  } catch (error) {
    throw publishingProblem(error);
  }
}

function draft(api: Api, request: Request): Reply | Promise<Reply> {
  const { accountId, projectId } = request.scope;
  const query: Query<Iterable<string | Buffer>> = {
    version: (state) => findProject(state, accountId, projectId),
    find: (state) => {
      const { value: project, version } = findProject(state, accountId, projectId);
      return { value: project && publicMap(api, project), version };
    },
  };
  return replyTo(api, request, query, (stream, etag) => ({ kind: 'stream', status: 200, etag, stream }));
}

async function unpublish(api: Api, request: Request): Promise<Reply> {
  const { accountId, projectId } = request.scope;
  const outcome = await unpublishProject(api.engine, {
    ...{ accountId, projectId, by: actorOf(request.scope), allows: allowedBy(api, request) },
  });
  if (outcome.outcome === 'missing' && findProject(api.engine.state, accountId, projectId).value !== undefined)
    throw notPublished();
  succeeded(outcome);
  return { kind: 'empty', status: 204 };
}

/** The precondition of a write. A project that is not public has no version: no `If-Match` allows it, and every `If-None-Match` does. */
export function allowedBy(api: Api, request: Request): (version: number | undefined) => boolean {
  const precondition = preconditionOf(request, api);
  return (version) =>
    version === undefined ? request.headers['if-match'] === undefined : precondition === undefined || precondition(version);
}

function settingsIn(body: Body, fieldErrors: FieldErrorList): Static<typeof PublishingSchema> {
  if (!checkShape(publishingShape, body, '', fieldErrors)) return {};
  const { origins, refresh, name } = body as Static<typeof PublishingSchema>;
  if (name !== undefined && name !== '' && !isPublicName(name)) fieldErrors.add('/name', `must have ${nameRule}, or be empty`);
  if (refresh !== undefined && !isRefresh(refresh))
    fieldErrors.add('/refresh', `must be 0 for a still map, or ${refreshRange.least} to ${refreshRange.most} seconds`);
  for (const [i, origin] of (origins ?? []).entries()) {
    const problem =
      origin.length > originLengthMax
        ? `must have at most ${originLengthMax} characters`
        : (validateOrigins([origin]) ??
          (origin === anyOrigin || /^https?:/.test(origin) ? undefined : 'must begin with https:// or http://'));
    if (problem !== undefined) fieldErrors.add(`/origins/${i}`, problem);
  }
  if (origins !== undefined && origins.length > 1 && origins.includes(anyOrigin))
    fieldErrors.add('/origins', '"*" allows all origins: remove either "*" or the other origins');
  return { ...(origins && { origins }), ...(refresh !== undefined && { refresh }), ...(name !== undefined && { name }) };
}

/**
 * The response about a publication. Captures the version of the project when it is called.
 *
 * @param fields members to return; `undefined` for all
 */
export async function showPublication(
  api: Api,
  request: Request,
  { publication, name, project, stale }: Published,
  fields: readonly string[] | undefined,
): Promise<Reply> {
  const { slug, origins, lsn } = publication;
  const { version, published, bytes, picture } = newestVersion(publication);
  const tag = etagWritten(api, request, lsn);
  const changed = await changedSince(publication, project.version, () => ({
    json: publicMap(api, project),
    rules: publishedRules(api, project),
  }));
  const etag = stale ? `${tag.slice(0, -1)}-${changed ? 'changed' : 'stale'}"` : tag;
  if (request.method === 'PUT' && prefersMinimal(request)) return replyMinimal(api, request, etag);
  const root = `${api.publicUrl}/p`;
  const refresh = refreshOf(publication);
  const shown: Static<typeof PublicationSchema> = {
    ...{ slug, name, url: `${root}/${name || slug}`, version, published, bytes, stale, changed, refresh },
    origins: [...origins],
    // A name can be given up: what is shown elsewhere stays at the slug.
    picture: picture === undefined ? null : `${root}/${slug}/${pictureName(picture.digest)}`,
  };
  return { kind: 'json', status: 200, etag, json: JSON.stringify(shown, fields && [...fields]) };
}

/** The publication that a request is about. Throws the problem of a project that is missing or not public. */
export async function publishedOf({ engine }: Api, { scope }: Request): Promise<Published> {
  const { value } = await engine.reader.read((state) => findPublished(state, scope));
  if (value === undefined) throw problems.notFound();
  if (value.published === undefined) throw notPublished();
  return value.published;
}

/** The problem of a project without a publication. */
export const notPublished = () => new Problem('not_found', 'This project is not public. A PUT of this path publishes it.');

/** The problem where publishing is disabled. */
export const disabled = (code: 'forbidden' | 'not_found') =>
  new Problem(code, 'Publishing is disabled on this server: its operator has set --no-publish.');

function publishingProblem(error: unknown): unknown {
  if (error instanceof NameTakenError)
    return problems.conflict('This name is taken: nothing was changed. Choose another one.', [
      { pointer: '/name', detail: 'is taken' },
    ]);
  if (error instanceof TooManyNamesError)
    return new Problem(
      'quota_exceeded',
      `Your account has ${namesMax} names of maps, which is the limit: nothing was changed. Names count for a year after they were given up. Choose one of these, or publish without a new name.`,
      { reason: 'quota_names' },
    );
  return error instanceof MapTooLargeError ? tooLarge(error) : error;
}

const tooLarge = ({ message, advice }: MapTooLargeError) =>
  problems.payloadTooLarge(`${message}, which is the limit of a publication: nothing was published. ${advice}`);
