/**
 * How a route of the API is declared: one `endpoint()` carries method, path, schemas and handler. The schemas describe what passes; the
 * checks themselves come from the resource that the handler names, so that a declaration cannot promise what is not enforced.
 */
import type { TSchema } from 'typebox';
import type { Engine } from '../engine/engine.ts';
import { isValid } from '../engine/keys.ts';
import type { ApiRequest, Method, PrivateEndpoint, PublicEndpoint } from '../http/endpoint.ts';
import { problems } from '../http/problem.ts';
import type { Reply } from '../http/reply.ts';
import type { JsonCache } from './json-cache.ts';

/** Who asks: the account behind a key. */
export interface Principal {
  readonly accountId: string;
  /** Public part of the key. */
  readonly keyId: string;
}

/** What handlers work with. */
export interface Api {
  readonly engine: Engine;
  readonly cache: JsonCache;
}

export type Request = ApiRequest<Principal>;

export interface Declaration {
  readonly method: Method;
  /** Below `/api/v1` and `/v1`. */
  readonly path: string;
  /** A few words for documentation. */
  readonly summary: string;
  /** Query parameters and their schemas; any other is refused. */
  readonly query?: Readonly<Record<string, TSchema>>;
  /** What the body may be; without it, none is read. */
  readonly body?: TSchema;
  /** What a success carries; `undefined`: 204, nothing. */
  readonly answer: TSchema | undefined;
  handle(api: Api, request: Request): Reply | Promise<Reply>;
}

export function endpoint(declaration: Declaration): Declaration {
  return declaration;
}

/** The two forms of the version prefix; both reach the same routes. */
const prefixes = ['/api/v1', '/v1'] as const;

/** A declared route as the listener takes it. */
export function bind(declaration: Declaration, api: Api): PrivateEndpoint<Principal> {
  const { method, path, query, body } = declaration;
  return {
    method,
    path,
    prefixes,
    query: Object.keys(query ?? {}),
    acceptsBody: body !== undefined,
    // Faults of reading are told together with those of checking.
    reportsFaults: true,
    handle: (request) => {
      // A body may take a minute to arrive, and the key may be revoked meanwhile.
      if (body !== undefined && !isValid(api.engine.state, request.principal.keyId)) return refuse(api.engine);
      return declaration.handle(api, request);
    },
  };
}

/** 401, once the revocation that it tells of is durable. */
async function refuse(engine: Engine): Promise<never> {
  await engine.journal.durable(engine.state.keysVersion);
  throw problems.unauthorized();
}

/** A route outside of the API that answers anybody. */
export function publicEndpoint(path: string, handle: () => Reply): PublicEndpoint {
  return { public: true, method: 'GET', path, prefixes: [''], handle };
}
