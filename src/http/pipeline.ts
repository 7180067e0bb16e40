/**
 * The steps of a request: a list in their order, and below it each step. A step that refuses the request throws a problem, which becomes
 * the response. So this order is also the order of the error responses.
 *
 * A step is a function of the exchange: it reads the results of earlier steps and adds its own. It returns `next`, or `stop` if it has
 * replied or calls `exchange.proceed()` later. A step that does not wait runs in the same turn as the one before it.
 */

import type { Exchange, Flow, Step } from './exchange.ts';
import { rateFields, takeFrom } from './guard/rate-limit.ts';
import { problems } from './problem.ts';
import { largeBodyBytes } from './request/body.ts';
import { validateFraming } from './request/framing.ts';
import { lostBody } from './request/kept-body.ts';
import { queryOf } from './request/query.ts';
import { ignoreChunks } from './request/receive.ts';
import { parseLater, parseNow, receiveBody, streamBody } from './request-body.ts';
import type { ApiRequest, Endpoint } from './route.ts';
import { hasPath } from './router.ts';

export const steps: readonly Step[] = [
  checkFraming, // 400, 414, 417, 431
  matchRoute, // 404
  preflight, // 204
  checkAvailable, // 503
  authenticate, // 401
  rateLimit, // 429
  admit, // 429
  authorize, // 405, 403
  parseQuery, // 400
  readBody, // 415, 413, 429, 503, 408
  reauthenticate, // 401, 403
  parseBody, // 400, 413, 507
  handle,
];

/** A malformed request, or one with an unsupported `Expect`, is the last of its connection. */
function checkFraming<Principal>(exchange: Exchange<Principal>): Flow {
  const { req, context, expectation } = exchange;
  const refusal = validateFraming(req, context.limits) ?? (expectation === 'unknown' ? problems.expectationFailed() : undefined);
  if (refusal === undefined) return 'next';
  exchange.closeAfterReply();
  throw refusal;
}

/** The endpoint is undefined where the path exists without this method: only {@link authorize} says so, after authentication. */
function matchRoute<Principal>(exchange: Exchange<Principal>): Flow {
  const { req, context } = exchange;
  const { url = '' } = req;
  const route = context.router.find(url);
  if (route === undefined) {
    const { fallback, unavailable, stray } = context.options;
    if (fallback === undefined || !hasPath(url)) {
      const reply = stray?.(req);
      if (reply === undefined) throw problems.unknownPath();
      exchange.reply(reply);
      return 'stop';
    }
    exchange.routeStats = context.metrics.fallback;
    const refusal = unavailable?.();
    if (refusal !== undefined) throw refusal;
    fallback(exchange);
    return 'stop';
  }
  const endpoint = route.table.endpoints.get(req.method ?? '');
  exchange.route = route;
  exchange.endpoint = endpoint;
  return 'next';
}

/** Replies to the preflight request of a browser, which has no key. */
function preflight<Principal>(exchange: Exchange<Principal>): Flow {
  const { cors } = exchange.context;
  const reply = cors?.preflight(exchange.req, exchange.route.table.allow);
  if (reply !== undefined) {
    exchange.reply(reply);
    return 'stop';
  }
  // After the preflight, which counts as "other".
  if (exchange.endpoint !== undefined) exchange.routeStats = exchange.context.metrics.at(exchange.endpoint);
  return 'next';
}

/** Public endpoints reply in every state of the server, because probes use them. */
function checkAvailable<Principal>(exchange: Exchange<Principal>): Flow {
  if (exchange.isPublic) return 'next';
  const unavailable = exchange.context.options.unavailable?.();
  if (unavailable !== undefined) throw unavailable;
  return 'next';
}

function authenticate<Principal>(exchange: Exchange<Principal>): Flow {
  if (!exchange.isPublic) exchange.principal = exchange.identify();
  return 'next';
}

