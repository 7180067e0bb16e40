/**
 * One request and its response: the results that its steps collect, and the reply. `pipeline.ts` lists the steps in their order,
 * `in-flight.ts` counts and ends the request. This file turns any exception of a step into a response.
 */
import type { Coding } from '../lib/files/content-codings.ts';
import { traceField } from '../lib/observability/trace-context.ts';
import type { HttpContext } from './context.ts';
import type { FallbackExchange } from './fallback.ts';
import { type Expectation, InFlight, type RequestOwner } from './in-flight.ts';
import { type Problem, problemOf, problems } from './problem.ts';
import { ClientGoneError } from './request/body.ts';
import type { BodyPieces } from './request/body-stream.ts';
import type { QueryValues } from './request/query.ts';
import { discard } from './request/receive.ts';
import { isResponded } from './response/outgoing.ts';
import { discardReply, type Reply, type Sending, send, sendUnended, type TextReply } from './response/reply.ts';
import type { ApiRequest, Endpoint } from './route.ts';
import type { Match } from './router.ts';
import type { Caller, HttpRequest, HttpResponse, Identity } from './transport/transport.ts';

/** `stop`: the step has replied, or continues later with {@link Exchange.proceed}. */
export type Flow = 'next' | 'stop';

/** One step of a request. Throws to refuse it. */
export type Step = <Principal>(exchange: Exchange<Principal>) => Flow;

export const noBody: ApiRequest<unknown>['body'] = Object.freeze({});
export const noFieldErrors: ApiRequest<unknown>['fieldErrors'] = Object.freeze([]);

export class Exchange<Principal> extends InFlight<Principal> implements Sending, Caller, FallbackExchange {
  extraHeaders = '';

  // Results of the steps, in their order; `principal` and `account` are among them.
  /** Set by the step `matchRoute`: no later step runs without it. */
  route!: Match<Principal>;
  endpoint: Endpoint<Principal, unknown> | undefined = undefined;
  scope: unknown = undefined;
  query: QueryValues | undefined = undefined;
  /** The coding of a body in memory that is not decoded yet. */
  coding: Coding | undefined = undefined;
  body = noBody;
  fieldErrors = noFieldErrors;
  pieces: BodyPieces | undefined = undefined;

  readonly #steps: readonly Step[];
  readonly #identity: Identity<Principal> | undefined;
  #step = 0;

  /**
   * @param isLast whether the connection ends with this response
   * @param identity of the client, for a request of this process; by default its key in the headers
   */
  constructor(
    context: HttpContext<Principal>,
    steps: readonly Step[],
    owner: RequestOwner,
    req: HttpRequest,
    res: HttpResponse,
    expectation: Expectation,
    isLast: boolean,
    identity?: Identity<Principal>,
  ) {
    super(context, owner, req, res, expectation, isLast);
    this.#steps = steps;
    this.#identity = identity;
    if (this.trace !== undefined) this.extraHeaders = traceField(this.trace);
  }

  /** Runs the remaining steps until one waits or replies. Never throws. */
  proceed(): void {
    try {
      while (this.#step < this.#steps.length) {
        const step = this.#steps[this.#step++] as Step;
        if (step(this) === 'stop') return;
      }
    } catch (error) {
      this.fail(error);
    }
  }

  /** Whether the request needs no key. */
  get isPublic(): boolean {
    return this.endpoint === undefined ? this.route.table.public : this.endpoint.public === true;
  }

  get contentKey(): string | undefined {
    const { method } = this.req;
    return method === 'GET' || method === 'HEAD' ? contentKey(this) : undefined;
  }

  /** The client: by its key, or as the caller in this process named it. Throws a 401 problem. */
  identify(): Principal {
    return this.#identity === undefined ? this.context.authenticator.principalOf(this.req, this) : this.#identity.principal();
  }

  // The reply

  /** The fallback writes the response itself. */
  beginReply(): void {
    if (this.leavesBodyOpen) this.closeAfterReply();
    this.releaseBody();
    this.answering();
  }

  /** Replies with the result of the handler's promise. */
  replyLater(promise: Promise<Reply>): void {
    this.working = true;
    promise.then(
      (reply) => {
        this.workDone();
        this.reply(reply);
      },
      (error: unknown) => {
        this.workDone();
        this.fail(error);
      },
    );
  }

