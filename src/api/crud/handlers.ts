/**
 * Handlers of the five operations that every resource has. A handler translates path and query to a query or command of the engine, and
 * its result to a reply. It has no state and makes no decisions.
 */
import Type from 'typebox';
import { type Command, type IdempotentRequest, type ResponseBuilder, resourceAt, type Target } from '../../engine/command.ts';
import type { WriteOutcome } from '../../engine/write/write.ts';
import { type Problem, problems } from '../../http/problem.ts';
import { isPatchType } from '../../http/request/body.ts';
import { flagOf } from '../../http/request/query.ts';
import type { Reply } from '../../http/response/reply.ts';
import { paramOf } from '../../http/route.ts';
import type { CollectionPath } from '../../model/collection-path.ts';
import type { CollectionName, Resource } from '../../model/resource.ts';
import { resourceOf } from '../../model/resources.ts';
import { findMember, findProject, type Versioned } from '../../store/find.ts';
import { type Fields, type View, viewMember, viewProject } from '../../store/list/views.ts';
import type { State } from '../../store/state.ts';
import { actorOf } from '../authorize.ts';
import type { Api, Request } from '../declaration.ts';
import { withPlaces } from '../places/object-places.ts';
import { type Query, replyTo } from './conditional-read.ts';
import { etagWritten, preconditionFailed, preconditionOf } from './etag.ts';
import { respondOnce } from './idempotency-key.ts';
import { asksForInputs, fieldsQuery, wantedFields } from './list-query.ts';
import { type List, memberList, projectList, showList } from './lists.ts';
import { prefersMinimal, replyMinimal } from './preference.ts';
import { one, replyOne, replyWritten } from './render.ts';

/** Query parameters of a GET of one resource. */
export const oneQuery = { fields: fieldsQuery };

/** Query parameters of a create, an update and a deletion. */
export const writeQuery = {
  strict: Type.Boolean({ description: 'Fail the write if it would create a dangling reference' }),
};

/** Query parameters of a write whose response shows a resource. */
export const shownWriteQuery = { ...writeQuery, ...oneQuery };

/** Query parameters of an update. */
export const updateQuery = (resource: Resource) =>
  resource === resourceOf.artboards
    ? {
        ...shownWriteQuery,
        keep_places: Type.Boolean({ description: 'Move the objects so that they stay where they are on Earth' }),
      }
    : shownWriteQuery;

type Handle = (api: Api, request: Request) => Reply | Promise<Reply>;

/** Handlers of the members of a collection; `param` is the path parameter that names one. */
export function memberHandlers(collection: CollectionName, param: string): Handlers {
  const at = (request: Request): CollectionPath => ({
    accountId: request.scope.accountId,
    projectId: request.scope.projectId,
    collection,
    parentId: collection === 'objects' ? paramOf(request, 'artboard_id') : '',
  });
  const one = (request: Request): Target => ({ kind: 'member', path: at(request), id: paramOf(request, param) });
  return {
    list: (api, request) => {
      const path = at(request);
      const list = memberList(request, path);
      return asksForInputs(request) ? getPlacedList(api, request, list, path) : getList(api, request, list);
    },
    create: (api, request) => create(api, request, { kind: 'member', path: at(request), id: '' }),
    get: (api, request) => getOne(api, request, one(request)),
    update: (api, request) => write(api, request, 'update', one(request)),
    delete: (api, request) => remove(api, request, one(request)),
  };
}

export type Handlers = Readonly<Record<'list' | 'create' | 'get' | 'update' | 'delete', Handle>>;

/** Handlers of projects. */
export const projectHandlers: Handlers = {
  list: (api, request) => getList(api, request, projectList(request)),
  create: (api, request) => create(api, request, projectTarget(request)),
  get: (api, request) => getOne(api, request, projectTarget(request)),
  update: (api, request) => write(api, request, 'update', projectTarget(request)),
  delete: (api, request) => remove(api, request, projectTarget(request)),
};

export function projectTarget({ scope: { accountId, projectId } }: Request): Target {
  return { kind: 'project', accountId, projectId };
}

function getOne(api: Api, request: Request, target: Target): Reply | Promise<Reply> {
  const fields = request.query['fields'] === undefined ? undefined : wantedFields(request, resourceAt(target));
  if (target.kind === 'member' && asksForInputs(request))
    return replyTo(api, request, withPlaces(viewQuery(target, fields), target.path), ({ found, computed }, etag) =>
      replyOne(found, fields, api.cache, etag, computed),
    );
  return replyTo(api, request, viewQuery(target, fields), (view, etag) => replyOne(view, fields, api.cache, etag));
}

function getList(api: Api, request: Request, list: List): Reply | Promise<Reply> {
  return replyTo(api, request, list, (listed, etag) => showList(api, request, list, listed, etag));
}

