/**
 * One endpoint, as this layer sees it: its path, its parameters and its handler. The layer above decides what a response contains;
 * `Principal` is the result of its key lookup, `Scope` is what one request with a key may access.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FieldError } from '../lib/field-error.ts';
import type { BodyPieces } from './request/body-stream.ts';
import type { AbsentParameters } from './request/query.ts';
import type { Reply } from './response/reply.ts';
import type { Caller } from './transport/transport.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request that has passed all checks of this layer. */
export interface ApiRequest<Scope> {
  /** What the request may access: see {@link PrivateEndpoint.authorize}. `undefined` if the endpoint needs no key. */
  readonly scope: Scope;
  /** As sent. A `HEAD` calls the endpoint of `GET`, which may reply as to a `GET`. */
  readonly method: string;
  /** The request target as sent, query included; {@link pathOf} gives its path. */
  readonly url: string;
  /** Path parameters by name, percent-decoded, never empty. Values may be any string. See {@link paramOf}. */
  readonly params: Readonly<Record<string, string>>;
  /** Query parameters by name, decoded: only those that the endpoint declares, each at most once. */
  readonly query: Readonly<Record<string, string>>;
  /** As Node provides them: names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The JSON object of the body; `{}` if the endpoint takes no body. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Errors already found in `body`; empty unless the endpoint {@link EndpointBase.reportsFieldErrors | reports them} itself. */
  readonly fieldErrors: readonly FieldError[];
  /** The body, if the endpoint {@link EndpointBase.streamsBody | reads it} itself. */
  readonly pieces: BodyPieces | undefined;
  /** Where the request comes from, for records of it. */
  readonly caller: Caller;
}

/** The content of a body that is read while it arrives. A `beacon` is never refused: its endpoint reads as much of it as it wants. */
export type StreamedBody = 'json' | 'file' | 'beacon';

interface EndpointBase {
  readonly method: Method;
  /** The path below a prefix: `/projects/:project_id`. */
  readonly path: string;
  /** Prefixes of the path; each leads to this endpoint. `['']` for none. */
  readonly prefixes: readonly string[];
  /**
   * Allowed query parameters; any other is refused with 400. Default: none. `'any'`, the default of public endpoints, ignores the query,
   * because probes add their own parameters.
   */
  readonly query?: readonly string[] | 'any';
  /** Parameters that a client might expect but that do not exist, each with the explanation for the error message. */
  readonly absentQuery?: AbsentParameters;
  /** Whether a JSON object is read before `handle` is called. Otherwise a body is discarded. */
  readonly acceptsBody?: boolean;
  /** The body may also be a JSON Merge Patch, `application/merge-patch+json`. */
  readonly acceptsPatch?: boolean;
  /** Whether an empty body counts as `{}`; only if a body is accepted. */
  readonly bodyIsOptional?: boolean;
  /** Largest body that is accepted, in bytes, if that is less than the server's limit. */
  readonly bodyBytesMax?: number;
  /**
   * Whether the endpoint reads the body itself, from {@link ApiRequest.pieces}: `json` up to the limit of streamed bodies, `file` of any type
   * up to that of files.
   */
  readonly streamsBody?: StreamedBody | undefined;
  /**
   * Whether the endpoint itself refuses {@link ApiRequest.fieldErrors}, together with the errors that it finds. Otherwise a body with errors
   * is refused before `handle` is called.
   */
  readonly reportsFieldErrors?: boolean;
}

/** An endpoint that needs no key. */
export interface PublicEndpoint extends EndpointBase {
  readonly public: true;
  /** Headers of every problem that refuses a request, of this endpoint and of the steps before it: so pages of other origins can read it. */
  readonly problemHeaders?: Readonly<Record<string, string>> | undefined;
  /** See {@link PrivateEndpoint.handle}. */
  handle(request: ApiRequest<unknown>): Reply | Promise<Reply>;
}

/** An endpoint that needs a key. */
export interface PrivateEndpoint<Principal, Scope = Principal> extends EndpointBase {
  readonly public?: false;
  /**
   * Decides what the request of this principal may access. Throws a problem if it may access nothing. Called once, before the query and
   * the body are read. Without it, the scope is the principal itself.
   */
  authorize?(principal: Principal, params: Readonly<Record<string, string>>, caller: Caller): Scope;
  /**
   * Handles one request. Throws (or rejects with) a `Problem` or one of the errors of `lib/errors.ts` to refuse it; any other error is
   * logged and becomes a 500. Return a finished reply directly: a promise costs a turn of the event loop.
   */
  handle(request: ApiRequest<Scope>): Reply | Promise<Reply>;
}

export type Endpoint<Principal, Scope = Principal> = PublicEndpoint | PrivateEndpoint<Principal, Scope>;

/** A path parameter. Throws a TypeError if the endpoint's path does not name it, which is a bug. */
export function paramOf(request: Pick<ApiRequest<unknown>, 'params'>, name: string): string {
  const value = request.params[name];
  if (value === undefined) throw new TypeError(`the path of this endpoint has no parameter ${name}`);
  return value;
}
