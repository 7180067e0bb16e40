/**
 * Lists: parsing the request, finding the members, and showing them. An unfiltered, unsorted list is read directly. Any other list is
 * searched in slices, in a capture of the first turn, so it shows a single version.
 */
import { problems } from '../../http/problem.ts';
import type { Reply } from '../../http/response/reply.ts';
import { runToEnd } from '../../lib/async/run-to-end.ts';
import type { CollectionPath } from '../../model/collection-path.ts';
import { projects, resourceOf } from '../../model/resources.ts';
import type { Value } from '../../model/value.ts';
import { findAccount, findCollection, type Versioned } from '../../store/find.ts';
import { CapturedMembers, Selected } from '../../store/list/captured-members.ts';
import type { ProjectPage } from '../../store/list/project-page.ts';
import { batchMax, type Criteria, countPassing, type SelectionSource, select } from '../../store/list/selection.ts';
import {
  projectsAfter,
  type View,
  type Views,
  viewAll,
  viewProject,
  viewProjects,
  viewSelected,
  viewSome,
} from '../../store/list/views.ts';
import type { AccountState, State } from '../../store/state.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import type { Scope } from '../authorize.ts';
import { type Api, publicPath, type Request } from '../declaration.ts';
import type { Computed } from '../places/object-places.ts';
import type { Query } from './conditional-read.ts';
import {
  type CursorPosition,
  keysetAt,
  keysetCursor,
  memberCursor,
  memberPosition,
  projectAfter,
  projectCursor,
  rankAfter,
  type SortedPosition,
  sortedPosition,
} from './cursor.ts';
import { type ListQuery, readListQuery } from './list-query.ts';
import { pageHead, replyList, rows } from './render.ts';

export interface Listed {
  /** `undefined`: the position in the cursor is no longer known. */
  readonly views: Views | undefined;
  /** Cursor of the next page; `undefined` on the last. */
  readonly next: string | undefined;
  /** Number of members on all pages, if it was asked for. */
  readonly total?: number | undefined;
  /** Memory that the views hold. */
  readonly selected?: Selected;
}

/** A requested list. */
export type List = { readonly query: ListQuery } & Query<Listed>;

/** The start of a search, according to the cursor. */
interface Begin<At> {
  /** In the order of the list. */
  readonly at: At;
  /** In another order. */
  readonly after: SortedPosition | undefined;
}

export function memberList(request: Request, path: CollectionPath): List {
  const resource = resourceOf[path.collection];
  const query = readListQuery(request, resource);
  const { criteria, cursor } = query;
  const version = (state: State) => findCollection(state, path);
  if (criteria === undefined) {
    const position = memberPosition(cursor);
    return { query, version, find: (state) => findMembers(state, path, position, query) };
  }
  const begin =
    criteria.sort.length === 0
      ? { at: memberPosition(cursor, criteria), after: undefined }
      : { at: undefined, after: sortedPosition(cursor, criteria, resource) };
  return { query, version, search: (state) => searchMembers(state, path, begin, query, criteria) };
}

export function projectList(request: Request): List {
  const { scope } = request;
  const query = readListQuery(request, projects);
  const { criteria, cursor } = query;
  const version = (state: State) => findAccount(state, scope.accountId);
  if (criteria === undefined) {
    const after = projectAfter(cursor);
    return { query, version, search: (state) => findProjects(state, scope, after, query) };
  }
  const begin =
    criteria.sort.length === 0
      ? { at: projectAfter(cursor, criteria), after: undefined }
      : { at: '', after: sortedPosition(cursor, criteria, projects) };
  return { query, version, search: (state) => searchProjects(state, scope, begin, query, criteria) };
}

