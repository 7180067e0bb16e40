/**
 * The five operations that every resource has. A handler translates: path and query to a question or a command for the engine, what
 * comes of it to a reply. It holds no state and decides nothing.
 */
import Type from 'typebox';
import { type Command, resourceAt, type Target } from '../engine/command.ts';
import type { Outcome } from '../engine/engine.ts';
import { paramOf } from '../http/endpoint.ts';
import { problems } from '../http/problem.ts';
import { fieldsOf, limitOf, pageMembersMax } from '../http/query.ts';
import type { Reply } from '../http/reply.ts';
import { pathOf } from '../http/router.ts';
import type { CollectionPath } from '../model/change.ts';
import type { CollectionName, Resource } from '../model/resource.ts';
import { projects, resourceOf } from '../model/resources.ts';
import { findAccount, findCollection, findMember, findProject, type Seen } from '../store/queries.ts';
import type { State } from '../store/state.ts';
import { type Fields, type View, type Views, viewAll, viewMember, viewProject, viewProjects, viewSome } from '../store/view.ts';
import { answeredBy, preconditionOf, stale } from './conditions.ts';
import { memberCursor, memberPosition, type Position, projectAfter, projectCursor, rankAfter } from './cursor.ts';
import type { Api, Principal, Request } from './endpoint.ts';
import { etagOf, etagWritten } from './etag.ts';
import { replyList, replyOne, replyWritten } from './render.ts';

const fieldsQuery = Type.String({ description: 'Members to return, separated by commas; `id` always comes along' });

/** Query parameters of a get-one. */
export const oneQuery = { fields: fieldsQuery };

/** Query parameters of a list. */
export const listQuery = {
  limit: Type.Integer({ minimum: 1, maximum: pageMembersMax, description: 'Members on a page; without it the list is whole' }),
  cursor: Type.String({ description: 'Where the page before ended, from its Link header' }),
  fields: fieldsQuery,
};

/** No project has this name: identifiers are never empty, and neither is a path parameter. */
const noProject = '';

type Handle = (api: Api, request: Request) => Reply | Promise<Reply>;

/** Handlers of the members of a collection; `param` is the path parameter that names one. */
export function memberHandlers(collection: CollectionName, param: string): Readonly<Record<Operation, Handle>> {
  const at = (request: Request): CollectionPath => ({
    accountId: request.principal.accountId,
    projectId: projectIn(request),
    collection,
    parentId: collection === 'objects' ? paramOf(request, 'artboard_id') : '',
  });
  const one = (request: Request): Target => ({ kind: 'member', path: at(request), id: paramOf(request, param) });
  return {
    list: (api, request) => {
      const path = at(request);
      const position = memberPosition(request.query['cursor']);
      return answerList(api, request, resourceOf[collection], (state, query) => listMembers(state, path, position, query));
    },
    create: (api, request) => write(api, request, 'create', { kind: 'member', path: at(request), id: '' }),
    get: (api, request) => getOne(api, request, one(request)),
    update: (api, request) => write(api, request, 'update', one(request)),
    delete: (api, request) => remove(api, request, one(request)),
  };
}

type Operation = 'list' | 'create' | 'get' | 'update' | 'delete';

/** Handlers of projects. */
export const projectHandlers: Readonly<Record<Operation, Handle>> = {
  list: (api, request) => {
    const { principal } = request;
    const after = projectAfter(request.query['cursor']);
    return answerList(api, request, projects, (state, query) => listProjects(state, principal, after, query));
  },
  create: (api, request) => write(api, request, 'create', projectTarget(request, '')),
  get: (api, request) => getOne(api, request, projectTarget(request)),
  update: (api, request) => write(api, request, 'update', projectTarget(request)),
  delete: (api, request) => remove(api, request, projectTarget(request)),
};

/**
 * The project that the path names. One that the key does not reach becomes a name that nothing has, so that all that follows, and all
 * that it waits for, is what happens for a project that does not exist.
 */
export function projectIn({ principal, params }: Request): string {
  const id = paramOf({ params }, 'project_id');
  return principal.projects === undefined || principal.projects.has(id) ? id : noProject;
}

export function projectTarget(request: Request, projectId = projectIn(request)): Target {
  return { kind: 'project', accountId: request.principal.accountId, projectId };
}

interface ListQuery {
  readonly limit: number | undefined;
  readonly fields: Fields;
}

interface Listed {
  /** `undefined`: the list was reordered, and where the page before ended is gone. */
  readonly views: Views | undefined;
  /** Cursor of the next page; `undefined` on the last. */
  readonly next: string | undefined;
}

