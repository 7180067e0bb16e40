/**
 * The typed client: `import { createClient } from 'mapwright/client'`. For Node, browsers and whatever else has `fetch`. It stands on its
 * own: it imports nothing of the server, only openapi-fetch and types that are generated from the description of the API.
 */
import type { ParseAs } from 'openapi-fetch';
import type {
  AnswerOf,
  BodyOf,
  Compat,
  FieldsInit,
  FieldsOf,
  Init,
  InitArguments,
  ListPaths,
  Method,
  OperationAt,
  PathsOf,
  PathsWith,
  Unchanged,
  With,
} from './api.ts';
import { type ChangeRecord, type ChangesOptions, changesOf } from './changes.ts';
import type { ProblemError } from './errors.ts';
import { pagesOf } from './lists.ts';
import { type AnyInit, type Fetch, Requests } from './requests.ts';
import { type RetryOptions, retryOf } from './retry.ts';
import { rootOf } from './root.ts';
import { updated } from './update.ts';

export type { AnswerOf, Apis, BodyOf, Compat, PathsOf, RequestOptions } from './api.ts';
export type { ChangeEvent, ChangeRecord, ChangesOptions } from './changes.ts';
export { ConnectionError, type Fault, type ProblemCode, ProblemError } from './errors.ts';
export type { Fetch } from './requests.ts';
export type * from './resources.ts';
export type { RetryOptions } from './retry.ts';

export interface ClientOptions<C extends Compat = 'contract'> {
  /** Address of the server (`https://maps.example.com`), or of its API (`https://maps.example.com/api/v1`). In a page it may be relative. */
  readonly baseUrl: string;
  /** An API key: `mw_...`. Left out where a proxy adds it. */
  readonly key?: string | undefined;
  /** The original that the server speaks (`serve --compat`): decides which types there are, and nothing else. */
  readonly compat?: C;
  /** Whether, and how, what may pass by itself is tried again: `false` for never. By default up to 4 times within some seconds. */
  readonly retry?: RetryOptions | false;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What requests are made with, instead of the global one. */
  readonly fetch?: Fetch;
}

/** What came of a request: what was asked for, or why not. */
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

type Op<C extends Compat, Path extends keyof PathsOf<C>, M extends Method> = OperationAt<PathsOf<C>, Path, M>;

/** A verb as openapi-fetch has it: a refusal is an `error` beside the `response`. */
export type FullVerb<C extends Compat, M extends Method> = <Path extends PathsWith<PathsOf<C>, M>, As extends ParseAs = 'json'>(
  path: Path,
  ...init: InitArguments<Init<Op<C, Path, M>> & { readonly parseAs?: As }>
) => Promise<Result<Parsed<AnswerOf<Op<C, Path, M>>>[As]>>;

/** The same for reading: of what `query.fields` names, if anything, the answer has those members. */
export type FullReadingVerb<C extends Compat> = <
  Path extends PathsWith<PathsOf<C>, 'get'>,
  const Fields extends FieldsOf<Op<C, Path, 'get'>> = never,
  As extends ParseAs = 'json',
>(
  path: Path,
  ...init: InitArguments<Init<Op<C, Path, 'get'>> & FieldsInit<Fields, AnswerOf<Op<C, Path, 'get'>>> & { readonly parseAs?: As }>
) => Promise<Result<Parsed<With<AnswerOf<Op<C, Path, 'get'>>, Fields>>[As]>>;

/** A verb that gives what was asked for, and throws `ProblemError` for a refusal. */
export type Verb<C extends Compat, M extends Method> = <Path extends PathsWith<PathsOf<C>, M>>(
  path: Path,
  ...init: InitArguments<Init<Op<C, Path, M>>>
) => Promise<AnswerOf<Op<C, Path, M>>>;

/** The same for reading. */
export type ReadingVerb<C extends Compat> = <
  Path extends PathsWith<PathsOf<C>, 'get'>,
  const Fields extends FieldsOf<Op<C, Path, 'get'>> = never,
>(
  path: Path,
  ...init: InitArguments<Init<Op<C, Path, 'get'>> & FieldsInit<Fields, AnswerOf<Op<C, Path, 'get'>>>>
) => Promise<With<AnswerOf<Op<C, Path, 'get'>>, Fields>>;

type ElementOf<List> = List extends readonly (infer One)[] ? One : never;

/** What is returned has no members beside those of `Shape`. */
type Exactly<T, Shape> = Shape & { readonly [Name in Exclude<keyof T, keyof Shape>]: never };

type UpdatePaths<C extends Compat> = PathsWith<PathsOf<C>, 'get'> & PathsWith<PathsOf<C>, 'patch'>;