/** A list of objects with their places. @param path of the objects */
function getPlacedList(api: Api, request: Request, list: List, path: CollectionPath): Reply | Promise<Reply> {
  return replyTo(api, request, withPlaces(list, path), ({ found, computed }, etag) =>
    showList(api, request, list, found, etag, computed),
  );
}

/** Options of a write, from the key, the headers and the query. */
export function writeOptions(api: Api, request: Request): Pick<Command, 'precondition' | 'strict' | 'by'> {
  const strict = flagOf(request.query, 'strict') ? { publicUrl: api.publicUrl } : undefined;
  return { precondition: preconditionOf(request, api), strict, by: actorOf(request.scope) };
}

/** The query of a view. */
export function viewQuery(target: Target, fields: Fields): Query<View> {
  return { version: (state) => findTarget(state, target), find: (state) => viewTarget(state, target, fields) };
}

function findTarget(state: State, target: Target): Versioned<unknown> {
  return target.kind === 'project'
    ? findProject(state, target.accountId, target.projectId)
    : findMember(state, target.path, target.id);
}

/** The view of a resource that a response shows. */
export function viewTarget(state: State, target: Target, fields: Fields): Versioned<View> {
  if (target.kind === 'project') {
    const { value: project, version } = findProject(state, target.accountId, target.projectId);
    return { value: project && viewProject(project, fields), version };
  }
  const { value: found, version } = findMember(state, target.path, target.id);
  return { value: found && viewMember(found.project, resourceAt(target), found.member, fields), version };
}

function create(api: Api, request: Request, target: Target): Promise<Reply> {
  return respondOnce(api, request, (once) => write(api, request, 'create', target, once));
}

async function write(
  api: Api,
  request: Request,
  action: 'create' | 'update',
  target: Target,
  once?: IdempotentRequest,
): Promise<Reply> {
  const { body, fieldErrors } = request;
  const { show, remember } = responseBuilder(api, request, resourceAt(target), once);
  const isUpdate = action === 'update';
  const keepPlaces = isUpdate && flagOf(request.query, 'keep_places');
  const patch = isUpdate && isPatchType(request.headers['content-type']) ? { bytesMax: api.bodyBytesMax } : undefined;
  // Spread into a literal with other members, they would cost as much as the rest of it.
  const { precondition, strict, by } = writeOptions(api, request);
  const command: Command = { action, target, body, patch, keepPlaces, fieldErrors, remember, precondition, strict, by };
  return succeeded(await api.engine.writer.execute(command, show));
}

/**
 * Builds the response to a write: during the sync, or before it if the response is stored for its Idempotency-Key. Throws a 400 problem for
 * members in `?fields=` that the resource does not have.
 *
 * @param resource that the response shows
 */
export function responseBuilder(
  api: Api,
  request: Request,
  resource: Resource,
  once: IdempotentRequest | undefined,
): ResponseBuilder<Reply> {
  const fields = request.query['fields'] === undefined ? undefined : wantedFields(request, resource);
  const isMinimal = prefersMinimal(request);
  const show = (state: State, written: Target) => {
    const { value, version } = viewTarget(state, written, fields);
    const view = value as View;
    const etag = etagWritten(api, request, version);
    return isMinimal ? replyMinimal(api, request, etag, view.value.id) : replyWritten(view, fields, api.cache, etag);
  };
  if (once === undefined) return { show, remember: undefined };
  const json = (state: State, written: Target) => one(viewTarget(state, written, fields).value as View, fields, api.cache);
  return { show, remember: { ...once, write: json } };
}

/** The problem for a project that is created in one transaction and is too large for it. */
export function projectTooLarge({ engine }: Api, nothingDone: string): Problem {
  const most = Math.round(engine.journal.preparedBytesMax / 1024 / 1024);
  return problems.payloadTooLarge(
    `The project is larger than ${most} MiB as stored, which is the limit of one transaction: ${nothingDone}.`,
  );
}

async function remove(api: Api, request: Request, target: Target): Promise<Reply> {
  const command: Command = { action: 'delete', target, ...writeOptions(api, request) };
  const outcome = await api.engine.writer.execute(command, () => deleted);
  // A deletion has no body: its fieldErrors are the references to what it would delete.
  if (outcome.outcome === 'invalid') throw problems.conflict(stillReferredTo, outcome.fieldErrors);
  return succeeded(outcome);
}

const stillReferredTo =
  'The write would create dangling references, see errors. Change these references first, or omit "strict".';

const deleted: Reply = { kind: 'empty', status: 204 };

/** The reply of a successful write; throws the problem otherwise. */
export function succeeded<T>(outcome: WriteOutcome<T>): T {
  if (outcome.outcome === 'missing') throw problems.notFound();
  if (outcome.outcome === 'stale') throw preconditionFailed();
  if (outcome.outcome === 'invalid') throw problems.validationFailed(outcome.fieldErrors);
  return outcome.shown;
}