/** @param computed makes members that are not stored */
export function showList(api: Api, request: Request, { query }: List, listed: Listed, etag: string, computed?: Computed): Reply {
  const { views, next, selected, total } = listed;
  if (views === undefined) {
    throw problems.badParameter(
      'cursor',
      (query.criteria?.sort.length ?? 0) === 0
        ? 'The list was reordered after the previous page: start again without "cursor".'
        : 'The last member of the previous page was deleted or changed, and its values are too long for a cursor: start again without "cursor".',
    );
  }
  const address = next === undefined ? undefined : nextAddress(api, request, query.criteria, next);
  return replyList(views, query.fields, api.cache, pageHead(etag, address, total), selected, computed);
}

/** @param show the resource of a row, made while the response is written */
export function showProjectPage<Row>(
  api: Api,
  request: Request,
  { page, last }: ProjectPage<Row>,
  etag: string,
  show: (row: Row) => object,
): Reply {
  const next = last === undefined ? undefined : nextAddress(api, request, undefined, projectCursor(last));
  return { kind: 'stream', ...pageHead(etag, next), stream: rows(page, show) };
}

/**
 * The URL of the next page. Throws a 400 problem if filters make it too long.
 *
 * @param criteria of the list, if it is filtered
 */
function nextAddress(api: Api, request: Request, criteria: Criteria | undefined, cursor: string): string {
  const { urlBytesMax } = api;
  const address = `${publicPath(api, request)}?${new URLSearchParams({ ...request.query, cursor })}`;
  if (criteria !== undefined && address.length > urlBytesMax) {
    throw problems.badRequest(
      `The URL of the next page would be longer than ${urlBytesMax} characters, which is the limit: use shorter filters, or omit "limit".`,
    );
  }
  return address;
}

function findMembers(
  state: State,
  path: CollectionPath,
  position: CursorPosition | undefined,
  query: ListQuery,
): Versioned<Listed> {
  const { value: found, version } = findCollection(state, path);
  if (found === undefined) return { value: undefined, version };
  const { project, collection } = found;
  if (collection === undefined) return { value: { views: [], next: undefined, total: query.count ? 0 : undefined }, version };
  const total = query.count ? collection.size : undefined;
  if (query.limit === undefined && position === undefined) {
    return { value: { views: viewAll(project, collection, query.fields), next: undefined, total }, version };
  }
  const after = rankAfter(collection, position);
  if (after === undefined) return { value: { views: undefined, next: undefined }, version };
  const { members, more } = collection.page(after, query.limit ?? Number.POSITIVE_INFINITY);
  const views = viewSome(project, collection, members, query.fields);
  const last = members.at(-1);
  return { value: { views, next: more && last !== undefined ? memberCursor(collection, last) : undefined, total }, version };
}

/** Projects between two turns of the event loop. */
const projectsPerSlice = 64;

/** Captures projects in slices. The last turn assembles the list: it captures those again that have changed since. */
function* findProjects(
  state: State,
  { accountId, projects: only }: Scope,
  after: string,
  query: ListQuery,
): Generator<void, Versioned<Listed>> {
  const { fields, limit = Number.POSITIVE_INFINITY } = query;
  const captured = new Map<StoredProject, { readonly version: number; readonly view: View }>();
  const projectsOf = (account: AccountState | undefined) => (account ? projectsAfter(account.projects, only, after) : []);
  for (const project of projectsOf(findAccount(state, accountId).value)) {
    if (captured.size >= limit) break;
    captured.set(project, { version: project.version, view: viewProject(project, fields) });
    if (captured.size % projectsPerSlice === 0) yield;
  }
  const { value: account, version } = findAccount(state, accountId);
  if (account === undefined) return { value: undefined, version };
  const { views, more } = viewProjects(account, only, after, limit, (project) => {
    const before = captured.get(project);
    return before?.version === project.version ? before.view : viewProject(project, fields);
  });
  const last = views.at(-1);
  const next = more && last !== undefined ? projectCursor(last.value.id) : undefined;
  const total = query.count ? [...projectsAfter(account.projects, only, '')].length : undefined;
  return { value: { views, next, total }, version };
}

/** The position in the cursor no longer exists. */
const invalidCursor: Listed = { views: undefined, next: undefined };