export interface Client<C extends Compat = 'contract'> {
  /** `const { data, error } = await client.GET('/projects/{project_id}', { params: { path: { project_id } } })` */
  readonly GET: FullReadingVerb<C>;
  readonly POST: FullVerb<C, 'post'>;
  readonly PATCH: FullVerb<C, 'patch'>;
  readonly DELETE: FullVerb<C, 'delete'>;

  /** `const project = await client.get('/projects/{project_id}', { params: { path: { project_id } } })` */
  readonly get: ReadingVerb<C>;
  /** Creates. An `Idempotency-Key` goes with it, so that it is made once, however often it has to be sent. */
  readonly post: Verb<C, 'post'>;
  /** Changes what is in the body, whatever else has changed meanwhile. See {@link Client.update}. */
  readonly patch: Verb<C, 'patch'>;
  readonly delete: Verb<C, 'delete'>;

  /** The members of a list, one after the other, fetched a page at a time (`query.limit`, by default 100). */
  each<Path extends ListPaths<PathsOf<C>>, const Fields extends FieldsOf<Op<C, Path, 'get'>> = never>(
    path: Path,
    ...init: InitArguments<Init<Op<C, Path, 'get'>> & FieldsInit<Fields, AnswerOf<Op<C, Path, 'get'>>>>
  ): AsyncGenerator<ElementOf<With<AnswerOf<Op<C, Path, 'get'>>, Fields>>, void>;
  /** The same, page by page. */
  pages<Path extends ListPaths<PathsOf<C>>, const Fields extends FieldsOf<Op<C, Path, 'get'>> = never>(
    path: Path,
    ...init: InitArguments<Init<Op<C, Path, 'get'>> & FieldsInit<Fields, AnswerOf<Op<C, Path, 'get'>>>>
  ): AsyncGenerator<With<AnswerOf<Op<C, Path, 'get'>>, Fields>, void>;

  /**
   * Changes what depends on what is there: reads, calls `change` with that, and writes what it returns if nobody wrote in between (`If-Match`);
   * otherwise begins again. `change` may thus be called more than once; `undefined` leaves everything as it is. Gives what is there then.
   * (Of what `change` returns, the compiler refuses members that are none, but not in the arrays in it.)
   */
  update<Path extends UpdatePaths<C>, const Changed extends Exactly<Changed, Unchanged<BodyOf<Op<C, Path, 'patch'>>>>>(
    path: Path,
    init: Omit<Init<Op<C, Path, 'patch'>>, 'body'>,
    change: (current: AnswerOf<Op<C, Path, 'get'>>) => Changed | undefined | Promise<Changed | undefined>,
  ): Promise<AnswerOf<Op<C, Path, 'get'>>>;

  /**
   * What changes, record by record, as it becomes durable: goes on where it was when the connection breaks. Ends by `break`, by the `signal`, and
   * when the project that it follows is deleted. Throws `ProblemError` when it may not be followed (any more).
   */
  changes(options?: ChangesOptions): AsyncGenerator<ChangeRecord<C>, void>;
}

/** A client of a server. Nothing is sent before something is asked for. */
export function createClient<C extends Compat = 'contract'>(options: ClientOptions<C>): Client<C> {
  const { baseUrl, key, retry, headers, fetch = (request, init) => globalThis.fetch(request, init) } = options;
  if (typeof baseUrl !== 'string')
    throw new TypeError('createClient needs a baseUrl: the address of the server, as http://127.0.0.1:8070');
  // A fault in a header would be told with the header, and the key in it.
  if (key !== undefined && !(typeof key === 'string' && /^[\x21-\x7e]+$/.test(key.trim())))
    throw new TypeError('That is no key. One looks like mw_...');
  if (typeof fetch !== 'function') throw new TypeError('fetch has to be a function that takes a Request.');
  const authorization = key === undefined ? {} : { Authorization: `Bearer ${key.trim()}` };
  const requests = new Requests(rootOf(baseUrl), { ...authorization, ...headers }, fetch, retryOf(retry));

  const full = (method: string) => (path: string, init?: AnyInit) => requests.ask(method, path, init);
  const plain = (method: string) => async (path: string, init?: AnyInit) => (await requests.must(method, path, init)).data;
  const client = {
    GET: full('GET'),
    POST: full('POST'),
    PATCH: full('PATCH'),
    DELETE: full('DELETE'),
    get: plain('GET'),
    post: plain('POST'),
    patch: plain('PATCH'),
    delete: plain('DELETE'),
    pages: (path: string, init?: AnyInit) => pagesOf(requests, path, init),
    async *each(path: string, init?: AnyInit) {
      for await (const page of pagesOf(requests, path, init)) yield* page;
    },
    update: (path: string, init: AnyInit, change: (current: never) => unknown) => updated(requests, path, init, change),
    changes: (following: ChangesOptions = {}) => changesOf(requests, following),
  };
  // What goes in and comes out is what the types say by the description of the API, which the server is tested against.
  return client as unknown as Client<C>;
}
