/**
 * Declarations of API routes: one `endpoint()` has method, path, schemas and handler. The schemas describe the API; the checks come from
 * the resource that the handler names, so a declaration cannot promise a check that is not made.
 */
import type { TSchema } from 'typebox';
import type { Engine } from '../engine/engine.ts';
import type { NameRegistry } from '../engine/projects/commit-named.ts';
import type { VisitCounts } from '../engine/visits/visit-counts.ts';
import type { AbsentParameters } from '../http/request/query.ts';
import type { Reply } from '../http/response/reply.ts';
import type { ApiRequest, Method, PrivateEndpoint, PublicEndpoint, StreamedBody } from '../http/route.ts';
import { decodedPathOf, pathOf } from '../http/router.ts';
import type { Caller } from '../http/transport/transport.ts';
import type { Live } from '../live/live.ts';
import type { Right } from '../model/people/roles.ts';
import { authorize, type Forbidden, type Principal, type RequestedAccess, type Scope } from './authorize.ts';
import type { ShownJson } from './crud/json-cache.ts';
import type { Json } from './openapi/openapi-schemas.ts';
import type { TileSource } from './pages/map-tiles.ts';
import type { PageContents } from './publish/page/page-contents.ts';

/** The environment of handlers. */
export interface Api {
  readonly engine: Engine;
  /** JSON as the key of the request may see it. */
  readonly cache: ShownJson;
  /** Part of the tags of responses for what they show besides their resource. Default: none. */
  tagPart?(): string;
  /** Maximum length of a URL, in characters. */
  readonly urlBytesMax: number;
  /** Maximum length of a buffered body, in bytes. */
  readonly bodyBytesMax: number;
  /** Maximum JSON of all results of one batch, in bytes. */
  readonly batchResultsBytesMax: number;
  /** Path of the public URL before `/api/v1`: `/maps`; '' for none. */
  readonly basePath: string;
  /** The public URL, or its path, without a slash at its end; '' for none. */
  readonly publicUrl: string;
  /** How projects are published; `undefined` if that is disabled. */
  readonly publishing: Publishing | undefined;
  /** Counts the visits of published maps; `undefined` if that is disabled. */
  readonly visits: VisitCounts | undefined;
  /** What executes data sources, variables and actions; `undefined` if that is disabled. */
  readonly live: Live | undefined;
  /** Sources of map tiles, of which the first is the default. */
  readonly tiles: readonly TileSource[];
  /** Maximum size of an uploaded file, in bytes. */
  readonly fileBytesMax: number;
  /** Request rate of accounts that have none of their own: `600/m`; '' for none. */
  readonly rateLimit: string;
  /** Maximum size of a document to import, in bytes. */
  readonly importBytesMax: number;
  /** Called for every refusal of a valid key or session. */
  onForbidden?(principal: Principal, reason: Forbidden, caller: Caller): void;
}

/** Properties of the server on which publishing depends. */
export interface Publishing {
  /** The shard that new slugs name; 0 on one machine. */
  readonly shard: number;
  /** Where names of maps are reserved. */
  readonly names: NameRegistry;
  /** Makes what pages have besides their maps. */
  readonly pages: Pick<PageContents, 'of' | 'placeIdsOf' | 'placeNamesOf'>;
}

export type Request = ApiRequest<Scope>;

