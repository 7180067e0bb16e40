/**
 * How a route of the API is declared: one `endpoint()` carries method, path, schemas and handler. The schemas describe what passes; the
 * checks themselves come from the resource that the handler names, so that a declaration cannot promise what is not enforced.
 */
import type { TSchema } from 'typebox';
import type { Engine } from '../engine/engine.ts';
import type { AbsentParameters } from '../http/request/query.ts';
import type { Reply } from '../http/response/reply.ts';
import type { ApiRequest, Caller, Method, PrivateEndpoint, PublicEndpoint } from '../http/route.ts';
import { decodedPathOf, pathOf } from '../http/router.ts';
import { type Access, authorize, type Forbidden, type Principal, type Scope } from './authorize.ts';
import type { JsonCache } from './crud/json-cache.ts';

/** What handlers work with. */
export interface Api {
  readonly engine: Engine;
  readonly cache: JsonCache;
  /** Characters of an address that the server reads. */
  readonly urlBytesMax: number;
  /** Bytes of a body that is read whole. */
  readonly bodyBytesMax: number;
  /** Bytes of JSON that the results of one batch may have together. */
  readonly batchResultsBytesMax: number;
  /** What the public address has before `/api/v1`: `/maps`; '' for nothing. */
  readonly basePath: string;
  /** Is called for every refusal of a valid key. */
  onForbidden?(principal: Principal, reason: Forbidden, caller: Caller): void;
}

export type Request = ApiRequest<Scope>;

export interface Declaration {
  readonly method: Method;
  /** Below `/api/v1` and `/v1`. */
  readonly path: string;
  /** Name of the operation, for programs that are made from the description: `createPopup`. */
  readonly id: string;
  /** What it is grouped with in the description. */
  readonly tag: string;
  /** A few words for the description. */
  readonly summary: string;
  /** Whatever else somebody has to know who has not read anything else; Markdown. */
  readonly description?: string;
  /** Query parameters and their schemas; any other is refused. */
  readonly query?: Readonly<Record<string, TSchema>>;
  /** Parameters that somebody might expect, and why they are refused. */
  readonly absentQuery?: AbsentParameters;
  /** What the body may be; without it, none is read. */
  readonly body?: TSchema;
  /** The handler reads it itself, while it comes. */
  readonly streamsBody?: boolean;
  /** It may be left out. */
  readonly bodyIsOptional?: boolean;
  /** It makes a project, although its path names one: not for a key that is for certain projects. */
  readonly makesProject?: boolean;
  /** What a success carries; `undefined`: 204, nothing. */
  readonly answer: TSchema | undefined;
  /** Each line of the answer that is data is an event of that shape: `text/event-stream`. */
  readonly isStream?: boolean;
  /** A success is for saving as a file, and says under which name. */
  readonly isFile?: boolean;
  handle(api: Api, request: Request): Reply | Promise<Reply>;
}

export function endpoint(declaration: Declaration): Declaration {
  return declaration;
}

/** The two forms of the version prefix; both reach the same routes. */
const prefixes = ['/api/v1', '/v1'] as const;

/** A declared route as the listener takes it. */
export function bind(declaration: Declaration, api: Api): PrivateEndpoint<Principal, Scope> {
  const {
    method,
    path,
    query,
    absentQuery,
    body,
    streamsBody = false,
    bodyIsOptional = false,
    makesProject = false,
  } = declaration;
  const { onForbidden } = api;
  const access: Access = { writes: method !== 'GET', makesProject, ...(onForbidden === undefined ? {} : { onForbidden }) };
  return {
    method,
    path,
    prefixes,
    query: Object.keys(query ?? {}),
    ...(absentQuery === undefined ? {} : { absentQuery }),
    acceptsBody: body !== undefined && !streamsBody,
    streamsBody,
    bodyIsOptional,
    // Faults of reading are told together with those of checking.
    reportsFaults: true,
    authorize: (principal, params, caller) => authorize(access, principal, params, caller),
    handle: (request) => declaration.handle(api, request),
  };
}

/** The path of a request as clients see it, decoded, whether a proxy took off what the public address has before it, or not. */
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

/** A route outside of the API that answers anybody. */
export function publicEndpoint(path: string, handle: PublicEndpoint['handle']): PublicEndpoint {
  return { public: true, method: 'GET', path, prefixes: [''], handle };
}
