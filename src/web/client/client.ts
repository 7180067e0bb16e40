/**
 * The typed client: `import { createClient } from 'mapwright/client'`. Works in Node, browsers and other platforms with `fetch`. It imports
 * nothing from the server, only openapi-fetch and types generated from the API description.
 */
import type {
  BodyOf,
  FieldsInit,
  FieldsOf,
  HttpMethod,
  Init,
  InitArguments,
  ListPaths,
  OperationAt,
  Paths,
  PathsWith,
  ResponseOf,
  Unchanged,
  With,
} from './api.ts';
import { type ChangeRecord, type ChangesOptions, changesOf } from './changes.ts';
import type { ProblemError } from './client-errors.ts';
import { rootOf } from './client-root.ts';
import { pagesOf } from './pages.ts';
import { type AnyInit, type Fetch, Requests } from './requests.ts';
import { type RetryOptions, retryOf } from './retry.ts';
import { updated } from './update.ts';

export type { BodyOf, Paths, RequestOptions, ResponseOf } from './api.ts';
export type { Bytes } from './byte-bodies.ts';
export type { ChangeEvent, ChangeRecord, ChangesOptions } from './changes.ts';
export { ConnectionError, type ErrorCode as ProblemCode, type FieldError, ProblemError } from './client-errors.ts';
export type { Fetch } from './requests.ts';
export type * from './resource-types.ts';
export type { RetryOptions } from './retry.ts';

export interface ClientOptions {
  /** Address of the server (`https://maps.example.com`) or of its API (`https://maps.example.com/api/v1`). May be relative in a page. */
  readonly baseUrl: string;
  /** An API key: `mw_...`. Omit it if a proxy adds it. */
  readonly key?: string | undefined;
  /** Retries of temporary failures; `false` disables them. By default up to 4 attempts within some seconds. */
  readonly retry?: RetryOptions | false;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch;
}

/** The result of a request: data or an error. */
export type Result<Data> =
  | { readonly data: Data; readonly error?: undefined; readonly response: Response }
  | { readonly data?: undefined; readonly error: ProblemError; readonly response: Response };

interface Parsed<Data> {
  json: Data;
  text: string;
  blob: Blob;
  arrayBuffer: ArrayBuffer;
  stream: ReadableStream<Uint8Array> | null;
}

/** How the body of a response is read. */
type ParseAs = keyof Parsed<unknown>;

type Op<Path extends keyof Paths, M extends HttpMethod> = OperationAt<Paths, Path, M>;

/**
 * A method in the style of openapi-fetch: an error response is an `error` next to the `response`. With `query.fields`, the data has only
 * those members.
 */
export type FullVerb<M extends HttpMethod> = <
  Path extends PathsWith<Paths, M>,
  const Fields extends FieldsOf<Op<Path, M>> = never,
  As extends ParseAs = 'json',
>(
  path: Path,
  ...init: InitArguments<Init<Op<Path, M>> & FieldsInit<Fields, ResponseOf<Op<Path, M>>> & { readonly parseAs?: As }>
) => Promise<Result<Parsed<With<ResponseOf<Op<Path, M>>, Fields>>[As]>>;

/** A method that returns the data, and throws `ProblemError` for an error response. */
export type Verb<M extends HttpMethod> = <Path extends PathsWith<Paths, M>, const Fields extends FieldsOf<Op<Path, M>> = never>(
  path: Path,
  ...init: InitArguments<Init<Op<Path, M>> & FieldsInit<Fields, ResponseOf<Op<Path, M>>>>
) => Promise<With<ResponseOf<Op<Path, M>>, Fields>>;

type ElementOf<List> = List extends readonly (infer One)[] ? One : never;

/** `T` may have no members except those of `Shape`. */
type Exactly<T, Shape> = Shape & { readonly [Name in Exclude<keyof T, keyof Shape>]: never };

type UpdatePaths = PathsWith<Paths, 'get'> & PathsWith<Paths, 'patch'>;

export interface Client {
  /** `const { data, error } = await client.GET('/projects/{project_id}', { params: { path: { project_id } } })` */
  readonly GET: FullVerb<'get'>;
  readonly POST: FullVerb<'post'>;
  readonly PUT: FullVerb<'put'>;
  readonly PATCH: FullVerb<'patch'>;
  readonly DELETE: FullVerb<'delete'>;