function answerList(
  api: Api,
  request: Request,
  resource: Resource,
  list: (state: State, query: ListQuery) => Seen<Listed>,
): Reply | Promise<Reply> {
  const query = { limit: limitOf(request.query), fields: wantedFields(request, resource) };
  return answer(
    api,
    request,
    (state) => list(state, query),
    ({ views, next }, etag) => {
      if (views === undefined)
        throw problems.badRequest('The list was reordered since the page before: start again without "cursor".');
      return replyList(views, query.fields, api.cache, next === undefined ? undefined : nextAddress(request, next), etag);
    },
  );
}

/** Answers a GET once what it shows is durable: at once, mostly. */
export function answer<T>(
  api: Api,
  request: Request,
  query: (state: State) => Seen<T>,
  show: (found: T, etag: string) => Reply,
): Reply | Promise<Reply> {
  const seen = api.engine.read(query);
  return seen instanceof Promise ? seen.then((late) => tagged(api, request, late, show)) : tagged(api, request, seen, show);
}

function tagged<T>(api: Api, request: Request, { value, version }: Seen<T>, show: (found: T, etag: string) => Reply): Reply {
  if (value === undefined) throw problems.notFound();
  const etag = etagOf(api, request, version);
  return answeredBy(request.headers, etag) ?? show(value, etag);
}

function listMembers(state: State, path: CollectionPath, position: Position | undefined, query: ListQuery): Seen<Listed> {
  const { value: found, version } = findCollection(state, path);
  if (found === undefined) return { value: undefined, version };
  const { project, collection } = found;
  if (collection === undefined) return { value: { views: [], next: undefined }, version };
  if (query.limit === undefined && position === undefined) {
    return { value: { views: viewAll(project, collection, query.fields), next: undefined }, version };
  }
  const after = rankAfter(collection, position);
  if (after === undefined) return { value: { views: undefined, next: undefined }, version };
  const { members, more } = collection.page(after, query.limit ?? Number.POSITIVE_INFINITY);
  const views = viewSome(project, collection, members, query.fields);
  const last = members.at(-1);
  return { value: { views, next: more && last !== undefined ? memberCursor(collection, last) : undefined }, version };
}

function listProjects(state: State, { accountId, projects: only }: Principal, after: string, query: ListQuery): Seen<Listed> {
  const { value: account, version } = findAccount(state, accountId);
  if (account === undefined) return { value: undefined, version };
  const { views, more } = viewProjects(account, only, query.fields, after, query.limit ?? Number.POSITIVE_INFINITY);
  const last = views.at(-1);
  const next = more && last !== undefined ? projectCursor(last.value.id) : undefined;
  return { value: { views, next }, version };
}

function getOne(api: Api, request: Request, target: Target): Reply | Promise<Reply> {
  const fields = wantedFields(request, resourceAt(target));
  return answer(
    api,
    request,
    (state) => viewTarget(state, target, fields),
    (view, etag) => replyOne(view, fields, api.cache, etag),
  );
}

/** A resource as an answer shows it. */
export function viewTarget(state: State, target: Target, fields: Fields): Seen<View> {
  if (target.kind === 'project') {
    const { value: project, version } = findProject(state, target.accountId, target.projectId);
    return { value: project && viewProject(project, fields), version };
  }
  const { value: found, version } = findMember(state, target.path, target.id);
  return { value: found && viewMember(found.project, resourceAt(target), found.member, fields), version };
}

function write(api: Api, request: Request, action: 'create' | 'update', target: Target): Promise<Reply> {
  const { body, faults } = request;
  const command: Command = { action, target, body, faults, precondition: preconditionOf(request, api) };
  return api.engine.execute(command, showWritten(api, request)).then(succeeded);
}

/** The answer to a write, with what was written; made while the disk works. */
export function showWritten(api: Api, request: Request): (state: State, written: Target) => Reply {
  return (state, written) => {
    const { value, version } = viewTarget(state, written, undefined);
    return replyWritten(value as View, api.cache, etagWritten(api, request, version));
  };
}

function remove(api: Api, request: Request, target: Target): Promise<Reply> {
  const command: Command = { action: 'delete', target, precondition: preconditionOf(request, api) };
  return api.engine.execute(command, () => deleted).then(succeeded);
}

const deleted: Reply = { status: 204 };

/** The answer, if there is one; throws the refusal otherwise. */
export function succeeded<T>(outcome: Outcome<T>): T {
  if (outcome.outcome === 'missing') throw problems.notFound();
  if (outcome.outcome === 'stale') throw stale();
  if (outcome.outcome === 'invalid') throw problems.validationFailed(outcome.faults);
  return outcome.shown;
}

function wantedFields(request: Request, resource: Resource): Fields {
  const fields = fieldsOf(request.query, resource.members);
  return fields && new Set(fields);
}

function nextAddress(request: Request, cursor: string): string {
  return `${pathOf(request.url)}?${new URLSearchParams({ ...request.query, cursor })}`;
}
