/**
 * One route, as this layer sees it: where it is, what it takes, and the function that answers. What the answer means is the
 * business of the layer above; `Principal` is whatever that layer's look-up of a key returns, `Scope` what one request of it may touch.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FieldError } from '../lib/field-error.ts';
import type { AbsentParameters } from './request/query.ts';
import type { Reply } from './response/reply.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Where a request came from, for whoever keeps a record of what was refused. */
export interface Caller {
  readonly requestId: string;
  /** Address of the client, as far as it is known: without a trusted proxy the other end of the connection; '' when it is closed. */
  readonly address: string;
}

/** A body as it comes, in pieces of any size; not read any further while one of them is at work. It is read to its end, or left. */
export interface BodyPieces extends AsyncIterable<Buffer> {
  /**
   * Says how many bytes in all are held of the body now, or of what was made of it. They count until the answer. Throws a problem when
   * there is no room for them.
   */
  holds(bytes: number): void;
}

/** A request that has passed everything this layer checks. */
export interface ApiRequest<Scope> {
  /** What the request may touch: see {@link PrivateEndpoint.authorize}. `undefined` where no key is needed. */
  readonly scope: Scope;
  /** As sent: a `HEAD` reaches the endpoint of `GET`, which may answer as if it were one. */
  readonly method: string;
  /** The request target as sent, query included; {@link pathOf} gives its path. */
  readonly url: string;
  /** Path parameters by name, percent-decoded, never empty. Any string may be in them. See {@link paramOf}. */
  readonly params: Readonly<Record<string, string>>;
  /** Query parameters by name, decoded: only such as the endpoint declares, each at most once. */
  readonly query: Readonly<Record<string, string>>;
  /** As Node gives them: names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The JSON object that was sent; `{}` when the endpoint takes no body. */
  readonly body: Readonly<Record<string, unknown>>;
  /** What is wrong with `body` already; empty unless the endpoint {@link EndpointBase.reportsFaults | reports faults} itself. */
  readonly faults: readonly FieldError[];
  /** The body, where the endpoint {@link EndpointBase.streamsBody | reads it} itself. */
  readonly pieces: BodyPieces | undefined;
  readonly requestId: string;
}

export interface EndpointBase {
  readonly method: Method;
  /** The path below a prefix: `/projects/:project_id`. */
  readonly path: string;
  /** What stands before the path; every one of them reaches this endpoint. `['']` for none. */
  readonly prefixes: readonly string[];
  /**
   * Query parameters that exist here; any other is refused with 400. None by default. `'any'`, the default of public endpoints,
   * leaves the query unread: probes add what they like.
   */
  readonly query?: readonly string[] | 'any';
  /** Parameters that somebody might expect here, and why they do not exist: told instead of that. */
  readonly absentQuery?: AbsentParameters;
  /** Whether a JSON object is read before `handle` is called. Otherwise a body that is sent all the same is discarded. */
  readonly acceptsBody?: boolean;
  /** Nothing at all stands for `{}`, where a body is accepted. */
  readonly bodyIsOptional?: boolean;
  /** The endpoint reads the body itself, in {@link ApiRequest.pieces}, as JSON of any length up to the limit of streamed bodies. */
  readonly streamsBody?: boolean;
  /**
   * The endpoint looks at {@link ApiRequest.faults} and refuses them itself, together with what it finds. Without this, a body that
   * has any is refused before `handle` is called.
   */
  readonly reportsFaults?: boolean;
}

/** An endpoint that answers anybody. */
export interface PublicEndpoint extends EndpointBase {
  readonly public: true;
  /** See {@link PrivateEndpoint.handle}. */
  handle(request: ApiRequest<undefined>): Reply | Promise<Reply>;
}

/** An endpoint that answers holders of a key. */
export interface PrivateEndpoint<Principal, Scope = Principal> extends EndpointBase {
  readonly public?: false;
  /**
   * Decides what the request of this key holder may touch. Throws a problem where that is nothing. Called once, before the query and the
   * body are read. Without it, the scope is the principal itself.
   */
  authorize?(principal: Principal, params: Readonly<Record<string, string>>, caller: Caller): Scope;
  /**
   * Answers one request. Refuses by throwing (or rejecting with) a `Problem` or one of the errors of `lib/errors.ts`; anything else
   * that is thrown is logged and becomes a 500. An answer that is at hand is best returned as it is: a promise costs a turn.
   */
  handle(request: ApiRequest<Scope>): Reply | Promise<Reply>;
}

export type Endpoint<Principal, Scope = Principal> = PublicEndpoint | PrivateEndpoint<Principal, Scope>;

/** A path parameter that the endpoint's path names. Throws where it does not: that is a mistake in the program. */
export function paramOf(request: Pick<ApiRequest<unknown>, 'params'>, name: string): string {
  const value = request.params[name];
  if (value === undefined) throw new TypeError(`the path of this endpoint has no parameter ${name}`);
  return value;
}
