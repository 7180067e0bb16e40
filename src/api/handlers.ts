/**
 * The five operations that every resource has. A handler translates: path and query to a question or a command for the engine, what
 * comes of it to a reply. It holds no state and decides nothing.
 */
import type { Target } from '../engine/command.ts';
import { resourceAt } from '../engine/command.ts';
import type { Outcome } from '../engine/engine.ts';
import { paramOf } from '../http/endpoint.ts';
import { problems } from '../http/problem.ts';
import type { Reply } from '../http/reply.ts';
import type { CollectionPath } from '../model/change.ts';
import type { CollectionName } from '../model/resource.ts';
import { findMember, findProject, type Seen } from '../store/queries.ts';
import type { State } from '../store/state.ts';
import { type Fields, type View, viewMember, viewProject } from '../store/view.ts';
import type { Api, Request } from './endpoint.ts';
import { etagOf } from './etag.ts';
import { fieldsQuery, wantedFields } from './list-query.ts';
import { type List, type Listed, memberList, projectList, showList } from './lists.ts';
import { replyOne, replyWritten } from './render.ts';

/** Query parameters of a get-one. */
export const oneQuery = { fields: fieldsQuery };

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
    list: (api, request) => answerList(api, request, memberList(request, at(request))),
    create: (api, request) => write(api, request, 'create', { kind: 'member', path: at(request), id: '' }),
    get: (api, request) => getOne(api, request, one(request)),
    update: (api, request) => write(api, request, 'update', one(request)),
    delete: (api, request) => remove(api, one(request)),
  };
}

type Operation = 'list' | 'create' | 'get' | 'update' | 'delete';

/** Handlers of projects. */
export const projectHandlers: Readonly<Record<Operation, Handle>> = {
  list: (api, request) => answerList(api, request, projectList(request)),
  create: (api, request) => write(api, request, 'create', projectTarget(request, '')),
  get: (api, request) => getOne(api, request, projectTarget(request)),
  update: (api, request) => write(api, request, 'update', projectTarget(request)),
  delete: (api, request) => remove(api, projectTarget(request)),
};

/**
 * The project that the path names. One that the key does not reach becomes a name that nothing has, so that all that follows, and all
 * that it waits for, is what happens for a project that does not exist.
 */
function projectIn({ principal, params }: Request): string {
  const id = paramOf({ params }, 'project_id');
  return principal.projects === undefined || principal.projects.has(id) ? id : noProject;
}

function projectTarget(request: Request, projectId = projectIn(request)): Target {
  return { kind: 'project', accountId: request.principal.accountId, projectId };
}

function answerList(api: Api, request: Request, list: List): Reply | Promise<Reply> {
  const show = (listed: Listed, etag: string) => showList(api, request, list, listed, etag);
  if ('find' in list) return answer(api, request, list.find, show);
  return whenSeen(api, request, api.engine.search(request.principal.accountId, list.search), show);
}

/** Answers a GET once what it shows is durable: at once, mostly. */
function answer<T>(
  api: Api,
  request: Request,
  query: (state: State) => Seen<T>,
  show: (found: T, etag: string) => Reply,
): Reply | Promise<Reply> {
  return whenSeen(api, request, api.engine.read(query), show);
}

function whenSeen<T>(
  api: Api,
  request: Request,
  seen: Seen<T> | Promise<Seen<T>>,
  show: (found: T, etag: string) => Reply,
): Reply | Promise<Reply> {
  return seen instanceof Promise ? seen.then((late) => tagged(api, request, late, show)) : tagged(api, request, seen, show);
}

function tagged<T>(api: Api, request: Request, { value, version }: Seen<T>, show: (found: T, etag: string) => Reply): Reply {
  if (value === undefined) throw problems.notFound();
  return show(value, etagOf(api, request, version));
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

function viewTarget(state: State, target: Target, fields: Fields): Seen<View> {
  if (target.kind === 'project') {
    const { value: project, version } = findProject(state, target.accountId, target.projectId);
    return { value: project && viewProject(project, fields), version };
  }
  const { value: found, version } = findMember(state, target.path, target.id);
  return { value: found && viewMember(found.project, resourceAt(target), found.member, fields), version };
}

function write(api: Api, request: Request, action: 'create' | 'update', target: Target): Promise<Reply> {
  const command = { action, target, body: request.body, faults: request.faults };
  // The answer is made while the disk works.
  const show = (state: State, written: Target) => replyWritten(viewTarget(state, written, undefined).value as View, api.cache);
  return api.engine.execute(command, show).then(succeeded);
}

function remove(api: Api, target: Target): Promise<Reply> {
  return api.engine.execute({ action: 'delete', target }, () => deleted).then(succeeded);
}

const deleted: Reply = { status: 204 };

function succeeded<T>(outcome: Outcome<T>): T {
  if (outcome.outcome === 'missing') throw problems.notFound();
  if (outcome.outcome === 'invalid') throw problems.validationFailed(outcome.faults);
  return outcome.shown;
}