function* searchMembers(
  state: State,
  path: CollectionPath,
  begin: Begin<CursorPosition | undefined>,
  query: ListQuery,
  criteria: Criteria,
): Generator<void, Versioned<Listed>> {
  const { value: found, version } = findCollection(state, path);
  if (found === undefined) return { value: undefined, version };
  const { project, collection } = found;
  if (collection === undefined) return { value: { views: [], next: undefined, total: query.count ? 0 : undefined }, version };
  const { epoch, resource } = collection;
  const { limit = Number.POSITIVE_INFINITY } = query;
  const rank = rankAfter(collection, begin.at);
  if (rank === undefined) return { value: invalidCursor, version };
  const capture = collection.capture();
  const source = new CapturedMembers(capture);
  const after = keysetAt(begin.after, criteria.sort, (id) => collection.get(id)?.value);
  const selection = yield* select(source, criteria, { from: source.placeAbove(rank), after, limit });
  if (selection === undefined) return { value: invalidCursor, version };
  const total = query.count ? yield* countPassing(source, criteria.filters) : undefined;
  // The contents of the selected members are captured only now. If the members have changed since the selection, search again.
  let seenVersion = version;
  if (resource.collections.length > 0) {
    const now = findCollection(state, path);
    if (now.value?.collection?.capture() !== capture) return runToEnd(searchMembers(state, path, begin, query, criteria));
    seenVersion = now.version;
  }
  const selected = new Selected(source, selection.places);
  const views = viewSelected(project, collection, selected, query.fields);
  const last = selection.more ? selected.last : undefined;
  const next =
    last && (criteria.sort.length === 0 ? memberCursor({ epoch }, last, criteria) : keysetCursor(last.value, criteria));
  return { value: { views, next, selected, total }, version: seenVersion };
}

function* searchProjects(
  state: State,
  scope: Scope,
  begin: Begin<string>,
  query: ListQuery,
  criteria: Criteria,
): Generator<void, Versioned<Listed>> {
  const { accountId, projects: only } = scope;
  const { limit = Number.POSITIVE_INFINITY } = query;
  const { value: account, version } = findAccount(state, accountId);
  if (account === undefined) return { value: undefined, version };
  const all = [...projectsAfter(account.projects, only, begin.at)];
  const find = (id: string): Value | undefined => (only?.has(id) === false ? undefined : account.projects.get(id)?.value);
  const after = keysetAt(begin.after, criteria.sort, find);
  const selection = yield* select(sourceOf(all), criteria, { from: 0, after, limit });
  if (selection === undefined) return { value: invalidCursor, version };
  const visible = query.count ? [...projectsAfter(account.projects, only, '')] : [];
  const total = query.count ? yield* countPassing(sourceOf(visible), criteria.filters) : undefined;
  // The contents are captured only now: none of the projects may have been added, deleted or changed since.
  const now = findAccount(state, accountId);
  if (now.value !== account || haveChanged(account, all, version) || haveChanged(account, visible, version)) {
    return runToEnd(searchProjects(state, scope, begin, query, criteria));
  }
  const views = Array.from(selection.places, (place) => viewProject(all[place] as StoredProject, query.fields));
  const last = selection.more ? views.at(-1)?.value : undefined;
  const next = last && (criteria.sort.length === 0 ? projectCursor(last.id, criteria) : keysetCursor(last, criteria));
  return { value: { views, next, total }, version: now.version };
}

function haveChanged(account: AccountState, all: readonly StoredProject[], since: number): boolean {
  if (account.version <= since) return false;
  return account.projectsVersion > since || all.some(({ headVersion }) => headVersion > since);
}

const sourceOf = (all: readonly StoredProject[]): SelectionSource => ({
  batches: Math.ceil(all.length / batchMax),
  batch: (index) => all.slice(index * batchMax, (index + 1) * batchMax),
  at: (place) => all[place] as StoredProject,
});