  /** `const project = await client.get('/projects/{project_id}', { params: { path: { project_id } } })` */
  readonly get: Verb<'get'>;
  /** Creates a resource. Sends an `Idempotency-Key`, so that retries do not create it again. */
  readonly post: Verb<'post'>;
  /** Publishes a project. */
  readonly put: Verb<'put'>;
  /** Changes the members in the body, even if the resource has changed in the meantime. See {@link Client.update}. */
  readonly patch: Verb<'patch'>;
  readonly delete: Verb<'delete'>;

  /** The members of a list, one by one, fetched in pages (`query.limit`, by default 100). */
  each<Path extends ListPaths<Paths>, const Fields extends FieldsOf<Op<Path, 'get'>> = never>(
    path: Path,
    ...init: InitArguments<Init<Op<Path, 'get'>> & FieldsInit<Fields, ResponseOf<Op<Path, 'get'>>>>
  ): AsyncGenerator<ElementOf<With<ResponseOf<Op<Path, 'get'>>, Fields>>, void>;
  /** The same, page by page. */
  pages<Path extends ListPaths<Paths>, const Fields extends FieldsOf<Op<Path, 'get'>> = never>(
    path: Path,
    ...init: InitArguments<Init<Op<Path, 'get'>> & FieldsInit<Fields, ResponseOf<Op<Path, 'get'>>>>
  ): AsyncGenerator<With<ResponseOf<Op<Path, 'get'>>, Fields>, void>;

  /**
   * Updates a resource based on its current state: reads it, calls `change`, and writes the returned body unless the resource has changed
   * since (`If-Match`); then it starts over, so `change` may be called several times. If `change` returns `undefined`, nothing is written.
   * Returns the resulting state. (The compiler rejects unknown members in the returned body, except inside its arrays.)
   */
  update<Path extends UpdatePaths, const Changed extends Exactly<Changed, Unchanged<BodyOf<Op<Path, 'patch'>>>>>(
    path: Path,
    init: Omit<Init<Op<Path, 'patch'>>, 'body'>,
    change: (current: ResponseOf<Op<Path, 'get'>>) => Changed | undefined | Promise<Changed | undefined>,
  ): Promise<ResponseOf<Op<Path, 'get'>>>;

  /**
   * The changes, record by record, as they become durable. Reconnects and resumes after a broken connection. Ends by `break`, by `signal`,
   * or when the followed project is deleted. Throws `ProblemError` if access is denied, also later.
   */
  changes(options?: ChangesOptions): AsyncGenerator<ChangeRecord, void>;
}

/** Creates a client. Sends nothing until a method is called. */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, key, retry, headers, fetch = (request, init) => globalThis.fetch(request, init) } = options;
  if (typeof baseUrl !== 'string')
    throw new TypeError('createClient needs a baseUrl: the address of the server, such as http://127.0.0.1:8070');
  // An error about an invalid header would contain the header, and so the key.
  if (key !== undefined && !(typeof key === 'string' && /^[\x21-\x7e]+$/.test(key.trim())))
    throw new TypeError('The key is not valid. A key looks like mw_...');
  if (typeof fetch !== 'function') throw new TypeError('fetch must be a function that takes a Request.');
  const authorization = key === undefined ? {} : { Authorization: `Bearer ${key.trim()}` };
  const requests = new Requests(rootOf(baseUrl), { ...authorization, ...headers }, fetch, retryOf(retry));

  const full = (method: string) => (path: string, init?: AnyInit) => requests.ask(method, path, init);
  const plain = (method: string) => async (path: string, init?: AnyInit) => (await requests.must(method, path, init)).data;
  const client = {
    GET: full('GET'),
    POST: full('POST'),
    PUT: full('PUT'),
    PATCH: full('PATCH'),
    DELETE: full('DELETE'),
    get: plain('GET'),
    post: plain('POST'),
    put: plain('PUT'),
    patch: plain('PATCH'),
    delete: plain('DELETE'),
    pages: (path: string, init?: AnyInit) => pagesOf(requests, path, init),
    async *each(path: string, init?: AnyInit) {
      for await (const page of pagesOf(requests, path, init)) yield* page;
    },
    update: (path: string, init: AnyInit, change: (current: never) => unknown) => updated(requests, path, init, change),
    changes: (following: ChangesOptions = {}) => changesOf(requests, following),
  };
  // The types come from the API description, which the server is tested against.
  return client as unknown as Client;
}