function rateLimit<Principal>(exchange: Exchange<Principal>): Flow {
  const { principal, context } = exchange;
  if (principal === undefined) return 'next';
  const { options, clock } = context;
  const allowances = options.tokenBucketsOf?.(principal);
  if (allowances === undefined) return 'next';
  const refusal = takeFrom(allowances, clock());
  exchange.extraHeaders += rateFields(allowances);
  if (refusal !== undefined) throw refusal;
  return 'next';
}

/** Counts the request for its account; the end of the exchange undoes this. */
function admit<Principal>(exchange: Exchange<Principal>): Flow {
  const { principal, context } = exchange;
  if (principal === undefined) return 'next';
  const accountId = context.options.accountOf?.(principal);
  if (accountId !== undefined) exchange.countFor(accountId);
  return 'next';
}

/** Decides once whether the path has this method, and what the request may touch: the endpoint works within this scope. */
function authorize<Principal>(exchange: Exchange<Principal>): Flow {
  const { principal, route } = exchange;
  const endpoint = endpointOf(exchange);
  if (endpoint.public === true || principal === undefined) return 'next';
  exchange.scope = endpoint.authorize === undefined ? principal : endpoint.authorize(principal, route.params, exchange);
  return 'next';
}

/** Throws 405 if the path exists without this method. */
function endpointOf<Principal>({ endpoint, route }: Exchange<Principal>): Endpoint<Principal, unknown> {
  if (endpoint === undefined) throw problems.methodNotAllowed(route.table.allow);
  return endpoint;
}

function parseQuery<Principal>(exchange: Exchange<Principal>): Flow {
  exchange.query = queryOf(endpointOf(exchange), exchange.route.query);
  return 'next';
}

/** Waits for a whole body. One that the endpoint reads itself goes to it while it arrives; one without use is discarded. */
function readBody<Principal>(exchange: Exchange<Principal>): Flow {
  const { endpoint, req } = exchange;
  const takesBody = endpoint?.acceptsBody === true || endpoint?.streamsBody !== undefined;
  const lost = takesBody ? lostBody(req) : undefined;
  if (lost !== undefined) throw lost;
  if (endpoint?.acceptsBody === true) {
    receiveBody(exchange);
    return 'stop';
  }
  if (endpoint?.streamsBody !== undefined) streamBody(exchange, endpoint.streamsBody);
  else if (req.headers['transfer-encoding'] !== undefined) ignoreChunks(req);
  return 'next';
}

/** A body may take a minute to arrive, and the key may expire or be revoked, or a person lose a right, meanwhile. */
function reauthenticate<Principal>(exchange: Exchange<Principal>): Flow {
  if (!exchange.bodyRead) return 'next';
  authenticate(exchange);
  return authorize(exchange);
}

/** Parses a body; a large one in slices, and a coded one, after the earlier such bodies of the same account. */
function parseBody<Principal>(exchange: Exchange<Principal>): Flow {
  const { account, coding } = exchange;
  const bytes = exchange.takeBytes();
  if (bytes === undefined) return 'next';
  if ((bytes.length > largeBodyBytes || (coding !== undefined && bytes.length > 0)) && account !== undefined) {
    parseLater(exchange, account, bytes);
    return 'stop';
  }
  parseNow(exchange, bytes);
  return 'next';
}

function handle<Principal>(exchange: Exchange<Principal>): Flow {
  const { context, message, principal, scope, query = {}, body, fieldErrors, pieces } = exchange;
  const { method = '', url = '', headers } = exchange.req;
  const { params } = exchange.route;
  const endpoint = endpointOf(exchange);
  const request: ApiRequest<unknown> = {
    scope,
    method,
    url,
    params,
    query,
    headers,
    body,
    fieldErrors,
    pieces,
    caller: exchange,
  };
  const reply = message === undefined ? endpoint.handle(request) : context.observer.handle(message, endpoint, request, principal);
  if (reply instanceof Promise) exchange.replyLater(reply);
  else exchange.reply(reply);
  return 'stop';
}