export interface Declaration {
  readonly method: Method;
  /** Below `/api/v1` and `/v1`. */
  readonly path: string;
  /** Operation id in the OpenAPI description, for generated clients: `createPopup`. */
  readonly id: string;
  /** Group in the OpenAPI description. */
  readonly tag: string;
  /** Short summary for the OpenAPI description. */
  readonly summary: string;
  /** Everything else that a reader of the OpenAPI description needs; Markdown. */
  readonly description?: string;
  /** Query parameters and their schemas; any other is refused. */
  readonly query?: Readonly<Record<string, TSchema>>;
  /** Those of `query` without which the handler refuses the request. */
  readonly requiredQuery?: readonly string[];
  /** Parameters that a client might expect, and why they are refused. */
  readonly absentQuery?: AbsentParameters;
  /** Schema of the body; without it, no body is read. */
  readonly body?: TSchema;
  /** The handler reads the body itself, while it arrives. */
  readonly streamsBody?: StreamedBody;
  /** The body may be omitted. */
  readonly bodyIsOptional?: boolean;
  /** What it needs (model/people/roles.ts); by default `read` for GET, and `write` for the other methods. */
  readonly right?: Right;
  /** The response has names of people, which change without the resource. */
  readonly showsPeople?: boolean;
  /** The endpoint creates a project, although its path names one: forbidden for a key of certain projects. */
  readonly makesProject?: boolean;
  /** Schema of a success response; `undefined`: 204, no content. */
  readonly response: TSchema | undefined;
  /** The response is `text/event-stream`, and the data of each event has the schema `response`. */
  readonly isStream?: boolean;
  /** Media type of the response, if it is not JSON. */
  readonly responseType?: string;
  /** What it reads or changes is in memory and has no version: no entity tag, no precondition and no `Idempotency-Key`. */
  readonly isUnversioned?: boolean;
  /** `Range` is honored: 206. */
  readonly hasRanges?: boolean;
  /** A response that would be too large is a 413. */
  readonly isBounded?: boolean;
  /** A valid body may name something that is taken: a 409. */
  readonly mayConflict?: boolean;
  /** True if a request may give identifiers and places, which may not fit the state. */
  readonly givesIds?: boolean;
  /** The response is a download with a file name. */
  readonly isFile?: boolean;
  /** An example of body and response. The tests send the body of each POST. */
  example?(): EndpointExample;
  handle(api: Api, request: Request): Reply | Promise<Reply>;
}

export interface EndpointExample {
  readonly body?: Json;
  readonly response?: Json;
}

export function endpoint(declaration: Declaration): Declaration {
  return declaration;
}

/** The two forms of the version prefix; both reach the same routes. */
const prefixes = ['/api/v1', '/v1'] as const;

/** Converts a declaration to an endpoint of the listener. Its handler cannot show secret members to a key for reading. */
export function bind(declaration: Declaration, given: Api): PrivateEndpoint<Principal, Scope> {
  const {
    method,
    path,
    query,
    absentQuery,
    body,
    streamsBody,
    bodyIsOptional = false,
    makesProject = false,
    showsPeople = false,
    right = method === 'GET' ? 'read' : 'write',
  } = declaration;
  const api = showsPeople ? { ...given, tagPart: () => `-p${given.engine.state.personsVersion}` } : given;
  const { onForbidden } = api;
  const forReaders: Api = { ...api, cache: api.cache.forReaders };
  const access: RequestedAccess = {
    right,
    makesProject,
    ...(onForbidden === undefined ? {} : { onForbidden }),
  };
  return {
    method,
    path,
    prefixes,
    query: Object.keys(query ?? {}),
    ...(absentQuery === undefined ? {} : { absentQuery }),
    acceptsBody: body !== undefined && streamsBody === undefined,
    acceptsPatch: method === 'PATCH',
    streamsBody,
    bodyIsOptional,
    // Errors of parsing are reported together with those of validation.
    reportsFieldErrors: true,
    authorize: (principal, params, caller) => authorize(access, principal, params, caller),
    handle: (request) => declaration.handle(request.scope.readOnly ? forReaders : api, request),
  };
}

/** The decoded path of a request as clients see it, whether or not a proxy removed the path of the public URL. */
export function publicPath({ basePath }: Api, { url }: Request): string {
  const path = decodedPathOf(url);
  return path.startsWith(`${basePath}/`) ? path : basePath + path;
}

/** The path of a request below the version prefix: `/projects`. */
export function pathBelow({ basePath }: Api, { url }: Request): string {
  const path = pathOf(url);
  const below = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
  return below.replace(/^\/(?:api\/)?v1(?=\/)/, '');
}

/**
 * An endpoint outside of the API that needs no key.
 *
 * @param problemHeaders of every problem, for endpoints that pages of other origins use
 */
export function publicEndpoint(
  path: string,
  handle: PublicEndpoint['handle'],
  problemHeaders?: PublicEndpoint['problemHeaders'],
): PublicEndpoint {
  return { public: true, method: 'GET', path, prefixes: [''], problemHeaders, handle };
}
