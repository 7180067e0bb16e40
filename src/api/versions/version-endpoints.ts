/** The versions of a project: keep a state, list, look at one, rename, delete, and restore. */
import Type from 'typebox';
import type { IdempotentRequest } from '../../engine/command.ts';
import type { VersionTurn } from '../../engine/version-turns.ts';
import { type Comparison, compare } from '../../engine/versions/compare.ts';
import { deleteVersions } from '../../engine/versions/delete-versions.ts';
import { restoreVersion } from '../../engine/versions/restore-version.ts';
import {
  filesOf,
  parseProject,
  parseVersion,
  readVersion,
  readVersionFile,
  type VersionContent,
} from '../../engine/versions/version-content.ts';
import { keepVersion } from '../../engine/versions/versions.ts';
import { problems } from '../../http/problem.ts';
import type { Reply } from '../../http/response/reply.ts';
import { paramOf } from '../../http/route.ts';
import { runCooperatively } from '../../lib/async/cooperative.ts';
import { BytePieces } from '../../lib/json/byte-pieces.ts';
import { type ListReplacements, replacingMembers } from '../../lib/json/json-member.ts';
import { checkShape, FieldErrorList, shapeOf } from '../../model/bodies/check-body.ts';
import { bytesOfFile } from '../../model/publication.ts';
import { projects, resourceOf, versions } from '../../model/resources.ts';
import type { Value } from '../../model/value.ts';
import { findMember } from '../../store/find.ts';
import { viewProject } from '../../store/list/views.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { actorOf } from '../authorize.ts';
import { crudEndpoints } from '../crud/crud-endpoints.ts';
import { conditional, preconditionOf } from '../crud/etag.ts';
import { memberHandlers, oneQuery, responseBuilder, succeeded } from '../crud/handlers.ts';
import { repeatable } from '../crud/idempotency-key.ts';
import { one, rows } from '../crud/render.ts';
import { type Api, type Declaration, endpoint, type Request } from '../declaration.ts';
import { fileHeaders, replyWithBytes } from '../files/file-bytes.ts';
import { projectAt, storedFilesOf } from '../files/file-endpoints.ts';
import { exampleOf } from '../openapi/resource-examples.ts';
import { withProblems, withReadProblems } from './version-problems.ts';

const path = '/projects/:project_id/versions';
const shape = shapeOf('version', versions.bodies.create);

const count = Type.Integer({ minimum: 0 });

const ComparisonSchema = Type.Object(
  {
    counts: Type.Object(
      { created: count, changed: count, deleted: count },
      { additionalProperties: false, description: 'Number of all differences' },
    ),
    changes: Type.Array(
      Type.Object(
        {
          kind: Type.String({ description: 'Kind of the resource: "artboard", "object", …' }),
          id: Type.String({ description: 'Identifier of the resource' }),
          name: Type.String({ description: 'Its name' }),
          change: Type.Enum(['created', 'changed', 'deleted'], { description: 'What happened to it' }),
          members: Type.Optional(
            Type.Record(
              Type.String(),
              Type.Object({ before: Type.Unknown(), after: Type.Unknown() }, { additionalProperties: false }),
              {
                description: 'Of a changed resource: the members that differ',
              },
            ),
          ),
        },
        { additionalProperties: false },
      ),
      { description: 'The differences' },
    ),
  },
  { title: 'Comparison', description: 'What differs between two states of a project.', additionalProperties: false },
);

const handlers = memberHandlers('versions', 'version_id');

/** Newest first, unless the query has another order. */
const list: Declaration['handle'] = (api, request) =>
  handlers.list(api, { ...request, query: { sort: '-created', ...request.query } });

