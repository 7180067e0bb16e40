/** The requests of the editor about one project, through the typed client. */
import { type Batch, type Client, ConnectionError, ProblemError, type Project } from '../../client/client.ts';
import { fieldsOf, type Kind, type Resource, type ResourceRef } from '../kinds/resource-kinds.ts';
import { versionIn } from '../kinds/resource-version.ts';
import { PageIds, randomHex } from '../server/page-ids.ts';

/** A resource and its version. */
export interface Versioned<T> {
  readonly value: T;
  readonly version: string;
}

/** A request that a client without types for each path would make. */
type Ask = (
  path: string,
  init: object,
) => Promise<{ readonly data?: unknown; readonly error?: ProblemError; readonly response: Response }>;

const templates = {
  project: '/projects/{project_id}',
  artboard: '/projects/{project_id}/artboards/{artboard_id}',
  object: '/projects/{project_id}/artboards/{artboard_id}/objects/{object_id}',
  popup: '/projects/{project_id}/popups/{popup_id}',
  data_source: '/projects/{project_id}/data-sources/{data_source_id}',
  variable: '/projects/{project_id}/variables/{variable_id}',
  action: '/projects/{project_id}/actions/{action_id}',
} as const satisfies Record<ResourceRef['kind'], keyof import('../../client/client.ts').Paths>;

export class ProjectApi {
  /** Replaced when the user has signed in again. */
  client: Client;
  readonly projectId: string;
  /** Identifiers of what the page creates. */
  readonly ids = new PageIds();

  constructor(client: Client, projectId: string) {
    this.client = client;
    this.projectId = projectId;
  }

  get #path(): { readonly params: { readonly path: { readonly project_id: string } } } {
    return { params: { path: { project_id: this.projectId } } };
  }

  async load(signal?: AbortSignal): Promise<Versioned<Project>> {
    const { data, error, response } = await this.client.GET('/projects/{project_id}', { ...this.#path, signal });
    if (error !== undefined) throw error;
    return { value: data, version: this.#versionOf(response) };
  }

  /** Brings the project back to a version. @param key as for {@link send} */
  async restore(versionId: string, key: string): Promise<Versioned<Project>> {
    const { data, error, response } = await this.client.POST('/projects/{project_id}/versions/{version_id}/restore', {
      params: { path: { project_id: this.projectId, version_id: versionId }, header: { 'Idempotency-Key': key } },
    });
    if (error !== undefined) throw error;
    return { value: data, version: this.#versionOf(response) };
  }

  /** Reads a resource. For an artboard without its objects, and for the project without its collections, only own members matter. */
  async read(ref: ResourceRef): Promise<Versioned<Resource>> {
    // A whole artboard, or project, may be megabytes.
    const fields = ref.kind === 'artboard' || ref.kind === 'project' ? ownFields(ref.kind) : undefined;
    return this.#one(this.client.GET as unknown as Ask, ref, fields === undefined ? {} : { query: { fields } });
  }

  async #one(ask: Ask, { kind, id, artboardId }: ResourceRef, { query }: { query?: object }): Promise<Versioned<Resource>> {
    const path: Record<string, string> = { project_id: this.projectId };
    if (kind === 'object') Object.assign(path, { artboard_id: artboardId, object_id: id });
    else if (kind !== 'project') path[`${kind}_id`] = id;
    const { data, error, response } = await ask(templates[kind], { params: { path, ...(query === undefined ? {} : { query }) } });
    if (error !== undefined) throw error;
    return { value: data as Resource, version: this.#versionOf(response) };
  }

  #versionOf({ headers }: Response): string {
    this.ids.heard(headers.get('Date'));
    return versionIn(headers.get('ETag') ?? '');
  }

  /**
   * Executes operations in one transaction. The results, `undefined` for a deletion, and the version that they all made.
   *
   * @param key of {@link newRequestKey}: the same request may be sent again with it, and is executed once
   */
  async send(batch: Batch, key: string): Promise<Versioned<(Resource | undefined)[]>> {
    const { data, error, response } = await this.client.POST('/projects/{project_id}/batch', {
      params: { ...this.#path.params, header: { 'Idempotency-Key': key } },
      body: batch,
    });
    if (error !== undefined) throw error;
    return {
      value: data.results.map(({ body }) => (body ?? undefined) as Resource | undefined),
      version: this.#versionOf(response),
    };
  }
}

/** A new `Idempotency-Key`. `crypto.randomUUID` exists only on pages with https, or of this computer. */
export const newRequestKey = (): string => randomHex(16);

const ownFields = (kind: Kind): string =>
  fieldsOf(kind)
    .map(({ name }) => name)
    .join(',');

/** Whether a request failed only for now, and may succeed later as it is. */
export function isTemporary(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ProblemError && (error.status === 429 || error.status >= 502));
}

/** Whether the server refused a request because of this code. */
export const isRefusal = (error: unknown, code: ProblemError['code']): error is ProblemError =>
  error instanceof ProblemError && error.code === code;
