/**
 * The API without HTTP: `server.projects.create('acme', { name: 'Harbour' })`. Checks, locks, quotas and durability are the same as over
 * HTTP. Results are plain objects that belong to the caller.
 *
 * The first argument is the location: the name of an account; for the contents of a project `{ account, project }`; for objects `{ account,
 * project, artboard }`.
 */
import type { Action } from '../../model/resources/action.ts';
import type { Artboard } from '../../model/resources/artboard.ts';
import type { DataSource } from '../../model/resources/data-source.ts';
import type { MapObject } from '../../model/resources/object.ts';
import type { Popup } from '../../model/resources/popup.ts';
import type { Project } from '../../model/resources/project.ts';
import type { Variable } from '../../model/resources/variable.ts';
import {
  askedBy,
  createOptions,
  duplicateOptions,
  importOptions,
  publishOptions,
  queryOfCall,
  updateOptions,
} from './call-options.ts';
import { documentBounds, jsonText } from './json-text.ts';
import { type Input, type LocalApi, localText, tagAs } from './local-api.ts';
import type * as bodies from './local-bodies.ts';

export interface InProject {
  readonly account: string;
  readonly project: string;
}

export interface InArtboard extends InProject {
  readonly artboard: string;
}

/**
 * The resources of one kind. Everything written or returned is durable when the promise resolves. Promises reject with a RefusedError (see
 * its classes) where the API responds with a problem, and with StoppedError when the server is closed.
 */
export interface Resources<Where, Shown extends { readonly id: string }, Create, Update> {
  create(where: Where, body: Create, options?: bodies.CreateOptions): Promise<Shown>;
  get(where: Where, id: string): Promise<Shown>;
  /** All of them, in one version. */
  list<Field extends keyof Shown = keyof Shown>(
    where: Where,
    options?: bodies.ListOptions<Shown, Field>,
  ): Promise<Pick<Shown, Field | 'id'>[]>;
  /** All of them, in pages of up to `limit`; each page is one version. */
  pages<Field extends keyof Shown = keyof Shown>(
    where: Where,
    limit: number,
    options?: bodies.ListOptions<Shown, Field>,
  ): AsyncGenerator<Pick<Shown, Field | 'id'>[], void>;
  /** Changes the given members. */
  update(where: Where, id: string, changes: Update, options?: bodies.WriteOptions): Promise<Shown>;
  delete(where: Where, id: string, options?: bodies.WriteOptions): Promise<void>;
}

export interface LocalProjects extends Resources<string, Project, bodies.ProjectCreate, bodies.ProjectUpdate> {
  /** Several writes to a project as one transaction: all succeed, or none. */
  batch(
    account: string,
    id: string,
    operations: readonly bodies.BatchOperation[],
    options?: bodies.CreateOptions,
  ): Promise<bodies.BatchResult[]>;
  /** Makes a copy with new identifiers. */
  duplicate(
    account: string,
    id: string,
    body?: { readonly name?: string },
    options?: Omit<bodies.CreateOptions, 'strict'>,
  ): Promise<Project>;
  /** The public address of a project. Rejects with NotFoundError if it is not public. */
  publication(account: string, id: string): Promise<bodies.Publication>;
  /** What is public, by project. */
  publications(account: string): Promise<bodies.ListedPublication[]>;
  /** Makes the current version of a project public. Without `origins`, those of its publication stay; at first any. */
  publish(
    account: string,
    id: string,
    body?: { readonly origins?: readonly string[] },
    options?: Pick<bodies.WriteOptions, 'ifMatch'>,
  ): Promise<bodies.Publication>;
  /** Makes a project private again: its public address is forgotten. */
  unpublish(account: string, id: string, options?: Pick<bodies.WriteOptions, 'ifMatch'>): Promise<void>;
  export(account: string, id: string): Promise<bodies.LocalProjectDocument>;
  /** Creates a project from an exported document. */
  import(
    account: string,
    document: bodies.DocumentSource,
    options?: Pick<bodies.CreateOptions, 'idempotencyKey'>,
  ): Promise<Project>;
}

export interface DirectAccess {
  readonly projects: LocalProjects;
  readonly artboards: Resources<InProject, Artboard, bodies.ArtboardCreate, bodies.ArtboardUpdate>;
  readonly objects: Resources<InArtboard, MapObject, bodies.ObjectCreate, bodies.ObjectUpdate>;
  readonly popups: Resources<InProject, Popup, bodies.PopupCreate, bodies.PopupUpdate>;
  readonly dataSources: Resources<InProject, DataSource, bodies.DataSourceCreate, bodies.DataSourceUpdate>;
  readonly variables: Resources<InProject, Variable, bodies.VariableCreate, bodies.VariableUpdate>;
  readonly actions: Resources<InProject, Action, bodies.ActionCreate, bodies.ActionUpdate>;
}