export const versionEndpoints = [
  endpoint({
    method: 'POST',
    path,
    id: 'createVersion',
    tag: 'Versions',
    summary: 'Keep the present state',
    description:
      'Keeps the present state of the project, with its files, to go back to. Writes do not wait for it. An account may have 10,000 versions (`--account-versions-max`). A version contains the headers of data sources as they are.',
    query: oneQuery,
    body: versions.bodies.create,
    bodyIsOptional: true,
    response: versions.bodies.response,
    showsPeople: true,
    example: () => exampleOf(versions),
    handle: repeatable(keep),
  }),
  ...crudEndpoints(path, 'version_id', versions, { ...handlers, list })
    .filter(({ method, id }) => method !== 'POST' && id !== 'getVersion')
    .map((declared) => ({ ...declared, showsPeople: true })),
  endpoint({
    method: 'DELETE',
    path,
    id: 'deleteVersions',
    tag: 'Versions',
    summary: 'Delete all versions',
    description:
      'Deletes all versions of the project, of every kind, in one change: after a secret in the headers of a data source became known, for example. The published map stays.',
    response: undefined,
    handle: removeAll,
  }),
  endpoint({
    method: 'GET',
    path: `${path}/:version_id`,
    id: 'getVersion',
    tag: 'Versions',
    summary: 'Get a project as it was',
    description:
      'The project as it was, in the form of `GET /projects/:project_id`. A key for reading gets it without the headers of data sources.',
    response: projects.bodies.response,
    example: () => ({ response: exampleOf(projects).response }),
    handle: show,
  }),
  endpoint({
    method: 'GET',
    path: `${path}/:version_id/files/:file_id`,
    id: 'getVersionFile',
    tag: 'Versions',
    summary: 'Get the bytes of a file of a version',
    description:
      'The bytes that a file of the project had, also when it is deleted since. `/f/...`, its own address, answers 404 then.',
    responseType: 'image/*',
    hasRanges: true,
    response: Type.String({ format: 'binary', description: 'The bytes of the picture' }),
    handle: showFile,
  }),
  endpoint({
    method: 'GET',
    path: `${path}/:version_id/changes`,
    id: 'compareVersion',
    tag: 'Versions',
    summary: 'Compare a version',
    description:
      'What differs from the version to another one, or to the project as it is: resources that were created, changed and deleted. At most 10,000 are listed; all are counted.',
    query: { against: Type.String({ description: 'Identifier of the other version, or "now". Default: "now"' }) },
    response: ComparisonSchema,
    isUnversioned: true,
    handle: changes,
  }),
  endpoint({
    method: 'POST',
    path: `${path}/:version_id/restore`,
    id: 'restoreVersion',
    tag: 'Versions',
    summary: 'Restore a version',
    description:
      'Brings the project back to the state of the version, in one change: identifiers, files and their addresses included. The state before becomes a version first (`kind` "before-restore").',
    query: oneQuery,
    response: projects.bodies.response,
    handle: repeatable(restore),
  }),
];

/** Compares the version with another one, or with the present state. */
async function changes(api: Api, request: Request): Promise<Reply> {
  const { against = 'now' } = request.query;
  const { blobs } = storedFilesOf(api);
  return await inTurn(api, request, async (turn) => {
    const before = await parseVersion(turn, blobs, await versionAt(api, request, paramOf(request, 'version_id')));
    const after =
      against === 'now'
        ? await presentContent(turn, api, request)
        : await parseVersion(turn, blobs, await versionAt(api, request, against));
    const found = await runCooperatively(compare(before, after));
    // Only its JSON waits for the client: the differences refer to both contents.
    const json = await runCooperatively(BytePieces.of(comparisonJson(request.scope.readOnly ? withoutHeaders(found) : found)));
    return { kind: 'stream', status: 200, stream: json, held: json };
  });
}

/** Does work that reads versions, when it is the turn of its account. */
const inTurn = <T>(api: Api, { scope: { accountId } }: Request, work: (turn: VersionTurn<'reading'>) => Promise<T>): Promise<T> =>
  withProblems(api, () => api.engine.versionTurns.run('reading', accountId, work));

async function versionAt(api: Api, { scope: { accountId, projectId } }: Request, id: string): Promise<Value> {
  const at = { accountId, projectId, collection: 'versions', parentId: '' } as const;
  const { value: found } = await api.engine.reader.read((state) => findMember(state, at, id));
  if (found === undefined) throw problems.notFound();
  return found.member.value;
}

async function presentContent(turn: VersionTurn<'reading'>, api: Api, request: Request): Promise<VersionContent> {
  const project = await projectAt(api, request);
  if (project === undefined) throw problems.notFound();
  const files = filesOf(project);
  const json = await runCooperatively(BytePieces.of(jsonOf(api)(project)));
  return { project: await parseProject(turn, json), files };
}

/** A key for reading sees that secret members differ, and not how. */
const withoutHeaders = (found: Comparison): Comparison => ({
  ...found,
  changes: found.changes.map((change) => {
    const hidden = (secretsOfKind.get(change.kind) ?? []).filter(({ name }) => change.members?.[name] !== undefined);
    if (hidden.length === 0) return change;
    const members = hidden.map(({ name, fallback }) => [name, { before: fallback, after: fallback }]);
    return { ...change, members: { ...change.members, ...Object.fromEntries(members) } };
  }),
});