  /** Sends a reply, once this process may answer. Never throws. */
  reply(reply: Reply): void {
    const gate = this.#gate();
    if (gate === undefined) this.#reply(reply);
    else {
      gate.then(
        () => this.#reply(reply),
        (error: unknown) => {
          discardReply(reply);
          this.#refuseNow(problemOf(error) ?? problems.internalError());
        },
      );
    }
  }

  /** Whether a response to a request with a key may be sent; see {@link ListenerOptions.responseGate}. */
  #gate(): Promise<void> | undefined {
    return this.principal === undefined ? undefined : this.context.options.responseGate?.();
  }

  #rejectionGate(): Promise<void> | undefined {
    return this.#identity === undefined ? this.context.options.rejectionGate?.() : this.#identity.rejectionGate();
  }

  #reply(reply: Reply): void {
    try {
      if (this.leavesBodyOpen) this.closeAfterReply();
      this.releaseBody();
      if (reply.kind === 'events' && !this.headOnly && !this.res.destroyed) this.becomeStream(reply.status);
      send(this.res, reply, this);
      // Only now: making the first piece of a stream may throw, and the error then becomes the response.
      this.answering();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Sends the problem for a thrown value. Never throws. */
  fail(error: unknown): void {
    if (error instanceof ClientGoneError) return;
    const problem = problemOf(error);
    if (problem === undefined) this.context.observer.internalError(this.message, this, error, 'a request failed');
    // A 401 shows that a key is not valid, so its revocation must be durable first.
    const gate = problem?.code === 'unauthorized' ? this.#rejectionGate() : this.#gate();
    if (gate === undefined) this.#refuseNow(problem ?? problems.internalError());
    else {
      gate.then(
        () => this.#refuseNow(problem ?? problems.internalError()),
        (failure: unknown) => this.#refuseNow(problemOf(failure) ?? problems.internalError()),
      );
    }
  }

  #refuseNow(problem: Problem): void {
    try {
      if (isResponded(this.res)) this.res.destroy();
      else this.#refuse(problem);
    } catch (broken) {
      // The headers of the problem are invalid: a bug, which the log shows.
      this.onBroken(broken);
      this.res.destroy();
    }
  }

  onBroken(error: unknown): void {
    this.context.observer.internalError(this.message, this, error, 'a response broke off');
  }

  onUnsent(error: unknown): void {
    this.fail(error);
  }

  #refuse(problem: Problem): void {
    if (this.over || this.res.destroyed) return;
    this.answering();
    this.releaseBody();
    this.context.metrics.refused(problem);
    const reply: TextReply = {
      kind: 'text',
      status: problem.status,
      text: problem.document(this.requestId),
      contentType: 'application/problem+json',
      headers: this.endpoint?.public === true ? { ...this.endpoint.problemHeaders, ...problem.headers } : problem.headers,
    };
    // After a body timeout, the next bytes may belong to the body or to the next request: they cannot be distinguished.
    if (this.req.socket === undefined || (!this.leavesBodyOpen && problem.code !== 'request_timeout')) {
      send(this.res, reply, this);
      return;
    }
    // Closing a connection with unread bytes resets it, and the reset may overtake the response. So all bytes of the response are sent
    // without its end, incoming bytes are discarded for a while, and then the connection is closed.
    this.closeAfterReply();
    sendUnended(this.res, reply, this);
    discard(this.req, this.context.limits.lingerMs, () => this.res.end());
  }
}

/**
 * The content that a GET requests, in a canonical form: the spelling of path, query and key makes no difference. `undefined` if the key
 * is unknown. No part contains a space.
 */
function contentKey<Principal>({ endpoint, route, query, principal, context }: Exchange<Principal>): string | undefined {
  if (endpoint === undefined || query === undefined) return undefined;
  const keyId = endpoint.public === true ? '' : context.options.keyIdOf?.(principal as Principal);
  if (keyId === undefined) return undefined;
  const names = Object.values(route.params).map(encodeURIComponent).join('/');
  const values = new URLSearchParams(query);
  values.sort();
  return `${keyId} ${route.table.path} ${names} ${values}`;
}
