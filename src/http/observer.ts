/** What is told of a request beside its answer: a line in the log, where that is asked for, and messages for whoever traces. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { diagnostics, inRequest, type RequestMessage } from '../lib/observability/diagnostics.ts';
import type { Log } from '../lib/observability/logger.ts';
import type { TraceContext } from '../lib/observability/trace-context.ts';
import { redactEncodedKeys } from '../lib/text/redact.ts';
import type { Problem } from './problem.ts';
import { isAnswered, isComplete } from './response/outgoing.ts';
import type { Reply } from './response/reply.ts';
import type { ApiRequest, PrivateEndpoint } from './route.ts';
import { pathOf } from './router.ts';

/** Who asked, as a log may say it. */
export interface Requester {
  /** Name of the account. */
  readonly account: string;
  /** Public part of the key. */
  readonly key: string;
}

/** A request, as far as it has come. */
export interface Observed<Principal> {
  readonly requestId: string;
  /** Of the client. */
  readonly address: string;
  readonly res: ServerResponse;
  readonly trace: TraceContext | undefined;
  /** Who asks, once that is known. */
  readonly principal: Principal | undefined;
}

export interface ObserverOptions<Principal> {
  readonly log: Log;
  /** Whether every request gets a line in the log. */
  readonly logRequests?: boolean;
  /** Who asks, for the log. */
  identify?(principal: Principal): Requester;
}

const nobody: Requester = { account: '', key: '' };

export class Observer<Principal> {
  /** Whether every request gets a line in the log. */
  readonly logs: boolean;
  readonly #options: ObserverOptions<Principal>;

  constructor(options: ObserverOptions<Principal>) {
    this.#options = options;
    this.logs = options.logRequests ?? false;
  }

  /** Says that a request has come; the message that goes with it from here on. */
  begin(requestId: string, req: IncomingMessage, trace: TraceContext | undefined): RequestMessage {
    const { method = '' } = req;
    const open = { route: 'other', account: '', key: '', status: 0, complete: false, durationMs: 0, error: undefined };
    const message: RequestMessage = { requestId, method, path: shownPath(req), trace, ...open };
    diagnostics.requestStart.publish(message);
    return message;
  }

  /** Has the endpoint answer, and says so first. */
  handle<Scope>(
    message: RequestMessage,
    endpoint: PrivateEndpoint<Principal, Scope>,
    request: ApiRequest<Scope>,
    principal: Principal | undefined,
  ): Reply | Promise<Reply> {
    Object.assign(message, { route: endpoint.path, ...this.#who(principal) });
    return inRequest(message, () => endpoint.handle(request));
  }

  /** Says what went wrong where nothing should. */
  fault(message: RequestMessage | undefined, { requestId, trace }: Observed<Principal>, error: unknown, what: string): void {
    if (message !== undefined) message.error = error;
    this.#options.log.error({ requestId, ...traceMembers(trace), err: error }, what);
  }

  /** Says that it is over. */
  end(message: RequestMessage | undefined, observed: Observed<Principal>, route: string, elapsedMs: number): void {
    const { requestId, res, principal, trace } = observed;
    const { req } = res;
    const who = this.#who(principal);
    const durationMs = Math.round(elapsedMs * 1000) / 1000;
    const outcome = { status: isAnswered(res) ? res.statusCode : 0, complete: isComplete(res), durationMs };
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

  /** Says that something came which could not be read as a request, and was refused. */
  unreadable(requestId: string, { status, reason }: Problem): void {
    if (this.logs) this.#options.log.info({ requestId, status, reason }, 'unreadable request');
  }

  #who(principal: Principal | undefined): Requester {
    return (principal !== undefined && this.#options.identify?.(principal)) || nobody;
  }
}

const shownPath = ({ url = '' }: IncomingMessage): string => redactEncodedKeys(pathOf(url));

/** The names that tracing systems look for in a log. */
const traceMembers = (trace: TraceContext | undefined) =>
  trace && { trace_id: trace.traceId, span_id: trace.spanId, trace_flags: trace.flags };