const secretsOfKind = new Map([projects, ...Object.values(resourceOf)].map(({ kind, secrets }) => [kind, secrets]));

function* comparisonJson({ counts, changes: found }: Comparison): Generator<string | Buffer, void> {
  yield `{"counts":${JSON.stringify(counts)},"changes":`;
  yield* rows(found, (each) => each);
  yield '}';
}

/** The whole JSON of a project as it is when this is called, to keep or to compare. */
export const jsonOf =
  ({ cache }: Pick<Api, 'cache'>) =>
  (project: StoredProject): Iterable<string | Buffer> => {
    const view = viewProject(project, undefined);
    return one(view, undefined, cache.whole);
  };

async function keep(api: Api, request: Request, once: IdempotentRequest | undefined): Promise<Reply> {
  if ((await projectAt(api, request)) === undefined) throw problems.notFound();
  const fieldErrors = new FieldErrorList(request.fieldErrors);
  checkShape(shape, request.body, '', fieldErrors);
  if (fieldErrors.size > 0) throw problems.validationFailed(fieldErrors.toArray());
  const { name = '' } = request.body as { readonly name?: string };
  const { accountId, projectId } = request.scope;
  const by = actorOf(request.scope);
  const precondition = preconditionOf(request, api);
  const given = { accountId, projectId, name, kind: 'named', by, json: jsonOf(api), precondition } as const;
  return succeeded(await keepVersion(api.engine, storedFilesOf(api), given, responseBuilder(api, request, versions, once)));
}

async function removeAll(api: Api, request: Request): Promise<Reply> {
  const { accountId, projectId } = request.scope;
  const by = actorOf(request.scope);
  succeeded(await deleteVersions(api.engine, { accountId, projectId, by, precondition: preconditionOf(request, api) }));
  return { kind: 'empty', status: 204 };
}

async function restore(api: Api, request: Request, once: IdempotentRequest | undefined): Promise<Reply> {
  const { accountId, projectId } = request.scope;
  const by = actorOf(request.scope);
  const given = {
    ...{ accountId, projectId, by, versionId: paramOf(request, 'version_id') },
    ...{ precondition: preconditionOf(request, api), json: jsonOf(api) },
  };
  return await withProblems(api, async () =>
    succeeded(await restoreVersion(api.engine, storedFilesOf(api), given, responseBuilder(api, request, projects, once))),
  );
}

async function show(api: Api, request: Request): Promise<Reply> {
  const { readOnly } = request.scope;
  const version = await versionAt(api, request, paramOf(request, 'version_id'));
  const etag = readOnly ? `"${version['digest']}-read"` : `"${version['digest']}"`;
  return await conditional(request, etag, {}, async (): Promise<Reply> => {
    const json = await inTurn(api, request, (turn) => jsonOfVersion(turn, api, version, readOnly));
    return { kind: 'stream', status: 200, etag, stream: json, held: json };
  });
}

async function showFile(api: Api, request: Request): Promise<Reply> {
  const version = await versionAt(api, request, paramOf(request, 'version_id'));
  const { blobs } = storedFilesOf(api);
  const id = paramOf(request, 'file_id');
  const file = await withReadProblems(api, () =>
    api.engine.versionTurns.run('listing', request.scope.accountId, (turn) => readVersionFile(turn, blobs, version, id)),
  );
  if (file === undefined) throw problems.notFound();
  return await replyWithBytes(api, request, { accountId: request.scope.accountId, ...bytesOfFile(file) }, fileHeaders);
}

/** The project of a version. A key for reading gets no headers of data sources, which may be secret. */
async function jsonOfVersion(turn: VersionTurn<'reading'>, api: Api, version: Value, readOnly: boolean): Promise<BytePieces> {
  const { project } = await readVersion(turn, storedFilesOf(api).blobs, version);
  return readOnly ? await runCooperatively(replacingMembers(project, secretsHidden)) : project;
}

/** What a key for reading sees of secret members, by collection and member. */
const secretsHidden: ListReplacements = new Map(
  projects.collections
    .filter(({ resource }) => resource.secrets.length > 0)
    .map(({ name, resource }) => [
      name,
      new Map(resource.secrets.map((secret) => [secret.name, JSON.stringify(secret.fallback)] as const)),
    ]),
);
