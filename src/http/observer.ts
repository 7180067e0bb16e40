/** Request logging and tracing: a log line per request where configured, and messages for subscribers of the diagnostics channels. */
import { diagnostics, inRequest, type RequestMessage } from '../lib/observability/diagnostics.ts';
import type { Log } from '../lib/observability/logger.ts';
import type { TraceContext } from '../lib/observability/trace-context.ts';
import { redactEncodedKeys } from '../lib/text/redact.ts';
import type { Problem } from './problem.ts';
import { isComplete, isResponded } from './response/outgoing.ts';
import type { Reply } from './response/reply.ts';
import type { ApiRequest, Endpoint } from './route.ts';
import { pathOf } from './router.ts';
import type { HttpRequest, HttpResponse } from './transport/transport.ts';

/** The client of a request, as the log may show it. */
export interface Requester {
  /** Name of the account. */
  readonly account: string;
  /** Public part of the key. */
  readonly key: string;
  /** Who is signed in, by identifier. */
  readonly person?: string;
}

/** A request in progress. */
interface Observed<Principal> {
  readonly requestId: string;
  /** Client address. */
  readonly address: string;
  readonly res: HttpResponse;
  readonly trace: TraceContext | undefined;
  /** Set after authentication. */
  readonly principal: Principal | undefined;
}

interface ObserverOptions<Principal> {
  readonly log: Log;
  /** Whether every request is logged. */
  readonly logRequests?: boolean;
  /** The account and key of a principal, for the log. */
  identify?(principal: Principal): Requester;
}

const unauthenticated: Requester = { account: '', key: '' };

export class Observer<Principal> {
  /** Whether every request is logged. */
  readonly logs: boolean;
  readonly #options: ObserverOptions<Principal>;

  constructor(options: ObserverOptions<Principal>) {
    this.#options = options;
    this.logs = options.logRequests ?? false;
  }

  /** Publishes the start of a request. Returns the message, which later events extend. */
  begin(requestId: string, req: HttpRequest, trace: TraceContext | undefined): RequestMessage {
    const { method = '' } = req;
    const open = { route: 'other', account: '', key: '', status: 0, complete: false, durationMs: 0, error: undefined };
    const message: RequestMessage = { requestId, method, path: shownPath(req), trace, ...open };
    diagnostics.requestStart.publish(message);
    return message;
  }

  /** Calls the endpoint in the context of the message, with its route and principal. */
  handle(
    message: RequestMessage,
    endpoint: Endpoint<Principal, unknown>,
    request: ApiRequest<unknown>,
    principal: Principal | undefined,
  ): Reply | Promise<Reply> {
    Object.assign(message, { route: endpoint.path, ...this.#who(principal) });
    return inRequest(message, () => endpoint.handle(request));
  }

  /** Logs an internal error. */
  internalError(
    message: RequestMessage | undefined,
    { requestId, trace }: Observed<Principal>,
    error: unknown,
    what: string,
  ): void {
    if (message !== undefined) message.error = error;
    this.#options.log.error({ requestId, ...traceMembers(trace), err: error }, what);
  }

  /** Publishes and logs the end of a request. */
  end(message: RequestMessage | undefined, observed: Observed<Principal>, route: string, elapsedMs: number): void {
    const { requestId, res, principal, trace } = observed;
    const { req } = res;
    const who = this.#who(principal);
    const durationMs = Math.round(elapsedMs * 1000) / 1000;
    const outcome = { status: isResponded(res) ? res.statusCode : 0, complete: isComplete(res), durationMs };
    if (message !== undefined) diagnostics.requestEnd.publish(Object.assign(message, { route, ...who, ...outcome }));
    if (!this.logs) return;
    const { method = '' } = req;
    const fields = {
      requestId,
      ...who,
      method,
      route,
      path: shownPath(req),
      ...outcome,
      address: observed.address,
      ...traceMembers(trace),
    };
    this.#options.log.info(fields, 'request');
  }

  /** Logs bytes that could not be parsed as a request and were refused. */
  unreadable(requestId: string, { status, reason }: Problem): void {
    if (this.logs) this.#options.log.info({ requestId, status, reason }, 'unreadable request');
  }

  #who(principal: Principal | undefined): Requester {
    return (principal !== undefined && this.#options.identify?.(principal)) || unauthenticated;
  }
}

const shownPath = ({ url = '' }: HttpRequest): string => redactEncodedKeys(pathOf(url));

/** Field names that tracing systems expect in a log. */
const traceMembers = (trace: TraceContext | undefined) =>
  trace && { trace_id: trace.traceId, span_id: trace.spanId, trace_flags: trace.flags };