export function directAccess(calls: LocalApi): DirectAccess {
  const inProject = ({ account, project }: InProject): Place => ({ account, params: { project_id: project } });
  const inArtboard = ({ account, project, artboard }: InArtboard): Place => ({
    account,
    params: { project_id: project, artboard_id: artboard },
  });
  return {
    projects: projectsOf(calls),
    artboards: resources(calls, 'Artboard', 'artboard_id', inProject),
    objects: resources(calls, 'Object', 'object_id', inArtboard),
    popups: resources(calls, 'Popup', 'popup_id', inProject),
    dataSources: resources(calls, 'DataSource', 'data_source_id', inProject),
    variables: resources(calls, 'Variable', 'variable_id', inProject),
    actions: resources(calls, 'Action', 'action_id', inProject),
  };
}

/** The location of a resource: its account, and the path parameters. */
interface Place {
  readonly account: string;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * The five operations of a resource.
 *
 * @param title as in the names of its operations: `createPopup`
 * @param param the path parameter of its identifier
 */
function resources<Where, Shown extends { readonly id: string }, Create, Update>(
  calls: LocalApi,
  title: string,
  param: string,
  placeOf: (where: Where) => Place,
): Resources<Where, Shown, Create, Update> {
  const call = async <T>(operation: string, where: Where, id: string | undefined, input: Input = {}) => {
    const { account, params } = placeOf(checked(where));
    return calls.call<T>(operation, account, {
      ...input,
      params: id === undefined ? params : { ...params, [param]: localText(id, 'the id') },
    });
  };
  const page = (where: Where, query: Input['query']) => call<never[]>(`list${title}s`, where, undefined, { query: query ?? {} });
  return {
    create: async (where, body, options) =>
      (await call<Shown>(`create${title}`, where, undefined, { body, ...askedBy(options, createOptions) })).value,
    get: async (where, id) => (await call<Shown>(`get${title}`, where, localText(id, 'the id'))).value,
    list: async (where, options) => (await page(where, queryOfCall(options))).value,
    async *pages(where, limit, options) {
      const query = { ...queryOfCall(options), limit: String(limit) };
      let cursor: string | undefined;
      do {
        const { value, next } = await page(where, { ...query, cursor });
        yield value;
        cursor = next;
      } while (cursor !== undefined);
    },
    update: async (where, id, changes, options) =>
      (await call<Shown>(`update${title}`, where, localText(id, 'the id'), { body: changes, ...askedBy(options, updateOptions) }))
        .value,
    async delete(where, id, options) {
      await call(`delete${title}`, where, localText(id, 'the id'), askedBy(options, updateOptions));
    },
  };
}

function projectsOf(calls: LocalApi): LocalProjects {
  const at = (id: string) => ({ params: { project_id: localText(id, 'the id') } });
  return {
    ...resources(calls, 'Project', 'project_id', (account: string) => ({ account, params: {} })),
    async batch(account, id, operations, options) {
      const input = { ...at(id), body: { operations }, ...askedBy(options, createOptions) };
      const { value } = await calls.call<{ results: bodies.BatchResult[] }>('batch', account, input);
      return tagAs(value, value.results);
    },
    duplicate: async (account, id, body = {}, options = undefined) =>
      (await calls.call<Project>('duplicateProject', account, { ...at(id), body, ...askedBy(options, duplicateOptions) })).value,
    publication: async (account, id) => (await calls.call<bodies.Publication>('getPublication', account, at(id))).value,
    publications: async (account) => (await calls.call<bodies.ListedPublication[]>('listPublications', account, {})).value,
    publish: async (account, id, body = {}, options = undefined) =>
      (await calls.call<bodies.Publication>('publishProject', account, { ...at(id), body, ...askedBy(options, publishOptions) }))
        .value,
    async unpublish(account, id, options) {
      await calls.call('unpublishProject', account, { ...at(id), ...askedBy(options, publishOptions) });
    },
    export: async (account, id) => (await calls.call<bodies.LocalProjectDocument>('exportProject', account, at(id))).value,
    import: async (account, document, options) =>
      (
        await calls.call<Project>('importProject', account, {
          pieces: () => piecesIn(document),
          ...askedBy(options, importOptions),
        })
      ).value,
  };
}

function checked<Where>(where: Where): Where {
  if (where === undefined || where === null)
    throw new TypeError('the first argument must be an account, or { account, project }');
  return where;
}

function piecesIn(document: bodies.DocumentSource): ReturnType<NonNullable<Input['pieces']>> {
  if (typeof document === 'string') return [Buffer.from(document)];
  // A copy: the caller may change the bytes right after the call.
  if (document instanceof Uint8Array) return [Buffer.from(document)];
  if (typeof document !== 'object' || document === null) throw new TypeError('the document must be an object, or its JSON');
  return Symbol.asyncIterator in document ? document : [Buffer.from(jsonText(document, documentBounds) ?? '')];
}
